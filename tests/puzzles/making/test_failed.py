"""A puzzle whose job was given up says so everywhere, and can be tried again."""

from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

from osmosmjerka.jobs import ledger, sweeper
from osmosmjerka.jobs.models import Job
from puzzles.assignments import services as assignments
from puzzles.kinds import KINDS
from puzzles.making import services as making
from puzzles.models import Puzzle
from puzzles.practice import services as practice

pytestmark = [pytest.mark.django_db, pytest.mark.database]


@pytest.fixture
def broken(monkeypatch):
    """A fault in our own code, until it is mended."""
    fault = pytest.MonkeyPatch()

    def generate(*_words, **_settings):
        raise ZeroDivisionError("a fault of ours")

    fault.setattr(type(KINDS["finder"]), "generate", generate)
    yield fault
    fault.undo()


@pytest.fixture
def failed(broken, animals, teacher, classroom):
    puzzle = assignments.give(
        vocabulary_list=animals, kind="finder", created_by=teacher, classrooms=[classroom], seed=1
    )
    work(puzzle)
    puzzle.refresh_from_db()
    return puzzle


def work(puzzle):
    for _attempt in range(3):
        ledger.run_job(str(making.job_of(puzzle).pk))


def test_its_state_is_failed_with_the_reason(failed):
    assert making.job_of(failed).state == Job.State.FAILED
    assert failed.state == Puzzle.State.FAILED
    assert "failed three times" in failed.reason


def test_the_api_says_so(failed, sign_in, teacher):
    told = sign_in(teacher).get(f"/api/puzzles/{failed.code}/").json()
    assert (told["state"], told["progress"]) == ("failed", 100)
    assert "failed three times" in told["reason"]


def test_the_teacher_reads_what_to_tell_and_tries_again(failed, broken, sign_in, teacher, caplog):
    client = sign_in(teacher)
    page = client.get(f"/puzzles/{failed.code}/").text
    assert "failed three times" in page
    # The number of the job, by which whoever runs the site finds the fault in the log.
    job = making.job_of(failed)
    assert f'<code dir="ltr">{job.pk}</code>' in page
    assert "ZeroDivisionError" not in page
    lines = [record.getMessage() for record in caplog.get_records("setup")]
    assert any(str(job.pk) in line and "a fault of ours" in line for line in lines)
    assert "hx-get" not in page
    broken.undo()
    client.post(f"/puzzles/{failed.code}/again/")
    assert "hx-get" in client.get(f"/puzzles/{failed.code}/").text
    ledger.run_job(str(making.job_of(failed).pk))
    failed.refresh_from_db()
    assert (failed.state, failed.reason, failed.placements.count()) == ("ready", "", 10)


def test_it_is_tried_again_through_the_api(failed, broken, sign_in, teacher):
    broken.undo()
    client = sign_in(teacher)
    for _time in range(2):  # asked twice, made once
        reply = client.post(f"/api/puzzles/{failed.code}/again/")
        assert (reply.status_code, reply.json()["state"]) == (202, "queued")
    ledger.run_job(str(making.job_of(failed).pk))
    assert client.get(f"/api/puzzles/{failed.code}/").json()["state"] == "ready"
    assert client.post(f"/api/puzzles/{failed.code}/again/").status_code == 400


def test_a_student_who_waits_is_told_and_waits_no_longer(
    broken, make_puzzle, animals, classroom, student, sign_in
):
    broken.undo()
    had = make_puzzle("word-search")  # so that the student has the list
    assignments.close(assignment=had.assignments.get())
    broken.setattr(type(KINDS["finder"]), "generate", lambda *_words, **_settings: 1 / 0)
    own = practice.request_practice(student=student, kind="finder", is_free=True)
    client = sign_in(student)
    assert "hx-get" in client.get(f"/play/{own.code}/").text
    assert client.get(f"/play/{own.code}/", headers={"HX-Request": "true"}).status_code == 204
    work(own)
    asked = client.get(f"/play/{own.code}/", headers={"HX-Request": "true"})
    assert asked["HX-Refresh"] == "true"
    page = client.get(f"/play/{own.code}/").text
    assert "failed three times" in page
    assert "hx-get" not in page
    assert "ZeroDivisionError" not in page
    assert "Try again" not in page


def test_a_job_that_killed_its_worker_ten_times_fails_its_puzzle_too(animals, teacher, classroom):
    puzzle = making.request_puzzle(
        vocabulary_list=animals, kind="finder", created_by=teacher, seed=1
    )
    Job.objects.filter(pk=making.job_of(puzzle).pk).update(
        state=Job.State.RUNNING,
        deaths=sweeper.MAX_DEATHS - 1,
        lease="6f1c4c5e-1111-4222-8333-444455556666",
        lease_until=timezone.now() - timedelta(seconds=1),
    )
    sweeper.sweep()
    puzzle.refresh_from_db()
    assert puzzle.state == Puzzle.State.FAILED
    assert making.was_given_up(puzzle)


def test_what_fails_because_of_its_words_is_not_tried_again(make_puzzle, teacher, animals):
    animals.entries.all().delete()
    puzzle = make_puzzle("finder")
    assert puzzle.state == Puzzle.State.FAILED
    with pytest.raises(ValidationError, match="Change the settings"):
        making.try_again(puzzle=puzzle)


def test_one_who_only_follows_does_not_try_again(failed, sign_in, make_person, school, classroom):
    from osmosmjerka.accounts import people

    viewer = make_person("teacher", school)
    people.join_classroom(classroom=classroom, person=viewer, role="viewer")
    client = sign_in(viewer)
    page = client.get(f"/puzzles/{failed.code}/")
    assert page.status_code == 200
    assert "Try again" not in page.text
    assert client.post(f"/puzzles/{failed.code}/again/").status_code == 404


def test_a_fault_in_telling_leaves_the_job_failed(failed, broken, monkeypatch, animals, teacher):
    handler = ledger._handlers[making.GENERATE]
    broken.setitem(
        ledger._handlers,
        making.GENERATE,
        ledger.Handler(handler.run, handler.time_limit, lambda _job: 1 / 0),
    )
    puzzle = making.request_puzzle(
        vocabulary_list=animals, kind="finder", created_by=teacher, seed=2
    )
    work(puzzle)
    assert making.job_of(puzzle).state == Job.State.FAILED
