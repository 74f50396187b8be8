"""A teacher hears a list's words and records one, in a real browser with a humming microphone."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from osmosmjerka.jobs import ledger
from osmosmjerka.jobs.models import Job
from tests.browser.conftest import DESKTOP, PHONE
from tests.conftest import rows
from tests.layers import daily
from tests.services import wait_until
from vocab.lists.services import create_list
from vocab.models import Pronunciation
from vocab.sounds import services as sounds

# Lets the test see how much has been recorded.
KEEP_THE_CONTEXT = """
globalThis.AudioContext = class extends AudioContext {
    constructor(...options) {
        super(...options);
        globalThis.recording = this;
    }
};
"""


@pytest.fixture(autouse=True)
def empty_cache(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


@pytest.mark.parametrize("size", daily(PHONE, of=[DESKTOP, PHONE]), ids=["desktop", "phone"])
def test_a_list_is_heard_and_a_word_recorded(size, open_page, teacher, animals):
    page = open_page(f"/lists/{animals.pk}/", person=teacher, size=size)
    page.add_init_script(KEEP_THE_CONTEXT)
    expect(page.locator("#sounds progress")).to_be_visible()
    ledger.run_job(str(Job.objects.get(kind=sounds.RENDER).pk))
    expect(page.locator("#sounds progress")).to_have_count(0)
    page.reload()
    with page.expect_response("**/sound/normal/**") as heard:
        page.get_by_role("button", name="Play labud").click()
    assert heard.value.status in (200, 206)

    page.get_by_role("link", name="Sound of labud").click()
    page.get_by_role("button", name="Record").click()
    expect(page.locator("[data-recorder-status]")).to_contain_text("Recording")
    wait_until(lambda: page.evaluate("recording.currentTime > 1"))  # seconds of sound
    page.get_by_role("button", name="Stop").click()
    expect(page.locator("[data-recorded]")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("button", name="Use this sound").click()
    expect(page.get_by_text("Your sound was saved")).to_be_visible()
    expect(page.get_by_text("Recorded by a teacher").first).to_be_visible()
    sound = Pronunciation.objects.get(engine="recording")
    assert (sound.origin, sound.entry.term) == ("recorded", "labud")
    assert 0.1 < sound.seconds < 3  # a busy machine hears less of it


@pytest.mark.thorough
def test_the_voice_of_a_list_is_chosen_and_all_is_made_again(open_page, teacher):
    words = create_list(
        owner=teacher,
        title="Shop",
        language="en",
        translation_languages=["hr"],
        rows=rows({"tomato": "rajčica", "water": "voda"}),
    )
    page = open_page(f"/lists/{words.pk}/", person=teacher, size=PHONE)
    page.locator("main").get_by_text("More", exact=True).first.click()
    page.get_by_role("link", name="Voice", exact=True).click()
    page.get_by_label("Accent").select_option("en-GB")
    page.get_by_label("Speak slowly").check()
    page.get_by_role("button", name="Use this voice").click()
    expect(page.get_by_text("The voice was changed")).to_be_visible()
    expect(page.locator("#sounds progress")).to_be_visible()
    work()
    expect(page.locator("#sounds progress")).to_have_count(0)
    said = Pronunciation.objects.filter(language="en-GB").values_list("text", flat=True)
    assert set(said) == {"tomato", "water"}
    page.get_by_role("button", name="Only slow speed").click()
    expect(page.locator("#sounds progress")).to_be_visible()
    work()
    expect(page.locator("#sounds progress")).to_have_count(0)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def work():
    for job in Job.objects.filter(kind=sounds.RENDER, state=Job.State.QUEUED):
        ledger.run_job(str(job.pk))
