"""The sounds that come with an imported Anki package are heard, checked and encoded again."""

import io

import numpy as np
import pytest
import soundfile
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from tests.vocab.formats.bombs import MP3
from tests.vocab.sounds.test_sound_pages import run_all
from vocab.formats import apkg
from vocab.formats.rows import Row
from vocab.imports import services as imports
from vocab.lists import services as list_services
from vocab.lists import sharing
from vocab.models import Pronunciation
from vocab.sentences import said
from vocab.sounds import playback, recordings
from vocab.sounds import services as sounds
from vocab.speech.cache import BLOCK

pytestmark = pytest.mark.django_db


def tone(hertz=440, form="WAV", seconds=0.5):
    wave = 0.4 * np.sin(np.arange(int(44_100 * seconds)) * hertz * 2 * np.pi / 44_100)
    file = io.BytesIO()
    soundfile.write(file, wave, 44_100, format=form)
    return file.getvalue()


def pitch(data):
    samples, rate = soundfile.read(io.BytesIO(data))
    return round(np.abs(np.fft.rfft(samples)).argmax() * rate / len(samples), -1)


def package(sounds_of_terms):
    media = {f"{term}.{kind}": data for term, (kind, data) in sounds_of_terms.items()}
    return apkg.write(
        [
            Row(term=term, translations={"": ["x"]}, audio=f"{term}.{kind}", line=line)
            for line, (term, (kind, _data)) in enumerate(sounds_of_terms.items(), 1)
        ],
        media=media,
    )


@pytest.fixture
def make_import(teacher):
    def make(files, vocabulary_list):
        dry = imports.start_import(
            vocabulary_list=vocabulary_list,
            created_by=teacher,
            file=SimpleUploadedFile("words.apkg", package(files)),
        )
        imports.apply_import(import_=dry)
        return dry

    return make


@pytest.fixture
def empty(teacher):
    return list_services.create_list(
        owner=teacher, title="Anki", language="hr", translation_languages=["en"]
    )


def heard(vocabulary_list, term, speed="normal"):
    entry = vocabulary_list.entries.get(term=term)
    return playback.heard([entry], vocabulary_list, speed=speed).get(entry.pk)


def test_a_packages_sound_is_heard_encoded_again_and_named_by_its_origin(
    make_import, empty, sign_in, teacher
):
    recording = tone(880)
    make_import({"pas": ("wav", recording)}, empty)
    run_all()
    sound = heard(empty, "pas")
    assert (sound.engine, sound.origin, sound.state) == ("recording", "file", "ready")
    entry = empty.entries.get()
    client = sign_in(teacher)
    played = client.get(f"/entries/{entry.pk}/sound/normal/").content
    assert pitch(played) == 880
    assert recording[:4] not in played
    assert len(played) % BLOCK == 0
    assert "From an imported file" in client.get(f"/entries/{entry.pk}/sound/").text
    assert heard(empty, "pas", "slow").engine == "espeak"


@pytest.mark.parametrize(
    ("kind", "data", "reason"),
    [
        ("mp3", MP3, "silent"),
        ("wav", tone(seconds=20), "longer than 15 seconds"),
        ("m4a", b"\0\0\0\x20ftypM4A \0\0\0\0" + bytes(200), "Use WAV, MP3, Ogg or FLAC"),
    ],
)
def test_what_cannot_be_used_is_told_and_a_voice_speaks(make_import, empty, kind, data, reason):
    make_import({"pas": (kind, data)}, empty)
    run_all()
    refused = Pronunciation.objects.get(entry__vocabulary_list=empty)
    assert (refused.state, refused.file) == ("none", "")
    assert reason in said(refused.reason) or "damaged" in said(refused.reason)
    assert heard(empty, "pas").engine == "espeak"


def test_a_lost_file_is_told(make_import, empty, settings):
    make_import({"pas": ("wav", tone())}, empty)
    for path in (settings.MEDIA_ROOT / "entries").iterdir():
        path.unlink()
    run_all()
    assert "no longer exists" in said(Pronunciation.objects.get(origin="file").reason)


def test_what_a_teacher_chose_stays_and_given_back_the_file_is_heard(make_import, empty, teacher):
    make_import({"pas": ("wav", tone(880))}, empty)
    entry = empty.entries.get()
    recordings.keep_recording(entry=entry, data=tone(220), speed="normal", is_recorded=True)
    run_all()
    assert heard(empty, "pas").origin == "recorded"
    sounds.choose_engine(entry=entry, engine="", person=teacher)
    assert heard(empty, "pas").origin == "file"
    sounds.choose_engine(entry=entry, engine="espeak", person=teacher)
    run_all()
    assert (heard(empty, "pas").origin, heard(empty, "pas").engine) == ("chosen", "espeak")


def test_another_import_brings_its_own_sound(make_import, empty):
    make_import({"pas": ("wav", tone(880))}, empty)
    run_all()
    before = heard(empty, "pas").file
    make_import({"pas": ("wav", tone(440))}, empty)
    run_all()
    assert heard(empty, "pas").file != before
    assert pitch(playback.sound_of("pas", empty, entry_id=empty.entries.get().pk).read())


def test_undoing_the_import_removes_the_sound(make_import, empty):
    first = make_import({"pas": ("wav", tone(880))}, empty)
    run_all()
    second = make_import({"pas": ("wav", tone(440))}, empty)
    run_all()
    assert heard(empty, "pas").source
    later = heard(empty, "pas").file
    imports.undo_import(import_=second)
    run_all()
    assert heard(empty, "pas").file != later
    first.refresh_from_db()
    imports.undo_import(import_=first)
    run_all()
    assert not empty.entries.exists()


def test_a_copied_list_has_the_sound_too(make_import, empty, teacher):
    make_import({"pas": ("wav", tone(880))}, empty)
    run_all()
    copy = sharing.copy_list(original=empty, owner=teacher)
    run_all()
    assert heard(copy, "pas").file == heard(empty, "pas").file


def test_a_language_without_a_voice_is_heard_from_the_file(make_import, teacher, make_puzzle):
    klingon = list_services.create_list(
        owner=teacher, title="Klingon", language="tlh", translation_languages=["en"]
    )
    make_import({"qagh": ("wav", tone(880)), "mon": ("wav", tone(440))}, klingon)
    run_all()
    assert heard(klingon, "qagh").origin == "file"
    assert timezone.now() >= heard(klingon, "mon").updated_at
