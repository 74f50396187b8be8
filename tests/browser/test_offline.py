"""A begun puzzle goes on without a connection, and a shared tablet keeps nothing of anybody.

The browser reaches the site through a line that can be cut: then connections are refused, as
without network, or dead: then they are accepted, and nothing ever comes. (Playwright's own
`set_offline` does not reach what a service worker fetches.)
"""

from __future__ import annotations

import contextlib
import gzip
import re
import selectors
import socket
import threading

import pytest
from playwright.sync_api import Error, expect

from osmosmjerka import offline
from osmosmjerka.accounts.auth import cards
from osmosmjerka.accounts.classrooms import services as classes
from osmosmjerka.accounts.models import BrowserSession
from puzzles.models import Move
from tests.browser.conftest import PHONE, session_of
from tests.browser.playing import cell, drag_with_mouse
from tests.browser.test_crossword import in_order
from tests.browser.test_progress import has_no_violations
from tests.services import wait_until

KINDS = ("word-search", "finder", "crossword")


class Line:
    """A line to the site: what it carries, and how it fails."""

    def __init__(self, site):
        self._site = ("127.0.0.1", int(site.rsplit(":", 1)[1]))
        self._open = []
        self._is_dead = self._is_deaf = False
        self._held, self._may_pass = "", threading.Semaphore(0)
        self._listener = None
        self.port = 0
        self.mend()

    def mend(self):
        self._is_dead = self._is_deaf = False
        if self._listener is None:
            self._listener = socket.create_server(("127.0.0.1", self.port), reuse_port=False)
            self.port = self._listener.getsockname()[1]
            threading.Thread(target=self._accept, args=(self._listener,), daemon=True).start()
        else:
            self._hang_up()

    def cut(self):
        listener, self._listener = self._listener, None
        if listener is not None:
            with contextlib.suppress(OSError):
                listener.shutdown(socket.SHUT_RDWR)
            listener.close()
        self._hang_up()

    def die(self):
        """Carry nothing any more, without saying so."""
        self._is_dead = True

    def lose_answers(self):
        """Carry what the browser asks, and nothing back."""
        self._is_deaf = True

    def hold(self, path):
        """Carry no answers to what is asked for at a path until they are released one by one."""
        self._held = path

    def release_one(self):
        self._may_pass.release()

    def _hang_up(self):
        for one in self._open:
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
        self._open.clear()

    def _accept(self, listener):
        while True:
            try:
                near, _address = listener.accept()
            except OSError:
                return
            self._open.append(near)
            threading.Thread(target=self._carry, args=(near,), daemon=True).start()

    def _carry(self, near):
        with near, contextlib.suppress(OSError), socket.create_connection(self._site) as far:
            self._open.append(far)
            is_held = False
            with selectors.DefaultSelector() as ready:
                ready.register(near, selectors.EVENT_READ, far)
                ready.register(far, selectors.EVENT_READ, near)
                while True:
                    for key, _events in ready.select():
                        data = key.fileobj.recv(65536)
                        if not data:
                            return
                        is_answer = key.fileobj is far
                        if not is_answer:
                            is_held = self._held and self._held.encode() in data.split(b"\r\n")[0]
                        elif is_held:
                            is_held = False
                            self._may_pass.acquire(timeout=30)
                        if not (self._is_dead or (self._is_deaf and is_answer)):
                            key.data.sendall(data)


@pytest.fixture
def line(served):
    line = Line(served)
    yield line
    line.cut()


@pytest.fixture
def site(line):
    """The address of the site for the pages of these tests: by the line."""
    return f"http://127.0.0.1:{line.port}"


@pytest.fixture
def visit(open_page, site):
    """Return pages of devices on which a service worker may begin."""

    def visit(path="/", person=None, size=PHONE, **options):
        return open_page(
            path,
            person=person,
            size=size,
            is_used_again=False,
            service_workers="allow",
            **options,
        )

    return visit


ENTRIES = """async () => {
    const found = [];
    for (const name of await caches.keys()) {
        for (const request of await (await caches.open(name)).keys()) {
            const { pathname, search } = new URL(request.url);
            found.push([name.split("-")[0], pathname + search]);
        }
    }
    return found;
}"""
WORKER_IS_READY = "async () => { await navigator.serviceWorker.ready; return true; }"


def kept(page):
    """Return the paths that a device keeps for its players."""
    return {path for name, path in page.evaluate(ENTRIES) if name == "player"}


def board(page):
    return page.locator("[data-grid]")


NEEDED = """async (address) => {
    const found = performance.getEntriesByType("resource").map(({ name }) => name);
    const state = await (await caches.match(address))?.json();
    for (const { clue } of state?.items ?? []) found.push(clue.sound, clue.picture);
    return found.filter(Boolean).map((name) => new URL(name, location.origin))
        .map(({ pathname, search }) => pathname + search);
}"""
FILE = re.compile(r"/(static|script-texts)/.*\.[0-9a-f]{12}\.\w+$|/api/play/[^/]+/(sound|picture)/")


def is_kept(page, puzzle):
    """Wait until the device has all that the puzzle needs."""
    play, state = f"/play/{puzzle.code}/", f"/api/play/{puzzle.code}/"
    wait_until(lambda: {play, state} <= kept(page))
    needed = {path for path in page.evaluate(NEEDED, state) if FILE.match(path)}
    wait_until(lambda: needed <= kept(page))
    return needed


def begin(visit, puzzle, student, **options):
    """Open a puzzle for the first time, and leave its device when it is kept."""
    page = visit(f"/play/{puzzle.code}/", student, **options)
    expect(board(page)).to_be_visible()
    assert page.evaluate(WORKER_IS_READY)
    is_kept(page, puzzle)
    return page


def killed(page, path):
    """Close a page without a word to it, and open another one on its device."""
    context = page.context
    context.new_page()
    page.close(run_before_unload=False)
    other = context.pages[0]
    other.set_default_timeout(30_000)
    other.goto(path)
    return other


def answer(page, puzzle, placement):
    """Do what finds a word."""
    if puzzle.kind == "crossword":
        field = page.locator(f"#answer-{placement.slot}")
        field.fill("".join(placement.tiles))
        field.press("Enter")
        return
    if puzzle.kind == "finder":
        page.locator(f"[data-item='{placement.slot}']").first.click()
    drag_with_mouse(page, [tuple(place) for place in placement.cells])


def words_of(puzzle):
    return in_order(puzzle) if puzzle.kind == "crossword" else list(puzzle.placements.all())


def found():
    """Return the slots that were found, each as often as it was."""
    rows = Move.objects.filter(outcome=Move.Outcome.FOUND)
    return sorted(rows.values_list("placement__slot", flat=True))


def online(page):
    """As a device says it that has a connection again."""
    page.evaluate("dispatchEvent(new Event('online'))")


@pytest.mark.parametrize("kind", KINDS)
def test_a_begun_puzzle_goes_on_without_a_connection(kind, visit, line, make_puzzle, student):
    puzzle = make_puzzle(kind)
    first, *others = words_of(puzzle)[:4]
    page = begin(visit, puzzle, student)
    answer(page, puzzle, first)
    expect(page.locator(".progress-label b")).to_have_text("1")
    line.cut()

    page = killed(page, f"/play/{puzzle.code}/")
    expect(page.locator(".progress-label b")).to_have_text("1")  # what was found is there
    expect(page.locator("[data-banner]")).to_contain_text("You are offline")
    for number, placement in enumerate(others, 1):
        answer(page, puzzle, placement)
        expect(page.locator("[data-banner]")).to_contain_text(f"{number} answer")
    assert found() == [first.slot]

    # Killed again, with what waits; then the line is mended, while the puzzle is open.
    page = killed(page, f"/play/{puzzle.code}/")
    expect(page.locator("[data-banner]")).to_contain_text(f"{len(others)} answers")
    line.mend()
    online(page)
    expect(page.locator(".progress-label b")).to_have_text(str(1 + len(others)))
    expect(page.locator("[data-banner]")).to_be_hidden()
    assert found() == sorted(placement.slot for placement in (first, *others))
    assert Move.objects.count() == 1 + len(others)


def test_without_the_service_worker_there_is_no_page(open_page, line, make_puzzle, student):
    """The control: the puzzle goes on by what the worker has kept, not by the browser's cache."""
    puzzle = make_puzzle()
    page = open_page(f"/play/{puzzle.code}/", student, size=PHONE, is_used_again=False)
    expect(board(page)).to_be_visible()
    line.cut()
    with pytest.raises(Error, match="ERR_CONNECTION_REFUSED"):
        page.goto(f"/play/{puzzle.code}/")


def test_an_answer_that_was_lost_on_the_way_back_counts_once(visit, line, make_puzzle, student):
    puzzle = make_puzzle()
    first, second = words_of(puzzle)[:2]
    page = begin(visit, puzzle, student)
    line.lose_answers()
    answer(page, puzzle, first)
    wait_until(lambda: Move.objects.count() == 1)  # the server has it, and the device does not know
    line.cut()
    page = killed(page, f"/play/{puzzle.code}/")
    answer(page, puzzle, second)
    expect(page.locator("[data-banner]")).to_contain_text("2 answers")
    line.mend()
    online(page)
    expect(page.locator(".progress-label b")).to_have_text("2")
    assert found() == sorted([first.slot, second.slot])
    assert Move.objects.count() == 2


def test_on_a_dead_line_a_puzzle_opens_soon(visit, line, make_puzzle, student):
    puzzle = make_puzzle()
    page = begin(visit, puzzle, student)
    line.die()
    page = killed(page, f"/play/{puzzle.code}/")
    expect(board(page)).to_be_visible()
    expect(page.locator("[data-banner]")).to_contain_text("You are offline")


def test_a_puzzle_goes_on_while_the_site_is_updated(visit, settings, make_puzzle, student):
    puzzle = make_puzzle()
    placement = words_of(puzzle)[0]
    page = begin(visit, puzzle, student)
    settings.MAINTENANCE = "1"
    page = killed(page, f"/play/{puzzle.code}/")
    answer(page, puzzle, placement)
    expect(page.locator("[data-banner]")).to_contain_text("The site is busy")
    settings.MAINTENANCE = ""
    online(page)
    expect(page.locator(".progress-label b")).to_have_text("1")
    assert found() == [placement.slot]


def test_the_last_word_found_offline_says_when_results_come(visit, line, make_puzzle, student):
    puzzle = make_puzzle("word-search", words=3)
    page = begin(visit, puzzle, student)
    line.cut()
    words = words_of(puzzle)
    for placement in words[:-1]:
        answer(page, puzzle, placement)
    banner = page.locator("[data-banner]")
    expect(banner).to_contain_text(f"{len(words) - 1} answers")
    expect(banner).not_to_contain_text("the puzzle is done")
    answer(page, puzzle, words[-1])
    expect(banner).to_contain_text("the puzzle is done: you will see your results then")
    line.mend()
    online(page)
    expect(page.locator("dialog.summary")).to_contain_text("All 3 words found")
    assert found() == sorted(placement.slot for placement in words)


def test_what_was_found_on_another_device_is_shown_when_the_line_is_back(
    visit, line, make_puzzle, student
):
    puzzle = make_puzzle()
    first, second = words_of(puzzle)[:2]
    page = begin(visit, puzzle, student)
    line.cut()
    answer(page, puzzle, first)
    expect(page.locator("[data-banner]")).to_contain_text("1 answer")
    line.mend()
    other = visit(f"/play/{puzzle.code}/", student)
    answer(other, puzzle, second)
    expect(other.locator(".progress-label b")).to_have_text("1")
    online(page)
    expect(page.locator(".progress-label b")).to_have_text("2")
    assert found() == sorted([first.slot, second.slot])


def test_letters_typed_offline_are_kept_and_sent_later(visit, line, make_puzzle, student):
    puzzle = make_puzzle("crossword")
    first = words_of(puzzle)[0]
    one, other = [tuple(place) for place in first.cells[:2]]
    page = begin(visit, puzzle, student)

    def draft():
        return puzzle.sessions.get().draft

    def letter(place):
        return cell(page, place)

    letter(one).click()
    page.keyboard.type("e")  # while there is a connection: the server has it
    wait_until(lambda: list(draft().values()) == ["E"])
    line.cut()
    page.keyboard.type("o")
    page = killed(page, f"/play/{puzzle.code}/")
    expect(letter(one)).to_have_value("E")
    expect(letter(other)).to_have_value("O")
    assert list(draft().values()) == ["E"]
    line.mend()
    online(page)
    wait_until(lambda: sorted(draft().values()) == ["E", "O"])


PLAYED = """
window.parts = [];
const play = HTMLMediaElement.prototype.play;
HTMLMediaElement.prototype.play = async function () {
    await play.call(this);
    window.parts.push([this.src, this.duration]);
};
"""
PART = """async ([address, range]) => {
    const answer = await fetch(address, { headers: { Range: range } });
    return [answer.status, answer.headers.get("Content-Range"), (await answer.blob()).size];
}"""


def test_sounds_are_heard_without_a_connection(visit, line, make_puzzle, student):
    puzzle = make_puzzle("finder")
    page = visit("/", student)
    page.context.add_init_script(PLAYED)
    page.goto(f"/play/{puzzle.code}/")
    expect(board(page)).to_be_visible()
    sounds = sorted(path for path in is_kept(page, puzzle) if "/sound/" in path)
    assert len(sounds) == puzzle.placements.count()
    line.cut()
    page = killed(page, f"/play/{puzzle.code}/")
    for number, placement in enumerate(words_of(puzzle)[:2], 1):
        page.locator(f"[data-item='{placement.slot}']").first.click()
        wait_until(lambda number=number: page.evaluate("window.parts.length") == number)
    played = page.evaluate("window.parts")
    assert all(length > 0.1 for _address, length in played)
    # As Apple's devices ask: in parts.
    status, part, size = page.evaluate(PART, [sounds[0], "bytes=0-1"])
    assert (status, size) == (206, 2)
    whole = int(part.removeprefix("bytes 0-1/"))
    assert page.evaluate(PART, [sounds[0], "bytes=5-"]) == [
        206, f"bytes 5-{whole - 1}/{whole}", whole - 5,
    ]  # fmt: skip
    assert page.evaluate(PART, [sounds[0], f"bytes={whole}-"])[0] == 416


# ---- the offline page ----


@pytest.mark.parametrize(("language", "direction"), [("en", "ltr"), ("ar", "rtl")])
def test_the_offline_page_lists_what_can_be_played_and_goes_back_by_itself(
    language, direction, visit, line, make_puzzle, student
):
    student.language = language
    student.save()
    puzzle, other = make_puzzle(), make_puzzle("crossword", seed=2)
    page = begin(visit, puzzle, student, locale="en")
    line.cut()
    page = killed(page, "/")
    expect(page.locator("html")).to_have_attribute("dir", direction)
    begun = page.locator("[data-begun] a")
    expect(begun).to_have_count(1)
    expect(begun).to_contain_text(puzzle.title)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    has_no_violations(page)
    begun.click()
    expect(board(page)).to_be_visible()
    page.goto(f"/play/{other.code}/")  # which was never begun here
    expect(begun).to_have_count(1)
    page.locator("[data-again]").click()
    expect(begun).to_have_count(1)
    line.mend()
    expect(board(page)).to_be_visible()
    expect(page).to_have_url(re.compile(f"/play/{other.code}/$"))


def test_the_offline_page_speaks_as_the_student_who_is_logged_in(visit, line, make_puzzle, student):
    page = begin(visit, make_puzzle(), student)
    student.language = "ar"
    student.save()
    page.goto("/")
    wait_until(lambda: page.evaluate(OFFLINE_LANGUAGE) == "ar")
    line.cut()
    page = killed(page, "/")
    expect(page.locator("html")).to_have_attribute("dir", "rtl")


OFFLINE_LANGUAGE = """async () =>
    (await caches.match("/offline/")).headers.get("Content-Language")"""


# ---- nothing stays on a shared tablet ----


@pytest.fixture
def cards_of_two(student, teacher, classroom):
    mia = classes.add_students(classroom=classroom, names=["Mia"], actor=teacher)[0]
    return cards.issue_cards(students=[student, mia], actor=teacher, classroom=classroom)


def not_me(page):
    page.goto("/")
    page.get_by_role("button", name="Not me").first.click()


def has_nothing(page):
    wait_until(lambda: kept(page) == set())


def test_not_me_removes_all_that_was_kept(visit, line, make_puzzle, student):
    page = begin(visit, make_puzzle(), student)
    assert kept(page)
    not_me(page)
    expect(page.get_by_role("heading", name="Log in")).to_be_visible()
    has_nothing(page)
    line.cut()
    page.goto("/")
    expect(page.get_by_role("heading", name="You are offline")).to_be_visible()
    expect(page.locator("[data-begun]")).to_be_hidden()


def test_without_cleaning_the_entries_stay(visit, make_puzzle, student, monkeypatch):
    """The control of the tests here."""
    changed(monkeypatch, "others.map((name) => caches.delete(name))", "others")
    page = begin(visit, make_puzzle(), student)
    not_me(page)
    expect(page.get_by_role("heading", name="Log in")).to_be_visible()
    page.wait_for_load_state("networkidle")
    assert kept(page)


@pytest.mark.parametrize("is_counted", [True, False])
def test_a_page_that_comes_after_not_me_brings_nothing_back(
    is_counted, visit, line, make_puzzle, student, monkeypatch
):
    """Without counting departures it does: the control."""
    if not is_counted:
        changed(monkeypatch, "if (before !== departures) return;", "")
    first, late = make_puzzle(words=4), make_puzzle(words=4)
    page = begin(visit, first, student)
    line.hold(f"/play/{late.code}/")  # its page, and then what its script asks for
    other = page.context.new_page()
    other.evaluate("(address) => { location.href = address; }", f"{page.url}../{late.code}/")
    not_me(page)
    expect(page.get_by_role("heading", name="Log in")).to_be_visible()
    has_nothing(page)
    line.release_one()
    wait_until(lambda: late.title in other.title())
    if is_counted:
        assert kept(page) == set()
    else:
        wait_until(lambda: kept(page))


def changed(monkeypatch, old="", new=""):
    """Serve a service worker of another version; without some of what it does."""
    was = offline.worker()
    script = was.script.decode().replace(was.version, "another00000")
    assert old in script
    script = script.replace(old, new)
    other = offline.Worker(script.encode(), gzip.compress(script.encode()), "another00000")
    monkeypatch.setattr(offline, "worker", lambda: other)


def test_not_me_without_a_connection_is_told_to_the_server_before_anything_else(
    visit, line, make_puzzle, cards_of_two
):
    puzzle = make_puzzle()
    luka, mia = cards_of_two
    page = begin(visit, puzzle, luka.student)
    placement = words_of(puzzle)[0]
    line.cut()
    answer(page, puzzle, placement)
    expect(page.locator("[data-banner]")).to_contain_text("1 answer")
    page.get_by_role("button", name="Not me").first.click()
    expect(page.get_by_role("heading", name="You are offline")).to_be_visible()
    expect(page.locator("[data-begun]")).to_be_hidden()
    assert kept(page) == set()
    page.goto(f"/play/{puzzle.code}/")  # whoever has the tablet now
    expect(page.get_by_role("heading", name="You are offline")).to_be_visible()
    page.goto("/offline/")
    assert BrowserSession.objects.filter(user=luka.student).exists()

    line.mend()
    expect(page.get_by_role("heading", name="Log in")).to_be_visible()
    assert not BrowserSession.objects.filter(user=luka.student).exists()
    # Mia finds nothing of Luka's; what he found waits for him.
    enter(page, mia)
    page.goto(f"/play/{puzzle.code}/")
    expect(page.locator(".progress-label b")).to_have_text("0")
    assert not Move.objects.exists()
    not_me(page)
    with page.expect_response("**/attempts/") as sent:
        enter(page, luka)
    assert sent.value.ok
    assert Move.objects.get().session.student == luka.student


def test_not_me_counts_though_the_form_is_of_another_log_in(visit, line, make_puzzle, student):
    """The token of the form is no good any more when the line is back."""
    page = begin(visit, make_puzzle(), student)
    line.cut()
    page.get_by_role("button", name="Not me").first.click()
    expect(page.get_by_role("heading", name="You are offline")).to_be_visible()
    page.context.clear_cookies(name="csrftoken")
    line.mend()
    expect(page.get_by_role("heading", name="Log in")).to_be_visible()
    assert not BrowserSession.objects.filter(user=student).exists()


def enter(page, card):
    page.goto(f"/card/#{card.token}")
    expect(page.get_by_role("heading", name=f"Hello, {card.student}")).to_be_visible()


def test_another_student_who_logs_in_gets_nothing_of_the_one_before(
    visit, site, line, make_puzzle, cards_of_two
):
    """Without "Not me", and without a page of log-in: the session of this device is another's."""
    puzzle = make_puzzle()
    luka, mia = cards_of_two
    page = begin(visit, puzzle, luka.student)
    page.context.add_cookies([{**session_of(mia.student), "url": site}])
    page.goto("/")
    expect(page.get_by_role("heading", name="Hello, Mia")).to_be_visible()
    has_nothing(page)
    line.cut()
    page.goto(f"/play/{puzzle.code}/")
    expect(page.get_by_role("heading", name="You are offline")).to_be_visible()


@pytest.mark.parametrize("how", ["opens a page", "plays on"])
def test_who_was_logged_out_elsewhere_leaves_nothing(how, visit, make_puzzle, student):
    puzzle = make_puzzle()
    page = begin(visit, puzzle, student)
    BrowserSession.objects.all().delete()
    if how == "opens a page":
        page.goto(f"/play/{puzzle.code}/")
        expect(page.get_by_role("heading", name="Log in")).to_be_visible()
    else:
        answer(page, puzzle, words_of(puzzle)[0])
        expect(page.locator("[data-banner]")).to_contain_text("You have been logged out")
    has_nothing(page)


def test_what_was_kept_is_not_shown_after_a_school_day(visit, line, make_puzzle, student):
    puzzle = make_puzzle()
    page = begin(visit, puzzle, student)
    line.cut()
    page.evaluate(
        """async (hours) => {
            const [name] = (await caches.keys()).filter((name) => name.startsWith("player-"));
            const seen = new Response(String(Date.now() - hours * 3600 * 1000));
            await (await caches.open(name)).put("/seen", seen);
        }""",
        13,
    )
    page.goto(f"/play/{puzzle.code}/")
    expect(page.get_by_role("heading", name="You are offline")).to_be_visible()
    assert kept(page) == set()


def test_a_teachers_pages_are_never_kept(visit, site, make_puzzle, student, teacher):
    puzzle = make_puzzle()
    page = begin(visit, puzzle, student)
    page.context.add_cookies([{**session_of(teacher), "url": site}])
    for path in ("/", f"/play/{puzzle.code}/", f"/puzzles/{puzzle.code}/", "/classes/"):
        page.goto(path)
        page.wait_for_load_state("networkidle")
    assert {name for name, _path in page.evaluate(ENTRIES)} == {"shell"}
    assert not [path for _name, path in page.evaluate(ENTRIES) if path.startswith("/api/")]


# ---- updates ----


def test_a_new_version_takes_over_and_the_puzzle_stays(
    visit, line, make_puzzle, student, monkeypatch
):
    puzzle = make_puzzle()
    page = begin(visit, puzzle, student)
    (old,) = shells(page)
    changed(monkeypatch)
    page.goto("/")  # the browser looks whether there is a new version
    wait_until(lambda: shells(page) not in ([old], []) and len(shells(page)) == 1)
    line.cut()
    page = killed(page, f"/play/{puzzle.code}/")
    expect(board(page)).to_be_visible()
    page.goto("/")
    expect(page.get_by_role("heading", name="You are offline")).to_be_visible()
    expect(page.locator("[data-begun] a")).to_have_count(1)


def shells(page):
    names = page.evaluate("async () => await caches.keys()")
    return [name for name in names if name.startswith("shell-")]


def test_a_deleted_puzzle_is_not_kept_any_longer(visit, make_puzzle, student):
    puzzle = make_puzzle()
    page = begin(visit, puzzle, student)
    puzzle.assignments.all().delete()
    page.goto(f"/play/{puzzle.code}/")
    expect(board(page)).to_have_count(0)
    wait_until(lambda: f"/play/{puzzle.code}/" not in kept(page))


# ---- the device ----


def test_chromium_can_install_the_site(visit, student):
    page = visit("/", student, locale="hr")
    assert page.evaluate(WORKER_IS_READY)
    tools = page.context.new_cdp_session(page)
    found = tools.send("Page.getAppManifest")
    assert found["errors"] == []
    assert '"display": "standalone"' in found["data"]
    assert tools.send("Page.getInstallabilityErrors")["installabilityErrors"] == []
