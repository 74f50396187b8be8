"""Passkeys in a real browser, with a virtual device that says yes by itself."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from osmosmjerka.accounts.models import Passkey
from tests.browser.conftest import PHONE
from tests.conftest import PASSWORD

DEVICE = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


def with_device(page):
    """Give the browser a passkey's device; return what switches its owner's finger on and off."""
    tools = page.context.new_cdp_session(page)
    tools.send("WebAuthn.enable")
    made = tools.send("WebAuthn.addVirtualAuthenticator", {"options": DEVICE})

    def verify(is_verified):
        tools.send(
            "WebAuthn.setUserVerified",
            {"authenticatorId": made["authenticatorId"], "isUserVerified": is_verified},
        )

    return verify


def test_a_teacher_makes_a_passkey_and_logs_in_by_it(open_page, teacher):
    # WebAuthn wants a name; 127.0.0.1 is none.
    page = open_page("/me/passkeys/", person=teacher, host="localhost", size=PHONE)
    verify = with_device(page)
    page.get_by_label("Device", exact=True).fill("My phone")
    page.get_by_label("Your password").fill("not it")
    page.get_by_role("button", name="Add a passkey").click()
    expect(page.get_by_role("alert")).to_have_text("This password is not correct.")
    page.get_by_label("Your password").fill(PASSWORD)
    page.get_by_role("button", name="Add a passkey").click()
    expect(page.get_by_text("You can now log in with this passkey.")).to_be_visible()
    expect(page.get_by_role("cell", name="My phone")).to_be_visible()
    page.goto("/lists/")
    page.locator("details.menu > summary").last.click()
    page.get_by_role("button", name="Log out").click()
    page.goto("/login/?next=/classes/")
    verify(False)
    page.get_by_role("button", name="Log in with a passkey").click()
    expect(page.get_by_role("alert")).to_contain_text("was not confirmed")
    verify(True)
    page.get_by_role("button", name="Log in with a passkey").click()
    expect(page.get_by_role("heading", name="Classes")).to_be_visible()
    assert Passkey.objects.get().used_at is not None
    page.goto("/me/passkeys/")
    page.get_by_role("button", name="Remove").click()
    page.get_by_role("dialog").get_by_role("button", name="Remove").click()
    expect(page.get_by_text("The passkey was removed.")).to_be_visible()
    assert not Passkey.objects.exists()


@pytest.mark.thorough
def test_where_there_can_be_no_passkeys_the_page_says_so(open_page, teacher):
    page = open_page("/login/")
    page.add_init_script("delete window.PublicKeyCredential")
    page.goto("/login/")
    expect(page.get_by_role("button", name="Log in with a passkey")).to_be_hidden()
    expect(page.get_by_role("button", name="Log in")).to_be_visible()
