"""Nobody's jobs hold up a queue for others, whatever the order in which messages arrive."""

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from osmosmjerka.jobs import ledger, purge, runs, turns
from osmosmjerka.jobs.models import Job
from puzzles.making import services as making
from puzzles.models import Puzzle
from tests.puzzles.assignments.filling import opened, sent
from vocab.imports import services as imports
from vocab.lists.services import delete_list

pytestmark = [pytest.mark.django_db, pytest.mark.database]


@pytest.fixture
def order(handler):
    """Return the keys of the jobs in the order in which they began."""
    keys = []
    handler.work = lambda run: keys.append(run.job.key)
    return keys


@pytest.fixture
def people(make_person, school):
    return [make_person("teacher", school, name) for name in ("ana", "bruno", "cvita")]


def ask(person, *keys, queue="default"):
    return [ledger.enqueue("test", key=key, owner=person, queue=queue) for key in keys]


def deliver(jobs):
    """Hand the tickets of these jobs to a worker, one after another."""
    for job in jobs:
        ledger.run_next(job.queue)


def claim(job):
    """Let another worker run *job* for as long as the test takes."""
    assert runs.claim(job.pk) is not None


def test_people_take_turns_however_many_jobs_one_of_them_has(order, published, people):
    ana, bruno, cvita = people
    jobs = ask(ana, "a1", "a2", "a3", "a4") + ask(bruno, "b1", "b2") + ask(cvita, "c1")
    deliver(jobs)
    assert order == ["a1", "b1", "c1", "a2", "b2", "a3", "a4"]


def test_without_turns_others_wait_for_all_of_ones_jobs(order, published, people):
    """Control: what each message names is done in the order of the messages."""
    ana, bruno, _cvita = people
    for job in ask(ana, "a1", "a2", "a3", "a4") + ask(bruno, "b1"):
        ledger.run_job(str(job.pk))
    assert order == ["a1", "a2", "a3", "a4", "b1"]


def test_who_was_just_served_lets_others_go_first(order, published, people):
    ana, bruno, _cvita = people
    deliver(ask(ana, "a1"))
    deliver(ask(ana, "a2") + ask(bruno, "b1"))
    assert order == ["a1", "b1", "a2"]


def test_queues_have_turns_of_their_own(order, published, people):
    ana, bruno, _cvita = people
    long = ask(ana, "a1", queue="search")
    deliver(ask(bruno, "b1") + long)
    assert order == ["b1", "a1"]


def test_a_message_serves_whoever_is_next_if_its_own_job_is_done(order, published, people):
    ana, bruno, _cvita = people
    first, _second = ask(ana, "a1", "a2")
    ledger.run_job(str(first.pk))
    ask(bruno, "b1")
    deliver([first, first, first])
    assert order == ["a1", "b1", "a2"]


def test_a_job_that_is_to_wait_is_nobodys_turn(order, published, people):
    ana, bruno, _cvita = people
    (later,), (now,) = ask(ana, "a1"), ask(bruno, "b1")
    Job.objects.filter(pk=later.pk).update(ready_at=timezone.now() + timedelta(minutes=1))
    deliver([now, now])
    assert order == ["b1"]


def test_one_persons_jobs_use_all_workers_while_nobody_else_waits(order, published, people):
    ana, bruno, _cvita = people
    first, _second, _third = ask(ana, "a1", "a2", "a3")
    claim(first)
    ask(bruno, "b1")
    deliver([first] * 3)
    assert order == ["b1", "a2", "a3"]


def test_the_job_of_a_dead_worker_is_nobodys_turn(order, published, people):
    """What the sweeper has not seen yet does not put its owner behind others."""
    ana, bruno, _cvita = people
    first, _second = ask(ana, "a1", "a2")
    claim(first)
    later = ask(bruno, "b1")
    Job.objects.filter(pk=later[0].pk).update(started_at=timezone.now())
    Job.objects.filter(pk=first.pk).update(
        started_at=timezone.now() - timedelta(hours=1),
        lease_until=timezone.now() - timedelta(seconds=1),
    )
    deliver([first])
    assert order == ["a2"]


def test_two_workers_that_choose_at_once_run_two_jobs(order, published, people, monkeypatch):
    """The second finds that the job it chose is taken, and chooses again."""
    ana, bruno, _cvita = people
    (first,), _other = ask(ana, "a1"), ask(bruno, "b1")
    choose = turns.next_job

    def choose_and_lose(queue):
        monkeypatch.setattr(turns, "next_job", choose)
        chosen = choose(queue)
        claim(first)
        return chosen

    monkeypatch.setattr(turns, "next_job", choose_and_lose)
    assert ledger.run_next("default")
    assert order == ["b1"]


def test_a_long_job_gives_way_to_others_but_not_to_ones_own(
    handler, published, people, monkeypatch
):
    ana, bruno, _cvita = people
    monkeypatch.setattr(turns, "TURN", timedelta(0))
    monkeypatch.setattr(runs, "SECONDS_BETWEEN_LOOKS", 0)
    seen = []

    def work(run):
        is_awaited = run.job.key == "a1" and run.is_awaited()
        seen.append((run.job.key, run.so_far, is_awaited))
        if is_awaited:
            assert run.yield_turn({"words": 3})

    handler.work = work
    long, *_rest = ask(ana, "a1", "a2")
    ledger.run_job(str(long.pk))
    assert seen == [("a1", {}, False)]
    seen.clear()
    Job.objects.filter(pk=long.pk).update(state="queued")
    ask(bruno, "b1")
    ledger.run_job(str(long.pk))
    deliver([long] * 3)
    assert seen == [
        ("a1", {}, True),
        ("b1", {}, False),
        ("a1", {"words": 3}, False),
        ("a2", {}, False),
    ]


def test_a_turn_lasts_a_while(handler, published, people):
    """A job that gave way at once would never come to anything."""
    ana, bruno, _cvita = people
    seen = []
    handler.work = lambda run: seen.append(run.is_awaited())
    (long,) = ask(ana, "a1")
    ask(bruno, "b1")
    ledger.run_job(str(long.pk))
    assert seen == [False]


def test_a_crossword_gives_way_and_continues_from_what_it_found(
    animals, teacher, make_person, school, published, monkeypatch
):
    long = making.request_puzzle(
        vocabulary_list=animals,
        kind="crossword",
        created_by=teacher,
        settings={"words": 12, "seconds": 60},
    )
    other = make_person("teacher", school)
    quick = making.request_puzzle(
        vocabulary_list=animals, kind="crossword", created_by=other, settings={"seconds": 0.1}
    )
    job = making.job_of(long)
    with monkeypatch.context() as patch:  # for this one alone: the quick one may take as long
        patch.setattr(turns, "TURN", timedelta(seconds=0.2))
        ledger.run_job(str(job.pk))
    job.refresh_from_db()
    long.refresh_from_db()
    assert (job.state, job.attempts, long.state) == ("queued", 0, "queued")
    assert 0.2 <= job.result["spent"] < 60
    laid = len(job.result["best"]["placements"])
    assert laid > 2
    ledger.run_next(job.queue)
    quick.refresh_from_db()
    assert quick.state == Puzzle.State.READY
    Job.objects.filter(pk=job.pk).update(result=job.result | {"spent": 59.9})
    ledger.run_job(str(job.pk))
    long.refresh_from_db()
    assert long.state == Puzzle.State.READY
    assert long.placements.count() >= laid


@pytest.mark.parametrize("state", ["queued", "running"])
def test_a_deleted_puzzle_takes_its_job_with_it(state, animals, teacher, published, caplog):
    puzzle = making.request_puzzle(vocabulary_list=animals, kind="word-search", created_by=teacher)
    job = making.job_of(puzzle)
    Job.objects.filter(pk=job.pk).update(state=state)
    delete_list(vocabulary_list=animals, actor=animals.owner)
    ledger.run_next(job.queue)
    job.refresh_from_db()
    assert job.state == Job.State.CANCELLED
    assert "Traceback" not in caplog.text
    assert not Job.objects.filter(state__in=ledger.UNFINISHED).exists()


def test_a_puzzle_deleted_in_the_middle_of_its_job_is_no_failure(
    animals, teacher, published, caplog, monkeypatch
):
    puzzle = making.request_puzzle(vocabulary_list=animals, kind="word-search", created_by=teacher)
    job = making.job_of(puzzle)
    lay_out = making._layout_in_turns

    def deleted_meanwhile(*args):
        # By a worker of an older version, which does not cancel the job.
        Puzzle.objects.filter(pk=puzzle.pk)._raw_delete("default")
        return lay_out(*args)

    monkeypatch.setattr(making, "_layout_in_turns", deleted_meanwhile)
    ledger.run_job(str(job.pk))
    job.refresh_from_db()
    assert job.state == Job.State.CANCELLED
    assert "Traceback" not in caplog.text


def test_without_a_subject_a_deleted_puzzle_leaves_a_failure(animals, teacher, published, caplog):
    """Control: only its subject tells the ledger that nobody wants the job any more."""
    puzzle = making.request_puzzle(vocabulary_list=animals, kind="word-search", created_by=teacher)
    job = making.job_of(puzzle)
    Job.objects.filter(pk=job.pk).update(subject="")
    puzzle.delete()
    for _attempt in range(3):
        ledger.run_job(str(job.pk))
    job.refresh_from_db()
    assert job.state == Job.State.FAILED
    assert "DoesNotExist" in caplog.text


def test_a_discarded_lists_import_ends_quietly(animals, teacher, published, caplog, monkeypatch):
    monkeypatch.setattr(imports, "AT_ONCE", 0)
    import_ = imports.start_import(vocabulary_list=animals, created_by=teacher, text="sova\towl")
    job = imports.apply_import(import_=import_)
    assert job is not None
    animals.delete()
    ledger.run_next(job.queue)
    job.refresh_from_db()
    assert job.state == Job.State.CANCELLED
    assert "Traceback" not in caplog.text


def test_too_many_puzzles_in_preparation_are_refused_in_a_sentence(
    animals, teacher, published, monkeypatch, sign_in, make_person, school
):
    monkeypatch.setattr(making, "MOST_IN_PREPARATION", 2)
    client = sign_in(teacher)
    wish = {"vocabulary_list": animals.pk, "kind": "word-search"}
    for status in (202, 202, 400):
        reply = client.post("/api/puzzles/", wish, content_type="application/json")
        assert reply.status_code == status
    assert "in preparation" in reply.text
    page = sent(client, opened(client, vocabulary_list=animals.pk, use="paper"))
    assert "in preparation" in page.text
    assert Puzzle.objects.count() == 2
    Puzzle.objects.update(state="ready")  # the control: it is about what is in preparation
    reply = client.post("/api/puzzles/", wish, content_type="application/json")
    assert reply.status_code == 202


def explained(queries):
    """Return the plan of *queries*, as the database would carry it out on a large table."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET LOCAL enable_seqscan = off")
    return queries.explain()


def test_look_ups_use_an_index(animals):
    now = timezone.now()
    assert "jobs_about" in explained(ledger.jobs_about(animals, "test"))
    waiting = Job.objects.filter(queue="default", state=Job.State.QUEUED, ready_at__lte=now)
    # Each is short: few jobs are queued. PostgreSQL takes any for a table without rows.
    assert re.search("jobs_(waiting|unfinished|finished)", explained(waiting.order_by()))
    served = Job.objects.filter(queue="default", started_at__gte=now).order_by()
    assert "jobs_served" in explained(served.values("owner"))


def test_old_jobs_are_deleted_but_not_what_a_page_may_ask_about(handler, published):
    now, jobs = timezone.now(), {}
    for state, days in [
        *(("done", 31), ("done", 29), ("cancelled", 31), ("failed", 31), ("failed", 91)),
        *(("queued", 100), ("running", 100)),
    ]:
        job = ledger.enqueue("test", key=f"{state}{days}")
        finished = None if state in ("queued", "running") else now - timedelta(days=days)
        Job.objects.filter(pk=job.pk).update(state=state, finished_at=finished)
        jobs[job.key] = job
    assert purge.purge() == 3
    kept = set(Job.objects.values_list("key", flat=True))
    assert kept == {"done29", "failed31", "queued100", "running100"}


def test_the_ledger_is_purged_every_day(published):
    ledger.enqueue_daily()
    assert Job.objects.filter(kind="jobs.purge").exists()
