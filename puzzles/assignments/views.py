"""Pages on which teachers assign words to a class, and follow, schedule and close assignments."""

from __future__ import annotations

from collections import Counter

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from osmosmjerka.accounts.access import classrooms
from osmosmjerka.accounts.selectors import students_of
from osmosmjerka.web.requests import ids_in
from osmosmjerka.web.views import SignedInRequest, teacher_required
from puzzles.assignments import services as assignments
from puzzles.assignments.forms import AssignmentForm
from puzzles.assignments.results import result_table, results
from puzzles.assignments.status import Status, assignment_lines
from puzzles.class_pages import (
    followed,
    in_school_time,
    may_assign,
    student_of,
    table_file,
    wanted_format,
)
from puzzles.kinds import KINDS
from puzzles.practice.forms import PracticeForm
from vocab.access import vocabulary_lists
from vocab.models import Entry


@teacher_required
@require_POST
def give(request: SignedInRequest, pk: int) -> HttpResponse:
    """Lead to the form of a new assignment with the selected words and students filled in."""
    classroom = get_object_or_404(classrooms(request.user, "assign"), pk=pk)
    form = PracticeForm(request.POST)
    entries = list(
        Entry.objects.filter(
            pk__in=ids_in(request.POST.getlist("entry")),
            vocabulary_list__in=vocabulary_lists(request.user, "make puzzles"),
        ).select_related("vocabulary_list")
    )
    chosen = set(ids_in(request.POST.getlist("student")))
    students = [student.pk for student in students_of(classroom) if student.pk in chosen]
    problem = ""
    if len(students) < len(chosen):  # do not tell who the others are
        problem = _("Choose students of this class.")
    elif not entries:
        problem = _("Choose a word from one of your lists.")
    if problem:
        messages.error(request, problem)
        return redirect("classroom-progress", classroom.pk)
    lists = Counter(entry.vocabulary_list for entry in entries)
    words, count = lists.most_common(1)[0]
    if len(lists) > 1:
        messages.info(
            request,
            ngettext(
                "A puzzle has words from one list, but %(count)s word is from “%(list)s”.",
                "A puzzle has words from one list, but %(count)s words are from “%(list)s”.",
                count,
            )
            % {"count": count, "list": words},
        )
    wanted = [entry.pk for entry in entries if entry.vocabulary_list == words]
    entries_of_puzzle = assignments.filled_up(words, wanted)
    if added := len(entries_of_puzzle) - len(wanted):
        messages.info(
            request,
            ngettext(
                "%(count)s more word from the list was added, so that there are enough for a "
                "puzzle.",
                "%(count)s more words from the list were added, so that there are enough for a "
                "puzzle.",
                added,
            )
            % {"count": added},
        )
    query = {
        "vocabulary_list": words.pk,
        "classroom": classroom.pk,
        "kind": form.cleaned_data["kind"] if form.is_valid() else next(iter(KINDS)),
        "title": _("Practise again: %(list)s") % {"list": words.title},
        "entries": entries_of_puzzle,
        "student": students,
    }
    return redirect(f"{reverse('assign')}?{urlencode(query, doseq=True)}")


@teacher_required
@in_school_time
@require_safe
def assignment_page(request: SignedInRequest, pk: int, assignment_pk: int) -> HttpResponse:
    """Show the status of each student in an assignment."""
    classroom = followed(request, pk)
    assignment = get_object_or_404(classroom.assignments.select_related("puzzle"), pk=assignment_pk)
    students = students_of(classroom)
    [line] = assignment_lines([assignment], students, timezone.now())
    weak = [p for p, how in line.statuses.items() if how in {Status.NEEDS_HELP, Status.OVERDUE}]
    words = list(assignment.puzzle.placements.exclude(entry=None).values_list("entry", flat=True))
    may = may_assign(request, classroom)
    file_format = wanted_format(request)
    if file_format:
        return table_file(file_format, str(classroom), *result_table(line), assignment.puzzle.title)
    return render(
        request,
        "puzzles/assignments/assignment.html",
        {
            "classroom": classroom,
            "line": line,
            "rows": [row for row in results([line], students) if row.cells[0]],
            "assignment": assignment,
            "weak": weak,
            "words": words,
            "may_assign": may,
            "gives_again": may and weak and words and not assignment.is_adaptive,
            "may_repeat": vocabulary_lists(request.user, "make puzzles")
            .filter(pk=assignment.puzzle.vocabulary_list_id)
            .exists(),
        },
    )


@teacher_required
@in_school_time
@require_http_methods(["GET", "POST"])
def assignment_edit(request: SignedInRequest, pk: int, assignment_pk: int) -> HttpResponse:
    """Schedule an assignment, choose its students, make it adaptive; preview everyone's words."""
    classroom = get_object_or_404(classrooms(request.user, "assign"), pk=pk)
    assignment = get_object_or_404(
        classroom.assignments.select_related("puzzle__vocabulary_list"), pk=assignment_pk
    )
    form = AssignmentForm(request.POST or None, instance=assignment)
    if request.method == "POST" and form.is_valid():
        wanted = dict(form.cleaned_data)
        wanted["pinned"] = [entry.pk for entry in wanted["pinned"]]
        try:
            assignments.change(assignment=assignment, **wanted)
        except ValidationError as error:
            form.add_error(None, list(error.messages))
        else:
            messages.success(request, _("Saved."))
            return redirect("assignment", classroom.pk, assignment.pk)
    preview = []
    if assignment.is_adaptive and request.method == "GET":
        preview = assignments.preview(assignment)
    return render(
        request,
        "puzzles/assignments/assignment_edit.html",
        {"classroom": classroom, "assignment": assignment, "form": form, "preview": preview},
    )


@teacher_required
@require_POST
def assignment_change(request: SignedInRequest, pk: int, assignment_pk: int) -> HttpResponse:
    """Close, archive or restore an assignment, or excuse a student from it."""
    classroom = get_object_or_404(classrooms(request.user, "assign"), pk=pk)
    assignment = get_object_or_404(classroom.assignments, pk=assignment_pk)
    if "close" in request.POST:
        assignments.close(assignment=assignment)
    elif "archive" in request.POST:
        assignments.archive(assignment=assignment)
        return redirect("classroom-progress", classroom.pk)
    elif "restore" in request.POST:
        assignments.restore(assignment=assignment)
    elif "excuse" in request.POST:
        student = student_of(classroom, next(iter(ids_in([request.POST["excuse"]])), 0))
        is_excused = assignment.excused.filter(pk=student.pk).exists()
        assignments.excuse(assignment=assignment, student=student, is_excused=not is_excused)
    return redirect("assignment", classroom.pk, assignment.pk)
