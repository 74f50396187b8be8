"""Crosswords of syllables that fall into boxes, and words that are left out."""

from dataclasses import replace

import pytest
from django.test import Client
from django.urls import reverse

from osmosmjerka.jobs import ledger
from puzzles.making import services as making
from puzzles.models import Puzzle
from tests.conftest import PASSWORD, rows
from vocab.lists.services import create_list

pytestmark = pytest.mark.django_db

WORDS = {
    "ko": ["학교", "사람", "나무", "바다", "가방", "전화", "친구", "시간", "의자", "물"],
    "hi": ["पानी", "किताब", "लड़का", "मकान", "दरवाज़ा", "सूरज", "बिल्ली", "कुत्ता", "हाथी"],
    "zh": ["学校", "学生", "老师", "苹果", "水"],  # characters are not spelt by letters
    "hr": ["škola", "čovjek", "drvo", "more"],  # one part anyway
}


@pytest.fixture
def page(teacher):
    client = Client()
    client.login(username=teacher.username, password=PASSWORD)
    return client


def list_of(teacher, language):
    return create_list(
        owner=teacher,
        title="boxes",
        language=language,
        translation_languages=["en"],
        rows=rows(dict.fromkeys(WORDS[language], "x")),
    )


@pytest.mark.parametrize(
    ("language", "is_offered"), [("ko", True), ("hi", True), ("zh", False), ("hr", False)]
)
def test_the_setting_that_joins_the_words_is_offered_and_changed_by_one_click(
    page, teacher, language, is_offered
):
    words = list_of(teacher, language)
    asked = {"vocabulary_list": words.pk, "kind": "crossword", "number": 20, "title": "kept"}
    seen = page.get(reverse("assign"), asked)
    assert ("A syllable takes one square" in seen.content.decode()) is is_offered
    assert ("One letter in each square" in seen.content.decode()) is is_offered
    if not is_offered:
        return
    parts = seen.context["suits"].parts
    after = page.post(reverse("assign"), asked | {"seed": 1, "show": "letters"})
    words.refresh_from_db()
    assert not words.uses_digraphs
    assert after.context["suits"].parts <= 2 < parts
    assert after.context["suits"].unsuitable == []  # the word of one syllable, too
    assert after.context["form"].value("title") == "kept"
    assert "One letter in each square" not in after.content.decode()


@pytest.mark.parametrize(
    ("language", "readings"),
    [
        ("zh", {"学校": "xuéxiào", "老师": "lǎoshī", "苹果": "píngguǒ", "水": "shuǐ"}),
        ("zh-Hant", {"學校": "xuexiao", "老師": "laoshi", "蘋果": "pingguo", "水": "shui"}),
        ("ja", {"猫": "ねこ", "子犬": "こいぬ", "犬": "いぬ", "小鳥": "ことり"}),
    ],
)
def test_the_readings_that_join_characters_are_offered_and_played_by_one_click(
    page, teacher, language, readings
):
    words = create_list(
        owner=teacher,
        title="boxes",
        language=language,
        translation_languages=["en"],
        rows=[
            replace(row, pronunciation=readings[row.term])
            for row in rows(dict.fromkeys(readings, "x"))
        ],
    )
    asked = {"vocabulary_list": words.pk, "kind": "crossword", "number": 20}
    seen = page.get(reverse("assign"), asked)
    assert "Play the pronunciation" in seen.content.decode()
    after = page.post(reverse("assign"), asked | {"seed": 1, "show": "readings"})
    assert after.context["suits"].parts <= 2
    assert after.context["suits"].unsuitable == []
    assert {entry.played for entry in words.entries.all()} == set(readings.values())


def test_whoever_may_not_change_the_list_is_told_of_the_setting_only(
    page, teacher, make_person, school
):
    words = list_of(make_person("teacher", school, "vlasnik"), "ko")
    words.visibility = "school"
    words.save()
    asked = {"vocabulary_list": words.pk, "kind": "crossword", "number": 20}
    seen = page.get(reverse("assign"), asked).content.decode()
    assert "A syllable takes one square" in seen
    assert "One letter in each square" not in seen
    assert page.post(reverse("assign"), asked | {"seed": 1, "show": "letters"}).status_code == 404
    words.refresh_from_db()
    assert words.uses_digraphs


@pytest.mark.parametrize("kind", ["word-search", "crossword"])
@pytest.mark.parametrize("language", ["ko", "zh"])
def test_the_page_of_a_puzzle_names_the_words_of_one_square(
    page, teacher, classroom, kind, language
):
    words = list_of(teacher, language)
    form = {"vocabulary_list": words.pk, "kind": kind, "number": 20, "which": "all"}
    ticked = [entry.pk for entry in words.entries.all() if len(entry.tiles) > 1]
    page.post(
        reverse("assign"),
        form | {"entries": ticked, "classroom": classroom.pk, "seed": 1, "use": "screen",
                "attempts": 1, "counting": "best", f"{kind}-seconds": 0.1},
    )  # fmt: skip
    ledger.run_job(str(making.job_of(Puzzle.objects.get()).pk))
    puzzle = Puzzle.objects.get()
    assert puzzle.state == Puzzle.State.READY, puzzle.reason
    short = WORDS[language][-1]
    told = page.get(reverse("puzzle", args=[puzzle.code])).content.decode()
    assert told.count(f'<strong lang="{language}">{short}</strong>:') == 1
    assert puzzle.placements.count() == len(ticked)
