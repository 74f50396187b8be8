"""Queries for a game as its student may see it."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from puzzles.models import Move, Placement, Puzzle
from puzzles.play import attempts, games
from puzzles.play.games import Address, Game, Which
from puzzles.play.services import was_text_shown
from puzzles.play.visibility import Visibility, visibility
from vocab.text import (
    alphabet_for,
    digraphs_of,
    direction,
    keyboard_for,
    lengths_in_squares,
    seams_of,
    without_finals,
)

# A student who finds most of the words without their being shown is praised.
MOST = 0.75


def play_state(which: Which) -> dict[str, Any]:
    """Return what the student may know of a session: see `state_of`."""
    return state_of(games.current(which))


def state_of(game: Game) -> dict[str, Any]:
    """Return what the student may know of a game: the grid, the clues, and what was found.

    An item includes its term and cells only if it was found or revealed, or the session is over.
    """
    puzzle, kind, vocabulary_list = game.puzzle, game.kind, game.vocabulary_list
    rows = kind.public_grid(puzzle)
    return {
        "session": {
            "id": str(game.session.pk),
            "state": "finished" if game.is_over else "playing",
        },
        "puzzle": {
            "code": puzzle.code,
            "kind": puzzle.kind,
            "title": puzzle.title,
            "subtitle": str(kind.name),
            "language": vocabulary_list.language,
            "direction": direction(vocabulary_list.language),
            "translation_language": (vocabulary_list.translation_languages or [""])[0],
            "rows": len(rows),
            "cols": len(rows[0]) if rows else 0,
            "grid": rows,
            "settings": kind.public_settings(puzzle)
            | {"alphabet": _alphabet(game)}
            | ({} if kind.shows_letters else _cutting(game)),
        },
        "items": [
            item_state(game, placement)
            for placement in (*game.words, *game.bonus_found, *game.bonus_missed)
        ],
        "draft": game.session.draft,
        "attempts_made": puzzle.grids_tried,
    } | progress(game)


def _alphabet(game: Game) -> list[str]:
    """Return the letters of the grid, or of the keys that fill it in."""
    vocabulary_list = game.puzzle.vocabulary_list
    letters = (alphabet_for if game.kind.shows_letters else keyboard_for)(
        [placement.tiles for placement in game.words],
        vocabulary_list.language,
        digraphs=_has_digraphs(game),
    )
    if game.kind.shows_letters:
        return list(letters)
    return list(dict.fromkeys(map(without_finals, letters)))


def _has_digraphs(game: Game) -> bool:
    """Return whether a digraph can be one letter here.

    The list may be set otherwise since the puzzle was made, but its squares stay as they are.
    """
    digraphs = set(digraphs_of(game.vocabulary_list.language))
    return game.vocabulary_list.uses_digraphs or any(
        not digraphs.isdisjoint(placement.tiles) for placement in game.words
    )


def _cutting(game: Game) -> dict[str, Any]:
    """Return how the page has to cut what is typed: by the language's rules, not by the words."""
    language = game.vocabulary_list.language
    if not _has_digraphs(game):
        return {"digraphs": [], "seams": []}
    return {"digraphs": digraphs_of(language), "seams": seams_of(language)}


def progress(game: Game) -> dict[str, Any]:
    """Return how far the game is, and its summary if it is over."""
    return {
        "found": game.found,
        "total": len(game.words),
        "bonus_left": len(game.bonus) - len(game.bonus_found),
        "summary": summary(game) if game.is_over else None,
    }


def item_state(game: Game, placement: Placement) -> dict[str, Any]:
    """Return one word of the puzzle as its student may know it."""
    puzzle, kind, vocabulary_list = game.puzzle, game.kind, game.vocabulary_list
    mine = game.moves_of(placement)
    text = kind.clue(placement, puzzle.settings)
    seen = visibility(
        {Move.Outcome.FOUND if placement.is_bonus else move.outcome for move in mine},
        is_over=game.is_told(placement),
        is_heard=kind.is_heard(puzzle.settings),
        has_text=text is not None,
        has_sound=game.is_speakable(placement),
        was_text_asked=was_text_shown(mine),
        shows_letters=kind.shows_letters,
    )
    item: dict[str, Any] = {
        "id": placement.slot,
        "clue": _clue(game, placement, text, seen),
        "length": list(
            lengths_in_squares(
                placement.played,
                len(placement.cells),
                vocabulary_list.language,
                digraphs=vocabulary_list.uses_digraphs,
            )
        )
        if seen.is_spelt
        else [],
        "found": seen.is_found,
        "revealed": seen.is_revealed,
        "term": placement.term if seen.is_open else None,
        "translations": placement.translations if seen.is_open else [],
        "cells": placement.cells if seen.is_open else None,
        "bonus": placement.is_bonus,
    }
    if placement.number is not None:
        item |= {
            "number": placement.number,
            "direction": placement.direction,
            "start": placement.cells[0],
        }
        if seen.is_open:
            item["tiles"] = placement.tiles
    return item


def _clue(game: Game, placement: Placement, text: str | None, seen: Visibility) -> dict[str, Any]:
    """Return the clue for the student: a text, a sound, a picture."""
    puzzle, kind, vocabulary_list = game.puzzle, game.kind, game.vocabulary_list
    note = None
    if seen.text_instead is not None:
        text = kind.clue_without_sound(placement, puzzle.settings)
        note = (
            _("No sound for this word, so its text is shown.")
            if seen.text_instead == "no sound"
            else _("Sound is off, so the text is shown.")
        )
    is_in_language = text in (placement.played, placement.sentence, placement.hint)
    has_picture = seen.is_open or kind.shows_picture(puzzle.settings)
    sound = sound_url(game, placement) if seen.is_audible else None
    return {
        "text": text,
        "language": vocabulary_list.language
        if is_in_language
        else (vocabulary_list.translation_languages or [""])[0],
        "sound": sound,
        "slow_sound": sound and f"{sound}&slow=1",
        "note": note,
        "picture": picture_url(game, placement) if has_picture else None,
    }


def sound_url(game: Game, placement: Placement) -> str:
    """Return the URL of a word's sound.

    It contains the slot, which reveals nothing, and the version of the list's sounds, so that
    browsers do not play a cached sound after a teacher's change.
    """
    at = _address_of(game)
    address = _address(f"api:{at.name}-sound", at.code, placement.slot)
    return f"{address}?v={game.vocabulary_list.sounds_version}"


def picture_url(game: Game, placement: Placement) -> str | None:
    """Return the URL of a word's picture, or None. Like the sound's, it reveals nothing."""
    version = game.picture_version(placement)
    if not version:
        return None
    at = _address_of(game)
    return f"{_address(f'api:{at.name}-picture', at.code, placement.slot)}?v={version}"


def _address_of(game: Game) -> Address:
    return game.address or Address("play", game.puzzle.code)


@lru_cache(maxsize=5000)
def _address(name: str, code: str, slot: str) -> str:
    """Return an address, of which a play page has one or two for each word."""
    return reverse(name, args=[code, slot])


def again_url(puzzle: Puzzle) -> str:
    if puzzle.adapted_for_id is not None:
        return reverse("assignment-play", args=[puzzle.adapted_for_id])
    return reverse("play-again", args=[puzzle.code])


def summary(game: Game) -> dict[str, Any]:
    """Return what was learned and what to practise, for the end of a session."""
    learned, practise = [], []
    for placement in game.words:
        outcomes = [move.outcome for move in game.moves_of(placement)]
        if placement.pk not in game.solved and not game.is_told(placement):
            continue
        hints, wrong = outcomes.count(Move.Outcome.HINT), outcomes.count(Move.Outcome.WRONG)
        word = {
            "term": placement.term,
            "translations": placement.translations,
            "sound": sound_url(game, placement) if game.is_speakable(placement) else None,
            "picture": picture_url(game, placement),
            "hints": hints,
            "wrong": wrong,
        }
        is_found = Move.Outcome.FOUND in outcomes
        if is_found:
            learned.append(word)
        if not is_found or hints or wrong:
            practise.append(word)
    message = (
        _("Well done!")  # the heading says that all were found
        if len(learned) == len(game.words)
        else ngettext(
            "%(found)s of %(total)s word found.",
            "%(found)s of %(total)s words found.",
            len(game.words),
        )
        % {"found": len(learned), "total": len(game.words)}
    )
    # A hint takes no praise for the other words away.
    if MOST * len(game.words) <= len(learned) < len(game.words):
        message = f"{_('Well done!')} {message}"
    left = attempts.attempts_left(game.session)
    hidden = game.hidden_message
    return {
        "seconds": game.seconds,
        "learned": learned,
        "practise": practise,
        "message": message,
        "hidden": hidden and {"text": hidden.text, "cells": hidden.cells},
        "bonus": [item_state(game, placement) for placement in game.bonus_missed],
        "again": {"url": again_url(game.puzzle), "left": left} if left else None,
    }
