"""Pages at a class's own address: log in or join."""

from __future__ import annotations

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from osmosmjerka.accounts import codes, languages
from osmosmjerka.accounts.auth import cards, lockout, login_log
from osmosmjerka.accounts.auth.cards import PaperCard
from osmosmjerka.accounts.auth.views import admit_student
from osmosmjerka.accounts.classrooms import joining
from osmosmjerka.accounts.classrooms import services as classes
from osmosmjerka.accounts.classrooms.card_views import card_page
from osmosmjerka.accounts.classrooms.forms import JoinForm
from osmosmjerka.accounts.codes import PICTURES, PICTURES_A_CARD
from osmosmjerka.accounts.models import Classroom, JoinRequest, User
from osmosmjerka.accounts.selectors import students_of
from osmosmjerka.web.views import refusal_as_message

# The session's name for the request to join that was made in it.
_WAITING = "join_request"


@never_cache
@require_http_methods(["GET", "POST"])
def join(request: HttpRequest) -> HttpResponse:
    """Ask for the class code and redirect to the class's login page."""
    code = request.POST.get("code", "").strip().upper().replace(" ", "").replace("-", "")
    is_wrong = False
    if request.method == "POST":
        if 4 <= len(code) <= 12 and _classes_at(code).exists():
            return redirect("class-door", code)
        login_log.refused(request, "class code")
        is_wrong = True
    return render(request, "accounts/classrooms/join.html", {"is_wrong": is_wrong, "code": code})


@sensitive_post_parameters("words", "pictures")
@never_cache
@require_http_methods(["GET", "POST"])
def class_door(request: HttpRequest, code: str) -> HttpResponse:
    """Log in a student of the class by name and words, or by name and pictures."""
    classroom = _class_at(code)
    languages.speak_for_school(request, classroom.school)
    refused = ""
    locked_out: lockout.AccountLocked | None = None
    wrong: dict[str, str] = {}  # what to do about a field
    words = ""
    if request.method == "POST":
        name = request.POST.get("name", "")[:200]
        try:
            if "picture-0" in request.POST:
                chosen = tuple(
                    request.POST.get(f"picture-{place}", "") for place in range(PICTURES_A_CARD)
                )
                student = cards.person_of_pictures(classroom=classroom, name=name, pictures=chosen)
            else:
                words = request.POST.get("words", "")[:200]
                student = cards.person_of_words(classroom=classroom, name=name, words=words)
        except lockout.AccountLocked as locked:
            login_log.refused(request, "locked out", classroom=classroom.pk)
            refused, locked_out = str(locked), locked
        except cards.LoginRefused:
            login_log.refused(request, "code", classroom=classroom.pk)
            if "picture-0" in request.POST:
                refused = _(
                    "These pictures do not match this name. Look at your card and tap your name "
                    "and your pictures again."
                )
            else:
                refused = _("This name does not match these four words.")
                wrong = _wrong_fields(words)
        else:
            admit_student(request, student, door=classroom)
            return redirect("home")
    context = {
        "classroom": classroom,
        "refused": refused,
        "name": request.POST.get("name", "")[:200],
        # They are shown while they are typed, no page is stored, and four words are hard to type
        # again for one wrong letter. Once the account is locked they are gone.
        "words": words if wrong else "",
        "wrong": wrong,
        "is_open": classes.open_for_joining(classroom),
        "form": JoinForm(),
        "students": [person for person in students_of(classroom) if person.is_active]
        if classroom.uses_pictures
        else [],
        "pictures": PICTURES.items(),
        "places": range(PICTURES_A_CARD),
    }
    page = render(request, "accounts/classrooms/class_door.html", context)
    return lockout.asking_to_wait(page, locked_out) if locked_out else page


def _wrong_fields(words: str) -> dict[str, str]:
    """Return what to check in each field. It depends on what was typed only, not on any account."""
    strange = codes.not_on_cards(words)
    if strange:
        text = ngettext(
            "No card has this word: %(words)s. Check the spelling.",
            "No card has these words: %(words)s. Check the spelling.",
            len(strange),
        )
        about_words = text % {"words": ", ".join(strange)}
    else:
        about_words = _("Type the four words that are on your card under “Your words”.")
    return {
        "name": _("Type your name as it appears at the top of your card."),
        "words": about_words,
    }


@never_cache
@require_POST
def class_join(request: HttpRequest, code: str) -> HttpResponse:
    """Join an open class. Logged-in students join it; anybody else gets an account and a card."""
    classroom = _class_at(code)
    languages.speak_for_school(request, classroom.school)
    with refusal_as_message(request):
        if isinstance(request.user, User):
            classes.join_by_code(classroom=classroom, person=request.user)
            messages.success(
                request, _("You have joined the class %(class)s.") % {"class": classroom}
            )
            return redirect("home")
        form = JoinForm(request.POST)
        if not form.is_valid():
            messages.error(request, _("Enter the name your class will see."))
            return redirect("class-door", code)
        if _is_waiting_in(request, classroom):  # sent twice: who waits, waits once
            return redirect("waiting")
        asked, paper = joining.join(classroom=classroom, name=form.cleaned_data["display_name"])
        if paper is not None:
            return _let_in(request, classroom, paper)
        request.session[_WAITING] = asked.pk
        return redirect("waiting")
    return redirect("class-door", code)


@never_cache
@require_http_methods(["GET", "POST"])
def waiting(request: HttpRequest) -> HttpResponse:
    """Tell a visitor to wait for the teacher; let them in by itself as soon as they may."""
    asked = _asked(request)
    if asked is not None:
        languages.speak_for_school(request, asked.classroom.school)
    if request.method == "POST":
        paper = joining.come_in(request=asked) if asked is not None else None
        if asked is None or paper is None:
            return redirect("waiting")
        del request.session[_WAITING]
        return _let_in(request, asked.classroom, paper)
    part = "HX-Request" in request.headers
    template = "accounts/classrooms/_waiting.html" if part else "accounts/classrooms/waiting.html"
    return render(request, template, {"asked": asked})


def _asked(request: HttpRequest) -> JoinRequest | None:
    """Return the request to join that was made in this browser."""
    requests = JoinRequest.objects.select_related("classroom__school")
    return requests.filter(pk=request.session.get(_WAITING, 0)).first()


def _is_waiting_in(request: HttpRequest, classroom: Classroom) -> bool:
    return joining.waiting(classroom).filter(pk=request.session.get(_WAITING, 0)).exists()


def _let_in(request: HttpRequest, classroom: Classroom, paper: PaperCard) -> HttpResponse:
    admit_student(request, paper.student, door=classroom)
    return card_page(request, classroom, [paper], is_own=True)


def _classes_at(code: str) -> QuerySet[Classroom]:
    return Classroom.objects.filter(archived_at=None, join_code=code.upper())


def _class_at(code: str) -> Classroom:
    return get_object_or_404(_classes_at(code).select_related("school"))
