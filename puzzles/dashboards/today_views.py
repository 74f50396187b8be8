"""The home page: a teacher's Today in words, each row ending in what to do, or a student's."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from osmosmjerka.accounts import people
from osmosmjerka.accounts.access import classrooms
from osmosmjerka.accounts.codes import name_on_device
from osmosmjerka.accounts.models import Classroom, Membership, User
from osmosmjerka.accounts.privacy import retention
from osmosmjerka.accounts.selectors import number_of_students
from osmosmjerka.collation import Alphabetical
from osmosmjerka.http import SignedInRequest, signed_in
from puzzles import access
from puzzles.class_pages import in_school_time
from puzzles.dashboards import attention, wording
from puzzles.dashboards.monday import MOST_NAMES, Reason
from puzzles.dashboards.today import Helped, News, today_of
from puzzles.home import student_views
from puzzles.home.first_steps import Step, first_steps
from puzzles.home.views import HIDDEN_STEPS
from puzzles.models import Assignment
from puzzles.practice.forms import PracticeForm
from puzzles.trial.views import first_page
from vocab.access import vocabulary_lists
from vocab.lists.selectors import with_sizes
from vocab.memory.rules import today
from vocab.models import Entry

# More classes are compared on their own page.
MOST_CLASSES = 12
SHOWN_ASSIGNMENTS = 5
A_WEEK = timedelta(days=7)
# So many names stand in a line; the others are counted.
NAMES = 3
_MISSED = {Reason.QUIET, Reason.NEVER_PRACTISED, Reason.OVERDUE}


@dataclass(frozen=True, slots=True)
class Act:
    """What to do for a student: a link, or a form that prints a login card for *student*."""

    label: str
    url: str
    student: int | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """A student who needs help, in words."""

    helped: Helped
    reasons: str
    act: Act


@dataclass(frozen=True, slots=True)
class NewsRow:
    """What a class did lately, in words."""

    classroom: Classroom
    texts: Sequence[str]


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Show what this is to a stranger, and their own home page to everybody else."""
    if request.user.is_authenticated:
        return _own_home(request)
    return first_page(request)


@signed_in
@in_school_time
def _own_home(request: SignedInRequest) -> HttpResponse:
    """Show a student what to do now; show a teacher whom to help, what is new, and their lists."""
    if request.user.is_student:
        return student_views.home(request)
    lists = list(with_sizes(vocabulary_lists(request.user, "edit"))[:6])
    classes = list(_classes(request.user))
    steps: Sequence[Step] = ()
    if request.COOKIES.get(HIDDEN_STEPS) != name_on_device(request.user.pk):
        is_given = any(getattr(one, "is_given", False) for one in classes)
        steps = first_steps(lists=lists, classrooms=classes, has_assigned=is_given)
    shown = {
        "endings": retention.show_endings(request.user),
        "lists": lists,
        "puzzles": access.puzzles(request.user, "manage").select_related("vocabulary_list")[:8],
        "steps": steps,
        "next": next((step for step in steps if not step.is_done), None),
        "has_more_classes": len(classes) > MOST_CLASSES,
    }
    of_day = _today(request, classes[:MOST_CLASSES])
    if not of_day:
        mine = classrooms(request.user, "see progress").filter(archived_at=None)
        counted = mine.annotate(students=number_of_students())
        shown["classrooms"] = counted.order_by(Alphabetical("name"), "pk")
    return render(request, "puzzles/home/home_teacher.html", shown | of_day)


def _today(request: SignedInRequest, classes: Sequence[Classroom]) -> dict[str, Any]:
    """Return what the template `_today.html` shows; nothing if no class has students."""
    on = today(request.user)
    since = people.opened_before(request.user, on) or on - A_WEEK
    of_day = today_of(classes, since, timezone.now())
    filled = [one for one in of_day.classes if one.students]
    if not filled:
        return {}
    chosen = next(
        (one for one in filled if str(one.classroom.pk) == request.GET.get("class")), None
    )
    chosen = chosen or max(filled, key=lambda one: len(one.named))
    may_assign = _keys(classrooms(request.user, "assign"), classes)
    may_print = _keys(classrooms(request.user, "manage people"), classes)
    entries = Entry.objects.filter(vocabulary_list__in=list(chosen.lists))
    students = [week.student for week in chosen.students]
    return {
        "today": of_day,
        "since": since,
        "rows": [_row(one, may_assign, may_print) for one in of_day.helped],
        "others": of_day.named - len(of_day.helped),
        "fine": of_day.fine,
        "news": [NewsRow(one.classroom, _said_news(one.news)) for one in filled],
        "filled": filled,
        "chosen": chosen,
        "lines": chosen.lines[:SHOWN_ASSIGNMENTS],
        "classroom": chosen.classroom,
        "weeks": [wording.week_in_words(line) for line in chosen.students],
        "most_names": MOST_NAMES,
        "shared": [
            wording.word_in_words(word) for word in attention.shared_words(students, entries)
        ],
        "may_assign": chosen.classroom.pk in may_assign,
        "monday_form": PracticeForm(auto_id="monday-%s"),
    }


def _classes(person: User) -> QuerySet[Classroom]:
    """Return the classes that a person teaches; an admin's other classes are on their own page."""
    own = Membership.objects.filter(user=person).values("classroom")
    followed = classrooms(person, "see progress").filter(archived_at=None, pk__in=own)
    given = Assignment.objects.filter(classroom=OuterRef("pk"))
    return followed.select_related("school").annotate(
        students=number_of_students(), is_given=Exists(given)
    )


def _keys(classes: QuerySet[Classroom], among: Sequence[Classroom]) -> set[int]:
    return set(classes.filter(pk__in=[one.pk for one in among]).values_list("pk", flat=True))


def _row(helped: Helped, may_assign: Collection[int], may_print: Collection[int]) -> Row:
    reasons = [wording.said_reason(*reason) for reason in helped.week.reasons]
    if helped.week.recalls and any(r == Reason.RECALLS_LESS for r, _n in helped.week.reasons):
        reasons.append(wording.said_recalls(helped.week.recalls))
    return Row(helped, ", ".join(reasons), _act(helped, may_assign, may_print))


def _act(helped: Helped, may_assign: Collection[int], may_print: Collection[int]) -> Act:
    """Return what helps most against the first reason, among what the teacher may do."""
    classroom, student = helped.classroom.pk, helped.student.pk
    if helped.reason == Reason.NEVER_LOGGED_IN and classroom in may_print:
        return Act(_("Print a login card"), reverse("cards", args=[classroom]), student)
    if classroom in may_assign:
        if helped.overdue and (helped.reason in _MISSED or not helped.words):
            first = helped.overdue[0].pk
            url = reverse("assignment-edit", args=[classroom, first])
            return Act(_("Move the due date"), url)
        if helped.words:
            query = QueryDict(mutable=True)
            query["classroom"], query["student"] = str(classroom), str(student)
            query["vocabulary_list"] = str(helped.words[0].vocabulary_list_id)
            query.setlist("entries", [str(word.pk) for word in helped.words])
            count = len(helped.words)
            label = ngettext("Assign this %(count)s word", "Assign these %(count)s words", count)
            return Act(label % {"count": count}, f"{reverse('assign')}?{query.urlencode()}")
    # Translators: a button that opens the page of a student.
    return Act(_("See progress"), reverse("student-progress", args=[classroom, student]))


def _said_news(news: News) -> list[str]:
    texts = []
    if news.practised:
        text = ngettext(
            "%(names)s practised %(count)s word.",
            "%(names)s practised %(count)s words.",
            news.words,
        )
        texts.append(text % {"names": _names(news.practised), "count": news.words})
    else:
        texts.append(_("Nobody practised."))
    for assignment, students in news.finished:
        # Translators: who finished a puzzle.
        text = _("“%(title)s” was finished by %(names)s.")
        texts.append(text % {"title": assignment.puzzle.title, "names": _names(students)})
    return texts


def _names(students: Sequence[User]) -> str:
    """Return the first names of a list, and how many more there are."""
    names = [str(student) for student in students[:NAMES]]
    more = len(students) - len(names)
    if not more:
        return ", ".join(names)
    # Translators: some names, and the number of those that are not named.
    text = ngettext("%(names)s and %(count)s more", "%(names)s and %(count)s more", more)
    return text % {"names": ", ".join(names), "count": more}
