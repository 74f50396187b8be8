"""The benchmark of a lesson counts what it says it counts."""

import json
import subprocess
import sys
import uuid

import pytest

from benchmarks.lesson import phases
from vocab.models import Review


@pytest.mark.thorough
def test_a_lesson_of_two_students_is_stored_as_the_players_were_told(tmp_path):
    results = tmp_path / "results.json"
    command = (
        "-m benchmarks.nine_oclock --only lesson --players 2 --puzzles 1 --minutes 1 --speed-up 20"
    )
    done = subprocess.run(
        [sys.executable, *command.split(), "--json", results],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    (result,) = json.loads(results.read_text()).values()
    accounts = result["accounts"]
    assert accounts["finds"] > 0
    assert accounts["finds"] == accounts["stored"] == accounts["reviews"]
    assert accounts["are_equal"]
    assert accounts["locked"] == accounts["errors"] == result["lesson"]["failed"] == 0
    assert result["lesson"]["counts"]["login"] == 2
    assert f"{accounts['finds']} = {accounts['finds']} = {accounts['finds']}" in done.stdout


def test_a_lost_answer_and_a_lost_review_are_noticed(make_puzzle, sign_in, student):
    puzzle = make_puzzle("word-search")
    placement = puzzle.placements.first()
    attempt = str(uuid.uuid4())
    answer = sign_in(student).post(
        f"/api/play/{puzzle.code}/attempts/",
        {"attempt": attempt, "cells": placement.cells},
        content_type="application/json",
    )
    assert answer.json()["outcome"] == "found"
    assert phases.compare([attempt])["are_equal"]

    assert not phases.compare([])["are_equal"]  # stored, though nobody was told
    told_but_lost = phases.compare([attempt, str(uuid.uuid4())])
    assert (told_but_lost["are_equal"], told_but_lost["lost"]) == (False, 1)

    Review.objects.all().delete()
    forgotten = phases.compare([attempt])
    assert (forgotten["are_equal"], forgotten["lost"]) == (False, 1)
