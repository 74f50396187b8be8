"""What students did, as statements of the Experience API (xAPI 1.0.3), for other systems.

An actor is an account of this site by its number: no name, username or email address is sent. Ids
of activities are addresses of this site.
"""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeVar

from django.db.models import Count

from osmosmjerka.accounts.models import Classroom, Membership
from osmosmjerka.accounts.selectors import students_of
from puzzles.dashboards import selectors as dashboards
from puzzles.models import Assignment, Move, Placement, PlaySession
from vocab.models import Review, VocabularyList

VERBS = {
    "answered": "http://adlnet.gov/expapi/verbs/answered",
    "completed": "http://adlnet.gov/expapi/verbs/completed",
    "initialized": "http://adlnet.gov/expapi/verbs/initialized",
}
# Types of activities that are registered for everybody, so that stores can group by them.
TYPES = {
    "word": "http://adlnet.gov/expapi/activities/question",
    "puzzle": "http://activitystrea.ms/schema/1.0/game",
    "list": "http://id.tincanapi.com/activitytype/collection-simple",
    "assignment": "http://id.tincanapi.com/activitytype/school-assignment",
    "class": "http://adlnet.gov/expapi/activities/course",
}
# The language of titles that people gave is not known.
_UNKNOWN = "und"
_AT_ONCE = 500
_Row = TypeVar("_Row")


@dataclass(frozen=True, slots=True)
class _Given:
    """An assignment of a student, with what a statement tells of it and of its class."""

    pk: int
    puzzle: int
    title: str
    classroom: int
    class_name: str


class _Classes:
    """In which classes students had lists and puzzles assigned.

    A statement is the same whoever reads it, since it has the same id in the files of all classes
    and in a record store: its context has all classes. With *only*, the others have no names:
    names are no part of what a statement says (xAPI 1.0.3, "Statement Comparison").
    """

    def __init__(
        self, students: Iterable[int], lists: Iterable[int], only: Classroom | None
    ) -> None:
        self._only = only
        given = Assignment.objects.filter(
            classroom__memberships__user__in=set(students),
            classroom__memberships__role=Membership.Role.STUDENT,
            puzzle__vocabulary_list__in=set(lists),
            is_draft=False,
        )
        self._given: dict[tuple[int, int], list[_Given]] = defaultdict(list)
        for student, vocabulary_list, pk, puzzle, title, class_pk, name in given.order_by(
            "pk"
        ).values_list(
            "classroom__memberships__user", "puzzle__vocabulary_list",
            "pk", "puzzle", "puzzle__title", "classroom", "classroom__name",
        ):  # fmt: skip
            one = _Given(pk, puzzle, title, class_pk, name)
            self._given[student, vocabulary_list].append(one)

    def context(
        self,
        site: str,
        student: int,
        vocabulary_list: VocabularyList,
        puzzle: int | None,
        adapted_for: int | None,
    ) -> dict[str, Any]:
        """Return the activities around one: its list and assignments, and their classes.

        *puzzle* is the one that was played, if any, and *adapted_for* the assignment for which it
        was made of a student's own words. What belongs to no assignment, like a quick review, is of
        all classes of the student that have the list.
        """
        given = self._given.get((student, vocabulary_list.pk), [])
        played = [one for one in given if one.puzzle == puzzle or one.pk == adapted_for]
        parents = [
            _activity(site, f"lists/{vocabulary_list.pk}/", "list", vocabulary_list.title),
            *(
                _activity(
                    site, f"classes/{one.classroom}/assignments/{one.pk}/", "assignment", one.title
                )
                for one in played
            ),
        ]
        classes = {one.classroom: one.class_name for one in played or given}
        grouping = [
            _activity(site, f"classes/{pk}/", "class", name if self._may_name(pk) else None)
            for pk, name in sorted(classes.items())
        ]
        around = {"parent": parents} | ({"grouping": grouping} if grouping else {})
        return {"contextActivities": around}

    def _may_name(self, classroom: int) -> bool:
        return self._only is None or classroom == self._only.pk


def _activity(
    site: str, path: str, type_: str, name: str | None, language: str = _UNKNOWN
) -> dict[str, Any]:
    named = {} if name is None else {"name": {language: name}}
    return {
        "objectType": "Activity",
        "id": f"{site}{path}",
        "definition": named | {"type": TYPES[type_]},
    }


def _statement(
    site: str, name: str, student: int, verb: str, activity: dict[str, Any], at: Any
) -> dict[str, Any]:
    """Return a statement; its id is derived from its content, so that repeats are recognised."""
    return {
        "id": str(uuid.uuid5(uuid.NAMESPACE_URL, f"{site}{name}")),
        "actor": {"objectType": "Agent", "account": {"homePage": site, "name": str(student)}},
        "verb": {"id": VERBS[verb], "display": {"en": verb}},
        "object": activity,
        "timestamp": at.isoformat(),
        "version": "1.0.3",
    }


def answered(
    reviews: Sequence[Review], site: str, classroom: Classroom | None = None
) -> Iterator[dict[str, Any]]:
    """Yield for each review the statement that a student answered a word.

    The reviews come with their entries and lists. With *classroom*, no other class is named.
    """
    lists = {one.entry.vocabulary_list_id for one in reviews}
    classes = _Classes((one.student_id for one in reviews), lists, classroom)
    games: dict[uuid.UUID | None, tuple[int | None, int | None]] = {
        pk: (puzzle, adapted_for)
        for pk, puzzle, adapted_for in PlaySession.objects.filter(
            pk__in={one.session for one in reviews if one.session}
        ).values_list("pk", "puzzle", "puzzle__adapted_for")
    }
    for review in reviews:
        entry = review.entry
        vocabulary_list = entry.vocabulary_list
        path = f"words/{entry.pk}/{review.skill}"
        word = _activity(site, path, "word", entry.term, vocabulary_list.language)
        statement = _statement(
            site, f"reviews/{review.source}", review.student_id, "answered", word, review.at
        )
        result: dict[str, Any] = {"success": review.outcome != Review.Outcome.WRONG}
        if not review.was_tried:  # left when the puzzle was finished early
            result["completion"] = False
        if review.given:
            result["response"] = review.given
        if review.latency_ms is not None:
            result["duration"] = f"PT{review.latency_ms / 1000:.2f}S"
        puzzle, adapted_for = games.get(review.session, (None, None))
        context = classes.context(site, review.student_id, vocabulary_list, puzzle, adapted_for)
        if review.session is not None:
            context["registration"] = str(review.session)
        yield statement | {"result": result, "context": context}


def played(
    sessions: Sequence[PlaySession],
    site: str,
    classroom: Classroom | None = None,
    verbs: Sequence[str] = ("initialized", "completed"),
) -> Iterator[dict[str, Any]]:
    """Yield the statements that students started puzzles and, if so, finished them.

    The sessions come with their puzzles and lists. With *classroom*, no other class is named.
    """
    lists = {one.puzzle.vocabulary_list_id for one in sessions}
    classes = _Classes((one.student_id for one in sessions), lists, classroom)
    found = dict(
        Move.objects.filter(session__in=sessions, outcome=Move.Outcome.FOUND)
        .order_by()
        .values_list("session")
        .annotate(Count("pk"))
    )
    words = dict(
        Placement.objects.filter(puzzle__in={one.puzzle_id for one in sessions})
        .order_by()
        .values_list("puzzle")
        .annotate(Count("pk"))
    )
    for session in sessions:
        puzzle, student = session.puzzle, session.student_id
        game = _activity(site, f"play/{puzzle.code}/", "puzzle", puzzle.title)
        context = classes.context(
            site, student, puzzle.vocabulary_list, puzzle.pk, puzzle.adapted_for_id
        ) | {"registration": str(session.pk)}
        for verb in verbs:
            at = session.started_at if verb == "initialized" else session.finished_at
            if at is None:
                continue
            name = f"sessions/{session.pk}/{verb}"
            statement = _statement(site, name, student, verb, game, at) | {"context": context}
            if verb == "completed":
                result = _result(session, found.get(session.pk, 0), words.get(puzzle.pk, 0))
                statement["result"] = result
            yield statement


def _result(session: PlaySession, found: int, words: int) -> dict[str, Any]:
    """Return how a finished session went: how many of its words were found, and how long it took.

    Words that were found with help count.
    """
    result: dict[str, Any] = {"success": found >= words, "completion": True}
    if words:
        found = min(found, words)
        scaled = round(found / words, 4)
        result["score"] = {"scaled": scaled, "raw": found, "min": 0, "max": words}
    if session.seconds is not None:
        result["duration"] = f"PT{session.seconds}S"
    return result


def statements_of_class(classroom: Classroom, site: str) -> Iterator[dict[str, Any]]:
    """Yield statements of what the students of a class did in the class's assignments."""
    students = students_of(classroom)
    given = Assignment.objects.filter(classroom=classroom)
    puzzles = PlaySession.objects.filter(student__in=students).select_related(
        "puzzle__vocabulary_list"
    )
    sessions = puzzles.filter(puzzle__in=given.values("puzzle")) | puzzles.filter(
        puzzle__adapted_for__in=given
    )
    sessions = sessions.defer("draft", "puzzle__grid").order_by("started_at", "pk")
    for some in _parts(sessions.iterator(chunk_size=_AT_ONCE)):
        yield from played(some, site, classroom)
    reviews = Review.objects.filter(
        student__in=students, entry__in=dashboards.entries_of_class(classroom).order_by()
    ).select_related("entry__vocabulary_list")
    for part in _parts(reviews.order_by("at", "pk").iterator(chunk_size=_AT_ONCE)):
        yield from answered(part, site, classroom)


def _parts(rows: Iterator[_Row]) -> Iterator[list[_Row]]:
    while part := list(islice(rows, _AT_ONCE)):
        yield part
