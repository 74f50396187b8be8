"""Other word search generators, installed into a temporary folder and run on the same lists."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from puzzles.generators.grid import Placement

HERE = Path(__file__).parent / "peers"


@dataclass(frozen=True)
class Outcome:
    """The result of one run of any generator."""

    placements: Sequence[Placement]
    milliseconds: float
    failures: float = 0.0
    """The share of attempts in which some word found no place."""


class Peer:
    """A program that reads jobs as JSON and writes outcomes."""

    def __init__(self, name: str, command: Sequence[str]) -> None:
        self.name = name
        self._command = list(command)

    def run(self, jobs: Sequence[dict[str, Any]]) -> list[Outcome]:
        """Run all *jobs* in one process."""
        done = subprocess.run(
            self._command, input=json.dumps(list(jobs)), capture_output=True, text=True, check=True
        )
        return [
            Outcome(
                [
                    Placement(each["word"], tuple((r, c) for r, c in each["cells"]))
                    for each in outcome["placed"]
                ],
                outcome["milliseconds"],
                outcome["failures"] / outcome["attempts"],
            )
            for outcome in json.loads(done.stdout)
        ]


def install(folder: Path, wordfind: Path | None) -> dict[str, Peer]:
    """Return the peers that could be installed; print which could not, and why."""
    peers: dict[str, Peer] = {}
    node = shutil.which("node")
    if node is None:
        print("wordfind: left out, there is no node.")
    else:
        original = [str(wordfind.resolve())] if wordfind else []
        name = "wordfind" if wordfind else "wordfind's rule"
        peers["wordfind"] = Peer(name, [node, str(HERE / "run_wordfind.js"), *original])
    try:
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
        python = str(folder / "bin" / "python")
        subprocess.run(
            [python, "-m", "pip", "install", "--quiet", "word-search-generator==5.0.0"],
            check=True,
            capture_output=True,
        )
    except subprocess.CalledProcessError as error:
        print(f"word-search-generator: left out, it could not be installed ({error}).")
    else:
        script = str(HERE / "run_word_search_generator.py")
        peers["wsg"] = Peer("word-search-generator", [python, script])
    return peers
