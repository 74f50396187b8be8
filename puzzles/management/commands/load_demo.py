"""A demo school: people, lists, and a puzzle of each kind."""

from __future__ import annotations

import json
import secrets
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.db import transaction

from osmosmjerka.accounts import people
from osmosmjerka.accounts.models import Membership, School, User
from puzzles.assignments import services as assignments
from puzzles.kinds import KINDS
from vocab.imports.pasting import parse_pasted
from vocab.lists import services as vocabulary

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
