"""Class games that tests start from."""

import uuid

import pytest
from django.core.cache import cache

from osmosmjerka.accounts import people
from osmosmjerka.accounts.models import Membership, User
from osmosmjerka.jobs import ledger
from puzzles.generators import crossword
from puzzles.kinds.base import SentMove, cells_of
from puzzles.live import moves, selectors, services
from puzzles.making import services as making
from puzzles.models import LiveGame


@pytest.fixture(autouse=True)
def nothing_is_kept():
    """Each test reads its games anew: the process may keep those of another database."""
    selectors._kept.clear()
    cache.clear()


@pytest.fixture
def open_game(animals, teacher, classroom, django_capture_on_commit_callbacks):
    """Return a function that opens a game whose puzzle is ready."""

    def open_game(mode="race", *, started=False, **settings):
        settings.setdefault("words", 8)
        game = services.open_game(
            classroom=classroom, actor=teacher, mode=mode, vocabulary_list=animals, **settings
        )
        generate = crossword.generate
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(
                crossword, "generate", lambda words, *, seconds, **wishes: generate(words, **wishes)
            )
            ledger.run_job(str(making.job_of(game.puzzle).pk))
        game = LiveGame.objects.get(pk=game.pk)
        return services.start(game) if started else game

    return open_game


@pytest.fixture
def more_students(make_person, school, classroom):
    """Return a function that adds so many students to the class."""

    def more(count):
        students = [make_person(User.Role.STUDENT, school) for _one in range(count)]
        for one in students:
            people.join_classroom(classroom=classroom, person=one, role=Membership.Role.STUDENT)
        return students

    return more


def traced(word):
    """The move that finds a word of a word search, or of a row."""
    return SentMove(slot=word.slot, cells=cells_of(word))


def typed(word):
    return SentMove(slot=word.slot, tiles=tuple(word.tiles))


def find(player, word, move_id=None):
    """Let a player find a word, as its puzzle's kind asks for it."""
    move = typed(word) if word.puzzle.kind == "crossword" else traced(word)
    return moves.record_move(player=player.pk, move_id=move_id or uuid.uuid4(), move=move)
