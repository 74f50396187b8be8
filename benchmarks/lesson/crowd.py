"""The benchmark's side of the process of the players, and what their records say."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from benchmarks.lesson.players import Sent
from benchmarks.lesson.servers import BASE


class Players:
    """The process of the players, to which commands are sent."""

    def __init__(self, roll: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.lesson.players", str(roll)],
            cwd=BASE,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    @property
    def pid(self) -> int:
        return self._process.pid

    def __enter__(self) -> Players:
        return self

    def __exit__(
        self,
        _type: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self._process.kill()
        self._process.wait()

    def __call__(self, command: str, **arguments: Any) -> Any:
        """Have the players do something; return what they recorded."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"do": command} | arguments) + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        if not answer:
            raise SystemExit("The players stopped; see above.")
        return json.loads(answer)


def percentile(values: Iterable[float], share: float) -> float:
    """Return the smallest value that is at least as large as *share* of them; 0 of none."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


def of_kind(sent: Sequence[Sent], *what: str) -> list[Sent]:
    return [one for one in sent if one[0] in what]


def p95(sent: Sequence[Sent]) -> float:
    """Return the milliseconds within which 95 of 100 were answered; no answer counts as slow."""
    return 1000 * percentile((one[2] for one in sent), 0.95)


def statuses(sent: Sequence[Sent]) -> dict[str, int]:
    """Count the responses by status, and the reasons why there was none."""
    return dict(Counter(str(one[3]) for one in sent).most_common())


def failed(sent: Sequence[Sent]) -> int:
    """Count what neither succeeded nor was redirected."""
    return sum(one[3] not in (200, 201, 202, 204, 302) for one in sent)
