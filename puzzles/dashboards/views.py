"""Pages on which teachers see what a class knows, and act on it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import formats, timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.http import require_safe

from osmosmjerka.accounts.access import classrooms
from osmosmjerka.accounts.models import Classroom
from osmosmjerka.accounts.selectors import students_of
from osmosmjerka.i18n.enumeration import enumeration
from osmosmjerka.i18n.numbers import percent
from osmosmjerka.paper.charts import LineChart, line_chart
from osmosmjerka.web.views import SignedInRequest, teacher_required
from puzzles import access
from puzzles.assignments.results import results, results_table
from puzzles.assignments.selectors import with_puzzles
from puzzles.assignments.status import AssignmentLine, assignment_lines
from puzzles.class_pages import (
    followed,
    in_school_time,
    may_assign,
    one_of,
    student_of,
    table_file,
    wanted_format,
)
from puzzles.dashboards import attention, recall, wording
from puzzles.dashboards import selectors as dashboards
from puzzles.dashboards.monday import MOST_NAMES
from puzzles.dashboards.today import most_urgent_first
from puzzles.exports import tables
from puzzles.home import word_views
from puzzles.home.views import known_chart
from puzzles.practice.forms import PracticeForm
from vocab.entries import pictures
from vocab.memory import selectors as memory
from vocab.memory.rules import rules_of, today
from vocab.templatetags.remembered import LEVEL_NAMES, level_name

WORDS_A_MAP = 200
# So many assignments stand beside each other with what each student did in them: one a week of a
# school year. For a class of 30, each takes a hundredth of a second and ten kilobytes of the page.
RESULTS_SHOWN = 40


@teacher_required
@in_school_time
@require_safe
def progress_page(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show who of a class needs what, the words they share, and how it all stands."""
    classroom = followed(request, pk)
    at, rules = timezone.now(), rules_of(classroom.school)
    on = rules.day_of(at)
    students = students_of(classroom)
    of_class = with_puzzles(classroom.assignments.all())
    given = assignment_lines(of_class.filter(archived_at=None), students, at)
    all_entries = dashboards.entries_of_class(classroom)
    tests = recall.delayed_tests(students, all_entries, on)
    group = attention.Group(classroom, students, dashboards.sizes_of_lists(classroom), given)
    monday = attention.monday_of(group, rules, at, tests)
    outlooks = wording.said_outlooks(monday.students)
    file_format = wanted_format(request)
    if file_format:
        return week_file(file_format, classroom, monday)
    lists = list(dashboards.lists_of_class(classroom))
    chosen = next((one for one in lists if str(one.pk) == request.GET.get("list")), None)
    entries = dashboards.entries_of_class(classroom, chosen)
    word_order = _one_of(request.GET.get("words"), dashboards.WORD_ORDERS)
    student_order = _one_of(request.GET.get("students"), dashboards.STUDENT_ORDERS)
    words = dashboards.word_lines(students, entries, word_order, lists)
    lines = dashboards.student_lines(students, entries, student_order)
    page = Paginator(words, WORDS_A_MAP).get_page(request.GET.get("page"))
    hardest = dashboards.hardest(words)
    answers = attention.wrong_answers(students, [line.entry for line in hardest])
    known = dashboards.cells(students, [line.entry for line in page])
    compared = _newest_first(given)[:RESULTS_SHOWN]
    return render(
        request,
        "puzzles/dashboards/class_progress.html",
        {
            "classroom": classroom,
            "monday": monday,
            "weeks": [
                wording.week_in_words(line, is_told=place < MOST_NAMES)
                for place, line in enumerate(monday.students)
            ],
            "shared": monday.words,
            "outlooks": outlooks,
            "is_well": all(line.is_good for line in outlooks),
            "has_begun": any(line.has_practised for line in monday.students),
            "most_names": MOST_NAMES,
            "lists": lists,
            "chosen": chosen,
            "lines": most_urgent_first(given),
            "results": results(compared, students),
            "compared": compared,
            "left_out": len(given) - len(compared),
            "archived": of_class.exclude(archived_at=None),
            "activity": dashboards.activity(students, on),
            "hardest": [(line, _texts(answers, line.entry.pk)) for line in hardest],
            "named": len(monday.named),
            "fewest_answers": dashboards.FEWEST_ANSWERS,
            "tests": sum(line.count for line in tests),
            "delays": delay_chart(recall.by_delay(tests)),
            "load": load_chart(
                _("Words due for review, average per student"), dashboards.load(students, on)
            ),
            "leeches": dashboards.leeches(students, all_entries),
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


def _newest_first(lines: Iterable[AssignmentLine]) -> list[AssignmentLine]:
    return sorted(lines, key=lambda line: line.opened_at, reverse=True)


def week_file(file_format: str, classroom: Classroom, monday: attention.Monday) -> HttpResponse:
    """Return the numbers of each student as a table; an estimate comes with its margin."""
    head = [
        _("Student"),
        _("Needs attention"),
        _("Recalls"),
        # Translators: the head of a column: how far an estimate may be off.
        _("Margin of error (±)"),
        _("Words of the class"),
        _("Words due"),
        _("Days waiting"),
        _("Days played of the last 7"),
    ]
    rows = [
        (
            str(line.student),
            enumeration([wording.said_reason(*reason) for reason in line.reasons]),
            round(line.recalls.words) if line.recalls else None,
            round(line.recalls.margin) if line.recalls else None,
            line.recalls.of if line.recalls else None,
            line.due,
            round(line.waiting, 1),
            line.played,
        )
        for line in monday.students
    ]
    return table_file(file_format, str(classroom), head, rows, _("Students"))


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
                cells.append(
                    f'<td class="heat-{cell.level}" tabindex="-1"'
                    f' data-n="{cell.right}/{cell.asked}/{cell.helped}">{cell.level}</td>'
                )
        head = format_html(
            '<th scope="row" lang="{}" dir="auto"><a href="{}">{}</a></th>',
            line.entry.vocabulary_list.language,
            reverse("class-word", args=[classroom.pk, line.entry.pk]),
            line.entry.term,
        )
        rows.append(f"<tr>{head}{''.join(cells)}</tr>")
    return mark_safe("".join(rows))  # noqa: S308  (numbers, and output of format_html)


def delay_chart(delays: Sequence[recall.Delay]) -> LineChart | None:
    """Return a chart of recall after days without a word; None if there are too few tests."""
    if len(delays) < 2:
        return None
    return line_chart(
        _("Words recalled after a break of several days"),
        over=_("Days since the word was last practised (number of tests)"),
        places=range(len(delays)),
        labels=[_label(one) for one in delays],
        series=[
            # Translators: the share of words that were recalled, beside the forecast.
            (_("Recalled"), [100 * one.share for one in delays]),
            (_("Forecast"), [100 * one.forecast for one in delays]),
        ],
        top=100,
        written=percent,
        ranges=(
            # Translators: the head of a column: between which values the share probably lies.
            _("Likely range"),
            [(100 * low, 100 * high) for low, high in (one.interval for one in delays)],
        ),
    )


def _label(delay: recall.Delay) -> str:
    if delay.last is None:
        return _("%(days)s or more (%(count)s)") % {"days": delay.first, "count": delay.count}
    days = str(delay.first) if delay.first == delay.last else f"{delay.first}–{delay.last}"
    return f"{days} ({delay.count})"


def load_chart(title: str, load: Sequence[tuple[Any, float]]) -> LineChart | None:
    """Return a chart of how many words fall due a day; None if none do."""
    if not any(count for _day, count in load):
        return None
    return line_chart(
        title,
        over=_("Day"),
        places=range(len(load)),
        labels=[formats.date_format(day, "SHORT_DATE_FORMAT") for day, _count in load],
        series=[(pgettext("words", "Due"), [count for _day, count in load])],
        written=_short,
    )


def _short(value: float) -> str:
    """Return a number with one decimal place, if it is not whole."""
    value = round(value, 1)
    return formats.number_format(value, decimal_pos=0 if value == int(value) else 1)


@teacher_required
@require_safe
def progress_file(request: SignedInRequest, pk: int, file_format: str) -> HttpResponse:
    """Return the whole map as a table: a row per word, a column per student with the level.

    The words are in the order of the page, and the levels are its numbers, so that a spreadsheet
    can sort them.
    """
    classroom = followed(request, pk)
    if file_format not in tables.FORMATS:
        raise Http404
    students = students_of(classroom)
    words = dashboards.word_lines(students, dashboards.entries_of_class(classroom))
    entries = [line.entry for line in words]
    memory.know_translations(entries)
    known = dashboards.cells(students, entries)
    head = [
        _("Word"), _("Translations"), _("Answers"), _("Correct"), _("Almost or with help"),
        _("Wrong"),
        # Translators: the head of a column: how well a student knows each word, as a number.
        *(_("%(student)s: level 0–5") % {"student": student} for student in students),
    ]  # fmt: skip
    rows: list[list[Any]] = [
        [line.entry.term, "; ".join(one.text for one in line.entry.translations.all())]
        + [line.asked, line.right, line.helped, line.wrong]
        + [known.get((line.entry.pk, p.pk), dashboards.NOT_MET).level for p in students]
        for line in words
    ]
    return table_file(file_format, str(classroom), head, rows, _("Words"))


@teacher_required
@in_school_time
@require_safe
def assignments_file(request: SignedInRequest, pk: int, file_format: str) -> HttpResponse:
    """Return the page's table of students and assignments: a row a student, in numbers."""
    classroom = followed(request, pk)
    if file_format not in tables.FORMATS:
        raise Http404
    students = students_of(classroom)
    given = with_puzzles(classroom.assignments.all()).filter(archived_at=None)
    lines = _newest_first(assignment_lines(given, students, timezone.now()))
    head, rows = results_table(lines, students)
    return table_file(file_format, str(classroom), head, rows, _("Students and assignments"))


@teacher_required
@require_safe
def school_page(request: SignedInRequest) -> HttpResponse:
    """Show classes side by side, without details of students."""
    lines = dashboards.class_lines(classrooms(request.user, "see progress"), today(request.user))
    file_format = wanted_format(request)
    if file_format:
        head = [_("Class"), _("Students"), _("Active in the last two weeks"), _("Words learned")]
        rows = [(str(one.classroom), one.students, one.active, one.learned) for one in lines]
        return table_file(file_format, str(request.user.school or ""), head, rows, _("Classes"))
    return render(request, "puzzles/dashboards/school.html", {"lines": lines})


@teacher_required
@in_school_time
@require_safe
def student_page(request: SignedInRequest, pk: int, student_pk: int) -> HttpResponse:
    """Show what one student of a class knows of the class's words, and what waits."""
    classroom = followed(request, pk)
    students = students_of(classroom)
    student = one_of(students, student_pk)
    at, rules = timezone.now(), rules_of(classroom.school)
    on = rules.day_of(at)
    entries = dashboards.entries_of_class(classroom)
    words = memory.weakest_first(memory.progress_of(student, entries))
    file_format = wanted_format(request)
    if file_format:
        rows = [(word.entry.term, *_facts(word.progress)) for word in memory.remembered(words, on)]
        head = [_("Word"), *_facts_head()]
        return table_file(file_format, str(classroom), head, rows, str(student))
    days = memory.days_of_student(student, on)
    group = attention.Group(classroom, students, dashboards.sizes_of_lists(classroom))
    tests = recall.delayed_tests(students, entries, on)
    lists = access.lists_of_student(student).values_list("pk", flat=True)
    page = Paginator(words, WORDS_A_MAP).get_page(request.GET.get("page"))
    given = assignment_lines(
        with_puzzles(classroom.assignments.all()).filter(archived_at=None), [student], at
    )
    [own] = results(most_urgent_first(given), [student])
    return render(
        request,
        "puzzles/dashboards/student.html",
        {
            "classroom": classroom,
            "student": student,
            "assigned": [cell for cell in own.cells if cell],
            "page": page,
            "words": memory.remembered(page, on),
            "known": words.filter(level__gte=memory.KNOWN).count(),
            "met": page.paginator.count,
            "days": days,
            "line": wording.week_in_words(attention.week_of(student, group, rules, at, tests)),
            "chart": known_chart(days, pgettext("the student", "Words known")),
            "load": load_chart(
                _("Words due for review"),
                memory.load(student, on, lists),
            ),
            "leeches": dashboards.leeches([student], entries),
            "weak": memory.remembered(dashboards.weakest(words), on),
            "may_assign": may_assign(request, classroom),
            "form": PracticeForm(),
        },
    )


def _facts_head() -> list[str]:
    return [
        _("Level"), _("Correct"), _("Answers"), _("Almost or with help"), _("Wrong"),
        _("Last asked"), pgettext("word", "Due"),
    ]  # fmt: skip


def _facts(row: Any) -> tuple[tables.Value, ...]:
    """Return what a table in a file says of a word: of a summary, or of a word without one."""
    if row is None:
        return (level_name(0), 0, 0, 0, 0, None, None)
    return (
        level_name(row.level), row.right, row.asked, row.helped,
        row.asked - row.right - row.helped, row.last_on.isoformat(), row.due_on.isoformat(),
    )  # fmt: skip


@teacher_required
@require_safe
def student_word_page(
    request: SignedInRequest, pk: int, student_pk: int, entry_pk: int
) -> HttpResponse:
    classroom = followed(request, pk)
    entry = get_object_or_404(dashboards.entries_of_class(classroom), pk=entry_pk)
    return word_views.word_page(
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
    known = dashboards.cells(students, [entry])
    [line] = dashboards.word_lines(students, entries.filter(pk=entry.pk))
    cells = [(student, known.get((entry.pk, student.pk))) for student in students]
    file_format = wanted_format(request)
    if file_format:
        rows = [(str(student), *_facts(cell)) for student, cell in cells]
        head = [_("Student"), *_facts_head()]
        return table_file(file_format, str(classroom), head, rows, entry.term)
    return render(
        request,
        "puzzles/dashboards/class_word.html",
        {
            "classroom": classroom,
            "entry": entry,
            "line": line,
            "cells": [(student, cell or dashboards.NOT_MET) for student, cell in cells],
            "weak": [student for student, cell in cells if not (cell and cell.is_known)],
            "answers": _texts(attention.wrong_answers(students, [entry]), entry.pk),
            "may_assign": may_assign(request, classroom),
            "form": PracticeForm(),
        },
    )


def _texts(answers: Mapping[int, Sequence[tuple[str, int]]], key: int) -> list[str]:
    return [text for text, _times in answers.get(key, [])]


@teacher_required
@require_safe
def word_picture(request: SignedInRequest, pk: int, entry_pk: int) -> HttpResponse:
    """Return the picture of a word of the class, whoever owns its list."""
    entries = dashboards.entries_of_class(followed(request, pk))
    return pictures.file_response(request, get_object_or_404(entries, pk=entry_pk), "image")


def _one_of(wanted: str | None, known: tuple[str, ...]) -> str:
    return wanted if wanted in known else known[0]
