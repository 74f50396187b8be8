"""Serializers of the requests and responses of class games."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from osmosmjerka.rest.fields import OneOf
from osmosmjerka.rest.serializers import RequestSerializer
from puzzles.live import rules
from puzzles.models import LiveGame, Puzzle
from puzzles.play.serializers import ItemSerializer

MODES = LiveGame.Mode.choices
STATES = LiveGame.State.choices
ORDERS = ["running", "paused", "ended"]
MOST_SECONDS = 2 * 60 * 60


class NewGameSerializer(RequestSerializer):
    """A class game to open."""

    mode = OneOf(choices=MODES)
    list = serializers.IntegerField(help_text="The id of a list that you may use.")
    entries = serializers.ListField(
        child=serializers.IntegerField(),
        required=False,
        max_length=1000,
        help_text="The ids of the words that may be asked; by default, all of the list.",
    )
    words = serializers.IntegerField(
        required=False, min_value=3, max_value=40, help_text="How many words it asks."
    )
    teams = serializers.IntegerField(
        default=2, min_value=1, max_value=rules.MOST_TEAMS, help_text="In Together, there is one."
    )
    seconds = serializers.IntegerField(
        default=0,
        min_value=0,
        max_value=MOST_SECONDS,
        help_text="For the game, or in Listen for each word; 0: no limit.",
    )
    allows_guests = serializers.BooleanField(
        default=False, help_text="Whether people without an account can join with the code."
    )
    is_heard_on_board = serializers.BooleanField(
        default=True, help_text="In Listen: whether the projector says the words, not each device."
    )


class OrderSerializer(RequestSerializer):
    """What becomes of a game: it starts or goes on, is paused, or ends."""

    state = OneOf(choices=ORDERS)


class SkipSerializer(RequestSerializer):
    """The word to show to everybody."""

    item = serializers.CharField(
        required=False, max_length=16, help_text="In Listen, it is the word that is asked."
    )


class PlayerChangeSerializer(RequestSerializer):
    """What becomes of a player."""

    team = serializers.IntegerField(required=False, min_value=1, max_value=rules.MOST_TEAMS)
    removed = serializers.BooleanField(required=False)


class JoinSerializer(RequestSerializer):
    """Under which nickname a guest joins; students of the class send none."""

    name = serializers.CharField(required=False, max_length=80)


class LiveHintSerializer(RequestSerializer):
    """What a player asks about a word: its text in Listen, or to pass it on in Together."""

    attempt = serializers.UUIDField(help_text="A UUID created by the client; repeats are ignored.")
    item = serializers.CharField(max_length=16)
    kind = OneOf(choices=["text", "pass"])


class SinceSerializer(serializers.Serializer[Any]):
    since = serializers.IntegerField(
        required=False, min_value=0, help_text="The version that you know; 204 if it is the newest."
    )


class StandingSerializer(serializers.Serializer[Any]):
    """How a team is doing."""

    number = serializers.IntegerField()
    players = serializers.IntegerField()
    found = serializers.IntegerField(help_text="Words found.")
    points = serializers.IntegerField(help_text="In Listen; otherwise the words found.")
    is_whole = serializers.BooleanField(help_text="Whether it has found all words.")


class _CommonSerializer(serializers.Serializer[Any]):
    version = serializers.IntegerField()
    state = OneOf(choices=STATES)
    puzzle = OneOf(choices=Puzzle.State.choices, help_text="A game starts once it is ready.")
    mode = OneOf(choices=MODES)
    round = serializers.IntegerField(help_text="In Listen: which word is asked, from 1.")
    total = serializers.IntegerField(help_text="How many words there are.")
    seconds_left = serializers.FloatField(
        allow_null=True, help_text="Of the game, or in Listen of the word; null: no limit."
    )
    ask_after = serializers.IntegerField(help_text="After how many ms to ask again.")
    teams = StandingSerializer(many=True)


class PlayerStateSerializer(_CommonSerializer):
    """A game as a player's device is told of it. Of one who was removed, `state` is “removed”."""

    team = serializers.IntegerField()
    name = serializers.CharField()
    items = ItemSerializer(
        many=True, help_text="Words that changed since; in Listen, those of the last two rounds."
    )
    holders = serializers.DictField(
        child=serializers.CharField(allow_blank=True),
        help_text="In Together: who has which word; empty: you.",
    )


class PlayerSerializer(serializers.Serializer[Any]):
    """A player of a game."""

    id = serializers.UUIDField()
    name = serializers.CharField()
    team = serializers.IntegerField()
    is_guest = serializers.BooleanField()
    is_here = serializers.BooleanField(help_text="Whether their device asked lately.")


class ToldWordSerializer(serializers.Serializer[Any]):
    """A word that all may see."""

    id = serializers.CharField()
    term = serializers.CharField()
    translations = serializers.ListField(child=serializers.CharField())


class BoardSerializer(_CommonSerializer):
    """A game as the projector shows it: no word that a team could read there and then find."""

    players = PlayerSerializer(many=True)
    found_now = serializers.IntegerField(
        allow_null=True, help_text="In Listen: how many have found the word that is asked."
    )
    asked = serializers.CharField(allow_null=True, help_text="In Listen: the word that is asked.")
    last = ToldWordSerializer(many=True, help_text="The last words that all teams found.")
    grid = serializers.ListField(
        child=serializers.ListField(child=serializers.CharField(allow_null=True, allow_blank=True)),
        allow_null=True,
        help_text="In Together: the crossword as far as it is filled.",
    )


class WordResultSerializer(serializers.Serializer[Any]):
    """How many found a word: teams, or in Listen players."""

    entry = serializers.IntegerField(source="word.entry_id", allow_null=True)
    term = serializers.CharField(source="word.term")
    translations = serializers.ListField(source="word.translations", child=serializers.CharField())
    found = serializers.IntegerField()
    asked = serializers.IntegerField(help_text="Of how many.")
    is_missed = serializers.BooleanField(help_text="Whether most did not find it.")


class GameSerializer(serializers.Serializer[Any]):
    """A class game, for its teachers."""

    code = serializers.CharField()
    classroom = serializers.IntegerField(source="classroom_id")
    mode = OneOf(choices=MODES)
    state = OneOf(choices=STATES)
    list = serializers.IntegerField(source="puzzle.vocabulary_list_id")
    puzzle = OneOf(source="puzzle.state", choices=Puzzle.State.choices)
    teams = serializers.IntegerField(source="team_count")
    seconds = serializers.IntegerField()
    allows_guests = serializers.BooleanField()
    created_at = serializers.DateTimeField()
    started_at = serializers.DateTimeField(allow_null=True)
    ended_at = serializers.DateTimeField(allow_null=True)


class ResultsSerializer(serializers.Serializer[Any]):
    """A class game with what was found in it."""

    game = GameSerializer()
    teams = StandingSerializer(source="standings", many=True)
    words = WordResultSerializer(many=True)


class JoinedSerializer(serializers.Serializer[Any]):
    """Who you are in the game; a cookie lets your device play."""

    name = serializers.CharField()
    team = serializers.IntegerField()
