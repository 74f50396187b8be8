"""A class in a minute: names are pasted, cards printed, a card opens its student's account."""

from __future__ import annotations

import time

import pytest
from django_otp.plugins.otp_totp.models import TOTPDevice
from playwright.sync_api import expect

from osmosmjerka.accounts.auth import cards
from osmosmjerka.accounts.classrooms import joining, school_file, school_imports
from osmosmjerka.accounts.classrooms import services as classes
from osmosmjerka.accounts.models import LoginCard, User
from osmosmjerka.accounts.schools import invitations
from osmosmjerka.accounts.webhooks import services as webhooks
from tests.accounts.classrooms.school_zip import klass, user, whole_school
from tests.browser.axe import has_no_violations
from tests.browser.conftest import DESKTOP, PHONE
from tests.puzzles.dashboards.test_monday import new_students

NAMES = "\n".join(f"Student{number} Family{number}" for number in range(1, 31))


# A dry run is among them; pasting takes none, as the field for names has the focus.
MOST_CLICKS = 5


def test_thirty_pasted_names_are_printed_cards_within_a_minute_and_five_clicks(
    open_page, teacher, classroom, tmp_path
):
    page = open_page(f"/classes/{classroom.pk}/", person=teacher)
    clicks = []
    page.expose_binding("wasClicked", lambda source, what: clicks.append(what))
    page.add_init_script(
        "addEventListener('click', (event) => wasClicked(event.target.innerText), true)"
    )
    page.reload()
    began = time.monotonic()
    page.get_by_role("link", name="Add students").click()
    page.get_by_role("textbox", name="Names").fill(NAMES)
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_text("30 new students")).to_be_visible()
    has_no_violations(page)
    page.get_by_role("button", name="Add to class").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Print their cards").click()
    sheet = tmp_path / "cards.pdf"
    download.value.save_as(sheet)
    took = time.monotonic() - began
    # The page knows that nobody is without a card any more, and nobody reloaded it.
    expect(page.get_by_text("31 login cards created.")).to_be_visible()
    expect(page.get_by_text("none yet")).to_have_count(0)
    # Nobody has logged in yet; a click must not end the cards that are printed.
    page.get_by_role("button", name="Print their cards").click()
    expect(page.get_by_role("dialog")).to_contain_text("the old card")
    clicks.pop()
    assert LoginCard.objects.count() == 31
    assert 0 < len(clicks) <= MOST_CLICKS, clicks
    assert sheet.read_bytes().startswith(b"%PDF")
    assert LoginCard.objects.count() == 31
    assert took < 60, took
    print(f"30 pasted names to a PDF of cards: {took:.1f} s")


def test_a_card_that_was_printed_ends_by_one_of_today_only_after_a_question(
    open_page, teacher, classroom, school, student
):
    new_students(classroom, school, 1)  # who has logged in, as the student has not
    cards.issue_cards(students=[student], actor=teacher, classroom=classroom)
    printed = LoginCard.objects.get().token_hash
    page = open_page("/", person=teacher)
    button = page.get_by_role("button", name="Print a login card")
    question = page.get_by_role(
        "dialog", name="A new card immediately disables every other way to log in"
    )
    button.click()
    question.get_by_role("button", name="Cancel").click()
    expect(question).to_have_count(0)
    assert LoginCard.objects.get().token_hash == printed
    button.click()
    with page.expect_download():
        question.get_by_role("button", name="Print a login card").click()
    assert LoginCard.objects.get().token_hash != printed
    # The page stays, and the card of now is no less in use.
    button.click()
    expect(question).to_be_visible()


@pytest.mark.thorough
def test_all_are_selected_at_once_and_thirty_fit_on_a_few_screens_of_a_phone(
    open_page, teacher, classroom
):
    names = [f"Anabela{number}" for number in range(29)]
    classes.add_students(classroom=classroom, names=names, actor=teacher)
    page = open_page(f"/classes/{classroom.pk}/people/", person=teacher, size=PHONE)
    page.get_by_label("Select all students").check()
    assert page.locator("input[name=student]:checked").count() == 30
    page.locator("input[name=student]").first.uncheck()
    expect(page.get_by_label("Select all students")).not_to_be_checked()
    page.locator("input[name=student]").first.check()
    expect(page.get_by_label("Select all students")).to_be_checked()
    table = page.locator("#students .table").bounding_box()
    assert table["height"] < 3.5 * 664
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    expect(page.get_by_role("button", name="New cards for selected students")).to_be_in_viewport()
    page.get_by_text("More", exact=True).click()
    page.get_by_role("link", name="Teachers", exact=True).click()
    expect(page.get_by_role("heading", name="Teachers")).to_be_in_viewport()


def test_a_waiting_student_comes_in_by_itself(open_with_clock, teacher, classroom, monkeypatch):
    monkeypatch.setattr(joining, "BURST", 0)
    classroom.is_join_open = True
    classroom.save()
    people = open_with_clock(f"/classes/{classroom.pk}/people/", teacher)
    expect(people.get_by_role("heading", name="Students")).to_be_visible()
    page = open_with_clock(f"/c/{classroom.join_code}/", size=PHONE)
    page.get_by_label("Your name in this class").fill("Bumblebee")
    page.get_by_role("button", name="Join this class").click()
    expect(page.get_by_text("Wait a moment, Bumblebee.")).to_be_visible()
    has_no_violations(page)
    # The teacher's page was open already, and nobody reloads it.
    people.clock.run_for(6_000)  # it asks every five seconds
    button = people.get_by_role("button", name="Let the selected students in")
    expect(button).to_be_visible()
    has_no_violations(people)
    button.click()
    expect(people.get_by_role("link", name="Bumblebee")).to_be_visible()
    page.clock.run_for(6_000)  # it asks every five seconds
    expect(page.get_by_role("heading", name="Your login card")).to_be_visible()
    page.get_by_role("link", name="Continue").click()
    expect(page.get_by_role("heading", name="Hello, Bumblebee")).to_be_visible()


def test_a_card_on_a_shared_tablet_until_not_me_or_a_new_card(
    open_page, teacher, student, classroom
):
    card = cards.issue_cards(students=[student], actor=teacher, classroom=classroom)[0]
    page = open_page(f"/card/#{card.token}", size=PHONE)
    expect(page.get_by_role("heading", name="Hello, Luka")).to_be_visible()
    assert card.token not in page.url
    page.get_by_role("button", name="Not me").click()
    expect(page.get_by_role("heading", name="Log in")).to_be_visible()
    page.go_back()
    expect(page.get_by_text("Luka")).to_have_count(0)
    page.goto(f"/c/{classroom.join_code}/")
    page.get_by_label("Name", exact=True).fill("luka")
    page.get_by_label("Your four words").fill(card.words)
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("heading", name="Hello, Luka")).to_be_visible()
    cards.issue_cards(students=[student], actor=teacher, classroom=classroom)
    page.reload()
    expect(page.get_by_role("link", name="Log in")).to_be_visible()


def test_the_youngest_tap_their_name_and_four_pictures(open_page, teacher, student, classroom):
    classroom.uses_pictures = True
    classroom.save()
    names = [f"Anabela{number}" for number in range(29)]
    classes.add_students(classroom=classroom, names=names, actor=teacher)
    card = cards.issue_cards(students=[student], actor=teacher, classroom=classroom)[0]
    page = open_page(f"/c/{classroom.join_code}/", size=PHONE, has_touch=True)
    page.get_by_text("Anabela0").tap()  # far from the pictures, which come to the finger
    expect(page.get_by_role("group", name="Picture 1")).to_be_in_viewport()
    page.get_by_text("Luka").tap()
    for place, picture in enumerate(card.pictures):
        page.locator(f"input[name=picture-{place}][value={picture}]").tap()
    page.locator("[data-picture-form] button").tap()
    expect(page.get_by_role("heading", name="Hello, Luka")).to_be_visible()


@pytest.mark.thorough
@pytest.mark.parametrize(("size", "theme"), [(PHONE, "dark"), (DESKTOP, "light")])
def test_axe_finds_nothing_on_the_pages_of_people(
    size, theme, open_page, teacher, student, classroom, school, make_person, settings
):
    admin = make_person(User.Role.SCHOOL_ADMIN, school, "iris")
    settings.WEBHOOK_HOSTS = ["hooks.example"]
    hook, _secret = webhooks.add(
        school=school,
        url="https://hooks.example/a/long/way/to/the/program/of/the/school",
        events=[*webhooks.EVENTS],
        has_names=False,
        actor=admin,
    )
    hook.deliveries.create(payload={"event": "student.joined"}, state="failed", reason="It fails.")
    added, shown = (
        school_imports.begin(school=school, file=school_file.read(whole_school()), actor=admin)
        for _file in range(2)
    )
    school_imports.import_now(roster=added, actor=admin)
    shown.school_file = school_file.read(
        whole_school(users=[user("s1", "Ivo", "Kos")], classes=[klass("c", "Razred " * 9)])
    ).as_json()
    shown.save()
    TOTPDevice.objects.create(user=teacher, name="app", confirmed=True)
    invitations.invite(school=school, classroom=classroom, role="viewer", actor=admin)
    classes.add_students(classroom=classroom, names=["Mia"], actor=admin)[
        0
    ].memberships.all().delete()
    page = open_page(person=admin, size=size, color_scheme=theme)
    for path in (
        f"/schools/{school.pk}/",
        f"/schools/{school.pk}/log/",
        f"/schools/{school.pk}/webhooks/",
        f"/schools/{school.pk}/rosters/",
        f"/schools/{school.pk}/rosters/{added.pk}/",
        f"/schools/{school.pk}/rosters/{shown.pk}/",
        f"/classes/{classroom.pk}/people/",
        f"/pupils/{student.pk}/",
        *(
            "/me/account/",
            "/me/password/",
            "/me/passkeys/",
            "/me/second-step/",
            "/me/devices/",
            "/me/data/",
        ),
    ):
        page.goto(path)
        has_no_violations(page)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
        for table in page.locator(".table-wrap").all():  # all that it holds is seen
            assert table.evaluate("wrap => wrap.scrollWidth <= wrap.clientWidth"), path
