"""Send the API made-up requests, right and wrong ones, and compare it with its description.

    pip install -r requirements-dev.txt schemathesis==4.32.5
    python -m benchmarks.api_fuzz [--cases 20000] [--roles teacher …] [--seed 1] [--keep FOLDER]

Schemathesis is no dependency: as a plugin of pytest it would be loaded by every run of the tests.

Serves a temporary site (`manage.py serve`, SQLite) with the demo school and more of everything, and
lets schemathesis read /api/schema/ and ask, with all its checks, as a teacher, a student, a school
admin, a site admin and a stranger: values at the limits of the description (coverage), random
values (fuzzing), and requests that go on with what others returned (stateful). Each role is asked
in rounds, each with a fresh copy of the site and another seed, until it had its share of the cases;
in every other one, each operation asks for one thing that exists. Prints what was found; exits with
status 1 if anything was.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PORT = 8767
URL = f"http://127.0.0.1:{PORT}"
DESCRIPTION = f"{URL}/api/schema/?format=json"
PASSWORD = "puzzles-are-fun"  # noqa: S105  (of the temporary school)
ROLES = {
    "teacher": "ana",
    "student": "luka",
    "school-admin": "ravnateljica",
    "site-admin": "admin",
    "stranger": "",
}
# What is said of a finding: the check of schemathesis that found it, or "other".
KINDS = {
    "not_a_server_error": "server errors",
    "status_code_conformance": "undocumented",
    "content_type_conformance": "schema",
    "response_schema_conformance": "schema",
    "response_headers_conformance": "schema",
}
COLUMNS = ["server errors", "undocumented", "schema", "other"]


# The site -------------------------------------------------------------------------------------


def environment(folder: Path) -> dict[str, str]:
    return {
        **os.environ,
        "OSMOSMJERKA_DATA_DIR": str(folder),
        "DJANGO_SETTINGS_MODULE": "osmosmjerka.settings",
        "DATABASE_URL": f"sqlite:///{folder / 'db.sqlite3'}",
        "OSMOSMJERKA_API_RATE": "1000000000",
        "OSMOSMJERKA_GTTS": "false",
        "DEBUG": "false",
        "LOG_LEVEL": "ERROR",
    }


def prepare() -> None:
    """Fill the site of this process' environment; write what is where into the folder."""
    import django

    django.setup()
    from django.conf import settings
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    from benchmarks import api_fuzz_site

    known = api_fuzz_site.fill(PASSWORD)
    (settings.DATA_DIR / "known.json").write_text(json.dumps(known), encoding="utf-8")


@contextmanager
def served(folder: Path) -> Iterator[None]:
    """Serve the site in a folder while the block runs."""
    command = [sys.executable, "manage.py", "serve", "--port", str(PORT)]
    with (folder / "serve.log").open("wb") as log:
        server = subprocess.Popen(
            command, cwd=ROOT, env=environment(folder), stdout=log, stderr=log
        )
    try:
        for _try in range(600):
            with suppress(OSError), urllib.request.urlopen(f"{URL}/healthz"):  # noqa: S310
                break
            if server.poll() is not None:
                raise SystemExit((folder / "serve.log").read_text())
            time.sleep(0.1)
        yield
    finally:
        server.terminate()
        with suppress(subprocess.TimeoutExpired):
            server.wait(20)
        server.kill()
        server.wait()


# Schemathesis -----------------------------------------------------------------------------------


# Which of the values of known.json a parameter of a path takes, by the first part of the path.
PATHS = {
    "lists": {"id": "list", "edit_pk": "edit", "kind": "export", "teacher": "teacher"},
    "entries": {"id": "entry", "speed": "speed"},
    "classes": {
        "id": "class",
        "teacher": "teacher",
        "student": "student",
        "roster_pk": "roster",
        "invitation": "class invitation",
    },
    "schools": {"id": "school", "teacher": "teacher", "invitation": "school invitation"},
    "students": {"id": "student"},
    "assignments": {"id": "assignment"},
    "bin": {"drawer": "drawer", "id": "binned"},
    "imports": {"id": "import"},
    "play": {"code": "puzzle", "slot": "slot"},
    "puzzles": {"code": "puzzle", "format_name": "format"},
    "review": {"id": "entry"},
    "searches": {"code": "search"},
    "worksheets": {"id": "worksheet set", "which": "which"},
}
BODIES = {
    "vocabulary_list": "list",
    "target": "list",
    "classroom": "class",
    "classrooms[*]": "class",
    "entries[*]": "entry",
    "item": "slot",
    "student": "student",
    "students[*]": "student",
    "username": "username",
    "password": "password",
}


def settings_of(
    known: dict[str, list[Any]], paths: dict[str, dict[str, Any]], *, is_pinned: bool
) -> str:
    """Return the settings of schemathesis, which tell it what exists.

    If *is_pinned*, each operation asks for one thing that exists, so that all its values are judged
    beside that; otherwise for any, and for some that do not exist.
    """
    lines = ["[parameters]", *_any_of({f"body.{name}": of for name, of in BODIES.items()})]
    for name, values in known.items():
        lines += [f"[dictionaries.{json.dumps(name)}]", f"values = {json.dumps(values)}"]
    number = 0  # so that who deletes one does not take it from all others
    for path, methods in paths.items():
        of_path = PATHS.get(path.split("/")[2], {})
        taken = {f"path.{name}": of for name, of in of_path.items() if f"{{{name}}}" in path}
        for method in methods if taken else ():
            number += 1
            lines += ["[[operations]]", f'include-name = "{method.upper()} {path}"']
            lines += ["[operations.parameters]"]
            if is_pinned:
                lines += [
                    f"{json.dumps(name)} = {json.dumps(known[of][number % len(known[of])])}"
                    for name, of in taken.items()
                ]
            else:
                lines += _any_of(taken)
    return "\n".join(lines)


def _any_of(parameters: dict[str, str]) -> list[str]:
    return [
        f"{json.dumps(name)} = {{ dictionary = {json.dumps(of)}, probability = 0.8 }}"
        for name, of in parameters.items()
    ]


@dataclass
class Found:
    """What a role was asked, and what was wrong with the answers."""

    cases: int = 0
    described: set[str] = field(default_factory=set)
    operations: set[str] = field(default_factory=set)
    statuses: Counter[str] = field(default_factory=Counter)
    failures: dict[tuple[str, str, str], str] = field(default_factory=dict)

    def counted(self) -> dict[str, int]:
        kinds = Counter(KINDS.get(check, "other") for check, *_about in self.failures)
        return {column: kinds[column] for column in COLUMNS}


def ask(role: str, seed: int, folder: Path, options: argparse.Namespace, found: Found) -> None:
    """Let schemathesis ask as a role for a round."""
    known = json.loads((folder / "known.json").read_text(encoding="utf-8"))
    config, report = folder / "schemathesis.toml", folder / "report.ndjson"
    with urllib.request.urlopen(DESCRIPTION) as described:  # noqa: S310
        paths = json.load(described)["paths"]
    found.described = {
        f"{method.upper()} {path}" for path, methods in paths.items() for method in methods
    }
    is_pinned = options.pin == "all" or (options.pin == "half" and seed % 2 == options.seed % 2)
    config.write_text(settings_of(known, paths, is_pinned=is_pinned), encoding="utf-8")
    command = [
        sys.executable, "-m", "schemathesis.cli", "--config-file", str(config),
        "run", DESCRIPTION, "--checks", "all", "--phases", options.phases,
        "--max-examples", str(options.examples), "--seed", str(seed), "--continue-on-failure",
        "--no-shrink", "--suppress-health-check", "all", "--generation-database", "none",
        "--request-timeout", "60", "--report", "ndjson", "--report-ndjson-path", str(report),
        "--warnings", "off", "--no-color", *options.more,
    ]  # fmt: skip
    more = {
        "SCHEMATHESIS_HOOKS": "benchmarks.api_fuzz_hooks", "FUZZ_USERNAME": ROLES[role],
        "FUZZ_PINNED": "1" if is_pinned else "",
        "PYTHONPATH": str(ROOT),
    }  # fmt: skip
    with (folder / "schemathesis.log").open("wb") as log:
        done = subprocess.run(
            command, cwd=folder, env=environment(folder) | more, stdout=log, stderr=log, check=False
        )
    if done.returncode not in (0, 1) or not report.is_file():
        raise SystemExit((folder / "schemathesis.log").read_text())
    read(report, found)


def read(report: Path, found: Found) -> None:
    """Add to *found* what schemathesis reports of a round."""
    with report.open(encoding="utf-8") as lines:
        for line in lines:
            for kind, event in json.loads(line).items():
                if kind == "ScenarioFinished":
                    _read_scenario(event["recorder"], found)
                elif kind in {"NonFatalError", "FatalError"}:
                    about = (kind, str(event.get("label", "")), str(event.get("value", ""))[:200])
                    found.failures.setdefault(about, json.dumps(event)[:2000])


def _read_scenario(recorder: dict[str, Any], found: Found) -> None:
    for case_id, asked in recorder.get("interactions", {}).items():
        found.cases += 1
        response = asked["response"]
        found.statuses[str(response["status_code"]) if response else "no answer"] += 1
        case = recorder.get("cases", {}).get(case_id)
        if case:
            found.operations.add(f"{case['value']['method']} {case['value']['path']}")
    for case_id, checks in recorder.get("checks", {}).items():
        for check in checks:
            if check["status"] != "failure":
                continue
            failure = check["failure_info"]["failure"]
            about = (check["name"], failure["operation"], _short(failure))
            asked = recorder["interactions"].get(case_id, {})
            found.failures.setdefault(
                about, json.dumps({"failure": failure, "asked": asked}, ensure_ascii=False)
            )


def _short(failure: dict[str, Any]) -> str:
    return " ".join(str(failure.get("message", "")).split())[:160]


# All together -----------------------------------------------------------------------------------


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=20_000, help="in all, at least")
    parser.add_argument("--roles", nargs="*", default=list(ROLES), choices=list(ROLES))
    parser.add_argument("--phases", default="examples,coverage,fuzzing,stateful")
    parser.add_argument("--examples", type=int, default=20, help="random ones, per operation")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="a folder for all that was asked and found")
    parser.add_argument(
        "--pin", default="half", choices=["all", "half", "none"],
        help="the rounds in which each operation asks for one thing that exists",
    )  # fmt: skip
    parser.add_argument("--site", type=Path, help="a folder for the site, to use it again")
    parser.add_argument("--prepare", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("more", nargs="*", help="for schemathesis, after --")
    options = parser.parse_args()
    if options.prepare:
        return prepare()
    if not find_spec("schemathesis"):
        raise SystemExit("Schemathesis is missing; see the command at the top of this file.")
    with tempfile.TemporaryDirectory() as name:
        made = options.site or Path(name, "made")
        if not (made / "known.json").is_file():
            made.mkdir(exist_ok=True)
            command = [sys.executable, "-m", "benchmarks.api_fuzz", "--prepare"]
            subprocess.run(command, cwd=ROOT, env=environment(made), check=True)
        results = {role: rounds(role, made, Path(name), options) for role in options.roles}
    show(results)
    if any(result.failures for result in results.values()):
        sys.exit(1)


def rounds(role: str, made: Path, folder: Path, options: argparse.Namespace) -> Found:
    """Ask as a role until it had its share of the cases, and both kinds of rounds."""
    found, share = Found(), options.cases / len(options.roles)
    for number in count():
        if found.cases >= share and number >= (2 if options.pin == "half" else 1):
            return found
        began, before = time.monotonic(), found.cases
        site = folder / f"{role}-{number}"
        shutil.copytree(made, site)
        try:
            with served(site):
                ask(role, options.seed + number, site, options, found)
        finally:
            if options.keep:
                options.keep.mkdir(parents=True, exist_ok=True)
                for kept in site.glob("*.[ln][od][gj]*"):  # logs and the report
                    shutil.copy(kept, options.keep / f"{site.name}-{kept.name}")
        shutil.rmtree(site)
        print(
            f"{role}, round {number + 1}: {found.cases - before} cases in"
            f" {time.monotonic() - began:.0f} s, {len(found.failures)} findings so far", flush=True,
        )  # fmt: skip
        if found.cases == before:
            raise SystemExit("Nothing was asked.")
    raise AssertionError


def show(results: dict[str, Found]) -> None:
    for role, result in results.items():
        for (check, operation, what), details in sorted(result.failures.items()):
            print(f"{role}: {check}: {operation}: {what}")
            print(f"    {details[:600]}")
    names = ["role", "operations", "cases", *COLUMNS]
    print("  ".join(f"{name:>14}" for name in names))
    for role, result in results.items():
        operations = len(result.operations & result.described)
        values = [role, operations, result.cases, *result.counted().values()]
        print("  ".join(f"{value:>14}" for value in values))
    for role, result in results.items():
        print(f"{role}, by status: {dict(sorted(result.statuses.items()))}")


if __name__ == "__main__":
    main()
