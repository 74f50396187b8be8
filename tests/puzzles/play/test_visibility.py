"""What a player may know of a word, in each state of the game."""

import itertools

import pytest

from puzzles.models import Move
from puzzles.play.visibility import visibility

pytestmark = pytest.mark.database

OUTCOMES = Move.Outcome
SEEN = {"is_over": False, "is_heard": False, "has_text": True, "has_sound": True,
        "was_text_asked": False, "shows_letters": True}  # fmt: skip


def seen(*outcomes, **changes):
    return visibility(outcomes, **SEEN | changes)


def test_a_word_that_nobody_has_found_is_closed():
    word = seen()
    assert (word.is_found, word.is_open, word.is_revealed, word.is_audible) == (False,) * 4
    assert word.is_spelt, "its clue is read, so the number of letters may be too"


@pytest.mark.parametrize("outcome", [OUTCOMES.WRONG, OUTCOMES.HINT])
def test_wrong_attempts_and_hints_open_nothing(outcome):
    assert not seen(outcome, outcome).is_open


def test_a_found_word_is_open_and_not_shown():
    word = seen(OUTCOMES.WRONG, OUTCOMES.FOUND)
    assert (word.is_found, word.is_open, word.is_revealed) == (True, True, False)


@pytest.mark.parametrize(("outcomes", "is_over"), [([OUTCOMES.REVEALED], False), ([], True)])
def test_a_word_is_shown_when_asked_for_and_at_the_end(outcomes, is_over):
    word = seen(*outcomes, is_over=is_over)
    assert (word.is_found, word.is_open, word.is_revealed) == (False, True, True)


def test_a_clue_that_is_heard_tells_no_length_before_the_word_is_open():
    asked = {"is_heard": True, "has_text": False}
    assert not seen(**asked).is_spelt
    assert seen(OUTCOMES.FOUND, **asked).is_spelt
    assert seen(**asked, shows_letters=False).is_spelt, "a crossword's squares show it anyway"


def test_a_word_without_a_sound_is_read_instead():
    word = seen(is_heard=True, has_text=False, has_sound=False)
    assert (word.text_instead, word.is_audible, word.is_spelt) == ("no sound", False, True)


def test_who_has_the_sound_off_may_read_the_word():
    word = seen(is_heard=True, has_text=False, was_text_asked=True)
    assert (word.text_instead, word.is_spelt) == ("sound off", True)
    both = seen(is_heard=True, has_text=True, was_text_asked=True)
    assert both.text_instead is None, "its clue was a text already"


def test_a_sound_is_heard_before_the_word_is_open_only_where_it_is_the_clue():
    assert seen(is_heard=True, has_text=False).is_audible
    assert not seen().is_audible
    assert seen(OUTCOMES.REVEALED).is_audible


def test_in_no_state_is_a_closed_word_told():
    """Whatever the kind asks by: what is open follows from moves and the end of the game alone."""
    flags = ("is_heard", "has_text", "has_sound", "was_text_asked", "shows_letters")
    for values in itertools.product([False, True], repeat=len(flags)):
        state = dict(zip(flags, values, strict=True))
        closed = seen(OUTCOMES.WRONG, OUTCOMES.HINT, **state)
        assert not closed.is_open, state
        assert not closed.is_audible or state["is_heard"], state
        # The control: the same word, once it is shown.
        assert seen(OUTCOMES.REVEALED, **state).is_open, state


def test_the_letters_of_a_word_are_counted_unless_it_is_only_heard_in_a_grid_of_letters():
    only_heard = {"is_heard": True, "has_text": False, "has_sound": True}
    assert not seen(**only_heard).is_spelt
    for change in ({"has_text": True}, {"is_heard": False}, {"shows_letters": False},
                   {"has_sound": False}, {"was_text_asked": True}):  # fmt: skip
        assert seen(**only_heard | change).is_spelt, change
    assert seen(OUTCOMES.FOUND, **only_heard).is_spelt


def test_text_replaces_a_clue_only_if_that_is_a_sound():
    for has_text, has_sound in itertools.product([False, True], repeat=2):
        state = {"has_text": has_text, "has_sound": has_sound, "was_text_asked": True}
        assert seen(is_heard=False, **state).text_instead is None
    asked = {"is_heard": True, "was_text_asked": True}
    assert seen(**asked, has_text=True).text_instead is None
    assert seen(**asked, has_text=False).text_instead == "sound off"
    assert seen(**asked, has_text=False, has_sound=False).text_instead == "no sound"
