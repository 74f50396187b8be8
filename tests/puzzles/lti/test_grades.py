"""Grades that are sent to a platform: each arrives once with its value, whatever fails."""

import uuid
from datetime import timedelta

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from osmosmjerka.accounts.models import User
from osmosmjerka.jobs import ledger
from osmosmjerka.jobs.models import Job
from puzzles.kinds.base import SentMove, cells_of
from puzzles.lti import grades
from puzzles.models import Assignment, LtiGrade, LtiLink, LtiPerson
from puzzles.play import attempts
from puzzles.play import services as play

pytestmark = pytest.mark.django_db
WORDS = 6


@pytest.fixture
def activity(make_puzzle, course, moodle):
    assignment = make_puzzle(words=WORDS).assignments.get()
    return LtiLink.objects.create(
        course=course, resource_link_id="link", assignment=assignment, reads_results=True,
        line_item=f"{moodle.url}/items/link?type_id=1",
    )  # fmt: skip


@pytest.fixture
def luka(connection, student):
    LtiPerson.objects.create(platform=connection, subject="1", user=student)
    return student


def find(session, number):
    """Find some words of a session's puzzle."""
    for placement in session.puzzle.placements.all()[:number]:
        move = SentMove(placement.slot, cells_of(placement), tuple(placement.tiles))
        play.record_move(session=session, move_id=uuid.uuid4(), move=move)


def play_to_the_end(link, student, found=WORDS):
    puzzle = link.assignment.puzzle
    session = play.open_session(puzzle=puzzle, student=student)
    if session.finished_at is not None:
        session = attempts.play_again(puzzle=puzzle, student=student)
    find(session, found)
    play.finish_session(session=session)


def send():
    """Do the jobs that wait, as a worker does."""
    for job in Job.objects.filter(kind=grades.SEND, state=Job.State.QUEUED):
        ledger.run_job(str(job.pk))


def points(moodle):
    return [(student, score["scoreGiven"]) for student, score in moodle.scores]


@pytest.mark.parametrize(("found", "given"), [(WORDS, 100), (3, 50), (0, 0)])
def test_what_was_found_without_help_is_the_grade(moodle, activity, luka, found, given):
    play_to_the_end(activity, luka, found)
    send()
    [(student, score)] = moodle.scores
    assert (student, score["scoreGiven"], score["scoreMaximum"]) == ("1", given, 100)
    assert (score["activityProgress"], score["gradingProgress"]) == ("Completed", "FullyGraded")
    assert LtiGrade.objects.get().state == "sent"


def test_a_word_that_took_a_hint_does_not_count(moodle, activity, luka):
    session = play.open_session(puzzle=activity.assignment.puzzle, student=luka)
    slot = session.puzzle.placements.first().slot
    play.take_hint(session=session, slot=slot, kind="first_cell")
    find(session, WORDS)
    send()
    assert points(moodle) == [("1", round(100 * (WORDS - 1) / WORDS, 2))]


def test_nobody_else_asks_for_anything(moodle, activity, student, mia):
    play_to_the_end(activity, mia)
    assert not Job.objects.filter(kind=grades.SEND).exists()


def test_the_best_attempt_counts_and_a_worse_one_changes_nothing(moodle, activity, luka):
    Assignment.objects.update(attempts=3)
    for found in (3, WORDS, 1):
        play_to_the_end(activity, luka, found)
        send()
    assert points(moodle) == [("1", 50), ("1", 100)]
    assert LtiGrade.objects.get().state == "sent"


@pytest.mark.parametrize("is_changed", [True, False], ids=["changed", "control"])
def test_a_grade_that_a_teacher_changed_there_is_kept(moodle, activity, luka, is_changed):
    Assignment.objects.update(attempts=2)
    play_to_the_end(activity, luka, 3)
    send()
    if is_changed:
        moodle.results["1"] |= {"scoreGiven": 80}
    play_to_the_end(activity, luka)
    send()
    assert moodle.results["1"]["scoreGiven"] == (80 if is_changed else 100)
    grade = LtiGrade.objects.get()
    assert (grade.state, grade.reason) == (("refused", "changed") if is_changed else ("sent", ""))


@pytest.mark.parametrize("fault", [500, 429, 401])
def test_what_a_platform_does_not_take_now_is_sent_later(moodle, activity, luka, fault):
    moodle.faults = [fault]
    play_to_the_end(activity, luka)
    send()
    job = Job.objects.get(kind=grades.SEND)
    assert (job.state, points(moodle)) == ("queued", [])
    assert job.ready_at > timezone.now()
    send()
    assert points(moodle) == [("1", 100)]


def test_a_platform_that_hangs_is_left_after_seconds(moodle, activity, luka):
    moodle.faults = ["hang"]
    play_to_the_end(activity, luka)
    before = timezone.now()
    send()
    assert timezone.now() - before < timedelta(seconds=6)
    send()
    assert points(moodle) == [("1", 100)]


@pytest.mark.parametrize(("hours", "state"), [(1, "queued"), (25, "done")])
def test_a_platform_that_is_away_is_asked_for_a_day(moodle, activity, luka, hours, state):
    play_to_the_end(activity, luka)
    moodle.faults = [503]
    with time_machine.travel(timezone.now() + timedelta(hours=hours)):
        send()
    assert Job.objects.get(kind=grades.SEND).state == state
    late = ("refused", "late") if state == "done" else ("waiting", "")
    assert LtiGrade.objects.values_list("state", "reason").get() == late


def test_one_student_who_is_refused_stops_no_other_and_is_told_to_the_admin(
    moodle, activity, luka, mia, connection, make_person, school, sign_in
):
    LtiPerson.objects.create(platform=connection, subject="2", user=mia)
    moodle.refuses = {"1"}
    play_to_the_end(activity, luka)
    play_to_the_end(activity, mia)
    send()
    assert points(moodle) == [("2", 100)]
    admin = make_person(User.Role.SCHOOL_ADMIN, school)
    page = sign_in(admin).get(f"/schools/{school.pk}/platforms/").content.decode()
    assert "Luka" in page
    assert "refused the grade" in page
    assert "Mia" not in page


def test_a_grade_that_was_sent_before_the_worker_stopped_is_not_sent_again(
    moodle, activity, luka, monkeypatch
):
    play_to_the_end(activity, luka, 3)
    post = grades.client.post_json

    def and_stop(*args, **kwargs):
        post(*args, **kwargs)
        raise SystemExit

    monkeypatch.setattr(grades.client, "post_json", and_stop)
    job = Job.objects.get(kind=grades.SEND)
    with pytest.raises(SystemExit):
        ledger.run_job(str(job.pk))
    monkeypatch.undo()
    Job.objects.filter(pk=job.pk).update(state=Job.State.QUEUED)  # as the sweeper does
    send()
    assert points(moodle) == [("1", 50)]
    assert LtiGrade.objects.get().accepted == 0.5


def test_without_a_platform_a_game_that_ends_costs_one_query(
    make_puzzle, student, django_assert_num_queries
):
    session = play.open_session(puzzle=make_puzzle(words=WORDS), student=student)
    with django_assert_num_queries(1):
        grades.note_finished(session=session)


def test_a_switched_off_platform_is_sent_nothing(moodle, activity, luka, connection):
    play_to_the_end(activity, luka)
    connection.is_on = False
    connection.save()
    send()
    assert moodle.scores == []


def test_who_comes_by_a_launch_gets_the_grade(moodle, activity):
    client = Client()
    moodle.launch(client, subject="9", custom={})
    person = LtiPerson.objects.get(subject="9").user
    activity.refresh_from_db()
    play_to_the_end(activity, person, 3)
    send()
    assert points(moodle) == [("9", 50)]
