"""Puzzles: request one, create it in the background, try again, create it with fewer words."""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from random import Random
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.forms import Form
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext_lazy

from osmosmjerka.accounts.bin import services as bin
from osmosmjerka.accounts.models import User
from osmosmjerka.jobs import ledger
from osmosmjerka.jobs.models import Job
from puzzles.generators.errors import FewerWords, PuzzleError
from puzzles.kinds import KINDS, Kind
from puzzles.kinds.base import Layout, Request, Turn, TurnYielded
from puzzles.models import Placement, Puzzle
from vocab.entries.selectors import blocked_words, forms_of
from vocab.message import message, packed
from vocab.models import BlockedWord, Entry, VocabularyList
from vocab.sounds import voices
from vocab.text import normal_form, search_key

logger = logging.getLogger(__name__)

GENERATE = "puzzles.generate"
# The number of puzzles that one person may have in preparation at the same time.
MOST_IN_PREPARATION = 50
_TOO_MANY = ngettext_lazy(
    "You already have %(count)s puzzle in preparation. Wait until it is ready.",
    "You already have %(count)s puzzles in preparation. Wait until some are ready.",
    "count",
)
# Programs in JavaScript can keep no larger number: 2⁵³ - 1.
LARGEST_SEED = 2**53 - 1
# The number of puzzles that one student may request a day: more than anybody plays.
STUDENTS_PUZZLES_A_DAY = 100


def new_seed() -> int:
    """Return a random seed of a puzzle."""
    return secrets.randbelow(LARGEST_SEED + 1)


def clean_settings(kind: Kind, given: dict[str, Any]) -> dict[str, Any]:
    """Return the kind's settings with defaults for those that are not given.

    Raises ValidationError with a message for each setting that is wrong or unknown.
    """
    return clean_form(kind.settings_form, given)


def clean_form(form_class: type[Form], given: dict[str, Any], **options: Any) -> dict[str, Any]:
    """Return the values of a form with its defaults for those that are not given.

    *options* are the form's own arguments. Raises ValidationError in the same way as
    `clean_settings`.
    """
    fields = form_class(**options).fields
    unknown = set(given) - set(fields)
    if unknown:
        raise ValidationError(
            {
                name: [_("“%(name)s” is not a setting of this puzzle type.") % {"name": name}]
                for name in sorted(unknown)
            }
        )
    defaults = {name: field.initial for name, field in fields.items()}
    form = form_class(defaults | given, **options)
    if not form.is_valid():
        raise ValidationError({name: list(errors) for name, errors in form.errors.items()})
    cleaned = form.cleaned_data
    return {
        name: defaults[name] if cleaned[name] in (None, "") else cleaned[name] for name in fields
    }


@transaction.atomic
def request_puzzle(
    *,
    vocabulary_list: VocabularyList,
    kind: str,
    created_by: User,
    settings: dict[str, Any] | None = None,
    title: str = "",
    seed: int | None = None,
    entries: Sequence[int] = (),
    pinned: Sequence[int] = (),
    is_free_practice: bool = False,
) -> Puzzle:
    """Save a puzzle in the queued state and the job that creates it.

    *entries* are the ids of entries of the list, most wanted first; empty means the whole list.
    Those that are *pinned* are drawn before others. Raises ValidationError if a setting is wrong,
    if more words are pinned than wanted, or if too many of the person's puzzles wait.
    """
    queued = Puzzle.objects.filter(state=Puzzle.State.QUEUED)
    hold_to_limit(created_by, queued, MOST_IN_PREPARATION, _TOO_MANY)
    of_kind = known_kind(kind)
    puzzle = Puzzle(
        vocabulary_list=vocabulary_list,
        kind=kind,
        title=normal_form(title) or vocabulary_list.title,
        created_by=created_by,
        settings=clean_settings(of_kind, settings or {}),
        seed=new_seed() if seed is None else seed,
        entries=list(entries),
        pinned=list(pinned),
        is_free_practice=is_free_practice,
    )
    if len(puzzle.pinned) > puzzle.settings["words"]:
        raise ValidationError(
            {
                "words": _(
                    "This number is smaller than the number of words you chose to include. Make it "
                    "larger, or include fewer words."
                )
            }
        )
    puzzle.full_clean(exclude=["grid", "unplaced"])  # generated later
    puzzle.save()
    enqueue(puzzle)
    return puzzle


def known_kind(slug: str) -> Kind:
    """Return a kind by its slug. Raises ValidationError if there is none."""
    if slug not in KINDS:
        told = _("There is no puzzle type “%(kind)s”. Choose one of: %(kinds)s.")
        raise ValidationError({"kind": told % {"kind": slug, "kinds": ", ".join(KINDS)}})
    return KINDS[slug]


def hold_to_limit(person: User, going_on: QuerySet[Any], most: int, refusal: Any) -> None:
    """Raise ValidationError with the *refusal* if so many of the person's rows are going on."""
    User.objects.select_for_update().get(pk=person.pk)  # against concurrent requests
    if going_on.filter(created_by=person).count() >= most:
        raise ValidationError(refusal % {"count": most})


@transaction.atomic
def accept_fewer(*, puzzle: Puzzle) -> Puzzle:
    """Create *puzzle* with as many words as its list and grid allow.

    Raises ValidationError if nothing was offered. A second call has no effect.
    """
    puzzle = Puzzle.objects.select_for_update(of=("self",)).get(pk=puzzle.pk)
    if puzzle.state == Puzzle.State.FAILED:
        if puzzle.offer is None:
            raise ValidationError(_("This puzzle cannot be created with fewer words either."))
        puzzle.settings["words"] = puzzle.offer
        puzzle.state, puzzle.reason, puzzle.offer = Puzzle.State.QUEUED, "", None
        puzzle.save(update_fields=["settings", "state", "reason", "offer"])
        enqueue(puzzle)
    return puzzle


def rename(*, puzzle: Puzzle, title: str) -> None:
    """Change the title of *puzzle*. Raises ValidationError if it is empty or too long."""
    puzzle.title = normal_form(title)
    puzzle.clean_fields(
        exclude=[field.name for field in puzzle._meta.fields if field.name != "title"]
    )
    puzzle.save(update_fields=["title"])


def delete_puzzle(*, puzzle: Puzzle, actor: User) -> None:
    """Put a puzzle into the bin: nobody plays it, and its assignments are hidden with it."""
    bin.put(puzzle, actor)


def enqueue(puzzle: Puzzle) -> None:
    """Queue the job that creates *puzzle*."""
    ledger.enqueue(
        GENERATE,
        key=job_key(puzzle),
        arguments={"puzzle": puzzle.pk},
        owner=puzzle.created_by,
        subject=puzzle,
        queue=KINDS[puzzle.kind].queue,
    )


def waiting_for(student: User, **of: Any) -> Puzzle | None:
    """Return the puzzle matching *of* (list, kind …) that a student is already waiting for.

    Students share the workers, so each waits for one puzzle at a time. Raises ValidationError for
    a student who requested too many today.
    """
    asked = Puzzle.objects.filter(created_by=student)
    waiting = asked.filter(state=Puzzle.State.QUEUED, **of).first()
    since = timezone.now() - timedelta(days=1)
    if waiting is None and asked.filter(created_at__gte=since).count() >= STUDENTS_PUZZLES_A_DAY:
        raise ValidationError(_("You have created a lot of puzzles today. Come back tomorrow."))
    return waiting


def request_another(
    *, puzzle: Puzzle, person: User, changes: dict[str, Any], entries: Sequence[int] | None = None
) -> Puzzle:
    """Request another puzzle like *puzzle*, for *person* alone, with their own *changes*.

    Of *changes*, only settings that the kind allows students to change are used. *entries* are the
    words that it may have, by default those of the list: it tells them to whoever gives up. Raises
    ValidationError if a setting is wrong, if the kind allows none, or if there is no such word.
    """
    if entries is not None and len(entries) < KINDS[puzzle.kind].fewest_words:
        raise ValidationError(
            _("First solve the puzzles that your teacher assigned: they ask for these words.")
        )
    allowed = KINDS[puzzle.kind].player_settings
    if allowed is None:
        raise ValidationError(_("Ask your teacher for another puzzle like this."))
    own = {name: changes[name] for name in allowed if name in changes}
    if person.is_student:
        waiting = waiting_for(person, vocabulary_list=puzzle.vocabulary_list)
        if waiting is not None:
            return waiting
    return request_puzzle(
        vocabulary_list=puzzle.vocabulary_list,
        kind=puzzle.kind,
        created_by=person,
        settings=puzzle.settings | own,
        title=puzzle.title,
        entries=random_order(entries or ()),
    )


def random_order(keys: Sequence[int]) -> list[int]:
    """Return keys in any order: the first of a puzzle's entries are its most wanted."""
    return secrets.SystemRandom().sample(keys, len(keys))


def give_up(job: Job) -> None:
    """Mark the puzzle of a failed job as failed."""
    reason = message("It failed three times. The problem is on our side, not yours.")
    Puzzle.objects.filter(pk=job.arguments["puzzle"], state=Puzzle.State.QUEUED).update(
        state=Puzzle.State.FAILED, reason=packed(reason)
    )


def resume(job: Job) -> None:
    """Mark the puzzle of a failed job that is queued again as queued."""
    Puzzle.objects.filter(pk=job.arguments["puzzle"], state=Puzzle.State.FAILED).update(
        state=Puzzle.State.QUEUED, reason=""
    )


@transaction.atomic
def try_again(*, puzzle: Puzzle) -> Puzzle:
    """Queue a puzzle again whose job failed. Raises ValidationError for any other."""
    puzzle = Puzzle.objects.select_for_update(of=("self",)).get(pk=puzzle.pk)
    if puzzle.state == Puzzle.State.QUEUED:
        return puzzle
    if not was_given_up(puzzle):
        raise ValidationError(_("Trying again will not help. Change the settings."))
    puzzle.state, puzzle.reason = Puzzle.State.QUEUED, ""
    puzzle.save(update_fields=["state", "reason"])
    enqueue(puzzle)
    return puzzle


def was_given_up(puzzle: Puzzle) -> bool:
    """Return whether *puzzle* is missing because its job failed, not because of its words."""
    job = job_of(puzzle)
    return puzzle.state == Puzzle.State.FAILED and job is not None and job.state == Job.State.FAILED


def job_key(puzzle: Puzzle) -> str:
    """Return the key of the job that creates *puzzle* with its number of words."""
    return f"{GENERATE}:{puzzle.pk}:{puzzle.settings.get('words')}"


def job_of(puzzle: Puzzle) -> Job | None:
    """Return the job that creates *puzzle*."""
    return Job.objects.filter(key=job_key(puzzle)).first()


def generate_puzzle(run: ledger.JobRun) -> None:
    """Generate and store the puzzle of the job, or the reason why it cannot be created.

    A long search gives way to others' jobs, and continues from its best result in its next turn.
    """
    began = time.monotonic()
    puzzle = Puzzle.everything.select_related("vocabulary_list").get(pk=run.arguments["puzzle"])
    work = prepare(puzzle)
    run.report(10, _("Placing the words"))
    try:
        layout = _layout_in_turns(run, work)
    except PuzzleError as error:
        # The list is the cause, not the worker: trying again would fail again.
        with run.finishing():
            puzzle.state, puzzle.reason = Puzzle.State.FAILED, packed(error.sentence)
            if isinstance(error, FewerWords) and error.possible:
                puzzle.offer = error.possible
            puzzle.save(update_fields=["state", "reason", "offer"])
        log_made(puzzle, words=0, seconds=time.monotonic() - began)
        return
    if layout is None:
        return
    with run.finishing(puzzle=puzzle.pk):
        write_placements(puzzle, layout, work.words, bonus=len(work.bonus))
        puzzle.grid = [list(row) for row in layout.grid]
        listed = {entry.played for entry in work.chosen}
        puzzle.unplaced = work.left_out + [
            {
                "word": left.word,
                "reason": packed(left.reason),
                "is_bonus": left.word not in listed,
            }
            for left in layout.unplaced
        ]
        puzzle.grids_tried = layout.grids_tried
        puzzle.state = Puzzle.State.READY
        # Its title or settings may have been changed while it was searched.
        puzzle.save(update_fields=["grid", "unplaced", "grids_tried", "state"])
    log_made(puzzle, words=len(layout.slots), seconds=time.monotonic() - began)


def log_made(puzzle: Puzzle, *, words: int, seconds: float) -> None:
    """Log that *puzzle* was created with this number of words, or failed."""
    logger.info(
        "Puzzle %s, a %s, is %s: %s words placed after %.2f s",
        puzzle.pk,
        puzzle.kind,
        puzzle.state,
        words,
        seconds,
        extra={
            "puzzle": puzzle.pk,
            "kind": puzzle.kind,
            "state": str(puzzle.state),
            "words": words,
            "seconds": round(seconds, 3),
        },
    )


def write_placements(
    puzzle: Puzzle, layout: Layout, entries: Sequence[Entry], *, bonus: int = 0
) -> None:
    """Store the places of the words of *layout*, with copies of the text of their *entries*."""
    Placement.objects.bulk_create(placements_of(puzzle, layout, entries, bonus=bonus))


def placements_of(
    puzzle: Puzzle, layout: Layout, entries: Sequence[Entry], *, bonus: int = 0
) -> list[Placement]:
    """Return the placements of the words of *layout*, not saved; the last *bonus* are extra."""
    placements: list[Placement] = []
    for position, slot in enumerate(layout.slots):
        placement = placement_of(entries[slot.index])
        placement.puzzle, placement.position = puzzle, position
        placement.tiles = [layout.grid[row][col] or "" for row, col in slot.cells]
        placement.cells = [list(cell) for cell in slot.cells]
        placement.echoes = [[list(cell) for cell in cells] for cells in slot.echoes]
        placement.number, placement.direction = slot.number, slot.direction
        placement.is_bonus = slot.index >= len(entries) - bonus
        placements.append(placement)
    return placements


def placement_of(entry: Entry) -> Placement:
    """Return a placement, not saved, with copies of the text of *entry*; it has no place yet."""
    said = voices.said_of(entry)
    return Placement(
        entry=entry,
        term=entry.term,
        playing_form=entry.played if entry.played != entry.term else "",
        spoken_form=said if said != entry.played else "",
        translations=[translation.text for translation in entry.translations.all()],
        sentence=entry.gap_sentence(),
        hint=entry.safe_hint(),
    )


@dataclass(frozen=True, slots=True)
class Work:
    """All that the generator needs to lay out a puzzle; the same for a puzzle that is not saved."""

    puzzle: Puzzle
    kind: Kind
    rng: Random
    chosen: Sequence[Entry]
    left_out: list[dict[str, Any]]
    blocklist: Sequence[str]
    bonus: Sequence[Entry] = ()

    @property
    def words(self) -> list[Entry]:
        """The words of the grid: those to find, then those hidden besides."""
        return [*self.chosen, *self.bonus]

    def lay_out(self, turn: Turn) -> Layout:
        """Lay out the words; leave out chosen words that do not fit together.

        Reads nothing from the database.
        """
        if not self.chosen:
            raise PuzzleError(_("No word in this list can be used in this type of puzzle."))
        puzzle, settings = self.puzzle, self.puzzle.settings
        while True:
            try:
                return self.kind.generate(
                    Request(
                        words=[entry.played for entry in self.words],
                        language=puzzle.vocabulary_list.language,
                        digraphs=puzzle.vocabulary_list.uses_digraphs,
                        settings=settings,
                        blocklist=self.blocklist,
                        rng=self.rng,
                        turn=turn,
                    )
                )
            except FewerWords as error:
                if not (puzzle.entries or puzzle.pinned) or not error.possible:
                    raise
                settings = settings | {"words": min(settings["words"] - 1, error.possible)}


def prepare(puzzle: Puzzle) -> Work:
    """Read and draw the words of a puzzle, which need not be saved."""
    kind, rng = KINDS[puzzle.kind], Random(puzzle.seed)
    blocked = blocked_words(puzzle.vocabulary_list)
    fit, left_out = _usable_entries(puzzle, kind, blocked)
    chosen = _drawn(puzzle, kind, fit, rng)
    if len(chosen) < puzzle.settings["words"] and not kind.chooses_words:
        # All that suit are in it: name each that does not.
        others = [entry for entry in fit if entry not in chosen]
        left_out += usable(others, kind.why_unfit, puzzle.settings, blocked)[1]
    bonus = _bonus(puzzle, kind, chosen, blocked, rng)
    return Work(puzzle, kind, rng, chosen, left_out, forms_of(blocked), bonus)


def _bonus(
    puzzle: Puzzle,
    kind: Kind,
    chosen: Sequence[Entry],
    blocked: Iterable[BlockedWord],
    rng: Random,
) -> list[Entry]:
    """Draw the words that are hidden besides *chosen*, from all of the list.

    A puzzle that a student requested has none: an assignment may still ask for them.
    """
    wanted = kind.bonus_words(puzzle.settings)
    if not wanted or (puzzle.created_by_id is not None and puzzle.created_by.is_student):
        return []
    taken = {entry.pk for entry in chosen}
    others = puzzle.vocabulary_list.entries.exclude(pk__in=taken).prefetch_related("translations")
    fit, _unfit = usable(others, kind.why_unfit, puzzle.settings, blocked)
    return rng.sample(fit, min(wanted, len(fit)))


def _layout_in_turns(run: ledger.JobRun, work: Work) -> Layout | None:
    """Lay out the words; None if the job gave way to others and continues in another turn."""
    so_far = run.so_far
    while True:
        try:
            return work.lay_out(Turn(run.is_awaited, so_far))
        except TurnYielded as pause:
            if run.yield_turn(pause.so_far):
                return None
            so_far = pause.so_far  # the others are served already


def _drawn(puzzle: Puzzle, kind: Kind, fit: list[Entry], rng: Random) -> list[Entry]:
    """Return the words to place, in the list's order: the pinned ones, and others by chance."""
    pinned = {index for index, entry in enumerate(fit) if entry.pk in puzzle.pinned}
    if kind.chooses_words and not pinned:
        return fit
    settings = puzzle.settings
    suit = [index for index, entry in enumerate(fit) if not kind.why_unfit(entry, settings)]
    # If none suits, the generator says why.
    others = [index for index in suit or range(len(fit)) if index not in pinned]
    wanted = max(0, puzzle.settings["words"] - len(pinned))
    drawn = pinned.union(rng.sample(others, min(wanted, len(others))))
    return [fit[index] for index in sorted(drawn)]


def _usable_entries(
    puzzle: Puzzle, kind: Kind, blocked: Iterable[BlockedWord]
) -> tuple[list[Entry], list[dict[str, str]]]:
    entries = puzzle.vocabulary_list.entries.prefetch_related("translations")
    if puzzle.entries:
        entries = entries.filter(pk__in=puzzle.entries)
        fit, left_out = usable(entries, kind.why_unfit, puzzle.settings, blocked)
        if fit:  # else the generator says why
            return fit, left_out
    return usable(entries, kind.why_not, puzzle.settings, blocked)


def usable(
    entries: Iterable[Entry],
    why_not: Callable[[Entry, dict[str, Any]], str | None],
    settings: dict[str, Any],
    blocked: Iterable[BlockedWord],
) -> tuple[list[Entry], list[dict[str, str]]]:
    """Return the entries that can be used, and the others with the reason.

    *why_not* is the kind's `why_not` or `why_unfit`.
    """
    keys = {word.key for word in blocked}
    fit, left_out = [], []
    for entry in entries:
        if keys & {search_key(form) for form in entry.right_forms}:
            reason: str | None = message("It is a blocked word.")
        else:
            reason = why_not(entry, settings)
        if reason is None:
            fit.append(entry)
        else:
            left_out.append({"word": entry.term, "reason": packed(reason)})
    return fit, left_out
