"""What students did is told to a record store: off by default, all of it, once, whatever fails."""

from datetime import timedelta
from io import StringIO

import pytest
import trustme
from django.core.management import call_command
from django.utils import timezone

from osmosmjerka.accounts.models import User
from osmosmjerka.accounts.privacy import services as privacy
from osmosmjerka.jobs import ledger
from osmosmjerka.jobs.models import Job
from puzzles.models import PlaySession, RefusedStatement, SyncCursor
from puzzles.play import services as play
from puzzles.xapi import statements, sync
from puzzles.xapi.client import RecordStore, StoreError
from tests.puzzles.practice.test_practice import find_all
from tests.puzzles.xapi.record_store import KEY, SECRET, Store
from tests.vocab.speech.google_server import GoogleServer, closed_port
from vocab.models import Review

pytestmark = pytest.mark.django_db


@pytest.fixture
def store(settings):
    store = Store()
    settings.XAPI_URL, settings.XAPI_KEY, settings.XAPI_SECRET = store.url, KEY, SECRET
    settings.XAPI_SITE = "https://words.example"
    yield store
    store.close()


@pytest.fixture
def played(make_puzzle, student):
    """One puzzle that was played to its end, a while ago."""
    puzzle = make_puzzle(words=6)
    find_all(puzzle, student)
    play.open_session(puzzle=puzzle, student=puzzle.created_by)  # a teacher looks at it
    long_ago()
    return puzzle


def long_ago(minutes=10):
    then = timezone.now() - timedelta(minutes=minutes)
    Review.objects.filter(at__gt=then).update(at=then)
    PlaySession.objects.filter(started_at__gt=then).update(started_at=then)
    PlaySession.objects.filter(finished_at__gt=then).update(finished_at=then)


def job():
    ledger.enqueue_daily()
    return Job.objects.get(kind=sync.TELL)


def run():
    """Do the job once, as a worker does; return it."""
    told = job()
    if told.state == Job.State.QUEUED:
        ledger.run_job(str(told.pk))
    told.refresh_from_db()
    return told


def expected(student):
    verbs = ["initialized", "completed"] + ["answered"] * Review.objects.count()
    return sorted(verbs)


def verbs(store):
    return sorted(statement["verb"]["display"]["en"] for statement in store.kept.values())


def test_without_a_store_nothing_is_sent(played, store, settings):
    settings.XAPI_URL = ""
    assert run().state == Job.State.DONE
    assert store.asked == []


def test_all_that_students_did_is_told_and_later_only_what_is_new(
    played, store, student, make_puzzle
):
    assert run().state == Job.State.QUEUED  # it comes again, later today
    assert verbs(store) == expected(student)
    assert {s["actor"]["account"]["name"] for s in store.kept.values()} == {str(student.pk)}
    assert all(s["object"]["id"].startswith("https://words.example/") for s in store.kept.values())
    before = len(store.asked)
    run()
    assert len(store.asked) == before  # nothing is new
    find_all(make_puzzle(words=6, seed=2), student)
    long_ago(minutes=5)
    run()
    assert sum(count for _method, count in store.asked) == len(store.kept) == 16


def test_what_is_just_being_written_waits(played, store, student, make_puzzle):
    run()
    find_all(make_puzzle(words=6, seed=2), student)
    run()
    assert len(store.kept) == 8
    long_ago(minutes=2)
    run()
    assert len(store.kept) == 16


def test_one_that_is_too_young_keeps_those_behind_it_waiting(played, store):
    first = Review.objects.order_by("pk").first()
    Review.objects.filter(pk=first.pk).update(at=timezone.now())
    run()
    assert verbs(store) == ["completed", "initialized"]
    long_ago(minutes=2)
    run()
    assert len(store.kept) == 8


@pytest.mark.parametrize("fault", [500, 503, 429, "hang", "kept, then silent"])
def test_a_store_that_fails_is_asked_again_and_keeps_each_statement_once(
    fault, played, store, student, monkeypatch
):
    store.faults = [fault]
    with monkeypatch.context() as patch:
        if fault == "hang":  # then alone: a busy machine may take as long to answer
            impatient = RecordStore(store.url, KEY, SECRET, timeout=(0.5, 0.5))
            patch.setattr(sync, "store", lambda: impatient)
        waiting = run()
    assert (waiting.state, waiting.attempts) == (Job.State.QUEUED, 0)
    assert "record store" in waiting.message
    assert waiting.ready_at > timezone.now() + timedelta(seconds=30)
    run()
    assert verbs(store) == expected(student)


def test_a_store_that_is_not_there_is_asked_again(played, store, settings):
    settings.XAPI_URL = f"http://127.0.0.1:{closed_port()}/xapi"
    waiting = run()
    assert waiting.state == Job.State.QUEUED
    assert "cannot be reached" in waiting.message


@pytest.mark.parametrize("fault", ["wrong password", "wrong address"])
def test_a_wrong_setting_fails_with_its_reason_and_is_tried_again_the_next_day(
    fault, played, store, settings, student
):
    right = settings.XAPI_SECRET, settings.XAPI_URL
    if fault == "wrong password":
        settings.XAPI_SECRET = "x"
    else:
        settings.XAPI_URL += "/elsewhere"
    for _attempt in range(ledger.MAX_ATTEMPTS):
        failed = run()
    assert failed.state == Job.State.FAILED
    assert "The record store answered" in failed.error
    assert not store.kept
    settings.XAPI_SECRET, settings.XAPI_URL = right
    Job.objects.all().delete()  # the next day
    run()
    assert verbs(store) == expected(student)


def test_a_crash_before_the_note_tells_again_and_the_store_keeps_one(
    played, store, student, monkeypatch
):
    def crash(batch, refused):
        raise RuntimeError("the worker was killed")

    with monkeypatch.context() as patched:
        patched.setattr(sync, "_move_on", crash)
        run()
    assert store.kept
    run()
    assert verbs(store) == expected(student)


@pytest.mark.parametrize("fault", [400, 413, 422, 401, "redirect", "log-in page"])
def test_a_store_that_refuses_everything_loses_nothing(fault, played, store, student):
    """As nginx answers to http on its https port, or a proxy that drops a header."""
    store.always = fault
    for _attempt in range(ledger.MAX_ATTEMPTS):
        failed = run()
    assert failed.state == Job.State.FAILED
    assert "The record store answered with status" in failed.error
    if fault != "redirect":
        assert ("<title>Log in" if fault == "log-in page" else "xxx") in failed.error
    assert not store.kept
    assert not RefusedStatement.objects.exists()
    assert not SyncCursor.objects.exclude(last_at=None).exists()
    store.always = ""
    Job.objects.all().delete()  # the next day
    run()
    assert verbs(store) == expected(student)


@pytest.fixture
def bad(played, monkeypatch):
    """A review of which the store rejects the statement."""
    review = Review.objects.order_by("pk")[2]
    answered = statements.answered

    def with_a_bad_one(reviews, site):
        for one, statement in zip(reviews, answered(reviews, site), strict=True):
            if one.pk == review.pk and with_a_bad_one.is_bad:
                statement["object"]["id"] += "/bad"
            yield statement

    with_a_bad_one.is_bad = True
    monkeypatch.setattr(statements, "answered", with_a_bad_one)
    return review, with_a_bad_one


def test_a_statement_that_is_refused_alone_is_kept_shown_and_sent_again(
    bad, store, student, make_person, sign_in, teacher
):
    review, maker = bad
    store.complaint = "because of its verb"
    run()
    kept = RefusedStatement.objects.get()
    assert (kept.kind, kept.key, kept.student) == ("answered", str(review.pk), student)
    assert "because of its verb" in kept.reason
    assert len(store.kept) == len(expected(student)) - 1
    admin = make_person(User.Role.SCHOOL_ADMIN)
    admin.is_staff = admin.is_superuser = True
    admin.save()
    client, place = sign_in(admin), "/admin/puzzles/refusedstatement/"
    assert "because of its verb" in client.get(place).content.decode()
    assert sign_in(teacher).get(place).status_code == 302
    press = {"action": "send_again", "_selected_action": [kept.pk]}

    def send_again():
        assert client.post(place, press).status_code == 302
        again = Job.objects.filter(kind=sync.TELL_AGAIN).latest("created_at")
        ledger.run_job(str(again.pk))
        again.refresh_from_db()
        return again

    assert send_again().result == {"accepted": 0, "rejected": 1}
    assert RefusedStatement.objects.exists()
    maker.is_bad = False
    assert send_again().result == {"accepted": 1, "rejected": 0}
    assert not RefusedStatement.objects.exists()
    assert verbs(store) == expected(student)


def test_a_command_sends_the_refused_statements_again(bad, store, student):
    _review, maker = bad
    run()
    told = StringIO()
    call_command("resend_statements", stdout=told)
    assert "a statement is bad" in told.getvalue()
    maker.is_bad = False
    call_command("resend_statements", stdout=told)
    assert verbs(store) == expected(student)
    assert "0 statements are refused" in told.getvalue()


def test_a_bad_statement_alone_in_its_batch_holds_up_no_other(bad, store, student, monkeypatch):
    """That the store accepts statements of other types shows that it works."""
    monkeypatch.setattr(sync, "BATCH", 1)
    assert run().state == Job.State.QUEUED
    run()
    run()
    assert len(store.kept) == len(expected(student)) - 1
    assert RefusedStatement.objects.count() == 1


def test_what_is_refused_of_an_erased_student_is_gone_too(bad, store, student, teacher):
    run()
    assert RefusedStatement.objects.filter(student=student).exists()
    privacy.erase_person(person=student, actor=teacher)
    assert not RefusedStatement.objects.exists()


def test_if_refusals_of_everything_counted_as_sent_all_would_be_lost(
    played, store, student, monkeypatch
):
    """The control: as it was, with the cursor moved over what the store never took."""
    monkeypatch.setattr(RecordStore, "send", RecordStore._send)
    store.always = 400
    run()
    store.always = ""
    Job.objects.all().delete()
    run()
    assert not store.kept


def test_many_are_told_in_batches_and_go_on_where_they_stopped(played, store, student, monkeypatch):
    monkeypatch.setattr(sync, "BATCH", 2)
    store.faults = ["", "", 503]
    run()
    assert 0 < len(store.kept) < 8
    run()
    assert verbs(store) == expected(student)
    assert max(count for _method, count in store.asked) == 2


def test_the_job_of_yesterday_ends_and_that_of_today_goes_on(played, store):
    told = job()
    Job.objects.filter(pk=told.pk).update(key=f"{sync.TELL}:2020-01-01")
    ledger.run_job(str(told.pk))
    told.refresh_from_db()
    assert told.state == Job.State.DONE


def test_a_student_reads_that_a_record_store_is_told(sign_in, student, settings):
    client = sign_in(student)
    assert "Nothing is shared outside" in client.get("/me/data/").content.decode()
    settings.XAPI_URL = "https://lrs.example/xapi"
    page = client.get("/me/data/").content.decode()
    assert "record store" in page
    assert "Nothing is shared" not in page


def test_a_store_whose_certificate_is_bad_is_told_nothing():
    server = GoogleServer(certificate=trustme.CA().issue_cert("localhost"))
    try:
        store = RecordStore(server.url, KEY, SECRET, timeout=(2, 2))
        with pytest.raises(StoreError, match="cannot be reached"):
            store.send([{"id": "x"}])
        assert server.requests == []
        # The control: with the check off, the same server is told.
        store._session.verify = False
        with pytest.warns(match="Unverified HTTPS request"), pytest.raises(StoreError):
            store.send([{"id": "x"}])
        assert server.requests
    finally:
        server.close()
