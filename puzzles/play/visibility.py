"""What a student may know of a word of the puzzle. Only this module decides it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

from puzzles.models import Move

Outcome = Move.Outcome


@dataclass(frozen=True, slots=True)
class Visibility:
    """What may be sent to the student about a word.

    is_found: the student found it.
    is_open: its term, translations and cells are visible: found, revealed, or the game is over.
    is_audible: its sound can be played: it is the clue, or the word is open.
    is_spelt: the number of its letters is visible.
    text_instead: why text replaces a clue that is a sound; None if it does not.
    """

    is_found: bool
    is_open: bool
    is_audible: bool
    is_spelt: bool
    text_instead: Literal["no sound", "sound off"] | None

    @property
    def is_revealed(self) -> bool:
        """Whether the word was revealed to the student without having been found."""
        return self.is_open and not self.is_found


def visibility(
    outcomes: Collection[str],
    *,
    is_over: bool,
    is_heard: bool,
    has_text: bool,
    has_sound: bool,
    was_text_asked: bool,
    shows_letters: bool,
) -> Visibility:
    """Decide what may be sent about a word for which the student's moves had these *outcomes*.

    *is_heard*: the kind gives the clue as a sound; *has_text*: it also gives a text. *has_sound*:
    the word can be spoken. *was_text_asked*: the student asked for the text because their sound
    is off. *shows_letters*: the word is searched for in a grid of letters, where its length
    would reveal it before it was heard.
    """
    is_found = Outcome.FOUND in outcomes
    is_open = is_found or is_over or Outcome.REVEALED in outcomes
    text_instead: Literal["no sound", "sound off"] | None = None
    if is_heard and not has_text:
        text_instead = "no sound" if not has_sound else "sound off" if was_text_asked else None
    is_only_heard = is_heard and not has_text and text_instead is None
    return Visibility(
        is_found=is_found,
        is_open=is_open,
        is_audible=has_sound and (is_heard or is_open),
        is_spelt=is_open or not (is_only_heard and shows_letters),
        text_instead=text_instead,
    )
