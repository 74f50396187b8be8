"""What a teacher hears, sees and changes of a list's sounds."""

import io

import numpy as np
import pytest
import soundfile
from django.core.files.uploadedfile import SimpleUploadedFile

from osmosmjerka.jobs import ledger
from osmosmjerka.jobs.models import Job
from tests.conftest import rows
from vocab.lists import services as list_services
from vocab.models import Pronunciation
from vocab.sounds import playback, voices
from vocab.sounds import services as sounds

pytestmark = pytest.mark.django_db


def run_all():
    for job in Job.objects.filter(state=Job.State.QUEUED):
        ledger.run_job(str(job.pk))


def tone(seconds=0.5):
    wave = 0.4 * np.sin(np.linspace(0, 440 * 2 * np.pi * seconds, int(44_100 * seconds)))
    file = io.BytesIO()
    soundfile.write(file, wave, 44_100, format="WAV")
    return file.getvalue()


def send(client, entry, data, **fields):
    form = {"action": "recording", "speed": "normal", "is_recorded": ""} | fields
    upload = SimpleUploadedFile("mine.wav", data, content_type="audio/wav")
    return client.post(f"/entries/{entry.pk}/sound/", form | {"sound": upload}, follow=True)


def heard(entry, speed="normal"):
    return playback.heard([entry], entry.vocabulary_list, speed=speed).get(entry.pk)


def test_the_list_page_tells_how_far_its_sounds_are(client, animals):
    page = client.get(f"/lists/{animals.pk}/").content.decode()
    assert f'hx-get="/lists/{animals.pk}/sounds/"' in page
    assert "No sound yet" in page
    run_all()
    assert "hx-get" not in client.get(f"/lists/{animals.pk}/sounds/").content.decode()
    assert "Built-in voice" in client.get(f"/lists/{animals.pk}/").content.decode()


@pytest.mark.parametrize(
    ("language", "words", "said"),
    [
        ("ja", ["猫", "犬", "ねこ"], "2 words cannot be heard yet."),
        ("ja", ["猫", "ねこ"], "1 word cannot be heard yet."),
        ("ja", ["猫（ねこ）", "学校「がっこう」", "話[はな]す"], "Every word"),
        ("hr", ["mačka", "😀"], "1 word cannot be heard yet."),
        ("hr", ["mačka", "pas"], "Every word"),
    ],
)
@pytest.mark.parametrize("message", ["", "The service is away."])
def test_the_list_page_says_that_every_word_is_heard_only_if_it_is_so(
    message, language, words, said, client, teacher
):
    vocabulary_list = list_services.create_list(
        owner=teacher,
        title="Sounds",
        language=language,
        translation_languages=["en"],
        rows=rows(dict.fromkeys(words, "meaning")),
    )
    run_all()
    Job.objects.filter(kind=sounds.IMPROVE).delete()
    job = ledger.enqueue(
        sounds.IMPROVE, key="improve", owner=teacher, subject=vocabulary_list, queue=sounds.QUEUE
    )
    Job.objects.filter(pk=job.pk).update(message=message)
    page = client.get(f"/lists/{vocabulary_list.pk}/sounds/").content.decode()
    assert said in page
    assert ("Every word" in page) is (said == "Every word")


def test_a_recording_of_the_teacher_is_heard(client, teacher):
    vocabulary_list = list_services.create_list(
        owner=teacher,
        title="犬",
        language="ja",
        translation_languages=["en"],
        rows=rows({"犬": "dog"}),
    )
    run_all()
    assert playback.count_silent(vocabulary_list) == 1
    send(client, vocabulary_list.entries.get(), tone())
    assert playback.count_silent(vocabulary_list) == 0


def test_the_list_page_tells_when_the_sounds_could_not_be_made(client, animals):
    Job.objects.filter(kind=sounds.RENDER).update(state=Job.State.FAILED)
    assert "when it is first played" in client.get(f"/lists/{animals.pk}/sounds/").content.decode()


def test_a_teacher_hears_a_word_normally_and_slowly(client, entry):
    replies = [client.get(f"/entries/{entry.pk}/sound/{speed}/") for speed in ("normal", "slow")]
    normal, slow = (soundfile.read(io.BytesIO(reply.content))[0] for reply in replies)
    assert len(slow) > len(normal)


def test_a_word_that_nobody_can_say_has_no_sound(client, animals):
    list_services.write_rows(vocabulary_list=animals, rows=rows({"?!": "what"}))
    silent = animals.entries.get(term="?!")
    assert client.get(f"/entries/{silent.pk}/sound/normal/").status_code == 404
    client.post(f"/entries/{silent.pk}/sound/", {"action": "remake", "speed": "slow"})
    assert not Job.objects.filter(kind=sounds.REMAKE).exists()


@pytest.mark.parametrize("is_recorded", ["", "on"])
def test_a_teachers_own_sound_is_checked_encoded_and_heard(client, entry, is_recorded):
    run_all()
    page = send(client, entry, tone(), is_recorded=is_recorded).content.decode()
    sound = heard(entry)
    assert (sound.engine, sound.origin) == ("recording", "recorded" if is_recorded else "uploaded")
    assert sound.get_origin_display() in page
    data = client.get(f"/entries/{entry.pk}/sound/normal/").content
    samples, _rate = soundfile.read(io.BytesIO(data))
    assert abs(samples).max() > 0.1
    assert b"RIFF" not in data
    assert heard(entry, "slow").engine == "espeak"
    entry.vocabulary_list.refresh_from_db()
    assert entry.vocabulary_list.sounds_version > 0


def test_another_lists_word_keeps_its_sound(client, entry, teacher):
    other = list_services.create_list(
        owner=teacher,
        title="Other",
        language="hr",
        translation_languages=["en"],
        rows=rows({"labud": "swan"}),
    )
    run_all()
    send(client, entry, tone())
    assert heard(other.entries.get()).engine == "espeak"


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"<html>no sound</html>", "cannot be read"),
        (tone(20), "longer than 15 seconds"),
        (b"", "empty"),
    ],
)
def test_what_is_no_sound_is_refused_with_the_reason(client, entry, data, reason):
    assert reason in send(client, entry, data).content.decode()
    assert heard(entry) is None


def test_a_file_that_is_too_large_is_refused(client, entry):
    page = send(client, entry, bytes(5 * 1024 * 1024 + 1)).content.decode()
    assert "larger than 5 MB" in page


def test_a_chosen_voice_is_used_and_can_be_given_back(client, entry, settings):
    send(client, entry, tone())
    path = f"/entries/{entry.pk}/sound/"
    client.post(path, {"action": "engine", "engine": "espeak"})
    run_all()
    assert (heard(entry).engine, heard(entry).origin) == ("espeak", "chosen")
    assert heard(entry, "slow").origin == "chosen"
    client.post(path, {"action": "engine", "engine": ""})
    assert heard(entry).origin == "made"


def test_a_voice_that_is_turned_off_cannot_be_chosen(client, entry, teacher):
    from django.core.exceptions import ValidationError

    page = client.post(f"/entries/{entry.pk}/sound/", {"action": "engine", "engine": "gtts"})
    assert page.status_code == 200
    with pytest.raises(ValidationError, match="turned off"):
        sounds.choose_engine(entry=entry, engine="gtts", person=teacher)
    assert not entry.pronunciations.exists()


def test_a_sound_is_made_again(client, entry):
    run_all()
    path = voices.cache().named(heard(entry, "slow").file)
    path.write(b"spoiled")
    client.post(f"/entries/{entry.pk}/sound/", {"action": "remake", "speed": "slow"})
    run_all()
    assert path.read() != b"spoiled"
    assert Pronunciation.objects.filter(text="labud").count() == 2


def test_a_stranger_sees_and_changes_nothing(sign_in, stranger, student, entry):
    for person in (stranger, student):
        client = sign_in(person)
        assert client.get(f"/entries/{entry.pk}/sound/").status_code == 404
        assert client.get(f"/entries/{entry.pk}/sound/normal/").status_code == 404
        assert client.get(f"/lists/{entry.vocabulary_list_id}/sounds/").status_code == 404
        assert send(client, entry, tone()).status_code == 404
    assert not Pronunciation.objects.exists()


def test_a_colleague_may_listen_but_not_change(sign_in, make_person, school, entry):
    entry.vocabulary_list.visibility = "school"
    entry.vocabulary_list.save()
    client = sign_in(make_person("teacher", school))
    page = client.get(f"/entries/{entry.pk}/sound/")
    assert page.status_code == 200
    assert "Use this sound" not in page.content.decode()
    assert send(client, entry, tone()).status_code == 404
