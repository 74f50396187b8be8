"""A teacher's own recording is checked, bounded and encoded again."""

import io
import random
import tracemalloc

import numpy as np
import pytest
import soundfile

from vocab.speech import mp3
from vocab.speech.engine import NotASound
from vocab.speech.recordings import recorded_sound

FORMATS = [
    ("WAV", "PCM_16", 48000),
    ("WAV", "FLOAT", 44100),
    ("WAV", "PCM_U8", 8000),
    ("WAVEX", "PCM_24", 96000),
    ("MP3", "MPEG_LAYER_III", 48000),
    ("OGG", "VORBIS", 44100),
    ("OGG", "OPUS", 48000),
    ("FLAC", "PCM_16", 44100),
]


def recording(*, form="WAV", subtype="PCM_16", rate=48000, seconds=1.0, level=0.3, channels=2):
    """Return a tone of 440 Hz, with half a second of silence before and behind."""
    time = np.arange(int(seconds * rate)) / rate
    tone = level * np.sin(2 * np.pi * 440 * time)
    silence = np.zeros(rate // 2)
    samples = np.concatenate([silence, tone, silence])
    file = io.BytesIO()
    soundfile.write(file, np.stack([samples] * channels, 1), rate, format=form, subtype=subtype)
    return file.getvalue()


@pytest.mark.parametrize(("form", "subtype", "rate"), FORMATS)
def test_what_people_record_in_becomes_an_mp3_with_the_same_tone(decode, form, subtype, rate):
    sound = recorded_sound(recording(form=form, subtype=subtype, rate=rate))
    samples, new_rate = decode(sound.mp3)
    assert mp3.checked(sound.mp3).seconds == pytest.approx(len(samples) / new_rate)
    pitch = np.abs(np.fft.rfft(samples)).argmax() * new_rate / len(samples)
    assert pitch == pytest.approx(440, abs=3)
    assert sound.engine == "recording"


def test_silence_at_the_ends_is_cut_and_a_quiet_voice_raised(decode):
    loud = recorded_sound(recording(level=0.8))
    quiet = recorded_sound(recording(level=0.05))
    assert 1.0 < quiet.seconds < 1.3
    levels = [np.sqrt(np.mean(decode(sound.mp3)[0] ** 2)) for sound in (loud, quiet)]
    assert levels[0] == pytest.approx(levels[1], rel=0.1)


def test_nothing_of_the_uploaded_file_but_its_sound_is_kept():
    tag = b"TXXX\0\0\0\x20\0\0\0recorded at 5 Some Street, home\0"
    data = b"ID3\x03\0\0\0\0\0" + bytes([len(tag)]) + tag
    sound = recorded_sound(data + recording(form="MP3", subtype="MPEG_LAYER_III"))
    assert b"Some Street" not in sound.mp3
    assert sound.mp3[0] == 0xFF


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "sound file cannot be read"),
        (b"<html>hello</html>", "sound file cannot be read"),
        (b"\x1a\x45\xdf\xa3webm", "sound file cannot be read"),
        (recording(form="AIFF"), "sound file cannot be read"),
        (b"RIFF\x00\x00\x00\x00WAVE" + b"\xff" * 500, "damaged"),
        (b"OggS" + b"\0" * 500, "damaged"),
        (b"ID3" + b"\0" * 500, "damaged"),
        (recording(seconds=15), "longer than 15 seconds"),
        (recording(level=0), "silent"),
        (recording()[:1000], "shorter than 0.1"),
        (b"RIFF" + b"\0" * 5 * 2**20, "at most 5 MB"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_no_usable_recording_is_refused_with_the_reason(data, reason):
    with pytest.raises(NotASound, match=reason):
        recorded_sound(data)


def test_a_small_file_that_holds_ten_minutes_is_not_unpacked():
    file = io.BytesIO()
    soundfile.write(file, np.zeros(48000 * 600, np.int16), 48000, format="FLAC")
    data = file.getvalue()
    assert len(data) < 2**18
    tracemalloc.start()
    with pytest.raises(NotASound, match="longer than 15 seconds"):
        recorded_sound(data)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 20 * 2**20


def test_damaged_files_end_in_a_sentence_or_a_sound():
    """Flip, cut and repeat bytes: nothing but NotASound may come out, and it comes out."""
    rng = random.Random(4)
    originals = [
        recording(form=form, subtype=subtype, rate=rate, seconds=0.2)
        for form, subtype, rate in FORMATS
    ]
    outcomes = {"sound": 0, "refused": 0}
    for _ in range(300):
        data = bytearray(rng.choice(originals))
        for _ in range(rng.randint(1, 8)):
            data[rng.randrange(min(len(data), 200))] = rng.randrange(256)
        if rng.random() < 0.3:
            del data[rng.randrange(len(data)) :]
        try:
            mp3.checked(recorded_sound(bytes(data)).mp3)
            outcomes["sound"] += 1
        except NotASound:
            outcomes["refused"] += 1
    assert min(outcomes.values()) > 10
