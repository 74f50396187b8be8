"""What students did, as statements of the Experience API (xAPI 1.0.3), for other systems.

An actor is an account of this site by its number: no name, username or email address is sent.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from typing import Any

from osmosmjerka.accounts.models import Classroom
from osmosmjerka.accounts.selectors import students_of
from puzzles.dashboards import selectors as dashboards
from puzzles.models import Assignment, PlaySession
from vocab.models import Review

VERBS = {
    "answered": "http://adlnet.gov/expapi/verbs/answered",
    "completed": "http://adlnet.gov/expapi/verbs/completed",
    "initialized": "http://adlnet.gov/expapi/verbs/initialized",
}


def _statement(
    site: str, name: str, student: int, verb: str, activity: str, title: str, at: Any
) -> dict[str, Any]:
    """Return a statement; its id is derived from its content, so that repeats are recognised."""
    return {
        "id": str(uuid.uuid5(uuid.NAMESPACE_URL, f"{site}{name}")),
        "actor": {"objectType": "Agent", "account": {"homePage": site, "name": str(student)}},
        "verb": {"id": VERBS[verb], "display": {"en": verb}},
        "object": {
            "objectType": "Activity",
            "id": f"{site}{activity}",
            "definition": {"name": {"en": title}},
        },
        "timestamp": at.isoformat(),
        "version": "1.0.3",
    }


def answered(review: Review, site: str) -> dict[str, Any]:
    """Return the statement that a student answered a word."""
    entry = review.entry
    statement = _statement(
        site, f"reviews/{review.source}", review.student_id, "answered",
        f"words/{entry.pk}/{review.skill}", entry.term, review.at,
    )  # fmt: skip
    definition = statement["object"]["definition"]
    definition["name"] = {entry.vocabulary_list.language: entry.term}
    statement["result"] = {"success": review.outcome != Review.Outcome.WRONG}
    if not review.was_tried:  # left when the puzzle was finished early
        statement["result"]["completion"] = False
    if review.given:
        statement["result"]["response"] = review.given
    if review.latency_ms is not None:
        statement["result"]["duration"] = f"PT{review.latency_ms / 1000:.2f}S"
    if review.session is not None:
        statement["context"] = {"registration": str(review.session)}
    return statement


def played(session: PlaySession, site: str) -> Iterator[dict[str, Any]]:
    """Yield the statements that a student started a puzzle and, if so, finished it."""
    about = (f"play/{session.puzzle.code}/", session.puzzle.title)
    for verb, at in (("initialized", session.started_at), ("completed", session.finished_at)):
        if at is not None:
            statement = _statement(
                site, f"sessions/{session.pk}/{verb}", session.student_id, verb, *about, at
            )
            yield statement | {"context": {"registration": str(session.pk)}}


def statements_of_class(classroom: Classroom, site: str) -> Iterator[dict[str, Any]]:
    """Yield statements of what the students of a class did in the class's assignments."""
    students = students_of(classroom)
    given = Assignment.objects.filter(classroom=classroom)
    puzzles = PlaySession.objects.filter(student__in=students).select_related("puzzle")
    sessions = puzzles.filter(puzzle__in=given.values("puzzle")) | puzzles.filter(
        puzzle__adapted_for__in=given
    )
    for session in sessions.defer("draft", "puzzle__grid").order_by("started_at", "pk"):
        yield from played(session, site)
    reviews = Review.objects.filter(
        student__in=students, entry__in=dashboards.entries_of_class(classroom).order_by()
    ).select_related("entry__vocabulary_list")
    for review in reviews.order_by("at", "pk").iterator(chunk_size=2000):
        yield answered(review, site)
