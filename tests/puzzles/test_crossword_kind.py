"""The crossword among the kinds: a search that gives way to others goes on where it stopped."""

import json
from pathlib import Path
from random import Random

import pytest

from puzzles.kinds import KINDS
from puzzles.kinds.base import Request, Turn, TurnYielded

EVERYDAY = Path(__file__).parents[1] / "data" / "everyday"


def in_turns(words, language, *, turns):
    """Return the layout of a search that others interrupt this many times."""
    so_far, settings = {}, {"seconds": 20}
    for number in range(turns + 1):
        asked = []
        # The first questions come from the search, so each turn finds something before it stops.
        stop = (lambda asked=asked: asked.append(1) or len(asked) > 5) if number < turns else bool
        if number == turns:
            settings = {"seconds": so_far["spent"] + 0.2}
        try:
            return KINDS["crossword"].generate(
                Request(
                    words=words,
                    language=language,
                    digraphs=True,
                    settings=settings,
                    rng=Random(1),
                    turn=Turn(stop, so_far),
                )
            )
        except TurnYielded as yielded:
            so_far = json.loads(json.dumps(yielded.so_far))
            assert so_far["turns"] == number + 1
    return pytest.fail("it gave way although nobody waited")


@pytest.mark.parametrize("language", ["hi", "ja"])
def test_islands_are_kept_from_turn_to_turn(language):
    rows = (EVERYDAY / f"{language}.txt").read_text(encoding="utf-8").splitlines()
    words = [row.split("\t")[0] for row in rows]
    layout = in_turns(words, language, turns=3)
    assert {words[slot.index] for slot in layout.slots} == set(words)
    assert not layout.unplaced
