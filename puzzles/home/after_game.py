"""What a game brought its student, and what they can do next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.db.models import Count, Q

from osmosmjerka.accounts.models import User
from puzzles.access import Moment
from puzzles.album.looks import EMPTY, Place
from puzzles.album.selectors import Strip, places_of, strip_of
from puzzles.home.badges import Badge
from puzzles.home.now import Now, Step, now_of
from puzzles.home.progress import badges_of
from puzzles.kinds import KINDS, Kind
from puzzles.models import Move, PlaySession
from puzzles.play.ending import EndedWord, Ending, ending_of
from puzzles.play.games import Game
from puzzles.play.helping import HELPS
from puzzles.practice import services as practice
from puzzles.practice.after_search import Searched
from vocab.memory import selectors as memory
from vocab.memory.rules import today
from vocab.memory.selectors import KNOWN, EndedGame
from vocab.models import VocabularyList

# With so few words, no game is a fast one.
FEWEST_FOR_A_RECORD = 6


@dataclass(frozen=True, slots=True)
class AfterGame:
    """The end of a game with what it brought.

    *risen* words went up a level in it, *planned* were on today's plan and are done by it. *known*
    of the *of* words of the list are known, *badges* are new, *kinds* can ask the same words; that
    of the puzzle which comes next, from the same list, is not among them. *places* are those of the
    list in the student's album.
    """

    ending: Ending
    now: Now
    risen: int
    planned: int
    known: int
    of: int
    is_record: bool
    badges: Sequence[Badge]
    kinds: Sequence[Kind]
    places: Sequence[Place]

    @property
    def strip(self) -> Strip:
        """The album of the list at a glance, with the words of the game in it."""
        keys = [word.entry_id for word in self.ending.game.words if word.entry_id is not None]
        return strip_of(self.ending.game.vocabulary_list, self.places, keys)


def after_game(game: Game, student: User, at: datetime) -> AfterGame:
    """Return what a game that is over brought its student."""
    moment = Moment(student, at)
    now = now_of(moment)
    keys = {word.entry_id for word in game.words if word.entry_id is not None}
    on = now.today.on
    ended_at = game.session.finished_at
    # Of another day, the figures would be those of today.
    is_of_today = ended_at is not None and today(student, ended_at) == on
    done: set[int] = set()
    recalled: set[int] = set()
    if is_of_today:
        done, recalled = memory.first_in(student, on, game.session.pk)
    places = places_of(now.today.waiting, game.vocabulary_list)
    place_of = {place.key: place for place in places}
    risen = {one.entry.pk for one in now.gained.risen} & recalled if now.gained else set()

    def known_as(one: EndedWord) -> EndedWord:
        key = one.word.entry_id or 0
        return replace(one, place=place_of.get(key, EMPTY), has_risen=key in risen)

    ending = ending_of(game)
    ending = replace(
        ending,
        found=sorted(
            map(known_as, ending.found), key=lambda one: (not one.has_risen, one.is_helped)
        ),
        others=[known_as(one) for one in ending.others],
    )
    practised = memory.practised_days(student, on)
    badges = []
    if is_of_today and ended_at is not None:
        badges = badges_of(student, practised, on, EndedGame(game.session.pk, ended_at))
    again = practice.words_again(moment, game.words, now.today.waiting)
    comes_next = _kind_of_next(now, game.vocabulary_list)
    return AfterGame(
        ending,
        now,
        risen=len(risen),
        # A word that was missed was asked, but it is left until it is right.
        planned=len((done & keys & set(now.today.of_day.plan().words)).difference(now.today.left)),
        known=sum(place.level >= KNOWN for place in places),
        of=len(places),
        is_record=_is_record(game, student),
        badges=[one for one in badges if one.is_new],
        kinds=[
            kind
            for kind in KINDS.values()
            if kind.slug != comes_next and practice.can_ask(kind.slug, again, len(game.words))
        ],
        places=places,
    )


def _kind_of_next(now: Now, vocabulary_list: VocabularyList) -> str:
    """Return the type of the puzzle of a list that comes next; "" if none of it does."""
    if now.step == Step.PRACTISE and now.offer and now.offered == vocabulary_list:
        return now.offer.kind
    puzzle = now.first.assignment.puzzle if now.first else None
    if now.step == Step.GO_ON_PRACTISING:
        puzzle = now.open_practice
    return puzzle.kind if puzzle and puzzle.vocabulary_list_id == vocabulary_list.pk else ""


def searched(game: Game) -> Searched:
    """Return a game that is over as the questions after it need it; bonus words are in none."""
    missed, helped, found = [], [], []
    for word in game.words:
        if word.entry_id is None:
            continue
        outcomes = {move.outcome for move in game.moves_of(word)}
        if Move.Outcome.FOUND not in outcomes:
            missed.append(word.entry_id)
        elif not outcomes.isdisjoint(HELPS):
            helped.append(word.entry_id)
        else:
            found.append(word.entry_id)
    return Searched(game.session, missed, helped, found)


def _is_record(game: Game, student: User) -> bool:
    """Return whether no other game of this kind, all found without a hint, was as fast by word."""
    if not game.is_unaided or len(game.words) < FEWEST_FOR_A_RECORD:
        return False
    others = (
        PlaySession.objects.filter(
            student=student,
            puzzle__kind=game.kind.slug,
            is_unaided=True,
            seconds__isnull=False,
            finished_at__lt=game.session.finished_at,
        )
        .annotate(words=Count("puzzle__placements", filter=Q(puzzle__placements__is_bonus=False)))
        .filter(words__gte=FEWEST_FOR_A_RECORD)
        .values_list("seconds", "words")
    )
    paces = [seconds / words for seconds, words in others if seconds is not None]
    return bool(paces) and game.seconds / len(game.words) < min(paces)
