"""A puzzle is made by its job, from its list, settings and seed."""

import itertools

import pytest

from osmosmjerka.accounts.selectors import students_of
from osmosmjerka.jobs import ledger
from osmosmjerka.jobs.models import Job
from puzzles.assignments import selectors as assignments_selectors
from puzzles.assignments import services as assignments
from puzzles.kinds import KINDS
from puzzles.making import services as making
from puzzles.models import Assignment, Puzzle
from tests.conftest import rows
from vocab.lists.services import create_list, write_rows
from vocab.models import BlockedWord
from vocab.sentences import said

pytestmark = [pytest.mark.django_db, pytest.mark.database]


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_each_kind_is_made_by_a_job_and_every_tile_is_where_it_says(kind, make_puzzle):
    puzzle = make_puzzle(kind)
    assert puzzle.state == Puzzle.State.READY, puzzle.reason
    for placement in puzzle.placements.all():
        there = [puzzle.grid[row][col] for row, col in placement.cells]
        assert there == placement.tiles == placement.entry.tiles
    assert making.job_of(puzzle).state == Job.State.DONE


@pytest.mark.parametrize("kind", ["word-search", "finder"])
def test_the_same_seed_makes_the_same_puzzle(kind, make_puzzle):
    assert make_puzzle(kind, seed=5).grid == make_puzzle(kind, seed=5).grid
    assert make_puzzle(kind, seed=5).grid != make_puzzle(kind, seed=6).grid


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_a_job_that_is_delivered_twice_makes_one_puzzle(kind, make_puzzle):
    puzzle = make_puzzle(kind)
    before = list(puzzle.placements.values_list("pk", flat=True))
    ledger.run_job(str(making.job_of(puzzle).pk))
    assert list(puzzle.placements.values_list("pk", flat=True)) == before


def test_a_list_that_cannot_be_used_fails_with_a_reason_and_is_not_tried_again(
    make_puzzle, teacher
):
    short = create_list(
        owner=teacher,
        title="Short",
        language="en",
        translation_languages=["hr"],
        rows=rows({"a": "1", "an": "2"}),
    )
    puzzle = make_puzzle("word-search", vocabulary_list=short)
    assert puzzle.state == Puzzle.State.FAILED
    assert puzzle.reason
    assert making.job_of(puzzle).attempts == 1


def test_a_word_without_a_clue_is_left_out_of_a_crossword_and_named(make_puzzle, animals):
    from vocab.formats.rows import Row

    write_rows(vocabulary_list=animals, rows=[Row(line=1, term="ornitorinko")])
    puzzle = make_puzzle("crossword")
    assert [word["word"] for word in puzzle.unplaced] == ["ornitorinko"]
    assert "translation" in puzzle.unplaced[0]["reason"]


def test_a_crossword_cuts_words_as_its_list_wants(make_puzzle, teacher):
    words = {"ljiljan": "lily", "nos": "nose", "jasen": "ash"}
    plain = create_list(
        owner=teacher,
        title="Plain",
        language="hr",
        translation_languages=["en"],
    )
    plain.uses_digraphs = False
    plain.save()
    write_rows(vocabulary_list=plain, rows=rows(words))
    puzzle = make_puzzle("crossword", vocabulary_list=plain)
    lengths = {p.term: len(p.cells) for p in puzzle.placements.all()}
    assert lengths["ljiljan"] == 7


def lines_of(grid):
    """Return the tiles of every row, column and diagonal of a grid, both ways."""
    cells = {(r, c): tile for r, row in enumerate(grid) for c, tile in enumerate(row)}
    lines = []
    for (r, c), (down, right) in itertools.product(cells, [(0, 1), (1, 0), (1, 1), (1, -1)]):
        if (r - down, c - right) not in cells:
            places = [(r + i * down, c + i * right) for i in range(len(cells))]
            line = [cells[place] for place in places if place in cells]
            lines += [line, line[::-1]]
    return lines


@pytest.mark.parametrize("kind", ["word-search", "finder"])
def test_no_puzzle_shows_a_word_that_its_school_blocks(
    kind, make_puzzle, animals, school, other_school
):
    def pairs_in(puzzle):
        return {pair for line in lines_of(puzzle.grid) for pair in itertools.pairwise(line)}

    # Letters that the filling puts side by side, and no word of the list.
    before = make_puzzle(kind, seed=1)
    in_words = {
        pair
        for entry in animals.entries.all()
        for way in (entry.tiles, entry.tiles[::-1])
        for pair in itertools.pairwise(way)
    }
    side_by_side = [pair for row in before.grid for pair in itertools.pairwise(row)]
    unwanted = [pair for pair in side_by_side if pair not in in_words and len("".join(pair)) == 2]
    unwanted = set(unwanted[:3])
    assert len(unwanted) == 3
    for number, pair in enumerate(sorted(unwanted)):
        BlockedWord.objects.create(word="".join(pair), school=school if number else None)
    after = make_puzzle(kind, seed=1)
    assert after.state == Puzzle.State.READY, after.reason
    assert not pairs_in(after) & unwanted
    # What another school blocks is no matter of this one.
    BlockedWord.objects.all().update(school=other_school)
    assert make_puzzle(kind, seed=1).grid == before.grid
    assert pairs_in(before) >= unwanted


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_a_blocked_word_of_the_list_is_in_no_puzzle_and_is_named(kind, make_puzzle, animals):
    blocked = animals.entries.first().term
    BlockedWord.objects.create(word=blocked.upper())
    puzzle = make_puzzle(kind, words=animals.entries.count() - 1)
    assert puzzle.state == Puzzle.State.READY
    assert blocked not in puzzle.placements.values_list("term", flat=True)
    assert {"word": blocked, "reason": "It is a blocked word."} in [
        {**one, "reason": said(one["reason"])} for one in puzzle.unplaced
    ]


def test_an_empty_list_says_so(make_puzzle, teacher):
    empty = create_list(owner=teacher, title="Empty", language="en", translation_languages=["hr"])
    assert "No word" in make_puzzle("finder", vocabulary_list=empty).reason


def test_a_puzzle_keeps_its_words_when_the_list_changes(make_puzzle, animals):
    puzzle = make_puzzle()
    placement = puzzle.placements.first()
    placement.entry.delete()
    placement.refresh_from_db()
    assert placement.entry is None
    assert placement.term


def test_given_again_to_the_same_class_it_is_given_once(make_puzzle, classroom, teacher):
    puzzle = make_puzzle()
    assignments.give(puzzle=puzzle, classrooms=[classroom], created_by=teacher)
    assert Assignment.objects.count() == 1


def test_the_teacher_sees_who_found_what(make_puzzle, classroom, student, sign_in, teacher):
    import uuid

    from puzzles.kinds.base import SentMove, cells_of
    from puzzles.play import services as play

    puzzle = make_puzzle()
    placement = puzzle.placements.first()
    session = play.open_session(puzzle=puzzle, student=student)
    play.record_move(
        session=session, move_id=uuid.uuid4(), move=SentMove(cells=cells_of(placement))
    )
    [progress] = assignments_selectors.progress_of_students(puzzle, students_of(classroom))
    assert progress.student == student and progress.session is not None
    assert progress.found == [placement.term]
    assert len(progress.missing) == puzzle.placements.count() - 1
    page = sign_in(teacher).get(f"/puzzles/{puzzle.code}/").content.decode()
    assert placement.term in page
    assert "in progress" in page


def test_the_overview_counts_who_began_and_who_is_done(
    make_puzzle, classroom, student, make_person, school, sign_in, teacher
):
    from osmosmjerka.accounts.people import join_classroom
    from puzzles.play import services as play

    second = make_person("student", school)
    join_classroom(classroom=classroom, person=second, role="student")
    puzzle = make_puzzle()
    play.finish_session(session=play.open_session(puzzle=puzzle, student=student))
    play.open_session(puzzle=puzzle, student=second)
    play.open_session(puzzle=puzzle, student=puzzle.created_by)
    page = sign_in(teacher).get(f"/classes/{classroom.pk}/")
    [line] = page.context["lines"]
    assert (line.students, line.started, line.needing_help) == (2, 1, 1)  # all was given up


def test_pages_of_a_class_ask_the_same_number_of_queries_however_many_students(
    make_puzzle, classroom, make_person, school, sign_in, teacher, django_assert_max_num_queries
):
    from osmosmjerka.accounts.people import join_classroom
    from puzzles.play import services as play

    puzzle = make_puzzle()
    for _index in range(12):
        pupil = make_person("student", school)
        join_classroom(classroom=classroom, person=pupil, role="student")
        play.open_session(puzzle=puzzle, student=pupil)
    client = sign_in(teacher)
    # Today says of each student what they need.
    for path, most in (
        (f"/puzzles/{puzzle.code}/", 21),
        (f"/classes/{classroom.pk}/", 23),
        ("/", 27),
    ):
        with django_assert_max_num_queries(most):
            assert client.get(path).status_code == 200
