"""A teacher's search for a crossword: start it, watch it, stop it, and use one of its results.

It runs in rounds. Each round starts again, with other words if the list has more than are wanted,
or continues from the best result so far. Results are stored as they are found, so that a worker
that replaces a dead one continues from there. After each round the job yields to waiting jobs;
for another person's job, a round ends early.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from datetime import timedelta
from random import Random
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, ngettext_lazy

from osmosmjerka.accounts.bin import services as bin
from osmosmjerka.accounts.models import User
from osmosmjerka.jobs import ledger
from osmosmjerka.jobs.models import Job
from puzzles.generators import crossword
from puzzles.generators.crossword import Crossword
from puzzles.generators.errors import PuzzleError
from puzzles.generators.grid import LONGEST_WORD
from puzzles.kinds import KINDS
from puzzles.kinds.base import Layout, Slot
from puzzles.kinds.crossword import Crossword as CrosswordKind
from puzzles.making import services as making
from puzzles.models import CrosswordSearch, Puzzle
from puzzles.searches.forms import SearchForm
from puzzles.searches.shortlist import Shortlist
from vocab.entries.selectors import blocked_words
from vocab.message import message, packed
from vocab.models import VocabularyList
from vocab.text import normal_form

SEARCH = "puzzles.search"
KIND = CrosswordKind.slug
QUEUE = "search"
AT_ONCE = 2
"""The number of searches that one teacher may run at the same time."""
_TOO_MANY = ngettext_lazy(
    "You already have %(count)s search running. Stop it first.",
    "You already have %(count)s searches running. Stop one first.",
    "count",
)
MOST_KEPT = 6
MOST_IN_VAIN = 20
"""Consecutive rounds without any crossword, after which other words are unlikely to work."""
LONGEST_ROUND = 8.0
"""Seconds after which another search of the same person gets its turn; others' get it sooner."""
CHECK_EVERY = 0.2
"""Seconds between two checks whether the search has to stop."""
WRITE_EVERY = 0.5
"""Seconds between two writes of the results."""
# Leave one core for the site if there are two. A beam takes at most 400 MB per thread.
THREADS = max(1, min(2, (os.cpu_count() or 1) - 1))
KEPT_FOR = timedelta(days=30)


@transaction.atomic
def request_search(
    *,
    vocabulary_list: VocabularyList,
    created_by: User,
    wishes: dict[str, Any] | None = None,
    title: str = "",
    seed: int | None = None,
) -> CrosswordSearch:
    """Save a search and the job that runs it; *wishes* that are not given are as usual.

    Raises ValidationError with a message for each wish that is wrong or unknown.
    """
    _hold_to_limit(created_by)
    settings = making.clean_form(SearchForm, wishes or {}, entries=vocabulary_list.entries.all())
    search = CrosswordSearch.objects.create(
        vocabulary_list=vocabulary_list,
        created_by=created_by,
        title=normal_form(title) or vocabulary_list.title,
        settings=settings,
        seconds=settings["seconds"],
        seed=making.new_seed() if seed is None else seed,
    )
    enqueue(search)
    return search


def _hold_to_limit(person: User) -> None:
    going_on = CrosswordSearch.objects.filter(state=CrosswordSearch.State.SEARCHING)
    making.hold_to_limit(person, going_on, AT_ONCE, _TOO_MANY)


def enqueue(search: CrosswordSearch) -> None:
    """Queue the job of *search*, which goes on with what was found so far."""
    ledger.enqueue(
        SEARCH,
        key=job_key(search),
        arguments={"search": search.pk},
        owner=search.created_by,
        subject=search,
        queue=QUEUE,
    )


def job_key(search: CrosswordSearch) -> str:
    """Return the key of the search's current job."""
    return f"{SEARCH}:{search.pk}:{search.goes}"


def job_of(search: CrosswordSearch) -> Job | None:
    """Return the search's current job."""
    return Job.objects.filter(key=job_key(search)).first()


@transaction.atomic
def stop(*, search: CrosswordSearch) -> CrosswordSearch:
    """Stop a search and keep what it found; a running one stops within a second."""
    search = _locked(search)
    if search.state == CrosswordSearch.State.SEARCHING:
        search.stop_wanted = True
        job = job_of(search)
        if job is None or job.state != Job.State.RUNNING:
            if job is not None:
                ledger.cancel(job)
            search.state = CrosswordSearch.State.STOPPED
        search.save(update_fields=["stop_wanted", "state"])
    return search


@transaction.atomic
def discard(*, search: CrosswordSearch, actor: User) -> None:
    """Stop a search and put it into the bin; puzzles created from it remain."""
    bin.put(search, actor)


@transaction.atomic
def go_on(*, search: CrosswordSearch) -> CrosswordSearch:
    """Search for as long again, starting from the best result so far."""
    search = _locked(search)
    if search.state in (CrosswordSearch.State.OVER, CrosswordSearch.State.STOPPED):
        _hold_to_limit(search.created_by)
        search.state, search.stop_wanted = CrosswordSearch.State.SEARCHING, False
        search.reason = ""
        search.seconds = search.spent + search.settings["seconds"]
        search.goes += 1
        search.save(update_fields=["state", "stop_wanted", "reason", "seconds", "goes"])
        enqueue(search)
    return search


def give_up(job: Job) -> None:
    """Stop the search of a failed job: its results can be used, and it can be continued."""
    reason = message("It failed three times. The problem is on our side, not yours.")
    own = CrosswordSearch.objects.filter(
        pk=job.arguments["search"], state=CrosswordSearch.State.SEARCHING
    )
    for search in own:
        is_of_use = bool(Shortlist.from_json(search.found).best)
        search.state = CrosswordSearch.State.STOPPED if is_of_use else CrosswordSearch.State.FAILED
        search.reason, search.stop_wanted = packed(reason), False
        search.save(update_fields=["state", "reason", "stop_wanted"])


def resume(job: Job) -> None:
    """Continue the search of a failed job that is queued again, for the time that it had left."""
    search = CrosswordSearch.objects.filter(
        pk=job.arguments["search"],
        state__in=[CrosswordSearch.State.STOPPED, CrosswordSearch.State.FAILED],
    ).first()
    if search is not None and job_key(search) == job.key:  # not continued by the teacher meanwhile
        search.state, search.reason = CrosswordSearch.State.SEARCHING, ""
        search.save(update_fields=["state", "reason"])


@transaction.atomic
def keep(*, search: CrosswordSearch, candidate: int, is_kept: bool) -> CrosswordSearch:
    """Set whether a candidate stays on the list even if better ones are found."""
    search = _locked(search)
    _candidate(search, candidate)
    kept = [number for number in search.kept if number != candidate]
    if is_kept:
        if len(kept) >= MOST_KEPT:
            raise ValidationError(
                ngettext(
                    "You are already keeping %(count)s crossword. Remove one first.",
                    "You are already keeping %(count)s crosswords. Remove one first.",
                    MOST_KEPT,
                )
                % {"count": MOST_KEPT}
            )
        kept.append(candidate)
    search.kept = kept
    search.save(update_fields=["kept"])
    return search


@transaction.atomic
def take(*, search: CrosswordSearch, candidate: int, title: str = "") -> Puzzle:
    """Create a puzzle from a candidate and stop the search. Repeats return the same puzzle."""
    search = _locked(search)
    taken = search.taken.get(str(candidate))
    puzzle = Puzzle.objects.filter(code=taken).first() if taken else None
    if puzzle is None:
        puzzle = _make_puzzle(search, _candidate(search, candidate), title)
        search.taken[str(candidate)] = puzzle.code
        search.save(update_fields=["taken"])
    stop(search=search)
    return puzzle


def _make_puzzle(search: CrosswordSearch, made: Crossword, title: str) -> Puzzle:
    settings = search.settings
    placed = {placement.word: None for placement in made.placements}
    every = search.vocabulary_list.entries.prefetch_related("translations")
    entries = {entry.played: entry for entry in every if entry.played in placed}
    gone = [word for word in placed if word not in entries]
    if gone:
        raise ValidationError(
            _("“%(word)s” is no longer in the list. Search again.") % {"word": gone[0]}
        )
    puzzle = Puzzle.objects.create(
        vocabulary_list=search.vocabulary_list,
        kind=KIND,
        title=normal_form(title) or search.title,
        created_by=search.created_by,
        settings=making.clean_settings(
            KINDS[KIND],
            {
                "words": len(placed),
                "seconds": min(60, settings["seconds"]),
                "clue": settings["clue"],
            },
        ),
        seed=search.seed,
        grid=[list(row) for row in made.grid],
        unplaced=[
            {
                "word": entry.played,
                "reason": message("No place was found for it next to the other words."),
            }
            for entry in every
            if entry.pk in settings["pinned"] and entry.played not in placed
        ],
        state=Puzzle.State.READY,
    )
    slots = [
        Slot(index, placement.cells, placement.number, placement.direction)
        for index, placement in enumerate(made.placements)
    ]
    making.write_placements(puzzle, Layout(made.grid, slots), [entries[word] for word in placed])
    making.log_made(puzzle, words=len(slots), seconds=search.spent)
    return puzzle


def _candidate(search: CrosswordSearch, number: int) -> Crossword:
    found = Shortlist.from_json(search.found).find(number)
    if found is None:
        raise ValidationError(_("This crossword was replaced by better ones. Choose another one."))
    return found.crossword


def _locked(search: CrosswordSearch) -> CrosswordSearch:
    return (
        CrosswordSearch.objects.select_for_update(of=("self",))
        .select_related("vocabulary_list", "created_by")
        .get(pk=search.pk)
    )


def forget_old() -> int:
    """Delete searches older than 30 days, but not puzzles created from them; return the number."""
    old = CrosswordSearch.objects.filter(created_at__lt=timezone.now() - KEPT_FOR)
    count = old.count()
    old.delete()
    return count


def run_search(run: ledger.JobRun) -> None:
    """Search until the time is over or the teacher stops it; the job resumes after yielding."""
    search = (
        CrosswordSearch.objects.select_related("vocabulary_list")
        .filter(pk=run.arguments["search"])
        .first()
    )
    if search is not None:
        _Round(run, search).go_on()


class _Round:
    """One turn of a search: its words, its results, and the times of the last write and check."""

    def __init__(self, run: ledger.JobRun, search: CrosswordSearch) -> None:
        self.run, self.search = run, search
        self.shortlist = Shortlist.from_json(search.found)
        self.is_new = False  # whether there is something to write
        self.must_end = search.stop_wanted
        self.gives_way = False  # whether this round ends early for another person's job
        self.in_vain = 0
        self.problem = ""
        self.kept: Sequence[int] = search.kept
        self.began, self.before = time.monotonic(), search.spent
        self.checked = self.wrote = 0.0
        entries = list(search.vocabulary_list.entries.prefetch_related("translations"))
        usable, _left_out = making.usable(
            entries, KINDS[KIND].why_not, search.settings, blocked_words(search.vocabulary_list)
        )
        settings = search.settings
        self.pinned = [entry.played for entry in usable if entry.pk in settings["pinned"]]
        others = [
            entry
            for entry in usable
            if entry.pk not in settings["pinned"] and entry.pk not in settings["banned"]
        ]
        longest = max(settings["rows"] or LONGEST_WORD, settings["cols"] or LONGEST_WORD)
        fitting = [entry for entry in others if 2 <= len(entry.tiles) <= longest]
        # If none fits, the generator gives the reason.
        self.others = [entry.played for entry in fitting or others]

    @property
    def spent(self) -> float:
        return self.before + time.monotonic() - self.began

    def go_on(self) -> None:
        """Run one round after another, then store how the search ended."""
        search = self.search
        is_first = True
        while not self.must_end and (left := search.seconds - self.spent) > 0.05:
            # Continue at once from another worker's results; later, in every other round.
            goes_on = bool(self.shortlist.best) and (is_first or search.rounds % 2 == 1)
            self.do_round(min(left, LONGEST_ROUND, 2.0 ** min(search.rounds, 9)), goes_on=goes_on)
            if (
                not self.gives_way
                and self.in_vain
                and (self.in_vain == MOST_IN_VAIN or not self.draws_others)
            ):
                break
            search.rounds += 1
            is_first = False
            self.write()
            if search.seconds - self.spent > 0.05 and not self.must_end and self.run.yield_turn():
                return
        if self.problem and not self.shortlist.best and not self.must_end:
            # The list or the wishes are the cause, not the worker: trying again would fail again.
            self.end(CrosswordSearch.State.FAILED, self.problem)
            return
        is_stopped = self.must_end
        self.end(CrosswordSearch.State.STOPPED if is_stopped else CrosswordSearch.State.OVER)

    @property
    def draws_others(self) -> bool:
        """Whether another round can use other words."""
        return bool(self.others) and (
            len(self.pinned) + len(self.others) > self.search.settings["words"]
        )

    def do_round(self, seconds: float, *, goes_on: bool) -> None:
        """Search for this many seconds, from the best result so far or from an empty board."""
        search, settings = self.search, self.search.settings
        self.gives_way = False
        rng = Random(f"{search.seed}:{search.rounds}")  # differs for each round, but reproducible
        start = self.shortlist.best[0].crossword if goes_on else None
        words = self.draw(rng, start)
        try:
            if not words:
                raise PuzzleError(
                    message("No word in this list can be used in this type of puzzle.")
                )
            crossword.generate(
                words,
                rows=settings["rows"],
                cols=settings["cols"],
                seconds=seconds,
                on_better=self.better,
                should_stop=self.should_stop,
                rng=rng,
                language=search.vocabulary_list.language,
                digraphs=search.vocabulary_list.uses_digraphs,
                pinned=[word for word in self.pinned if word in words],
                symmetric=settings["symmetric"],
                start_from=start,
                threads=THREADS,
                islands=not settings["symmetric"]
                and crossword.needs_islands(
                    words,
                    language=search.vocabulary_list.language,
                    digraphs=search.vocabulary_list.uses_digraphs,
                ),
            )
            self.in_vain = 0
        except PuzzleError as error:
            # A crossword may not fit the initial board after it grew: start again next round.
            if start is None and not self.gives_way:
                self.in_vain += 1
                self.problem = packed(error.sentence)

    def draw(self, rng: Random, start: Crossword | None) -> list[str]:
        """Return the words of a round: pinned ones, those of the result to continue, and others."""
        wanted = self.search.settings["words"]
        laid = [placement.word for placement in start.placements] if start else []
        first = list(dict.fromkeys([*self.pinned, *laid]))
        rest = [word for word in self.others if word not in first]
        return first + rng.sample(rest, max(0, min(wanted - len(first), len(rest))))

    def better(self, found: Crossword) -> None:
        """Put a crossword on the list, and store the list unless that was done just before."""
        placed = {placement.word for placement in found.placements}
        pinned = sum(word in placed for word in self.pinned)
        if self.shortlist.offer(found, seconds=self.spent, pinned=pinned, kept=self.kept):
            self.is_new = True
        if time.monotonic() - self.wrote > WRITE_EVERY:
            self.write()

    def should_stop(self) -> bool:
        """Check regularly whether the teacher stopped the search or the job was taken over."""
        now = time.monotonic()
        if now - self.checked > CHECK_EVERY:
            self.checked = now
            told = CrosswordSearch.objects.filter(pk=self.search.pk).values_list(
                "stop_wanted", "kept"
            )
            stop_wanted, self.kept = told.first() or (True, [])
            self.must_end = stop_wanted or not self.run.held().exists()
            if not self.must_end and now - self.wrote > (
                WRITE_EVERY if self.is_new else 2 * WRITE_EVERY
            ):
                self.write()
        if not self.must_end and self.run.is_awaited():
            self.gives_way = True
        return self.must_end or self.gives_way

    def write(self) -> None:
        """Store the progress and, if there is something new, the results."""
        with self.run.holding():
            self._store()
            self.run.report(min(99, round(100 * self.spent / self.search.seconds)))
        self.wrote = time.monotonic()

    def end(self, state: CrosswordSearch.State, reason: str = "") -> None:
        """Store the end of the search and all results."""
        with self.run.finishing(found=len(self.shortlist.best)):
            self._store(state=state, reason=reason, stop_wanted=False)

    def _store(self, **more: Any) -> None:
        if self.is_new:
            more |= {"found": self.shortlist.as_json(), "version": F("version") + 1}
        CrosswordSearch.objects.filter(pk=self.search.pk).update(
            spent=self.spent, rounds=self.search.rounds, **more
        )
        self.is_new = False
