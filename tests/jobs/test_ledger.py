"""The ledger does each job exactly once, loses none, and gives up what always fails."""

import errno
import threading
from datetime import timedelta

import pytest
from django.db import OperationalError, connection, transaction
from django.utils import timezone

from osmosmjerka.jobs import ledger, runs, sending, sweeper, tasks
from osmosmjerka.jobs.models import Job
from tests.services import wait_until

pytestmark = pytest.mark.database


def make_stale(job):
    Job.objects.filter(pk=job.pk).update(lease_until=timezone.now() - timedelta(seconds=1))


@pytest.mark.django_db
def test_a_job_is_handed_out_when_its_transaction_commits(
    handler, published, django_capture_on_commit_callbacks
):
    with django_capture_on_commit_callbacks(execute=True):
        ledger.enqueue("test", key="k")
        assert published == []
    assert published == ["default"]


@pytest.mark.django_db(transaction=True)
def test_a_job_of_a_transaction_that_fails_was_never_asked_for(handler, published):
    with pytest.raises(RuntimeError), transaction.atomic():
        ledger.enqueue("test", key="k")
        raise RuntimeError
    assert published == []
    assert not Job.objects.exists()


@pytest.mark.django_db
def test_asked_twice_it_is_done_once(handler, published):
    first, second = ledger.enqueue("test", key="k"), ledger.enqueue("test", key="k")
    assert first.pk == second.pk
    for _delivery in range(3):
        ledger.run_job(str(first.pk))
    assert handler.runs == 1


@pytest.mark.django_db
def test_an_unknown_kind_is_refused():
    with pytest.raises(KeyError, match="no-such-kind"):
        ledger.enqueue("no-such-kind", key="k")


@pytest.mark.django_db
def test_a_job_that_always_fails_is_given_up_after_three_attempts_with_its_reason(
    handler, published
):
    def fail(run):
        raise OSError("the disk is full")

    handler.work = fail
    job = ledger.enqueue("test", key="k")
    for _attempt in range(5):
        ledger.run_job(str(job.pk))
    job.refresh_from_db()
    assert handler.runs == 3
    assert job.state == Job.State.FAILED
    assert "the disk is full" in job.error
    assert job.is_finished


@pytest.mark.django_db
def test_a_failed_job_that_is_asked_for_again_starts_over(handler, published):
    handler.work = lambda run: 1 / 0
    job = ledger.enqueue("test", key="k")
    for _attempt in range(3):
        ledger.run_job(str(job.pk))
    handler.work = lambda run: None
    ledger.enqueue("test", key="k")
    ledger.run_job(str(job.pk))
    job.refresh_from_db()
    assert job.state == Job.State.DONE


@pytest.mark.django_db
def test_a_failed_attempt_waits_before_the_next(handler, published):
    handler.work = lambda run: 1 / 0
    job = ledger.enqueue("test", key="k")
    assert ledger.run_next("default")
    sweeper.sweep()
    assert published == []
    assert not ledger.run_next("default")
    Job.objects.filter(pk=job.pk).update(ready_at=timezone.now() - timedelta(seconds=1))
    sweeper.sweep()
    assert published == ["default"]
    assert ledger.run_next("default")


@pytest.mark.django_db
def test_the_sweeper_sends_tickets_where_jobs_wait(handler, published):
    for key in ("a", "b"):
        ledger.enqueue("test", key=key)
    sweeper.sweep()
    assert published == ["default"]
    while ledger.run_next("default"):
        pass
    sweeper.sweep()
    assert published == ["default"]


@pytest.mark.django_db
def test_one_ticket_that_is_left_is_enough_for_all_jobs(handler, monkeypatch):
    """Whatever a broker lost: who did a job sends a ticket for the next."""
    tickets = ["default"]
    monkeypatch.setattr(sending, "send", tickets.append)
    for key in ("a", "b", "c"):
        ledger.enqueue("test", key=key)
    while tickets:
        tasks.run(tickets.pop())
    assert handler.runs == 3


@pytest.mark.django_db
def test_the_sweeper_takes_a_job_from_a_worker_that_died(handler, published):
    job = ledger.enqueue("test", key="k")
    assert runs.claim(job.pk) is not None
    assert sweeper.sweep() == 0, "its lease still holds"
    make_stale(job)
    assert sweeper.sweep() == 1
    ledger.run_job(str(job.pk))
    assert handler.runs == 1
    job.refresh_from_db()
    assert (job.attempts, job.deaths) == (1, 1)


def die(job, times):
    """Let the workers that run *job* be killed, one after another."""
    for _death in range(times):
        assert runs.claim(job.pk) is not None
        make_stale(job)
        sweeper.sweep()


@pytest.mark.django_db
def test_a_job_that_kills_its_worker_ten_times_is_given_up(handler, published):
    job = ledger.enqueue("test", key="k")
    die(job, 10)
    job.refresh_from_db()
    assert job.state == Job.State.FAILED
    assert "stopped 10 times" in job.error


@pytest.mark.django_db
def test_deaths_of_workers_are_no_attempts_of_the_job(handler, published):
    """A long job is under way at many deaths that are not its fault."""
    job = ledger.enqueue("test", key="k")
    die(job, 9)
    ledger.run_job(str(job.pk))
    job.refresh_from_db()
    assert (job.state, job.attempts) == (Job.State.DONE, 1)


@pytest.mark.django_db
def test_only_deaths_in_a_row_count(handler, published):
    job = ledger.enqueue("test", key="k")
    die(job, 9)
    handler.work = lambda run: run.retry_later(0)
    ledger.run_job(str(job.pk))
    die(job, 9)
    handler.work = lambda run: None
    ledger.run_job(str(job.pk))
    job.refresh_from_db()
    assert job.state == Job.State.DONE


@pytest.mark.django_db
def test_who_stops_hands_its_jobs_back_at_once_and_no_attempt_counts(handler, published):
    mine, others = ledger.enqueue("test", key="mine"), ledger.enqueue("test", key="others")
    run = runs.claim(mine.pk)
    assert runs.claim(others.pk) is not None
    Job.objects.filter(pk=others.pk).update(worker="another:1")
    assert sweeper.hand_back(runs.WORKER) == 1
    assert published == ["default"]
    with pytest.raises(ledger.LeaseLost):
        run.report(50)
    mine.refresh_from_db()
    assert (mine.state, mine.attempts, mine.deaths) == (Job.State.QUEUED, 0, 0)
    others.refresh_from_db()
    assert others.state == Job.State.RUNNING


OUTAGES = {
    "the database is away": lambda: OperationalError("server closed the connection unexpectedly"),
    "the disk is full": lambda: OSError(errno.ENOSPC, "No space left on device"),
}


@pytest.mark.parametrize("outage", OUTAGES)
@pytest.mark.django_db(transaction=True)
def test_an_outage_is_no_fault_of_the_job(outage, handler, published):
    def fail(run):
        raise OUTAGES[outage]()

    handler.work = fail
    job = ledger.enqueue("test", key="k")
    for _time in range(5):
        ledger.run_job(str(job.pk))
    handler.work = lambda run: None
    ledger.run_job(str(job.pk))
    job.refresh_from_db()
    assert (job.state, job.attempts, handler.runs) == (Job.State.DONE, 1, 6)


@pytest.mark.django_db(transaction=True)
def test_many_workers_enqueue_the_daily_jobs_once(handler, published, monkeypatch):
    monkeypatch.setattr(ledger, "_daily", ["test"])
    together = threading.Barrier(5)

    def ask():
        together.wait()
        ledger.enqueue_daily()
        connection.close()

    workers = [threading.Thread(target=ask) for _worker in range(5)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert Job.objects.count() == 1
    assert len(published) == 1


@pytest.mark.django_db
def test_a_worker_that_lost_its_lease_changes_nothing(handler, published):
    stored = []

    def work(run):
        if handler.runs == 1:  # the first attempt is slow: another worker takes over meanwhile
            make_stale(run.job)
            sweeper.sweep()
            ledger.run_job(str(run.job.pk))
        with run.finishing(by=handler.runs):
            stored.append(run.lease)

    handler.work = work
    job = ledger.enqueue("test", key="k")
    ledger.run_job(str(job.pk))
    job.refresh_from_db()
    assert handler.runs == 2
    assert len(stored) == 1
    assert job.state == Job.State.DONE


@pytest.mark.django_db
def test_what_a_job_stores_is_undone_when_it_fails_on_the_way(handler, published, school):
    def work(run):
        with run.finishing():
            school.name = "half done"
            school.save()
            raise OSError

    handler.work = work
    job = ledger.enqueue("test", key="k")
    ledger.run_job(str(job.pk))
    school.refresh_from_db()
    job.refresh_from_db()
    assert school.name == "Osnovna škola"
    assert job.state == Job.State.QUEUED


@pytest.mark.django_db
def test_a_cancelled_job_stops_at_its_next_report(handler, published):
    reached = []

    def work(run):
        run.report(10, "begun")
        ledger.cancel(run.job)
        run.report(20)
        reached.append("the end")

    handler.work = work
    job = ledger.enqueue("test", key="k")
    ledger.run_job(str(job.pk))
    job.refresh_from_db()
    assert reached == []
    assert job.state == Job.State.CANCELLED
    assert ledger.cancel(job) is False


@pytest.mark.django_db(transaction=True)
def test_a_long_job_keeps_its_lease(handler, published, settings):
    settings.JOB_LEASE_SECONDS = 0.6

    def work(run):
        first = run.job.lease_until
        wait_until(lambda: timezone.now() > first)
        assert Job.objects.get().lease_until > first
        assert sweeper.sweep() == 0, "it is not taken over"
        run.report(50)

    handler.work = work
    job = ledger.enqueue("test", key="k")
    ledger.run_job(str(job.pk))
    job.refresh_from_db()
    assert job.state == Job.State.DONE


@pytest.mark.django_db(transaction=True)
def test_a_job_that_hangs_past_its_limit_is_taken_over(handler, published, settings, monkeypatch):
    settings.JOB_LEASE_SECONDS = 0.3
    monkeypatch.setitem(
        ledger._handlers,
        "test",
        ledger.Handler(ledger._handlers["test"].run, timedelta(seconds=0.3)),
    )

    is_over = threading.Event()

    def work(run):
        is_over.wait(timeout=60)
        run.report(50)

    handler.work = work
    job = ledger.enqueue("test", key="k")
    worker = threading.Thread(target=lambda: (ledger.run_job(str(job.pk)), connection.close()))
    worker.start()
    wait_until(lambda: Job.objects.exclude(error="").exists())
    is_over.set()
    worker.join()
    job.refresh_from_db()
    assert job.state == Job.State.QUEUED, "the try that hung could not finish it"
    assert job.attempts == 1, "it was one, unlike the death of a worker"
    assert "took longer" in job.error


@pytest.mark.django_db(transaction=True)
def test_many_workers_claim_a_job_once(handler, published):
    job = ledger.enqueue("test", key="k")
    barrier = threading.Barrier(8)

    def deliver():
        barrier.wait()
        ledger.run_job(str(job.pk))
        connection.close()

    workers = [threading.Thread(target=deliver) for _index in range(8)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert handler.runs == 1


class Broker:
    """A broker that refuses or takes what is sent."""

    def __init__(self):
        self.taken, self.asked, self.is_away = [], 0, False

    def send_task(self, name, arguments, **options):
        self.asked += 1
        if self.is_away:
            raise ConnectionRefusedError("no broker here")
        self.taken.append(arguments[0])


@pytest.fixture
def broker(monkeypatch, settings):
    broker = Broker()
    settings.CELERY_BROKER_URL = "redis://broker.example/0"
    monkeypatch.setattr(sending, "app", broker)
    monkeypatch.setattr(sending, "_away_until", 0.0)
    return broker


def test_a_broker_that_is_away_is_asked_once_and_told_once(broker, caplog, monkeypatch):
    """Each request that asked it would wait for it."""
    broker.is_away = True
    for _job in range(5):
        sending.send("default")
    assert broker.asked == 1
    monkeypatch.setattr(sending, "PAUSE", 0)
    monkeypatch.setattr(sending, "_away_until", 0.1)  # long ago
    sending.send("default")
    assert broker.asked == 2
    assert caplog.text.count("takes no jobs") == 1


def test_a_broker_that_is_back_gets_tickets_again(broker, caplog, monkeypatch):
    monkeypatch.setattr(sending, "PAUSE", 0)
    broker.is_away = True
    sending.send("default")
    broker.is_away = False
    sending.send("sound")
    sending.send("sound")
    assert broker.taken == ["sound", "sound"]
    assert caplog.text.count("takes jobs again") == 1
