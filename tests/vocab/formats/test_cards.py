"""Cards that are written as texts."""

import pytest

from vocab import formats
from vocab.formats import FormatError

DOG_AND_CAT = [("Hund", ["dog"]), ("Katze", ["cat"])]


def pairs(text, **options):
    parsed = formats.parse(text, languages=["de", "en"], **options)
    return [
        (row.term, [t for texts in row.translations.values() for t in texts]) for row in parsed.rows
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Q: Hund\nA: dog\n\nQ: Katze\nA: cat\n",
        "q：Hund\na：dog\nq：Katze\na：cat",
        "**Q:** Hund\n**A:** dog\n\n**Q:** Katze\n**A:** cat",
        "F: Hund\nA: dog\nF: Katze\nA: cat",
        "P: Hund\nO: dog\nP: Katze\nO: cat",
        "Frage: Hund\nAntwort: dog\n\nFrage: Katze\nAntwort: cat\n",
        "Front: Hund\nBack: dog\nFront: Katze\nBack: cat",
        "- Word: Hund\n  Translation: dog\n- Word: Katze\n  Translation: cat\n",
        "Hund\n?\ndog\n\nKatze\n?\ncat\n",
        "Hund\n??\ndog\n\nKatze\n??\ncat",
        "Hund::dog\nKatze::cat",
        "Hund:::dog\nKatze:::cat",
        "Hund\nA. cat\nB. dog\nANSWER: B\n\nKatze\nA) cat\nB) dog\nANSWER: A\n",
        "::one::Hund {=dog ~cat}\n\n// more\nKatze{=cat#right ~dog}",
        "Which? {=Hund -> dog =Katze -> cat}",
    ],
)
def test_cards_are_words_with_translations(text):
    assert pairs(text) == DOG_AND_CAT


def test_cards_keep_further_lines_and_examples():
    parsed = formats.parse("Q: Hund\nA: dog\nhound\nQ: Katze\nA: cat")
    assert parsed.rows[0].translations == {"": ["dog\nhound"]}
    [dog, _] = formats.parse(
        "Word: Hund\nMeaning: dog\nExample: Der Hund.\nWord: Katze\nMeaning: cat"
    ).rows
    assert dog.example == "Der Hund."


def test_cards_read_with_the_settings_that_were_recognised_are_the_same():
    text = "Hund\n?\ndog\n\nKatze\n?\ncat\n"
    settings = {**formats.parse(text).settings}
    assert pairs(text, **settings) == DOG_AND_CAT


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (
            "New words:\n  - Word: Hund\n    Translation: dog\n  - Word: x\n    y: z",
            "YAML",
        ),
        ("---\nwords:\n- Hund\n", "YAML"),
        ("* Hund :drill:\ndog\n", "Org"),
        ("* Hund\n:PROPERTIES:\n:ID: 1\n:END:\ndog\n", "Org"),
        ("# Hund\ndog\n---\n# Katze\ncat\n", "Markdown"),
        ("\\documentclass{article}\nHund & dog", "LaTeX"),
    ],
)
def test_other_notations_are_refused_by_their_name(text, name):
    with pytest.raises(FormatError, match=f"This is {name}, which cannot be imported"):
        formats.parse(text)


@pytest.mark.parametrize(
    "text",
    [
        "Hund: dog\nKatze: cat",
        "- Hund: dog\n- Katze: cat",
        "# Tiere\nHund: dog\nKatze: cat",
        "Hund - dog {m}\nKatze - cat {f}",
        "question: Frage\nanswer: Antwort",
    ],
)
def test_a_list_of_words_is_no_cards(text):
    """The control: what looks a little like a notation stays a list."""
    assert formats.parse(text, languages=["de", "en"]).settings["delimiter"] in (": ", " - ")
