"""What is previewed is what is created."""

from __future__ import annotations

import threading

import pytest

from osmosmjerka.jobs import ledger
from puzzles.kinds import KINDS
from puzzles.making import drafts
from puzzles.making import services as making
from puzzles.models import Placement, Puzzle
from vocab.models import BlockedWord

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def patient(monkeypatch):
    """The generators may have to be compiled first."""
    monkeypatch.setattr(drafts, "SECONDS", 300)


def wanted(animals, kind, **settings):
    entries = [entry.pk for entry in animals.entries.all()[:8]]
    return {
        "vocabulary_list": animals,
        "kind": kind,
        "settings": {"words": len(entries)} | settings,
        "entries": entries,
        "seed": 4,
    }


def grids(animals, teacher, kind, **settings):
    """Return the grid and places of words of a draft, and those of the puzzle created like it."""
    asked = wanted(animals, kind, **settings)
    draft = drafts.draft(**asked)
    puzzle = making.request_puzzle(created_by=teacher, **asked)
    ledger.run_job(str(making.job_of(puzzle).pk))
    puzzle.refresh_from_db()
    return [
        (grid, [(one.term, one.cells, one.translations) for one in placements])
        for grid, placements in (
            (draft.puzzle.grid, draft.placements),
            (puzzle.grid, puzzle.placements.all()),
        )
    ]


@pytest.mark.parametrize("difficulty", ["easy", "hard"])
@pytest.mark.parametrize("kind", ["word-search", "finder"])
def test_a_puzzle_is_exactly_as_its_draft(kind, difficulty, animals, teacher):
    drafted, created = grids(animals, teacher, kind, difficulty=difficulty)
    assert drafted == created


def test_another_seed_gives_another_grid(animals):
    """The control."""
    asked = wanted(animals, "word-search")
    assert drafts.draft(**asked).puzzle.grid != drafts.draft(**asked | {"seed": 5}).puzzle.grid


def test_a_blocked_word_is_kept_from_both(animals, teacher):
    first = animals.entries.first().term
    BlockedWord.objects.create(word=first)
    drafted, created = grids(animals, teacher, "word-search")
    assert drafted == created
    assert first not in {term for term, _cells, _translations in created[1]}


def test_what_is_searched_for_some_seconds_has_no_draft(animals):
    assert drafts.draft(**wanted(animals, "crossword")).puzzle is None


def test_a_draft_that_takes_too_long_is_not_waited_for(animals, monkeypatch):
    may_go_on = threading.Event()
    monkeypatch.setattr(drafts, "SECONDS", 0.01)
    monkeypatch.setattr(
        type(KINDS["finder"]), "generate", lambda *_args, **_options: may_go_on.wait()
    )
    try:
        assert drafts.draft(**wanted(animals, "finder")).is_late
    finally:
        may_go_on.set()


def test_why_there_is_none_is_said(animals):
    asked = wanted(animals, "finder", rows=1, cols=3)
    assert drafts.draft(**asked).reason


def test_nothing_is_saved(animals):
    assert drafts.draft(**wanted(animals, "word-search")).placements
    assert not Puzzle.objects.exists()
    assert not Placement.objects.exists()
