"""What a player sends, and what the server answers, as the schema describes it.

The shapes of the answers are made by play.selectors; a test holds them to these descriptions.
"""

from __future__ import annotations

import re
from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers

from puzzles.generators.grid import LONGEST_WORD
from puzzles.kinds import KIND_NAMES


class CellField(serializers.ListField):
    """A row and a column, both counted from 0."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(child=serializers.IntegerField(), min_length=2, max_length=2, **kwargs)


class MoveSerializer(serializers.Serializer[Any]):
    attempt = serializers.UUIDField(help_text="Made by you; sent twice, counted once.")
    session = serializers.UUIDField(
        required=False, help_text="The attempt in which it was made; without it, the last one."
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
        help_text="One a cell; leave cells empty to have only the others checked.",
    )
    latency_ms = serializers.IntegerField(
        required=False, allow_null=True, min_value=0, max_value=2_000_000_000
    )


HINT_KINDS = ["first_cell", "letter", "word", "text"]


class HintSerializer(serializers.Serializer[Any]):
    item = serializers.CharField(max_length=16)
    kind = serializers.ChoiceField(choices=HINT_KINDS)
    cell = CellField(required=False, allow_null=True)


_PLACE = re.compile(r"[0-9]{1,3},[0-9]{1,3}")


class DraftSerializer(serializers.Serializer[Any]):
    cells = serializers.DictField(child=serializers.CharField(max_length=12, allow_blank=True))

    def validate_cells(self, cells: dict[str, str]) -> dict[str, str]:
        if len(cells) > 3600 or not all(_PLACE.fullmatch(key) for key in cells):
            raise serializers.ValidationError(_("Write each square as “row,column”."))
        return cells


class ClueSerializer(serializers.Serializer[Any]):
    text = serializers.CharField(allow_null=True, help_text="None where the clue is heard.")
    language = serializers.CharField()
    sound = serializers.CharField(allow_null=True, help_text="Where the word is heard.")
    slow_sound = serializers.CharField(allow_null=True)
    note = serializers.CharField(allow_null=True)
    picture = serializers.CharField(allow_null=True, help_text="Where its picture is.")


class ItemSerializer(serializers.Serializer[Any]):
    """A word of the puzzle; term and cells are told once it is found or the session is over."""

    id = serializers.CharField()
    clue = ClueSerializer()
    length = serializers.ListField(
        child=serializers.IntegerField(), help_text="Of each word of a term, in letters."
    )
    found = serializers.BooleanField()
    revealed = serializers.BooleanField()
    term = serializers.CharField(allow_null=True)
    translations = serializers.ListField(child=serializers.CharField())
    cells = serializers.ListField(child=CellField(), allow_null=True)
    number = serializers.IntegerField(required=False, help_text="In a crossword.")
    direction = serializers.ChoiceField(choices=["across", "down"], required=False)
    start = CellField(required=False)
    tiles = serializers.ListField(child=serializers.CharField(), required=False)


class PlayedPuzzleSerializer(serializers.Serializer[Any]):
    code = serializers.CharField()
    kind = serializers.ChoiceField(choices=KIND_NAMES)
    title = serializers.CharField()
    subtitle = serializers.CharField()
    language = serializers.CharField()
    direction = serializers.ChoiceField(choices=["ltr", "rtl"])
    translation_language = serializers.CharField(allow_blank=True)
    rows = serializers.IntegerField()
    cols = serializers.IntegerField()
    grid = serializers.ListField(
        child=serializers.ListField(
            child=serializers.CharField(allow_null=True, allow_blank=True),
        ),
        help_text="Rows of tiles; null: no cell; empty: a cell to be filled.",
    )
    settings = serializers.DictField()


class PlayedSessionSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    state = serializers.ChoiceField(choices=["playing", "finished"])


class SummaryWordSerializer(serializers.Serializer[Any]):
    term = serializers.CharField()
    translations = serializers.ListField(child=serializers.CharField())
    sound = serializers.CharField(allow_null=True)
    picture = serializers.CharField(allow_null=True)
    hints = serializers.IntegerField()
    wrong = serializers.IntegerField()


class AgainSerializer(serializers.Serializer[Any]):
    """Where another attempt is begun, and how many there are."""

    url = serializers.CharField()
    left = serializers.IntegerField()


class SummarySerializer(serializers.Serializer[Any]):
    seconds = serializers.IntegerField()
    learned = SummaryWordSerializer(many=True)
    practise = SummaryWordSerializer(many=True)
    message = serializers.CharField()
    again = AgainSerializer(allow_null=True)


class PlayStateSerializer(serializers.Serializer[Any]):
    """A session as its player may know it."""

    session = PlayedSessionSerializer()
    puzzle = PlayedPuzzleSerializer()
    items = ItemSerializer(many=True)
    draft = serializers.DictField(
        child=serializers.CharField(), help_text='Letters typed so far: {"row,column": tile}.'
    )
    found = serializers.IntegerField()
    total = serializers.IntegerField()
    attempts_made = serializers.IntegerField(help_text="Grids begun until one kept the rules.")
    summary = SummarySerializer(allow_null=True)


class ProgressSerializer(serializers.Serializer[Any]):
    """How far the session is, and the word that it is about."""

    item = ItemSerializer(allow_null=True)
    found = serializers.IntegerField()
    total = serializers.IntegerField()
    finished = serializers.BooleanField()
    summary = SummarySerializer(allow_null=True)


class MoveAnswerSerializer(ProgressSerializer):
    outcome = serializers.ChoiceField(choices=["found", "already", "wrong", "checked"])
    message = serializers.CharField()
    wrong_cells = serializers.ListField(child=CellField())
    accent_cells = serializers.ListField(
        child=CellField(), help_text="Right but for an accent, where the list wants that said."
    )
    note = serializers.CharField(allow_null=True, help_text="What to say of these.")


class HintAnswerSerializer(ProgressSerializer):
    kind = serializers.ChoiceField(choices=HINT_KINDS)
    cells = serializers.ListField(child=CellField())
    tiles = serializers.ListField(child=serializers.CharField())


class RefusalSerializer(serializers.Serializer[Any]):
    """Why nothing was done, in a word for programs and a sentence for people."""

    code = serializers.ChoiceField(choices=["refused", "session_finished", "slow_down"])
    message = serializers.CharField()
