"""Pages, scripts, previews and background work speak the reader's language."""

import json
import re

import pytest
from django.utils import translation
from django.utils.translation import gettext, ngettext

from osmosmjerka.jobs.ledger import JobRun
from vocab.formats.rows import Problem
from vocab.message import message
from vocab.sentences import said


@pytest.mark.parametrize(
    ("language", "count", "sentence"),
    [
        ("hr", 1, "Dodana je 1 riječ."),
        ("hr", 3, "Dodane su 3 riječi."),
        ("hr", 11, "Dodano je 11 riječi."),
        ("hr", 21, "Dodana je 21 riječ."),
        ("pl", 1, "Dodano 1 słowo."),
        ("pl", 4, "Dodano 4 słowa."),
        ("pl", 12, "Dodano 12 słów."),
        ("pl", 22, "Dodano 22 słowa."),
        ("ar", 2, "أضيفت كلمتان."),
        ("ar", 5, "أضيفت 5 كلمات."),
    ],
)
def test_a_number_chooses_its_plural_form(translated, language, count, sentence):
    with translation.override(language):
        words = ngettext("%(count)s word added.", "%(count)s words added.", count)
        assert words % {"count": count} == sentence


@pytest.mark.parametrize(
    ("language", "direction", "sentence"),
    [
        ("en", "ltr", "Students do not need an e-mail address, only their username."),
        ("hr", "ltr", "Učenicima ne treba e-pošta, dovoljno je korisničko ime."),
        ("pl", "ltr", "Uczniowie nie potrzebują adresu e-mail, wystarczy nazwa użytkownika."),
        ("ar", "rtl", "لا يحتاج الطلاب إلى بريد إلكتروني، بل إلى اسم المستخدم فقط."),
    ],
)
def test_a_page_is_in_the_readers_language(translated, client, db, language, direction, sentence):
    page = client.get("/login/", headers={"Accept-Language": language}).text
    assert f'<html lang="{language}" dir="{direction}">' in page
    assert sentence in page


@pytest.mark.parametrize(
    ("language", "sentence"),
    [("hr", "Poslušaj riječ"), ("pl", "Posłuchaj słowa"), ("ar", "استمع إلى الكلمة")],
)
def test_scripts_get_the_readers_language(translated, client, db, language, sentence):
    page = client.get("/login/", headers={"Accept-Language": language}).text
    script = client.get(re.search(r'"(/script-texts/.+?\.js)"', page)[1]).text
    messages = json.loads(re.search(r"const newcatalog = (\{.*?\n  \});", script, re.DOTALL)[1])
    assert messages["Play the word"] == sentence


def test_what_the_formats_say_is_in_the_readers_language(translated):
    problem = Problem(3, message("There is no column “{header}”.", header="Wort"))
    with translation.override("pl"):
        assert said(problem) == "Nie ma kolumny „Wort”."


def test_a_pasted_lists_preview_is_in_the_readers_language(translated, sign_in, teacher):
    answer = sign_in(teacher).post(
        "/lists/preview/",
        {"lines": "Katze\tmačka\n\thund", "language": "hr"},
        headers={"Accept-Language": "hr"},
    )
    assert "U ovom retku nema riječi." in answer.text


def test_background_work_stores_sentences_that_each_reader_gets_translated(
    translated, make_puzzle, monkeypatch
):
    """A worker knows no reader; the site's own language must not stick to what it stores."""
    stored = []
    monkeypatch.setattr(JobRun, "report", lambda run, progress, message="": stored.append(message))
    with translation.override("hr"):
        make_puzzle()
        assert [gettext(message) for message in stored] == ["Riječi se slažu u mrežu"]
    with translation.override("pl"):
        assert [gettext(message) for message in stored] == ["Układanie słów"]
