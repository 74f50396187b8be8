"""A teacher logs in with their school account in a real browser, at the certified provider."""

import pytest
from django.core.cache import cache
from playwright.sync_api import expect

from osmosmjerka.accounts.models import IdentityProvider, User
from osmosmjerka.accounts.secrets import encrypt
from tests.accounts.sign_on.providers import (  # noqa: F401 - fixtures
    CLIENT,
    SECRET,
    certified,
    certified_program,
)
from tests.browser.axe import has_no_violations
from tests.browser.conftest import DESKTOP, PHONE


@pytest.fixture
def service(certified, transactional_db, school, site, settings):  # noqa: F811
    settings.HTTP_HERE = True
    cache.clear()
    made = IdentityProvider.objects.create(
        school=school, name="School accounts", issuer=certified.url, client_id=CLIENT,
        secret=encrypt(SECRET), email_domain="school.example",
    )  # fmt: skip
    # Another host than the provider's, so that to the browser they are two sites.
    here = site.replace("127.0.0.1", "localhost")
    certified.connect(f"{here}/login/with/{made.pk}/back/", logout=[f"{here}/login/"])
    certified.know(
        {"7": {"name": "Ivo Ivić", "email": "ivo@school.example", "email_verified": True}}
    )
    return made


def test_a_teacher_logs_in_and_out_with_the_school_account(service, devices, site, teacher):
    User.objects.filter(pk=teacher.pk).update(email="ivo@school.example")
    options = {"viewport": PHONE, "base_url": site.replace("127.0.0.1", "localhost")}
    with devices.lent(is_used_again=False, service_workers="block", **options) as context:
        page = context.new_page()
        page.set_default_timeout(5000)
        page.goto("/lists/")
        page.get_by_role("link", name="Log in with School accounts").click()
        page.get_by_role("button", name="Ivo Ivić").click()
        expect(page).to_have_url(f"{options['base_url']}/lists/")
        page.goto("/me/school-accounts/")
        expect(page.get_by_role("heading", name="School accounts")).to_be_visible()
        page.locator("header summary").last.click()
        page.get_by_role("button", name="Log out").click()
        page.get_by_role("link", name="Log out of School accounts").click()
        page.get_by_role("button", name="Log out").click()
        expect(page).to_have_url(f"{options['base_url']}/login/")
        # The next person who has the device is asked who they are.
        page.get_by_role("link", name="Log in with School accounts").click()
        page.get_by_role("button", name="Refuse").click()
        expect(page.get_by_role("heading", name="You are not logged in")).to_be_visible()


CASES = [
    ("phone", PHONE | {"height": 664}, "dark", "ar"),
    ("desktop", DESKTOP, "light", "en"),
]


@pytest.mark.thorough
@pytest.mark.parametrize(("name", "size", "theme", "language"), CASES)
def test_axe_finds_nothing(
    name, size, theme, language, service, open_page, school, teacher, classroom, make_person
):
    admin = make_person(User.Role.SCHOOL_ADMIN, school)
    User.objects.update(language=language)
    service.identities.create(subject="7", user=teacher)
    pages = [
        (None, "/login/"), (None, f"/c/{classroom.join_code}/"), (teacher, "/me/school-accounts/"),
        (admin, f"/schools/{school.pk}/sign-in/"),
        (admin, f"/schools/{school.pk}/sign-in/{service.pk}/"),
        (None, f"/login/with/{service.pk}/back/?state=x"),
    ]  # fmt: skip
    for person, path in pages:
        page = open_page(path, person, size, color_scheme=theme, locale=language)
        has_no_violations(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
