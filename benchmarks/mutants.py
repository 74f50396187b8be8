"""Mutation testing: how many small mistakes in the most important modules the daily tests find.

    python -m benchmarks.mutants [part of a module's name …] [--sample 60] [--seconds 20]

Prints for each module how many mutants the tests killed and every survivor, which is either
harmless or a missing test. Tests that start processes cannot notice a mutant, which lives in this
process alone.

One process imports everything and runs the module's tests once, noting which lines each runs. Then
it forks for each mutant; the child changes the functions in place, and runs the tests of the
changed line, those that killed a neighbour first, until one fails. Each child has its own copy of
the database. (mutmut leaves out decorated functions and tables outside of functions, and so most
of our rules; cosmic-ray starts a new process for each mutant, ten seconds here.)
"""

from __future__ import annotations

import argparse
import importlib
import inspect
import os
import random
import shutil
import signal
import sys
import time
import types
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import coverage
import pytest

from benchmarks.mutate import Mutant, mutants

ROOT = Path(__file__).resolve().parents[1]
_PLAY = "tests/puzzles/play/"
_PRIVACY = "tests/accounts/privacy/"
_PRACTICE = "tests/puzzles/practice/"
_ACCESS = (
    "tests/accounts/test_access.py",
    "tests/accounts/test_permissions.py",
    "tests/accounts/schools/test_rights_that_were_lost.py",
)
_IMPORTS = ("tests/vocab/imports/", "tests/vocab/lists/")
_BIN = "tests/accounts/bin/"
_JUDGES = {"judge", "skills", "traced_cells", "cells_of", "echoes_of", "placement_in", "_reads"}
_PLAYING = {
    "record_move", "_record_move", "judge", "_outcome_of", "_record", "_kept", "take_hint",
    "hint_in", "_cells_to_show", "finish_session", "was_text_shown", "was_heard", "hold_back",
    "_remember", "same_answer", "_same_hint", "_hint", "_count_solved", "",
}  # fmt: skip
# module: the tests that concern it, and which functions are mutated if not all are.
MODULES: dict[str, tuple[Sequence[str], set[str] | None]] = {
    "osmosmjerka.accounts.access": (_ACCESS, None),
    "vocab.access": ((*_ACCESS, "tests/vocab/lists/test_sharing.py"), None),
    "puzzles.access": (
        (*_ACCESS, "tests/puzzles/assignments/", _PRACTICE, "tests/puzzles/test_withheld.py"),
        None,
    ),
    "puzzles.withheld": (("tests/puzzles/test_withheld.py", _PRACTICE), None),
    "puzzles.play.visibility": ((_PLAY,), None),
    "puzzles.play.attempts": ((f"{_PLAY}test_attempts.py", "tests/puzzles/assignments/"), None),
    "puzzles.play.services": ((_PLAY,), _PLAYING),
    "puzzles.kinds.base": ((_PLAY,), _JUDGES),
    "puzzles.kinds.crossword": ((_PLAY,), _JUDGES),
    "puzzles.kinds.finder": ((_PLAY,), _JUDGES),
    "puzzles.kinds.word_search": ((_PLAY,), _JUDGES),
    "vocab.text.comparison": (("tests/vocab/text/", _PLAY), {"compare"}),
    "vocab.speech.homophones": ((_PLAY, "tests/vocab/speech/test_espeak.py"), None),
    "osmosmjerka.accounts.privacy.services": (
        (_PRIVACY, "tests/puzzles/test_withheld.py", "tests/accounts/classrooms/", _BIN),
        None,
    ),
    "osmosmjerka.accounts.privacy.retention": ((_PRIVACY,), None),
    "osmosmjerka.accounts.bin.services": ((_BIN,), None),
    "vocab.purge": (("tests/vocab/test_purge.py", _BIN), None),
    "vocab.entries.bulk": (("tests/vocab/entries/", _BIN), None),
    "vocab.memory.reviews": (("tests/vocab/memory/", _PLAY, _PRACTICE), None),
    "vocab.memory.scheduling": (("tests/vocab/memory/",), None),
    "vocab.memory.card": (("tests/vocab/memory/",), None),
    "osmosmjerka.jobs.ledger": (("tests/jobs/",), None),
    "osmosmjerka.jobs.runs": (("tests/jobs/",), None),
    "osmosmjerka.jobs.sweeper": (("tests/jobs/",), None),
    "vocab.imports.services": (_IMPORTS, None),
    "vocab.rows.plan": (_IMPORTS, None),
    "vocab.rows.write": (_IMPORTS, None),
    "osmosmjerka.backups.archive": (("tests/backups/",), None),
    "osmosmjerka.backups.services": (("tests/backups/",), None),
}
# Functions that run when Django starts: with a mistake in one, the apps are registered again.
_AT_START = {"declare_own", "declare", "hold_back", "on_merge", "before_erasure", "register"}
# What a child says of a mutant that cannot even be imported.
_BROKEN = "broken"


@dataclass(slots=True)
class Result:
    """What became of a module's mutants."""

    module: str
    total: int = 0
    survivors: list[tuple[Mutant, bool]] = field(default_factory=list)

    @property
    def rate(self) -> float:
        return 1 - len(self.survivors) / self.total if self.total else 1.0


class Changed:
    """A module of this process, changed in place: others hold references to its functions."""

    def __init__(self, name: str) -> None:
        self.module = importlib.import_module(name)
        self.path = Path(str(self.module.__file__))
        self.source = self.path.read_text(encoding="utf-8")

    def apply(self, mutant: Mutant) -> None:
        """Give the module the mutant's functions, and the values that its statement assigns."""
        changed: dict[str, Any] = {"__name__": self.module.__name__, "__file__": str(self.path)}
        # The mutants are made from this repository's own source.
        exec(compile(mutant.source, str(self.path), "exec"), changed)  # noqa: S102
        if mutant.is_decorator:
            function = vars(self.module)[mutant.scope]
            self.replace(function, inspect.unwrap(function))
            return
        for new, old in self.functions(changed, vars(self.module)):
            old.__code__ = new.__code__
            old.__kwdefaults__ = new.__kwdefaults__
            old.__defaults__ = new.__defaults__
        for value in vars(self.module).values():
            if hasattr(value, "cache_clear"):
                value.cache_clear()  # else it answers as without the mistake
        for name in mutant.names:
            if mutant.scope:
                setattr(vars(self.module)[mutant.scope], name, vars(changed[mutant.scope])[name])
            else:
                self.replace(vars(self.module)[name], changed[name], name)

        if mutant.scope in _AT_START:
            start_again()

    def functions(
        self, changed: dict[str, Any], real: Any
    ) -> Iterator[tuple[types.FunctionType, types.FunctionType]]:
        """Yield each function and method of the changed module, and the one to replace."""
        for name, new in changed.items():
            old = real.get(name)
            if getattr(new, "__module__", None) != self.module.__name__ or old is None:
                continue
            if isinstance(new, type):
                yield from self.functions(dict(vars(new)), vars(old))
            elif isinstance(new, property):
                continue
            elif callable(new):
                new, old = inspect.unwrap(new), inspect.unwrap(old)
                if isinstance(new, types.FunctionType) and isinstance(old, types.FunctionType):
                    yield new, old
        for name, new in changed.items():
            if isinstance(new, property) and isinstance(real.get(name), property):
                yield new.fget, real[name].fget  # type: ignore[misc]

    def replace(self, old: Any, new: Any, only: str | None = None) -> None:
        """Replace *old* wherever a module imported it; *only* of this name, for plain values."""
        for module in list(sys.modules.values()):
            for name, value in list(getattr(module, "__dict__", {}).items()):
                if value is old and only in {None, name}:
                    setattr(module, name, new)


def start_again() -> None:
    """Let the apps declare and register again what they do when Django starts."""
    from django.apps import apps

    from osmosmjerka.accounts.bin import services as bin
    from osmosmjerka.accounts.privacy import services as privacy

    for registry in (privacy._declared, privacy._held_back, bin._sections):
        registry.clear()
    for functions in (privacy._mergers, privacy._before_erasure):
        functions.clear()
    for label in ("accounts", "vocab", "puzzles"):
        apps.get_app_config(label).ready()


class Tester:
    """A pytest plugin that replaces the loop over tests by one over mutants."""

    def __init__(self, names: Sequence[str], seconds: float, sample: int, seed: int) -> None:
        self.names, self.seconds = names, seconds
        self.sample, self.seed = sample, seed
        self.results: list[Result] = []
        self.durations: dict[str, float] = {}
        self.failed = False
        self.kills: dict[str, Counter[str]] = defaultdict(Counter)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.failed |= report.failed

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        chosen = {name: Changed(name) for name in self.names}
        context = self.baseline(session, [changed.path for changed in chosen.values()])
        made = self.drawn(chosen)
        with Databases() as databases:
            for changed in chosen.values():
                mine = [mutant for module, mutant in made if module is changed]
                self.results.append(self.of_module(session, changed, mine, context, databases))
                told = "\n".join(survivors(self.results[-1], changed.source))
                print(f"\n{told}", file=sys.__stdout__)
                print(table(self.results[-1:], heading=False), file=sys.__stdout__, flush=True)
        return True

    def drawn(self, chosen: dict[str, Changed]) -> list[tuple[Changed, Mutant]]:
        """Return all mutants of the modules, or a sample that is the same for a seed."""
        made = [
            (changed, mutant)
            for name, changed in chosen.items()
            for mutant in mutants(changed.source, MODULES[name][1])
        ]
        if not self.sample:
            return made
        return random.Random(self.seed).sample(made, min(self.sample, len(made)))

    def baseline(
        self, session: pytest.Session, paths: Sequence[Path]
    ) -> Callable[[Path], dict[int, list[str]]]:
        """Run all tests without a change; return which tests run each line of a file."""
        measured = coverage.Coverage(
            data_file=None, include=[str(path) for path in paths], config_file=False
        )
        bad = []
        measured.start()
        for item in session.items:
            measured.switch_context(item.nodeid)
            started, self.failed = time.perf_counter(), False
            self.run(session, item)
            self.durations[item.nodeid] = time.perf_counter() - started
            if self.failed:
                bad.append(item)
        measured.stop()
        seconds = sum(self.durations.values())
        print(f"\n{len(self.durations)} tests, {seconds:.0f} s", file=sys.__stdout__, flush=True)
        for item in bad:
            print(f"left out, fails without any change: {item.nodeid}", file=sys.__stdout__)
            session.items.remove(item)
        data = measured.get_data()
        return lambda path: data.contexts_by_lineno(str(path))

    def of_module(
        self,
        session: pytest.Session,
        changed: Changed,
        made: Sequence[Mutant],
        context: Callable[[Path], dict[int, list[str]]],
        databases: Databases,
    ) -> Result:
        name = changed.module.__name__
        folders, _functions = MODULES[name]
        items = {
            item.nodeid: item for item in session.items if item.nodeid.startswith(tuple(folders))
        }
        by_line = context(changed.path)
        result = Result(name)
        for mutant in made:
            ran = {test for line in mutant.lines for test in by_line.get(line, ())}
            if not mutant.scope or mutant.names or mutant.scope in _AT_START:
                # A table or a registry, which any function may read.
                ran = {test for tests in by_line.values() for test in tests}
            tests = [items[test] for test in self.ordered(ran & set(items), mutant.scope)]
            killer = self.try_out(session, changed, mutant, tests, databases)
            if killer == _BROKEN:
                continue
            result.total += 1
            if killer is None:
                result.survivors.append((mutant, bool(tests)))
            elif killer:
                self.kills[mutant.scope][killer] += 1
        return result

    def ordered(self, tests: set[str], scope: str) -> list[str]:
        """Return tests that killed most in the same function first, then the quick ones.

        What takes longer than the limit of seconds altogether is left out.
        """
        kills, left = self.kills[scope], self.seconds
        found: list[str] = []
        for test in sorted(tests, key=lambda each: (-kills[each], self.durations[each])):
            left -= self.durations[test]
            if left < 0 and found:
                break
            found.append(test)
        return found

    def try_out(
        self,
        session: pytest.Session,
        changed: Changed,
        mutant: Mutant,
        tests: Sequence[pytest.Item],
        databases: Databases,
    ) -> str | None:
        """Return the test that kills the mutant, "" if something else does, None if nothing."""
        if not tests:
            return None
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            os.setpgid(0, 0)
            quiet = os.open(os.devnull, os.O_WRONLY)
            os.dup2(quiet, 1)
            os.dup2(quiet, 2)
            killed_by = _BROKEN
            try:
                databases.reset()
                changed.apply(mutant)
                killed_by = self.first_to_fail(session, tests)
            finally:
                os.write(writer, killed_by.encode())
                os._exit(0)
        os.close(writer)
        limit = 20 + 5 * sum(self.durations[test.nodeid] for test in tests)
        killer = _told_within(reader, limit)
        os.close(reader)
        if killer is None:
            os.killpg(child, signal.SIGKILL)  # in a loop without an end
        os.waitpid(child, 0)
        if killer is None:
            return ""
        return None if killer == "" else killer

    def first_to_fail(self, session: pytest.Session, tests: Sequence[pytest.Item]) -> str:
        session.config.pluginmanager.unregister(name="terminalreporter")
        self.failed = False
        for item in tests:
            self.run(session, item)
            if self.failed:
                return item.nodeid
        return ""

    def run(self, session: pytest.Session, item: pytest.Item) -> None:
        """Run one test and tear down everything except what the whole session shares."""
        nextitem: Any = session
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=nextitem)


class Databases:
    """A copy of the empty database of tests, of which each mutant gets a fresh one."""

    def __enter__(self) -> Databases:
        from django.db import connection, connections

        connections.close_all()
        self.path = Path(str(connection.settings_dict["NAME"]))
        self.copy = self.path.with_suffix(".empty")
        shutil.copyfile(self.path, self.copy)
        return self

    def reset(self) -> None:
        for suffix in ("-wal", "-shm"):
            self.path.with_name(self.path.name + suffix).unlink(missing_ok=True)
        shutil.copyfile(self.copy, self.path)

    def __exit__(self, *_error: object) -> None:
        self.reset()
        self.copy.unlink()


def _told_within(reader: int, seconds: float) -> str | None:
    """Return what a child wrote, or None if it said nothing in time."""
    import select

    ready, _writable, _broken = select.select([reader], [], [], seconds)
    return os.read(reader, 4096).decode() if ready else None


def table(results: Sequence[Result], *, heading: bool = True) -> str:
    """Return how many mutants of each module were killed, as a table."""
    lines = [f"{'module':42} mutants  killed  survived"] if heading else []
    for result in results:
        survived = len(result.survivors)
        killed = result.total - survived
        lines.append(
            f"{result.module:42} {result.total:7} {killed:7} {survived:9}  {result.rate:5.1%}"
        )
    return "\n".join(lines)


def survivors(result: Result, original: str) -> Iterator[str]:
    """Yield a text for each survivor: where it is, what was changed, and the changed lines."""
    for mutant, was_run in result.survivors:
        note = "" if was_run else ", which no test runs"
        where = f"{result.module}:{mutant.line} {mutant.scope}"
        yield f"{where}: {mutant.what}{note}\n{mutant.diff(original)}\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("modules", nargs="*", help="parts of names; default: all modules")
    parser.add_argument("--seconds", type=float, default=20, help="of tests for one mutant")
    parser.add_argument("--tests", nargs="*", default=[], help="more tests, for every module")
    parser.add_argument("--sample", type=int, default=0, help="so many mutants; default: all")
    parser.add_argument("--seed", type=int, default=1, help="of the sample")
    chosen = parser.parse_args()
    names = [
        name
        for name in MODULES
        if not chosen.modules or any(part in name for part in chosen.modules)
    ]
    for name in names:
        tests, functions = MODULES[name]
        MODULES[name] = ((*tests, *chosen.tests), functions)
    files = sorted({file for name in names for file in MODULES[name][0]})
    tester = Tester(names, chosen.seconds, chosen.sample, chosen.seed)
    pytest.main(
        [
            "-qq",
            "-n0",
            "--tb=no",
            "-p",
            "no:randomly",
            "-p",
            "no:cacheprovider",
            "--no-header",
            *files,
        ],
        plugins=[tester],
    )
    print(table(tester.results))
    total = Result("all", sum(each.total for each in tester.results))
    total.survivors = [one for each in tester.results for one in each.survivors]
    print(table([total], heading=False))


if __name__ == "__main__":
    os.chdir(ROOT)
    main()
