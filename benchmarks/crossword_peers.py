"""The crossword's peers, installed into a temporary directory."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

HERE = Path(__file__).parent / "peers"
GENXWORD, LAYOUT = "genxword==2.2.0", "crossword-layout-generator@0.1.1"


class Peers:
    """genxword (PyPI) and crossword-layout-generator (npm)."""

    def __enter__(self) -> Peers:
        self._directory = tempfile.TemporaryDirectory()
        self.home = Path(self._directory.name)
        self._python: Path | None = None
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._directory.cleanup()

    def genxword(self, tasks: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
        """Lay the words of each task: {"words", "rows", "cols", "seconds"}."""
        return self._ask([self._install(GENXWORD), HERE / "run_genxword.py"], tasks)

    def layout(self, tasks: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
        """Lay the words of each task on a board of the peer's choice."""
        script = self.home / "layout.cjs"
        if not script.exists():
            command = ["npm", "install", "--silent", "--prefix", str(self.home), LAYOUT]
            subprocess.run(command, check=True)
            script.write_text((HERE / "run_crossword_layout.cjs").read_text())
        return self._ask(["node", script], tasks)

    def _install(self, package: str) -> Path:
        python = self.home / package.partition("=")[0] / "bin" / "python"
        if not python.exists():
            subprocess.run([sys.executable, "-m", "venv", python.parents[1]], check=True)
            # genxword declares drawing libraries that its calculator does not need.
            alone = ["--no-deps"] if package == GENXWORD else []
            command: list[str | Path] = [python, "-m", "pip", "install", "--quiet", *alone, package]
            subprocess.run(command, check=True)
        return python

    def _ask(self, command: Sequence[Any], question: Any) -> list[Any]:
        given = json.dumps(question)
        done = subprocess.run(command, input=given, capture_output=True, text=True, check=True)
        # Some peers print other lines before the answer.
        answer: list[Any] = json.loads(done.stdout.splitlines()[-1])
        return answer
