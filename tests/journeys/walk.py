"""A random walk of eight people of two schools over everything they can press.

Each step sends a request, also one that is not allowed, and compares the answer with what a small
model of the rights says: it is written from what the pages promise, not from the access modules.
The same seed gives the same walk.
"""

import re
import uuid
from collections import Counter
from dataclasses import dataclass, field
from datetime import timedelta
from random import Random

from django.db.models import F
from django.test import Client
from django.utils import timezone

from osmosmjerka.accounts import people
from osmosmjerka.accounts.bin import services as bin
from osmosmjerka.accounts.models import Classroom, Membership, School, User
from osmosmjerka.db.deletable import KEPT
from osmosmjerka.jobs import ledger
from puzzles.making import services as making
from puzzles.models import CrosswordSearch, Puzzle
from vocab import purge
from vocab.models import BulkEdit, Entry, Import, Review, VocabularyList

WORDS = ["guska", "labud", "slon", "jelen", "zmija", "gavran", "svinja", "medvjed", "pas", "riba"]
ERROR = "message--error"
MONTH = KEPT + timedelta(days=1)


@dataclass
class WordList:
    owner: User
    visibility: str = "private"
    may_edit: dict = field(default_factory=dict)  # {teacher's pk: whether they may edit}
    is_binned: bool = False


@dataclass
class SchoolClass:
    school: int
    roles: dict = field(default_factory=dict)  # {person's pk: role}
    is_binned: bool = False
    is_archived: bool = False


@dataclass
class Invited:
    classroom: int
    by: User
    is_open: bool = True


class Wrong(AssertionError):
    """The site did something else than the model says."""


class Walk:
    """The people, what they have, and what the model knows of it."""

    def __init__(self, seed):
        self.random = Random(seed)
        self.counts = Counter()
        self.lists, self.classes, self.puzzles = {}, {}, {}
        self.invitations, self.erased = {}, set()
        self.reviews = {}  # {pk: student's pk} of every review that was ever written
        self.log = []
        handler = Client().handler
        self.clients, self.teachers, self.students = {}, [], []
        for number in (1, 2):
            school = School.objects.create(name=f"School {number}")
            for role, several in (("teacher", 2), ("school_admin", 1), ("student", 1)):
                for index in range(several):
                    name = f"{role}{number}{index}"
                    person = people.create_person(
                        username=name, display_name=name, role=role, school=school, password="x"
                    )
                    (self.students if role == "student" else self.teachers).append(person)
        for person in self.teachers + self.students:
            client = Client()
            client.handler = handler
            client.force_login(person)
            self.clients[person.pk] = client
        for number in (0, 1):
            self.begin_school(self.teachers[3 * number], self.students[number])

    def begin_school(self, teacher, student):
        """Let the school have a list, a class with its student, and a puzzle."""
        self.make_list(teacher)
        self.make_class(teacher)
        classroom, words = max(self.classes), max(self.lists)
        people.join_classroom(
            classroom=Classroom.objects.get(pk=classroom), person=student, role="student"
        )
        self.read_roles(classroom)
        self.make_puzzle(words, classroom, teacher)

    # The rights, as the pages promise them.

    def may_list(self, person, pk, action):
        words = self.lists[pk]
        if person.role == "student" or words.is_binned:
            return False
        if person == words.owner:
            return True
        is_admin = person.role == "school_admin" and person.school_id == words.owner.school_id
        may_edit = words.may_edit.get(person.pk)
        return {
            "see": may_edit is not None
            or is_admin
            or words.visibility == "public"
            or (words.visibility == "school" and person.school_id == words.owner.school_id),
            "edit": bool(may_edit),
            "own": False,
            "delete": is_admin,
        }[action]

    def may_class(self, person, pk, action):
        room = self.classes[pk]
        if person.role == "student" or room.is_binned:
            return False
        if person.role == "school_admin" and person.school_id == room.school:
            return True
        roles = {
            "see": {"owner", "co_teacher", "viewer"},
            "manage": {"owner", "co_teacher"},
            "own": {"owner"},
        }
        return room.roles.get(person.pk) in roles[action]

    def may_student(self, person, student):
        """Whether *person* may end or merge the account: all the student's classes are theirs."""
        if person.role == "student" or person.school_id != student.school_id:
            return False
        if person.role == "school_admin":
            return True
        rooms = [
            pk
            for pk, room in self.classes.items()
            if student.pk in room.roles and not room.is_binned
        ]
        return bool(rooms) and all(self.may_class(person, pk, "manage") for pk in rooms)

    def may_play(self, student, code):
        puzzle = self.puzzles[code]
        room = self.classes.get(puzzle["class"])
        return bool(
            room
            and not puzzle["is_binned"]
            and not self.lists[puzzle["list"]].is_binned
            and not room.is_binned
            and not room.is_archived
            and room.roles.get(student.pk) == "student"
        )

    # Requests.

    def ask(self, person, method, path, body=None, *, may, json=True):
        """Send a request; return its answer, or None if it was refused. Compare with *may*."""
        client = self.clients[person.pk]
        sent = {"content_type": "application/json"} if json and method != "get" else {}
        reply = getattr(client, method)(path, body or {}, **sent)
        is_refused = reply.status_code in {401, 403, 404, 405} or (
            reply.status_code == 302 and reply.url.startswith("/login/")
        )
        self.log.append(f"{person} {method} {path} {body or ''} → {reply.status_code}")
        if reply.status_code >= 500:
            raise Wrong(f"{self.log[-1]}")
        if not may and not is_refused and reply.status_code != 400:
            raise Wrong(f"let in: {self.log[-1]}")
        if may and is_refused:
            raise Wrong(f"refused: {self.log[-1]}")
        return None if is_refused or reply.status_code == 400 else reply

    def some(self, things):
        return self.random.choice(things) if things else None

    def teacher(self):
        return self.some(self.teachers)

    def anybody(self):
        return self.some(self.teachers + self.students)

    def some_list(self):
        return self.some(sorted(self.lists))

    def some_class(self):
        return self.some(sorted(self.classes))

    def running(self, pk):
        return not self.classes[pk].is_archived

    # Steps.

    def make_list(self, person=None):
        person = person or self.anybody()
        words = self.random.sample(WORDS, 6)
        entries = [{"term": word, "translations": {"en": [word.upper()]}} for word in words]
        body = {"title": f"List {len(self.lists)}", "language": "hr",
                "translation_languages": ["en"], "entries": entries}  # fmt: skip
        reply = self.ask(person, "post", "/api/lists/", body, may=person.role != "student")
        if reply:
            self.lists[reply.json()["id"]] = WordList(person)

    def share(self):
        pk, person, other = self.some_list(), self.teacher(), self.teacher()
        if pk and other != self.lists[pk].owner:
            body = {"username": other.username, "may_edit": self.random.random() < 0.6}
            may = self.may_list(person, pk, "own")
            if self.ask(person, "post", f"/api/lists/{pk}/shares/", body, may=may):
                self.lists[pk].may_edit[other.pk] = body["may_edit"]

    def unshare(self):
        pk, person, other = self.some_list(), self.teacher(), self.teacher()
        if pk:
            may = self.may_list(person, pk, "own")
            if self.ask(person, "delete", f"/api/lists/{pk}/shares/{other.pk}/", may=may):
                self.lists[pk].may_edit.pop(other.pk, None)

    def show(self):
        pk, person = self.some_list(), self.teacher()
        if pk:
            body = {"visibility": self.random.choice(["private", "school", "public"])}
            may = self.may_list(person, pk, "own")
            if self.ask(person, "patch", f"/api/lists/{pk}/", body, may=may):
                self.lists[pk].visibility = body["visibility"]

    def change_words(self):
        pk, person, target = self.some_list(), self.anybody(), self.some_list()
        theirs = [each for each in sorted(self.lists) if self.may_list(person, each, "edit")]
        if theirs and self.random.random() < 0.6:
            pk, target = self.some(theirs), self.some(theirs)
        if pk is None:
            return
        entries = list(Entry.objects.filter(vocabulary_list=pk).order_by("pk")[:20])
        chosen = self.random.sample(entries, min(len(entries), self.random.randint(1, 4)))
        body = {"action": self.random.choice(["tag", "untag", "delete", "merge", "move"]),
                "tag": "x", "entries": [entry.pk for entry in chosen]}  # fmt: skip
        may = self.may_list(person, pk, "edit")
        if body["action"] == "move":
            body["target"] = target
            before = Entry.objects.filter(vocabulary_list=pk).count()
            may = may and self.may_list(person, target, "edit") and target != pk
        reply = self.ask(person, "post", f"/api/lists/{pk}/bulk/", body, may=may)
        if body["action"] == "move" and not (
            reply and person == self.lists[pk].owner and self.may_list(person, target, "edit")
        ):
            after = Entry.objects.filter(vocabulary_list=pk).count()
            if after != before:
                raise Wrong(f"words were moved: {self.log[-1]}")

    def copy(self):
        pk, person = self.some_list(), self.anybody()
        if pk and len(self.lists) < 60:
            may = self.may_list(person, pk, "see")
            reply = self.ask(person, "post", f"/api/lists/{pk}/copy/", may=may)
            if reply:
                self.lists[reply.json()["id"]] = WordList(person)

    def import_words(self):
        pk, person = self.some_list(), self.teacher()
        if pk is None:
            return
        word = self.random.choice(WORDS) + self.random.choice(["", "", "ica"])
        may = self.may_list(person, pk, "edit")
        body = {"text": f"{word}\tmeaning {self.random.randint(0, 9)}\n"}
        reply = self.ask(person, "post", f"/api/lists/{pk}/import/", body, may=may)
        if reply and self.random.random() < 0.8:
            self.ask(person, "post", f"/api/imports/{reply.json()['id']}/apply/", may=True)

    def delete_list(self):
        pk, person = self.some_list(), self.anybody()
        if pk and self.random.random() < 0.4:
            may = self.may_list(person, pk, "delete")
            if self.ask(person, "delete", f"/api/lists/{pk}/", may=may):
                self.lists[pk].is_binned = True

    def make_class(self, person=None):
        person = person or self.anybody()
        if len(self.classes) > 25:
            return
        body = {"name": f"Class {len(self.classes)}"}
        may = person.role != "student"
        reply = self.ask(person, "post", "/classes/new/", body, may=may, json=False)
        if reply:
            pk = int(re.search(r"/classes/(\d+)/", reply.url)[1])
            self.classes[pk] = SchoolClass(person.school_id, {person.pk: "owner"})

    def invite(self):
        pk, person = self.some_class(), self.teacher()
        if pk:
            body = {"role": self.random.choice(["owner", "co_teacher", "viewer"])}
            may = self.may_class(person, pk, "own")
            reply = self.ask(person, "post", f"/classes/{pk}/invite/", body, may=may, json=False)
            found = reply and re.search(r"/invitations/([^/\"]+)/", reply.content.decode())
            if found:
                self.invitations[found[1]] = Invited(pk, person)

    def accept(self):
        token, person = self.some(list(self.invitations)), self.anybody()
        if token is None:
            return
        invited = self.invitations[token]
        room = self.classes[invited.classroom]
        # Losing the right withdraws the invitation for good, also if the right comes back.
        may = (
            invited.is_open
            and person.role != "student"
            and not room.is_binned
            and self.may_class(invited.by, invited.classroom, "own")
        )
        before = room.roles.get(person.pk)
        self.clients[person.pk].post(f"/invitations/{token}/")
        self.log.append(f"{person} accepts {token} of class {invited.classroom}, may: {may}")
        self.read_roles(invited.classroom)
        if room.roles.get(person.pk) != before:
            if not may:
                raise Wrong(f"came in by an invitation of {invited.by}: {self.log[-1]}")
            invited.is_open = False

    def read_roles(self, pk):
        """Take over who is in a class after a change that may also be refused with a message."""
        places = Membership.everything.filter(classroom=pk, user__deleted_at=None)
        self.classes[pk].roles = dict(places.values_list("user", "role"))
        self.withdraw()

    def withdraw(self):
        for invited in self.invitations.values():
            room = self.classes[invited.classroom]
            is_lost = room.is_binned is False and not self.may_class(
                invited.by, invited.classroom, "own"
            )
            invited.is_open = invited.is_open and not is_lost

    def remove_member(self):
        pk, person = self.some_class(), self.teacher()
        places = pk and list(Membership.objects.filter(classroom=pk).order_by("pk"))
        if places:
            member = self.some(places)
            path = f"/classes/{pk}/members/{member.pk}/remove/"
            may = self.may_class(person, pk, "manage")
            may = may or (member.user_id == person.pk and not self.classes[pk].is_binned)
            try:
                self.ask(person, "post", path, may=may, json=False)
            except Wrong:
                # Who may leave by themselves, and remove owners, has its own tests.
                if self.may_class(person, pk, "manage") and member.role != "student":
                    return
                if member.user_id == person.pk:
                    return
                raise
            self.read_roles(pk)

    def change_role(self):
        pk, person = self.some_class(), self.teacher()
        places = pk and list(
            Membership.objects.filter(classroom=pk).exclude(role="student").order_by("pk")
        )
        if places:
            path = f"/classes/{pk}/members/{self.some(places).pk}/role/"
            body = {"role": self.random.choice(["owner", "co_teacher", "viewer"])}
            self.ask(person, "post", path, body, may=self.may_class(person, pk, "own"), json=False)
            self.read_roles(pk)

    def change_school_role(self):
        person, other = self.teacher(), self.teacher()
        body = {"role": self.random.choice(["teacher", "school_admin"])}
        may = (
            person.role == "school_admin"
            and person.school_id == other.school_id
            and person != other
        )
        path = f"/schools/{other.school_id}/teachers/{other.pk}/role/"
        self.ask(person, "post", path, body, may=may, json=False)
        other.refresh_from_db()
        for each in (*self.teachers, *(words.owner for words in self.lists.values())):
            if each.pk == other.pk:
                each.role = other.role
        self.withdraw()
        # A new role ends every session.
        self.clients[other.pk].force_login(other)

    def add_student(self):
        pk, person = self.some_class(), self.teacher()
        if pk is None or len(self.students) > 30:
            return
        name = f"pupil{len(self.students)}x{len(self.log)}"
        body = {"display_name": name, "username": name, "password": "honey-comb-12"}
        may = self.may_class(person, pk, "manage") and self.running(pk)
        path = f"/classes/{pk}/pupils/new/"
        if self.ask(person, "post", path, body, may=may, json=False):
            made = User.objects.filter(username=name).first()
            if made is None:
                raise Wrong(f"nobody was added: {self.log[-1]}")
            client = Client()
            client.handler = self.clients[person.pk].handler
            client.force_login(made)
            self.clients[made.pk] = client
            self.students.append(made)
            self.read_roles(pk)

    def join_student(self):
        pk, person, student = self.some_class(), self.teacher(), self.some(self.students)
        if pk is None:
            return
        body = {"classroom": pk}
        reach = person.role == "school_admin" or any(
            self.may_class(person, room, "manage") and student.pk in self.classes[room].roles
            for room in self.classes
        )
        may = (
            reach
            and person.school_id == student.school_id
            and self.may_class(person, pk, "manage")
            and self.running(pk)
            and self.is_there(student)
        )
        self.ask(person, "post", f"/pupils/{student.pk}/classes/", body, may=may, json=False)
        self.read_roles(pk)

    def is_there(self, student):
        return User.objects.filter(pk=student.pk, is_active=True).exists()

    def delete_student(self):
        person, student = self.teacher(), self.some(self.students)
        if student.username.startswith("pupil") or self.random.random() < 0.1:
            may = self.is_there(student) and self.may_student(person, student)
            self.ask(person, "post", f"/pupils/{student.pk}/erase/", may=may, json=False)
            self.read_all_roles()

    def merge_students(self):
        person, kept, gone = self.teacher(), self.some(self.students), self.some(self.students)
        if kept == gone or not gone.username.startswith("pupil") or self.random.random() < 0.5:
            return
        there = self.is_there(kept) and self.is_there(gone)
        may = there and self.may_student(person, kept) and self.may_student(person, gone)
        path = f"/pupils/{kept.pk}/merge/"
        self.clients[person.pk].post(path, {"username": gone.username})
        self.log.append(f"{person} merges {gone} into {kept}, may: {may}")
        if there and not self.is_there(gone):
            if not may:
                raise Wrong(f"merged: {self.log[-1]}")
            for pk in [pk for pk, whose in self.reviews.items() if whose == gone.pk]:
                self.reviews[pk] = kept.pk
        self.read_all_roles()

    def forget(self, student):
        self.students = [each for each in self.students if each.pk != student.pk]

    def read_all_roles(self):
        for pk in self.classes:
            self.read_roles(pk)

    def erase_student(self):
        person, student = self.teacher(), self.some(self.students)
        in_bin = User.objects.filter(pk=student.pk).exclude(deleted_at=None).exists()
        if in_bin and self.random.random() < 0.5:
            places = Membership.everything.filter(user=student, classroom__deleted_at=None)
            rooms = list(places.values_list("classroom", flat=True))
            may = person.school_id == student.school_id and (
                person.role == "school_admin"
                or (bool(rooms) and all(self.may_class(person, pk, "manage") for pk in rooms))
            )
            path, body = f"/bin/students/{student.pk}/erase/", {"username": student.username}
            if self.ask(person, "post", path, body, may=may, json=False):
                self.reviews = {
                    pk: whose for pk, whose in self.reviews.items() if whose != student.pk
                }
                self.forget(student)
                self.read_all_roles()

    def archive(self):
        pk, person = self.some_class(), self.teacher()
        if pk and self.random.random() < 0.2:
            may = self.may_class(person, pk, "own") and self.running(pk)
            if self.ask(person, "post", f"/classes/{pk}/archive/", may=may, json=False):
                self.classes[pk].is_archived = True

    def delete_class(self):
        pk, person = self.some_class(), self.anybody()
        if pk and self.random.random() < 0.4:
            may = self.may_class(person, pk, "own")
            if self.ask(person, "post", f"/classes/{pk}/delete/", may=may, json=False):
                self.classes[pk].is_binned = True

    def make_puzzle(self, pk=None, room=None, person=None):
        pk, room = pk or self.some_list(), room or self.some_class()
        person = person or self.teacher()
        if pk is None or room is None or len(self.puzzles) > 400:
            return
        body = {"vocabulary_list": pk, "classroom": room, "kind": "word-search",
                "settings": {"words": 4}}  # fmt: skip
        may = self.may_list(person, pk, "see") and self.may_class(person, room, "manage")
        reply = self.ask(person, "post", "/api/puzzles/", body, may=may and self.running(room))
        if reply:
            code = reply.json()["code"]
            self.puzzles[code] = {"list": pk, "class": room, "by": person, "is_binned": False}
            ledger.run_job(str(making.job_of(Puzzle.objects.get(code=code)).pk))

    def delete_puzzle(self):
        code, person = self.some(list(self.puzzles)), self.teacher()
        if code and self.random.random() < 0.4:
            puzzle = self.puzzles[code]
            is_there = not puzzle["is_binned"] and not self.lists[puzzle["list"]].is_binned
            may = is_there and puzzle["by"] == person
            if self.ask(person, "delete", f"/api/puzzles/{code}/", may=may):
                puzzle["is_binned"] = True

    def play(self):
        code, student = self.some(list(self.puzzles)), self.some(self.students)
        if code is None:
            return
        open_now = [each for each in self.puzzles if self.may_play(student, each)]
        if open_now and self.random.random() < 0.8:
            code = self.some(open_now)
        puzzle = Puzzle.everything.filter(code=code).first()
        if puzzle is None or puzzle.state != "ready" or not self.is_there(student):
            return
        may = self.may_play(student, code)
        reply = self.ask(student, "get", f"/api/play/{code}/", may=may)
        placement = self.some(list(puzzle.placements.order_by("pk")))
        body = {"attempt": str(uuid.UUID(int=self.random.getrandbits(128))),
                "cells": placement.cells}  # fmt: skip
        if reply:
            self.clients[student.pk].post(
                f"/api/play/{code}/attempts/", body, content_type="application/json"
            )
            self.read_reviews(student)

    def read_reviews(self, student):
        for pk in Review.objects.filter(student=student).values_list("pk", flat=True):
            self.reviews.setdefault(pk, student.pk)

    def look(self):
        person, pk, room = self.anybody(), self.some_list(), self.some_class()
        if pk:
            may = self.may_list(person, pk, "see")
            self.ask(person, "get", f"/api/lists/{pk}/", may=may)
        if room and person.role != "student":
            self.ask(person, "get", f"/classes/{room}/people/",
                     may=self.may_class(person, room, "see"))  # fmt: skip

    def undo(self):
        """Press one of the undo buttons that a page offers: it must work."""
        person, pk = self.teacher(), self.some_list()
        if pk is None or not self.may_list(person, pk, "edit"):
            return
        client = self.clients[person.pk]
        offered = _actions(client.get(f"/lists/{pk}/"), "/undo/")
        for made in Import.objects.filter(vocabulary_list=pk, state="applied").order_by("pk")[:3]:
            offered += _actions(client.get(f"/imports/{made.pk}/"), "/undo/")
        if offered:
            self.press(person, self.some(offered))

    def press(self, person, address):
        reply = self.clients[person.pk].post(address, follow=True)
        self.log.append(f"{person} presses {address} → {reply.status_code}")
        if reply.status_code != 200 or ERROR in reply.content.decode():
            said = re.search(r"message--error.*?<span>(.*?)</span>", reply.content.decode(), re.S)
            raise Wrong(f"{self.log[-1]} {said and said[1]}")

    def restore(self):
        person = self.teacher()
        client = self.clients[person.pk]
        client.get("/bin/")  # the messages that wait: their “Undo” may be late by now
        offered = _actions(client.get("/bin/"), "/restore/")
        if not offered:
            return
        address = self.some(offered)
        _empty, _bin, section, pk, _restore, _end = address.split("/")
        if section in {"puzzles", "searches"}:
            thing = {"puzzles": Puzzle, "searches": CrosswordSearch}[section].everything.get(pk=pk)
            if thing.vocabulary_list.deleted_at is not None:
                return  # the page says: the list first
        if section == "students" and self.waits_for_another(int(pk)):
            return  # the page says: the other one first
        self.press(person, address)
        self.take_over(section, int(pk))

    def waits_for_another(self, pk):
        """Whether the account was merged with one that was merged with a third."""
        merged = User.objects.get(pk=pk).merged
        into = merged and User.objects.filter(pk=merged["into"]).first()
        return bool(into and into.merged)

    def take_over(self, section, pk):
        if section == "lists":
            self.lists[pk].is_binned = False
        elif section == "classes":
            self.classes[pk].is_binned = False
        elif section == "puzzles":
            self.puzzles[Puzzle.everything.get(pk=pk).code]["is_binned"] = False
        self.read_all_roles()
        if section == "students":
            # The sessions of before have ended.
            student = User.objects.get(pk=pk)
            self.clients[pk].force_login(student)
            # What another account got when they were merged is theirs again.
            own = Review.objects.filter(student=student).values_list("pk", flat=True)
            self.reviews |= dict.fromkeys(own, pk)

    def month(self):
        """A month passes for everything that waits in the bin, and the nightly jobs run."""
        if self.random.random() < 0.05:
            for model in (VocabularyList, Classroom, Puzzle, CrosswordSearch):
                model.everything.exclude(deleted_at=None).update(deleted_at=F("deleted_at") - MONTH)
            User.objects.exclude(deleted_at=None).update(deleted_at=F("deleted_at") - MONTH)
            Entry.everything.exclude(deleted_at=None).update(deleted_at=F("deleted_at") - MONTH)
            BulkEdit.objects.update(created_at=F("created_at") - MONTH)
            Import.objects.update(updated_at=F("updated_at") - MONTH)
            self.log.append("a month passes")
            gone = set(
                User.objects.filter(deleted_at__lt=timezone.now() - KEPT).values_list(
                    "pk", flat=True
                )
            )
            bin.purge()
            purge.purge()
            self.reviews = {pk: whose for pk, whose in self.reviews.items() if whose not in gone}
            self.students = [each for each in self.students if each.pk not in gone]
            for pk in [pk for pk, words in self.lists.items() if words.is_binned]:
                del self.lists[pk]
            for pk in [pk for pk, room in self.classes.items() if room.is_binned]:
                del self.classes[pk]
            self.puzzles = {
                code: puzzle
                for code, puzzle in self.puzzles.items()
                if not puzzle["is_binned"]
                and puzzle["list"] in self.lists
                and puzzle["class"] in self.classes
            }
            self.invitations = {
                token: invited
                for token, invited in self.invitations.items()
                if invited.classroom in self.classes
            }
            self.read_all_roles()

    STEPS = (
        ("make_list", 2), ("share", 4), ("unshare", 2), ("show", 2), ("change_words", 8),
        ("copy", 1), ("import_words", 4), ("delete_list", 3), ("make_class", 2), ("invite", 3),
        ("accept", 3), ("remove_member", 2), ("change_role", 2), ("change_school_role", 1),
        ("add_student", 2), ("join_student", 2), ("delete_student", 2), ("merge_students", 1),
        ("erase_student", 1), ("archive", 1), ("delete_class", 2), ("make_puzzle", 3),
        ("delete_puzzle", 2), ("play", 14), ("look", 8), ("undo", 6), ("restore", 5), ("month", 1),
    )  # fmt: skip

    def run(self, steps):
        names, weights = zip(*self.STEPS, strict=True)
        for number in range(steps):
            name = self.random.choices(names, weights)[0]
            self.counts[name] += 1
            getattr(self, name)()
            if number % 200 == 0:
                self.check()
        self.check()
        return self

    def check(self):
        """The promises that hold at any time."""
        there = set(Review.objects.values_list("pk", flat=True))
        lost = set(self.reviews) - there
        if lost:
            raise Wrong(f"{len(lost)} reviews are lost: {self.log[-3:]}")
        for pk in self.lists:
            for person in self.teachers:
                self.ask(person, "get", f"/api/lists/{pk}/", may=self.may_list(person, pk, "see"))
                del self.log[-1]


def _actions(reply, ending):
    """Return the addresses of the forms of a page that end so."""
    found = re.findall(r'action="([^"]+)"', reply.content.decode())
    return [address for address in found if address.endswith(ending)]
