"""The life of an assignment, who has it, and each student's own version of an adaptive one."""

import csv
import re
import uuid
from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

from osmosmjerka.accounts import people
from osmosmjerka.accounts.models import Membership, User
from osmosmjerka.jobs import ledger
from puzzles.access import puzzles, sessions
from puzzles.assignments import services as assignments
from puzzles.generators.errors import WordSearchError
from puzzles.kinds import KINDS
from puzzles.kinds.base import SentMove, cells_of
from puzzles.making import services as making
from puzzles.models import Puzzle
from puzzles.play import services as play
from tests.conftest import rows
from tests.puzzles.practice.test_practice import find_all, made
from vocab.lists.services import create_list
from vocab.memory import reviews
from vocab.message import message

pytestmark = [pytest.mark.django_db, pytest.mark.database]
NOW = timezone.now()
DAY = timedelta(days=1)


@pytest.fixture
def assignment(make_puzzle):
    return make_puzzle().assignments.get()


def may_play(pupil, assignment):
    return puzzles(pupil, "play").filter(pk=assignment.puzzle_id).exists()


@pytest.mark.parametrize(
    ("changes", "state", "is_played"),
    [
        ({}, "open", True),
        ({"is_draft": True}, "draft", False),
        ({"opens_at": NOW + DAY}, "scheduled", False),
        ({"opens_at": NOW - DAY, "due_at": NOW - DAY / 2}, "open", True),  # late, and let in
        ({"closes_at": NOW - DAY}, "closed", False),
        ({"archived_at": NOW}, "archived", False),
    ],
)
def test_an_assignment_is_played_while_it_is_open(
    changes, state, is_played, assignment, student, sign_in
):
    assignments.change(assignment=assignment, **changes)
    assert assignment.state == state
    assert may_play(student, assignment) is is_played
    shown = f"/play/{assignment.puzzle.code}/" in sign_in(student).get("/").content.decode()
    assert shown is is_played
    played = sign_in(student).get(f"/api/play/{assignment.puzzle.code}/")
    assert played.status_code == (200 if is_played else 404)


def test_what_was_begun_may_be_ended_after_it_closed(assignment, student):
    play.open_session(puzzle=assignment.puzzle, student=student)
    assignments.close(assignment=assignment)
    assert may_play(student, assignment)


def test_only_students_of_the_class_can_be_chosen(assignment, make_person, school):
    other = make_person(User.Role.STUDENT, school)
    with pytest.raises(ValidationError, match="Not in this class"):
        assignments.change(assignment=assignment, chosen_students=[other])


def test_who_is_excused_has_nothing_to_do(assignment, student, sign_in):
    assignments.change(assignment=assignment, excused=[student])
    assert assignment.puzzle.title not in sign_in(student).get("/").content.decode()


def test_a_teacher_closes_excuses_and_archives(assignment, classroom, student, teacher, sign_in):
    client = sign_in(teacher)
    path = f"/classes/{classroom.pk}/assignments/{assignment.pk}/change/"
    for _time, is_excused in ((1, True), (2, False)):
        client.post(path, {"excuse": student.pk})
        assert assignment.excused.filter(pk=student.pk).exists() is is_excused
    client.post(path, {"close": ""})
    assignment.refresh_from_db()
    assert assignment.state == "closed"
    client.post(path, {"archive": ""})
    assignment.refresh_from_db()
    assert assignment.state == "archived"
    assert sign_in(student).post(path, {"close": ""}).status_code == 404


def change_path(assignment):
    return f"/classes/{assignment.classroom_id}/assignments/{assignment.pk}/change/"


def test_what_was_closed_before_it_was_due_can_still_be_changed(
    assignment, student, teacher, sign_in
):
    assignments.change(assignment=assignment, due_at=NOW + DAY)
    client = sign_in(teacher)
    client.post(change_path(assignment), {"close": ""})
    assert client.post(change_path(assignment), {"excuse": student.pk}).status_code == 302
    assert assignment.excused.get() == student
    path = f"/classes/{assignment.classroom_id}/assignments/{assignment.pk}/edit/"
    shown = client.get(path).context["form"]
    sent = {field.html_name: field.value() for field in shown if field.value() is not None}
    sent = {
        name: value.strftime("%Y-%m-%dT%H:%M") if name.endswith("_at") else value
        for name, value in sent.items()
    }
    assert client.post(path, sent | {"attempts": 3, "is_draft": ""}).status_code == 302
    assignment.refresh_from_db()
    assert (assignment.state, assignment.attempts) == ("closed", 3)
    with pytest.raises(ValidationError, match="Put the dates in this order"):
        assignments.change(assignment=assignment, due_at=NOW + 2 * DAY)


def test_a_student_is_excused_though_another_who_was_has_left(
    assignment, student, classroom, make_person, school, teacher, sign_in
):
    gone = make_person(User.Role.STUDENT, school)
    place = people.join_classroom(classroom=classroom, person=gone, role=Membership.Role.STUDENT)
    assignments.excuse(assignment=assignment, student=gone, is_excused=True)
    place.delete()
    reply = sign_in(teacher).post(change_path(assignment), {"excuse": student.pk})
    assert reply.status_code == 302
    assert student in assignment.excused.all()


def test_what_was_archived_by_mistake_comes_back(assignment, classroom, student, teacher, sign_in):
    client = sign_in(teacher)
    client.post(change_path(assignment), {"archive": ""})
    page = client.get(f"/classes/{classroom.pk}/progress/").content.decode()
    assert f"/classes/{classroom.pk}/assignments/{assignment.pk}/" in page
    client.post(change_path(assignment), {"restore": ""})
    assert may_play(student, assignment)


def test_given_again_it_leaves_the_archive_and_keeps_when_it_is_due(assignment, classroom, teacher):
    assignments.change(assignment=assignment, due_at=NOW + DAY)
    assignments.archive(assignment=assignment)
    assignments.give(puzzle=assignment.puzzle, classrooms=[classroom], created_by=teacher)
    assignment.refresh_from_db()
    assert (assignment.state, assignment.due_at) == ("open", NOW + DAY)


@pytest.mark.parametrize("field", ["pinned", "chosen_students"])
def test_a_number_that_is_nobodys_is_refused(field, assignment, teacher, sign_in):
    path = f"/classes/{assignment.classroom_id}/assignments/{assignment.pk}/edit/"
    body = {"attempts": 1, "counting": "best"}
    for number in ("9" * 30, "x", "-1"):
        reply = sign_in(teacher).post(path, body | {field: number})
        assert reply.status_code == 200
        assert number in reply.content.decode()
    assert sign_in(teacher).post(path, body).status_code == 302  # the control


@pytest.fixture
def adaptive(make_puzzle, animals):
    assignment = make_puzzle(words=6).assignments.get()
    pinned = [animals.entries.get(term="slon").pk]
    return assignments.change(assignment=assignment, is_adaptive=True, pinned=pinned)


def test_each_student_plays_their_own_due_words_and_what_is_included(
    adaptive, animals, student, classroom, make_person, school, sign_in, teacher
):
    other = make_person(User.Role.STUDENT, school)
    people.join_classroom(classroom=classroom, person=other, role=Membership.Role.STUDENT)
    due = animals.entries.get(term="medvjed")
    for days in (20, 19.99):
        reviews.review(
            student=student, entry=due, mode="typed", skill="meaning_to_form", outcome="right",
            at=NOW - timedelta(days=days), source=f"{days}",
        )  # fmt: skip
    preview = assignments.words_for(adaptive, student)
    assert [entry.term for entry in preview[:2]] == ["slon", "medvjed"]
    reply = sign_in(student).post(f"/assignments/{adaptive.pk}/play/")
    mine = made(Puzzle.objects.get(code=reply.url.split("/")[2]))
    assert set(mine.placements.values_list("entry", flat=True)) <= {e.pk for e in preview}
    assert assignments.own_puzzle(assignment=adaptive, student=student) == mine
    theirs = assignments.own_puzzle(assignment=adaptive, student=other)
    assert theirs != mine
    assert due.pk not in theirs.entries
    session = find_all(mine, student)
    assert sessions(teacher).filter(pk=session.pk).exists()
    [line] = assignments_lines(adaptive, [student, other])
    assert [str(how) for how in line.statuses.values()] == ["done", "not started"]


def test_a_students_own_puzzle_has_no_message_that_its_words_might_not_leave_over(
    make_puzzle, student, teacher, sign_in
):
    common = make_puzzle(words=8, bonus=2, message="Bravo razred šesti be")
    assignment = common.assignments.get()
    path = f"/classes/{assignment.classroom_id}/assignments/{assignment.pk}/edit/"
    page = sign_in(teacher).get(path).text
    assert "Not available in personalised puzzles: Hidden message, Bonus words." in page
    assignments.change(assignment=assignment, is_adaptive=True)
    mine = made(assignments.own_puzzle(assignment=assignment, student=student))
    assert (mine.state, mine.settings["message"], mine.settings["bonus"]) == ("ready", "", 0)


def test_a_student_whose_own_puzzle_could_not_be_created_gets_another_at_the_next_visit(
    adaptive, student, sign_in, monkeypatch
):
    path = f"/assignments/{adaptive.pk}/play/"

    def visit():
        code = sign_in(student).post(path).url.split("/")[2]
        puzzle = Puzzle.objects.get(code=code)
        ledger.run_job(str(making.job_of(puzzle).pk))
        puzzle.refresh_from_db()
        return puzzle

    with monkeypatch.context() as patch:
        patch.setattr(type(KINDS["word-search"]), "generate", refuse)
        failed = visit()
        assert failed.state == "failed"
    mine = visit()
    assert mine != failed
    assert mine.state == "ready"
    assert visit() == mine
    monkeypatch.setattr(making, "STUDENTS_PUZZLES_A_DAY", 2)
    Puzzle.objects.filter(pk=mine.pk).update(state="failed")
    assert "a lot of puzzles" in sign_in(student).post(path, follow=True).text


def refuse(*_words, **_settings):
    raise WordSearchError(message("They do not fit."))


def assignments_lines(assignment, pupils):
    from puzzles.assignments.status import assignment_lines

    return assignment_lines([assignment], pupils, timezone.now())


def test_the_page_leads_to_the_students_own_version(adaptive, student, sign_in):
    assert f"/assignments/{adaptive.pk}/play/" in sign_in(student).get("/").content.decode()


def test_an_assignment_of_another_class_cannot_be_played(adaptive, make_person, school, sign_in):
    other = make_person(User.Role.STUDENT, school)
    assert sign_in(other).post(f"/assignments/{adaptive.pk}/play/").status_code == 404


def test_words_with_help_are_the_same_number_on_all_pages(
    make_puzzle, classroom, student, teacher, sign_in
):
    """Hints, shown words and those shown at the finish, each once; and no word of an open game."""
    puzzle = make_puzzle("finder", words=6)
    alone, hinted, both, left, _untouched, revealed = puzzle.placements.all()
    session = play.open_session(puzzle=puzzle, student=student)
    for word, hints in ((alone, 0), (hinted, 1), (both, 2)):
        for kind in ("first_cell", "text")[:hints]:
            play.take_hint(session=session, slot=word.slot, kind=kind)
        move = SentMove(slot=word.slot, cells=cells_of(word))
        play.record_move(session=session, move_id=uuid.uuid4(), move=move)
    play.take_hint(session=session, slot=left.slot, kind="first_cell")
    play.take_hint(session=session, slot=revealed.slot, kind="word")
    client, path = sign_in(teacher), f"/classes/{classroom.pk}"

    def told():
        """What the assignment's page, its file, the class, the student and the lesson say."""
        its = f"{path}/assignments/{puzzle.assignments.get().pk}/"
        table = re.sub(r"\s+", " ", client.get(its).text)
        [line] = csv.DictReader(client.get(f"{its}?format=csv").text.lstrip("\ufeff").splitlines())
        pages = [f"{path}/progress/", f"{path}/pupils/{student.pk}/"]
        texts = [re.sub(r"\s+", " ", client.get(page).text) for page in pages]
        lesson = re.sub(r"\s+", " ", client.get(f"{path}/lesson/").text)
        return {
            *re.findall(r'data-label="Words with help"> (\d+) <', table),
            line["Words with help"],
            *(re.search(r"<small> (\d+) with help", text)[1] for text in texts),
            re.search(r"Help with (\d+) words", lesson)[1],
        }

    assert told() == {"4"}
    play.finish_session(session=session)
    assert told() == {"5"}


def test_results_keep_words_with_commas_apart(teacher, student, make_puzzle, sign_in):
    phrases = create_list(
        owner=teacher,
        title="Phrases",
        language="de",
        translation_languages=["en"],
        rows=rows({"ja, bitte": "yes, please", "nein, danke": "no, thanks", "Hallo": "hello"}),
    )
    puzzle = make_puzzle(vocabulary_list=phrases, words=3)
    play.open_session(puzzle=puzzle, student=student)
    page = sign_in(teacher).get(f"/puzzles/{puzzle.code}/").content.decode()
    missing = (
        page.split('data-label="Not found"')[1]
        .split("<bdi lang=")[1]
        .partition(">")[2]
        .split("</bdi>")[0]
    )
    assert sorted(missing.split(" · ")) == ["Hallo", "ja, bitte", "nein, danke"]
