"""How words are asked, and which way of knowing them that shows. Pure."""

from __future__ import annotations

from enum import StrEnum


class Mode(StrEnum):
    """How a word was asked."""

    WORD_SEARCH = "word-search"
    FINDER = "finder"
    CROSSWORD = "crossword"
    CHOSEN = "chosen"
    TYPED = "typed"
    HEARD = "heard"
    CARD = "card"
    MATCHED = "matched"
    PAPER = "paper"


class Skill(StrEnum):
    """A way of knowing a word. "form" is none: the word itself was in view."""

    FORM = "form"
    MEANING_TO_FORM = "meaning_to_form"
    SOUND_TO_FORM = "sound_to_form"
    SPELLING = "spelling"
