"""The offline engine speaks: its MP3s are decoded by another library and listened to."""

import io
import json
import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import espeakng_loader
import numpy as np
import pytest

from tests.services import wait_until
from vocab.models import Entry, VocabularyList
from vocab.sounds.voices import said_of
from vocab.speech import espeak_ng, espeak_process
from vocab.speech.engine import CannotSpeak, SpeechError
from vocab.speech.espeak import Espeak
from vocab.speech.espeak_ng import EspeakFailed
from vocab.speech.homophones import sound_alike, sound_key

ROOT = Path(__file__).parents[3]

WORDS = {
    "hr": "kuća",
    "en-GB": "house",
    "en-US": "tomato",
    "de": "Straße",
    "fr": "fenêtre",
    "pl": "źdźbło",
    "pt-BR": "coração",
    "el": "λόγος",
    "ru": "привет",
    "uk": "їжак",
    "sr": "његов",
    "tr": "ışık",
    "ar": "مدرسة",
    "he": "שלום",
    "hi": "नमस्ते",
    "zh": "中国",
    "ja": "ひらがな",
    "ko": "서울",
    "nb": "gutt",
    "no": "gutt",
}


@pytest.fixture(scope="module")
def espeak():
    return Espeak()


@pytest.fixture
def speaker():
    """Return a process of the library for one test, which may spoil it."""
    speaker = espeak_process.Speaker(patience=1.5)
    yield speaker
    speaker.close()


@pytest.mark.parametrize("language", WORDS)
def test_a_word_is_heard(espeak, decode, language):
    sound = espeak.speak(WORDS[language], language)
    samples, rate = decode(sound.mp3)
    assert 0.2 < len(samples) / rate < 3
    assert abs(len(samples) / rate - sound.seconds) < 0.2
    assert np.sqrt(np.mean(samples**2)) > 0.04
    assert np.abs(samples).max() < 1


def test_words_are_about_equally_loud_and_start_at_once(espeak, decode):
    levels = []
    for language, word in WORDS.items():
        samples, rate = decode(espeak.speak(word, language).mp3)
        loud = np.flatnonzero(np.abs(samples) > 0.02)
        assert loud[0] / rate < 0.2
        assert (len(samples) - loud[-1]) / rate < 0.35
        levels.append(np.sqrt(np.mean(samples[loud[0] : loud[-1]] ** 2)))
    assert max(levels) / min(levels) < 2.5


def test_slow_is_slower(espeak):
    normal = espeak.speak("prijateljica", "hr")
    slow = espeak.speak("prijateljica", "hr", slow=True)
    assert slow.seconds > 1.25 * normal.seconds
    assert abs(espeak.speak("prijateljica", "hr").seconds - normal.seconds) < 0.05


def test_about_a_hundred_languages_are_supported(espeak):
    from babel import Locale

    supported = [tag for tag in Locale("en").languages if "_" not in tag and espeak.supports(tag)]
    assert len(supported) >= 100


@pytest.mark.parametrize(
    ("language", "voice"),
    [
        ("en", "gmw/en"),
        ("en-GB", "gmw/en"),
        ("en-US", "gmw/en-US"),
        ("en_us", "gmw/en-US"),
        ("pt", "roa/pt"),
        ("pt-BR", "roa/pt-BR"),
        ("es-MX", "roa/es-419"),
        ("es-ES", "roa/es"),
        ("zh-Hans-CN", "sit/cmn"),
        ("zh-HK", "sit/yue"),
        ("nn", "gmq/nb"),
        ("iw", "sem/he"),
        ("sr-Latn", "zls/sr"),
        ("de-AT", "gmw/de"),
    ],
)
def test_a_language_finds_its_voice(espeak, language, voice):
    assert espeak.voice(language) == voice


def test_american_and_british_english_differ(espeak):
    assert espeak.phonemes("tomato", "en-US") != espeak.phonemes("tomato", "en-GB")


@pytest.mark.parametrize(
    ("text", "language", "reason"),
    [
        ("kuća", "xx", "no voice"),
        ("kuća", "not a tag", "no voice"),
        ("…", "hr", "cannot be pronounced"),
        ("", "hr", "cannot be pronounced"),
        ("\x01\x02", "hr", "cannot be pronounced"),
        ("a" * 201, "hr", "at most 200"),
        ("日本", "ja", "cannot read “日”"),
        ("λόγος", "hr", "cannot read"),
    ],
)
def test_what_cannot_be_spoken_is_said_and_is_for_good(espeak, text, language, reason):
    with pytest.raises(CannotSpeak, match=reason):
        espeak.speak(text, language)


# Words with points, and in the full spelling in which they are written without them.
POINTED = {
    **{"שָׁלוֹם": "שלום", "שָׁנָה": "שנה", "אִשָּׁה": "אישה", "בַּיִת": "בית", "סֵפֶר": "ספר"},
    **{"מַיִם": "מים", "עַיִן": "עין", "שֻׁלְחָן": "שולחן", "חַלּוֹן": "חלון", "טוֹב": "טוב"},
    **{"קָטָן": "קטן", "גַּן": "גן", "מוֹרָה": "מורה", "תַּלְמִיד": "תלמיד", "כִּתָּה": "כיתה"},
    **{"עִפָּרוֹן": "עיפרון", "חֹדֶשׁ": "חודש", "בֹּקֶר": "בוקר", "אָדֹם": "אדום", "שָׁחֹר": "שחור"},
    **{"צָהֹב": "צהוב", "לַיְלָה": "לילה", "מִטָּה": "מיטה", "חֻלְצָה": "חולצה", "לָבָן": "לבן"},
    **{"אָזְנַיִם": "אוזניים", "בֵּיצָה": "ביצה", "גְּבִינָה": "גבינה", "יִשְׂרָאֵל": "ישראל"},
    **{"מְכוֹנִית": "מכונית", "שְׁמוֹנֶה": "שמונה", "יְרוּשָׁלַיִם": "ירושלים", "שָׁמַיִם": "שמיים"},
}


def test_hebrew_with_points_takes_about_as_long_as_without(espeak):
    assert len(POINTED) >= 30
    lengths = {
        pointed: espeak.speak(pointed, "he").seconds / espeak.speak(plain, "he").seconds
        for pointed, plain in POINTED.items()
    }
    assert {word: length for word, length in lengths.items() if length > 1.5} == {}


def test_points_are_not_spelled_out_where_they_help(espeak):
    # Without points the voice guesses no vowels: “jld”. Spelled out, a word takes three seconds.
    words = [
        "יֶלֶד",
        "כֶּלֶב",
        "דָּג",
        "תַּפּוּחַ",
        "יָרֵחַ",
        "כִּסֵּא",
        "דֶּלֶת",
        "לֶאֱכֹל",
        "שֶׁמֶשׁ",
        "רֹאשׁ",
        "נַעַל",
        "זֶה",
        "סֻכָּר",
        "שָׂפָה",
    ]
    assert [word for word in words if espeak.speak(word, "he").seconds > 1] == []


def test_the_order_of_points_is_what_makes_the_voice_spell_them_out(speaker, espeak):
    spelled, _ = speaker.samples("שָׁלוֹם", espeak.voice("he"), espeak_ng.NORMAL_RATE, 30)
    assert len(spelled) / 2 / speaker.sample_rate > 2


@pytest.mark.parametrize(
    ("term", "reading", "language", "spoken"),
    [
        ("たべる", "タベル", "ja", "たべる"),  # the voice reads the word itself
        ("食べる", "たべる", "ja-JP", "たべる"),
        ("東京", "Tōkyō", "ja", "東京"),  # Latin letters would be spelled out
        ("東京", "", "ja", "東京"),
        ("學校", "학교", "ko", "학교"),
        ("学校", "xuéxiào", "zh", "学校"),
        ("kuća", "кућа", "hr", "kuća"),
        ("東京", "…", "ja", "東京"),
    ],
)
def test_a_reading_is_spoken_only_if_it_can_be_read_and_the_word_cannot(
    term, reading, language, spoken
):
    own = VocabularyList(language=language)
    assert said_of(Entry(term=term, pronunciation=reading, vocabulary_list=own)) == spoken


def test_a_text_that_takes_too_long_is_refused(espeak, monkeypatch):
    monkeypatch.setattr("vocab.speech.espeak.MAX_SECONDS", 2.0)
    with pytest.raises(CannotSpeak, match="more than 2 seconds"):
        espeak.speak("9" * 60, "hr")


@pytest.mark.parametrize(
    "markup",
    [
        '<voice name="de">hello</voice>',
        "[[h@loU]]",
        '<break time="9s"/> hello',
        "\x01400S hello",
        "&lt;",
    ],
)
def test_markup_is_not_obeyed(espeak, markup):
    """Each would be shorter, longer or another voice if the engine read it as a command."""
    sound = espeak.speak(markup, "en")
    visible = "".join(letter for letter in markup if letter.isprintable())
    assert sound.seconds == pytest.approx(espeak.speak(visible, "en").seconds, abs=0.1)
    assert sound.seconds < 6
    if "[[" in markup:
        assert espeak.phonemes(markup, "en") != espeak.phonemes("hello", "en")


def test_a_command_in_control_characters_would_be_obeyed_without_the_normal_form(speaker, espeak):
    """The control: the library itself does obey it."""
    plain, _ = speaker.samples("hello everybody", espeak.voice("en"), espeak_ng.NORMAL_RATE, 30)
    obeyed, _ = speaker.samples(
        "\x01400S hello everybody", espeak.voice("en"), espeak_ng.NORMAL_RATE, 30
    )
    assert len(obeyed) < 0.7 * len(plain)


def test_eight_threads_speak_at_once_without_mixing_their_words(espeak):
    words = list(WORDS.items())
    alone = {word: espeak.speak(word, language).seconds for language, word in words}

    def differences(start):
        for step in range(len(words) // 2):
            language, word = words[(start + step) % len(words)]
            yield word, abs(espeak.speak(word, language).seconds - alone[word])

    with ThreadPoolExecutor(8) as threads:
        heard = threads.map(lambda number: list(differences(3 * number)), range(8))
        assert [found for each in heard for found in each if found[1] > 0.06] == []


# eSpeak NG 1.52 overruns a buffer at this; longer than any word, shorter than the limit.
BREAKING = "s'" * 80


def test_a_text_that_breaks_the_library_breaks_nothing_else(espeak):
    for _ in range(2):
        with pytest.raises(CannotSpeak, match="fails for “s's"):
            espeak.speak(BREAKING, "en")
        assert espeak.speak("house", "en").seconds > 0.2
    assert sound_key(BREAKING, "en") is None


def test_the_same_text_would_end_a_process_that_holds_the_library():
    """The control."""
    program = f"from vocab.speech.espeak_ng import Library; Library().phonemes({BREAKING!r}, 'en')"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True)
    assert done.returncode < 0


def test_a_library_that_hangs_is_ended(speaker, espeak):
    speaker.samples("house", "gmw/en", espeak_ng.NORMAL_RATE, 30)
    os.kill(speaker._process.pid, signal.SIGSTOP)
    pcm, _ = speaker.samples("house", "gmw/en", espeak_ng.NORMAL_RATE, 30)
    assert len(pcm) > 2000


def test_a_forked_process_speaks_through_a_library_of_its_own(espeak):
    espeak.speak("house", "en")
    theirs = espeak_process.speaker()._process.pid
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(writer, str(Espeak().speak("house", "en").seconds).encode())
        mine = espeak_process.speaker()._process.pid
        espeak_process.speaker().close()
        os._exit(0 if mine != theirs else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert float(os.read(reader, 100)) > 0.2
    os.close(reader)
    os.close(writer)
    assert espeak.speak("house", "en").seconds > 0.2


def test_a_library_that_cannot_be_started_is_told_and_not_for_good(espeak, monkeypatch):
    monkeypatch.setattr(espeak_process, "_speaker", None)
    monkeypatch.setattr(espeak_process, "_SCRIPT", ROOT / "no-such-file.py")
    assert not espeak.supports("hr")
    with pytest.raises(SpeechError, match="cannot be started") as caught:
        espeak.speak("kuća", "hr")
    assert not isinstance(caught.value, CannotSpeak)


def test_the_library_ends_when_its_process_is_killed():
    program = """
import time
from vocab.speech.espeak import Espeak
from vocab.speech.espeak_process import speaker
Espeak().speak("house", "en")
print(speaker()._process.pid, flush=True)
time.sleep(60)
"""
    parent = subprocess.Popen([sys.executable, "-c", program], cwd=ROOT, stdout=subprocess.PIPE)
    helper = int(parent.stdout.readline())
    parent.kill()
    parent.communicate()

    def has_ended():
        try:
            return ") Z " in Path(f"/proc/{helper}/stat").read_text()
        except (FileNotFoundError, ProcessLookupError):
            return True

    wait_until(has_ended)


def test_the_process_answers_each_line_it_is_sent():
    """The process's own loop, called here: a greeting, then an answer for each request."""
    requests = [
        {"text": "kuća", "voice": "zls/hr", "rate": 160, "max_seconds": 30},
        {"text": "kuća", "voice": "zls/hr", "rate": 160, "max_seconds": 0.1},
        {"text": "kuća, kruh", "voice": "zls/hr"},
        {"text": "kuća", "voice": "no/such"},
    ]
    answers = io.BytesIO()
    espeak_ng.serve(io.BytesIO("\n".join(map(json.dumps, requests)).encode()), answers)
    answers.seek(0)
    assert json.loads(answers.readline())["voices"]["hr"] == "zls/hr"
    whole = json.loads(answers.readline())
    assert not whole["was_cut"]
    assert len(answers.read(whole["bytes"])) == whole["bytes"]
    cut = json.loads(answers.readline())
    assert cut == {"bytes": 2 * int(0.1 * 22050), "was_cut": True}
    answers.read(cut["bytes"])
    assert "k'utS;&" in json.loads(answers.readline())["phonemes"]
    assert json.loads(answers.readline()) == {"error": "no voice", "values": {"voice": "no/such"}}
    assert answers.read() == b""


def test_a_missing_library_is_told_in_the_greeting(monkeypatch, tmp_path):
    monkeypatch.setattr(espeakng_loader, "get_library_path", lambda: str(tmp_path / "missing.so"))
    answers = io.BytesIO()
    espeak_ng.serve(io.BytesIO(), answers)
    assert json.loads(answers.getvalue())["error"] == "no library"


def test_a_greeting_with_an_error_is_handed_on(speaker, monkeypatch, tmp_path):
    script = tmp_path / "broken.py"
    script.write_text("""print('{"error": "no voices", "values": {}}', flush=True); input()""")
    monkeypatch.setattr(espeak_process, "_SCRIPT", script)
    with pytest.raises(EspeakFailed, match="eSpeak NG finds no voices"):
        speaker.samples("kuća", "zls/hr", 160, 30)


def test_an_error_of_the_library_does_not_end_it(speaker):
    with pytest.raises(EspeakFailed, match="cannot load its voice “no/such”"):
        speaker.samples("kuća", "no/such", 160, 30)
    process = speaker._process
    assert speaker.phonemes("kuća", "zls/hr") == "k'utS;&"
    assert speaker._process is process


def test_the_engine_starts_from_a_folder_with_a_long_name(tmp_path):
    """eSpeak NG copies the folder's name into 160 bytes; ours links to it by a shorter one."""
    deep = tmp_path / ("x" * 120) / ("y" * 120)
    deep.mkdir(parents=True)
    (deep / "espeak-ng-data").symlink_to(espeakng_loader.get_data_path())
    program = f"""
import espeakng_loader
espeakng_loader.get_data_path = lambda: {str(deep / "espeak-ng-data")!r}
from vocab.speech.espeak_ng import Library
print(len(Library().samples("kuća", "zls/hr", 160, 30)[0]))
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 10_000


def test_voices_without_their_dictionary_are_not_offered(espeak):
    """The package holds the voice for Faroese, but not its dictionary."""
    assert not espeak.supports("fo")
    assert all(espeak.supports(language) for language in ("nb", "lv", "hy", "yue", "en-GB"))


def test_words_that_sound_the_same_share_a_key():
    assert sound_alike("sea", "see", "en")
    assert sound_alike("two", "too", "en")
    assert sound_alike("vert", "verre", "fr")
    assert sound_alike("њега", "njega", "sr")
    assert not sound_alike("sea", "tea", "en")
    assert not sound_alike("kuća", "kuća", "xx")


def test_a_word_that_cannot_be_read_has_no_key():
    assert sound_key("日本", "ja") is None
    assert not sound_alike("日本", "中国", "ja")


def test_what_makes_no_sound_sounds_like_nothing():
    assert not sound_alike("?!", "…", "en")
    assert not sound_alike("?!", "?!", "en")
