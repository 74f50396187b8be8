"""A teacher chooses the voice of a whole list, and has all its sounds made again."""

import pytest
from django.core.exceptions import ValidationError

from osmosmjerka.jobs.models import Job
from tests.conftest import rows
from tests.vocab.sounds.test_sounds import run
from vocab.lists import services as list_services
from vocab.lists import sharing
from vocab.models import Pronunciation, VocabularyList
from vocab.sounds import playback, voices
from vocab.sounds import services as sounds

pytestmark = pytest.mark.django_db


@pytest.fixture
def english(teacher):
    return list_services.create_list(
        owner=teacher,
        title="At the shop",
        language="en",
        translation_languages=["hr"],
        rows=rows({"tomato": "rajčica", "water": "voda"}),
    )


def choose(vocabulary_list, engine="", accent="", is_spoken_slowly=False):
    return sounds.choose_voice(
        vocabulary_list=vocabulary_list,
        engine=engine,
        accent=accent,
        is_spoken_slowly=is_spoken_slowly,
    )


def heard(vocabulary_list, term, speed="normal"):
    vocabulary_list.refresh_from_db()
    entry = vocabulary_list.entries.get(term=term)
    return playback.heard([entry], vocabulary_list, speed=speed).get(entry.pk)


def test_an_accent_is_heard_in_the_whole_list(english):
    run(sounds.RENDER)
    choose(english, accent="en-GB")
    run(sounds.RENDER)
    british = {term: heard(english, term) for term in ("tomato", "water")}
    choose(english, accent="en-US")
    run(sounds.RENDER)
    for term, before in british.items():
        now = heard(english, term)
        assert (before.language, now.language) == ("en-GB", "en-US")
        files = [voices.cache().named(one.file).read() for one in (before, now)]
        assert files[0] != files[1]


def test_back_at_an_accent_nothing_is_made_twice(english):
    for accent in ("en-GB", "en-US"):
        choose(english, accent=accent)
        run(sounds.RENDER)
    choose(english, accent="en-GB")
    assert run(sounds.RENDER).result == {"made": 0}
    assert heard(english, "water").language == "en-GB"


def test_the_accent_goes_to_google_too(google, english):
    google.voice.base_url = google.url + "/{tld}"
    choose(english, accent="en-GB")
    run(sounds.RENDER)
    run(sounds.IMPROVE)
    assert {path.split("/")[1] for path, _headers, _form in google.requests} == {"co.uk"}
    assert heard(english, "water").voice == "en@co.uk"


def test_a_list_spoken_by_espeak_alone_sends_nothing_away(google, english):
    choose(english, engine="espeak")
    run(sounds.RENDER)
    run(sounds.IMPROVE)
    assert google.requests == []
    assert heard(english, "water").engine == "espeak"


def test_espeak_can_be_preferred_where_google_has_spoken(google, english):
    run(sounds.RENDER)
    run(sounds.IMPROVE)
    assert heard(english, "water").engine == "gtts"
    choose(english, engine="espeak")
    assert heard(english, "water").engine == "espeak"
    choose(english, engine="gtts")
    assert heard(english, "water").engine == "gtts"


def test_one_word_may_have_google_in_a_list_spoken_by_espeak(google, english, teacher):
    choose(english, engine="espeak")
    entry = english.entries.get(term="water")
    sounds.choose_engine(entry=entry, engine="gtts", person=teacher)
    run(sounds.REMAKE)
    run(sounds.RENDER)
    run(sounds.IMPROVE)
    assert {asked[0] for asked in google.asked} == {"water"}
    assert (heard(english, "water").engine, heard(english, "tomato").engine) == ("gtts", "espeak")


def test_what_was_chosen_for_a_word_follows_the_lists_accent(english, teacher):
    entry = english.entries.get(term="water")
    sounds.choose_engine(entry=entry, engine="espeak", person=teacher)
    run(sounds.REMAKE)
    for accent in ("en-GB", "en-US", "en-GB"):
        choose(english, accent=accent)
        run(sounds.RENDER)
        chosen = heard(english, "water")
        assert (chosen.origin, chosen.language) == ("chosen", accent)


def test_a_word_that_is_changed_is_not_heard_as_it_was(english, teacher):
    entry = english.entries.get(term="water")
    sounds.choose_engine(entry=entry, engine="espeak", person=teacher)
    run(sounds.REMAKE)
    entry.set_term("whisky")
    entry.save()
    assert heard(english, "whisky") is None
    old = voices.cache().named(entry.pronunciations.get(speed="normal").file)
    spoken = playback.sound_of("whisky", english, entry_id=entry.pk)
    assert spoken != old
    sounds.request_all_anew(vocabulary_list=english, person=teacher)
    run(sounds.RENDER)
    assert (heard(english, "whisky").origin, heard(english, "whisky").text) == ("chosen", "whisky")


@pytest.mark.parametrize(
    ("engine", "accent"), [("gtts", ""), ("", "en-XX"), ("", "hr-HR"), ("espeak", "en-IN")]
)
def test_what_nobody_here_speaks_is_refused(english, engine, accent):
    with pytest.raises(ValidationError):
        choose(english, engine=engine, accent=accent)
    english.refresh_from_db()
    assert (english.voice_engine, english.accent) == ("", "")


def test_another_language_forgets_the_accent(english):
    choose(english, accent="en-GB")
    list_services.update_list(vocabulary_list=VocabularyList.objects.get(), language="de")
    assert VocabularyList.objects.get().accent == ""


def test_a_copy_sounds_like_its_original(english, teacher):
    choose(english, engine="espeak", accent="en-GB", is_spoken_slowly=True)
    english.refresh_from_db()
    copy = sharing.copy_list(original=english, owner=teacher)
    assert (copy.voice_engine, copy.accent, copy.is_spoken_slowly) == ("espeak", "en-GB", True)


def test_a_list_is_spoken_slowly_from_the_first_time_on(animals, make_puzzle, sign_in, student):
    run(sounds.RENDER)
    puzzle = make_puzzle("finder")
    placement = puzzle.placements.first()
    address = f"/api/play/{puzzle.code}/sound/{placement.slot}/"
    before = sign_in(student).get(address).content
    choose(animals, is_spoken_slowly=True)
    now = sign_in(student).get(address).content
    assert now != before
    assert now == sign_in(student).get(address, {"slow": "1"}).content


# ---- all of a list again ----


def spoil(vocabulary_list):
    for sound in Pronunciation.objects.filter(language=vocabulary_list.spoken_language):
        voices.cache().named(sound.file).write(b"spoiled")


def spoiled(speed):
    return sum(
        voices.cache().named(sound.file).read() == b"spoiled"
        for sound in Pronunciation.objects.filter(speed=speed)
    )


@pytest.mark.parametrize(("speeds", "left"), [("", (0, 0)), ("normal", (0, 12)), ("slow", (12, 0))])
def test_all_sounds_of_a_list_are_made_again(animals, sign_in, teacher, speeds, left):
    run(sounds.RENDER)
    version = VocabularyList.objects.get().sounds_version
    spoil(animals)
    sign_in(teacher).post(f"/lists/{animals.pk}/voice/anew/", {"speeds": speeds})
    page = sign_in(teacher).get(f"/lists/{animals.pk}/voice/").text
    assert f'hx-get="/lists/{animals.pk}/sounds/"' in page  # with progress
    assert run(sounds.RENDER).result["made"] == 24 - sum(left)
    assert (spoiled("normal"), spoiled("slow")) == left
    assert VocabularyList.objects.get().sounds_version > version


def test_without_asking_what_is_there_stays(animals):
    """The control: an ordinary job leaves the files alone."""
    run(sounds.RENDER)
    spoil(animals)
    list_services.write_rows(vocabulary_list=animals, rows=rows({"sova": "owl"}))
    run(sounds.RENDER)
    assert (spoiled("normal"), spoiled("slow")) == (12, 12)


def test_asked_twice_it_is_made_again_once(animals, teacher):
    run(sounds.RENDER)
    jobs = {
        sounds.request_all_anew(vocabulary_list=animals, person=teacher).pk for _time in range(3)
    }
    assert len(jobs) == 1


def test_google_makes_all_again_and_after_a_fault_only_the_rest(
    google,
    animals,
    teacher,
    monkeypatch,
):
    run(sounds.RENDER)
    run(sounds.IMPROVE)
    sounds.request_all_anew(vocabulary_list=animals, person=teacher, speeds=["normal"])
    run(sounds.RENDER)
    google.asked.clear()
    whole = google.voice.speak
    said = []

    def speak(text, language, *, slow=False):
        if len(said) == 5:
            google.fault = "500"
        said.append(text)
        return whole(text, language, slow=slow)

    monkeypatch.setattr(google.voice, "speak", speak)
    assert run(sounds.IMPROVE).state == Job.State.QUEUED
    monkeypatch.setattr(google.voice, "speak", whole)
    google.fault, google.clock = "", google.clock + 61
    google.asked.clear()
    assert run(sounds.IMPROVE).state == Job.State.DONE
    assert len(google.asked) == 7
    assert not any(slow for _text, _language, slow in google.asked)


# ---- the page ----


def test_a_teacher_chooses_voice_accent_and_speed_on_the_page(sign_in, teacher, english):
    client = sign_in(teacher)
    page = client.get(f"/lists/{english.pk}/voice/").text
    assert "United Kingdom" in page
    wanted = {"engine": "espeak", "accent": "en-GB", "is_spoken_slowly": "on"}
    assert client.post(f"/lists/{english.pk}/voice/", wanted).status_code == 302
    english.refresh_from_db()
    assert (english.voice_engine, english.accent, english.is_spoken_slowly) == (
        "espeak",
        "en-GB",
        True,
    )


def test_a_language_with_one_accent_asks_for_none(sign_in, teacher, animals):
    page = sign_in(teacher).get(f"/lists/{animals.pk}/voice/").text
    assert "Accent" not in page
    sign_in(teacher).post(f"/lists/{animals.pk}/voice/", {"engine": "espeak"})
    animals.refresh_from_db()
    assert animals.voice_engine == "espeak"


def test_who_may_not_edit_changes_no_voice(sign_in, stranger, student, animals):
    for person in (stranger, student):
        client = sign_in(person)
        for path in ("voice/", "voice/anew/"):
            assert client.post(f"/lists/{animals.pk}/{path}", {}).status_code == 404
    assert Job.objects.filter(kind=sounds.RENDER).count() == 1
