"""The pages of errors can be read by everybody, and lead on."""

from __future__ import annotations

import re

import pytest
from django.core.exceptions import BadRequest, PermissionDenied
from django.urls import path
from playwright.sync_api import expect

from osmosmjerka import urls
from tests.browser.axe import has_no_violations
from tests.browser.conftest import PHONE


def failing(error):
    def view(request):
        raise error

    return view


handler400, handler500 = urls.handler400, urls.handler500
urlpatterns = [
    *urls.urlpatterns,
    path("broken/400/", failing(BadRequest())),
    path("broken/403/", failing(PermissionDenied())),
    path("broken/500/", failing(RuntimeError())),
]


@pytest.fixture
def broken_site(settings):
    settings.ROOT_URLCONF = __name__


@pytest.mark.thorough
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("locale", ["en", "ar"])
def test_every_page_of_an_error_is_legible_and_fits(
    locale, scheme, open_page, broken_site, settings, site
):
    page = open_page("/healthz", size=PHONE, locale=locale, color_scheme=scheme)
    for address in ("broken/400", "broken/403", "broken/404", "broken/500", "offline"):
        page.goto(f"/{address}/")
        is_well(page)
    # A form without a token.
    page.goto("/login/")
    page.evaluate("document.querySelector('main [name=csrfmiddlewaretoken]').value = 'x'")
    page.get_by_label(re.compile("Username|اسم المستخدم")).fill("ana")
    page.locator("main [type=password]").fill("x")
    page.locator("main form [type=submit], main form button").first.click()
    page.wait_for_load_state()
    is_well(page)
    settings.MAINTENANCE = "1"
    page.goto("/")
    is_well(page)


def is_well(page):
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.locator(".button--primary")).to_have_count(1)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    has_no_violations(page)


def test_a_teacher_who_was_logged_out_copies_what_was_typed_and_logs_in_again(open_page, teacher):
    page = open_page("/lists/new/", person=teacher)
    words = page.locator("main textarea").first
    words.fill("sljiva\tplum\njabuka\tapple\n" * 3)
    page.context.clear_cookies(name="sessionid")
    words.evaluate("(area) => area.form.submit()")
    expect(page.get_by_role("heading", name="You have been logged out")).to_be_visible()
    expect(page.locator("textarea")).to_have_value(re.compile("jabuka\tapple"))
    has_no_violations(page)
    page.get_by_role("link", name="Log in again").click()
    expect(page).to_have_url(re.compile(r"/login/\?next=/lists/new/"))
