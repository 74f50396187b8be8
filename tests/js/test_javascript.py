"""The scripts' pure modules, tried by Node's own test runner: no package is needed."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.services import missing
from vocab.text import KNOWN_LANGUAGES, alphabet, digraphs_of, seams_of, tiles

ROOT = Path(__file__).parents[2]
FILES = sorted(Path(__file__).parent.glob("*.test.js"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name.removesuffix(".test.js"))
def test_the_pure_modules_do_what_their_tests_say(file):
    node = shutil.which("node") or missing("Node.js")
    done = subprocess.run(
        [node, "--test", "--test-reporter=spec", str(file)],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr


WORDS = {
    "hr": (
        "ljubav džep konj nadživjeti Čovječuljak šćućuriti đak injekcija konjugacija konjunktiv "
        "izvanjezični podžupan odžak"
    ),
    "sh": "injekcija konj ljiljan",
    "sr-Latn": "injekcija nadživjeti njuška",
    "pl": "źdźbło Łódź chrząszcz gęś",
    "tr": "ılık İstanbul ışık iğne",
    "de": "Straße Übermut größer Küsse",
    "cs": "chléb příliš žluťoučký",
    "cy": "dangos Bangor parhau llan angel",
    "es": "mañana pingüino llave",
    "hu": "igazság község mézszínű egészség kisasszony dzsungel ménnyel",
    "br": "c'hoar c’hwec’h chom",
    "nl": "minijurk skijas bijectie ijs",
    "sk": "odznak podzemie džem medzi chlieb",
    "uz": "o'quv gʻoz choy",
    "haw": "'okina",
    "uk": "їжак ґанок м'ята",
    "ru": "ёжик объём",
    "hi": "किताब विद्यालय पत्र हिन्दी",
    "th": "ดวงจันทร์ น้ำ เพื่อน",
    "my": "ကား ငါး ခွေး ကျောင်းသား ဗုဒ္ဓ တက္ကသိုလ် ခေါ် ကြောင်",
    "nod": "ᨠᩥ᩠ᨶ ᨾᩮᩬᩥᨦ ᨾᩣ ᨣᩬᨾ",
    "aho": "𑜀𑜡 𑜉𑜢𑜤𑜂𑜫 𑜓𑜠",
    "si": "ශ්‍රී පක්‍ෂියා ක්ෂය ධර්‍මය අම්මා විද්‍යාව",
    "kn": "ಅಕ್ಷರ ಅಮ್ಮ ಸ್ತ್ರೀ ರ‍್ಯಾಂಕ್ ಕ್‌ಷ ನೀರು",
    "pa": "ਪੜ੍ਹਨਾ ਪ੍ਰੇਮ ਉਨ੍ਹਾਂ ਪੰਜਾਬੀ",
    "te": "అమ్మ విద్య",
    "bn": "বিদ্যা শ্রী",
    "ml": "ശ്രീ അമ്മ",
    "ar": "قطة مدرسة",
    "he": "שלום ספר",
}


def test_a_word_is_cut_as_it_is_typed_the_way_it_is_stored():
    node = shutil.which("node") or missing("Node.js")
    cases = [(language, word) for language, words in WORDS.items() for word in words.split()]
    # Letter by letter, too: the small form of each letter is that letter.
    cases += [
        (language, letter.replace("İ", "i").lower())
        for language in sorted(KNOWN_LANGUAGES)
        for letter in alphabet(language)
    ]
    rules = {
        language: {"digraphs": digraphs_of(language), "seams": seams_of(language)}
        for language, _word in cases
    }
    done = subprocess.run(
        [node, str(Path(__file__).parent / "type_words.js")],
        input=json.dumps(
            [(language, alphabet(language), rules[language], word) for language, word in cases]
        ),
        capture_output=True,
        text=True,
        check=True,
    )
    typed = json.loads(done.stdout)
    stored = [list(tiles(word, language)) for language, word in cases]
    assert len(typed) > 1000
    assert [
        case for case, one, other in zip(cases, typed, stored, strict=True) if one != other
    ] == []
