"""Lists and what is remembered of them."""

from datetime import UTC, datetime, timedelta

import pytest
from django.core.exceptions import ValidationError

from tests.conftest import rows
from vocab.entries import selectors as entries_selectors
from vocab.formats.rows import Row
from vocab.lists import services as list_services
from vocab.memory import reviews
from vocab.memory.card import WAIT
from vocab.models import Review, WordProgress

START = datetime(2026, 9, 1, 8, tzinfo=UTC)
pytestmark = [pytest.mark.django_db, pytest.mark.database]


def test_a_list_keeps_the_order_and_cuts_the_tiles(animals):
    terms = [entry.term for entry in animals.entries.all()]
    assert terms[:3] == ["krokodil", "labud", "kokoš"]
    assert animals.entries.get(term="kokoš").tiles == ["K", "O", "K", "O", "Š"]
    assert animals.entries.get(term="pčela").translations.get().text == "bee"


def test_a_digraph_is_one_tile(animals):
    list_services.write_rows(vocabulary_list=animals, rows=rows({"ljiljan": "lily"}))
    assert animals.entries.get(term="ljiljan").tiles == ["LJ", "I", "LJ", "A", "N"]


def test_a_word_that_is_there_gains_a_translation_and_is_not_doubled(animals):
    list_services.write_rows(
        vocabulary_list=animals, rows=rows({"Guska": "wild goose", "sova": "owl"})
    )
    assert animals.entries.count() == 13
    goose = animals.entries.get(term="guska")
    assert [translation.text for translation in goose.translations.all()] == [
        "goose",
        "wild goose",
    ]


def test_no_column_of_a_pasted_line_is_dropped(sign_in, teacher, animals):
    client = sign_in(teacher)
    lines = "term,translation,example,tags,image,Lesson\nsova,owl,Sova leti.,bird,sova.png,3\n"
    lines += "guska,wild goose,Guska pliva.,bird,,4"
    client.post(f"/lists/{animals.pk}/", {"lines": lines})
    owl, goose = animals.entries.get(term="sova"), animals.entries.get(term="guska")
    assert (owl.example, owl.extra) == ("Sova leti.", {"image": "sova.png", "Lesson": "3"})
    assert (goose.example, goose.extra) == ("Guska pliva.", {"Lesson": "4"})
    assert set(entries_selectors.find_entries(animals, tag="bird")) == {owl, goose}


def test_the_same_rows_twice_change_nothing(animals):
    before = animals.entries.count()
    list_services.write_rows(
        vocabulary_list=animals, rows=rows({"labud": "swan", "slon": "elephant"})
    )
    assert animals.entries.count() == before
    assert animals.entries.get(term="labud").translations.count() == 1


def test_accents_make_different_words(animals):
    list_services.write_rows(vocabulary_list=animals, rows=rows({"macka": "not a cat"}))
    assert animals.entries.filter(term__in=["mačka", "macka"]).count() == 2


def test_a_word_that_cannot_be_kept_names_its_line_and_loses_nothing(animals):
    before = animals.entries.count()
    with pytest.raises(ValidationError, match="Line 7"):
        list_services.write_rows(
            vocabulary_list=animals,
            rows=[Row(line=6, term="sova"), Row(line=7, term="x" * 301)],
        )
    assert animals.entries.count() == before


def remember(student, entry, days, outcome="right", skill="meaning_to_form"):
    return reviews.review(
        student=student,
        entry=entry,
        mode="typed",
        skill=skill,
        outcome=outcome,
        at=START + timedelta(days=days),
        source=f"test:{skill}:{days}",
    )


def test_a_word_that_is_remembered_comes_back_later_and_later(student, animals):
    entry = animals.entries.first()
    waits = []
    for day in (0, 1, 4, 14):
        remember(student, entry, day)
        progress = WordProgress.objects.get()
        waits.append(progress.due_on - progress.last_on)
    assert waits == sorted(waits)
    assert waits[-1] > timedelta(days=14)


def test_a_word_that_is_forgotten_comes_back_after_the_shortest_wait(student, animals):
    entry = animals.entries.first()
    for day in (0, 1, 5):
        remember(student, entry, day)
    remember(student, entry, 20, outcome="wrong")
    progress = WordProgress.objects.get()
    assert progress.due_on - progress.last_on == timedelta(days=WAIT)
    assert (progress.right, progress.wrong, progress.asked) == (3, 1, 4)


def test_a_review_is_never_changed(student, animals):
    record = remember(student, animals.entries.first(), 0)
    record.outcome = Review.Outcome.WRONG
    with pytest.raises(TypeError, match="Append"):
        record.save()


@pytest.mark.parametrize(("sent", "kept"), [("strict", "strict"), ("", "warn"), (None, "warn")])
def test_a_new_lists_rule_for_accents_is_chosen_at_once(sent, kept, sign_in, teacher):
    data = {"title": "x", "language": "hr", "translation_language": "en", "visibility": "private"}
    client = sign_in(teacher)
    client.post("/lists/new/", data | ({} if sent is None else {"accents": sent}))
    assert teacher.vocabulary_lists.get().accents == kept
