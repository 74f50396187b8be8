"""A person's data: all of it handed over, all of it deleted, and classes not kept for ever."""

import base64
import io
import json
import logging
import os
import uuid
import zipfile
from datetime import timedelta
from pathlib import Path

import pytest
from django.apps import apps
from django.contrib.admin.models import LogEntry
from django.core import serializers
from django.core.cache import caches
from django.core.cache.backends.db import DatabaseCache
from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.utils import timezone
from django.utils.formats import date_format

from osmosmjerka.accounts import people
from osmosmjerka.accounts.auth import cards
from osmosmjerka.accounts.auth.sessions import row_key
from osmosmjerka.accounts.classrooms import services as classes
from osmosmjerka.accounts.models import AuditEntry, BrowserSession, Classroom, Membership, User
from osmosmjerka.accounts.privacy import retention
from osmosmjerka.accounts.privacy import services as privacy
from osmosmjerka.accounts.schools import invitations, teachers
from osmosmjerka.jobs import ledger
from osmosmjerka.jobs.models import Job
from puzzles.kinds.base import SentMove
from puzzles.play import services as play
from tests.mailing import deliver
from tests.services import is_listening, missing

pytestmark = pytest.mark.database

SENTINEL = "Zzyzx-Sentinel"
# PostgreSQL's files belong to its server, and a backup is a dump that holds no deleted rows.
SQLITE_ONLY = pytest.mark.skipif(connection.vendor != "sqlite", reason="reads SQLite's file")


def undeclared():
    return {model._meta.label for model in apps.get_models()} - {
        declared.label for declared in privacy.declarations().values()
    }


def test_every_model_says_what_becomes_of_a_persons_data():
    assert undeclared() == set()


def test_a_model_that_nobody_declared_is_found(monkeypatch):
    kept = dict(privacy._declared)
    del kept["puzzles.move"]
    monkeypatch.setattr(privacy, "_declared", kept)
    assert undeclared() == {"puzzles.Move"}


def test_keeping_wants_a_reason():
    with pytest.raises(ValueError, match="why"):
        privacy.declare("puzzles.Move", person="session__student", on_erase="keep")


@pytest.fixture
def planted(student, teacher, classroom, make_puzzle):
    """The student with a name that is nowhere else, after a day's play."""
    student.display_name = SENTINEL
    student.username = SENTINEL.lower()
    student.save()
    puzzle = make_puzzle()
    session = play.open_session(puzzle=puzzle, student=student)
    placement = puzzle.placements.first()
    play.record_move(
        session=session,
        move_id=uuid.uuid4(),
        move=SentMove(slot=None, cells=tuple(map(tuple, placement.cells)), tiles=None),
        latency_ms=1200,
    )
    return student


def tables():
    """Return every row of every table of the database, Django's and the cache's too."""
    with connection.cursor() as cursor:
        names = connection.introspection.table_names(cursor)
    return "\n".join(map(rows_of, names))


def rows_of(table):
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")  # noqa: S608
        return "\n".join(map(repr, cursor.fetchall()))


def cached():
    """Return every key and value of the cache, whichever it is."""
    cache = caches["default"]
    if isinstance(cache, LocMemCache):
        return repr(cache._cache)
    if isinstance(cache, RedisCache):
        client = cache._cache.get_client()
        return repr([(key, client.get(key)) for key in client.scan_iter("*")])
    assert isinstance(cache, DatabaseCache)
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT cache_key, value FROM {cache._table}")  # noqa: S608
        return repr([(key, base64.b64decode(value)) for key, value in cursor.fetchall()])


def files(folder):
    """Return the names and the bytes of every file in a folder."""
    return "".join(
        f"{path} {path.read_bytes()!r}" for path in Path(folder).rglob("*") if path.is_file()
    )


def logged(caplog):
    """Return what the logs tell but of queries, which are told only when one asks for them."""
    return "\n".join(
        f"{record.getMessage()} {record.exc_text}"
        for record in caplog.records
        if record.name != "django.db.backends"
    )


def traces(settings, caplog):
    """Return where the sentinel is still found."""
    places = {
        "database": tables() + repr([row.get_decoded() for row in BrowserSession.objects.all()]),
        "cache": cached(),
        "media": files(settings.MEDIA_ROOT),
        "logs": logged(caplog),
    }
    return {place for place, text in places.items() if SENTINEL.lower() in text.lower()}


# Each test process has a database of its own, from 2 up; their brokers' go from 15 down.
_PROCESS = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
CACHES = {
    "this process": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"},
    "database": {"BACKEND": "django.core.cache.backends.db.DatabaseCache", "LOCATION": "kept"},
    "Redis": {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": f"redis://127.0.0.1:6379/{2 + _PROCESS}",
    },
}


@pytest.fixture(params=CACHES)
def cache(request, settings, db):
    """Each cache that may be configured."""
    if request.param == "Redis" and not is_listening(6379):
        missing("Redis")
    settings.CACHES = {"default": CACHES[request.param]}
    if request.param == "database":
        call_command("createcachetable", verbosity=0)
    yield caches["default"]
    caches["default"].delete("greeting")  # what the control puts there


def test_erasing_leaves_no_trace_of_the_name(
    planted, teacher, classroom, sign_in, make_person, caplog, settings, tmp_path, cache
):
    settings.MEDIA_ROOT = tmp_path
    caplog.set_level(logging.DEBUG)
    card = cards.issue_cards(students=[planted], actor=teacher, classroom=classroom)[0]
    pupil, own = Client(), sign_in(teacher)
    pupil.post("/card/", {"token": card.token})
    assert SENTINEL in pupil.get("/").content.decode()
    for path in ("people/", "progress/", f"pupils/{planted.pk}/"):
        assert SENTINEL in own.get(f"/classes/{classroom.pk}/{path}").content.decode()
    own.post(f"/pupils/{planted.pk}/export/")
    own.post(f"/classes/{classroom.pk}/cards/", {"which": "all", "format": "pdf"})
    pupil.get("/nowhere/")
    changed = {"username": planted.username, "display_name": f"{SENTINEL} B.", "role": "student",
               "school": planted.school_id, "is_active": "on", "email": ""}  # fmt: skip
    site_admin = make_person(User.Role.SCHOOL_ADMIN, is_site_admin=True)
    place = f"/admin/accounts/user/{planted.pk}/change/"
    assert sign_in(site_admin).post(place, changed).status_code == 302
    assert SENTINEL in LogEntry.objects.get().object_repr
    pupil.post("/card/", {"token": card.token})
    assert traces(settings, caplog) == {"database"}  # as long as the student is there
    own.post(f"/pupils/{planted.pk}/erase/")
    assert traces(settings, caplog) == {"database"}  # the bin has them
    own.post(f"/bin/students/{planted.pk}/erase/", {"username": planted.username})
    assert not User.objects.filter(pk=planted.pk).exists()
    assert traces(settings, caplog) == set()
    assert pupil.get("/words/").status_code == 302
    assert not any(
        session.get_decoded().get("_auth_user_id") == str(planted.pk)
        for session in BrowserSession.objects.all()
    )
    assert AuditEntry.objects.filter(action="erased person", subject_id=planted.pk).exists()


def test_the_search_finds_a_name_wherever_it_is(cache, settings, caplog, tmp_path, student):
    """The control: a name in each place is found."""
    settings.MEDIA_ROOT = tmp_path
    (tmp_path / "note.txt").write_text(SENTINEL)
    cache.set("greeting", f"Hello, {SENTINEL}")
    logging.getLogger("any").error("Hello, %s", SENTINEL)
    User.objects.filter(pk=student.pk).update(display_name=SENTINEL)
    wanted = {"database", "cache", "media", "logs"}
    assert traces(settings, caplog) == wanted


@SQLITE_ONLY
@pytest.mark.parametrize("is_secure", [True, False])
def test_the_file_of_the_database_forgets_what_is_erased(
    transactional_db, student, teacher, classroom, is_secure
):
    """A backup that copies the file holds no erased name; without the setting it would."""
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA secure_delete")
        was = cursor.fetchone()[0]
        cursor.execute(f"PRAGMA secure_delete={'ON' if is_secure else 'OFF'}")
    assert was == 1
    User.objects.filter(pk=student.pk).update(display_name=SENTINEL * 3)
    privacy.erase_person(person=User.objects.get(pk=student.pk), actor=teacher)
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA secure_delete=ON")
    assert (SENTINEL.encode() in files_of_database()) is not is_secure


def files_of_database():
    """Return the bytes of SQLite's file and of those beside it, as a backup copies them."""
    file = Path(connection.settings_dict["NAME"])
    beside = [file.with_name(file.name + ending) for ending in ("", "-wal", "-shm")]
    return b"".join(path.read_bytes() for path in beside if path.exists())


@SQLITE_ONLY
@pytest.mark.parametrize("way", ["student", "class"])
@pytest.mark.parametrize("is_emptied", [True, False])
def test_the_write_ahead_file_forgets_what_is_erased(
    transactional_db, way, is_emptied, student, teacher, classroom, sign_in, monkeypatch
):
    """Three seconds after an erasure it still held a name eleven times; so the control."""
    User.objects.filter(pk=student.pk).update(display_name=SENTINEL, username=SENTINEL)
    sign_in(User.objects.get(pk=student.pk)).get("/")
    assert SENTINEL.encode() in files_of_database()
    if not is_emptied:
        monkeypatch.setattr(privacy, "forget_traces", lambda: None)
    if way == "student":
        client = sign_in(teacher)
        client.post(f"/pupils/{student.pk}/erase/")
        client.post(f"/bin/students/{student.pk}/erase/", {"username": SENTINEL})
    else:
        privacy.erase_classroom(classroom=classroom, actor=teacher)
    assert not User.objects.filter(pk=student.pk).exists()
    assert (SENTINEL.encode() in files_of_database()) is not is_emptied


def test_erasing_a_class_ends_the_sessions_of_its_students_alone(classroom, teacher, sign_in):
    names = [f"Mia {number}" for number in range(6)]
    made = classes.add_students(classroom=classroom, names=names, actor=teacher)
    sign_in(teacher)
    for student in made:
        sign_in(student)
    privacy.erase_classroom(classroom=classroom, actor=teacher)
    assert {row.user_id for row in BrowserSession.objects.all()} == {teacher.pk}


def test_the_wrong_name_typed_erases_nobody(planted, teacher, sign_in):
    client = sign_in(teacher)
    client.post(f"/pupils/{planted.pk}/erase/")
    client.post(f"/bin/students/{planted.pk}/erase/", {"username": "somebody"})
    assert User.objects.filter(pk=planted.pk).exists()


def test_the_export_holds_every_field_of_every_row(planted, sign_in):
    reply = sign_in(planted).post("/me/data/")
    with zipfile.ZipFile(io.BytesIO(reply.content)) as archive:
        data = json.loads(archive.read("data.json"))
        page = archive.read("data.html").decode()
    assert SENTINEL in page
    for label, declared in privacy.declarations().items():
        rows = declared.rows_of(planted)
        assert len(data.get(label, [])) == rows.count(), label
        for row in data.get(label, []):
            fields = {field.attname for field in declared.model._meta.concrete_fields}
            assert fields <= set(row), label
    for label in ("accounts.user", "accounts.membership", "puzzles.playsession", "puzzles.move",
                  "vocab.review", "vocab.wordprogress"):  # fmt: skip
        assert data[label], label
    assert data["accounts.user"][0]["password"] == "(kept secret)"
    assert [entry["action"] for entry in data["accounts.auditentry"]] == ["exported data"]
    assert data["puzzles.move"][0]["placement__term"] in page


def test_the_export_holds_what_the_log_says_of_the_person_and_of_nobody_else(
    planted, teacher, classroom, sign_in
):
    own = sign_in(teacher)
    mia = classes.add_students(classroom=classroom, names=["Mia"], actor=teacher)[0]
    own.post(f"/classes/{classroom.pk}/cards/", {"which": "all", "format": "page"})
    own.post(f"/pupils/{planted.pk}/view/")
    own.post("/view/stop/")

    def log_of(reply):
        with zipfile.ZipFile(io.BytesIO(reply.content)) as archive:
            return json.loads(archive.read("data.json"))["accounts.auditentry"]

    told = log_of(own.post(f"/pupils/{planted.pk}/export/"))
    assert {entry["action"] for entry in told} == {"issued card", "viewed as", "exported data"}
    assert {(entry["actor_id"], entry["subject_id"]) for entry in told} == {
        (teacher.pk, planted.pk)
    }
    done = log_of(own.post("/me/data/"))
    assert {"created class", "created pupil", "viewed as"} <= {entry["action"] for entry in done}
    assert mia.pk in {entry["subject_id"] for entry in done}


def test_a_teacher_of_one_of_two_classes_neither_exports_nor_erases(
    planted, teacher, make_person, school, sign_in
):
    chess = people.create_classroom(name="chess", owner=make_person(User.Role.TEACHER, school))
    people.join_classroom(classroom=chess, person=planted, role=Membership.Role.STUDENT)
    client = sign_in(teacher)
    assert client.post(f"/pupils/{planted.pk}/export/").status_code == 404
    assert client.post(f"/pupils/{planted.pk}/erase/").status_code == 404
    assert client.get(f"/pupils/{planted.pk}/").status_code == 200
    admin = sign_in(make_person(User.Role.SCHOOL_ADMIN, school))
    assert admin.post(f"/pupils/{planted.pk}/export/")["Content-Type"] == "application/zip"


def test_a_teacher_is_not_erased_with_their_classes(teacher):
    with pytest.raises(ValueError, match="no student"):
        privacy.erase_person(person=teacher, actor=None)


def days_ago(days):
    return timezone.now() - timedelta(days=days)


def test_an_archived_class_is_warned_of_and_then_erased(
    classroom, teacher, student, school, make_person, mailoutbox
):
    teacher.email = "ana@school.example"
    teacher.save()
    chess = people.create_classroom(name="chess", owner=teacher)
    stays = make_person(User.Role.STUDENT, school)
    for each in (classroom, chess):
        people.join_classroom(classroom=each, person=stays, role=Membership.Role.STUDENT)
    classes.archive_classroom(classroom=classroom, actor=teacher)
    assert retention.enforce_retention()["mailed"] == 0
    Classroom.objects.filter(pk=classroom.pk).update(archived_at=days_ago(400))
    assert retention.enforce_retention() == {
        "mailed": 1,
        "unwarned": 0,
        "erased": 0,
        "forgotten": 0,
    }
    deliver()
    assert "6b" in mailoutbox[0].body
    assert mailoutbox[0].to == [teacher.email]
    assert retention.enforce_retention() == {
        "mailed": 0,
        "unwarned": 0,
        "erased": 0,
        "forgotten": 0,
    }
    Classroom.objects.filter(pk=classroom.pk).update(erasure_warned_at=days_ago(31))
    assert retention.enforce_retention()["erased"] == 1
    assert set(Classroom.objects.all()) == {chess}
    assert not User.objects.filter(pk=student.pk).exists()
    assert User.objects.filter(pk=stays.pk).exists()


def test_who_left_is_not_warned_but_the_school_is(
    classroom, teacher, school, make_person, mailoutbox
):
    admin = make_person(User.Role.SCHOOL_ADMIN, school)
    for person in (teacher, admin):
        person.email = f"{person.username}@school.example"
        person.save()
    teachers.close_account(person=teacher, actor=admin)
    Classroom.objects.update(archived_at=days_ago(400))
    retention.enforce_retention()
    deliver()
    assert [mail.to for mail in mailoutbox] == [[admin.email]]


def test_a_warning_of_long_ago_is_none_for_an_end_that_was_moved(classroom, teacher, school):
    User.objects.filter(pk=teacher.pk).update(email="ana@school.example")
    classes.archive_classroom(classroom=classroom, actor=teacher)
    Classroom.objects.update(archived_at=days_ago(340))
    assert retention.enforce_retention()["mailed"] == 1
    deliver()
    for kept_for, days in ((1000, 340), (365, 400)):  # kept longer, and then as long as before
        type(school).objects.update(retention_days=kept_for)
        Classroom.objects.update(archived_at=days_ago(days))
        assert retention.enforce_retention()["erased"] == 0
        deliver()
    assert Classroom.objects.get().erasure_warned_at.date() == timezone.now().date()


def test_the_page_of_an_archived_class_tells_when_it_is_erased(sign_in, teacher, classroom):
    """Also to a teacher who gave no e-mail address."""
    own, path = sign_in(teacher), f"/classes/{classroom.pk}/people/"
    assert "will be permanently deleted" not in own.get(path).content.decode()
    classes.archive_classroom(classroom=classroom, actor=teacher)
    Classroom.objects.update(archived_at=days_ago(100))
    far = timezone.localtime(timezone.now() + timedelta(days=265))
    assert f"permanently deleted on {date_format(far)}" in own.get(path).content.decode()
    Classroom.objects.update(archived_at=days_ago(364))
    later = timezone.localtime(timezone.now() + timedelta(days=30))  # warned only now, by this page
    assert f"permanently deleted on {date_format(later)}" in own.get(path).content.decode()
    assert "6b" in own.get("/classes/").content.decode()


def test_sessions_that_are_over_are_not_kept(sign_in, student, teacher):
    left, going_on = sign_in(student), sign_in(teacher)
    BrowserSession.objects.filter(pk=row_key(left.session.session_key)).update(
        expire_date=days_ago(1)
    )
    retention.enforce_retention()
    assert [row.pk for row in BrowserSession.objects.all()] == [
        row_key(going_on.session.session_key)
    ]


def test_the_house_is_kept_once_a_day_however_many_workers_ask(db):
    ledger.enqueue_daily()
    ledger.enqueue_daily()
    job = Job.objects.get(kind="accounts.retention")
    ledger.run_job(str(job.pk))
    job.refresh_from_db()
    assert (job.state, job.result["erased"]) == (Job.State.DONE, 0)


def test_the_school_admin_reads_who_did_what_and_no_other_schools(
    sign_in, make_person, school, other_school, teacher, student, classroom
):
    cards.issue_cards(students=[student], actor=teacher, classroom=classroom)
    own = sign_in(make_person(User.Role.SCHOOL_ADMIN, school))
    page = own.get(f"/schools/{school.pk}/log/").content.decode()
    assert "Ana created a login card for Luka." in page
    assert "Luka" in page and "Ana" in page
    invitations.invite(school=school, classroom=classroom, role="viewer", actor=teacher)
    page = own.get(f"/schools/{school.pk}/log/").content.decode()
    assert "Ana invited a teacher: 6b · Viewer." in page
    other = sign_in(make_person(User.Role.SCHOOL_ADMIN, other_school))
    assert other.get(f"/schools/{school.pk}/log/").status_code == 404
    assert "Luka" not in other.get(f"/schools/{other_school.pk}/log/").content.decode()


def test_no_name_is_in_the_log_itself(teacher, student, classroom):
    cards.issue_cards(students=[student], actor=teacher, classroom=classroom)
    kept = serializers.serialize("json", AuditEntry.objects.all())
    for name in ("Luka", "luka", "Ana", "6b"):
        assert f'"{name}' not in kept
