"""A list's sounds are made behind the teacher's back; the best there is is heard."""

import io
from datetime import timedelta

import pytest
import soundfile
import trustme
from django.utils import timezone
from django.utils.formats import time_format

from osmosmjerka.jobs import ledger
from osmosmjerka.jobs.models import Job
from osmosmjerka.storage.media import media
from tests.conftest import rows
from tests.layers import daily
from tests.vocab.speech.google_server import GoogleServer, closed_port
from vocab.lists import services as list_services
from vocab.models import Pronunciation, VocabularyList
from vocab.sentences import said
from vocab.sounds import playback, render, voices
from vocab.sounds import services as sounds

pytestmark = [pytest.mark.django_db, pytest.mark.database]


def run(kind):
    """Do the waiting jobs of a kind, as a worker does; return the last."""
    done = None
    for job in Job.objects.filter(kind=kind, state=Job.State.QUEUED):
        ledger.run_job(str(job.pk))
        done = Job.objects.get(pk=job.pk)
    return done


def decoded(path):
    return soundfile.read(io.BytesIO(path.read()))


def engines(text, language="hr"):
    found = Pronunciation.objects.filter(text=text, language=language, state="ready")
    return sorted(found.values_list("engine", "speed"))


def test_saving_words_asks_once_for_the_sounds_of_that_version(animals):
    assert Job.objects.filter(kind=sounds.RENDER).count() == 1
    animals.refresh_from_db()
    sounds.request_sounds(vocabulary_list=animals)
    assert Job.objects.filter(kind=sounds.RENDER).count() == 1
    list_services.write_rows(vocabulary_list=animals, rows=rows({"sova": "owl"}))
    assert Job.objects.filter(kind=sounds.RENDER).count() == 2


def test_a_list_without_new_words_asks_for_nothing(animals):
    list_services.write_rows(vocabulary_list=animals, rows=rows({"guska": "goose"}))
    assert Job.objects.filter(kind=sounds.RENDER).count() == 1


def test_each_word_is_spoken_normally_and_slowly(animals):
    assert run(sounds.RENDER).result == {"made": 24}
    assert engines("krokodil") == [("espeak", "normal"), ("espeak", "slow")]
    files = {
        sound.speed: voices.cache().named(sound.file)
        for sound in Pronunciation.objects.filter(text="krokodil")
    }
    (normal, rate), (slow, _rate) = decoded(files["normal"]), decoded(files["slow"])
    assert 0.2 < len(normal) / rate < 3
    assert len(slow) > 1.2 * len(normal)


def test_only_what_is_missing_is_made(animals):
    run(sounds.RENDER)
    list_services.write_rows(vocabulary_list=animals, rows=rows({"sova": "owl"}))
    assert run(sounds.RENDER).result == {"made": 2}


def test_a_file_that_was_lost_is_made_again(animals):
    run(sounds.RENDER)
    lost = Pronunciation.objects.get(text="labud", speed="slow")
    media().delete(voices.cache().named(lost.file).name)
    list_services.write_rows(vocabulary_list=animals, rows=rows({"sova": "owl"}))
    assert run(sounds.RENDER).result == {"made": 3}
    assert Pronunciation.objects.filter(text="labud").count() == 2


def test_an_older_version_leaves_the_work_to_the_newer(animals):
    old = Job.objects.get(kind=sounds.RENDER)
    list_services.write_rows(vocabulary_list=animals, rows=rows({"sova": "owl"}))
    ledger.run_job(str(old.pk))
    assert not Pronunciation.objects.exists()


def test_a_list_that_got_another_title_keeps_its_job(animals):
    list_services.update_list(vocabulary_list=animals, title="Animals")
    assert run(sounds.RENDER).result == {"made": 24}


def test_another_language_is_spoken_again(animals):
    run(sounds.RENDER)
    animals.refresh_from_db()
    list_services.update_list(vocabulary_list=animals, language="sl")
    assert run(sounds.RENDER).result == {"made": 24}
    assert engines("labud", "sl") == [("espeak", "normal"), ("espeak", "slow")]


def test_a_word_that_cannot_be_spoken_is_remembered_with_the_reason(animals):
    list_services.write_rows(
        vocabulary_list=animals, rows=rows({"猫": "cat in Japanese", "?!": "what"})
    )
    run(sounds.RENDER)
    silent = Pronunciation.objects.get(text="猫", speed="normal")
    assert (silent.state, silent.file) == ("none", "")
    assert "猫" in silent.reason
    assert not Pronunciation.objects.filter(text="?!").exists()


def test_the_same_word_of_two_lists_is_spoken_once(animals, teacher):
    run(sounds.RENDER)
    list_services.create_list(
        owner=teacher,
        title="Again",
        language="hr",
        translation_languages=["en"],
        rows=rows({"labud": "swan", "roda": "stork"}),
    )
    assert run(sounds.RENDER).result == {"made": 2}


def test_google_replaces_espeak_once_it_answers(google, animals):
    entry = animals.entries.get(term="labud")
    run(sounds.RENDER)
    assert playback.heard([entry], animals)[entry.pk].engine == "espeak"
    before = playback.sound_of("labud", animals)
    version = VocabularyList.objects.get().sounds_version
    assert run(sounds.IMPROVE).result == {"made": 24}
    assert playback.heard([entry], animals)[entry.pk].engine == "gtts"
    assert playback.sound_of("labud", animals) != before
    assert VocabularyList.objects.get().sounds_version > version
    assert [asked[2] for asked in google.asked] == [None] * 12 + [True] * 12


FAULTS = ["hang", "drip", "403", "429", "500", "html", "truncated", "empty", "huge"]


@pytest.fixture
def impostor():
    """A service whose certificate nobody signed who is trusted."""
    server = GoogleServer(certificate=trustme.CA().issue_cert("localhost"))
    yield server
    server.close()


# That each fault is noticed, test_google.py says; here is what follows from it.
@pytest.mark.parametrize(
    "fault", daily("drip", "429", "certificate", of=[*FAULTS, "refused", "certificate"])
)
def test_while_google_fails_espeak_speaks_and_better_sounds_arrive_later(
    fault, google, impostor, animals, make_puzzle, sign_in, student
):
    run(sounds.RENDER)
    if fault == "refused":
        google.voice.base_url = f"http://127.0.0.1:{closed_port()}"
    elif fault == "certificate":
        google.voice.base_url = impostor.url
    else:
        google.fault = fault
    job = run(sounds.IMPROVE)
    assert (job.state, job.attempts) == (Job.State.QUEUED, 0)
    assert job.message
    assert (job.ready_at - job.created_at).total_seconds() > 45
    assert len(google.requests) <= 5
    assert not Pronunciation.objects.filter(engine="gtts").exists()
    assert impostor.requests == []
    # A game of the list is played as ever, each word heard.
    puzzle = make_puzzle("finder")
    player = sign_in(student)
    for item in player.get(f"/api/play/{puzzle.code}/").json()["items"]:
        reply = player.get(item["clue"]["sound"])
        samples, rate = soundfile.read(io.BytesIO(reply.content))
        assert 0.2 < len(samples) / rate < 3
        assert samples.any()

    google.fault, google.voice.base_url = "", google.url
    google.clock += 61
    assert run(sounds.IMPROVE).state == Job.State.DONE
    assert Pronunciation.objects.filter(engine="gtts", state="ready").count() == 24


def test_after_five_failures_google_is_left_alone_for_a_minute(google, animals):
    run(sounds.RENDER)
    google.fault = "500"
    run(sounds.IMPROVE)
    assert google.voice.circuit.is_open
    google.fault = ""
    run(sounds.IMPROVE)
    assert len(google.requests) == 5
    told = said(Job.objects.get(kind=sounds.IMPROVE).message)
    assert "not available at the moment" in told and "second" not in told
    google.clock += 61
    run(sounds.IMPROVE)
    assert not google.voice.circuit.is_open
    assert len(google.requests) == 5 + 24


def test_while_google_is_away_one_list_looks_every_minute_and_then_calls_the_others(
    google, animals, teacher
):
    for number in range(2):
        list_services.create_list(
            owner=teacher,
            title=str(number),
            language="hr",
            translation_languages=["en"],
            rows=rows({f"riječ{'abc'[number]}": "word"}),
        )
    for job in Job.objects.filter(kind=sounds.RENDER):
        ledger.run_job(str(job.pk))
    jobs = Job.objects.filter(kind=sounds.IMPROVE)
    long_ago = timezone.now() - timedelta(minutes=40)
    jobs.update(created_at=long_ago, ready_at=long_ago)
    google.fault = "500"
    for job in jobs:
        ledger.run_job(str(job.pk))

    def waits():
        waiting = jobs.filter(state=Job.State.QUEUED)
        return sorted((job.ready_at - timezone.now()).total_seconds() // 60 for job in waiting)

    assert waits()[0] == 0, "one looks within a minute"
    assert waits()[1] >= 39, "the others need not"
    google.fault = ""
    google.clock += 61
    ledger.run_job(str(jobs.order_by("ready_at").first().pk))
    assert set(waits()) == {-1}, "they go on at once"


def test_what_google_will_not_say_is_not_asked_again(google, animals):
    run(sounds.RENDER)
    google.fault = "without_sound"
    assert run(sounds.IMPROVE).state == Job.State.DONE
    assert Pronunciation.objects.filter(engine="gtts", state="none").count() == 24
    assert decoded(playback.sound_of("labud", animals))[0].any()


def test_turned_off_no_word_leaves(google, settings, animals):
    settings.GTTS_ENABLED = False
    run(sounds.RENDER)
    assert not Job.objects.filter(kind=sounds.IMPROVE).exists()
    assert google.requests == []


def test_a_long_list_lets_others_in_and_goes_on(google, animals, monkeypatch):
    run(sounds.RENDER)
    monkeypatch.setattr(render, "_TURN_SECONDS", -1)
    job = run(sounds.IMPROVE)
    assert (job.state, job.attempts) == (Job.State.QUEUED, 0)


def test_a_language_without_a_voice_asks_for_nothing(teacher):
    list_services.create_list(
        owner=teacher,
        title="Klingon",
        language="tlh",
        translation_languages=["en"],
        rows=rows({"qagh": "worms"}),
    )
    assert not Job.objects.exists()
    assert not playback.is_speakable("tlh")


def test_the_list_page_says_when_google_is_tried_again_not_after_how_many_seconds(
    google, animals, sign_in, teacher
):
    run(sounds.RENDER)
    google.fault = "500"
    run(sounds.IMPROVE)
    job = Job.objects.get(kind=sounds.IMPROVE)
    at = timezone.now() + timedelta(minutes=30)
    Job.objects.filter(pk=job.pk).update(ready_at=at)
    page = sign_in(teacher)
    shown = page.get(f"/lists/{animals.pk}/sounds/").content.decode()
    assert f"Next attempt: {time_format(timezone.localtime(at), 'TIME_FORMAT')}" in shown
    assert "seconds" not in shown and "500" not in shown
    # The text is stored; that the time has passed is seen when it is shown.
    Job.objects.filter(pk=job.pk).update(ready_at=timezone.now() - timedelta(minutes=1))
    assert "Next attempt" not in page.get(f"/lists/{animals.pk}/sounds/").content.decode()
