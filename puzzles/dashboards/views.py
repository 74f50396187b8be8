"""Pages on which teachers see what a class knows, and act on it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.http import require_safe

from osmosmjerka.accounts.access import classrooms
from osmosmjerka.accounts.models import Classroom
from osmosmjerka.accounts.selectors import students_of
from osmosmjerka.charts import LineChart, line_chart
from osmosmjerka.http import SignedInRequest, teacher_required
from osmosmjerka.numbers import percent
from puzzles.assignments.status import assignment_lines
from puzzles.class_pages import followed, may_assign, student_of, table_file, wanted_format
from puzzles.dashboards import selectors as dashboards
from puzzles.exports import tables
from puzzles.home import student_views
from puzzles.practice.forms import PracticeForm
from vocab.entries import pictures
from vocab.memory import reviews
from vocab.memory import selectors as memory
from vocab.templatetags.remembered import LEVEL_NAMES

WORDS_A_MAP = 200
ASSIGNMENTS_SHOWN = 20


@teacher_required
@require_safe
def progress_page(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show the assignments of a class, who was active, the hardest words, and the map."""
    classroom = followed(request, pk)
    at = timezone.now()
    students = students_of(classroom)
    lists = list(dashboards.lists_of_class(classroom))
    chosen = next((one for one in lists if str(one.pk) == request.GET.get("list")), None)
    entries = dashboards.entries_of_class(classroom, chosen)
    word_order = _one_of(request.GET.get("words"), dashboards.WORD_ORDERS)
    student_order = _one_of(request.GET.get("students"), dashboards.STUDENT_ORDERS)
    words = dashboards.word_lines(students, entries, word_order)
    lines = dashboards.student_lines(students, entries, student_order)
    page = Paginator(words, WORDS_A_MAP).get_page(request.GET.get("page"))
    hardest = [line for line in words if line.wrong]
    hardest.sort(key=lambda line: -line.missed_share)
    hardest = hardest[: dashboards.HARDEST]
    answers = dashboards.wrong_answers(students, [line.entry for line in hardest])
    of_class = classroom.assignments.select_related("puzzle").defer("puzzle__grid")
    given = of_class.filter(archived_at=None)[:ASSIGNMENTS_SHOWN]
    known = dashboards.cells(students, [line.entry for line in page], at)
    return render(
        request,
        "puzzles/dashboards/class_progress.html",
        {
            "classroom": classroom,
            "lists": lists,
            "chosen": chosen,
            "lines": assignment_lines(given, students, at),
            "archived": of_class.exclude(archived_at=None)[:ASSIGNMENTS_SHOWN],
            "activity": dashboards.activity(students, at),
            "hardest": [(line, answers.get(line.entry.pk, [])) for line in hardest],
            "chart": recall_chart(dashboards.recall_curve(students, entries)),
            "page": page,
            "students": lines,
            "body": map_body(classroom, page, lines, known),
            "word_order": word_order,
            "student_order": student_order,
            "levels": list(enumerate(LEVEL_NAMES)),
            "may_assign": may_assign(request, classroom),
            "form": PracticeForm(),
        },
    )


def map_body(
    classroom: Classroom,
    words: Iterable[dashboards.WordLine],
    students: Sequence[dashboards.StudentLine],
    known: Mapping[tuple[int, int], dashboards.Cell],
) -> SafeString:
    """Return the rows of the map. A template's loop is too slow for thousands of cells."""
    rows = []
    for line in words:
        cells = []
        for student in students:
            cell = known.get((line.entry.pk, student.student.pk))
            if cell is None:
                cells.append('<td class="heat-0" tabindex="-1">0</td>')
            else:
                chance = "" if cell.chance is None else cell.chance
                cells.append(
                    f'<td class="heat-{cell.level}" tabindex="-1"'
                    f' data-n="{cell.right}/{cell.asked}/{chance}">{cell.level}</td>'
                )
        head = format_html(
            '<th scope="row" lang="{}" dir="auto"><a href="{}">{}</a></th>',
            line.entry.vocabulary_list.language,
            reverse("class-word", args=[classroom.pk, line.entry.pk]),
            line.entry.term,
        )
        rows.append(f"<tr>{head}{''.join(cells)}</tr>")
    return mark_safe("".join(rows))  # noqa: S308  (numbers, and output of format_html)


def recall_chart(
    tenths: list[tuple[int, float, float, int]],
) -> LineChart | None:
    """Return a chart of forecast against actual recall; None if there are too few reviews."""
    if len(tenths) < 2:
        return None
    return line_chart(
        _("Words remembered compared with the forecast"),
        over=_("Forecast (number of reviews)"),
        places=[tenth for tenth, *_rest in tenths],
        labels=[f"{tenth}–{percent(tenth + 10)} ({count})" for tenth, _f, _r, count in tenths],
        series=[
            # Translators: the share of words that were remembered, beside the forecast.
            (_("Remembered"), [round(recalled) for _t, _f, recalled, _n in tenths]),
            (_("Forecast"), [round(forecast) for _t, forecast, _r, _n in tenths]),
        ],
        top=100,
        written=percent,
    )


@teacher_required
@require_safe
def progress_file(request: SignedInRequest, pk: int, file_format: str) -> HttpResponse:
    """Return the whole map as a table: a row per word, a column per student, in per cent."""
    classroom = followed(request, pk)
    if file_format not in tables.FORMATS:
        raise Http404
    students = students_of(classroom)
    words = dashboards.word_lines(students, dashboards.entries_of_class(classroom), "list")
    known = dashboards.cells(students, [line.entry for line in words], timezone.now())
    head = [_("Word"), _("Answers"), _("Correct"), _("Missed"), *map(str, students)]
    rows: list[list[Any]] = [
        [line.entry.term, line.asked, line.right, line.wrong]
        + [known.get((line.entry.pk, p.pk), dashboards.NOT_MET).chance for p in students]
        for line in words
    ]
    return table_file(file_format, str(classroom), head, rows)


@teacher_required
@require_safe
def school_page(request: SignedInRequest) -> HttpResponse:
    """Show classes side by side, without details of students."""
    lines = dashboards.class_lines(classrooms(request.user, "see progress"), timezone.now())
    file_format = wanted_format(request)
    if file_format:
        head = [_("Class"), _("Students"), _("Active in the last two weeks"), _("Words learned")]
        rows = [(str(one.classroom), one.students, one.active, one.learned) for one in lines]
        return table_file(file_format, str(request.user.school or ""), head, rows)
    return render(request, "puzzles/dashboards/school.html", {"lines": lines})


@teacher_required
@require_safe
def student_page(request: SignedInRequest, pk: int, student_pk: int) -> HttpResponse:
    """Show what one student of a class knows of the class's words."""
    classroom = followed(request, pk)
    student = student_of(classroom, student_pk)
    at = timezone.now()
    entries = dashboards.entries_of_class(classroom)
    words = memory.words_of_student(student, at, entries)
    file_format = wanted_format(request)
    if file_format:
        head = [
            _("Word"),
            _("Level"),
            _("Correct"),
            _("Answers"),
            _("Recall chance"),
            pgettext("word", "Due"),
        ]
        rows = [
            (
                word.entry.term,
                str(LEVEL_NAMES[word.level]),
                word.right,
                word.reviews,
                word.chance if word.stability else None,
                word.due_at.isoformat(timespec="minutes") if word.due_at else None,
            )
            for word in words
        ]
        return table_file(file_format, str(student), head, rows)
    days = memory.days_of_student(student, reviews.day_of(at))
    return render(
        request,
        "puzzles/dashboards/student.html",
        {
            "classroom": classroom,
            "student": student,
            "page": Paginator(words, WORDS_A_MAP).get_page(request.GET.get("page")),
            "known": sum(word.level >= 3 for word in words),
            "met": len(words),
            "days": days,
            "chart": student_views.known_chart(days),
            "weak": [word for word in words if word.level < 3][: dashboards.HARDEST],
            "may_assign": may_assign(request, classroom),
            "form": PracticeForm(),
        },
    )


@teacher_required
@require_safe
def student_word_page(
    request: SignedInRequest, pk: int, student_pk: int, entry_pk: int
) -> HttpResponse:
    classroom = followed(request, pk)
    entry = get_object_or_404(dashboards.entries_of_class(classroom), pk=entry_pk)
    return student_views.word_page(
        request, student_of(classroom, student_pk), entry, classroom=classroom
    )


@teacher_required
@require_safe
def word_page(request: SignedInRequest, pk: int, entry_pk: int) -> HttpResponse:
    """Show how well a class knows one word, and who does not know it."""
    classroom = followed(request, pk)
    entries = dashboards.entries_of_class(classroom)
    entry = get_object_or_404(entries.prefetch_related("translations"), pk=entry_pk)
    students = students_of(classroom)
    known = dashboards.cells(students, [entry], timezone.now())
    [line] = dashboards.word_lines(students, entries.filter(pk=entry.pk))
    cells = [
        (student, known.get((entry.pk, student.pk), dashboards.NOT_MET)) for student in students
    ]
    file_format = wanted_format(request)
    if file_format:
        head = [_("Student"), _("Level"), _("Correct"), _("Answers"), _("Recall chance")]
        rows = [
            (str(student), str(LEVEL_NAMES[cell.level]), cell.right, cell.asked, cell.chance)
            for student, cell in cells
        ]
        return table_file(file_format, entry.term, head, rows)
    return render(
        request,
        "puzzles/dashboards/class_word.html",
        {
            "classroom": classroom,
            "entry": entry,
            "line": line,
            "cells": cells,
            "weak": [student for student, cell in cells if cell.level < 3],
            "answers": dashboards.wrong_answers(students, [entry]).get(entry.pk, []),
            "may_assign": may_assign(request, classroom),
            "form": PracticeForm(),
        },
    )


@teacher_required
@require_safe
def word_picture(request: SignedInRequest, pk: int, entry_pk: int) -> HttpResponse:
    """Return the picture of a word of the class, whoever owns its list."""
    entries = dashboards.entries_of_class(followed(request, pk))
    return pictures.file_response(request, get_object_or_404(entries, pk=entry_pk), "image")


def _one_of(wanted: str | None, known: tuple[str, ...]) -> str:
    return wanted if wanted in known else known[0]
