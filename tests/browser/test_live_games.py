"""A class plays together: a projector, phones that come late, reload, or lose the connection."""

from __future__ import annotations

import re

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from puzzles.kinds.base import cells_of
from puzzles.live.state import state_of
from puzzles.models import LiveGame, Placement, Puzzle
from tests.browser.axe import has_no_violations
from tests.browser.boards import PHONE
from tests.browser.playing import drag_with_finger, select_with_keys

PROJECTOR = {"width": 1024, "height": 768}


def join(open_page, game, person=None, **options):
    return open_page(f"/l/{game.code}/", person, size=PHONE, is_used_again=False, **options)


def words_of(game):
    return list(Placement.objects.filter(puzzle=game.puzzle))


def test_a_race_from_the_class_page_to_the_words_that_were_missed(
    worker, animals, classroom, teacher, more_students, open_page
):
    one, other, late = more_students(3)
    board = open_page(f"/classes/{classroom.pk}/games/new/", teacher, size=PROJECTOR)
    board.get_by_role("spinbutton", name="Number of words").fill("6")
    board.get_by_role("spinbutton", name="Teams").fill("2")
    has_no_violations(board)
    board.get_by_role("button", name="Open the game").click()
    expect(board.get_by_role("heading", name="0 players are here")).to_be_visible()
    game = LiveGame.objects.get()
    expect(board.get_by_text(game.code, exact=True)).to_be_visible()

    fingers = open_page(
        f"/l/{game.code}/", one, size=PHONE, is_used_again=False, has_touch=True, is_mobile=True
    )
    expect(fingers.get_by_text("You are in team Sun.")).to_be_visible()
    keys = join(open_page, game, other)
    expect(keys.get_by_text("You are in team Moon.")).to_be_visible()
    has_no_violations(keys)
    expect(board.get_by_role("heading", name="2 players are here")).to_be_visible()
    expect(board.get_by_text("Ready. Start when all are here.")).to_be_visible()
    has_no_violations(board)
    board.get_by_role("button", name="Full screen").click()
    expect(board.locator("main:fullscreen")).to_be_visible()
    board.get_by_role("heading", name="2 players are here").click()
    board.keyboard.press("Space")

    for page in (fingers, keys):
        expect(page.locator("[data-grid]")).to_be_visible()
    expect(board.get_by_role("heading", name="Find the words in the grid")).to_be_visible()
    for page in (fingers, keys, board):
        for scheme in ("dark", "light"):
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            has_no_violations(page)
    words = words_of(game)
    drag_with_finger(fingers, cells_of(words[0]))
    expect(board.get_by_text("1 of 6", exact=True)).to_be_visible()
    for page in (keys, board):  # no word of another team
        assert words[0].term not in page.content()

    latecomer = join(open_page, game, late)  # in the first team, which has a word already
    expect(latecomer.locator("[data-item][data-state=found]")).to_have_count(1)
    select_with_keys(latecomer, cells_of(words[1]))
    expect(fingers.locator("[data-item][data-state=found]")).to_have_count(2)
    latecomer.reload()
    second_tab = latecomer.context.new_page()
    second_tab.goto(f"/l/{game.code}/")
    for page in (latecomer, second_tab):
        expect(page.locator("[data-item][data-state=found]")).to_have_count(2)
    second_tab.close()

    select_with_keys(keys, cells_of(words[0]))
    expect(board.get_by_label("The last words")).to_contain_text(words[0].term)

    board.keyboard.press("Space")
    expect(board.get_by_text("Paused. Look at your teacher.")).to_be_visible()
    expect(keys.get_by_text("Paused. Look at your teacher.")).to_be_visible()
    board.keyboard.press("Space")
    expect(keys.get_by_text("Paused. Look at your teacher.")).to_be_hidden()
    assert board.evaluate("document.fullscreenElement?.id") == "content"

    keys.context.set_offline(True)
    select_with_keys(keys, cells_of(words[2]))
    expect(keys.get_by_text("You are offline.", exact=False).first).to_be_visible()
    keys.context.set_offline(False)
    expect(board.get_by_text("2 of 6", exact=True)).to_have_count(2)

    board.keyboard.press("p")
    row = board.get_by_role("listitem").filter(has_text=str(late))
    row.get_by_role("button", name="Remove").click()
    expect(latecomer.get_by_text("Your teacher removed you from this game.")).to_be_visible()
    board.get_by_role("link", name="Play together").click()

    for word in words[2:-1]:
        drag_with_finger(fingers, cells_of(word))
    expect(board.get_by_text("5 of 6", exact=True)).to_be_visible()
    end = board.get_by_role("button", name="End the game")
    end.focus()
    drag_with_finger(fingers, cells_of(words[-1]))
    expect(board.get_by_text("6 of 6", exact=True)).to_be_visible()
    expect(end).to_be_focused()  # although the page has changed
    has_no_violations(board)
    end.press("Enter")
    board.get_by_role("dialog").get_by_role("button", name="End the game").click()
    expect(board.get_by_role("heading", name="The winner is")).to_be_visible()
    expect(board.get_by_role("list").first).to_contain_text("Sun")
    assert "Moon" not in board.locator(".live-end").inner_text()
    expect(keys.get_by_role("heading", name="The game is over")).to_be_visible()
    expect(keys.get_by_text(words[2].term, exact=True)).to_be_visible()
    board.get_by_role("link", name="What the class missed").click()
    expect(board.get_by_role("row")).to_have_count(7)


@pytest.mark.thorough
def test_a_guest_listens_beside_the_class(open_game, student, teacher, open_page):
    game = open_game("listen", allows_guests=True, is_heard_on_board=False, team_count=1)
    Puzzle.objects.filter(pk=game.puzzle_id).update(grids_tried=2)  # which is said elsewhere
    board = open_page(f"/live/{game.code}/", teacher, size=PROJECTOR)
    phone = join(open_page, game, student)
    guest = open_page("/l/", size=PHONE, is_used_again=False)
    guest.get_by_label("Code").fill(game.code.lower())
    guest.get_by_role("button", name="Continue").click()
    guest.get_by_role("group").get_by_role("button").first.click()
    expect(board.get_by_role("heading", name="2 players are here")).to_be_visible()
    board.get_by_role("button", name="Start").click()
    order = []
    for number in range(1, 3):
        expect(board.get_by_role("heading", name=f"Word {number} of 8")).to_be_visible()
        asked = state_of(LiveGame.objects.get(), timezone.now()).asked
        order.append(asked.term)
        for page in (phone, guest):
            expect(page.get_by_role("dialog")).to_have_count(0)
            expect(page.locator(f"[data-item='{asked.slot}']")).to_have_attribute(
                "aria-pressed", "true"
            )
            assert asked.term not in page.content()
            select_with_keys(page, cells_of(asked))
    expect(board.get_by_role("heading", name="Word 3 of 8")).to_be_visible()
    expect(board.get_by_label("The last words")).to_contain_text(order[0])
    asked = state_of(LiveGame.objects.get(), timezone.now()).asked
    board.keyboard.press("ArrowRight")
    expect(board.get_by_role("heading", name="Word 4 of 8")).to_be_visible()
    expect(phone.locator(f"[data-item='{asked.slot}']")).to_have_attribute("data-state", "shown")
    phone.locator("summary[aria-label=Hints]").click()
    phone.get_by_role("button", name="Show the word as text").click()
    asked = state_of(LiveGame.objects.get(), timezone.now()).asked
    expect(phone.locator(f"[data-item='{asked.slot}']")).to_contain_text(asked.term)
    board.get_by_role("button", name="End the game").click()
    board.get_by_role("dialog").get_by_role("button", name="End the game").click()
    expect(guest.get_by_role("heading", name="The game is over")).to_be_visible()


@pytest.mark.thorough
def test_a_crossword_is_filled_together(open_game, more_students, teacher, open_page):
    game = open_game("together", words=5)
    words = words_of(game)
    board = open_page(f"/live/{game.code}/", teacher, size=PROJECTOR)
    pages = {}
    for person in more_students(2):
        pages[person.pk] = join(open_page, game, person)
    expect(board.get_by_role("heading", name="2 players are here")).to_be_visible()
    board.get_by_role("button", name="Start").click()
    shared = 0
    for page in pages.values():
        expect(page.locator("[data-grid]")).to_be_visible()
        expect(page.locator(".clue.is-mine, .clue.is-others")).to_have_count(len(words))
        # Who answers for a word is decided by its hash: now and then one player has none.
        own = page.locator(".clue.is-mine").count()
        shared += own
        if own:
            current = page.get_by_role("group", name="Current clue")
            expect(current).not_to_contain_text("has this word")
    assert shared == len(words)
    for number, word in enumerate(words, 1):
        holder = state_of(LiveGame.objects.get(), timezone.now()).holder_of(word.slot)
        mine, other = pages.pop(holder.student_id), next(iter(pages.values()))
        pages[holder.student_id] = mine
        line = other.locator(f".clue[data-item='{word.slot}']")
        expect(line).to_contain_text(f"{holder.name} has this word")
        if number == 1:
            mine.locator(f".clue[data-item='{word.slot}'] .clue-choose").click()
            mine.locator("summary[aria-label=Hints]").click()
            mine.get_by_role("button", name="Pass this word on").click()
            expect(mine.locator(f".clue[data-item='{word.slot}']")).to_contain_text("has this word")
            mine, other = other, mine
            expect(line).not_to_contain_text("has this word")
        field = mine.locator(f".clue[data-item='{word.slot}'] .clue-field")
        field.fill("".join(word.tiles))
        field.press("Enter")
        if number < len(words):
            expect(other.locator(f".clue[data-item='{word.slot}']")).to_have_class(
                re.compile("is-found")
            )
    expect(board.get_by_role("heading", name="Well done, everybody!")).to_be_visible()


# Six phones ---------------------------------------------------------------------------------


def away_for_half_a_minute(page, meanwhile):
    """Let a phone have no network for 30 s of its own clock, in which something happens."""
    page.clock.install()
    page.reload()  # so that all of its times are of this clock
    expect(page.locator("[data-grid]")).to_be_visible()
    page.context.set_offline(True)
    meanwhile()
    page.clock.fast_forward(30_000)
    expect(page.get_by_text("You are offline.", exact=False).first).to_be_visible()
    page.context.set_offline(False)


@pytest.fixture
def six(open_page, more_students):
    """Return a function that lets six students join a game: three touch, three use keys.

    It returns [(page, the function that selects squares there)], in the order of the students.
    """

    def join_all(game):
        found = []
        for number, person in enumerate(more_students(6)):
            touches = number % 2 == 0
            options = {"has_touch": True, "is_mobile": True} if touches else {}
            page = join(open_page, game, person, **options)
            found.append((page, drag_with_finger if touches else select_with_keys))
        return found

    return join_all


@pytest.mark.thorough
def test_six_phones_race_to_the_end(open_game, six, teacher, open_page):
    game = open_game("race", words=6, team_count=2)
    board = open_page(f"/live/{game.code}/", teacher, size=PROJECTOR)
    phones = six(game)
    expect(board.get_by_role("heading", name="6 players are here")).to_be_visible()
    board.get_by_role("button", name="Start").click()
    words = words_of(game)

    def find(number, word):
        page, select = phones[number]
        select(page, cells_of(word))

    for page, _select in phones:
        expect(page.locator("[data-grid]")).to_be_visible()
    away, _select = phones[1]
    away_for_half_a_minute(away, lambda: [find(0, words[0]), find(1, words[0])])
    for page, _select in phones:  # what was traced without a network counts for its team
        expect(page.locator("[data-item][data-state=found]")).to_have_count(1)
    for at, word in enumerate(words[1:], 1):
        for team in (0, 1):
            find((2 * at + team) % 6, word)
            page, _select = phones[(2 * at + 2 + team) % 6]
            if at < 5:
                expect(page.locator("[data-item][data-state=found]")).to_have_count(at + 1)
    expect(board.get_by_text("You found 12 words together.")).to_be_visible()
    for page, _select in phones:
        expect(page.get_by_role("heading", name="The game is over")).to_be_visible()


@pytest.mark.thorough
def test_six_phones_listen_to_the_end(open_game, six, teacher, open_page):
    game = open_game("listen", words=4, team_count=2)
    board = open_page(f"/live/{game.code}/", teacher, size=PROJECTOR)
    phones = six(game)
    expect(board.get_by_role("heading", name="6 players are here")).to_be_visible()
    board.get_by_role("button", name="Start").click()
    for number in range(1, 5):
        expect(board.get_by_role("heading", name=f"Word {number} of 4")).to_be_visible()
        asked = state_of(LiveGame.objects.get(), timezone.now()).asked
        for page, select in phones:
            chosen = page.locator(f"[data-item='{asked.slot}']")
            expect(chosen).to_have_attribute("aria-pressed", "true")
            if page is phones[3][0] and number == 2:
                away_for_half_a_minute(page, lambda: None)
            select(page, cells_of(asked))
    for page, _select in phones:
        expect(page.get_by_role("heading", name="The game is over")).to_be_visible()


@pytest.mark.thorough
def test_six_phones_fill_a_crossword_to_the_end(open_game, six, teacher, open_page):
    game = open_game("together", words=6)
    words = words_of(game)
    board = open_page(f"/live/{game.code}/", teacher, size=PROJECTOR)
    phones = [page for page, _select in six(game)]
    expect(board.get_by_role("heading", name="6 players are here")).to_be_visible()
    board.get_by_role("button", name="Start").click()
    pages = {}
    for player, page in zip(game.players.order_by("joined_at"), phones, strict=True):
        expect(page.locator(".clue.is-mine, .clue.is-others")).to_have_count(len(words))
        pages[player.pk] = page
    for number, word in enumerate(words):
        page = pages[state_of(LiveGame.objects.get(), timezone.now()).holder_of(word.slot).pk]

        def fill(page=page, word=word):
            field = page.locator(f".clue[data-item='{word.slot}'] .clue-field")
            field.fill("".join(word.tiles))
            field.press("Enter")

        if number == 1:
            away_for_half_a_minute(page, fill)
        else:
            fill()
    expect(board.get_by_role("heading", name="Well done, everybody!")).to_be_visible()
    for page in phones:
        expect(page.get_by_role("heading", name="The game is over")).to_be_visible()
