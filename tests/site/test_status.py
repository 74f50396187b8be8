"""The status page tells a site admin what to do, and shows no name of a child."""

import json
import socket
import threading
from datetime import timedelta

import pytest
from django.core import mail as django_mail
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

import osmosmjerka
from osmosmjerka.accounts import mail
from osmosmjerka.accounts.models import AuditEntry, User
from osmosmjerka.jobs import ledger
from osmosmjerka.jobs.models import Job, OutsideService, WorkerHeartbeat
from osmosmjerka.jobs.worker import QUEUES
from osmosmjerka.server import preparation
from osmosmjerka.status import facts, health
from osmosmjerka.status.services import retry_job
from puzzles.making import services as making
from puzzles.models import Puzzle

pytestmark = [pytest.mark.django_db, pytest.mark.database]

ADDRESS = "root@school.example"
SMTP = "django.core.mail.backends.smtp.EmailBackend"


@pytest.fixture
def admin(make_person, school, sign_in):
    person = make_person(User.Role.SCHOOL_ADMIN, school, "root", is_site_admin=True)
    person.email = ADDRESS
    person.save()
    return sign_in(person)


@pytest.fixture
def all_workers():
    WorkerHeartbeat.objects.create(name="server:1", seen_at=timezone.now(), slots=QUEUES)


def enqueue(key="1", **changes):
    job = ledger.enqueue("puzzles.forget_searches", key=key)
    Job.objects.filter(pk=job.pk).update(**changes)
    return job


@pytest.fixture
def failed_puzzle(animals, teacher, monkeypatch):
    """A puzzle whose job failed three times, because the generator was broken."""
    puzzle = making.request_puzzle(
        vocabulary_list=animals, kind="word-search", created_by=teacher, seed=1
    )
    job = making.job_of(puzzle)

    def broken(_puzzle):
        raise OSError("no room\nDETAIL: Key (name)=(Luka) exists")

    with monkeypatch.context() as patch:
        patch.setattr(making, "prepare", broken)
        for _attempt in range(ledger.MAX_ATTEMPTS):
            ledger.run_job(str(job.pk))
    puzzle.refresh_from_db()
    assert puzzle.state == Puzzle.State.FAILED
    return puzzle


def test_all_is_well_with_a_worker_of_every_queue(admin, all_workers, monkeypatch):
    monkeypatch.setattr(preparation, "lacks", list)
    text = admin.get("/status/").text
    assert "message--error" not in text
    assert "server:1" in text
    assert osmosmjerka.__version__ in text


def test_what_this_version_lacks_is_told_with_the_command(admin, all_workers, monkeypatch):
    monkeypatch.setattr(preparation, "fingerprint_of_sources", lambda: "of another version")
    assert "<code>manage.py collectstatic" in admin.get("/status/").text


def test_a_queue_that_no_worker_serves_is_told(admin):
    silent = timezone.now() - timedelta(hours=1)
    WorkerHeartbeat.objects.create(name="server:1", seen_at=silent, slots=QUEUES)
    WorkerHeartbeat.objects.create(name="server:2", seen_at=timezone.now(), slots={"default": 2})
    text = " ".join(admin.get("/status/").text.split())
    for name in ("search", "sound"):
        assert f"No worker takes tasks from the queue <code>{name}</code>" in text
    assert "from the queue <code>default</code>" not in text


def test_queues_show_what_waits_and_for_how_long(all_workers):
    now = timezone.now()
    enqueue("1", ready_at=now - timedelta(minutes=7))
    enqueue("2")
    enqueue("3", ready_at=now + timedelta(hours=1))
    enqueue("4", state=Job.State.RUNNING)
    now = timezone.now()
    line = facts.queues(facts.workers(now), now)[0]
    assert (line.name, line.waiting, line.later, line.running) == ("default", 2, 1, 1)
    assert 7 * 60 <= line.longest.total_seconds() < 8 * 60
    assert line.slots == QUEUES["default"]
    [kind] = facts.kinds()
    assert (kind["queued"], kind["running"], kind["done"]) == (3, 1, 0)


def test_a_failed_task_shows_its_error_without_the_values_of_rows(admin, failed_puzzle):
    text = admin.get("/status/").text
    assert "OSError: no room" in text
    assert "DETAIL" not in text
    assert "Luka" not in text


def test_a_failed_task_is_tried_again_by_one_press(
    admin, failed_puzzle, django_capture_on_commit_callbacks
):
    job = making.job_of(failed_puzzle)
    path = f"/status/jobs/{job.pk}/retry/"
    with django_capture_on_commit_callbacks() as callbacks:
        reply = admin.post(path, follow=True)
    assert "in the queue again" in reply.text
    assert len(callbacks) == 1  # a worker is told
    failed_puzzle.refresh_from_db()
    assert failed_puzzle.state == Puzzle.State.QUEUED
    ledger.run_job(str(job.pk))
    failed_puzzle.refresh_from_db()
    assert failed_puzzle.state == Puzzle.State.READY
    assert "no longer in the list of failed tasks" in admin.post(path, follow=True).text
    job.refresh_from_db()
    assert job.state == Job.State.DONE
    [entry] = AuditEntry.objects.filter(action="retried job")
    assert entry.detail == {"kind": "puzzles.generate", "job": str(job.pk)}
    log = admin.get(f"/schools/{entry.school_id}/log/").text
    assert "Root started a failed background task again." in log


def test_only_a_failed_task_is_tried_again(failed_puzzle, teacher):
    job = making.job_of(failed_puzzle)
    for state in set(Job.State) - {Job.State.FAILED}:
        Job.objects.filter(pk=job.pk).update(state=state)
        assert not retry_job(job, actor=teacher)
    assert not AuditEntry.objects.filter(action="retried job").exists()


def test_the_page_shows_no_name_of_a_student(admin, classroom, student, failed_puzzle):
    """Their school has another one than the admin's menu shows."""
    classroom.name = "Risovi"  # not 6b, which may be part of a random number
    classroom.save()
    text = admin.get("/status/").text
    for name in (str(student), student.username, classroom.name, failed_puzzle.title):
        assert name not in text or not name


def test_it_takes_as_many_queries_with_many_tasks(admin, all_workers):
    admin.get("/status/")
    with CaptureQueriesContext(
        connection,
    ) as few:
        admin.get("/status/")
    for number in range(30):
        enqueue(f"f{number}", state=Job.State.FAILED, finished_at=timezone.now())
        enqueue(f"q{number}")
    with CaptureQueriesContext(connection) as many:
        admin.get("/status/")
    assert len(many) == len(few) <= 14


def test_the_last_backup_is_shown(admin, settings, tmp_path):
    settings.DATA_DIR = tmp_path
    assert "None that this site knows of." in admin.get("/status/").text
    told = {"at": "2026-11-20T03:00:00+00:00", "file": "site-20.tar", "size": 5_000_000}
    (tmp_path / "last_backup.json").write_text(json.dumps(told))
    text = admin.get("/status/").text
    assert "site-20.tar" in text
    assert "4.8\xa0MB" in text
    (tmp_path / "last_backup.json").write_text("{")  # half written
    assert admin.get("/status/").status_code == 200


def test_folders_that_take_long_to_count_are_not_counted_to_the_end(tmp_path, monkeypatch):
    (tmp_path / "below").mkdir()
    for folder in (tmp_path, tmp_path / "below"):
        (folder / "sound.mp3").write_bytes(b"x" * 1000)
    assert facts._size_of(tmp_path) == (2000, True)
    monkeypatch.setattr(facts, "COUNT_SECONDS", -1.0)
    assert facts._size_of(tmp_path) == (1000, False)


def test_what_hangs_does_not_hang_the_page(monkeypatch):
    never = threading.Event()
    monkeypatch.setattr(health, "_broker", health.Look(never.wait))
    assert health.reachable(0.5) == {"broker": False, "cache": True}
    never.set()


def test_a_broker_that_is_away_is_told(admin, monkeypatch):
    monkeypatch.setattr(health, "reachable", lambda _seconds: {"broker": False, "cache": True})
    text = admin.get("/status/").text
    assert "does not answer. Until it does" in text


def test_googles_voice_shows_that_it_is_left_alone(admin, settings):
    settings.GTTS_ENABLED = True
    assert "Turned on, not used yet." in admin.get("/status/").text
    now = timezone.now()
    row = OutsideService.objects.create(
        name=facts.GOOGLE, next_at=now, failures=5, left_alone_until=now + timedelta(hours=1)
    )
    text = admin.get("/status/").text
    assert "The last 5 requests failed." in text
    assert "The next one is at" in text
    OutsideService.objects.filter(pk=row.pk).update(failures=0)
    assert "The last request succeeded." in admin.get("/status/").text
    settings.GTTS_ENABLED = False
    assert "Turned off" in admin.get("/status/").text


# The test e-mail


def press(admin):
    return " ".join(admin.post("/status/mail/", follow=True).text.split())


def test_a_test_email_that_the_server_accepts(admin, office):
    assert "The mail server accepted the e-mail." in press(admin)
    [(to, _text, _encrypted)] = office.received
    assert to == ADDRESS


def test_a_server_that_refuses_the_address_is_quoted(admin, office):
    office.refusal = "550 no such mailbox"
    assert "does not accept your address. It says: no such mailbox" in press(admin)
    assert office.received == []


def test_a_server_that_is_away_or_misspelt_is_told(admin, settings):
    with socket.socket() as taken:  # bound, and listening to nobody
        taken.bind(("127.0.0.1", 0))
        settings.EMAIL_BACKEND, settings.EMAIL_HOST = SMTP, "127.0.0.1"
        settings.EMAIL_PORT = taken.getsockname()[1]
        assert "No mail server answers at 127.0.0.1, port" in press(admin)
    settings.EMAIL_HOST = "mail.invalid"
    assert "There is no mail server with the name mail.invalid" in press(admin)


def test_a_server_that_says_nothing_is_given_up(admin, settings, monkeypatch):
    monkeypatch.setattr(mail, "TEST_SECONDS", 0.2)
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        settings.EMAIL_BACKEND, settings.EMAIL_HOST = SMTP, "127.0.0.1"
        settings.EMAIL_PORT = silent.getsockname()[1]
        assert "The mail server 127.0.0.1 does not answer." in press(admin)


def test_a_site_without_a_mail_server_says_so(admin, settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"
    page = admin.get("/status/").text
    assert "No mail server is configured" in page
    assert "/status/mail/" not in page
    assert "No mail server is configured" in press(admin)


def test_an_admin_without_an_address_is_led_to_add_one(admin):
    User.objects.filter(username="root").update(email="")
    assert 'href="/me/account/"' in admin.get("/status/").text
    assert "has no e-mail address" in press(admin)
    assert django_mail.outbox == []


def test_the_menu_leads_there_only_for_site_admins(admin, sign_in, make_person, school):
    assert 'href="/status/"' in admin.get("/").text
    other = sign_in(make_person(User.Role.SCHOOL_ADMIN, school))
    assert 'href="/status/"' not in other.get("/").text
    assert other.get("/status/").status_code == 404
