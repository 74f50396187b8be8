"""The home page, a teacher’s Today or a student’s own; and the page of a class, with its Today.

Each row of a Today is said in words and ends in what to do.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from osmosmjerka.accounts import people
from osmosmjerka.accounts.access import classroom_actions, classrooms
from osmosmjerka.accounts.codes import name_on_device
from osmosmjerka.accounts.models import Classroom, Membership, User
from osmosmjerka.accounts.privacy import retention
from osmosmjerka.accounts.selectors import number_of_students, students_of
from osmosmjerka.db.collation import Alphabetical
from osmosmjerka.web.views import SignedInRequest, signed_in, teacher_required
from puzzles import access
from puzzles.album import sharing
from puzzles.assignments.selectors import with_puzzles
from puzzles.assignments.status import assignment_lines
from puzzles.class_pages import in_school_time
from puzzles.daily import rules as daily
from puzzles.dashboards import attention, wording
from puzzles.dashboards.monday import Reason
from puzzles.dashboards.today import ClassToday, Helped, Today, most_urgent_first, today_of
from puzzles.goals import services as goals
from puzzles.home import views as student_views
from puzzles.home.first_steps import Step, first_steps
from puzzles.live import selectors as live
from puzzles.models import Assignment
from puzzles.trial.views import first_page
from vocab.access import vocabulary_lists
from vocab.lists.selectors import with_sizes
from vocab.memory.rules import today
from vocab.models import Entry

# More classes are compared on their own page.
MOST_CLASSES = 12
# More assignments are folded, or on their own page.
SHOWN_ASSIGNMENTS = 5
# What is new in a class is of so long.
A_WEEK = timedelta(days=7)
HIDDEN_STEPS = "first-steps"  # a cookie: whose first steps are hidden on this device
_MISSED = {Reason.QUIET, Reason.OVERDUE}


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
    reasons: SafeString
    act: Act


@dataclass(frozen=True, slots=True)
class NewsRow:
    """What a class did lately, in words."""

    classroom: Classroom
    texts: Sequence[SafeString]


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
        steps = first_steps(request.user, lists=lists, classrooms=classes)
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
    told = [one.week for one in of_day.helped if one.classroom == chosen.classroom]
    return {
        "on": on,
        "since": since,
        **help_context(of_day, may_assign, may_print),
        "news": [NewsRow(one.classroom, wording.said_news(one.news)) for one in filled],
        "filled": filled,
        "chosen": chosen,
        "lines": chosen.lines[:SHOWN_ASSIGNMENTS],
        "assigned": chosen.classroom.assignments.filter(archived_at=None).count(),
        "classroom": chosen.classroom,
        "weeks": [wording.week_in_words(line, is_told=line in told) for line in chosen.students],
        "has_daily_offer": chosen.classroom.pk in may_assign and _is_offered(chosen),
        "shared": attention.shared_words(students, entries),
        "may_assign": chosen.classroom.pk in may_assign,
        "may_assign_somewhere": bool(may_assign),
    }


def _is_offered(chosen: ClassToday) -> bool:
    """Return whether a class is offered a puzzle of the day: it plays, and nobody said no."""
    classroom = chosen.classroom
    if classroom.has_daily_puzzle or classroom.is_daily_puzzle_declined:
        return False
    return daily.is_regular(week.days.values() for week in chosen.students)


def help_context(
    of_day: Today, may_assign: Collection[int], may_print: Collection[int]
) -> dict[str, Any]:
    """Return what the template `_help.html` shows; the keys are those of classes."""
    outlooks = wording.said_outlooks(of_day.weeks, of_day.not_begun)
    return {
        "today": of_day,
        "is_well": all(line.is_good for line in outlooks),
        "rows": [
            Row(one, wording.said_reasons(one.week), _act(one, may_assign, may_print))
            for one in of_day.helped
        ],
        "others": of_day.named - len(of_day.helped),
        "has_begun": any(one.has_begun for one in of_day.classes),
        "outlooks": outlooks,
    }


def _classes(person: User) -> QuerySet[Classroom]:
    """Return the classes that a person teaches; an admin's other classes are on their own page."""
    own = Membership.objects.filter(user=person).values("classroom")
    followed = classrooms(person, "see progress").filter(archived_at=None, pk__in=own)
    owned = Membership.objects.filter(user=person, role=Membership.Role.OWNER)
    given = Assignment.objects.filter(classroom=OuterRef("pk"))
    return followed.select_related("school").annotate(
        students=number_of_students(),
        is_own=Exists(owned.filter(classroom=OuterRef("pk"))),
        is_given=Exists(given),
        is_given_by_oneself=Exists(given.filter(created_by=person)),
    )


def _keys(classes: QuerySet[Classroom], among: Sequence[Classroom]) -> set[int]:
    return set(classes.filter(pk__in=[one.pk for one in among]).values_list("pk", flat=True))


def _act(helped: Helped, may_assign: Collection[int], may_print: Collection[int]) -> Act:
    """Return what helps most against the first reason, among what the teacher may do."""
    classroom, student = helped.classroom.pk, helped.student.pk
    # A new date or more words do not bring back who has not begun: somebody has to talk to them.
    has_begun = helped.week.has_practised
    if helped.reason == Reason.NEVER_LOGGED_IN and classroom in may_print:
        return Act(_("Print a login card"), reverse("cards", args=[classroom]), student)
    if classroom in may_assign and has_begun:
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
            label = ngettext("Assign %(count)s word", "Assign these %(count)s words", count)
            return Act(label % {"count": count}, f"{reverse('assign')}?{query.urlencode()}")
    # Translators: a button that opens the page of a student.
    return Act(_("See progress"), reverse("student-progress", args=[classroom, student]))


@teacher_required
@in_school_time
@require_safe
def classroom(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show a class's own today: whom to help, what is new, its goal, and its assignments."""
    seen = classrooms(request.user, "see progress").select_related("school", "ranking")
    shown = get_object_or_404(seen, pk=pk)
    may = classroom_actions(request.user, shown) if shown.archived_at is None else set()
    given = with_puzzles(Assignment.objects.filter(classroom=shown, archived_at=None))
    at, on = timezone.now(), today(request.user)
    students = students_of(shown)
    lines = most_urgent_first(assignment_lines(given, students, at))
    since = on - A_WEEK
    of_day = today_of([shown], since, at, members={shown.pk: students}, lines={shown.pk: lines})
    [own] = of_day.classes
    context = {
        "classroom": shown,
        "students": students,
        "since": since,
        "news": wording.said_news(own.news),
        "complete": sharing.completions(shown, students, at),
        "games": live.played_since(shown, since) if "lead games" in may else [],
        "together": goals.of_classroom(shown, on),
        "goal_form": goals.GoalForm(),
        "may_assign": "assign" in may,
        "lines": lines[:SHOWN_ASSIGNMENTS],
        "folded": lines[SHOWN_ASSIGNMENTS:],
        "assigned": len(lines),
        "may_add": "manage people" in may,
        "may_lead": "lead games" in may,
    }
    may_assign = {shown.pk} if "assign" in may else set()
    may_print = {shown.pk} if "manage people" in may else set()
    return render(
        request,
        "puzzles/dashboards/classroom.html",
        context | help_context(of_day, may_assign, may_print),
    )


@teacher_required
@require_POST
def hide_first_steps(request: SignedInRequest) -> HttpResponse:
    """Leave the first steps out of the teacher's home page on this device."""
    response = redirect("home")
    response.set_cookie(
        HIDDEN_STEPS,
        name_on_device(request.user.pk),
        max_age=timedelta(days=365),
        secure=request.is_secure(),
        httponly=True,
        samesite="Lax",
    )
    return response
