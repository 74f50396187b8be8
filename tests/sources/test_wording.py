"""The glossary holds: no retired word in templates, catalogues, documents or the API's description.

What is read on pages is looked through by test_whole_languages.py.
"""

import re

import pytest
from babel.messages.pofile import read_po
from django.conf import settings
from drf_spectacular.generators import SchemaGenerator

from tests.site.wording import RETIRED, retired_in

DOCUMENTS = [
    path
    for folder in (
        ".",
        "docs",
        "docs/decisions",
        "docs/learn",
        "docs/run",
        "docs/security",
        "docs/teach",
    )
    for path in sorted((settings.BASE_DIR / folder).glob("*.md"))
    if path.name != "glossary.md"  # it names them
]
_IN_CODE = re.compile(r"```.*?```|`[^`]*`|\]\([^)]*\)|https?://\S+", re.DOTALL)
_IN_MARKUP = re.compile(r"{%.*?%}|{{.*?}}|<script\b.*?</script>|<[^>]*>", re.DOTALL)
_COMMENT = re.compile(r"{#.*?#}|{% comment %}.*?{% endcomment %}", re.DOTALL)
_GAP = re.compile(r"%\(\w+\)s|\{\w*\}")


def messages(language, domain):
    with (settings.BASE_DIR / f"locale/{language}/LC_MESSAGES/{domain}.po").open("rb") as file:
        return [message for message in read_po(file) if message.id]


def forms(texts):
    return [texts] if isinstance(texts, str) else list(texts)


@pytest.mark.parametrize("domain", ["django", "djangojs"])
def test_no_english_sentence_has_a_retired_word(domain):
    texts = [text for message in messages("hr", domain) for text in forms(message.id)]
    found = {text: retired_in(_GAP.sub("", text), "en") for text in texts}
    assert {text: words for text, words in found.items() if words} == {}


@pytest.mark.parametrize("domain", ["django", "djangojs"])
@pytest.mark.parametrize("language", sorted(set(RETIRED) - {"en"}))
def test_no_translation_has_a_retired_word(language, domain):
    texts = [text for message in messages(language, domain) for text in forms(message.string)]
    found = {text: retired_in(_GAP.sub("", text), language) for text in texts}
    assert {text: words for text, words in found.items() if words} == {}


@pytest.mark.parametrize("language", sorted(set(RETIRED) - {"en"}))
def test_no_guide_in_another_language_has_a_retired_word(language):
    guides = list((settings.BASE_DIR / "docs").glob(f"*/{language}/*.md"))
    assert len(guides) > 10
    for guide in guides:
        text = _IN_CODE.sub(" ", guide.read_text(encoding="utf-8"))
        assert retired_in(text, language) == [], guide


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_no_document_has_a_retired_word(path):
    text = _IN_CODE.sub(" ", path.read_text(encoding="utf-8"))
    assert retired_in(text, "en") == []


def test_no_template_has_a_retired_word_between_its_tags():
    found = {}
    for path in sorted((settings.BASE_DIR / "templates").rglob("*.html")):
        text = _COMMENT.sub("", path.read_text(encoding="utf-8"))  # they name variables
        if words := retired_in(_IN_MARKUP.sub(" ", text), "en"):
            found[path.name] = words
    assert found == {}


def descriptions(value):
    if isinstance(value, dict):
        for name, each in value.items():
            if name in {"description", "summary", "title"} and isinstance(each, str):
                yield each
            else:
                yield from descriptions(each)
    elif isinstance(value, list):
        for each in value:
            yield from descriptions(each)


def test_the_description_of_the_api_has_no_retired_word():
    texts = list(descriptions(SchemaGenerator().get_schema(public=True)))
    assert len(texts) > 100
    found = {text: retired_in(_IN_CODE.sub(" ", text), "en") for text in texts}
    assert {text: words for text, words in found.items() if words} == {}


@pytest.mark.parametrize(
    "sentence",
    ["A pupil plays.", "Log-in name", "Take it back", "Three tries are left.", "Terms and entries"],
)
def test_the_control_finds_retired_words(sentence):
    assert retired_in(sentence, "en")


@pytest.mark.parametrize(
    "sentence", ["On-screen keyboard", "Leaderboard", "The excellent cell phone", "/pupils/1/"]
)
def test_words_that_only_contain_one_are_left_in_peace(sentence):
    assert retired_in(sentence, "en") == []


def test_no_sentence_begins_with_whoever():
    """It hides who is meant until the verb: “A teacher who …” says it at once."""
    begins = re.compile(r"\bWhoever\b")
    files = [
        path
        for part in ("osmosmjerka", "vocab", "puzzles", "templates", "docs")
        for path in (settings.BASE_DIR / part).rglob("*")
        if path.suffix in {".py", ".html", ".js", ".md"}
    ]
    assert len(files) > 900
    assert [path for path in files if begins.search(path.read_text(encoding="utf-8"))] == []
    assert begins.search("Whoever asks is told.")  # the control
