"""The preview of pasted lines says what is saved, and exactly that is saved."""

from random import Random

import pytest
from django.http import QueryDict
from django.urls import reverse

from tests.layers import IS_THOROUGH
from vocab.formats.rows import FormatError
from vocab.imports import services as imports
from vocab.lists import pasted
from vocab.models import BlockedWord, VocabularyList
from vocab.rows import convert

pytestmark = pytest.mark.django_db

# With OSMOSMJERKA_THOROUGH=1, as many as were promised to teachers.
PASTES = 10_000 if IS_THOROUGH else 150
NEW = {"title": "Lektion", "language": "de", "translation_language": "hr"}
SETTINGS = {"visibility": "private", "accents": "warn"}


@pytest.fixture
def page(sign_in, teacher):
    return sign_in(teacher)


def previewed(page, lines, **chosen):
    return page.post(reverse("list-preview"), NEW | {"lines": lines} | chosen)


def saved(page, lines, **chosen):
    page.post(reverse("list-new"), NEW | SETTINGS | {"lines": lines} | chosen)
    return VocabularyList.objects.get()


def test_each_line_says_what_becomes_of_it(page):
    shown = previewed(page, "der Hund\tpas\ndie Katze\tmačka\nder Hund\tcuko\n\tprazno")
    preview = shown.context["preview"]
    assert [(line.number, line.outcome) for line in preview.lines] == [
        (1, "new"),
        (2, "new"),
        (3, "repeated"),
        (4, "wrong"),
    ]
    assert preview.words == 2
    text = shown.content.decode()
    assert "2 words, as they will be saved" in text
    assert "The same word as in line 1" in text
    assert "Some lines cannot be saved" in text


def test_a_line_that_cannot_be_saved_is_named_and_nothing_is_lost(page):
    answer = page.post(reverse("list-new"), NEW | SETTINGS | {"lines": "Hund\tpas\n\tprazno"})
    assert "Line 2" in answer.content.decode()
    assert "prazno" in answer.content.decode()  # still in the field, and in the preview
    assert not VocabularyList.objects.exists()


def test_articles_are_left_out_as_the_preview_shows(page):
    lines = "der Hund\tpas\ndie Katze\tmačka"
    preview = previewed(page, lines).context["preview"]
    assert ["".join(line.letters) for line in preview.lines] == ["HUND", "KATZE"]
    made = saved(page, lines, playing_rules=["articles"], suggested_rules="articles")
    assert made.playing_rules == ["articles"]
    assert ["".join(entry.tiles) for entry in made.entries.all()] == ["HUND", "KATZE"]


def test_the_teachers_rules_stay_when_the_text_changes(page):
    first = previewed(page, "der Hund\tpas").context["reading"]
    assert first["playing_rules"].value() == ["articles"]
    # The teacher takes the tick away, and goes on typing.
    more = previewed(page, "der Hund\tpas\ndie Katze\tmačka", suggested_rules="articles")
    assert more.context["reading"]["playing_rules"].value() == []
    again = previewed(
        page,
        "der Hund\tpas\ndie Katze\tmačka\ndie Maus\tmiš",
        suggested_rules=more.context["reading"]["suggested_rules"].value(),
    )
    assert again.context["reading"]["playing_rules"].value() == []


def test_who_saves_before_the_preview_comes_gets_what_it_would_have_suggested(page):
    made = saved(page, "der Hund\tpas\ndie Katze\tmačka")
    assert made.playing_rules == ["articles"]
    assert [entry.played for entry in made.entries.all()] == ["Hund", "Katze"]


def test_who_takes_the_suggested_tick_away_gets_no_rules(page):
    """The control."""
    assert saved(page, "der Hund\tpas", suggested_rules="articles").playing_rules == []


def test_rules_are_suggested_again_for_another_language_unless_they_were_chosen(page):
    lines = "der Hund\tpas\ndie Katze\tmačka"
    first = previewed(page, lines, language="").context["reading"]
    assert first["playing_rules"].value() == []
    then = {"suggested_rules": first["suggested_rules"].value()}
    assert previewed(page, lines, **then).context["reading"]["playing_rules"].value() == [
        "articles"
    ]
    chosen = then | {"playing_rules": ["brackets"]}
    assert previewed(page, lines, **chosen).context["reading"]["playing_rules"].value() == [
        "brackets"
    ]


def test_the_preview_remarks_on_letters_as_the_list_will(page, teacher):
    BlockedWord.objects.create(school=teacher.school, word="Köter")
    lines = (
        "Ei\tjaje\n1 Hund\tpas\nHose\thlače\nHosenträger\tnaramenice\nKöter\tcuko\n"
        "Donaudampfschifffahrt\tplovidba"
    )
    remarks = (
        "only 2 letters",
        "has a digit",
        "is contained in “Hosenträger”",
        "blocked word",
        "21 letters: too long for a grid of 16",
    )
    preview = previewed(page, lines)
    shown = preview.content.decode()
    made = saved(page, lines)
    listed = page.get(reverse("list", args=[made.pk])).content.decode()
    assert [(r, r in shown, r in listed) for r in remarks] == [(r, True, True) for r in remarks]
    assert preview.context["preview"].lines[3].findings == ()  # the control


def test_columns_can_be_assigned(page):
    lines = "pas\tder Hund\tm\nmačka\tdie Katze\tf"
    chosen = {"column_0": "translation", "column_1": "term", "column_2": "part_of_speech"}
    preview = previewed(page, lines, **chosen).context["preview"]
    assert [line.row.term for line in preview.lines] == ["der Hund", "die Katze"]
    made = saved(page, lines, **chosen)
    entry = made.entries.get(term="der Hund")
    assert [text.text for text in entry.translations.all()] == ["pas"]
    assert entry.part_of_speech == "m"


def test_a_column_that_loses_its_field_gets_the_others(page):
    preview = previewed(page, "pas\tHund\nmačka\tKatze", column_1="term").context["preview"]
    assert [(line.row.term, line.row.translations) for line in preview.lines] == [
        ("Hund", {"hr": ["pas"]}),
        ("Katze", {"hr": ["mačka"]}),
    ]


def test_the_first_line_can_be_made_the_header(page):
    lines = "Niemiecki\tChorwacki\nHund\tpas"
    preview = previewed(page, lines, has_header="yes").context["preview"]
    assert [line.row.term for line in preview.lines] == ["Hund"]
    assert saved(page, lines, has_header="yes").entries.count() == 1


def test_words_added_to_a_list_say_what_they_add(page, animals):
    address = reverse("list-preview-more", args=[animals.pk])
    preview = page.post(address, {"lines": "slon\telephant\nslon\ttusker\nvuk\twolf"})
    lines = preview.context["preview"].lines
    assert [line.outcome for line in lines] == ["changed", "repeated", "new"]
    assert preview.context["preview"].words == 2


PIECES = {
    "separators": ["\t", "\t", "\t", ";", ",", " - ", " = ", " – ", ": ", "|", " ; ", "  "],
    "words": [
        "der Hund", "die Katze (Tier)", "pas", "mačka", "", " ", "猫", "كلب", "собака", "a", "Word",
        "word", "Auto/Wagen", "translation", "x" * 301, "“quoted”", '"un', "=1+1", "😀", "1", "-n",
        "Hund, -e", "la-la", "к/к", "tags", "\u200f", "ß",
    ],
}  # fmt: skip


def a_paste(rng):
    """Return lines of mixed separators, columns and scripts."""
    main = rng.choice(PIECES["separators"])
    lines = []
    for _line in range(rng.randint(1, 8)):
        separator = main if rng.random() < 0.8 else rng.choice(PIECES["separators"])
        cells = [rng.choice(PIECES["words"]) for _ in range(rng.choice([1, 2, 2, 2, 3, 4]))]
        lines.append(separator.join(cells))
    return rng.choice(["\n", "\r\n"]).join(lines)


def compare_with_saving(number, teacher):
    """Preview a random paste and save it; return how many words were promised, or None."""
    rng = Random(number)
    sent = QueryDict(mutable=True)
    for name, values in (
        ("has_header", ["recognised", "recognised", "yes", "no"]),
        ("delimiter", ["recognised", "recognised", "0", "2", "4"]),
        ("column_0", ["recognised", "recognised", "translation", "note"]),
        ("column_1", ["recognised", "recognised", "term", "ignore"]),
    ):
        sent[name] = rng.choice(values)
    text = a_paste(rng)
    try:
        parsed = pasted.read(text, sent, ["de", "hr"])
    except FormatError:
        return None
    vocabulary_list = VocabularyList.objects.create(
        owner=teacher,
        title=str(number),
        language="de",
        translation_languages=["hr"],
        playing_rules=pasted.rules_of(parsed, "de", sent),
    )
    preview = pasted.preview_of(parsed, vocabulary_list)
    if preview.has_errors:
        return None
    promised = {
        line.row.term: (list(line.letters), line.row.translations)
        for line in preview.lines
        if line.outcome == "new"
    }
    imports.import_lines(
        vocabulary_list=vocabulary_list,
        created_by=teacher,
        rows=pasted.read(text, sent, ["de", "hr"]).rows,
    )
    kept = {
        entry.term: (entry.tiles, convert.row_of(entry).translations)
        for entry in convert.entries_of(vocabulary_list)
    }
    assert kept == promised, text
    assert len(kept) == preview.words
    return len(kept)


def test_what_is_promised_is_what_is_kept(teacher):
    results = [compare_with_saving(number, teacher) for number in range(PASTES)]
    assert sum(result is not None for result in results) > PASTES / 5


def test_a_new_list_has_the_languages_of_its_pasted_columns(page):
    lines = "Hund\tpas\tdog\nKatze\tmačka\tcat"
    text = previewed(page, lines).content.decode()
    assert "Recognised: Translation (Croatian)" in text
    assert "Recognised: translation" not in text
    made = saved(page, lines, column_2="translation:en")
    assert made.translation_languages == ["hr", "en"]
    answer = previewed(page, "German\tCroatian\tEnglish\nHund\tpas\tdog")
    assert "Recognised: Translation (English)" in answer.content.decode()


def test_a_new_list_says_how_many_words_it_has(page):
    sent = NEW | SETTINGS | {"lines": "Hund\tpas\nKatze\tmačka\nHund\tcuko"}
    assert "List created with 2 words." in page.post(reverse("list-new"), sent, follow=True).text


SEPARATORS = {
    "tab": ["\t"],
    "comma": [",", ", "],
    "semicolon": [";", "; "],
    "colon": [": ", " : "],
    "vertical bar": ["|", " | "],
    "dash": [" - ", " – ", " — "],
    "equals sign": [" = "],
    "arrow": [" -> ", " → "],
}


@pytest.mark.parametrize("name", SEPARATORS)
def test_each_separator_that_the_hint_names_works(page, name):
    assert name in page.get(reverse("list-new")).text
    assert name in page.get("/help/lists/").text
    for sign in SEPARATORS[name]:
        answer = previewed(page, f"Hund{sign}pas\nKatze{sign}mačka")
        found = [(line.row.term, line.row.translations) for line in answer.context["preview"].lines]
        assert found == [("Hund", {"hr": ["pas"]}), ("Katze", {"hr": ["mačka"]})], sign
        recognised = answer.context["reading"].fields["delimiter"].choices[0][1]
        assert recognised != "Recognised: ", sign


ALTERNATE = "der Hund\ndog\ndie Katze\ncat\ndas Pferd\nhorse"
IN_ENGLISH = {"translation_language": "en"}


def test_a_repair_is_offered_made_and_undone_and_saved_as_shown(page):
    first = previewed(page, ALTERNATE, **IN_ENGLISH)
    (hint,) = first.context["preview"].hints
    assert [(button.label, button.repairs) for button in hint.buttons] == [
        ("Join lines by twos", "join")
    ]
    repaired = previewed(page, ALTERNATE, repair="join", **IN_ENGLISH)
    assert [line.row.term for line in repaired.context["preview"].lines] == [
        "der Hund",
        "die Katze",
        "das Pferd",
    ]
    (hint,) = repaired.context["preview"].hints
    assert [(button.label, button.repairs) for button in hint.buttons] == [("Undo", "")]
    undone = previewed(page, ALTERNATE, repair="", **IN_ENGLISH)
    assert len(undone.context["preview"].lines) == 6
    sent = {name: repaired.context["reading"][name].value() for name in ("repair", "repaired_line")}
    assert saved(page, ALTERNATE, **IN_ENGLISH, **sent).entries.count() == 3


def test_a_repair_is_forgotten_when_another_text_is_pasted(page):
    chosen = {"repair": "join", "repaired_line": "der Hund"}
    preview = previewed(page, "die Maus\tmouse\ndie Kuh\tcow", **IN_ENGLISH, **chosen)
    assert [line.row.term for line in preview.context["preview"].lines] == ["die Maus", "die Kuh"]
    assert preview.context["preview"].hints == []


def test_a_list_of_mixed_marks_and_separators_has_one_warning(page):
    lines = "1. der Hund\tdog\n2. die Katze, -n – cat\n• das Pferd = horse\n- die Kuh\tcow"
    answer = previewed(page, lines, **IN_ENGLISH)
    assert [line.row.term for line in answer.context["preview"].lines] == [
        "der Hund",
        "die Katze, -n",
        "das Pferd",
        "die Kuh",
    ]
    assert answer.text.count("message--warning") <= 2  # marks left out; separators
