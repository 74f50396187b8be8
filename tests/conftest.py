"""People, lists and puzzles that tests start from. Puzzles come from the real generators."""

from __future__ import annotations

import gc
import itertools
import os
import time

import hypothesis
import pytest
from django.conf import settings as django_settings
from django.db import connection
from django.test import Client, override_settings
from whitenoise.middleware import WhiteNoiseMiddleware

from osmosmjerka.accounts import people
from osmosmjerka.accounts.auth import sessions
from osmosmjerka.accounts.models import Membership, School, User
from osmosmjerka.celery import app
from osmosmjerka.db.prepared import Prepared
from osmosmjerka.jobs import ledger
from puzzles import access, withheld
from puzzles.assignments import services as assignments
from puzzles.generators import crossword
from puzzles.making import services as puzzle_services
from puzzles.play import games
from puzzles.practice import candidates
from tests import databases
from tests.layers import IS_THOROUGH
from tests.mailing import PostOffice
from tests.serving import served_site
from vocab.formats.rows import Row
from vocab.lists import services as vocab_services
from vocab.memory import reviews

PASSWORD = "correct horse battery staple"
ANIMALS = {
    "krokodil": "crocodile",
    "labud": "swan",
    "kokoš": "hen",
    "svinja": "pig",
    "jelen": "deer",
    "mačka": "cat",
    "gavran": "raven",
    "pčela": "bee",
    "slon": "elephant",
    "zmija": "snake",
    "guska": "goose",
    "medvjed": "bear",
}


# Every daily run tries the same random cases, so that no change fails for what it did not touch.
hypothesis.settings.register_profile("daily", derandomize=True, database=None)
hypothesis.settings.register_profile("thorough")


def pytest_configure(config):
    hypothesis.settings.load_profile("thorough" if IS_THOROUGH else "daily")
    if not hasattr(config, "workerinput"):  # the process that others are started by
        databases.begin_run()


def pytest_unconfigure(config):
    if not hasattr(config, "workerinput"):
        databases.end_run()


def pytest_make_parametrize_id(val, argname):
    """Number whole files instead of naming tests after what they hold.

    A ZIP holds the time at which it was made, so each test process would have tests of its own.
    """
    is_file = isinstance(val, bytes) or (isinstance(val, str) and len(val) > 500)
    return argname if is_file else None


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items):
    """Begin with what takes long, lest one process ends alone; keep the browser's together.

    Otherwise the order is random. Browser tests share a worker that would be in others' way.
    """
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)
    first = next((n for n, item in enumerate(items) if is_of_browser(item)), 0)
    items[first:] = sorted(items[first:], key=lambda item: not is_of_browser(item))


def pytest_collection_finish():
    """Let garbage collection pass over modules and tests, which stay to the end."""
    gc.collect()
    gc.freeze()


def is_of_browser(item):
    return "tests/browser/" in item.nodeid


def pytest_terminal_summary(terminalreporter, exitstatus, config):
    """Say after a failure, also with -q, how to have the same order again."""
    if exitstatus == pytest.ExitCode.TESTS_FAILED:
        terminalreporter.write_line(
            f"The order: --randomly-seed={config.getoption('randomly_seed', None)}"
        )


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix):
    """Migrate once, not in each test process."""
    databases.begin_with_migrated(connection)


@pytest.fixture(scope="session", autouse=True)
def broker_of_its_own():
    """Give each test process an empty database of Redis: another's worker would take its jobs."""
    broker = django_settings.CELERY_BROKER_URL
    if not broker.startswith("redis://"):
        return
    import redis

    server, database = broker.rsplit("/", 1)
    process = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    url = f"{server}/{int(database) - process}"
    with redis.from_url(url) as connection:
        connection.flushdb()
    # Celery lets the variable win over its settings.
    os.environ["CELERY_BROKER_URL"] = django_settings.CELERY_BROKER_URL = url
    assert app.connection_for_write().virtual_host == url.rsplit("/", 1)[1]


@pytest.fixture(scope="session", autouse=True)
def settings_of_tests(tmp_path_factory):
    """Set what every test wants, once; a test that wants it otherwise changes it for itself."""
    with override_settings(
        # Quick; a password that is hard to guess is no matter of most tests.
        PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"],
        # No word leaves: the tests of Google's voice have a server of their own.
        GTTS_ENABLED=False,
        # A test's transaction holds SQLite's one write lock: a lease that is renewed beside it, as
        # on a busy machine, would wait for that lock until it gives up.
        JOB_LEASE_SECONDS=600,
        # Nothing that one run leaves is there in the next, or in the data of `make run`.
        MEDIA_ROOT=tmp_path_factory.mktemp("media"),
    ):
        yield


@pytest.fixture(scope="session", autouse=True)
def static_files_listed_once():
    """List the static files once: every test client loads the middleware, which looks at them all.

    Listing takes 70 ms, as long as many a test.
    """
    listed, add_files = {}, WhiteNoiseMiddleware.add_files

    def add_files_once(middleware, root, prefix=None):
        if middleware.autorefresh:
            return add_files(middleware, root, prefix)
        if (root, prefix) not in listed:
            add_files(middleware, root, prefix)
            listed[root, prefix] = dict(middleware.files)
        middleware.files |= listed[root, prefix]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(WhiteNoiseMiddleware, "add_files", add_files_once)
        yield


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup, django_db_blocker):
    """Build what is built once, so that no test counts the query of that."""
    with django_db_blocker.unblock():
        for module in (sessions, access, withheld, candidates, games, reviews):
            for query in vars(module).values():
                if isinstance(query, Prepared):
                    query.prepare()
        for limited in (
            candidates._first_urgent,
            candidates._new_of_list,
            candidates._new_of_lists,
        ):
            for limit in (32, 64):  # those of a day's plan
                limited(limit).prepare()
        connection.close()


@pytest.fixture(scope="session")
def served(django_db_setup):
    """The address of the site, for programs beside the tests."""
    with served_site() as address:
        yield address


@pytest.fixture
def school(db):
    return School.objects.create(name="Osnovna škola")


@pytest.fixture
def other_school(db):
    return School.objects.create(name="Druga škola")


@pytest.fixture
def make_person(db):
    numbers = itertools.count(1)

    def make(role, school=None, name=None, *, is_site_admin=False):
        name = name or f"{role}{next(numbers)}"
        person = people.create_person(
            username=name, display_name=name.title(), role=role, school=school, password=PASSWORD
        )
        if is_site_admin:
            person.is_superuser = person.is_staff = True
            person.save()
        return person

    return make


@pytest.fixture
def teacher(make_person, school):
    return make_person(User.Role.TEACHER, school, "ana")


@pytest.fixture
def student(make_person, school):
    return make_person(User.Role.STUDENT, school, "luka")


@pytest.fixture
def mia(make_person, school, classroom):
    """Another student of the class."""
    mia = make_person(User.Role.STUDENT, school, "mia")
    people.join_classroom(classroom=classroom, person=mia, role=Membership.Role.STUDENT)
    return mia


@pytest.fixture
def stranger(make_person, other_school):
    """A teacher of another school."""
    return make_person(User.Role.TEACHER, other_school, "zora")


@pytest.fixture
def classroom(teacher, student):
    classroom = people.create_classroom(name="6b", owner=teacher)
    people.join_classroom(classroom=classroom, person=student, role=Membership.Role.STUDENT)
    return classroom


@pytest.fixture
def office(settings):
    """A mail server, to which the site sends."""
    with PostOffice() as office:
        office.serve(settings)
        yield office


@pytest.fixture
def animals(teacher):
    return vocab_services.create_list(
        owner=teacher,
        title="Životinje",
        language="hr",
        translation_languages=["en"],
        rows=rows(ANIMALS),
    )


@pytest.fixture
def make_puzzle(animals, teacher, classroom, django_capture_on_commit_callbacks):
    """Make a puzzle of the animals by its job, as a worker does, and give it to the class.

    A crossword gets a fixed effort in one thread, not its seconds: it is as good on a busy machine.
    """

    def make(kind="word-search", seed=1, vocabulary_list=None, **settings):
        puzzle = assignments.give(
            vocabulary_list=vocabulary_list or animals,
            kind=kind,
            created_by=teacher,
            classrooms=[classroom],
            seed=seed,
            settings=settings,
        )
        generate = crossword.generate
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(
                crossword,
                "generate",
                lambda words, *, seconds, **wishes: generate(words, threads=1, **wishes),
            )
            ledger.run_job(str(puzzle_services.job_of(puzzle).pk))
        puzzle.refresh_from_db()
        for _wait in range(300):  # a worker that runs beside the test may have been the first
            if puzzle.state != puzzle.State.QUEUED:
                break
            time.sleep(0.1)
            puzzle.refresh_from_db()
        return puzzle

    return make


@pytest.fixture
def sign_in():
    """Return a client on which somebody is logged in."""

    def sign_in(person):
        client = Client()
        client.force_login(person)
        return client

    return sign_in


def rows(words):
    """Return rows as an import gives them, from {term: translation}."""
    return [
        Row(line=line, term=term, translations={"": [meaning]})
        for line, (term, meaning) in enumerate(words.items(), start=1)
    ]
