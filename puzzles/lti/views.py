"""The addresses that learning platforms send people to, and the pages that follow a launch."""

from __future__ import annotations

import secrets
from datetime import timedelta
from typing import Any
from urllib.parse import urlencode, urlsplit

from csp.decorators import csp_update
from django.conf import settings
from django.contrib import messages
from django.core import signing
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from osmosmjerka.accounts.access import classrooms
from osmosmjerka.accounts.auth import two_factor
from osmosmjerka.accounts.auth.views import admit_student
from osmosmjerka.accounts.models import User
from osmosmjerka.web.addresses import may_be_asked
from osmosmjerka.web.views import SignedInRequest, refusal_as_message, teacher_required
from puzzles import access
from puzzles.assignments import services as assignments
from puzzles.lti import client, deep_links, keys, members, services
from puzzles.lti.forms import ChoiceOfAssignment, ClassForm
from puzzles.lti.services import Arrival, LaunchRefused
from puzzles.models import Assignment, LtiCourse, LtiLink, LtiPlatform
from vocab.sentences import said

BROWSER = f"{settings.COOKIE_PREFIX}lti-browser"
ARRIVED = f"{settings.COOKIE_PREFIX}lti-arrived"
# In the session of a teacher who came from a course: their Arrival.
CAME = "lti"
MOST_ASSIGNMENTS = 100
ARRIVED_SALT = "puzzles.lti.arrived"
_WITHIN = timedelta(minutes=10)


@csrf_exempt
@never_cache
@require_http_methods(["GET", "POST"])
def login(request: HttpRequest) -> HttpResponse:
    """Begin a launch: send the browser to its platform (Security Framework 1.0, 5.1.1.1).

    Another site sends people here, so there is no CSRF token. Nothing is changed.
    """
    sent = request.POST if request.method == "POST" else request.GET
    browser = request.COOKIES.get(BROWSER, "")
    if not 20 < len(browser) < 100:
        browser = secrets.token_urlsafe(24)
    try:
        address = services.begin(
            sent.dict(),
            browser=browser,
            host=request.get_host(),
            launch_url=request.build_absolute_uri(reverse("lti-launch")),
        )
    except LaunchRefused as refusal:
        return _refused(request, refusal)
    response = HttpResponseRedirect(address)
    # The platform's POST brings no other cookie. Browsers take SameSite=None with HTTPS only;
    # without, as on one's own computer, the platform has to be of the same site.
    response.set_cookie(
        BROWSER,
        browser,
        max_age=services.STATE,
        httponly=True,
        secure=settings.HTTPS,
        samesite="None" if settings.HTTPS else "Lax",
    )
    return response


@csrf_exempt
@never_cache
@require_POST
def launch(request: HttpRequest) -> HttpResponse:
    """Take a message of a platform, and go on where the ordinary cookies come along.

    The platform's page sends it. In place of a CSRF token, its state is bound to this browser.
    """
    if "error" in request.POST:  # Security Framework 1.0, 5.1.1.5
        return _refused(
            request,
            LaunchRefused(
                _("The learning platform refused to say who you are. Log in there and try again.")
            ),
        )
    try:
        arrival = services.launch(
            state=request.POST.get("state", "")[:4000],
            token=request.POST.get("id_token", ""),
            browser=request.COOKIES.get(BROWSER, ""),
            host=request.get_host(),
        )
    except LaunchRefused as refusal:
        return _refused(request, refusal)
    response = redirect("lti-open")
    response.set_cookie(
        ARRIVED,
        signing.dumps(arrival.as_dict(), salt=ARRIVED_SALT, compress=True),
        max_age=_WITHIN,
        httponly=True,
        secure=settings.HTTPS,
        samesite="Lax",
    )
    return response


@never_cache
@require_safe
def key_set(request: HttpRequest) -> HttpResponse:
    """Return the public keys of this site, which platforms read."""
    return JsonResponse(keys.public_keys())


@never_cache
@require_safe
def open_arrived(request: HttpRequest) -> HttpResponse:
    """Log in who has just come from a platform, and lead them to what they came for."""
    arrival = _arrival(request)
    if arrival is None:
        return redirect("home")
    if arrival.is_test_user:
        return _forgetting(_preview(request, arrival))
    if arrival.person is None:
        return redirect("lti-account")
    person = get_object_or_404(User.objects.filter(is_active=True), pk=arrival.person)
    return _forgetting(_let_in(request, person, arrival))


@never_cache
@teacher_required
@require_http_methods(["GET", "POST"])
def account(request: SignedInRequest) -> HttpResponse:
    """Ask a teacher who came the first time whether their account here is to be linked."""
    arrival = _arrival(request)
    if arrival is None or arrival.is_test_user or arrival.person is not None:
        raise Http404
    platform = get_object_or_404(LtiPlatform.objects.filter(is_on=True), pk=arrival.platform)
    if request.method == "POST":
        try:
            services.link_teacher(arrival=arrival, person=request.user)
        except ValidationError as error:
            messages.error(request, " ".join(error.messages))
            return _forgetting(redirect("home"))
        return _forgetting(_go_on(request, request.user, arrival))
    return render(request, "puzzles/lti/account.html", {"platform": platform})


@never_cache
@teacher_required
@require_http_methods(["GET", "POST"])
def course_class(request: SignedInRequest) -> HttpResponse:
    """Let a teacher say which class a course is."""
    course = _course(request)
    sent = request.POST if request.method == "POST" else None
    classes = services.classes_for(course, request.user)
    form = ClassForm(sent, classes=classes, course=str(course))
    if form.is_valid():
        chosen = form.classes.get(form.cleaned_data["classroom"])
        with refusal_as_message(request):
            services.choose_class(course=course, person=request.user, classroom=chosen)
            return redirect(_next(request.user, _came(request)))
    return render(request, "puzzles/lti/course_class.html", {"form": form, "course": course})


@never_cache
@teacher_required
@require_http_methods(["GET", "POST"])
def choose(request: SignedInRequest) -> HttpResponse:
    """Let a teacher choose the assignment that an activity of a course opens."""
    arrival, course = _came(request), _course(request)
    classroom = get_object_or_404(classrooms(request.user, "assign"), pk=course.classroom_id)
    given = classroom.assignments.filter(archived_at=None, is_draft=False, puzzle__deleted_at=None)
    shown = list(given.select_related("puzzle").order_by("-pk")[:MOST_ASSIGNMENTS])
    form = ChoiceOfAssignment(
        request.POST if request.method == "POST" else None,
        given=shown,
        initial={"assignment": str(shown[0].pk)} if shown else {},
    )
    if not form.is_valid():
        query = urlencode({"classroom": classroom.pk, "next": request.path})
        new = f"{reverse('assign')}?{query}"  # the new assignment is the first one here then
        context = {"form": form, "course": course, "given": shown, "new": new}
        return render(request, "puzzles/lti/choose.html", context)
    chosen = form.given[form.cleaned_data["assignment"]]
    if arrival.return_url:
        return _returning(request, arrival, course, chosen)
    link = get_object_or_404(LtiLink.objects.filter(course=course), pk=arrival.link or 0)
    link.assignment = chosen
    link.save(update_fields=["assignment"])
    messages.success(request, _("Saved."))
    return redirect("assignment", classroom.pk, chosen.pk)


@teacher_required
@require_POST
def roster(request: SignedInRequest) -> HttpResponse:
    """Ask the platform for the students of a course, and show the preview of its roster."""
    course = _course(request)
    managed = classrooms(request.user, "manage people")
    classroom = get_object_or_404(managed, pk=course.classroom_id)
    if not course.memberships_url:
        raise Http404
    try:
        begun = members.begin(course=course, classroom=classroom, actor=request.user)
    except client.PlatformError as error:
        told = _("The learning platform did not tell its students: %(reason)s")
        messages.error(request, told % {"reason": said(error.message)})
        return redirect("lti-choose")
    return redirect("roster-preview", classroom.pk, begun.pk)


def _returning(
    request: SignedInRequest, arrival: Arrival, course: LtiCourse, chosen: Assignment
) -> HttpResponse:
    """Show a form that takes what was chosen to the platform (Deep Linking 2.0, 4.5).

    The policy of other pages lets forms go to this site only.
    """
    if not may_be_asked(arrival.return_url):
        messages.error(request, _("The learning platform did not say where to return."))
        return redirect("home")
    parts = urlsplit(arrival.return_url)
    token = deep_links.response(
        course=course,
        assignment=chosen,
        data=arrival.data,
        launch_url=request.build_absolute_uri(reverse("lti-launch")),
    )
    context = {"address": arrival.return_url, "token": token, "chosen": chosen, "course": course}

    @csp_update({"form-action": [f"{parts.scheme}://{parts.netloc}"]})
    def page(request: HttpRequest) -> HttpResponse:
        return render(request, "puzzles/lti/returning.html", context)

    return page(request)  # type: ignore[return-value]  # what `render` returns


def _let_in(request: HttpRequest, person: User, arrival: Arrival) -> HttpResponse:
    """Begin an ordinary session, unless the person has one in this browser."""
    if request.user.is_authenticated and request.user.pk == person.pk:
        return _go_on(request, person, arrival)
    if request.user.is_authenticated:
        request.session.flush()
    if person.is_teacher and two_factor.is_wanted(person):
        request.session[CAME] = arrival.as_dict()  # nobody is logged in yet; it says nothing secret
        return two_factor.ask(request, person, reverse("lti-go"))
    admit_student(request, person)
    return _go_on(request, person, arrival)


@never_cache
@teacher_required
@require_safe
def go(request: SignedInRequest) -> HttpResponse:
    """Lead a teacher to what they came for, after two-step verification."""
    return redirect(_next(request.user, _came(request)))


def _go_on(request: HttpRequest, person: User, arrival: Arrival) -> HttpResponse:
    if person.is_student:
        return _play(request, person, arrival)
    request.session[CAME] = arrival.as_dict()
    return redirect(_next(person, arrival))


def _next(person: User, arrival: Arrival) -> str:
    """Return the page for which a teacher came."""
    course = LtiCourse.objects.select_related("classroom").filter(pk=arrival.course or 0).first()
    if course is None:
        return reverse("home")
    classroom = course.classroom
    if classroom is None or classroom.deleted_at is not None:
        return reverse("lti-class")
    link = LtiLink.objects.filter(course=course, pk=arrival.link or 0).first()
    may_assign = classrooms(person, "assign").filter(pk=classroom.pk).exists()
    if may_assign and (arrival.return_url or (link and link.assignment_id is None)):
        return reverse("lti-choose")
    if not classrooms(person, "see progress").filter(pk=classroom.pk).exists():
        return reverse("home")
    if link and link.assignment_id:
        return reverse("assignment", args=[classroom.pk, link.assignment_id])
    return reverse("classroom", args=[classroom.pk])


def _play(request: HttpRequest, student: User, arrival: Arrival) -> HttpResponse:
    """Lead a student to the assignment of an activity, else to their home page."""
    link = LtiLink.objects.filter(pk=arrival.link or 0).first()
    if link is None or link.assignment_id is None:
        return redirect("home")
    given = access.given_to(student).filter(pk=link.assignment_id)
    assignment = given.select_related("puzzle__vocabulary_list").first()
    if assignment is None:
        messages.info(request, _("This assignment is not for you, or is over."))
        return redirect("home")
    if not given.filter(access.is_open_at(timezone.now())).exists():
        if access.puzzle_to_play(student, assignment.puzzle.code) is not None:
            return redirect("play", assignment.puzzle.code)
        messages.info(request, _("This assignment is not open at the moment."))
        return redirect("home")
    with refusal_as_message(request):
        puzzle = assignments.own_puzzle(assignment=assignment, student=student)
        if puzzle.state == puzzle.State.READY:
            return redirect("play", puzzle.code)
        messages.info(request, _("Your puzzle is being prepared. It is here in a moment."))
    return redirect("home")


def _preview(request: HttpRequest, arrival: Arrival) -> HttpResponse:
    """Show what a student would get, without an account and without any word."""
    link = LtiLink.objects.select_related("assignment__puzzle").filter(pk=arrival.link or 0).first()
    assignment = link.assignment if link else None
    return render(request, "puzzles/lti/preview.html", {"assignment": assignment})


def _arrival(request: HttpRequest) -> Arrival | None:
    """Return who has just come in this browser, from their signed cookie."""
    try:
        told: dict[str, Any] = signing.loads(
            request.COOKIES.get(ARRIVED, ""), salt=ARRIVED_SALT, max_age=_WITHIN
        )
        return Arrival(**told)
    except (signing.BadSignature, TypeError):
        return None


def _forgetting(response: HttpResponse) -> HttpResponse:
    response.delete_cookie(ARRIVED, samesite="Lax")
    return response


def _came(request: SignedInRequest) -> Arrival:
    """Return for what a teacher came. Raises Http404 if they came from no platform."""
    told = request.session.get(CAME)
    if told is None:
        raise Http404
    return Arrival(**told)


def _course(request: SignedInRequest) -> LtiCourse:
    """Return the course from which a teacher came, as long as its platform is on."""
    known = LtiCourse.objects.select_related("deployment__platform__school", "classroom")
    here = known.filter(
        deployment__platform__is_on=True, deployment__platform__people__user=request.user
    )
    return get_object_or_404(here, pk=_came(request).course or 0)


def _refused(request: HttpRequest, refusal: LaunchRefused) -> HttpResponse:
    return render(request, "puzzles/lti/refused.html", {"reason": refusal}, status=403)
