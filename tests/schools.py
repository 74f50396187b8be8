"""A school with as many words, students and assignments as wanted, for measurements and tests.

One student answers a sample of words through the service that records answers. What it wrote is
then copied to all words and students within the database, so that a large school takes seconds.
"""

import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import islice, product
from random import Random
from typing import Any

from django.contrib.auth.hashers import make_password
from django.db import connection, models, transaction
from django.utils import timezone

from osmosmjerka.accounts.models import Classroom, Membership, School, User
from osmosmjerka.jobs import ledger
from puzzles.assignments import services as assignments
from puzzles.goals import services as goals
from puzzles.making import services as making
from puzzles.models import Assignment, Move, Placement, PlaySession, Puzzle
from vocab.memory import reviews
from vocab.models import Entry, Review, StudyDay, Translation, VocabularyList, WordProgress

# The share of the words that every student has met.
MET = 0.6
SAMPLED = 40
# Words of a puzzle that is only there to be counted.
PLACED = 10
_ROWS = 2000


@dataclass(frozen=True, slots=True)
class MadeSchool:
    """What pages are opened with."""

    admin: User
    teacher: User
    classroom: Classroom
    students: Sequence[User]
    words: VocabularyList
    puzzle: Puzzle

    @property
    def student(self) -> User:
        return self.students[0]


def make_school(
    *, words: int, students: int, assigned: int = 1, classes: int = 1, seed: int = 1
) -> MadeSchool:
    """Create a school with a class of *students*, who have met most of a list of *words*.

    The class has *assigned* finished puzzles and one that can be played; *classes* is the number of
    the school's classes, of which the others have no words.
    """
    with transaction.atomic():
        made = _make_rows(words, students, assigned, classes, seed)
    puzzle = make_puzzle(made.classroom, made.teacher, made.words, seed)
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")
    return replace(made, puzzle=puzzle)


def _make_rows(words: int, students: int, assigned: int, classes: int, seed: int) -> MadeSchool:
    now, name = timezone.now(), f"{words}-{students}-{assigned}-{classes}-{seed}"
    school = School.objects.create(name=name)
    admin = _person(school, f"admin-{name}", User.Role.SCHOOL_ADMIN)
    teacher = _person(school, f"teacher-{name}", User.Role.TEACHER)
    vocabulary_list = _make_list(teacher, words)
    made = [_make_class(school, teacher, number, students) for number in range(classes)]
    (classroom, members), *_others = made
    goals.set_goal(
        classroom=classroom, person=teacher, words=students * 10, ends_on=now.date() + WEEK
    )
    goals.switch_ranking(classroom=classroom, is_on=True)
    for member, nickname in zip(members, goals.OFFERED, strict=False):
        goals.choose_nickname(classroom=classroom, student=member, name=nickname)
    _give_finished(classroom, teacher, vocabulary_list, members, assigned, now)
    _let_answer(vocabulary_list, members, now, Random(seed))
    return MadeSchool(admin, teacher, classroom, members, vocabulary_list, Puzzle())


WEEK = timedelta(days=7)


def make_puzzle(
    classroom: Classroom, teacher: User, vocabulary_list: VocabularyList, seed: int, words: int = 12
) -> Puzzle:
    """Create a word search by its job, as a worker does, and assign it to the class."""
    puzzle = assignments.give(
        vocabulary_list=vocabulary_list,
        kind="word-search",
        created_by=teacher,
        classrooms=[classroom],
        seed=seed,
        settings={"words": min(words, 10)},
    )
    job = making.job_of(puzzle)
    assert job is not None
    ledger.run_job(str(job.pk))
    puzzle.refresh_from_db()
    return puzzle


def _person(school: School, name: str, role: str) -> User:
    return User.objects.create(
        username=name, display_name=name.title(), role=role, school=school,
        password=make_password(None), last_login=timezone.now(),
    )  # fmt: skip


def terms() -> Iterator[str]:
    """Return different words that can be pronounced and fit into any puzzle."""
    syllables = [a + b for a in "bdgklmnprstvz" for b in "aeiou"]
    shuffled = [*product(syllables, repeat=3)]
    Random(7).shuffle(shuffled)
    return ("".join(parts) for parts in shuffled)


def _make_list(teacher: User, size: int) -> VocabularyList:
    made = VocabularyList.objects.create(
        owner=teacher, school=teacher.school, title=f"List of {size}", language="hr",
        translation_languages=["en"], visibility=VocabularyList.Visibility.SCHOOL,
    )  # fmt: skip
    entries = []
    for position, term in enumerate(islice(terms(), size)):
        entry = Entry(
            vocabulary_list=made, position=position, tags=[f"unit {position % 5}"],
            part_of_speech=("noun", "verb")[position % 2],
        )  # fmt: skip
        entry.set_term(term)
        entry.set_search([f"meaning {position}"])
        entries.append(entry)
    Entry.objects.bulk_create(entries, batch_size=_ROWS)
    Translation.objects.bulk_create(
        (Translation(entry=one, language="en", text=f"meaning {one.position}") for one in entries),
        batch_size=_ROWS,
    )
    return made


def _make_class(
    school: School, teacher: User, number: int, size: int
) -> tuple[Classroom, list[User]]:
    classroom = Classroom.objects.create(school=school, name=f"Class {number}")
    before, password = timezone.now() - 6 * WEEK, make_password(None)
    students = User.objects.bulk_create(
        User(
            username=f"{school.name}-{number}-{index}", display_name=f"Student {index}",
            school=school, password=password, last_login=before,
        )
        for index in range(size)
    )  # fmt: skip
    Membership.objects.create(classroom=classroom, user=teacher, role=Membership.Role.OWNER)
    Membership.objects.bulk_create(Membership(classroom=classroom, user=one) for one in students)
    Membership.objects.filter(classroom=classroom).update(joined_at=before)
    return classroom, students


def _give_finished(
    classroom: Classroom,
    teacher: User,
    vocabulary_list: VocabularyList,
    students: Sequence[User],
    count: int,
    now: datetime,
) -> None:
    """Assign puzzles that all students have finished, with the moves."""
    entries = list(vocabulary_list.entries.all())
    made = Puzzle.objects.bulk_create(
        Puzzle(
            kind="word-search", title=f"Puzzle {number}", vocabulary_list=vocabulary_list,
            created_by=teacher, seed=number, state=Puzzle.State.READY, grid=[["A"] * 14] * 14,
        )
        for number in range(count)
    )  # fmt: skip
    Assignment.objects.bulk_create(
        Assignment(
            puzzle=puzzle, classroom=classroom, created_by=teacher, due_at=now - timedelta(days=1)
        )
        for puzzle in made
    )
    Assignment.objects.filter(puzzle__in=made).update(created_at=now - 2 * WEEK)
    placements = Placement.objects.bulk_create(
        Placement(
            puzzle=puzzle, entry=(entry := entries[(number * PLACED + position) % len(entries)]),
            position=position, term=entry.term, translations=["?"], tiles=entry.tiles,
            cells=[[position, column] for column in range(len(entry.tiles))],
        )
        for number, puzzle in enumerate(made) for position in range(PLACED)
    )  # fmt: skip
    sessions = PlaySession.objects.bulk_create(
        (
            PlaySession(puzzle=puzzle, student=student, finished_at=now)
            for puzzle in made
            for student in students
        ),
        batch_size=_ROWS,
    )
    of_puzzle: dict[int, list[Placement]] = {}
    for placement in placements:
        of_puzzle.setdefault(placement.puzzle_id, []).append(placement)
    Move.objects.bulk_create(
        (
            Move(
                session=session,
                placement=placement,
                client_id=uuid.uuid4(),
                outcome=Move.Outcome.FOUND,
            )
            for session in sessions
            for placement in of_puzzle[session.puzzle_id]
        ),
        batch_size=_ROWS,
    )


def _let_answer(
    vocabulary_list: VocabularyList, students: Sequence[User], now: datetime, rng: Random
) -> None:
    """Let the first student answer a sample of words, and copy what was written."""
    entries = list(vocabulary_list.entries.all())
    # Puzzles draw their words from the whole list.
    met = [entry for index, entry in enumerate(entries) if index * 7 % 10 < 10 * MET]
    first, others = students[0], students[1:]
    sample = met[:SAMPLED]
    answers = []
    for number, entry in enumerate(sample):
        days = [(30, 20, 9), (12, 11, 3), (28, 12, 5), (20, 10, 4), (8, 7, 6)][number % 5]
        for day in days:
            is_right = rng.random() < (0.9, 0.3)[number % 2]
            answers.append(_answer(entry, day, now, is_right=is_right))
        if number % 8 == 0:  # today, only these
            answers.append(_answer(entry, 0, now, is_right=number % 16 > 0))
    for one in answers:
        one["source"] = f"{first.pk}:{one['source']}"
    reviews.record(student=first, answers=[reviews.GivenAnswer(**one) for one in answers])
    before_today = [entry for number, entry in enumerate(sample) if number % 8]
    for number, entry in enumerate(met[SAMPLED:]):
        like = before_today[number % len(before_today)]
        _copy(Review, {"entry_id": entry.pk, "word": entry.key}, student=first, entry=like)
        _copy(WordProgress, {"entry_id": entry.pk}, student=first, entry=like)
    for student in others:
        for model in (Review, WordProgress, StudyDay):
            _copy(model, {"student_id": student.pk}, student=first)


def _answer(entry: Entry, days: int, now: datetime, *, is_right: bool) -> dict[str, Any]:
    return {
        "entry": entry,
        "mode": "typed",
        "skill": "meaning_to_form",
        "outcome": "right" if is_right else "wrong",
        "source": f"{entry.pk}:{days}",
        "at": now - timedelta(days=days),
        "given": "" if is_right else entry.term[:-1],
        "wrong_tries": 0 if is_right else 1,
    }


def _copy(model: type[models.Model], changed: dict[str, Any], **of: models.Model) -> None:
    """Copy the rows *of* something within the database, with some columns changed."""
    names = [field.attname for field in model._meta.concrete_fields if not field.primary_key]
    quoted = connection.ops.quote_name
    values, parameters = [], []
    for column in names:
        if column in changed:
            values.append("%s")
            parameters.append(changed[column])
        elif column == "source":  # unique
            values.append("source || ':' || %s")
            parameters.append("-".join(str(value) for value in changed.values()))
        else:
            values.append(quoted(column))
    where = " AND ".join(f"{name}_id = %s" for name in of)
    table, columns = quoted(model._meta.db_table), ", ".join(map(quoted, names))
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {table} ({columns})"  # noqa: S608  (names of columns)
            f" SELECT {', '.join(values)} FROM {table} WHERE {where}",
            [*parameters, *(one.pk for one in of.values())],
        )
