"""Only whole MP3s are kept, under names and in sizes that tell nothing."""

import threading

import numpy as np
import pytest

from osmosmjerka.storage.media import MediaFolder
from vocab.speech import mp3
from vocab.speech.cache import BLOCK, SoundCache, SoundKey
from vocab.speech.engine import CannotSpeak, NotASound, Sound
from vocab.speech.espeak import Espeak

KEY = SoundKey(engine="espeak", voice="zls/hr", language="hr", text="kuća")


@pytest.fixture(scope="module")
def sound():
    return Espeak().speak("kuća", "hr")


@pytest.fixture
def cache(tmp_path):
    return SoundCache(MediaFolder(tmp_path), secret="a secret")


def files(cache):
    return list(cache.storage.files())


def test_an_mp3_is_measured_by_its_frames(sound, decode):
    samples, rate = decode(sound.mp3)
    assert mp3.checked(sound.mp3).seconds == pytest.approx(len(samples) / rate)


@pytest.mark.parametrize(
    "broken",
    [
        lambda data: b"",
        lambda data: b"<!doctype html><html><body>Sorry</body></html>",
        lambda data: data[:-1],
        lambda data: data[: len(data) // 2],
        lambda data: data[1:],
        lambda data: data + b"\n",
        lambda data: data[:500] + b"\0" + data[500:],
        lambda data: b"RIFF" + data,
        lambda data: b"ID3\x04\0\0\0\0\0\x10",
        lambda data: b"ID3",
    ],
)
def test_anything_but_whole_frames_is_no_mp3(sound, broken):
    with pytest.raises(NotASound):
        mp3.checked(broken(sound.mp3))


def test_every_truncation_is_seen_unless_it_falls_between_two_frames(sound):
    whole = []
    for length in range(len(sound.mp3)):
        try:
            whole.append(mp3.checked(sound.mp3[:length]).seconds)
        except NotASound:
            continue
    assert len(whole) < sound.seconds / (576 / 22050) + 5


def test_tags_at_both_ends_are_dropped(sound):
    tagged = b"ID3\x03\0\0\0\0\0\x05hello" + sound.mp3 + b"TAG".ljust(128, b"\0")
    assert mp3.checked(tagged).data == sound.mp3


@pytest.mark.parametrize("block", [512, 4096, 16384])
def test_a_padded_mp3_has_a_round_size_and_the_same_sound(sound, decode, block):
    filled = mp3.padded(sound.mp3, block)
    assert len(filled) % block == 0
    assert np.array_equal(decode(filled)[0], decode(sound.mp3)[0])
    assert len(mp3.padded(filled, block)) == len(filled)


def test_a_sound_is_found_after_it_was_put_and_not_before(cache, sound):
    assert cache.find(KEY) is None
    path = cache.put(KEY, sound)
    assert cache.find(KEY) == path
    assert mp3.checked(path.read()).data == sound.mp3
    cache.storage.delete(path.name)
    assert cache.find(KEY) is None


def test_all_words_of_a_puzzle_have_files_of_one_size(cache):
    espeak = Espeak()
    words = ["a", "kuća", "prijateljica", "najljepša hvala", "dvadeset i četiri"]
    sounds = [espeak.speak(word, "hr", slow=slow) for word in words for slow in (False, True)]
    paths = [
        cache.put(SoundKey("espeak", "zls/hr", "hr", f"{index} a"), sound)
        for index, sound in enumerate(sounds)
    ]
    assert len({len(sound.mp3) for sound in sounds}) > 5
    assert {path.size() for path in paths} == {BLOCK}


def test_a_name_tells_nothing_and_depends_on_the_secret(cache, tmp_path, sound):
    path = cache.put(KEY, sound)
    other = SoundCache(MediaFolder(tmp_path), secret="another")
    assert "ku" not in path.name
    assert path.name != other.file(KEY).name
    assert b"ku\xc4\x87a" not in path.read()


def test_every_part_of_the_key_counts_and_spelling_variants_do_not(cache):
    different = [
        KEY,
        SoundKey("google", "zls/hr", "hr", "kuća"),
        SoundKey("espeak", "zls/bs", "hr", "kuća"),
        SoundKey("espeak", "zls/hr", "sr", "kuća"),
        SoundKey("espeak", "zls/hr", "hr", "kuca"),
        SoundKey("espeak", "zls/hr", "hr", "kuća", slow=True),
    ]
    assert len({cache.name(key) for key in different}) == len(different)
    decomposed = SoundKey("espeak", "zls/hr", "HR", " kuc\u0301a\u200b ")
    assert cache.name(decomposed) == cache.name(KEY)
    with pytest.raises(CannotSpeak):
        cache.name(SoundKey("espeak", "zls/hr", "hr", "?"))


def test_a_bad_sound_leaves_the_good_one_and_no_rubbish(cache, sound):
    cache.put(KEY, sound)
    with pytest.raises(NotASound):
        cache.put(KEY, Sound(sound.mp3[:-7], 1.0, "espeak", "zls/hr"))
    assert len(files(cache)) == 1
    assert mp3.checked(cache.file(KEY).read()).data == sound.mp3


def test_a_failed_write_leaves_nothing(cache, sound, monkeypatch):
    def full(descriptor):
        raise OSError("No space left on device")

    monkeypatch.setattr("osmosmjerka.storage.files.os.fsync", full)
    with pytest.raises(OSError, match="No space"):
        cache.put(KEY, sound)
    assert files(cache) == []


def test_readers_never_see_half_a_file(cache, sound):
    cache.put(KEY, sound)
    stop, broken = threading.Event(), []

    def read():
        while not stop.is_set():
            try:
                mp3.checked(cache.file(KEY).read())
            except (NotASound, OSError) as error:
                broken.append(error)

    reader = threading.Thread(target=read)
    reader.start()
    for _ in range(100):
        cache.put(KEY, sound)
    stop.set()
    reader.join()
    assert broken == []
