"""Class games at once: how long from a find to the projector, what it costs, what a kill loses.

    python -m benchmarks.live_game [--many] [--games 1 15] [--players 35] [--seconds 30]
        [--finds 1.2] [--others 20] [--kills 0]

One `manage.py serve` on SQLite; with --many, gunicorn with two processes on PostgreSQL and Redis.
Each player's device asks as often as it is told to, over one connection that it keeps, and so does
the projector. Of each game, players find so many words a second, together. *others* is how many
words a second students of other classes find in ordinary puzzles beside. With --kills, web
processes are killed in the middle so often; devices send again what was not answered, and at the
end each find that was acknowledged must be stored once. Needs Debian's postgresql and redis-server
for --many.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import tempfile
import time
import uuid
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.harness import set_up, settings_of, table
from benchmarks.lesson.crowd import percentile
from benchmarks.lesson.servers import HOST, processes, tree
from benchmarks.lesson.stage import Stage
from benchmarks.lesson.web import Browser, Unanswered

TEAMS = 4
OTHERS = 30  # students who play ordinary puzzles
JITTER = 0.15
SOON = 0.3  # seconds, until an answer that got none is sent again


@dataclass
class Device:
    """A player's phone, or the projector, with its cookie."""

    browser: Browser
    code: str
    team: int = 0


@dataclass
class Played:
    """A game's devices, and the words that each team has still to find."""

    code: str
    projector: Device
    players: list[Device]
    left: dict[int, list[list[list[int]]]]
    found_at: dict[int, float] = field(default_factory=dict)  # by version
    seen: list[float] = field(default_factory=list)  # seconds from a find to the projector


@dataclass
class Told:
    """What the devices noticed."""

    polls: list[float] = field(default_factory=list)
    statuses: dict[str, int] = field(default_factory=dict)
    others: list[float] = field(default_factory=list)
    acknowledged: list[str] = field(default_factory=list)

    def count(self, status: object) -> None:
        self.statuses[str(status)] = self.statuses.get(str(status), 0) + 1


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--many", action="store_true")
    parser.add_argument("--games", type=int, nargs="+", default=[1, 15])
    parser.add_argument("--players", type=int, default=35)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--finds", type=float, default=1.2, help="a second, in each game")
    parser.add_argument("--others", type=float, default=20, help="words a second beside")
    parser.add_argument("--kills", type=int, default=0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)  # PostgreSQL runs as another user
        stage = Stage(folder, is_single=not options.many)
        os.environ |= settings_of(folder / "data") | {"OSMOSMJERKA_GTTS": "false"}
        (folder / "data").mkdir()
        try:
            os.environ |= stage.start_services()
            set_up()
            stage.start()
            rows = [_measured(stage, count, options) for count in options.games]
        finally:
            stage.close()
    print(table([HEAD, *rows]))


HEAD = [
    "games", "devices", "find → projector p50", "p95", "max", "poll p95", "others p95", "web cores",
    "refused", "finds", "lost", "doubled",
]  # fmt: skip


def _measured(stage: Stage, count: int, options: argparse.Namespace) -> list[str]:
    games = [_build(stage.port, number, options) for number in range(count)]
    others = _build_others(stage.port) if options.others else []
    told = Told()
    assert stage.web is not None
    before = _web_seconds(stage)
    asyncio.run(_play(stage, games, others, told, options))
    cores = (_web_seconds(stage) - before) / options.seconds
    lost, doubled = _compared(told)
    seen = [one for game in games for one in game.seen]
    ms = [f"{1000 * percentile(values, share):.0f} ms" for values, share in (
        (seen, 0.5), (seen, 0.95), (seen, 1.0), (told.polls, 0.95), (told.others, 0.95),
    )]  # fmt: skip
    refused = sum(n for status, n in told.statuses.items() if status not in ("200", "204"))
    return [
        str(count), str(count * (options.players + 1)), *ms, f"{cores:.2f}", str(refused),
        str(len(told.acknowledged)), str(lost), str(doubled),
    ]  # fmt: skip


def _web_seconds(stage: Stage) -> float:
    assert stage.web is not None
    known = processes()
    return sum(known[pid].seconds for pid in tree([stage.web.pid], known))


# What is played ---------------------------------------------------------------------------


def _build(port: int, number: int, options: argparse.Namespace) -> Played:
    """Create a class whose game has started, and the devices of its players."""
    from benchmarks.lesson import school
    from puzzles.live import services, tokens

    services.MOST_GAMES_A_SCHOOL = 1000  # several schools may share a site; here, all are one
    unique = random.getrandbits(32)
    room = school.build_room(unique, options.players)
    wanted = min(40, int(options.finds * options.seconds / TEAMS) + 5)
    words = school.build_list(room.teacher, f"Words {unique}", wanted + 10, random.Random(unique))
    game = services.open_game(
        classroom=room.classroom,
        actor=room.teacher,
        mode="race",
        vocabulary_list=words,
        words=wanted,
        team_count=TEAMS,
    )
    school._do_jobs()
    players = []
    for student in room.students:
        player = services.join(game=game, student=student)
        device = Device(Browser(HOST, port), game.code, player.team)
        device.browser.cookies[tokens.cookie_of(game.code)] = tokens.value_of(player)
        players.append(device)
    services.start(game)
    cells = [one.cells for one in game.puzzle.placements.all()]
    left = {team: random.sample(cells, len(cells)) for team in range(1, TEAMS + 1)}
    projector = Device(_logged_in(port, room.teacher), game.code)
    return Played(game.code, projector, players, left)


def _build_others(port: int) -> list[tuple[Browser, str, list[dict[str, Any]]]]:
    from benchmarks.lesson import school

    unique = random.getrandbits(32)
    room = school.build_room(unique, OTHERS)
    words = school.build_list(room.teacher, f"Words {unique}", 60, random.Random(unique))
    puzzle = school.make(room, words, "word-search", words=40)
    school._drop_jobs()
    answers = school.answers(puzzle)["words"]
    return [(_logged_in(port, one), puzzle.code, list(answers)) for one in room.students]


def _logged_in(port: int, person: Any) -> Browser:
    from django.test import Client

    client, browser = Client(), Browser(HOST, port)
    client.force_login(person)
    browser.cookies |= {name: morsel.value for name, morsel in client.cookies.items()}
    browser.cookies["csrftoken"] = "a" * 32
    return browser


# The lesson -------------------------------------------------------------------------------


async def _play(
    stage: Stage,
    games: list[Played],
    others: list[tuple[Browser, str, list[dict[str, Any]]]],
    told: Told,
    options: argparse.Namespace,
) -> None:
    ends = time.monotonic() + options.seconds
    tasks = []
    for game in games:
        tasks += [_ask(device, "state", ends, told, None) for device in game.players]
        tasks.append(_ask(game.projector, "board", ends, told, game))
        tasks.append(_find(game, options.finds, ends, told))
    if others:
        tasks += [_find_alone(one, len(others) / options.others, ends, told) for one in others]
    if options.kills:
        tasks.append(_kill(stage, options.kills, options.seconds))
    await asyncio.gather(*tasks)


async def _ask(device: Device, what: str, ends: float, told: Told, game: Played | None) -> None:
    """Ask for the game's version again and again, as devices do."""
    version, after = 0, 1.0
    await asyncio.sleep(random.random())
    while time.monotonic() < ends:
        began = time.monotonic()
        with suppress(Unanswered):
            reply = await device.browser.get(f"/api/live/{device.code}/{what}/?since={version}")
            told.count(reply.status)
            told.polls.append(time.monotonic() - began)
            after = int(reply.headers.get("x-ask-after", 1000)) / 1000
            if reply.status == 200:
                version = reply.json()["version"]
                now = time.monotonic()
                for one in [one for one in (game.found_at if game else ()) if one <= version]:
                    assert game is not None
                    game.seen.append(now - game.found_at.pop(one))
        await asyncio.sleep(after * random.uniform(1 - JITTER, 1 + JITTER))


async def _find(game: Played, rate: float, ends: float, told: Told) -> None:
    """Let players of a game find words, and send again what was not answered."""
    while time.monotonic() < ends:
        await asyncio.sleep(random.expovariate(rate))
        player = random.choice(game.players)
        if not game.left[player.team]:
            continue
        attempt = str(uuid.uuid4())
        move = {"attempt": attempt, "cells": game.left[player.team].pop()}
        began = time.monotonic()
        while time.monotonic() < ends + 30:
            with suppress(Unanswered):
                path = f"/api/live/{game.code}/play/attempts/"
                reply = await player.browser.post(path, move)
                told.count(reply.status)
                if reply.status == 200:
                    told.acknowledged.append(attempt)
                    game.found_at[await _version(attempt)] = began
                    break
            await asyncio.sleep(SOON)


async def _version(attempt: str) -> int:
    """Return the version of the game by which a find is told, as it is stored."""
    from asgiref.sync import sync_to_async

    from puzzles.models import LiveMove

    found = LiveMove.objects.filter(client_id=attempt).values_list("version", flat=True)
    return int(await sync_to_async(found.get)())


async def _find_alone(
    one: tuple[Browser, str, list[dict[str, Any]]], pause: float, ends: float, told: Told
) -> None:
    browser, code, words = one
    await asyncio.sleep(random.random() * pause)
    for word in words:
        if time.monotonic() >= ends:
            return
        began = time.monotonic()
        move = {"attempt": str(uuid.uuid4())} | word["right"]
        with suppress(Unanswered):
            reply = await browser.post(f"/api/play/{code}/attempts/", move)
            told.count(reply.status)
        told.others.append(time.monotonic() - began)
        await asyncio.sleep(max(0, pause - (time.monotonic() - began)))


async def _kill(stage: Stage, kills: int, seconds: float) -> None:
    for _kill in range(kills):
        await asyncio.sleep(seconds / (kills + 1))
        await asyncio.to_thread(stage.kill_web_worker)


def _compared(told: Told) -> tuple[int, int]:
    """Return how many acknowledged finds are not stored, and how many are stored twice."""
    from puzzles.models import LiveMove

    stored = [
        str(one)
        for one in LiveMove.objects.filter(
            client_id__in=told.acknowledged, outcome="found"
        ).values_list("client_id", flat=True)
    ]
    return len(set(told.acknowledged) - set(stored)), len(stored) - len(set(stored))


if __name__ == "__main__":
    main()
