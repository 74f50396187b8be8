"""What an operator reads in the log of jobs, imports and puzzles."""

import json
import logging

import pytest
from celery import signals
from django.conf import settings
from pythonjsonlogger.json import JsonFormatter

from osmosmjerka.celery import app as celery_app
from osmosmjerka.jobs import ledger, runs, sweeper, worker
from osmosmjerka.jobs.models import Job
from osmosmjerka.web.requests import RequestIdFilter
from puzzles.making import services as puzzle_services
from puzzles.models import Puzzle
from tests.conftest import rows
from tests.jobs.test_ledger import make_stale
from vocab.imports import services as imports

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def as_an_operator_logs(caplog):
    caplog.set_level(logging.INFO)


def lines_of(caplog, module):
    return [record for record in caplog.records if record.name == module]


def job_lines(caplog):
    return lines_of(caplog, "osmosmjerka.jobs.ledger")


def do(handler, work, *, times=1):
    handler.work = work
    job = ledger.enqueue("test", key="k")
    for _attempt in range(times):
        ledger.run_job(str(job.pk))
    return job


def fail(run):
    raise OSError("the disk is full")


def cancel(run):
    ledger.cancel(run.job)
    run.report(20)


def delete(run):
    run.job.__class__.objects.filter(pk=run.job.pk).delete()
    run.report(20)


def yield_turn(run):
    Job.objects.create(kind="test", key="other")
    assert run.yield_turn()


@pytest.mark.parametrize(
    ("work", "outcome"),
    [
        (lambda run: None, "done"),
        (lambda run: run.retry_later(60), "retry later"),
        (yield_turn, "yielded"),
        (cancel, "cancelled"),
        (delete, "cancelled"),
    ],
    ids=["done", "retry later", "yielded", "cancelled", "deleted"],
)
def test_each_run_of_a_job_is_one_line_that_says_how_it_ended(
    work, outcome, handler, published, caplog
):
    job = do(handler, work)
    [line] = job_lines(caplog)
    assert (line.levelname, line.kind, line.job) == ("INFO", "test", str(job.pk))
    assert (line.attempt, line.outcome) == (1, outcome)
    assert 0 <= line.seconds < 60
    assert line.getMessage().startswith(f"Job test {job.pk}, attempt 1: {outcome} after ")


def test_a_message_that_comes_twice_is_logged_once(handler, published, caplog):
    do(handler, lambda run: None, times=3)
    assert len(job_lines(caplog)) == 1


def test_a_job_that_fails_warns_and_the_traceback_comes_once_when_it_is_given_up(
    handler, published, caplog
):
    do(handler, fail, times=5)
    lines = job_lines(caplog)
    assert [(line.levelname, line.attempt, line.outcome) for line in lines] == [
        ("WARNING", 1, "retry later"),
        ("WARNING", 2, "retry later"),
        ("ERROR", 3, "failed"),
    ]
    assert {line.error for line in lines} == {"OSError: the disk is full"}
    assert all("the disk is full" in line.getMessage() for line in lines)
    assert caplog.text.count("Traceback") == 1
    assert lines[2].exc_info


def test_a_job_that_was_taken_over_says_so_and_the_other_one_that_it_is_done(
    handler, published, caplog
):
    def slow(run):
        if handler.runs == 1:
            make_stale(run.job)
            sweeper.sweep()
            ledger.run_job(str(run.job.pk))
        with run.finishing():
            pass

    do(handler, slow)
    assert [(line.attempt, line.outcome) for line in job_lines(caplog)] == [
        (1, "done"),
        (1, "taken over"),
    ]


def test_a_fault_of_a_job_that_was_taken_over_is_shown_with_its_traceback(
    handler, published, caplog
):
    def slow(run):
        if handler.runs == 1:
            make_stale(run.job)
            sweeper.sweep()
            ledger.run_job(str(run.job.pk))
            fail(run)

    do(handler, slow)
    first, second = job_lines(caplog)
    assert (first.levelname, first.outcome) == ("INFO", "done")
    assert (second.levelname, second.outcome) == ("ERROR", "taken over")
    assert second.exc_info


def test_a_job_that_kills_its_workers_is_an_error_of_the_sweeper_once(handler, published, caplog):
    job = ledger.enqueue("test", key="k")
    for _death in range(sweeper.MAX_DEATHS):
        assert runs.claim(job.pk) is not None
        make_stale(job)
        sweeper.sweep()
    sweeper.sweep()
    [line] = job_lines(caplog)
    assert (line.levelname, line.attempt, line.outcome) == ("ERROR", 1, "failed")
    assert "stopped 10 times" in line.getMessage()


def test_for_machines_the_fields_are_keys(handler, published, caplog):
    job = do(handler, lambda run: None)
    [line] = job_lines(caplog)
    RequestIdFilter().filter(line)
    formatter = JsonFormatter(settings.LOGGING["formatters"]["json"]["format"], style="{")
    told = json.loads(formatter.format(line))
    assert told["seconds"] == line.seconds
    assert {name: told[name] for name in ("levelname", "kind", "job", "attempt", "outcome")} == {
        "levelname": "INFO",
        "kind": "test",
        "job": str(job.pk),
        "attempt": 1,
        "outcome": "done",
    }
    assert "error" not in told


@pytest.fixture
def set_up_celerys_logs(monkeypatch):
    """Return what a Celery worker does to the logs as it starts; its level is put back."""
    root = logging.getLogger()
    level = root.level
    monkeypatch.setattr(celery_app.log, "already_setup", False)
    yield lambda: celery_app.log.setup_logging_subsystem(loglevel="WARNING")
    root.setLevel(level)


def test_a_celery_worker_logs_what_the_settings_say(set_up_celerys_logs):
    set_up_celerys_logs()
    assert logging.getLogger().level == logging.INFO


def test_on_its_own_a_celery_worker_would_hide_how_jobs_ended(set_up_celerys_logs):
    """Control: without our receiver Celery sets the level."""
    signals.setup_logging.disconnect(worker._on_setup_logging)
    try:
        set_up_celerys_logs()
    finally:
        signals.setup_logging.connect(worker._on_setup_logging)
    assert logging.getLogger().level == logging.WARNING


# ---- puzzles ----


def test_a_puzzle_that_was_made_is_a_line_with_its_kind_and_words(make_puzzle, caplog):
    puzzle = make_puzzle("finder")
    [line] = lines_of(caplog, "puzzles.making.services")
    assert puzzle.state == Puzzle.State.READY
    assert (line.levelname, line.puzzle, line.kind) == ("INFO", puzzle.pk, "finder")
    assert (line.state, line.words) == ("ready", puzzle.placements.count())
    assert 0 <= line.seconds < 60
    assert [job.kind for job in job_lines(caplog)] == [puzzle_services.GENERATE]


def test_a_puzzle_that_its_words_do_not_allow_is_a_line_too(make_puzzle, animals, caplog):
    animals.entries.all().delete()
    puzzle = make_puzzle("finder")
    [line] = lines_of(caplog, "puzzles.making.services")
    assert (line.puzzle, line.state, line.words) == (puzzle.pk, "failed", 0)


# ---- imports ----


def import_lines(caplog):
    return [
        (line.what, line.rows, line.added, line.changed, line.refused)
        for line in lines_of(caplog, "vocab.imports.changes")
    ]


def test_an_import_tells_how_many_rows_it_read_added_changed_and_refused(animals, teacher, caplog):
    text = f"mačka\tcat; puss\nvuk\twolf\n{'x' * 400}\tlong\n"
    made = imports.start_import(vocabulary_list=animals, created_by=teacher, text=text)
    imports.apply_import(import_=made)
    imports.undo_import(import_=made)
    assert import_lines(caplog) == [
        ("read", 3, 0, 0, 0),
        ("apply", 3, 1, 1, 1),
        ("undo", 3, 1, 1, 0),
    ]
    applied = lines_of(caplog, "vocab.imports.changes")[1]
    assert (getattr(applied, "import"), applied.list) == (made.pk, animals.pk)
    assert 0 <= applied.seconds < 60
    assert "vuk" not in caplog.text


def test_an_import_by_a_worker_tells_the_same(animals, teacher, caplog, monkeypatch):
    monkeypatch.setattr(imports, "AT_ONCE", 0)
    made = imports.import_lines(
        vocabulary_list=animals, created_by=teacher, rows=rows({"vuk": "wolf", "lisica": "fox"})
    )
    ledger.run_job(str(imports.job_of(made).pk))
    assert import_lines(caplog) == [("apply", 2, 2, 0, 0)]
    assert [(line.kind, line.outcome) for line in job_lines(caplog)] == [(imports.JOB, "done")]
