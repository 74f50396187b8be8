"""Two schools with everything in them, and how requests are put to the site."""

import io
import itertools
import json
import uuid
import wave
import zipfile
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.core import signing
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection, transaction
from django.test import Client
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart
from django.utils import timezone
from fido2.utils import websafe_encode
from PIL import Image

from osmosmjerka.accounts import people, secrets
from osmosmjerka.accounts.auth import tokens
from osmosmjerka.accounts.classrooms import joining, roster_imports, school_file, school_imports
from osmosmjerka.accounts.classrooms.roster import parse_roster
from osmosmjerka.accounts.models import (
    ApiToken,
    BrowserSession,
    Classroom,
    Identity,
    IdentityProvider,
    Invitation,
    JoinRequest,
    Membership,
    Passkey,
    RosterImport,
    School,
    User,
    Webhook,
    WebhookDelivery,
)
from osmosmjerka.accounts.privacy import services as privacy
from osmosmjerka.accounts.schools import invitations
from osmosmjerka.jobs import ledger
from osmosmjerka.jobs.models import Job
from osmosmjerka.paper import pdf
from osmosmjerka.paper.sheet import Sheet
from puzzles.assignments import services as assignments
from puzzles.exports import Printing
from puzzles.goals import services as goals
from puzzles.kinds.base import SentMove
from puzzles.live import services as live
from puzzles.lti.services import Arrival
from puzzles.lti.views import ARRIVED, ARRIVED_SALT
from puzzles.making import services as puzzle_services
from puzzles.models import (
    Assignment,
    CrosswordSearch,
    LiveGame,
    LivePlayer,
    LtiCourse,
    LtiPlatform,
    Placement,
    Puzzle,
    ShareLink,
    WorksheetSet,
)
from puzzles.parents import services as parents
from puzzles.play import services as play
from puzzles.sharing import services as links
from puzzles.worksheets import layouts
from puzzles.worksheets import services as worksheets
from tests.accounts.auth.authenticator import Device
from tests.accounts.classrooms.school_zip import klass, packed, place, user
from tests.conftest import ANIMALS, PASSWORD, rows
from tests.puzzles.imports.files import WORD_SEARCH, ipuz
from tests.puzzles.searches.helpers import begin_search
from vocab.entries import bulk
from vocab.imports import services as imports
from vocab.lists import services as vocabulary
from vocab.lists import sharing
from vocab.models import BlockedWord, BulkEdit, Entry, Import, VocabularyList
from vocab.rows import convert

Role = User.Role
ATTEMPT = "6f1c4c5e-1111-4222-8333-444455556666"
PNG = b"\x89PNG\r\n\x1a\n"


def school_zip_file():
    """Return a OneRoster file of a school as a browser uploads it."""
    made = packed(users=[user("s2", "Vid", "Kos")], classes=[klass("b", "5b")])
    return SimpleUploadedFile("school.zip", made, "application/zip")


def picture_file():
    """Return a picture as a browser uploads it."""
    made = io.BytesIO()
    Image.new("RGB", (8, 8), "red").save(made, "PNG")
    return SimpleUploadedFile("red.png", made.getvalue(), "image/png")


def puzzle_file():
    """Return a word search of another program as a browser uploads it."""
    return SimpleUploadedFile("small.ipuz", ipuz(WORD_SEARCH), "application/json")


def sound_file():
    """Return half a second of sound as a browser uploads it."""
    made = io.BytesIO()
    with wave.open(made, "wb") as sound:
        sound.setparams((1, 2, 16_000, 0, "NONE", ""))
        sound.writeframes(b"\x00\x20\x00\xe0" * 4_000)
    return SimpleUploadedFile("tone.wav", made.getvalue(), "audio/wav")


@dataclass
class Filled:
    """One school with one of each thing; *secret* is in every name that somebody gave."""

    secret: str
    school: School
    teacher: User
    co_teacher: User
    viewer: User
    substitute: User  # until today
    former: User  # a substitute whose last day was yesterday
    guest: User  # a teacher with whom the list is shared to edit
    colleague: User  # a teacher of the school who has nothing to do with the class
    admin: User
    student: User
    twin: User  # another student of the class
    other_student: User  # of another class
    classroom: Classroom
    vocabulary_list: VocabularyList
    copied: VocabularyList  # a copy that follows the list
    blocked_word: BlockedWord
    edit: BulkEdit
    entry: Entry
    search: CrosswordSearch
    puzzle: Puzzle
    worksheet_set: WorksheetSet  # the teacher's, for the class, with words of their own
    given_up: Puzzle  # not made after three attempts
    placement: Placement
    found: Placement  # by the student
    assignment: Assignment
    adaptive: Assignment
    waiting: Import
    applied: Import
    member: Membership
    colleagues_place: Membership
    site_admin: User
    passkey: Passkey
    invitation: Invitation  # to the class, open
    identity: Identity  # of the teacher, at a service that does not exist
    platform: LtiPlatform  # which nothing here asks: it does not exist
    binned_list: VocabularyList
    binned_student: User
    token: ApiToken  # of the teacher's
    browser: BrowserSession  # another one of the teacher's
    roster: RosterImport  # a preview, of a file with two classes
    added_roster: RosterImport
    delivery: WebhookDelivery  # which failed
    school_roster: RosterImport  # a preview of a file of the whole school
    added_school_roster: RosterImport  # with a teacher who is to be invited
    join_request: JoinRequest  # waiting
    joined: User  # with the class code
    game: LiveGame  # of the class, a race that runs
    player: LivePlayer  # the other student of the class, in the game
    share_link: ShareLink  # of the teacher's, to the list
    list_token: str  # of that link
    puzzle_token: str  # of a link to the puzzle
    parent_token: str  # of a link for the student's parents


def print_for(puzzle, classroom, teacher):
    """Return a set of worksheets that is ready, without drawing it."""
    made = worksheets.request_set(
        puzzle=puzzle, classroom=classroom, created_by=teacher, content="own", printing=Printing()
    )
    placement = puzzle.placements.first()
    made.sheets = [
        layouts.as_json(layouts.Drawn(puzzle, [placement])) | {"student": one.pk}
        for one in made.named.all()
    ]
    made.pdf = made.key_pdf = pdf.draw([Sheet().finish()], title="Sheets")
    made.state = made.State.READY
    made.save()
    return made


def connect(school, classroom, teacher, co):
    """Return a platform that does not exist, whose course is the class; two teachers are linked."""
    at = "https://moodle.invalid"
    platform = LtiPlatform.objects.create(
        school=school, name="Moodle", issuer=at, client_id=str(school.pk), auth_url=f"{at}/auth",
        token_url=f"{at}/token", keys_url=f"{at}/keys",
    )  # fmt: skip
    platform.people.create(subject="7", user=teacher)
    platform.people.create(subject="8", user=co)
    deployment = platform.deployments.create(deployment_id="1")
    course = deployment.courses.create(context_id="course", classroom=classroom)
    course.links.create(resource_link_id="activity")
    return platform


def launched(person, platform):
    """Return *person* as they come from an activity of the platform's course.

    What the platform signed was checked already; `lti/open/` lets them in.
    """
    course = LtiCourse.objects.get(deployment__platform=platform)
    who = User.objects.get(pk=person.pk)
    who.arrival = Arrival(
        platform=platform.pk, person=who.pk, course=course.pk, link=course.links.get().pk
    )
    return who


def build_two() -> tuple[Filled, Filled]:
    """Fill the school that is asked, and another one."""
    numbers = itertools.count(1)

    def make_person(role, school=None):
        # Not as the fixture of this name calls people, so that a test may have both.
        name = f"{role}-of-house{next(numbers)}"
        return people.create_person(
            username=name, display_name=name.title(), role=role, school=school, password=PASSWORD
        )

    other = build(School.objects.create(name="Druga škola"), "Foreign", make_person)
    own = build(School.objects.create(name="Osnovna škola"), "Tajna", make_person)
    return own, other


def build(school: School, secret: str, make_person: Any) -> Filled:
    """Fill a school: people in every role, a list, puzzles, imports, a first find."""
    site_admin = make_person(Role.SCHOOL_ADMIN)
    site_admin.is_superuser = site_admin.is_staff = True
    site_admin.save()
    teacher, co, viewer, substitute, former, guest, colleague = (
        make_person(Role.TEACHER, school) for _each in range(7)
    )
    student, twin, other = (make_person(Role.STUDENT, school) for _each in range(3))
    student.display_name = f"{secret} student"
    student.save()
    classroom = people.create_classroom(name=f"{secret} class", owner=teacher)
    classroom.is_join_open = True
    classroom.has_daily_puzzle = True
    classroom.save()
    places = {co: "co_teacher", viewer: "viewer", student: "student", twin: "student"}
    for person, role in places.items():
        people.join_classroom(classroom=classroom, person=person, role=role)
    for person, until in {
        substitute: school.today(),
        former: school.today() - timedelta(days=1),
    }.items():
        Membership.objects.create(classroom=classroom, user=person, role="substitute", until=until)
    chess = people.create_classroom(name="chess", owner=colleague)
    people.join_classroom(classroom=chess, person=other, role="student")
    words = vocabulary.create_list(
        owner=teacher,
        title=f"{secret} list",
        language="hr",
        translation_languages=["en"],
        rows=rows(ANIMALS),
    )
    sharing.share_list(vocabulary_list=words, teacher=guest, may_edit=True)
    copied = sharing.copy_list(original=words, owner=teacher)
    sharing.share_list(vocabulary_list=copied, teacher=guest, may_edit=True)
    puzzle, adaptive = (
        assignments.give(
            vocabulary_list=words,
            kind="word-search",
            created_by=teacher,
            classrooms=[classroom],
            seed=seed,
            title=f"{secret} game",
        )
        for seed in (1, 2)
    )
    for each in (puzzle, adaptive):
        ledger.run_job(str(puzzle_services.job_of(each).pk))
        each.refresh_from_db()
    given_up = puzzle_services.request_puzzle(
        vocabulary_list=words, kind="word-search", created_by=teacher, title=f"{secret} given up"
    )
    Job.objects.filter(pk=puzzle_services.job_of(given_up).pk).update(state=Job.State.FAILED)
    given_up.state = Puzzle.State.FAILED
    given_up.save()
    game = live.open_game(
        classroom=classroom, actor=teacher, mode="race", vocabulary_list=words, words=5
    )
    ledger.run_job(str(puzzle_services.job_of(game.puzzle).pk))
    player = live.join(game=game, student=twin)
    game = live.start(game)
    own = adaptive.assignments.get()
    assignments.change(assignment=own, is_adaptive=True)
    placement = puzzle.placements.order_by("pk").first()
    assert placement is not None
    second = puzzle.placements.order_by("pk").last()
    assert second is not None
    play.record_move(
        session=play.open_session(puzzle=puzzle, student=student),
        move_id=uuid.uuid4(),
        move=SentMove(slot=None, cells=tuple(map(tuple, second.cells)), tiles=None),
    )
    assert second.entry is not None
    edit = bulk.change_many(
        vocabulary_list=words,
        person=teacher,
        action="tag",
        entries=[second.entry.pk],
        tag=f"{secret} tag",
    )
    entry = second.entry
    entry.refresh_from_db()
    entry.image = convert.store(PNG + secret.encode(), ".png")  # the secret can be told in it
    entry.save()
    # Last of all: an import is undone while the list is as it left it.
    waiting, applied = (
        imports.start_import(
            vocabulary_list=words, created_by=teacher, text=f"{term}\t{secret} meaning\n"
        )
        for term in ("rakun", "vidra")
    )
    imports.apply_import(import_=applied)
    binned_list = vocabulary.create_list(
        owner=teacher, title=f"{secret} list", language="hr", translation_languages=["en"]
    )
    vocabulary.delete_list(vocabulary_list=binned_list, actor=teacher)
    binned_student = make_person(Role.STUDENT, school)
    binned_student.display_name = f"{secret} student"
    binned_student.save()
    people.join_classroom(classroom=classroom, person=binned_student, role="student")
    privacy.delete_student(person=binned_student, actor=teacher)
    goals.switch_ranking(classroom=classroom, is_on=True)
    roster, added = (
        roster_imports.begin(
            classroom=classroom, roster=parse_roster(f"{secret} {name}"), actor=teacher
        )
        for name in ("Mia", "Iva")
    )
    roster.file_classes = {"c1": f"{secret} 6b", "c2": "6c"}
    roster.file_class = "c1"
    roster.save()
    roster.lines.update(file_classes=["c1", "c2"])
    mark = roster_imports.preview(roster=added, actor=teacher).mark
    roster_imports.add(roster=added, actor=teacher, mark=mark, choices={})
    school.allows_parent_links = True
    school.save()
    [(_link, parent_token)] = parents.issue(students=[student], classroom=classroom, actor=teacher)
    share_link, list_token = links.create(actor=teacher, vocabulary_list=words, may_copy=True)
    admin = make_person(Role.SCHOOL_ADMIN, school)
    school_roster, added_school_roster = (
        school_imports.begin(school=school, file=school_file.read(data), actor=admin)
        for data in (
            packed(
                users=[user("s1", f"{secret} Eva", "Kos")],
                classes=[klass("a", f"{secret} 5a")],
                places=[place("s1", "a")],
            ),
            packed(users=[user("t1", f"{secret} Iva", "Kos", "teacher")]),
        )
    )
    school_imports.import_now(roster=added_school_roster, actor=admin)
    webhook = Webhook.objects.create(
        school=school,
        url=f"https://127.0.0.1/{secret}",
        secret=secrets.encrypt(secret),
        events=["assignment.finished"],
    )
    return Filled(
        share_link=share_link,
        list_token=list_token,
        puzzle_token=links.create(actor=teacher, puzzle=puzzle)[1],
        parent_token=parent_token,
        delivery=WebhookDelivery.objects.create(webhook=webhook, payload={}, state="failed"),
        school_roster=school_roster,
        added_school_roster=added_school_roster,
        secret=secret,
        school=school,
        teacher=teacher,
        co_teacher=co,
        viewer=viewer,
        substitute=substitute,
        former=former,
        guest=guest,
        colleague=colleague,
        admin=admin,
        student=student,
        twin=twin,
        other_student=other,
        classroom=classroom,
        vocabulary_list=words,
        copied=copied,
        blocked_word=BlockedWord.objects.create(school=school, word=f"{secret} word"),
        edit=edit,
        entry=entry,
        search=begin_search(words, teacher, words=5),
        puzzle=puzzle,
        worksheet_set=print_for(puzzle, classroom, teacher),
        given_up=given_up,
        placement=placement,
        found=second,
        assignment=puzzle.assignments.get(),
        adaptive=own,
        waiting=waiting,
        applied=applied,
        member=classroom.memberships.get(user=student),
        colleagues_place=classroom.memberships.get(user=co),
        site_admin=site_admin,
        passkey=Passkey.objects.create(
            user=teacher,
            name=f"{secret} phone",
            credential_id=secret,
            credential=websafe_encode(bytes(Device().credential())),
        ),
        identity=IdentityProvider.objects.create(
            school=school, name="Accounts", issuer="https://login.invalid", client_id="x"
        ).identities.create(subject="7", user=teacher),
        platform=connect(school, classroom, teacher, co),
        invitation=invitations.invite(
            school=school, classroom=classroom, role="viewer", actor=teacher
        )[0],
        binned_list=binned_list,
        binned_student=binned_student,
        token=tokens.create(person=teacher, scope="read", name=f"{secret} program")[0],
        browser=BrowserSession.objects.create(
            session_key=f"browser-of-school-{school.pk}",
            session_data="",
            user=teacher,
            seen_at=timezone.now(),
            expire_date=timezone.now() + timedelta(days=1),
        ),
        roster=roster,
        game=game,
        player=player,
        added_roster=added,
        join_request=JoinRequest.objects.create(classroom=classroom, name=f"{secret} visitor"),
        joined=joining.join(classroom=classroom, name=f"{secret} joined")[0].student,
    )


READS_JSON = ("/api/", "/me/passkeys/options/", "/me/passkeys/new/", "/login/passkey/")
_handler = Client().handler  # loaded once: the middleware looks through all static files
# What each request writes about itself, whoever asks.
_ABOUT_THE_REQUEST = ("browsersession", "failedlogin", "last_login")


@dataclass
class Answer:
    """What came back, and which rows were written meanwhile."""

    status: int
    url: str
    text: str
    writes: list[str]
    after: Any = None

    @property
    def is_refused(self) -> bool:
        if self.status in {301, 302}:
            return self.url.startswith(("/login/", "/admin/login/"))
        return self.status in {400, 401, 403, 404, 405}


def sent_as(method, path, body):
    """Return the arguments with which Django's client sends a body: a form, a file or JSON."""
    files = [value for value in body.values() if isinstance(value, SimpleUploadedFile)]
    for file in files:
        file.seek(0)  # it may have been sent before
    if files and method != "POST":
        return {"data": encode_multipart(BOUNDARY, body), "content_type": MULTIPART_CONTENT}
    if method == "GET" or files:
        return {"data": body}
    if path.startswith(READS_JSON):
        return {"data": json.dumps(body), "content_type": "application/json"}
    return {"data": body} if method == "POST" else {}


def ask(person, method, path, body=None, *, follow=False, look=None, token="") -> Answer:
    """Ask in a transaction that is rolled back; *look*, given what was written, reads it before.

    With *follow* the text is also of the page that a redirect leads to, where messages are told.
    With *token* a program asks, not a browser.
    """
    client = Client(headers={"Authorization": f"Token {token}"} if token else None)
    client.handler = _handler
    if person is not None and not token:
        client.cookies[settings.SESSION_COOKIE_NAME] = _session_of(person)
    sent = sent_as(method, path, body or {})
    writes: list[str] = []

    def note_writes(execute, sql, parameters, many, context):
        if sql.startswith(("INSERT", "UPDATE", "DELETE")) and not any(
            table in sql for table in _ABOUT_THE_REQUEST
        ):
            writes.append(sql)
        return execute(sql, parameters, many, context)

    with transaction.atomic():
        with connection.execute_wrapper(note_writes):
            reply = getattr(client, method.lower())(path, **sent)
            text = _text_of(reply)
        if follow and reply.status_code == 302 and reply.url.startswith("/"):
            text += _text_of(client.get(reply.url))
        after = look(writes) if look and writes else None
        transaction.set_rollback(True)
    return Answer(reply.status_code, getattr(reply, "url", ""), text, writes, after)


def _session_of(person) -> str:
    """Log in once a test; what requests do to the session is undone."""
    if not hasattr(person, "session_of_test"):
        client = Client()
        if hasattr(person, "arrival"):
            client.cookies[ARRIVED] = signing.dumps(person.arrival.as_dict(), salt=ARRIVED_SALT)
            client.get("/lti/open/")
        else:
            client.force_login(person)
        person.session_of_test = client.cookies[settings.SESSION_COOKIE_NAME].value
    return person.session_of_test


def _text_of(reply) -> str:
    """Return what is read in an answer, also in files that are packed."""
    content = b"".join(reply.streaming_content) if reply.streaming else reply.content
    if not content.startswith(b"PK"):
        return content.decode(errors="replace")
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return "".join(archive.read(name).decode(errors="replace") for name in archive.namelist())
