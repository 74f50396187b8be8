"""What teachers paste is what children play: 25 words in each of 26 languages, by every kind.

    python -m benchmarks.everyday [--languages hr de …] [--seed 1]

For each file of tests/data/everyday, as a schoolbook writes them (articles, brackets, notes,
alternatives): a teacher pastes the words into the page of a new list and keeps what is suggested;
a puzzle of each kind is created by the worker; a student plays it to the end in Chromium with key
events; it is printed, and every word is spoken offline. Prints a line for each language: words
placed, found by the student, wrong answers recorded, files that could be made, words spoken; then
every word that was left out, with the reason.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.play_page import PATIENCE, served, use_data_of

LISTS = Path(__file__).parents[1] / "tests" / "data" / "everyday"
KINDS: dict[str, dict[str, Any]] = {
    "word-search": {"words": 25},
    "finder": {"words": 25, "rows": 18, "cols": 16},
    "crossword": {"words": 25, "seconds": 2},
}
PRINTED = ("pdf", "svg", "png")
SHORT = {"word-search": "search", "finder": "finder", "crossword": "crossword"}


@dataclass
class Result:
    """What became of one language's words."""

    language: str
    words: int = 0
    placed: dict[str, int] = field(default_factory=dict)
    found: dict[str, int] = field(default_factory=dict)
    wrong: dict[str, int] = field(default_factory=dict)
    left_out: list[str] = field(default_factory=list)
    printed: dict[str, list[str]] = field(default_factory=dict)
    spoken: int = 0
    troubles: list[str] = field(default_factory=list)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    known = sorted(path.stem for path in LISTS.glob("*.txt"))
    parser.add_argument("--languages", nargs="+", default=known, choices=known)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        use_data_of(folder)
        with served() as site:
            results = list(_played(site, options.languages, options.seed))
    _print(results)


def _played(site: str, languages: list[str], seed: int) -> Iterator[Result]:
    import django

    django.setup()
    from playwright.sync_api import sync_playwright

    from osmosmjerka.accounts.models import Classroom, User
    from tests.services import find_chromium

    teacher, student = User.objects.get(username="ana"), User.objects.get(username="luka")
    classroom = Classroom.objects.filter(memberships__user=student).first()
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=find_chromium())
        for language in languages:
            result = Result(language)
            began = time.monotonic()
            vocabulary_list = _pasted(browser, site, teacher, language)
            result.words = vocabulary_list.entries.count()
            for kind, settings in KINDS.items():
                _play(
                    browser, site, result, vocabulary_list, kind, settings, teacher, student,
                    classroom, seed,
                )  # fmt: skip
            _speak(result, vocabulary_list)
            print(f"… {language}: {time.monotonic() - began:.0f} s", flush=True)
            yield result
        browser.close()


def page_of(browser: Any, site: str, person: Any) -> Any:
    """Return a page on which somebody is logged in."""
    from django.conf import settings
    from django.test import Client

    client = Client()
    client.force_login(person)
    name = settings.SESSION_COOKIE_NAME
    context = browser.new_context(base_url=site, viewport={"width": 1440, "height": 900})
    context.add_cookies([{"name": name, "value": client.cookies[name].value, "url": site}])
    return context.new_page()


def _pasted(browser: Any, site: str, teacher: Any, language: str) -> Any:
    """Paste the words into the page of a new list; return the list."""
    from vocab.models import VocabularyList

    page = page_of(browser, site, teacher)
    page.goto("/lists/new/")
    page.fill("#id_title", f"Everyday {language}")
    page.select_option("#id_language", language)
    page.select_option("#id_translation_language", "en")
    page.fill("#id_lines", (LISTS / f"{language}.txt").read_text(encoding="utf-8"))
    page.wait_for_selector("#preview caption")
    page.wait_for_load_state("networkidle")
    page.click("form:has(#id_lines) button[type=submit]")
    page.wait_for_url("**/lists/*/")
    made = VocabularyList.objects.get(pk=int(page.url.rstrip("/").rsplit("/", 1)[1]))
    page.context.close()
    return made


def _play(
    browser: Any,
    site: str,
    result: Result,
    vocabulary_list: Any,
    kind: str,
    settings: dict[str, Any],
    teacher: Any,
    student: Any,
    classroom: Any,
    seed: int,
) -> None:
    """Create, play and print a puzzle of one kind."""
    from puzzles.assignments import services as assignments
    from puzzles.exports import ExportError
    from puzzles.making.downloads import write_puzzle
    from puzzles.models import Move, Puzzle
    from vocab.sentences import said

    puzzle = assignments.give(
        vocabulary_list=vocabulary_list,
        kind=kind,
        created_by=teacher,
        classrooms=[classroom],
        settings=settings,
        seed=seed,
        entries=list(vocabulary_list.entries.values_list("pk", flat=True)),
    )
    ends = time.monotonic() + PATIENCE
    while puzzle.state == Puzzle.State.QUEUED and time.monotonic() < ends:
        time.sleep(0.2)
        puzzle.refresh_from_db()
    placements = list(puzzle.placements.all())
    result.placed[kind] = len(placements)
    if puzzle.state != Puzzle.State.READY:
        result.troubles.append(f"{kind}: {said(puzzle.reason)}")
        return
    told = {one["word"]: said(one["reason"]) for one in puzzle.unplaced}
    placed = {placement.entry_id for placement in placements}
    for entry in vocabulary_list.entries.exclude(pk__in=placed):
        reason = told.get(entry.term) or told.get(entry.played) or "not drawn"
        result.left_out.append(f"{SHORT[kind]}: {entry.played} ({reason})")
    page = page_of(browser, site, student)
    page.goto(f"/play/{puzzle.code}/")
    page.locator("[data-grid]").wait_for()
    try:
        HANDS[kind](page, placements)
        page.locator("dialog.summary").wait_for(timeout=15_000)
    except Exception as error:  # told in the table
        result.troubles.append(f"{kind}: {str(error).splitlines()[0]}")
    page.context.close()
    moves = Move.objects.filter(session__puzzle=puzzle)
    result.found[kind] = moves.filter(outcome=Move.Outcome.FOUND).count()
    result.wrong[kind] = moves.filter(outcome=Move.Outcome.WRONG).count()
    for name in PRINTED:
        try:
            write_puzzle(puzzle, name)
        except ExportError as error:
            result.troubles.append(f"{kind} as {name}: {said(error.sentence)}")
        else:
            result.printed.setdefault(kind, []).append(name)


def _speak(result: Result, vocabulary_list: Any) -> None:
    """Speak every word offline."""
    from vocab.sounds import playback, voices
    from vocab.speech.engine import SpeechError

    for entry in vocabulary_list.entries.all():
        try:
            playback.sound_of(voices.said_of(entry), vocabulary_list, entry_id=entry.pk)
        except SpeechError as error:
            result.troubles.append(f"not spoken: {entry.played} ({error.message})")
        else:
            result.spoken += 1


def _select(page: Any, placement: Any) -> None:
    """Mark a word by keys: go to its first letter, Enter, go to its last, Enter."""
    from tests.browser.playing import select_with_keys

    is_rtl = page.locator("[data-grid]").evaluate("(grid) => getComputedStyle(grid).direction")
    select_with_keys(page, [tuple(cell) for cell in placement.cells], rtl=is_rtl == "rtl")


def _word_search(page: Any, placements: list[Any]) -> None:
    for placement in placements:
        _select(page, placement)


def _finder(page: Any, placements: list[Any]) -> None:
    for placement in placements:
        page.locator(f"[data-item='{placement.slot}']").first.focus()
        page.keyboard.press("Enter")
        _select(page, placement)


def _crossword(page: Any, placements: list[Any]) -> None:
    """Type each word as its language is typed, one key after the other."""
    device = page.context.new_cdp_session(page)
    for number, placement in enumerate(placements, start=1):
        page.locator(f".clue[data-item='{placement.slot}'] .clue-choose").click()
        for letter in placement.played.lower():
            key = {"key": letter, "text": letter, "unmodifiedText": letter}
            device.send("Input.dispatchKeyEvent", {"type": "keyDown", **key})
            device.send("Input.dispatchKeyEvent", {"type": "keyUp", **key})
        page.keyboard.press("Enter")  # the word is complete
        page.wait_for_function(
            "(found) => parseInt(document.querySelector('.progress-label').textContent"
            ".match(/\\d+/)) >= found || document.querySelector('dialog.summary[open]')",
            arg=number,
            timeout=10_000,
        )


HANDS = {"word-search": _word_search, "finder": _finder, "crossword": _crossword}


def _print(results: list[Result]) -> None:
    def row(*cells: object) -> None:
        print(f"{cells[0]!s:<5}" + "".join(f"{cell!s:<24}" for cell in cells[1:]))

    row("", *(f"{kind}: placed/found/wrong" for kind in SHORT.values()), "printed", "spoken")
    for result in results:
        games = (
            f"{result.placed.get(kind, 0)} / {result.found.get(kind, 0)} / "
            f"{result.wrong.get(kind, 0)}"
            for kind in KINDS
        )
        files = " ".join(
            name for name in PRINTED if all(name in result.printed.get(kind, ()) for kind in KINDS)
        )
        row(result.language, *games, files, f"{result.spoken} of {result.words}")
    print()
    for result in results:
        for line in (*result.left_out, *result.troubles):
            print(f"{result.language}: {line}")


if __name__ == "__main__":
    main()
