"""A demo school: people, lists, a puzzle of each kind, and two weeks of practice."""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.db import transaction
from django.utils import timezone

from osmosmjerka.accounts import people
from osmosmjerka.accounts.models import Membership, School, User
from puzzles.assignments import services as assignments
from puzzles.kinds import KINDS
from vocab.imports.pasting import parse_pasted
from vocab.lists import services as vocabulary
from vocab.memory import reviews
from vocab.memory.rules import today
from vocab.models import Entry, WordProgress

DEMO = Path(__file__).resolve().parents[2] / "demo"

_TEACHER, _ADMIN, _STUDENT = User.Role.TEACHER, User.Role.SCHOOL_ADMIN, User.Role.STUDENT
PEOPLE = [
    ("admin", "Vesna", _ADMIN),
    ("ravnateljica", "Dubravka", _ADMIN),
    ("ana", "Ana", _TEACHER),
    ("marko", "Marko", _TEACHER),
    ("luka", "Luka", _STUDENT),
    ("mia", "Mia", _STUDENT),
    ("petra", "Petra", _STUDENT),
    ("ivan", "Ivan", _STUDENT),
]
LISTS = [
    ("Životinje", "hr", "en", "animals-hr-en.tsv"),
    ("Essen und Trinken", "de", "en", "food-de-en.tsv"),
    ("المدرسة", "ar", "en", "school-ar-en.tsv"),
]
# The first words are harder than the others, so that their teacher sees which the class misses.
HARD = 6
NEW_A_DAY = 4


@dataclass(frozen=True, slots=True)
class Learner:
    """How a student practised: on which days before today, and how often they were right.

    *hard* is the share of right answers to the first words of the list.
    """

    days: Sequence[int]
    right: float = 0.9
    hard: float = 0.9


# Ivan has not logged in yet.
LEARNERS = {
    "luka": Learner([14, 13, 11, 10, 8, 7, 6, 4, 3, 2, 1], hard=0.5),
    "mia": Learner([14, 12, 11, 9, 8, 6, 5, 4, 2, 1], right=0.8, hard=0.2),
    "petra": Learner([14, 13, 12, 11, 10]),
}


class Command(BaseCommand):
    help = "Load the demo school, unless there are people already; print its logins."

    def handle(self, *args: Any, **options: Any) -> None:
        passwords = settings.DATA_DIR / "demo-log-ins.json"
        if not User.objects.exists():
            # Random, and so unknown to others if the demo is ever reachable.
            password = f"word-search-{secrets.randbelow(10**6):06}"
            load(password)
            passwords.write_text(json.dumps({"password": password}), encoding="utf-8")
            passwords.chmod(0o600)
        if passwords.is_file():
            password = json.loads(passwords.read_text(encoding="utf-8"))["password"]
            self.stdout.write("Demo logins:")
            for username, display_name, role in PEOPLE:
                told = f"{display_name}, {role.label.lower()}"
                self.stdout.write(f"  {username:<14} {password:<20} {told}")


@transaction.atomic
def load(password: str) -> None:
    """Create the demo school; everybody in it has the same password."""
    school = School.objects.create(name="Osnovna škola Osmosmjerka")
    persons = {
        username: people.create_person(
            username=username, display_name=name, role=role, school=school, password=password
        )
        for username, name, role in PEOPLE
    }
    User.objects.filter(username="admin").update(is_staff=True, is_superuser=True)
    classroom = people.create_classroom(name="6b", owner=persons["ana"])
    people.join_classroom(
        classroom=classroom, person=persons["marko"], role=Membership.Role.CO_TEACHER
    )
    for username, _name, role in PEOPLE:
        if role == _STUDENT:
            people.join_classroom(
                classroom=classroom, person=persons[username], role=Membership.Role.STUDENT
            )
    lists = []
    for title, language, translated_to, file in LISTS:
        made = vocabulary.create_list(
            owner=persons["ana"],
            title=title,
            language=language,
            translation_languages=[translated_to],
            visibility="school",
            rows=parse_pasted((DEMO / file).read_text(encoding="utf-8")).rows,
        )
        for kind in KINDS:
            assignments.give(
                vocabulary_list=made,
                kind=kind,
                created_by=persons["ana"],
                classrooms=[classroom],
            )
        lists.append(made)
    Membership.objects.filter(classroom=classroom).update(
        joined_at=timezone.now() - timedelta(days=15)
    )
    words = list(lists[0].entries.all())
    for username, learner in LEARNERS.items():
        _practise(persons[username], words, learner, timezone.now())


def _practise(student: User, words: Sequence[Entry], learner: Learner, now: datetime) -> None:
    """Record a student's answers in the quick review of the last days: words due, and new ones."""
    rng, begun = Random(student.username), 0
    hard = {word.pk for word in words[:HARD]}
    for days in learner.days:
        at = now - timedelta(days=days)
        due = WordProgress.objects.filter(student=student, due_on__lte=today(student, at))
        asked = {*due.values_list("entry", flat=True)}
        asked |= {word.pk for word in words[begun : begun + NEW_A_DAY]}
        begun += NEW_A_DAY
        answers = []
        for number, word in enumerate(word for word in words if word.pk in asked):
            is_right = rng.random() < (learner.hard if word.pk in hard else learner.right)
            answers.append(
                reviews.GivenAnswer(
                    word, "typed", "meaning_to_form", "right" if is_right else "wrong",
                    f"demo:{student.pk}:{word.pk}:{days}", at + timedelta(seconds=20 * number),
                    given="" if is_right else word.term[:1] + word.term[2:],
                )
            )  # fmt: skip
        reviews.record(student=student, answers=answers)
    User.objects.filter(pk=student.pk).update(last_login=now - timedelta(days=learner.days[-1]))
