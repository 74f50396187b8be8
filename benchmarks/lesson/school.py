"""The school of the benchmark, made by the product's own services, and what its students need.

What the players get is a *roll*: each student's login card, and their puzzles with right and wrong
answers. The servers know nothing of it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any

CLASS_SIZE = 30
WORDS = 12  # of a puzzle
LIST_WORDS = 60
ATTEMPTS = 50  # so that a long run has words enough
REVIEW_SIZES = (200, 3_000, 10_000)
REVIEWERS = 3  # students who review each of these lists
PASSWORD = "correct horse battery staple"  # noqa: S105  (of a site that lives for minutes)
LANGUAGE = "hr"

_SETTINGS: dict[str, dict[str, Any]] = {
    "word-search": {"words": WORDS},
    "finder": {"words": WORDS, "rows": 14, "cols": 14},
    "crossword": {"words": WORDS, "seconds": 0.3},
}
KINDS = list(_SETTINGS)


@dataclass(frozen=True, slots=True)
class Room:
    """A class with its teacher, students and cards."""

    classroom: Any
    teacher: Any
    students: list[Any]
    tokens: list[str]


def words(count: int, rng: Random) -> dict[str, str]:
    """Return *count* words that can be pronounced, with a translation each."""
    made: dict[str, str] = {}
    while len(made) < count:
        syllables = [rng.choice("bdfgjklmnprstvz") + rng.choice("aeiou") for _ in range(3)]
        word = "".join(syllables) + rng.choice(["", "k", "n", "r", "st"])
        made[word] = f"meaning {len(made) + 1}"
    return made


def build(students: int, puzzles: int, roll: Path, seed: int) -> None:
    """Create a school with *puzzles* of each kind for each class, and write the roll."""
    from puzzles.models import Assignment

    rng = Random(seed)
    rooms = [
        build_room(number, min(CLASS_SIZE, students - begins))
        for number, begins in enumerate(range(0, students, CLASS_SIZE))
    ]
    told: dict[str, Any] = {"puzzles": {}, "players": []}
    for room in rooms:
        made = build_list(room.teacher, f"Words of {room.classroom.name}", LIST_WORDS, rng)
        codes: list[str] = []
        for _round in range(puzzles):
            for kind in KINDS:
                puzzle = make(room, made, kind)
                told["puzzles"][puzzle.code] = answers(puzzle)
                codes.append(puzzle.code)
        for number, token in enumerate(room.tokens):
            # Neighbours do not play the same kind at once.
            turn = number % len(codes)
            told["players"].append({"token": token, "codes": codes[turn:] + codes[:turn]})
    Assignment.objects.update(attempts=ATTEMPTS)
    _do_jobs()
    teacher = room.teacher  # whose list was made last
    told["teacher"] = {"username": teacher.username, "password": PASSWORD}
    told["teacher"]["list"] = made.pk
    roll.write_text(json.dumps(told), encoding="utf-8")


def build_reviewers(sizes: Sequence[int], roll: Path, seed: int) -> None:
    """Add to the roll students who review lists of these sizes, of which they met half."""
    told = json.loads(roll.read_text(encoding="utf-8"))
    told["reviewers"] = {}
    for size in sizes:
        rng = Random(f"{seed}:{size}")
        room = build_room(1000 + size, REVIEWERS)
        made = build_list(room.teacher, f"{size} words", size, rng)
        make(room, made, "word-search")
        for student in room.students:
            _meet(student, list(made.entries.all()[: size // 2]), rng)
        _drop_jobs()  # nobody hears these thousands of words
        told["reviewers"][str(size)] = [{"token": token, "codes": []} for token in room.tokens]
    roll.write_text(json.dumps(told), encoding="utf-8")


def reviewers(size: int) -> list[Any]:
    """Return the students who review the list of this size."""
    from osmosmjerka.accounts.models import User

    return list(
        User.objects.filter(role="student", memberships__classroom__name=_name(1000 + size))
    )


def _name(number: int) -> str:
    return f"class {number}"


def _school() -> Any:
    from osmosmjerka.accounts.models import School

    return School.objects.get_or_create(name="Nine o'clock")[0]


def build_room(number: int, count: int) -> Room:
    """Create a class with its teacher and *count* students with cards."""
    from osmosmjerka.accounts import people
    from osmosmjerka.accounts.auth import cards
    from osmosmjerka.accounts.classrooms import services as classes
    from osmosmjerka.accounts.models import User

    teacher = people.create_person(
        username=f"teacher{number}",
        display_name=f"Teacher {number}",
        role=User.Role.TEACHER,
        school=_school(),
        password=PASSWORD,
    )
    classroom = people.create_classroom(name=_name(number), owner=teacher)
    names = [f"Student {index}" for index in range(1, count + 1)]
    students = classes.add_students(classroom=classroom, names=names, actor=teacher)
    made = cards.issue_cards(students=students, actor=teacher, classroom=classroom)
    return Room(classroom, teacher, students, [card.token for card in made])


def _do_jobs() -> None:
    """Do what is queued (the sounds of the lists), lest the worker does it while others measure."""
    from osmosmjerka.jobs import ledger
    from osmosmjerka.jobs.models import Job

    while (job := Job.objects.filter(state=Job.State.QUEUED).first()) is not None:
        ledger.run_job(str(job.pk))


def _drop_jobs() -> None:
    from osmosmjerka.jobs.models import Job

    Job.objects.filter(state=Job.State.QUEUED).delete()


def build_list(owner: Any, title: str, count: int, rng: Random) -> Any:
    """Create a list of so many words."""
    from vocab.formats.rows import Row
    from vocab.lists import services

    return services.create_list(
        owner=owner,
        title=title,
        language=LANGUAGE,
        translation_languages=["en"],
        rows=[
            Row(line=line, term=term, translations={"": [meaning]})
            for line, (term, meaning) in enumerate(words(count, rng).items(), start=1)
        ],
    )


def make(room: Room, made_of: Any, kind: str, **settings: Any) -> Any:
    """Create a puzzle for a class, by its job as a worker does."""
    from osmosmjerka.jobs import ledger
    from puzzles.assignments import services as assignments
    from puzzles.making import services as making

    puzzle = assignments.give(
        vocabulary_list=made_of,
        kind=kind,
        created_by=room.teacher,
        classrooms=[room.classroom],
        settings=_SETTINGS[kind] | settings,
    )
    job = making.job_of(puzzle)
    assert job is not None
    ledger.run_job(str(job.pk))
    puzzle.refresh_from_db()
    if puzzle.state != puzzle.State.READY:
        raise SystemExit(f"A {kind} could not be made: {puzzle.reason}")
    return puzzle


def answers(puzzle: Any) -> dict[str, Any]:
    """Return a puzzle as its players know it: the words, with a right and a wrong answer each."""
    placements = list(puzzle.placements.all())
    taken = [cells for one in placements for cells in (one.cells, *one.echoes)]
    taken += [cells[::-1] for cells in taken]
    return {
        "kind": puzzle.kind,
        "words": list(_answers(puzzle.kind, placements, taken)),
    }


def _answers(kind: str, placements: list[Any], taken: list[Any]) -> Iterator[dict[str, Any]]:
    for one in placements:
        if kind == "crossword":
            wrong: dict[str, Any] = {"tiles": ["q", *one.tiles[1:]]}
            right: dict[str, Any] = {"tiles": one.tiles}
        else:
            short = next(
                one.cells[:length]
                for length in range(len(one.cells) - 1, 1, -1)
                if one.cells[:length] not in taken
            )
            right, wrong = {"cells": one.cells}, {"cells": short}
        named = {} if kind == "word-search" else {"item": one.slot}
        yield {"slot": one.slot, "right": named | right, "wrong": named | wrong}


def _meet(student: Any, entries: Sequence[Any], rng: Random) -> None:
    """Let a student have answered these words once, in the last two months."""
    from django.utils import timezone

    from vocab.memory import reviews

    now = timezone.now()
    reviews.record(
        student=student,
        answers=[
            reviews.GivenAnswer(
                entry=entry,
                mode="typed",
                skill="meaning_to_form",
                outcome="right",
                source=f"before:{student.pk}:{entry.pk}",
                at=now - timedelta(days=rng.randint(1, 60)),
            )
            for entry in entries
        ],
    )
