"""The state of a search for its page and the API: its progress and the crosswords to choose."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from osmosmjerka.db.collation import sort_key
from osmosmjerka.jobs.models import Job
from puzzles.models import CrosswordSearch
from puzzles.searches import services as searches
from puzzles.searches.shortlist import Candidate, Shortlist
from vocab.sentences import said
from vocab.text import direction


def search_state(search: CrosswordSearch, *, known: int | None = None) -> dict[str, Any]:
    """Return the search; without its candidates if their version is the *known* one."""
    job = searches.job_of(search)
    is_going_on = search.state == CrosswordSearch.State.SEARCHING
    language = search.vocabulary_list.language
    return {
        "code": search.code,
        "title": search.title,
        "state": search.state,
        "reason": said(search.reason),
        "is_waiting": is_going_on and job is not None and job.state == Job.State.QUEUED,
        "is_stopping": is_going_on and search.stop_wanted,
        "spent": round(min(search.spent, search.seconds), 1),
        "seconds": round(search.seconds, 1),
        "wanted": _wanted(search),
        "language": language,
        "direction": direction(language),
        "kept": search.kept,
        "taken": search.taken,
        "version": search.version,
        "candidates": None if known == search.version else _candidates(search),
    }


def _wanted(search: CrosswordSearch) -> int:
    """Return how many words the search tries to lay."""
    banned = search.settings["banned"]
    there = search.vocabulary_list.entries.exclude(pk__in=banned).count()
    wanted: int = search.settings["words"]
    return min(wanted, there)


def _candidates(search: CrosswordSearch) -> list[dict[str, Any]]:
    pinned = sorted(
        search.vocabulary_list.entries.filter(pk__in=search.settings["pinned"]).values_list(
            "term", flat=True
        ),
        key=sort_key(search.vocabulary_list.language),
    )
    return [_candidate(one, pinned) for one in Shortlist.from_json(search.found).best]


def _candidate(candidate: Candidate, pinned: Sequence[str]) -> dict[str, Any]:
    """Return a crossword cropped to its letters, with its figures."""
    placements = candidate.crossword.placements
    laid = {placement.word for placement in placements}
    used = {cell for placement in placements for cell in placement.cells}
    top, left = min(row for row, _ in used), min(col for _, col in used)
    rows, cols = candidate.size
    crossings = len(candidate.crossings)
    return {
        "number": candidate.number,
        "seconds": candidate.seconds,
        "words": len(placements),
        "crossings": crossings,
        "letters": len(used),
        "rows": rows,
        "cols": cols,
        "density": round(len(used) / (rows * cols), 3),
        "missing": [word for word in pinned if word not in laid],
        "grid": [
            list(row[left : left + cols]) for row in candidate.crossword.grid[top : top + rows]
        ],
        "placements": [
            {
                "word": placement.word,
                "number": placement.number,
                "direction": placement.direction,
                "start": [placement.cells[0][0] - top, placement.cells[0][1] - left],
            }
            for placement in placements
        ],
    }
