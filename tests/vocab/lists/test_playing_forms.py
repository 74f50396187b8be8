"""What a list's rules leave out of the grid: in puzzles, answers, sounds and files."""

import pytest
from django.urls import reverse

from puzzles.models import Puzzle
from puzzles.practice import quiz
from tests.conftest import rows
from vocab.entries import services as entry_services
from vocab.formats.rows import Row
from vocab.imports import services as imports
from vocab.lists import services as lists
from vocab.lists import sharing
from vocab.models import VocabularyList
from vocab.rows import convert
from vocab.sounds import playback, voices
from vocab.speech.engine import CannotSpeak
from vocab.text.playing import RULES

pytestmark = pytest.mark.django_db

SCHOOLBOOK = {
    "der Hund, -e": "dog",
    "die Katze (Tier)": "cat",
    "das Auto/der Wagen": "car",
    "die Schule, -n": "school",
    "aus|steigen": "to get off",
    "gehen, ging, gegangen": "to go",
    "der Garten, ¨": "garden",
    "das Fenster": "window",
}
PLAYED = ["HUND", "KATZE", "AUTO", "SCHULE", "AUSSTEIGEN", "GEHEN", "GARTEN", "FENSTER"]


@pytest.fixture
def german(teacher):
    return lists.create_list(
        owner=teacher,
        title="Lektion 1",
        language="de",
        translation_languages=["en"],
        playing_rules=RULES,
        rows=rows(SCHOOLBOOK),
    )


def letters_of(vocabulary_list):
    return ["".join(entry.tiles) for entry in vocabulary_list.entries.order_by("position")]


@pytest.mark.parametrize("kind", ["word-search", "finder", "crossword"])
def test_every_kind_plays_the_words_without_what_the_rules_leave_out(kind, german, make_puzzle):
    wanted = {"words": 4} if kind == "finder" else {"words": 8}
    puzzle = make_puzzle(kind, vocabulary_list=german, **wanted)
    assert puzzle.state == Puzzle.State.READY, puzzle.reason
    placed = {"".join(placement.tiles) for placement in puzzle.placements.all()}
    assert placed
    assert placed <= set(PLAYED)
    for placement in puzzle.placements.all():
        assert placement.term in SCHOOLBOOK  # what the student learns is the whole term
        assert placement.played.upper() == "".join(placement.tiles)


def test_words_in_the_list_to_find_are_spelled_as_in_the_grid(
    german, make_puzzle, sign_in, teacher
):
    puzzle = make_puzzle(vocabulary_list=german, words=8, clue="term")
    state = sign_in(teacher).get(reverse("api:play", args=[puzzle.code])).json()
    clues = {item["clue"]["text"].upper() for item in state["items"]}
    assert clues == set(PLAYED)
    assert all(sum(item["length"]) == len(item["clue"]["text"]) for item in state["items"])


def test_without_rules_nothing_is_left_out(german):
    lists.update_list(vocabulary_list=german, playing_rules=[])
    assert letters_of(german)[:2] == ["DERHUNDE", "DIEKATZETIER"]
    assert all(entry.answers == [] for entry in german.entries.all())
    lists.update_list(vocabulary_list=german, playing_rules=list(RULES))
    assert letters_of(german) == PLAYED


def test_one_word_can_be_played_otherwise(german, sign_in, teacher):
    entry = german.entries.get(term="das Auto/der Wagen")
    page = sign_in(teacher)
    form = page.get(reverse("entry-edit", args=[entry.pk])).context["form"]
    sent = {name: form[name].value() or "" for name in form.fields}
    page.post(reverse("entry-edit", args=[entry.pk]), sent | {"playing_form": "Wagen"})
    entry.refresh_from_db()
    assert entry.tiles == list("WAGEN")
    assert entry.answers == ["Wagen", "Auto"]
    lists.update_list(vocabulary_list=german, playing_rules=[])
    entry.refresh_from_db()
    assert entry.tiles == list("WAGEN")


@pytest.mark.parametrize("given", ["Auto", "der Wagen", "Wagen", "auto", "das Auto/der Wagen"])
def test_alternatives_are_right_answers(given, german):
    entry = german.entries.get(term="das Auto/der Wagen")
    assert quiz.judge(entry, given, "typed").comparison.is_right


@pytest.mark.parametrize("given", ["die Auto", "das", "Hund", ""])
def test_other_answers_are_wrong(given, german):
    entry = german.entries.get(term="das Auto/der Wagen")
    assert not quiz.judge(entry, given, "typed").comparison.is_right


@pytest.mark.parametrize(
    ("language", "words", "typed"),
    [
        ("nl", ["zo'n", "zon"], "zon"),
        ("de", ["schwül", "schwul"], "schwul"),
        ("vi", ["ma", "má"], "ma"),
        ("fr", ["pêcher", "pécher"], "pécher"),
        ("en", ["it's", "its"], "its"),
    ],
)
def test_another_word_of_the_list_is_wrong(language, words, typed, teacher):
    made = lists.create_list(
        owner=teacher,
        title="Alike",
        language=language,
        translation_languages=["hr"],
        rows=rows({word: word for word in words}),
    )
    entry, other = (made.entries.get(term=one) for one in sorted(words, key=typed.__eq__))
    verdict = quiz.judge(entry, typed, "typed")
    assert (verdict.outcome, verdict.is_slip) == ("wrong", False)
    other.delete()
    assert quiz.judge(entry, typed, "typed").outcome == "right"


@pytest.mark.parametrize(
    ("word", "pronunciation", "typed"),
    [
        ("猫（ねこ）", "", "ねこ"),
        ("猫", "ねこ", "ねこ"),
        ("学校【がっこう】", "", "がっこう"),
        ("話[はな]す", "", "はなす"),
    ],
)
def test_how_kanji_are_read_is_right_and_said(word, pronunciation, typed, teacher):
    made = lists.create_list(
        owner=teacher,
        title="Kanji",
        language="ja",
        translation_languages=["hr"],
        playing_rules=RULES,
        rows=[Row(term=word, pronunciation=pronunciation, translations={"hr": ["riječ"]})],
    )
    entry = made.entries.get()
    assert quiz.judge(entry, typed, "typed").outcome == "right"
    assert quiz.judge(entry, "いぬのて", "typed").outcome == "wrong"
    assert voices.said_of(entry) == typed


def test_a_voice_says_what_is_played(german):
    assert voices.said_of(german.entries.get(term="die Katze (Tier)")) == "Katze"


def test_a_voice_says_the_reading_of_what_it_cannot_read(teacher):
    japanese = lists.create_list(
        owner=teacher,
        title="Nihongo",
        language="ja",
        translation_languages=["en"],
        rows=[
            Row(term="東京", pronunciation="とうきょう", line=1),
            Row(term="ねこ", pronunciation="neko", line=2),
        ],
    )
    assert [voices.said_of(entry) for entry in japanese.entries.all()] == ["とうきょう", "ねこ"]
    entry = japanese.entries.get(term="東京")
    assert playback.sound_of(voices.said_of(entry), japanese).size() > 1000
    with pytest.raises(CannotSpeak):
        playback.sound_of(entry.played, japanese)  # the control


def test_the_example_gets_its_gap_where_the_noun_is(german):
    entry = german.entries.get(term="der Hund, -e")
    entry.example = "Ein Hund bellt."
    assert entry.gap_sentence() == "Ein ____ bellt."


def test_files_copies_and_undone_imports_keep_playing_forms(german, teacher):
    entry = german.entries.get(term="das Fenster")
    row = convert.row_of(entry)
    row.playing_form = "das Fenster"
    entry_services.edit_entry(entry=entry, version=entry.version, row=row)
    file = convert.export_list(german, format="delimited").decode("utf-8-sig")
    assert "playing_form" in file.splitlines()[0]

    copy = sharing.copy_list(original=german, owner=teacher)
    assert letters_of(copy) == [*PLAYED[:-1], "DASFENSTER"]

    again = lists.create_list(
        owner=teacher,
        title="again",
        language="de",
        translation_languages=["en"],
        playing_rules=RULES,
    )
    import_ = imports.start_import(vocabulary_list=again, created_by=teacher, text=file)
    imports.apply_import(import_=import_)
    assert letters_of(again) == letters_of(copy)

    more = imports.import_lines(
        vocabulary_list=again, created_by=teacher, rows=[Row(term="der Ball", line=1)]
    )
    imports.undo_import(import_=more)
    assert letters_of(again) == letters_of(copy)


def test_the_settings_show_what_would_be_played_before_it_is_saved(german, sign_in, teacher):
    lists.update_list(vocabulary_list=german, playing_rules=[])
    page = sign_in(teacher)
    address = reverse("list-playing", args=[german.pk])
    shown = page.post(address, {"playing_rules": ["articles", "notes"]}).content.decode()
    assert "H U N D" in shown
    assert VocabularyList.objects.get(pk=german.pk).playing_rules == []
    form = page.get(reverse("list-settings", args=[german.pk])).context["form"]
    sent = {name: form[name].value() for name in form.fields if form[name].value() is not None}
    page.post(reverse("list-settings", args=[german.pk]), sent | {"playing_rules": ["articles"]})
    assert letters_of(german)[0] == "HUNDE"


def test_the_api_takes_rules_and_forms_and_refuses_unknown_rules(german, sign_in, teacher):
    api = sign_in(teacher)
    address = reverse("api:list-detail", args=[german.pk])
    changed = api.patch(address, {"playing_rules": ["articles"]}, "application/json").json()
    assert changed["playing_rules"] == ["articles"]
    assert changed["entries"][7]["tiles"] == list("FENSTER")
    refused = api.patch(address, {"playing_rules": ["verbs"]}, "application/json")
    assert refused.status_code == 400


def test_a_file_for_an_empty_list_suggests_its_rules_and_shows_the_letters(sign_in, teacher):
    empty = lists.create_list(
        owner=teacher, title="leer", language="de", translation_languages=["en"]
    )
    page = sign_in(teacher)
    page.post(reverse("list-import", args=[empty.pk]), {"text": "der Hund\tdog\ndas Ei\tegg"})
    (import_,) = empty.imports.all()
    shown = page.get(reverse("import", args=[import_.pk]))
    assert "H U N D" in shown.content.decode()
    assert shown.context["form"]["playing_rules"].value() == ["articles"]
    assert VocabularyList.objects.get(pk=empty.pk).playing_rules == []  # nothing is saved yet
    page.post(reverse("import-apply", args=[import_.pk]))
    assert letters_of(empty) == ["HUND", "EI"]
    page.post(reverse("import-undo", args=[import_.pk]))
    assert VocabularyList.objects.get(pk=empty.pk).playing_rules == []


def test_the_teacher_can_refuse_the_rules_of_an_import(sign_in, teacher):
    empty = lists.create_list(
        owner=teacher, title="leer", language="de", translation_languages=["en"]
    )
    page = sign_in(teacher)
    page.post(reverse("list-import", args=[empty.pk]), {"text": "der Hund\tdog\ndas Ei\tegg"})
    (import_,) = empty.imports.all()
    form = page.get(reverse("import", args=[import_.pk])).context["form"]
    sent = {name: form[name].value() for name in form.fields if form[name].value() is not None}
    page.post(reverse("import-settings", args=[import_.pk]), sent | {"playing_rules": []})
    page.post(reverse("import-apply", args=[import_.pk]))
    assert letters_of(empty) == ["DERHUND", "DASEI"]


def test_a_list_with_words_keeps_its_own_rules(animals, teacher):
    import_ = imports.start_import(
        vocabulary_list=animals, created_by=teacher, text="pas (životinja)\tdog"
    )
    assert import_.playing_rules is None
    imports.apply_import(import_=import_)
    assert animals.entries.get(key__startswith="pas").played == "pas (životinja)"
