"""Lists on paper: word lists, tests, flashcards and picture cards, read back from their PDF."""

from __future__ import annotations

import io
import random
import re

import pypdfium2
import pytest
from django.test import Client
from PIL import Image

from osmosmjerka.paper import cards
from osmosmjerka.paper.shapes import Text
from tests.conftest import ANIMALS, rows
from vocab.entries import pictures
from vocab.lists import print_layout
from vocab.lists import services as list_services
from vocab.lists.print_layout import Style, Word

LANGUAGES = {
    "ar": {"قلم": "pen", "باب": "door", "شمس": "sun"},
    "he": {"ספר": "book", "בית": "house", "שמש": "sun"},
    "th": {"แมว": "cat", "หมา": "dog"},
    "el": {"γάτα": "cat", "σκύλος": "dog"},
}


@pytest.fixture
def own(teacher):
    client = Client()
    client.force_login(teacher)
    return client


def file_of(client, vocabulary_list, **options):
    return client.get(f"/lists/{vocabulary_list.pk}/print/file/", options)


def texts_of(reply):
    """Return the text of each page of a PDF, as a reader that is not ours finds it."""
    assert reply["Content-Type"] == "application/pdf"
    with pypdfium2.PdfDocument(reply.content) as document:
        return [page.get_textpage().get_text_range() for page in document]


def words_of(texts):
    return re.findall(r"\w+", " ".join(texts))


def name_of(reply):
    return reply["Content-Disposition"]


@pytest.mark.parametrize("what", ["words", "flashcards"])
@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_every_word_is_on_paper_with_its_translation(what, paper, own, animals):
    reply = file_of(own, animals, what=what, paper=paper)
    printed = words_of(texts_of(reply))
    assert sorted(set(ANIMALS) & set(printed)) == sorted(ANIMALS)
    assert sorted(set(ANIMALS.values()) & set(printed)) == sorted(ANIMALS.values())
    with pypdfium2.PdfDocument(reply.content) as document:
        size = [round(side / 72 * 25.4) for side in document[0].get_size()]
    assert size == ([210, 297] if paper == "a4" else [216, 279])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("what", ["words", "flashcards"])
def test_words_of_other_scripts_are_on_paper(what, language, own, teacher):
    words = LANGUAGES[language]
    made = list_services.create_list(
        owner=teacher, title=next(iter(words)), language=language, translation_languages=["en"],
        rows=rows(words),
    )  # fmt: skip
    text = " ".join(texts_of(file_of(own, made, what=what)))
    assert [word for word in (*words, *words.values()) if word not in text] == []


def test_in_a_test_students_write_what_is_hidden(own, animals):
    asked = file_of(own, animals, hidden="translations")
    printed = words_of(texts_of(asked))
    assert set(ANIMALS) <= set(printed)
    assert not set(ANIMALS.values()) & set(printed)
    assert {"Name", "Date"} <= set(printed)
    assert "Vocabulary%20test.pdf" in name_of(asked)

    entry = animals.entries.get(term="slon")
    entry.example, entry.pronunciation = "Moj slon je velik.", "slɔ̂n"
    entry.save()
    printed = words_of(
        texts_of(file_of(own, animals, hidden="words", has_example="on", has_pronunciation="on"))
    )
    assert set(ANIMALS.values()) <= set(printed)
    assert "velik" in printed  # the sentence, with a gap
    assert not {*ANIMALS, "slɔ̂n"} & set(printed)


@pytest.mark.parametrize("direction", ["ltr", "rtl"])
def test_the_back_of_each_card_is_behind_its_front(direction):
    words = [Word(term=f"front{n}", translation=f"back{n}") for n in range(11)]
    pages = print_layout.flashcards(words, Style(direction=direction, paper="letter"))
    places = {
        shape.text: (number, shape.x, shape.y)
        for number, page in enumerate(pages)
        for shape in page.shapes
        if isinstance(shape, Text)
    }
    assert len(places) == 22
    for n in range(11):
        number, x, y = places[f"front{n}"]
        # Turned on its long edge, the left of a page is behind its right.
        assert places[f"back{n}"] == (number + 1, pytest.approx(215.9 - x), pytest.approx(y))
    first, second = places["front0"][1], places["front1"][1]
    assert (first > second) == (direction == "rtl")


def test_a_card_that_is_folded_has_both_sides_beside_each_other(own, animals):
    reply = file_of(own, animals, what="flashcards", is_folded="1")
    first, _second = texts_of(reply)
    assert {"krokodil", "crocodile"} <= set(words_of([first]))
    words = [Word(term="riječ", translation="word")]
    (page,) = print_layout.flashcards(words, Style(), is_folded=True)
    front, back = (shape for shape in page.shapes if isinstance(shape, Text))
    assert front.x + back.x == pytest.approx(210)
    assert front.y == pytest.approx(back.y)


@pytest.mark.parametrize("seed", range(8))
def test_no_text_is_larger_than_its_card(seed):
    """Phrases, endless words, and both: each fits the height and the width that it is given."""
    chance = random.Random(seed)
    text = " ".join(
        "".join(chance.choices("aбشwm一", k=chance.choice([1, 5, 12, 80])))
        for _ in range(chance.choice([1, 2, 8, 20]))
    )
    width, height = chance.uniform(20, 90), chance.uniform(5, 60)
    size, lines = cards.fit(text, width, height, largest=11)
    assert size <= 11
    assert len(lines) * size <= height
    assert max(cards.lettering.width(line) for line in lines) * size <= width + 1e-6
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")


def test_a_row_that_is_longer_than_a_page_continues_and_nothing_is_below_the_edge(own, animals):
    entry = animals.entries.get(term="slon")
    entry.example = " ".join(f"riječ{n}" for n in range(2000))
    entry.save()
    printed = words_of(texts_of(file_of(own, animals, has_example="on")))
    assert {f"riječ{n}" for n in range(2000)} <= set(printed)
    words = [Word(term="a" * 300, translation="b" * 500, example="c" * 9000)] * 3
    labels = print_layout.Labels(title="T" * 200, words="w", translations="t", name="n", date="d")
    for hidden in ("", "words", "translations"):
        pages = print_layout.word_list(words, Style(), labels, hidden=hidden)
        lowest = max(shape.y for page in pages for shape in page.shapes if isinstance(shape, Text))
        assert lowest < 297 - 14


def test_hostile_text_is_only_text(own, teacher):
    title = '<svg onload=alert(1)> "../../etc/passwd" \\ </title>'
    made = list_services.create_list(
        owner=teacher, title=title, language="en", translation_languages=["hr"],
        rows=rows({"<script>alert(1)</script>": "&lt;b&gt; %s {x}", "(a) Tj ET": "\\) (( \\"}),
    )  # fmt: skip
    for what in ("words", "flashcards"):
        page = own.get(f"/lists/{made.pk}/print/", {"what": what}).content.decode()
        assert "<script>alert" not in page
        assert "<svg onload" not in page
        reply = file_of(own, made, what=what)
        text = " ".join(texts_of(reply))
        for word in ("<script>alert(1)</script>", "&lt;b&gt; %s {x}", "(a) Tj ET", "\\) (( \\"):
            assert word in text
        name = name_of(reply)
        assert not set("/<>\\") & set(name.partition("filename")[2].replace("utf-8''", ""))


def drawn(colour):
    file = io.BytesIO()
    Image.new("RGB", (300, 200), colour).save(file, "PNG")
    return file.getvalue()


def test_picture_cards_are_of_words_with_pictures_and_the_page_names_the_others(
    own, animals, settings, tmp_path
):
    settings.MEDIA_ROOT = tmp_path
    for term in ("slon", "labud"):
        pictures.keep_picture(
            entry=animals.entries.get(term=term), data=drawn("red"), name=f"{term}.png"
        )
    reply = file_of(own, animals, what="pictures", per_page="4")
    assert words_of(texts_of(reply)) == ["labud", "slon"]
    assert "Picture%20cards.pdf" in name_of(reply)
    with pypdfium2.PdfDocument(reply.content) as document:
        dots = document[0].render(scale=1).to_pil()
        # In the middle of the first card, and beside it.
        assert dots.getpixel((int(57 / 25.4 * 72), int(60 / 25.4 * 72)))[0] > 200
        assert dots.getpixel((int(57 / 25.4 * 72), int(60 / 25.4 * 72)))[1] < 60
    page = own.get(f"/lists/{animals.pk}/print/", {"what": "pictures"})
    assert "10 words have no picture" in page.content.decode()
    assert "krokodil" in page.content.decode()
    assert page.content.decode().count("data:image/jpeg") == 2


def test_words_are_printed_in_the_asked_order_and_shuffled_alike_in_preview_and_file(own, animals):
    def order(reply):
        return [word for word in words_of(texts_of(reply)) if word in ANIMALS]

    assert order(file_of(own, animals)) == list(ANIMALS)
    by_alphabet = order(file_of(own, animals, order="alphabet"))
    assert by_alphabet[:3] == ["gavran", "guska", "jelen"]
    assert by_alphabet[by_alphabet.index("mačka") + 1] == "medvjed"
    page = own.get(f"/lists/{animals.pk}/print/", {"order": "shuffled"}).content.decode()
    seed = re.search(r'name="seed" value="(\d+)"', page).group(1)
    shown = [word for word in re.findall(r">(\w+)</text>", page) if word in ANIMALS]
    assert shown == order(file_of(own, animals, order="shuffled", seed=seed)) != list(ANIMALS)
    # The test and its solution: the same words, in the same places.
    asked = {"order": "shuffled", "seed": seed, "hidden": "translations"}
    assert order(file_of(own, animals, **asked)) == shown


def test_a_tag_and_the_search_of_the_list_narrow_what_is_printed(own, animals):
    entry = animals.entries.get(term="slon")
    entry.set_tags(["large"])
    entry.save()
    assert [word for word in words_of(texts_of(file_of(own, animals, tag="large")))
            if word in ANIMALS] == ["slon"]  # fmt: skip
    page = own.get(f"/lists/{animals.pk}/print/", {"q": "ma"}).content.decode()
    assert 'name="q" value="ma"' in page
    assert "1 word of 12" in page
    page = own.get(f"/lists/{animals.pk}/print/", {"q": "nothing"}).content.decode()
    assert "There are no words to print." in page
    link = own.get(f"/lists/{animals.pk}/", {"tag": "large"}).content.decode()
    assert f"/lists/{animals.pk}/print/?tag=large" in link


def test_letters_without_a_font_are_named_and_lead_back_to_the_page(own, teacher):
    made = list_services.create_list(
        owner=teacher, title="Egipat", language="egy", translation_languages=["en"],
        rows=rows({"𓀀𓁐": "man and woman"}),
    )  # fmt: skip
    reply = own.get(f"/lists/{made.pk}/print/file/", {"what": "flashcards"}, follow=True)
    assert reply.redirect_chain[0][0].startswith(f"/lists/{made.pk}/print/?what=flashcards")
    page = reply.content.decode()
    assert "do not contain these letters: 𓀀" in page
    assert "𓀀𓁐</text>" in page  # the preview shows what the reader's fonts have
