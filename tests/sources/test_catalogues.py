"""The catalogues are whole: what the code marks is in each, translated, in every plural form."""

import gettext
import re
import shutil
from pathlib import Path

import pytest
from babel import Locale
from babel.messages.catalog import Message
from django.core.management import call_command

from tests.services import missing
from tests.site import catalogues
from tests.site.catalogues import DOMAINS, LANGUAGES, Unmarked, catalogue

GAP = re.compile(r"%%|%(?:\(\w+\))?[sd]|\{\w+(?::\w+)?\}|</?\w+>")
CATEGORIES = ("zero", "one", "two", "few", "many", "other")
NUMBERS = range(201)


@pytest.fixture(scope="module", params=DOMAINS)
def domain(request):
    return request.param


@pytest.fixture(scope="module")
def marked(domain):
    return catalogues.marked_sentences(domain)


@pytest.fixture(scope="module", params=LANGUAGES)
def messages(request, domain):
    return catalogue(request.param, domain)


def translations(message: Message) -> tuple[str, ...]:
    return (message.string,) if isinstance(message.string, str) else tuple(message.string)


def test_every_sentence_is_in_the_catalogue(marked, messages):
    assert len(marked) > 50
    held = {catalogues.key_of(message) for message in messages if message.id}
    missing, stale = marked.keys() - held, held - marked.keys()
    assert not missing, "\n".join(["Run make messages, and translate:", *map(str, missing)])
    assert not stale, "\n".join(["Run make messages; nothing shows these:", *map(str, stale)])


def test_a_sentence_that_gathering_would_miss_is_found():
    """The control: an alias, a text of pieces and a sentence without an entry."""
    imports = "from django.utils.translation import gettext as _now, ngettext, pgettext\n"
    with pytest.raises(Unmarked, match=r"gathering does not know _now"):
        list(catalogues.python_sentences(f'{imports}_now("Copied.")'))
    for pieces in ('ngettext("a" if x else "b", "c", n)', 'pgettext("verb", f"Open {x}")'):
        with pytest.raises(Unmarked, match=r"is not a plain text"):
            list(catalogues.python_sentences(imports + pieces))
    with pytest.raises(Unmarked, match=r"is not a plain text"):
        list(catalogues.script_sentences("gettext(`Found ${word}`)"))
    found = list(
        catalogues.python_sentences(imports + 'pgettext("verb", "Leap")\nngettext("a", "b", 1)')
    )
    assert found == [("verb", "Leap", None), (None, "a", "b")]
    assert not {*found} & catalogues.keys_of(LANGUAGES[0], "django")


def test_every_sentence_is_translated(messages):
    assert [m.id for m in messages if m.id and (m.fuzzy or not all(translations(m)))] == []
    assert [*messages.obsolete] == []


def test_the_plural_rule_is_that_of_unicode(messages):
    """A wrong rule is not seen in small numbers: 0 to 200 are compared with the CLDR."""
    rule = Locale.parse(str(messages.locale)).plural_form
    named = [name for name in CATEGORIES if name in rule.tags or name == "other"]
    assert messages.num_plurals == len(named)
    chosen = gettext.c2py(messages.plural_expr.rstrip(";"))
    assert [chosen(n) for n in NUMBERS] == [named.index(rule(n)) for n in NUMBERS]
    assert {len(translations(m)) for m in messages if m.pluralizable} == {len(named)}


def test_a_translation_keeps_the_gaps_of_its_sentence(messages):
    """Only where a form serves one number alone may that number be left to the words."""
    chosen = gettext.c2py(messages.plural_expr.rstrip(";"))
    served = [sum(chosen(n) == form for n in NUMBERS) for form in range(messages.num_plurals)]
    wrong = []
    for message in messages:
        if not message.id:
            continue
        source = message.id[-1] if message.pluralizable else message.id
        gaps = sorted(GAP.findall(source))
        for form, text in enumerate(translations(message)):
            missing = [gap for gap in gaps if gap not in GAP.findall(text)]
            may_miss = 1 if message.pluralizable and served[form] == 1 else 0
            if (
                len({*missing}) > may_miss
                or sorted([*GAP.findall(text), *missing]) != gaps
                or "%" in GAP.sub("", text)
            ):
                wrong.append((message.id, text))
    assert wrong == []


def test_gathering_finds_the_sentences_of_pure_modules_too(tmp_path, monkeypatch):
    if not shutil.which("xgettext"):
        missing("GNU gettext")
    (tmp_path / "locale").mkdir()
    Path(tmp_path / "formats.py").write_text(
        '# Translators: said of an Anki package\nraise Error(message("No notes here."))\n'
        'messages("{count} note.", "{count} notes.", 2)\n'
    )
    monkeypatch.chdir(tmp_path)
    call_command("makemessages", locale=["hr"], verbosity=0)
    gathered = (tmp_path / "locale/hr/LC_MESSAGES/django.po").read_text()
    assert "#. Translators: said of an Anki package" in gathered
    assert 'msgid "No notes here."' in gathered
    assert 'msgid_plural "{count} notes."' in gathered
