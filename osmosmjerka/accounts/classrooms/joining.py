"""Visitors join an open class with its code; in a burst they wait until a teacher lets them in."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from osmosmjerka.accounts.auth.cards import PaperCard, issue_cards
from osmosmjerka.accounts.classrooms import roster_imports, services
from osmosmjerka.accounts.models import Classroom, JoinRequest, Membership, User

# So many may join at once, and so many in an hour, before a teacher has to look.
BURST = 5
BURST_WITHIN = timedelta(seconds=10)
HOURLY = 40
# For so long the class's page shows who has just joined.
RECENT = timedelta(hours=1)
KEPT = timedelta(days=1)
_State = JoinRequest.State


@transaction.atomic
def join(*, classroom: Classroom, name: str) -> tuple[JoinRequest, PaperCard | None]:
    """Create an account for a visitor; in a burst only note the request, without a card.

    Raises `ValidationError` if the class is closed or full.
    """
    services.refuse_when_closed(services.hold(classroom))
    waiting = classroom.join_requests.filter(state=_State.WAITING).count()
    services.refuse_when_full(classroom, 1 + waiting)
    request = JoinRequest(classroom=classroom, name=name)
    card = None
    if not _is_burst(classroom):
        request.student, card = services.join_as_new_student(classroom=classroom, name=name)
        request.state = _State.JOINED
    request.save()
    return request, card


def _is_burst(classroom: Classroom) -> bool:
    now = timezone.now()
    lately = classroom.join_requests.filter(created_at__gt=now - BURST_WITHIN).count()
    in_an_hour = classroom.join_requests.filter(created_at__gt=now - RECENT).exclude(
        state=_State.WAITING
    )
    return lately >= BURST or in_an_hour.count() >= HOURLY


def waiting(classroom: Classroom) -> QuerySet[JoinRequest]:
    """Return who waits to be let in, the first first."""
    return classroom.join_requests.filter(state=_State.WAITING)


@transaction.atomic
def accept(*, classroom: Classroom, requests: Iterable[int], actor: User) -> int:
    """Create accounts for these of the waiting; return how many. Raises as `join` if it is full."""
    services.hold(classroom)
    chosen = list(waiting(classroom).filter(pk__in=requests))
    made = services.add_students(
        classroom=classroom, names=[each.name for each in chosen], actor=actor
    )
    for request, student in zip(chosen, made, strict=True):
        request.student, request.state = student, _State.ACCEPTED
        request.save(update_fields=["student", "state"])
    return len(made)


@transaction.atomic
def refuse(*, classroom: Classroom, requests: Iterable[int]) -> int:
    """Send these of the waiting away; return how many."""
    services.hold(classroom)
    return waiting(classroom).filter(pk__in=requests).delete()[0]


@transaction.atomic
def come_in(*, request: JoinRequest) -> PaperCard | None:
    """Return the card of a visitor who was let in; None if they were not, or have it already."""
    held = (
        JoinRequest.objects.select_for_update(of=("self",))
        .select_related("student", "classroom__school")
        .filter(pk=request.pk, state=_State.ACCEPTED, student__deleted_at=None)
        .first()
    )
    if held is None or held.student is None:
        return None
    held.state = _State.JOINED
    held.save(update_fields=["state"])
    return issue_cards(students=[held.student], actor=None, classroom=held.classroom)[0]


def recent(classroom: Classroom) -> QuerySet[User]:
    """Return the students who joined with the class code in the last hour."""
    joined = classroom.join_requests.exclude(student=None).filter(
        created_at__gt=timezone.now() - RECENT
    )
    return User.objects.filter(
        pk__in=joined.values("student"),
        deleted_at=None,
        memberships__classroom=classroom,
        memberships__role=Membership.Role.STUDENT,
    )


def remove_recent(
    *, classroom: Classroom, students: Iterable[int], actor: User
) -> roster_imports.Undone:
    """Remove these of the students who have just joined; delete accounts that did nothing."""
    chosen = list(recent(classroom).filter(pk__in=students))
    return roster_imports.remove_all(classroom=classroom, students=chosen, actor=actor)


def purge() -> int:
    """Delete requests of yesterday and before; return how many."""
    return JoinRequest.objects.filter(created_at__lt=timezone.now() - KEPT).delete()[0]
