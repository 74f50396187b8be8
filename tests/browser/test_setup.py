"""From an empty database to a class, in the browser; and the page that shows how the site runs."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.utils import timezone
from playwright.sync_api import expect

from osmosmjerka.accounts.models import AuditEntry, Classroom, School, User
from osmosmjerka.accounts.schools import setup
from osmosmjerka.jobs import ledger
from osmosmjerka.jobs.models import Job
from tests.browser.sizes import DESKTOP, FAULTS
from tests.conftest import PASSWORD
from tests.layers import daily

PHONE = {"width": 390, "height": 664}
SIZES = pytest.mark.parametrize("size", daily(PHONE, of=[PHONE, DESKTOP]), ids=["phone", "desktop"])


@pytest.fixture
def site_admin(school, make_person):
    person = make_person(User.Role.SCHOOL_ADMIN, school, "root")
    person.is_superuser = person.is_staff = True
    person.email = "root@school.example"
    person.save()
    return person


def look(page):
    """Fail on what axe finds, on what lies outside or on something else, and on scrolling."""
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.evaluate(FAULTS) == []


@pytest.mark.thorough
@SIZES
def test_from_an_empty_database_to_a_class(open_page, size):
    assert not User.objects.exists()
    page = open_page("/login/", size=size, timezone_id="Europe/Zagreb")
    note = page.get_by_text("This site is being set up.")
    expect(note).to_be_visible()
    look(page)
    page.goto(f"/setup/?code={setup.code()}")
    look(page)
    page.get_by_label("Display name").fill("Iva")
    page.get_by_label("Username").fill("iva")
    page.get_by_label("Password").fill("1")
    page.get_by_label("School").fill("Prva škola")
    page.get_by_label("First class").fill("6b")
    page.get_by_role("button", name="Set up").click()
    expect(page.get_by_text("This password is too short")).to_be_visible()
    look(page)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Set up").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Add students")
    expect(page.get_by_role("link", name="6b")).to_be_visible()
    expect(page.get_by_text("This site is ready.")).to_be_visible()
    look(page)
    assert School.objects.get().time_zone == "Europe/Zagreb"
    assert Classroom.objects.get().name == "6b"
    page.goto("/setup/")
    expect(page.get_by_role("heading", level=1)).to_contain_text("not found")


def test_from_an_empty_site_to_a_class_that_plays_in_eight_pages(open_page):
    page = open_page(f"/setup/?code={setup.code()}")
    pages, clicks = [], 0

    def click(name, role="button"):
        nonlocal clicks
        pages.append(page.url)
        clicks += 1
        page.get_by_role(role, name=name, exact=True).click()

    for label, text in [
        ("Display name", "Iva"), ("Username", "iva"), ("Password", PASSWORD),
        ("School", "Prva škola"), ("First class", "6b"),
    ]:  # fmt: skip
        page.get_by_label(label).fill(text)
    click("Set up")
    page.locator("textarea").first.fill("Ana Anić\nMarko Marić")
    click("Preview")
    page.wait_for_url("**/paste/*/")
    click("Add to class")
    expect(page.get_by_role("button", name="Print their cards")).to_have_class(
        re.compile("button--primary")
    )
    with page.expect_download():
        click("Print their cards")
    click("Assign a puzzle", "link")
    page.get_by_label("Title").fill("Unit 1")
    page.get_by_label("Language of the words").select_option("de")
    page.locator("textarea").first.fill("Hund\tdog\nKatze\tcat\nPferd\thorse\nVogel\tbird")
    click("Create list")
    click("Assign to class", "link")
    click("Assign to 2 students")
    expect(page.get_by_text("Assigned to 6b (2 students)")).to_be_visible()
    different = {address.partition("?")[0] for address in [*pages, page.url]}
    assert (len(different), clicks) == (8, 8)


@SIZES
def test_the_status_page_leads_an_admin_to_what_failed(open_page, site_admin, size):
    job = ledger.enqueue("accounts.rosters", key="1")
    Job.objects.filter(pk=job.pk).update(
        state=Job.State.FAILED, error="OSError: no room", finished_at=timezone.now(), attempts=3
    )
    page = open_page("/", person=site_admin, size=size)
    page.get_by_label("Account: Root").click()
    page.get_by_role("link", name="Site status").click()
    expect(page.get_by_text("OSError: no room")).to_be_visible()
    look(page)
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_text("The task is in the queue again.")).to_be_visible()
    expect(page.get_by_text("No task has failed.")).to_be_visible()
    job.refresh_from_db()
    assert job.state != Job.State.FAILED
    assert AuditEntry.objects.filter(action="retried job").exists()


@pytest.mark.thorough
@pytest.mark.parametrize("language", ["ar", "de"])
def test_the_pages_fit_a_phone_in_other_languages(open_page, site_admin, language):
    site_admin.language = language
    site_admin.save()
    page = open_page("/status/", person=site_admin, size=PHONE)
    look(page)
    site_admin.is_active = False
    site_admin.save()
    page = open_page("/setup/", size=PHONE, locale=language)
    look(page)
