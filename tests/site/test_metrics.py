"""What Prometheus reads: what happens, and nothing about anybody."""

import json
import os
import re
import signal
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest
import yaml
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

import osmosmjerka
from osmosmjerka.jobs import ledger
from osmosmjerka.jobs.models import Job, OutsideService, WorkerHeartbeat
from osmosmjerka.status import health
from osmosmjerka.status import metrics_page as page
from tests.jobs.test_kill import SETUP, embedded, free_port, production, stop
from tests.layers import daily
from tests.puzzles.play.test_play import answer_to, post
from tests.services import is_listening, wait_until

ROOT = Path(__file__).parents[2]
TOKEN = "a-token-for-prometheus"
AS_PROMETHEUS = {"Authorization": f"Bearer {TOKEN}"}
# Fixtures of real sites.
__all__ = ["embedded", "production"]


def read(text):
    """Return {(sample's name, its labels as a frozenset of pairs): value}."""
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def value(samples, name, **labels):
    """Return the value of the sample with at least these labels; 0 without one."""
    wanted = set(labels.items())
    return sum(number for (of, has), number in samples.items() if of == name and wanted <= has)


# ---- who may read it ----


@pytest.fixture
def metered(settings, db):
    settings.METRICS_TOKEN = TOKEN
    return Client()


def scrape(client):
    reply = client.get("/metrics", headers=AS_PROMETHEUS)
    assert reply.status_code == 200
    return read(reply.content.decode())


def test_without_a_token_there_is_no_such_page(db):
    assert Client().get("/metrics", headers=AS_PROMETHEUS).status_code == 404
    assert Client().get("/metrics", headers={"Authorization": "Bearer "}).status_code == 404


@pytest.mark.parametrize(
    "given", ["", "Bearer", "Bearer ", TOKEN, f"Basic {TOKEN}", f"Bearer {TOKEN}x", "Bearer žžž"]
)
def test_who_does_not_know_the_token_reads_nothing(given, metered):
    reply = metered.get("/metrics", headers={"Authorization": given} if given else {})
    assert (reply.status_code, reply.content) == (401, b"")
    assert reply["WWW-Authenticate"] == "Bearer"


def test_it_is_answered_for_any_host_and_is_stored_nowhere(metered, settings):
    settings.SECURE_SSL_REDIRECT = True
    reply = metered.get("/metrics", headers=AS_PROMETHEUS | {"Host": "10.0.0.7:8000"})
    assert reply.status_code == 200
    assert "no-store" in reply["Cache-Control"]
    assert not reply.cookies
    assert metered.get("/login/", headers={"Host": "10.0.0.7:8000"}).status_code == 400
    assert metered.post("/metrics", headers=AS_PROMETHEUS).status_code == 405


# ---- what it says ----


def test_requests_are_counted_by_their_route(metered, make_puzzle, student):
    puzzle = make_puzzle("word-search")
    metered.force_login(student)
    before = scrape(metered)
    metered.get(f"/api/play/{puzzle.code}/")
    metered.get("/api/play/nonesuch/")
    metered.get("/no/such/page/")
    metered.generic("BREW", "/login/")
    metered.get("/healthz")
    after = scrape(metered)

    def more(**labels):
        name = "osmosmjerka_requests_total"
        return value(after, name, **labels) - value(before, name, **labels)

    assert more(method="GET", route="api:play", status="2xx") == 1
    assert more(method="GET", route="api:play", status="4xx") == 1
    assert more(method="GET", route="none", status="4xx") == 1
    assert more(method="other") == 1
    assert more(route="healthz", status="2xx") == 1
    assert more() == 5
    count = "osmosmjerka_request_seconds_count"
    assert value(after, count, route="api:play") - value(before, count, route="api:play") == 2


def test_answers_are_counted_once_by_kind_and_outcome(metered, make_puzzle, student):
    puzzle = make_puzzle("finder")
    metered.force_login(student)
    metered.get(f"/api/play/{puzzle.code}/")
    first, second = puzzle.placements.all()[:2]
    right = answer_to(first, "finder")
    wrong = answer_to(first, "finder") | {"item": second.slot}
    before = scrape(metered)
    for body in (right, right, wrong, answer_to(first, "finder")):
        assert post(metered, puzzle, "attempts", body).status_code == 200
    after = scrape(metered)
    for outcome, count in {"found": 1, "repeated": 1, "wrong": 1, "already": 1}.items():
        labels = {"kind": "finder", "outcome": outcome}
        name = "osmosmjerka_moves_total"
        assert value(after, name, **labels) - value(before, name, **labels) == count, outcome


def test_a_log_in_that_is_refused_is_counted_without_whose(metered, teacher):
    before = scrape(metered)
    metered.post("/login/", {"username": teacher.username, "password": "x"})
    metered.post("/card/", {"card": "x"})
    after = scrape(metered)
    for reason in ("password", "card"):
        name = "osmosmjerka_logins_refused_total"
        assert value(after, name, reason=reason) - value(before, name, reason=reason) == 1


def test_jobs_queues_and_workers_are_looked_up(metered):
    now = timezone.now()
    job = {"kind": "vocab.render_sounds", "queue": "sound"}
    long_ago = now - timezone.timedelta(minutes=5)
    Job.objects.create(key="1", ready_at=long_ago, **job)
    Job.objects.create(key="2", ready_at=now, **job)
    Job.objects.create(key="3", ready_at=now + timezone.timedelta(hours=1), **job)  # put off
    Job.objects.create(key="4", state="failed", **job)
    Job.objects.create(key="5", state="done", **job)
    WorkerHeartbeat.objects.create(name="a", seen_at=now, slots={"sound": 2, "default": 1})
    WorkerHeartbeat.objects.create(name="b", seen_at=now, slots={"sound": 2})
    WorkerHeartbeat.objects.create(name="dead", seen_at=long_ago, slots={"sound": 9})
    OutsideService.objects.create(
        name="gtts", next_at=now, failures=5, left_alone_until=now + timezone.timedelta(minutes=1)
    )
    told = scrape(metered)
    kind = "vocab.render_sounds"
    assert value(told, "osmosmjerka_jobs", kind=kind, state="queued") == 3
    assert value(told, "osmosmjerka_jobs", kind=kind, state="failed") == 1
    assert value(told, "osmosmjerka_queue_length", queue="sound") == 2
    assert value(told, "osmosmjerka_queue_length", queue="default") == 0
    assert 299 < value(told, "osmosmjerka_queue_oldest_seconds", queue="sound") < 330
    assert value(told, "osmosmjerka_workers") == 2
    assert value(told, "osmosmjerka_worker_slots", queue="sound") == 4
    assert value(told, "osmosmjerka_service_left_alone", service="gtts") == 1
    assert value(told, "osmosmjerka_build_info", version=osmosmjerka.__version__) == 1
    assert value(told, "osmosmjerka_data_free_bytes") > 0
    for service in ("database", "broker", "cache"):
        assert value(told, "osmosmjerka_reachable", service=service) == 1


def test_runs_of_jobs_are_counted_by_how_they_ended(metered, monkeypatch):
    def run(job_run):
        if job_run.job.attempts == 1:
            raise OSError("the disk is full")

    handler = ledger.Handler(run, timezone.timedelta(minutes=1))
    monkeypatch.setitem(ledger._handlers, "metered", handler)
    job = ledger.enqueue("metered", key="metered")
    for _attempt in range(2):
        ledger.run_job(str(job.pk))
    told = scrape(metered)
    for outcome in ("retry later", "done"):
        assert value(told, "osmosmjerka_job_runs_total", kind="metered", outcome=outcome) == 1
    assert value(told, "osmosmjerka_job_seconds_count", kind="metered") == 2


def test_a_cache_or_broker_that_hangs_is_said_in_time(metered, monkeypatch):
    monkeypatch.setattr(page, "PATIENCE", 0.2)
    never, looks = threading.Event(), []
    look = health.Look(lambda: looks.append(1) or never.wait())
    monkeypatch.setattr(health, "_broker", look)
    for _again in range(3):  # the second one does not wait in line
        told = scrape(metered)
        assert len(looks) == 1
        assert value(told, "osmosmjerka_reachable", service="broker") == 0
        assert value(told, "osmosmjerka_reachable", service="cache") == 1
    never.set()


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL reads small tables whole")
def test_a_scrape_asks_few_queries_and_none_of_them_reads_all_jobs(metered):
    def plan(sql):
        with connection.cursor() as cursor:
            cursor.execute(f"EXPLAIN QUERY PLAN {sql}")
            return [row[-1] for row in cursor.fetchall()]

    scrape(metered)
    Job.objects.create(kind="vocab.render_sounds", key="1", state="done")
    with CaptureQueriesContext(connection) as queries:
        scrape(metered)
    assert len(queries) <= 6, "\n".join(query["sql"] for query in queries)
    steps = [step for query in queries for step in plan(query["sql"])]
    assert [step for step in steps if step.startswith("SEARCH jobs_job USING INDEX")]
    assert [step for step in steps if "SCAN jobs_job" in step] == []
    assert "SCAN jobs_job" in plan("SELECT count(*) FROM jobs_job WHERE kind = ''")  # the control


@pytest.mark.thorough  # it compares times
def test_100_000_jobs_that_are_done_cost_a_scrape_nothing(metered):
    """Few statements, and each reads an index: what is counted is what is unfinished or failed."""
    scrape(metered)
    now = timezone.now()
    done = {"kind": "vocab.render_sounds", "state": "done", "finished_at": now}
    Job.objects.bulk_create(
        (Job(key=str(number), **done) for number in range(100_000)), batch_size=2000
    )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    took = []
    for _scrape in range(5):
        with CaptureQueriesContext(connection) as queries:
            began = time.perf_counter()
            scrape(metered)
            took.append(time.perf_counter() - began)
    assert len(queries) <= 6, "\n".join(query["sql"] for query in queries)
    began = time.perf_counter()  # the control: to count all of them
    list(Job.objects.order_by().values_list("kind", "state").distinct())
    counting = time.perf_counter() - began
    print(f"scrape {min(took) * 1000:.1f} ms, counting all jobs {counting * 1000:.1f} ms")
    assert min(took) < counting


# ---- processes ----


PREPARE = """
import json
from osmosmjerka.accounts import people
from osmosmjerka.accounts.auth import tokens
from osmosmjerka.accounts.models import School
from puzzles.assignments import services as assignments
from vocab.imports.pasting import parse_pasted
from vocab.lists.services import create_list

school = School.objects.create(name="Škola Zvonimirova")
teacher = people.create_person(
    username="zvonimira", display_name="Zvonimira", role="teacher", school=school
)
student = people.create_person(
    username="krunoslav7", display_name="Krunoslav", role="student", school=school
)
classroom = people.create_classroom(name="Leptiri", owner=teacher)
people.join_classroom(classroom=classroom, person=student, role="student")
rows = parse_pasted(open("puzzles/demo/animals-hr-en.tsv", encoding="utf-8").read()).rows
words = create_list(
    owner=teacher, title="Zvijeri", language="hr", translation_languages=["en"], rows=rows
)
puzzle = assignments.give(
    vocabulary_list=words, kind="word-search", created_by=teacher, classrooms=[classroom],
    seed=1, settings={},
)
_token, secret = tokens.create(person=student, scope="play")
print(json.dumps({"code": puzzle.code, "secret": secret, "student": student.pk}))
"""

PLACEMENTS = """
import json
from puzzles.models import Placement
print(json.dumps([[p.term, p.cells] for p in Placement.objects.all()]))
"""

# The control: what is counted by its path.
BY_PATH = """
from osmosmjerka.status import metrics_middleware
metrics_middleware.route_of = lambda request: request.path_info
"""


class Running:
    """A site that runs, with a student who plays."""

    def __init__(self, site, before=""):
        self.site, self.port, self.before = site, int(free_port()), before
        site.environment |= {"OSMOSMJERKA_METRICS_TOKEN": TOKEN, "LOG_LEVEL": "INFO"}
        self.told = json.loads(site.run(PREPARE))
        self.processes = []

    def start(self, program):
        self.processes.append(self.site.start("-c", f"{SETUP}{self.before}\n{program}"))
        return self.processes[-1]

    def serve(self):
        self.start(
            "from django.core.management import call_command\n"
            f"call_command('serve', port={self.port})"
        )
        return self.until_it_listens()

    def serve_with_several_processes(self):
        self.processes.append(
            self.site.start("-m", "celery", "-A", "osmosmjerka", "worker", "-Q", "default,sound")
        )
        self.processes.append(
            self.site.start(
                "-m", "gunicorn", "osmosmjerka.wsgi", "--workers=2",
                f"--bind=127.0.0.1:{self.port}",
            )
        )  # fmt: skip
        return self.until_it_listens()

    def until_it_listens(self):
        wait_until(lambda: is_listening(self.port) or self.processes[-1].poll() is not None)
        assert self.processes[-1].poll() is None, (self.site.data_dir / "log.txt").read_text()
        return self

    def ask(self, path, headers=(), body=None):
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{path}",
            data=None if body is None else json.dumps(body).encode(),
            headers={"Content-Type": "application/json", **dict(headers)},
        )
        with urllib.request.urlopen(request, timeout=15) as reply:  # noqa: S310
            return reply.read().decode()

    def metrics(self):
        return self.ask("/metrics", AS_PROMETHEUS)

    def play(self, most=8):
        """Find words, each on a connection of its own; return how many, and all terms."""
        placements = wait_until(lambda: json.loads(self.site.run(PLACEMENTS)))
        path = f"/api/play/{self.told['code']}/"
        as_student = {"Authorization": f"Token {self.told['secret']}"}
        self.ask(path, as_student)
        for number, (_term, cells) in enumerate(placements[:most]):
            body = {"attempt": f"00000000-0000-4000-8000-{number:012}", "cells": cells}
            assert json.loads(self.ask(f"{path}attempts/", as_student, body))["outcome"] == "found"
        with pytest.raises(urllib.error.HTTPError):
            self.ask("/api/lists/", {"Authorization": "Token wrong"})
        return min(most, len(placements)), [term for term, _cells in placements]

    def secrets(self, terms):
        told = self.told
        return [
            told["code"], told["secret"], "zvonimir", "krunoslav", "Leptiri", "Zvijeri", "/api/",
            *terms,
        ]  # fmt: skip

    def close(self):
        for process in self.processes:
            stop(process)


@pytest.fixture(params=daily("gunicorn", of=["serve", "gunicorn"]))
def running(request):
    if request.param == "serve":
        site = Running(request.getfixturevalue("embedded"))
        begin = site.serve
    else:
        site = Running(request.getfixturevalue("production"))
        begin = site.serve_with_several_processes
    try:
        yield begin()
    finally:
        site.close()


def of(secrets, text):
    return [secret for secret in secrets if secret.casefold() in text.casefold()]


@pytest.mark.thorough
@pytest.mark.slow
@pytest.mark.xdist_group("kill")  # the same Redis
def test_a_site_that_runs_tells_what_is_played_and_by_nobody(running):
    found, terms = running.play()
    text = wait_until(
        lambda: (
            (text := running.metrics())
            and value(read(text), "osmosmjerka_job_runs_total", kind="puzzles.generate")
            and text
        )
    )
    told = read(text)
    moves = {"kind": "word-search", "outcome": "found"}
    assert value(told, "osmosmjerka_moves_total", **moves) == found
    requests = {"method": "POST", "route": "api:play-attempts", "status": "2xx"}
    assert value(told, "osmosmjerka_requests_total", **requests) == found
    assert value(told, "osmosmjerka_requests_total", status="4xx") == 1
    latency = {"method": "POST", "route": "api:play-attempts", "le": "+Inf"}
    assert value(told, "osmosmjerka_request_seconds_bucket", **latency) == found
    jobs = {"kind": "puzzles.generate", "outcome": "done"}
    assert value(told, "osmosmjerka_job_runs_total", **jobs) == 1
    assert value(told, "osmosmjerka_workers") == 1
    assert value(told, "osmosmjerka_reachable", service="broker") == 1
    assert of(running.secrets(terms), text) == []
    labels = {label for _name, has in told for label, _value in has}
    assert labels <= {
        "method", "route", "status", "le", "kind", "outcome", "state", "queue", "service",
        "reason", "version",
    }  # fmt: skip


@pytest.mark.thorough
def test_if_paths_were_counted_they_would_tell_who_plays(embedded):
    """The control: the secrets would be found."""
    site = Running(embedded, BY_PATH)
    try:
        _found, terms = site.serve().play(1)
        assert of(site.secrets(terms), site.metrics()) == [site.told["code"], "/api/"]
    finally:
        site.close()


def children(pid):
    return [
        int(child)
        for path in Path(f"/proc/{pid}/task").glob("*/children")
        for child in path.read_text().split()
    ]


@pytest.mark.thorough
@pytest.mark.xdist_group("kill")
def test_what_was_counted_stays_when_processes_end(production):
    site = Running(production)
    try:
        site.serve_with_several_processes()
        found, _terms = site.play()
        name, labels = "osmosmjerka_moves_total", {"outcome": "found"}
        assert value(read(site.metrics()), name, **labels) == found
        [folder] = Path(production.data_dir, "metrics").iterdir()
        before = set(children(site.processes[-1].pid))
        for pid in before:
            os.kill(pid, signal.SIGKILL)
        wait_until(lambda: len(set(children(site.processes[-1].pid)) - before) == 2)
        for _again in range(3):
            assert value(read(site.metrics()), name, **labels) == found
        for file in folder.glob("counter_*.db"):  # the control: this is what they counted
            if int(re.findall(r"\d+", file.stem)[0]) in before:
                file.unlink()
        assert value(read(site.metrics()), name, **labels) == 0
    finally:
        site.close()


# ---- alerts ----


def test_every_metric_of_the_alerts_exists(metered):
    told = yaml.safe_load((ROOT / "deploy/prometheus/alerts.yml").read_text(encoding="utf-8"))
    rules = [rule for group in told["groups"] for rule in group["rules"]]
    assert len(rules) >= 5
    metered.get("/login/")
    metered.get("/no/such/page/")
    text = metered.get("/metrics", headers=AS_PROMETHEUS).content.decode()
    there = {name for name, _labels in read(text)}
    families = {family.name for family in text_string_to_metric_families(text)}
    for rule in rules:
        names = set(re.findall(r"\bosmosmjerka_\w+", rule["expr"]))
        assert names, rule
        for name in names:
            assert name in there or name.removesuffix("_total") in families, name
        assert rule["annotations"]["summary"] and rule["labels"]["severity"], rule
        assert rule["expr"].count("(") == rule["expr"].count(")")


def test_a_metric_that_nobody_counts_would_be_noticed(metered):
    """The control of the test of the alerts."""
    text = metered.get("/metrics", headers=AS_PROMETHEUS).content.decode()
    assert "osmosmjerka_queue_age" not in {name for name, _labels in read(text)}
