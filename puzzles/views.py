"""Pages on which puzzles are made, given to a class, played and followed."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db.models import Count, Q
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from osmosmjerka.accounts.access import classrooms
from osmosmjerka.accounts.codes import name_on_device
from osmosmjerka.accounts.models import Membership
from osmosmjerka.http import SignedInRequest, signed_in, teacher_required
from puzzles import access, assignments, selectors, services, student_views, together
from puzzles.downloads import write_puzzle
from puzzles.exports import FORMATS, ExportError
from puzzles.forms import AssignForm, PuzzleForm
from puzzles.kinds import KINDS
from puzzles.models import Assignment, Puzzle
from puzzles.standing import assignment_lines
from vocab.access import vocabulary_lists
from vocab.selectors import with_sizes


@signed_in
@require_safe
def home(request: SignedInRequest) -> HttpResponse:
    """Show a student what to do now, a teacher their lists, classes and newest puzzles."""
    if request.user.is_student:
        return student_views.home(request)
    pupils = Count("memberships", filter=Q(memberships__role=Membership.Role.STUDENT))
    return render(
        request,
        "puzzles/home_teacher.html",
        {
            "lists": with_sizes(vocabulary_lists(request.user, "edit"))[:6],
            "classrooms": classrooms(request.user, "see progress")
            .filter(archived_at=None)
            .annotate(pupils=pupils),
            "puzzles": access.puzzles(request.user, "manage").select_related("vocabulary_list")[:8],
        },
    )


@teacher_required
@require_safe
def classroom(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show a class: its people, what it was given, and how far each of it is."""
    shown = get_object_or_404(classrooms(request.user, "see progress"), pk=pk)
    given = Assignment.objects.filter(classroom=shown, archived_at=None).select_related("puzzle")
    pupils = assignments.pupils_of(shown)
    return render(
        request,
        "puzzles/classroom.html",
        {
            "classroom": shown,
            "memberships": shown.memberships.select_related("user").order_by(
                "role", "user__display_name"
            ),
            "together": together.of_classroom(shown, timezone.localdate()),
            "goal_form": together.GoalForm(),
            "may_assign": classrooms(request.user, "assign").filter(pk=pk).exists(),
            "lines": assignment_lines(given.defer("puzzle__grid"), pupils, timezone.now()),
            "may_manage": classrooms(request.user, "manage people").filter(pk=pk).exists(),
        },
    )


@teacher_required
@require_http_methods(["GET", "POST"])
def puzzle_new(request: SignedInRequest, list_pk: int) -> HttpResponse:
    vocabulary_list = get_object_or_404(vocabulary_lists(request.user, "make puzzles"), pk=list_pk)
    data = request.POST or None
    form = PuzzleForm(data, person=request.user, initial={"kind": next(iter(KINDS))})
    settings_forms = {
        slug: kind.settings_form(data if data and data.get("kind") == slug else None, prefix=slug)
        for slug, kind in KINDS.items()
    }
    if data and form.is_valid() and settings_forms[form.cleaned_data["kind"]].is_valid():
        wanted = form.cleaned_data
        try:
            puzzle = services.request_puzzle(
                vocabulary_list=vocabulary_list,
                kind=wanted["kind"],
                created_by=request.user,
                settings=settings_forms[wanted["kind"]].cleaned_data,
                title=wanted["title"],
                classroom=wanted["classroom"],
            )
        except ValidationError as error:
            form.add_error(None, list(error.messages))
        else:
            return redirect("puzzle", puzzle.code)
    return render(
        request,
        "puzzles/puzzle_new.html",
        {
            "list": vocabulary_list,
            "form": form,
            "kinds": [(kind, settings_forms[slug]) for slug, kind in KINDS.items()],
            "size": vocabulary_list.entries.count(),
        },
    )


@teacher_required
@require_safe
def puzzle_detail(request: SignedInRequest, code: str) -> HttpResponse:
    """Show a puzzle to who made it or follows it: progress, link, answers, who found what."""
    puzzle = get_object_or_404(access.puzzles(request.user, "see"), code=code)
    followed = classrooms(request.user, "see progress")
    given = puzzle.assignments.filter(classroom__in=followed).select_related("classroom")
    return render(
        request,
        "puzzles/puzzle_detail.html",
        {
            "puzzle": puzzle,
            "kind": KINDS[puzzle.kind],
            "job": services.job_of(puzzle),
            "may_agree": access.puzzles(request.user, "agree").filter(pk=puzzle.pk).exists(),
            "may_try_again": services.was_given_up(puzzle)
            and access.puzzles(request.user, "manage").filter(pk=puzzle.pk).exists(),
            "placements": puzzle.placements.all(),
            "play_url": request.build_absolute_uri(reverse("play", args=[puzzle.code])),
            "classes": [
                (assignment, selectors.progress_of_class(puzzle, assignment.classroom))
                for assignment in given
            ],
            "form": AssignForm(person=request.user),
            "formats": FORMATS.values(),
        },
    )


@teacher_required
@require_safe
def puzzle_progress(request: SignedInRequest, code: str) -> HttpResponse:
    """Return the fragment that shows how far the making is; it asks again until it is over."""
    puzzle = get_object_or_404(access.puzzles(request.user, "see"), code=code)
    job = services.job_of(puzzle)
    response = render(request, "puzzles/_making.html", {"puzzle": puzzle, "job": job})
    if puzzle.state != Puzzle.State.QUEUED:
        response["HX-Refresh"] = "true"
    return response


@teacher_required
@require_safe
def puzzle_download(request: SignedInRequest, code: str, format_name: str) -> HttpResponse:
    """Send a puzzle as a file, with its answers if ?key=1."""
    puzzle = get_object_or_404(
        access.puzzles(request.user, "see"), code=code, state=Puzzle.State.READY
    )
    if format_name not in FORMATS:
        raise Http404
    try:
        content = write_puzzle(puzzle, format_name, key=request.GET.get("key") == "1")
    except ExportError as error:
        messages.error(request, str(error))
        return redirect("puzzle", puzzle.code)
    file_format = FORMATS[format_name]
    return HttpResponse(
        content,
        content_type=file_format.mime_type,
        headers={
            "Content-Disposition": content_disposition_header(
                True, f"{puzzle.title}{file_format.extension}"
            )
        },
    )


@teacher_required
@require_POST
def puzzle_assign(request: SignedInRequest, code: str) -> HttpResponse:
    puzzle = get_object_or_404(access.puzzles(request.user, "manage"), code=code)
    form = AssignForm(request.POST, person=request.user)
    if form.is_valid():
        given_to = form.cleaned_data["classroom"]
        services.assign(puzzle=puzzle, classroom=given_to, created_by=request.user)
        messages.success(request, _("%(class)s has the puzzle.") % {"class": given_to})
    else:
        messages.error(request, _("Choose one of your classes."))
    return redirect("puzzle", puzzle.code)


@signed_in
@require_safe
def play_page(request: SignedInRequest, code: str) -> HttpResponse:
    """Show the board; what is on it comes from the API, which never tells an answer."""
    puzzle = get_object_or_404(
        access.puzzles(request.user, "play").select_related("vocabulary_list"), code=code
    )
    if request.headers.get("HX-Request"):  # the page that waits asks whether it is over
        is_waiting = puzzle.state == Puzzle.State.QUEUED
        return HttpResponse(status=204, headers={} if is_waiting else {"HX-Refresh": "true"})
    if puzzle.state != Puzzle.State.READY:
        may_agree = access.puzzles(request.user, "agree").filter(pk=puzzle.pk).exists()
        return render(request, "puzzles/waiting.html", {"puzzle": puzzle, "may_agree": may_agree})
    is_leading_on = KINDS[puzzle.kind].player_settings is not None
    return render(
        request,
        "puzzles/play.html",
        {
            "puzzle": puzzle,
            "state_url": reverse("api:play", args=[puzzle.code]),
            "player": name_on_device(request.user.pk),
            "new_url": reverse("play-another", args=[puzzle.code]) if is_leading_on else None,
            "next_url": reverse("home"),
        },
    )


@signed_in
@require_POST
def puzzle_fewer(request: SignedInRequest, code: str) -> HttpResponse:
    """Make the puzzle with the number of words that can be had."""
    puzzle = get_object_or_404(access.puzzles(request.user, "agree"), code=code)
    try:
        services.accept_fewer(puzzle=puzzle)
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
    return redirect("play" if request.user.is_student else "puzzle", puzzle.code)


@teacher_required
@require_POST
def puzzle_again(request: SignedInRequest, code: str) -> HttpResponse:
    """Try once more to make a puzzle whose making was given up."""
    puzzle = get_object_or_404(access.puzzles(request.user, "manage"), code=code)
    try:
        services.try_again(puzzle=puzzle)
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
    return redirect("puzzle", puzzle.code)


@signed_in
@require_POST
def play_again(request: SignedInRequest, code: str) -> HttpResponse:
    """Begin another try at the same puzzle, if one is left."""
    puzzle = get_object_or_404(access.puzzles(request.user, "play"), code=code)
    try:
        assignments.play_again(puzzle=puzzle, student=request.user)
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
    return redirect("play", puzzle.code)


@signed_in
@require_POST
def play_another(request: SignedInRequest, code: str) -> HttpResponse:
    """Make one more puzzle of the same list for whoever plays, and go there."""
    puzzle = get_object_or_404(access.puzzles(request.user, "play"), code=code)
    changes: dict[str, object] = {
        "difficulty": request.POST.get("difficulty", ""),
        "forwards_only": "forwards_only" in request.POST,
    }
    try:
        another = services.request_another(puzzle=puzzle, person=request.user, changes=changes)
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
        return redirect("play", puzzle.code)
    return redirect("play", another.code)
