"""Several sheets at once: versions, and one for each student of a class."""

from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

from osmosmjerka.accounts import people
from osmosmjerka.accounts.classrooms.services import add_students, archive_classroom
from osmosmjerka.accounts.models import Membership, User
from osmosmjerka.accounts.privacy import services as privacy
from osmosmjerka.jobs import ledger
from puzzles.exports import Printing
from puzzles.kinds import KINDS
from puzzles.models import Assignment, WorksheetSet
from puzzles.worksheets import services
from puzzles.worksheets.layouts import from_json
from tests.paper.reading import texts_of
from vocab.memory import reviews
from vocab.models import Review
from vocab.sentences import said

pytestmark = pytest.mark.django_db


@pytest.fixture
def ask(teacher):
    """Return a function that requests a set."""

    def ask(puzzle, content="versions", **wanted):
        wanted = {"printing": Printing()} | wanted
        return services.request_set(puzzle=puzzle, created_by=teacher, content=content, **wanted)

    return ask


@pytest.fixture
def draw(ask):
    """Return a function that requests a set and draws it as a worker does."""

    def draw(*wanted, **more):
        made = ask(*wanted, **more)
        ledger.run_job(str(services.job_of(made).pk))
        made.refresh_from_db()
        return made

    return draw


def grids_of(made):
    return [from_json(made.puzzle, stored) for stored in made.sheets]


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_versions_have_the_same_words_in_other_grids(kind, make_puzzle, draw):
    puzzle = make_puzzle(kind, words=10)
    made = draw(puzzle, versions=6)
    assert made.state == made.State.READY, made.reason
    grids = grids_of(made)
    assert len({str(one.puzzle.grid) for one in grids}) == 6
    assert grids[0].puzzle.grid == puzzle.grid  # A is the puzzle that is on screen
    words = sorted(one.term for one in puzzle.placements.all())
    for one in grids:
        assert sorted(word.term for word in one.placements) == words
        for word in one.placements:
            assert word.tiles == [one.puzzle.grid[row][col] for row, col in word.cells]
    assert len(texts_of(made.pdf)) == len(texts_of(made.key_pdf)) == 6


def test_each_student_of_a_class_gets_a_sheet(make_puzzle, draw, classroom, mia):
    puzzle = make_puzzle()
    printing = Printing(address="https://school.example/play/x/")
    same = draw(puzzle, "same", classroom=classroom, printing=printing)
    dealt = draw(puzzle, "versions", versions=2, classroom=classroom)
    each = draw(puzzle, "each", classroom=classroom)
    for made, grids in ((same, 1), (dealt, 2), (each, 2)):
        assert len(texts_of(made.pdf)) == 2 and len(texts_of(made.key_pdf)) == grids
    assert same.printing == {"address": printing.address}


def test_own_words_are_what_a_student_should_review(
    make_puzzle, draw, classroom, student, mia, animals, monkeypatch
):
    puzzle = make_puzzle(words=4)
    few = animals.entries.get(term="slon")
    wanted = {student.pk: [few.pk], mia.pk: []}
    monkeypatch.setattr(
        services, "words_to_fill", lambda person, *_rest: wanted[person.pk]
    )  # what it gives is tested where it is made
    made = draw(puzzle, "own", classroom=classroom)
    words = {one["student"]: [word["term"] for word in one["words"]] for one in made.sheets}
    assert "slon" in words[student.pk]
    assert [len(one) for one in words.values()] == [4, 4]  # the list fills the rest


def test_own_words_of_a_list_that_is_not_assigned_are_those_that_the_student_does_not_know(
    make_puzzle, draw, classroom, student, mia, animals, teacher
):
    puzzle = make_puzzle(words=4)
    Assignment.objects.all().delete()
    known = list(animals.entries.order_by("position")[:8])
    for number, entry in enumerate(known):
        reviews.record(
            student=mia,
            answers=[
                reviews.GivenAnswer(
                    entry=entry.pk, term=entry.term, mode=Review.Mode.TYPED,
                    skill=Review.Skill.MEANING_TO_FORM, outcome=Review.Outcome.RIGHT,
                    source=f"test:{number}", at=timezone.now(), is_free_practice=False,
                )
            ],
        )  # fmt: skip
    made = draw(puzzle, "own", classroom=classroom)
    words = {one["student"]: {word["entry"] for word in one["words"]} for one in made.sheets}
    assert words[mia.pk] == {one.pk for one in animals.entries.order_by("position")[8:12]}
    assert words[student.pk] == {one.pk for one in known[:4]}


def test_who_leaves_the_class_does_not_leave_their_words_to_the_next(
    make_puzzle, ask, classroom, student, mia, monkeypatch
):
    made = ask(make_puzzle(words=4), "own", classroom=classroom)
    job, written = str(services.job_of(made).pk), services._written
    monkeypatch.setattr(services, "_written", lambda *_given: 1 / 0)
    ledger.run_job(job)
    made.refresh_from_db()
    first, second = made.sheets
    classroom.memberships.filter(user=first["student"]).delete()
    monkeypatch.setattr(services, "_written", written)
    ledger.run_job(job)
    made.refresh_from_db()
    (page,) = texts_of(made.pdf)
    assert len(texts_of(made.key_pdf)) == 1
    assert str(User.objects.get(pk=second["student"])) in page
    for word in second["words"]:
        assert word["term"] in page or word["translations"][0] in page
    assert made.sheets == [first, second | {"students": [second["student"]]}]


def test_only_sheets_with_the_grid_that_is_played_say_where(make_puzzle, draw, classroom, mia):
    puzzle = make_puzzle()
    printing = Printing(address="https://school.example/play/x/")

    def played(made):
        return ["Play it here" in page for page in texts_of(made.pdf)]

    assert played(draw(puzzle, versions=2, printing=printing)) == [True, False]
    assert played(draw(puzzle, "same", classroom=classroom, printing=printing)) == [True, True]
    puzzle.assignments.update(closes_at=timezone.now())
    assert played(draw(puzzle, printing=printing, versions=3)) == [False, False, False]


def test_versions_that_are_the_same_are_said(make_puzzle, draw, teacher, sign_in):
    made = draw(make_puzzle(), versions=2)
    told = "Some sheets have the same grid"
    client = sign_in(teacher)
    assert told not in client.get(f"/worksheets/{made.pk}/").text
    WorksheetSet.objects.update(sheets=[made.sheets[0], made.sheets[0]])
    assert told in client.get(f"/worksheets/{made.pk}/").text


def test_a_request_with_an_error_keeps_what_was_chosen(
    make_puzzle, classroom, student, teacher, sign_in
):
    path = f"/puzzles/{make_puzzle().code}/print/set/"
    client, printing = sign_in(teacher), "shows=words&whole=1"
    page = client.post(path, {"content": "versions", "versions": "9", "printing": printing}).text
    assert "Choose from 2 to 6 versions." in page and 'value="9"' in page
    assert "shows=words" in page.partition('name="printing"')[2].partition(">")[0]
    page = client.post(path, {"content": "own", "versions": "9", "printing": printing}).text
    assert "Choose the class" in page and "Choose from 2" not in page
    assert not WorksheetSet.objects.exists()


def test_without_a_class_only_what_needs_none_is_offered(make_puzzle, classroom, teacher, sign_in):
    puzzle, client = make_puzzle(), sign_in(teacher)
    path = f"/puzzles/{puzzle.code}/print/"
    assert 'value="own"' in client.get(path).text
    archive_classroom(classroom=classroom, actor=teacher)
    page = client.get(path).text
    assert 'value="versions"' in page and 'value="own"' not in page
    told = client.post(f"{path}set/", {"content": "own", "printing": "whole=1"}).text
    assert "Select a valid choice" in told


def test_a_class_that_nobody_is_in_any_more_is_said(make_puzzle, ask, classroom, student):
    for content in ("same", "own"):
        made = ask(make_puzzle(), content, classroom=classroom)
        membership = classroom.memberships.get(user=student)
        membership.delete()
        ledger.run_job(str(services.job_of(made).pk))
        made.refresh_from_db()
        assert made.state == made.State.FAILED
        assert "no students" in said(made.reason)
        membership.save()


def test_sets_that_wait_or_failed_can_be_deleted(make_puzzle, ask, teacher, sign_in):
    puzzle, client = make_puzzle(), sign_in(teacher)
    for state in ("queued", "failed"):
        made = ask(puzzle)
        job = services.job_of(made)
        WorksheetSet.objects.update(state=state)
        listed = client.get(f"/puzzles/{puzzle.code}/print/").text
        assert str(WorksheetSet.State(state).label) in listed
        assert f"/worksheets/{made.pk}/delete/" in client.get(f"/worksheets/{made.pk}/").text
        client.post(f"/worksheets/{made.pk}/delete/")
        assert not WorksheetSet.objects.exists()
        job.refresh_from_db()
        assert job.state == job.State.CANCELLED


def test_a_second_click_makes_no_second_set_and_too_many_have_to_wait(make_puzzle, ask):
    puzzle = make_puzzle()
    first = ask(puzzle)
    assert ask(puzzle) == first
    assert ask(puzzle, printing=Printing(text="large")) != first
    ask(puzzle, printing=Printing(text="small"))
    with pytest.raises(ValidationError, match="already have 3 sets"):
        ask(puzzle, printing=Printing(paper="letter"))


def test_a_worker_that_takes_over_begins_with_the_next_grid(make_puzzle, ask, monkeypatch):
    made = ask(make_puzzle(), versions=3)
    job = str(services.job_of(made).pk)
    written = services._written
    monkeypatch.setattr(services, "_written", lambda *_given: 1 / 0)
    ledger.run_job(job)
    made.refresh_from_db()
    stored = made.sheets
    assert len(stored) == 3 and made.state == made.State.QUEUED
    monkeypatch.setattr(services, "_written", written)
    ledger.run_job(job)
    made.refresh_from_db()
    assert made.state == made.State.READY and made.sheets == stored


def test_the_page_of_a_set_has_its_files(make_puzzle, teacher, classroom, mia, sign_in):
    puzzle, client = make_puzzle(), sign_in(teacher)
    reply = client.post(
        f"/puzzles/{puzzle.code}/print/set/",
        {"content": "same", "classroom": classroom.pk, "printing": "paper=letter&whole=1"},
    )
    made = WorksheetSet.objects.get()
    assert reply.url == f"/worksheets/{made.pk}/" and made.printing["paper"] == "letter"
    assert 'hx-trigger="every' in client.get(reply.url).text
    assert client.get(f"{reply.url}worksheets.pdf").status_code == 404  # not yet
    ledger.run_job(str(services.job_of(made).pk))
    page = client.get(reply.url, headers={"HX-Request": "true"}).text
    assert 'hx-trigger="every' not in page and f"{reply.url}solutions.pdf" in page
    file = client.get(f"{reply.url}worksheets.pdf")
    assert len(texts_of(file.content)) == 2
    assert "6b%20%E2%80%93%20Worksheets.pdf" in file["Content-Disposition"]
    assert client.get(f"{reply.url}grids.pdf").status_code == 404
    client.post(f"{reply.url}delete/")
    assert not WorksheetSet.objects.exists()


def test_names_are_printed_only_by_teachers_of_the_class(
    make_puzzle, make_person, school, classroom, teacher, sign_in
):
    viewer, colleague = (make_person(User.Role.TEACHER, school) for _each in range(2))
    people.join_classroom(classroom=classroom, person=viewer, role=Membership.Role.VIEWER)
    chess = people.create_classroom(name="chess", owner=colleague)
    path = f"/puzzles/{make_puzzle().code}/print/set/"
    for person, wanted, status in (
        (teacher, {"content": "same", "classroom": chess.pk}, 200),  # with an error
        (teacher, {"content": "own"}, 200),
        (colleague, {"content": "same", "classroom": chess.pk}, 404),  # another's puzzle
    ):
        assert sign_in(person).post(path, wanted).status_code == status
        assert not WorksheetSet.objects.exists()
    sign_in(viewer).post(path, {"content": "same", "classroom": classroom.pk})  # who may print all
    made = WorksheetSet.objects.get()
    assert sign_in(viewer).get(f"/worksheets/{made.pk}/").status_code == 200
    assert sign_in(teacher).get(f"/worksheets/{made.pk}/").status_code == 404
    classroom.memberships.filter(user=viewer).delete()
    assert sign_in(viewer).get(f"/worksheets/{made.pk}/").status_code == 404


def test_names_are_kept_for_a_week_and_no_longer_than_the_student(
    make_puzzle, draw, classroom, student, mia, teacher, sign_in
):
    made = draw(make_puzzle(), "same", classroom=classroom)
    client = sign_in(teacher)
    page = f"/worksheets/{made.pk}/"
    assert client.get(page).status_code == 200
    assert services.forget_old() == 0
    told = privacy.personal_data(mia)["puzzles.worksheetset"][0]
    assert told["pdf"] == told["sheets"] == privacy.WITHHELD
    long_ago = timezone.now() - services.KEPT - timedelta(minutes=1)
    WorksheetSet.objects.update(created_at=long_ago)
    assert client.get(page).status_code == 404  # also before the daily job
    assert services.forget_old() == 1
    draw(make_puzzle(seed=3), "same", classroom=classroom)
    privacy.erase_classroom(classroom=classroom, actor=teacher)
    assert not WorksheetSet.objects.exists()


@pytest.fixture
def four(classroom, teacher):
    names = ["Ena", "Fran", "Goga", "Hana"]
    Membership.objects.filter(classroom=classroom, role=Membership.Role.STUDENT).delete()
    return add_students(classroom=classroom, names=names, actor=teacher)


def pages_of(pdf, names):
    """Return the text of each student's sheet, by name."""
    pages = texts_of(pdf)
    return {name: next(page for page in pages if name in page) for name in names}


@pytest.mark.parametrize("content", ["same", "versions", "each", "own"])
@pytest.mark.parametrize("erased", [0, 2])
def test_when_a_student_is_erased_the_others_keep_their_sheets(
    content, erased, make_puzzle, draw, classroom, four, teacher, sign_in
):
    made = draw(make_puzzle(words=4), content, versions=3, classroom=classroom)
    names = [one.display_name for one in four]
    before = pages_of(made.pdf, names)
    # Who has left the class since, or was renamed, keeps their sheet, too.
    classroom.memberships.filter(user=four[3]).delete()
    User.objects.filter(pk=four[1].pk).update(display_name="Aron")
    privacy.erase_person(person=four[erased], actor=teacher)
    made.refresh_from_db()
    assert (made.pdf, made.key_pdf) == (b"", b""), "the name is gone at once"
    assert sign_in(teacher).get(f"/worksheets/{made.pk}/").status_code == 200
    ledger.run_job(str(services.job_of(made).pk))
    made.refresh_from_db()
    assert made.state == made.State.READY, made.reason
    gone = names.pop(erased)
    text = "".join(texts_of(made.pdf) + texts_of(made.key_pdf))
    assert gone not in text
    after = pages_of(made.pdf, ["Aron" if name == "Fran" else name for name in names])
    for name in names:
        now = after["Aron"].replace("Aron", "Fran") if name == "Fran" else after[name]
        assert now == before[name]


def test_a_set_that_is_still_being_drawn_is_drawn_without_the_student(
    make_puzzle, ask, classroom, four, teacher
):
    made = ask(make_puzzle(words=4), "each", classroom=classroom)
    first = services.job_of(made).pk
    privacy.erase_person(person=four[1], actor=teacher)
    assert services.job_of(made).pk != first, "what was begun cannot be finished"
    ledger.run_job(str(services.job_of(made).pk))
    made.refresh_from_db()
    assert len(texts_of(made.pdf)) == 3
    assert "Fran" not in "".join(texts_of(made.pdf))


def test_a_set_of_nobody_else_goes_with_the_student(make_puzzle, draw, classroom, four, teacher):
    for one in four[1:]:
        privacy.erase_person(person=one, actor=teacher)
    draw(make_puzzle(words=4), "each", classroom=classroom)
    privacy.erase_person(person=four[0], actor=teacher)
    assert not WorksheetSet.objects.exists()
