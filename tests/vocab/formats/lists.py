"""Lists of words as Hypothesis draws them, for the round trips of every format."""

from __future__ import annotations

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from tests.layers import IS_THOROUGH
from vocab.formats.columns import tidy
from vocab.formats.rows import Row

ROUND_TRIPS = settings(
    max_examples=1000 if IS_THOROUGH else 30,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)

AWKWARD = [
    "=1+1", "+x", "-ness", "@me", "'=x", "''@", "'", "' =", "a\nb", "a\r\nb", "a\rb", "a\tb",
    '"', '""', 'say "no"', "a;b", "a|b", "a / b", "/", "/ x", "x /", "a\\;b", "\\", "\\\\;", "a,b",
    "#tags", "#separator:comma", "# c", "<b>x</b>", "<br>", "&amp;", "&", "[sound:x.mp3]", "a]b",
    '<img src="x.png">', "{{c1::x}}", "\u00a0x\u00a0y", "שלום עולם", "مرحبا", "\u202eabc", "č",
    "c\u030c", "dž", "İı",
    "\U0001f469\u200d\U0001f469\u200d\u0001f467", "हिन्दी", "ไทย", "日本語", "_x000D_",
    "_x005F_x0041_",    "%20", "a%3Bb",
    "1/2", "007",
    "1e5", "TRUE", "#N/A", "term", "translation", "front", "x:y", "sep=;", "\u2028z\u2029w",
    "a\x85b",
    "  two  gaps".strip(), "deck::sub", "a\u3000b", "&#13;", "&nbsp;", "＝x", "$", "null",
]  # fmt: skip

# No text has Unicode's noncharacters; with the first of these, anki_fields.py marks a place.
letters = st.characters(
    blacklist_categories=("Cs", "Cc"), blacklist_characters="\ufdd0\ufffe\uffff"
)
texts = (
    st.one_of(
        st.sampled_from(AWKWARD),
        st.text(letters, max_size=12),
        st.lists(st.one_of(st.sampled_from(AWKWARD), st.text(letters, max_size=4)), max_size=3).map(
            "".join
        ),
    )
    .map(tidy)
    .filter(bool)
)
# A word is one line; what is below it becomes its note.
words = texts.filter(lambda text: "\n" not in text and "\r" not in text)
maybe = st.one_of(st.just(""), texts)
languages = st.sampled_from(["", "de", "pt-BR", "zh-Hant", "hr"])
names = texts.filter(lambda text: text not in ("extra:",))
unique = st.lists(texts, max_size=3, unique=True)

rows = st.builds(
    Row,
    term=words,
    id=maybe,
    translations=st.dictionaries(languages, st.lists(texts, min_size=1, max_size=3), max_size=2),
    pronunciation=maybe,
    part_of_speech=maybe,
    example=maybe,
    example_translation=maybe,
    hint=maybe,
    note=maybe,
    image=maybe,
    audio=maybe,
    tags=unique,
    language=maybe,
    extra=st.dictionaries(names, texts, max_size=2),
)
lists = st.lists(rows, min_size=1, max_size=6)


def same(row: Row) -> dict:
    """What must come back: everything but the line."""
    return {**row.as_json(), "line": 0}


def same_in_anki(row: Row) -> dict:
    """What comes back from Anki, where each line of a field is a translation of its own."""
    apart = {
        language: [line.strip() for text in texts for line in text.split("\n") if line.strip()]
        for language, texts in row.translations.items()
    }
    return same(Row.from_json({**row.as_json(), "translations": apart}))


def same_in(format: str, row: Row) -> dict:
    return same_in_anki(row) if format in ("apkg", "anki_text") else same(row)
