"""Serializers of the requests and responses for playing, used for the schema.

The responses are built by play.selectors; a test checks that they match these descriptions.
"""

from __future__ import annotations

import re
from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers

from osmosmjerka.rest.fields import OneOf
from osmosmjerka.rest.serializers import RequestSerializer
from puzzles.generators.grid import LONGEST_WORD
from puzzles.kinds import KIND_CHOICES
from puzzles.kinds.base import SentMove
from puzzles.models import Puzzle
from puzzles.play.services import HINTS


class CellField(serializers.ListField):
    """A row and a column, both counted from 0."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(child=serializers.IntegerField(), min_length=2, max_length=2, **kwargs)

    def run_validation(self, data: Any = serializers.empty) -> Any:
        """Check a cell; a move has many, and almost all are two plain numbers."""
        if type(data) is list and len(data) == 2 and type(data[0]) is type(data[1]) is int:
            return tuple(data)
        cell = super().run_validation(data)
        return None if cell is None else tuple(cell)


class PuzzleToPlaySerializer(serializers.Serializer[Any]):
    """A puzzle to play."""

    code = serializers.CharField(help_text="Play it at /api/play/{code}/ when it is ready.")
    state = OneOf(choices=Puzzle.State.choices)


class MoveSerializer(RequestSerializer):
    attempt = serializers.UUIDField(help_text="A UUID created by the client; repeats are ignored.")
    session = serializers.UUIDField(
        required=False, help_text="The session of the move; by default, the last one."
    )
    item = serializers.CharField(required=False, allow_null=True, max_length=16)
    cells = serializers.ListField(
        child=CellField(),
        required=False,
        allow_null=True,
        max_length=LONGEST_WORD,
    )
    tiles = serializers.ListField(
        child=serializers.CharField(max_length=12, allow_blank=True),
        required=False,
        allow_null=True,
        max_length=LONGEST_WORD,
        help_text="One per cell; empty cells are not checked.",
    )
    latency_ms = serializers.IntegerField(
        required=False, allow_null=True, min_value=0, max_value=2_000_000_000
    )
    answered_at = serializers.DateTimeField(
        required=False,
        allow_null=True,
        help_text="By the device's clock, if the answer waited there; default: now.",
    )
    sent_at = serializers.DateTimeField(
        required=False,
        allow_null=True,
        help_text="By the same clock, when it is sent: corrects `answered_at` if that is wrong.",
    )


def move_of(given: dict[str, Any]) -> SentMove:
    """Return the move that a `MoveSerializer` has read."""
    cells, tiles = given.get("cells"), given.get("tiles")
    return SentMove(
        slot=given.get("item"),
        cells=None if cells is None else tuple(cells),
        tiles=None if tiles is None else tuple(tiles),
    )


HINT_KINDS = list(HINTS)


class HintSerializer(RequestSerializer):
    attempt = serializers.UUIDField(
        required=False, help_text="A UUID created by the client; repeats are ignored."
    )
    item = serializers.CharField(max_length=16)
    kind = OneOf(choices=HINT_KINDS)
    cell = CellField(required=False, allow_null=True)


_PLACE = re.compile(r"[0-9]{1,3},[0-9]{1,3}")
_MOST_PLACES = 3600


class DraftField(serializers.DictField):
    """What stands in squares, by their row and column, both counted from 0, as in `3,0`."""

    also_described = {
        "propertyNames": {"pattern": f"^{_PLACE.pattern}$"},
        "maxProperties": _MOST_PLACES,
    }

    def to_internal_value(self, data: Any) -> dict[str, str]:
        cells: dict[str, str] = super().to_internal_value(data)
        if len(cells) > _MOST_PLACES or not all(_PLACE.fullmatch(key) for key in cells):
            raise serializers.ValidationError(_("Write each square as “row,column”."))
        return cells


class DraftSerializer(RequestSerializer):
    cells = DraftField(child=serializers.CharField(max_length=12, allow_blank=True))


class HowSpokenSerializer(serializers.Serializer[Any]):
    """How a word is spoken."""

    slow = OneOf(["1"], required=False, help_text="Speak slowly.")


class AnotherSerializer(RequestSerializer):
    """How the other puzzle differs from the one that was played."""

    difficulty = OneOf(choices=["easy", "hard"], required=False)
    forwards_only = serializers.BooleanField(
        required=False, help_text="Whether no word is read backwards."
    )


class ClueSerializer(serializers.Serializer[Any]):
    text = serializers.CharField(allow_null=True, help_text="null if the clue is a sound.")
    language = serializers.CharField()
    sound = serializers.CharField(allow_null=True, help_text="URL of the word's sound.")
    slow_sound = serializers.CharField(allow_null=True)
    note = serializers.CharField(allow_null=True)
    picture = serializers.CharField(allow_null=True, help_text="URL of the word's picture.")


class ItemSerializer(serializers.Serializer[Any]):
    """A word of the puzzle; `term` and `cells` are null until it is found or the session ends."""

    id = serializers.CharField()
    clue = ClueSerializer()
    length = serializers.ListField(
        child=serializers.IntegerField(), help_text="The number of letters of each part of `term`."
    )
    found = serializers.BooleanField()
    revealed = serializers.BooleanField()
    term = serializers.CharField(allow_null=True)
    translations = serializers.ListField(child=serializers.CharField())
    cells = serializers.ListField(child=CellField(), allow_null=True)
    bonus = serializers.BooleanField(help_text="A word that is hidden but not listed.")
    number = serializers.IntegerField(required=False, help_text="Only in a crossword.")
    direction = OneOf(choices=["across", "down"], required=False)
    start = CellField(required=False)
    tiles = serializers.ListField(child=serializers.CharField(), required=False)


class PlayedPuzzleSerializer(serializers.Serializer[Any]):
    code = serializers.CharField()
    kind = OneOf(choices=KIND_CHOICES)
    title = serializers.CharField()
    subtitle = serializers.CharField()
    language = serializers.CharField()
    direction = OneOf(choices=["ltr", "rtl"])
    translation_language = serializers.CharField(allow_blank=True)
    rows = serializers.IntegerField()
    cols = serializers.IntegerField()
    grid = serializers.ListField(
        child=serializers.ListField(
            child=serializers.CharField(allow_null=True, allow_blank=True),
        ),
        help_text="Rows of tiles; null: no cell; empty: a cell to fill in.",
    )
    settings = serializers.DictField()


class PlayedSessionSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    state = OneOf(choices=["playing", "finished"])


class SummaryWordSerializer(serializers.Serializer[Any]):
    term = serializers.CharField()
    translations = serializers.ListField(child=serializers.CharField())
    sound = serializers.CharField(allow_null=True)
    picture = serializers.CharField(allow_null=True)
    hints = serializers.IntegerField()
    wrong = serializers.IntegerField()


class AgainSerializer(serializers.Serializer[Any]):
    """The URL that starts another attempt, and how many attempts are left."""

    url = serializers.CharField()
    left = serializers.IntegerField()


class HiddenMessageSerializer(serializers.Serializer[Any]):
    """What the letters spell that no word uses, and their cells in reading order."""

    text = serializers.CharField()
    cells = serializers.ListField(child=CellField())


class SummarySerializer(serializers.Serializer[Any]):
    seconds = serializers.IntegerField()
    learned = SummaryWordSerializer(many=True)
    practise = SummaryWordSerializer(many=True)
    message = serializers.CharField()
    hidden = HiddenMessageSerializer(allow_null=True)
    bonus = ItemSerializer(many=True, help_text="The bonus words that were not found.")
    again = AgainSerializer(allow_null=True)


class PlayStateSerializer(serializers.Serializer[Any]):
    """A session as its student may know it."""

    session = PlayedSessionSerializer()
    puzzle = PlayedPuzzleSerializer()
    items = ItemSerializer(many=True)
    draft = serializers.DictField(
        child=serializers.CharField(), help_text='Letters typed so far: {"row,column": tile}.'
    )
    found = serializers.IntegerField()
    total = serializers.IntegerField()
    bonus_left = serializers.IntegerField(help_text="How many words are hidden but not listed.")
    attempts_made = serializers.IntegerField(help_text="How many grids were generated.")
    summary = SummarySerializer(allow_null=True)


class ProgressSerializer(serializers.Serializer[Any]):
    """The progress of the session, and the word that the request was about."""

    item = ItemSerializer(allow_null=True)
    found = serializers.IntegerField()
    total = serializers.IntegerField()
    bonus_left = serializers.IntegerField(help_text="How many words are hidden but not listed.")
    finished = serializers.BooleanField()
    summary = SummarySerializer(allow_null=True)


class MoveAnswerSerializer(ProgressSerializer):
    outcome = OneOf(choices=["found", "already", "wrong", "checked"])
    message = serializers.CharField()
    wrong_cells = serializers.ListField(child=CellField())
    accent_cells = serializers.ListField(
        child=CellField(), help_text="Correct except for an accent, if the list reports accents."
    )
    note = serializers.CharField(allow_null=True, help_text="A message about `accent_cells`.")


class HintAnswerSerializer(ProgressSerializer):
    kind = OneOf(choices=HINT_KINDS)
    cells = serializers.ListField(child=CellField())
    tiles = serializers.ListField(child=serializers.CharField())
