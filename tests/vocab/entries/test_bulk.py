"""Changes of many words: each concerns the chosen words of the one list, and is undone exactly."""

from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse
from django.utils import timezone

from osmosmjerka.db.deletable import KEPT
from osmosmjerka.jobs import ledger
from osmosmjerka.jobs.models import Job
from tests.conftest import rows
from vocab.entries import bulk
from vocab.entries import services as entry_services
from vocab.imports import services as imports
from vocab.lists import services as list_services
from vocab.lists import sharing
from vocab.models import BulkEdit, Entry, Import, VocabularyList
from vocab.rows import convert

pytestmark = [pytest.mark.django_db, pytest.mark.database]
LONG_AGO = timezone.now() - timedelta(days=365)


@pytest.fixture
def birds(teacher):
    return list_services.create_list(
        owner=teacher, title="Ptice", language="hr", translation_languages=["en"],
        rows=rows({"sova": "owl", "labud": "swan", "roda": "stork"}),
    )  # fmt: skip


def pks(vocabulary_list, *terms):
    return [vocabulary_list.entries.get(term=term).pk for term in terms]


def terms(vocabulary_list):
    return [entry.term for entry in vocabulary_list.entries.all()]


@pytest.fixture
def alter(animals, teacher, birds):
    """Return a function that changes many words of the animals, by default as their owner."""

    def alter(action, *names, person=teacher, **options):
        if action == "move":
            options.setdefault("target", birds)
        entries = options.pop("entries", None)
        return bulk.change_many(
            vocabulary_list=animals,
            person=person,
            action=action,
            entries=pks(animals, *names) if entries is None else entries,
            **options,
        )

    return alter


CHANGES = {
    "tag": {"tag": "farm"},
    "untag": {"tag": "farm"},
    "delete": {},
    "merge": {},
    "move": {},
}


@pytest.mark.parametrize("action", CHANGES)
def test_undone_at_once_it_is_as_if_nothing_had_been(action, alter, animals, birds, teacher):
    if action == "untag":
        alter("tag", "guska", "slon", tag="farm")
    before, of_birds = convert.checksum(animals), convert.checksum(birds)
    edit = alter(action, "guska", "slon", "labud", **CHANGES[action])
    assert convert.checksum(animals) != before
    assert (edit.vocabulary_list, edit.created_by, edit.action) == (animals, teacher, action)
    assert edit.count == {"tag": 3, "untag": 2, "delete": 3, "merge": 2, "move": 2}[action]
    assert edit.staying == (action == "move")  # the birds have a swan
    count = bulk.take_back(edit=edit, person=teacher)
    assert count == {"tag": 3, "untag": 2, "delete": 3, "merge": 3, "move": 2}[action]
    assert convert.checksum(animals) == before
    assert convert.checksum(birds) == of_birds
    assert [entry.position for entry in animals.entries.all()] == sorted(
        entry.position for entry in animals.entries.all()
    )
    with pytest.raises(ValidationError, match="already been undone"):
        bulk.take_back(edit=edit, person=teacher)


@pytest.mark.parametrize("action", CHANGES)
def test_who_has_a_changed_word_open_does_not_write_over_it(action, alter, animals):
    """Neither after the change nor after it was undone."""
    if action == "untag":
        alter("tag", "jelen", tag="farm")
    deer = animals.entries.get(term="jelen")

    def write_over():
        with pytest.raises(entry_services.EditConflict):
            entry_services.edit_entry(entry=deer, version=deer.version, row=convert.row_of(deer))

    edit = alter(action, "jelen", "mačka", **CHANGES[action])
    if action != "delete":
        write_over()
    bulk.take_back(edit=edit, person=edit.created_by)
    write_over()


@pytest.mark.parametrize("action", CHANGES)
def test_the_list_says_that_it_was_changed_and_so_does_the_other(action, alter, animals, birds):
    if action == "untag":
        alter("tag", "guska", "slon", tag="farm")

    def are_fresh():
        both = [VocabularyList.objects.get(pk=each.pk) for each in (animals, birds)]
        fresh = [each.updated_at > LONG_AGO for each in both]
        VocabularyList.objects.update(updated_at=LONG_AGO)
        return fresh

    are_fresh()
    edit = alter(action, "guska", "slon", **CHANGES[action])
    assert are_fresh() == [True, action == "move"]
    bulk.take_back(edit=edit, person=edit.created_by)
    assert are_fresh() == [True, action == "move"]


@pytest.mark.parametrize("action", CHANGES)
@pytest.mark.parametrize("way", ["numbers", "query"])
def test_words_of_another_list_are_out_of_reach(action, way, alter, animals, birds):
    chosen = Entry.objects.filter(term__in=["sova", "roda"])
    before = convert.checksum(birds)
    if way == "numbers":
        chosen = list(chosen.values_list("pk", flat=True))
    if action == "merge":
        with pytest.raises(ValidationError, match="at least two"):
            alter(action, entries=chosen)
    else:
        with pytest.raises(ValidationError, match="Nothing was changed"):
            alter(action, entries=chosen, **CHANGES[action])
    assert convert.checksum(birds) == before


@pytest.mark.parametrize("action", CHANGES)
def test_what_is_asked_for_twice_is_refused_and_leaves_nothing_to_undo(
    action, alter, animals, teacher
):
    """A double click, or a program that asks again."""
    if action == "untag":
        alter("tag", "guska", "slon", tag="farm")
    chosen = pks(animals, "guska", "slon")
    first = alter(action, entries=chosen, **CHANGES[action])
    before = convert.checksum(animals)
    with pytest.raises(ValidationError, match=r"Nothing was changed|at least two"):
        alter(action, entries=chosen, **CHANGES[action])
    assert convert.checksum(animals) == before
    assert animals.bulk_edits.latest("pk") == first
    assert bulk.take_back(edit=first, person=teacher) > 0


def test_what_the_other_list_has_already_is_not_moved_and_leaves_nothing_to_undo(alter, animals):
    with pytest.raises(ValidationError, match="Nothing was changed"):
        alter("move", "labud")  # the birds have a swan
    assert not animals.bulk_edits.exists()


@pytest.mark.parametrize("action", CHANGES)
def test_while_an_import_is_applied_many_words_are_not_changed(action, alter, animals, teacher):
    """Nor undone, nor moved into the list: the import would write over it without notice."""
    if action == "untag":
        alter("tag", "guska", "slon", tag="farm")
    edit = alter(action, "guska", "slon", **CHANGES[action])
    import_ = Import.objects.create(
        vocabulary_list=animals, created_by=teacher, state=Import.State.APPLYING
    )
    ledger.enqueue(imports.JOB, key=f"import:{import_.pk}:apply", subject=import_)
    for deed in (
        lambda: alter(action, "labud", "jelen", **CHANGES[action]),
        lambda: bulk.take_back(edit=edit, person=teacher),
    ):
        with pytest.raises(ValidationError, match="in progress"):
            deed()
    Job.objects.all().delete()  # the control
    bulk.take_back(edit=edit, person=teacher)


def test_words_are_not_moved_into_a_list_while_it_is_imported_into(alter, animals, birds, teacher):
    edit = alter("move", "guska")
    import_ = Import.objects.create(
        vocabulary_list=birds, created_by=teacher, state=Import.State.APPLYING
    )
    ledger.enqueue(imports.JOB, key=f"import:{import_.pk}:apply", subject=import_)
    with pytest.raises(ValidationError, match="in progress"):
        alter("move", "slon")
    with pytest.raises(ValidationError, match="in progress"):
        bulk.take_back(edit=edit, person=teacher)


@pytest.mark.parametrize("action", CHANGES)
def test_what_fails_halfway_has_changed_nothing(action, alter, animals, teacher, monkeypatch):
    if action == "untag":
        alter("tag", "guska", "slon", tag="farm")
    touch = entry_services.touch

    def fail(vocabulary_list):
        if vocabulary_list == animals:
            raise RuntimeError("the disk is full")
        touch(vocabulary_list)

    def fails(deed):
        before = convert.checksum(animals), BulkEdit.objects.count()
        monkeypatch.setattr(entry_services, "touch", fail)
        with pytest.raises(RuntimeError):
            deed()
        monkeypatch.setattr(entry_services, "touch", touch)
        assert (convert.checksum(animals), BulkEdit.objects.count()) == before

    fails(lambda: alter(action, "guska", "slon", **CHANGES[action]))
    edit = alter(action, "guska", "slon", **CHANGES[action])
    fails(lambda: bulk.take_back(edit=edit, person=teacher))
    assert bulk.take_back(edit=edit, person=teacher)


# Which undo is offered.


def test_the_five_newest_changes_are_offered_that_can_be_undone(alter, animals, teacher, sign_in):
    edits = [alter("tag", "guska", tag=f"tag {number}") for number in range(8)]
    newest = bulk.undoable(animals, teacher)
    assert newest == edits[:2:-1]
    bulk.take_back(edit=edits[-1], person=teacher)
    BulkEdit.objects.filter(pk=edits[-2].pk).update(
        created_at=timezone.now() - KEPT - timedelta(minutes=1)
    )
    BulkEdit.objects.filter(pk=edits[-3].pk).update(
        created_at=timezone.now() - KEPT + timedelta(minutes=1)
    )
    offered = bulk.undoable(animals, teacher)
    assert edits[-1] not in offered
    assert edits[-2] not in offered
    assert len(offered) == 5
    assert edits[0] in offered
    page = sign_in(teacher).get(reverse("list", args=[animals.pk])).content.decode()
    for edit in edits:
        is_offered = reverse("bulk-undo", args=[animals.pk, edit.pk]) in page
        assert is_offered is (edit in offered)
    for edit in edits[:5]:
        bulk.take_back(edit=edit, person=teacher)
    assert bulk.undoable(animals, teacher) == [edits[-3]]
    with pytest.raises(ValidationError, match="too long ago"):
        bulk.take_back(edit=edits[-2], person=teacher)
    assert "tag 6" in animals.entries.get(term="guska").tags
    bulk.take_back(edit=edits[-3], person=teacher)
    assert bulk.undoable(animals, teacher) == []


def test_an_undo_that_one_may_not_have_hides_none_that_one_may(
    alter, animals, birds, teacher, stranger
):
    """Words that the owner moved to a list of their own are not for a colleague to fetch."""
    tagged = alter("tag", "slon", tag="big")
    moves = [alter("move", term) for term in ("guska", "jelen", "mačka", "zmija", "pčela")]
    sharing.share_list(vocabulary_list=animals, teacher=stranger, may_edit=True)
    sharing.share_list(vocabulary_list=birds, teacher=stranger, may_edit=False)  # to see it
    assert bulk.undoable(animals, stranger) == [tagged]
    assert bulk.undoable(animals, teacher) == list(reversed(moves))
    for edit in moves:
        with pytest.raises(ValidationError, match="cannot edit it"):
            bulk.take_back(edit=edit, person=stranger)
    assert bulk.take_back(edit=tagged, person=stranger) == 1


# Limits.


def test_a_tag_has_at_most_sixty_characters(alter, animals):
    edit = alter("tag", "guska", tag=f"  {'x' * 29}   {'y' * 30} ")
    assert animals.entries.get(term="guska").tags == [f"{'x' * 29} {'y' * 30}"]
    assert edit.count == 1
    for tag in ("x" * 61, "  ", ""):
        with pytest.raises(ValidationError, match="60 characters"):
            alter("tag", "guska", tag=tag)


def test_at_most_a_thousand_words_become_one(alter, animals):
    words = {f"riječ {number}": "" for number in range(1000)}
    list_services.write_rows(vocabulary_list=animals, rows=rows(words))
    of_many = list(animals.entries.filter(term__startswith="riječ").values_list("pk", flat=True))
    with pytest.raises(ValidationError, match="at most 1000"):
        alter("merge", entries=[*of_many, *pks(animals, "guska")])
    assert animals.entries.count() == 1012
    assert alter("merge", entries=of_many).count == 999
    assert animals.entries.count() == 13


@pytest.mark.parametrize("chosen", [[], ["guska"]])
def test_one_word_is_not_merged_with_itself(chosen, alter):
    with pytest.raises(ValidationError, match="at least two"):
        alter("merge", *chosen)


def test_moving_needs_a_list_to_move_to(alter, animals):
    with pytest.raises(ValidationError, match="Choose the list"):
        alter("move", "guska", target=None)
    assert "guska" in terms(animals)


# What happened in between stays.


def test_of_two_deletions_each_is_undone_by_itself(alter, animals, birds, teacher):
    first, second = alter("delete", "guska"), alter("delete", "slon")
    alter("delete", "labud")
    of_birds = pks(birds, "sova")
    Entry.everything.filter(pk__in=of_birds).update(deleted_at=first.undo["at"])
    assert bulk.take_back(edit=first, person=teacher) == 1
    assert "guska" in terms(animals)
    assert {"slon", "labud"}.isdisjoint(terms(animals))
    assert "sova" not in terms(birds), "deleted at the same moment, in another list"
    assert bulk.take_back(edit=second, person=teacher) == 1


def test_a_word_that_was_added_again_is_not_there_twice(alter, animals, birds, teacher):
    deleted, moved = alter("delete", "guska", "slon"), alter("move", "jelen", "zmija")
    list_services.write_rows(
        vocabulary_list=animals, rows=rows({"guska": "new goose", "jelen": "new deer"})
    )
    for edit in (deleted, moved):
        assert bulk.take_back(edit=edit, person=teacher) == 1
    assert sorted(terms(animals)) == sorted(set(terms(animals)))
    assert {"slon", "zmija", "guska", "jelen"} <= set(terms(animals))
    assert "jelen" in terms(birds), "it stays where it was moved to"


def test_a_tag_that_a_word_had_before_stays_with_it(alter, animals, teacher):
    alter("tag", "guska", tag="farm")
    alter("tag", "guska", tag="bird")
    edit = alter("tag", "guska", "slon", tag="farm")
    assert edit.count == 1
    bulk.take_back(edit=edit, person=teacher)
    assert animals.entries.get(term="guska").tags == ["farm", "bird"]
    assert animals.entries.get(term="slon").tags == []
    edit = alter("untag", "guska", "slon", tag="farm")
    assert (edit.count, animals.entries.get(term="guska").tags) == (1, ["bird"])
    bulk.take_back(edit=edit, person=teacher)
    assert set(animals.entries.get(term="guska").tags) == {"farm", "bird"}
    assert animals.entries.get(term="slon").tags == []


def test_words_that_were_moved_stand_last_and_come_back_to_their_place(
    alter, animals, birds, teacher
):
    before, of_birds = terms(animals), terms(birds)
    edit = alter("move", "slon", "krokodil")
    assert terms(birds) == [*of_birds, "krokodil", "slon"]
    positions = [entry.position for entry in birds.entries.all()]
    assert len(set(positions)) == len(positions), "each has a place of its own"
    bulk.take_back(edit=edit, person=teacher)
    assert (terms(animals), terms(birds)) == (before, of_birds)


def test_a_word_that_left_the_other_list_meanwhile_is_not_fetched(alter, animals, birds, teacher):
    edit = alter("move", "guska", "slon")
    goose = birds.entries.get(term="guska")
    bulk.change_many(vocabulary_list=birds, person=teacher, action="delete", entries=[goose.pk])
    assert bulk.take_back(edit=edit, person=teacher) == 1
    assert "slon" in terms(animals)
    assert "guska" not in terms(animals)


def test_a_merged_word_is_taken_apart_and_the_number_is_right(alter, animals, teacher):
    edit = alter("merge", "guska", "labud", "slon")
    first = animals.entries.get(pk=edit.undo["first"])
    assert [t.text for t in first.translations.all()] == ["swan", "elephant", "goose"]
    alter("tag", "jelen", tag="x")  # another word has been changed as often as the first was
    assert animals.entries.get(term="jelen").version == first.version
    changed = convert.row_of(first)
    changed.hint = "white"
    entry_services.edit_entry(entry=first, version=first.version, row=changed)
    assert bulk.take_back(edit=edit, person=teacher) == 2
    first.refresh_from_db()
    assert first.hint == "white"
    assert first.translations.count() == 3


def test_the_first_word_gains_what_the_others_have(alter, animals, teacher):
    """And keeps what it has; undone, each has its own again."""
    swan, goose = (animals.entries.get(term=term) for term in ("labud", "guska"))
    for entry, texts in ((swan, {"hint": "white"}), (goose, {"hint": "grey", "note": "honks"})):
        for name, text in texts.items():
            setattr(entry, name, text)
        entry.set_tags([f"tag of {entry.term}"])
        entry.save()
    edit = alter("merge", "labud", "guska")
    swan.refresh_from_db()
    assert (swan.hint, swan.note) == ("white", "honks")
    assert set(swan.tags) == {"tag of labud", "tag of guska"}
    bulk.take_back(edit=edit, person=teacher)
    swan.refresh_from_db()
    assert (swan.hint, swan.note, swan.tags) == ("white", "", ["tag of labud"])


def test_letters_are_cut_as_the_other_lists_language_does(alter, animals, teacher):
    """Also back; where both lists cut alike nothing is written again."""
    english = list_services.create_list(
        owner=teacher, title="x", language="en", translation_languages=["en"]
    )
    more = {"ljubav": "love", "njuška": "x", "ljeto": "summer"}
    list_services.write_rows(vocabulary_list=animals, rows=rows(more))
    edit = alter("move", "ljubav", "njuška", target=english)
    assert [entry.tiles[:2] for entry in english.entries.all()] == [["L", "J"], ["N", "J"]]
    assert animals.entries.get(term="ljeto").tiles[0] == "LJ", "what stayed is as it was"
    assert bulk.take_back(edit=edit, person=teacher) == 2
    assert [animals.entries.get(term=term).tiles[0] for term in ("ljubav", "njuška")] == [
        "LJ",
        "NJ",
    ]
