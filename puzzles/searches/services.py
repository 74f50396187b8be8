"""A teacher's search for a crossword: asked for, watched, stopped, and one of its finds taken.

It runs in rounds. Each begins afresh, of other words where the list has more than are wanted, or
goes on from the best so far. What is found is stored as it is found: a worker that takes over
from one that died goes on from there. After each round it gives way to whoever waits in the queue.
"""

from __future__ import annotations

import os
import secrets
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
from django.utils.translation import ngettext

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
"""Searches that one teacher may have going on."""
MOST_KEPT = 6
MOST_IN_VAIN = 20
"""Rounds in a row whose words cannot be laid at all; then those of others hardly can."""
LONGEST_ROUND = 8.0
"""Seconds after which another job that waits in the queue has its turn."""
LOOK = 0.2
"""Seconds after which a search looks whether it is to stop."""
WRITE = 0.5
"""Seconds between two writes of what was found."""
# A core stays free for the site where there are two. A beam takes at most 400 MB a thread.
THREADS = max(1, min(2, (os.cpu_count() or 1) - 1))
KEPT_FOR = timedelta(days=30)


def clean_wishes(vocabulary_list: VocabularyList, given: dict[str, Any]) -> dict[str, Any]:
    """Return the wishes with defaults for what is not given.

    Raises ValidationError with a message for each wish that is wrong or unknown.
    """
    return making.clean_form(SearchForm, given, entries=vocabulary_list.entries.all())


@transaction.atomic
def request_search(
    *,
    vocabulary_list: VocabularyList,
    created_by: User,
    wishes: dict[str, Any] | None = None,
    title: str = "",
    seed: int | None = None,
) -> CrosswordSearch:
    """Write a search and the job that does it."""
    _hold_to_limit(created_by)
    settings = clean_wishes(vocabulary_list, wishes or {})
    search = CrosswordSearch.objects.create(
        vocabulary_list=vocabulary_list,
        created_by=created_by,
        title=normal_form(title) or vocabulary_list.title,
        settings=settings,
        seconds=settings["seconds"],
        seed=secrets.randbits(62) if seed is None else seed,
    )
    _enqueue(search)
    return search


def _hold_to_limit(person: User) -> None:
    """Raise ValidationError where the person has as many searches going on as one may have."""
    User.objects.select_for_update().get(pk=person.pk)  # two may be asked for at the same time
    going_on = CrosswordSearch.objects.filter(
        created_by=person, state=CrosswordSearch.State.SEARCHING
    )
    if going_on.count() >= AT_ONCE:
        raise ValidationError(
            ngettext(
                "You already have %(count)s search running. Stop it first.",
                "You already have %(count)s searches running. Stop one first.",
                AT_ONCE,
            )
            % {"count": AT_ONCE}
        )


def _enqueue(search: CrosswordSearch) -> None:
    ledger.enqueue(
        SEARCH,
        key=job_key(search),
        arguments={"search": search.pk},
        owner=search.created_by,
        queue=QUEUE,
    )


def job_key(search: CrosswordSearch) -> str:
    """Return the key of the search's present job."""
    return f"{SEARCH}:{search.pk}:{search.goes}"


def job_of(search: CrosswordSearch) -> Job | None:
    """Return the search's present job."""
    return Job.objects.filter(key=job_key(search)).first()


@transaction.atomic
def stop(*, search: CrosswordSearch) -> CrosswordSearch:
    """End a search and keep what it found; one that runs ends itself within a second."""
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
def discard(*, search: CrosswordSearch) -> None:
    """End a search and forget what it found; puzzles that were taken from it stay."""
    job = job_of(search)
    if job is not None:
        ledger.cancel(job)
    search.delete()


@transaction.atomic
def go_on(*, search: CrosswordSearch) -> CrosswordSearch:
    """Search as long again, from the best so far."""
    search = _locked(search)
    if search.state in (CrosswordSearch.State.OVER, CrosswordSearch.State.STOPPED):
        _hold_to_limit(search.created_by)
        search.state, search.stop_wanted = CrosswordSearch.State.SEARCHING, False
        search.reason = ""
        search.seconds = search.spent + search.settings["seconds"]
        search.goes += 1
        search.save(update_fields=["state", "stop_wanted", "reason", "seconds", "goes"])
        _enqueue(search)
    return search


def give_up(job: Job) -> None:
    """End the search of a failed job: what it found can be taken, and it can go on from there."""
    reason = message("It failed three times. The problem is on our side, not yours.")
    own = CrosswordSearch.objects.filter(
        pk=job.arguments["search"], state=CrosswordSearch.State.SEARCHING
    )
    for search in own:
        is_of_use = bool(Shortlist.from_json(search.found).best)
        search.state = CrosswordSearch.State.STOPPED if is_of_use else CrosswordSearch.State.FAILED
        search.reason, search.stop_wanted = packed(reason), False
        search.save(update_fields=["state", "reason", "stop_wanted"])


@transaction.atomic
def keep(*, search: CrosswordSearch, candidate: int, is_kept: bool) -> CrosswordSearch:
    """Say whether a candidate stays on the list whatever else is found."""
    search = _locked(search)
    _candidate(search, candidate)
    kept = [number for number in search.kept if number != candidate]
    if is_kept:
        if len(kept) >= MOST_KEPT:
            raise ValidationError(
                ngettext(
                    "You are already keeping %(count)s crossword.",
                    "You are already keeping %(count)s crosswords.",
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
    """Make a puzzle of a candidate, and end the search. Taken twice, it is the same puzzle."""
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
    placed = [placement.word for placement in made.placements]
    entries = {
        entry.term: entry
        for entry in search.vocabulary_list.entries.filter(term__in=placed).prefetch_related(
            "translations"
        )
    }
    gone = [word for word in placed if word not in entries]
    if gone:
        raise ValidationError(
            _("“%(word)s” is no longer in the list. Search again.") % {"word": gone[0]}
        )
    own = {name: settings[name] for name in ("seconds", "clue")}
    puzzle = Puzzle.objects.create(
        vocabulary_list=search.vocabulary_list,
        kind=KIND,
        title=normal_form(title) or search.title,
        created_by=search.created_by,
        settings=making.clean_settings(
            KINDS[KIND], own | {"words": len(placed), "seconds": min(60, own["seconds"])}
        ),
        seed=search.seed,
        grid=[list(row) for row in made.grid],
        unplaced=[
            {"word": word, "reason": message("No place was found for it next to the other words.")}
            for word in _pinned_terms(search)
            if word not in entries
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


def _pinned_terms(search: CrosswordSearch) -> list[str]:
    pinned = search.vocabulary_list.entries.filter(pk__in=search.settings["pinned"])
    return list(pinned.values_list("term", flat=True))


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
    """Delete searches that are a month old, puzzles made of them stay; return their number."""
    old = CrosswordSearch.objects.filter(created_at__lt=timezone.now() - KEPT_FOR)
    count = old.count()
    old.delete()
    return count


def run_search(run: ledger.JobRun) -> None:
    """Search until time is over or the teacher has enough; the next round goes on from there."""
    search = (
        CrosswordSearch.objects.select_related("vocabulary_list")
        .filter(pk=run.arguments["search"])
        .first()
    )
    if search is not None:
        _Round(run, search).go_on()


class _Round:
    """One round of a search: its words, what was found, and when it last wrote and looked."""

    def __init__(self, run: ledger.JobRun, search: CrosswordSearch) -> None:
        self.run, self.search = run, search
        self.shortlist = Shortlist.from_json(search.found)
        self.is_new = False  # whether there is something to write
        self.must_end = search.stop_wanted
        self.in_vain = 0
        self.problem = ""
        self.kept: Sequence[int] = search.kept
        self.began, self.before = time.monotonic(), search.spent
        self.looked = self.wrote = 0.0
        entries = list(search.vocabulary_list.entries.prefetch_related("translations"))
        usable, _left_out = making.usable(
            entries, KINDS[KIND], search.settings, blocked_words(search.vocabulary_list)
        )
        settings = search.settings
        self.pinned = [entry.term for entry in usable if entry.pk in settings["pinned"]]
        others = [
            entry
            for entry in usable
            if entry.pk not in settings["pinned"] and entry.pk not in settings["banned"]
        ]
        longest = max(settings["rows"] or LONGEST_WORD, settings["cols"] or LONGEST_WORD)
        fitting = [entry for entry in others if 2 <= len(entry.tiles) <= longest]
        # Where none fits, the generator says why not.
        self.others = [entry.term for entry in fitting or others]

    @property
    def spent(self) -> float:
        return self.before + time.monotonic() - self.began

    def go_on(self) -> None:
        """Do round after round; then tell how it ended."""
        search = self.search
        is_first = True
        while not self.must_end and (left := search.seconds - self.spent) > 0.05:
            # What a worker left behind is taken up at once; later every other round.
            goes_on = bool(self.shortlist.best) and (is_first or search.rounds % 2 == 1)
            self.do_round(min(left, LONGEST_ROUND, 2.0 ** min(search.rounds, 9)), goes_on=goes_on)
            if self.in_vain and (self.in_vain == MOST_IN_VAIN or not self.draws_others):
                break
            search.rounds += 1
            is_first = False
            self.write()
            if search.seconds - self.spent > 0.05 and not self.must_end and self.run.yield_turn():
                return
        if self.problem and not self.shortlist.best and not self.must_end:
            # The list's fault or the wishes', not the worker's: trying again would fail again.
            self.end(CrosswordSearch.State.FAILED, self.problem)
            return
        is_stopped = self.must_end
        self.end(CrosswordSearch.State.STOPPED if is_stopped else CrosswordSearch.State.OVER)

    @property
    def draws_others(self) -> bool:
        """Whether another round may be of other words."""
        return bool(self.others) and (
            len(self.pinned) + len(self.others) > self.search.settings["words"]
        )

    def do_round(self, seconds: float, *, goes_on: bool) -> None:
        """Search for so many seconds, from the best so far or afresh."""
        search, settings = self.search, self.search.settings
        rng = Random(f"{search.seed}:{search.rounds}")  # another for each round, known beforehand
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
            )
            self.in_vain = 0
        except PuzzleError as error:
            # The board that a search outgrew is not there to begin with: the next round is afresh.
            if start is None:
                self.in_vain += 1
                self.problem = packed(error.sentence)

    def draw(self, rng: Random, start: Crossword | None) -> list[str]:
        """Return the words of a round: those that must be in, those it goes on from, others."""
        wanted = self.search.settings["words"]
        laid = [placement.word for placement in start.placements] if start else []
        first = list(dict.fromkeys([*self.pinned, *laid]))
        rest = [word for word in self.others if word not in first]
        return first + rng.sample(rest, max(0, min(wanted - len(first), len(rest))))

    def better(self, found: Crossword) -> None:
        """Put a crossword on the list, and write the list unless that was done just now."""
        placed = {placement.word for placement in found.placements}
        pinned = sum(word in placed for word in self.pinned)
        if self.shortlist.offer(found, seconds=self.spent, pinned=pinned, kept=self.kept):
            self.is_new = True
        if time.monotonic() - self.wrote > WRITE:
            self.write()

    def should_stop(self) -> bool:
        """Look, now and then, whether the teacher has enough or the job is not ours any more."""
        now = time.monotonic()
        if now - self.looked > LOOK:
            self.looked = now
            told = CrosswordSearch.objects.filter(pk=self.search.pk).values_list(
                "stop_wanted", "kept"
            )
            stop_wanted, self.kept = told.first() or (True, [])
            self.must_end = stop_wanted or not self.run.held().exists()
            if not self.must_end and now - self.wrote > (WRITE if self.is_new else 2 * WRITE):
                self.write()
        return self.must_end

    def write(self) -> None:
        """Store how far it is and, where there is something new, what was found."""
        with self.run.holding():
            self._store()
            self.run.report(min(99, round(100 * self.spent / self.search.seconds)))
        self.wrote = time.monotonic()

    def end(self, state: CrosswordSearch.State, reason: str = "") -> None:
        """Store the end of the search and all that was found."""
        with self.run.finishing(found=len(self.shortlist.best)):
            self._store(state=state, reason=reason, stop_wanted=False)

    def _store(self, **more: Any) -> None:
        if self.is_new:
            more |= {"found": self.shortlist.as_json(), "version": F("version") + 1}
        CrosswordSearch.objects.filter(pk=self.search.pk).update(
            spent=self.spent, rounds=self.search.rounds, **more
        )
        self.is_new = False
