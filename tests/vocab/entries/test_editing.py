"""Editing a list: rows in place, many at once, search and filters, fitness for puzzles."""

import pytest
from django.core.exceptions import ValidationError
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.conftest import rows
from vocab.entries import bulk, fitness
from vocab.entries import selectors as entries_selectors
from vocab.entries import services as entry_services
from vocab.lists import services as list_services
from vocab.lists import sharing
from vocab.memory import reviews
from vocab.models import BlockedWord, Entry, Pronunciation, Review
from vocab.rows import convert
from vocab.text import tiles

pytestmark = [pytest.mark.django_db, pytest.mark.database]


@pytest.fixture
def client(sign_in, teacher):
    return sign_in(teacher)


def term(animals, name):
    return animals.entries.get(term=name)


def take_back(client, animals):
    edit = animals.bulk_edits.filter(undone_at=None).first()
    return client.post(reverse("bulk-undo", args=[animals.pk, edit.pk]), follow=True)


def change(entry, **texts):
    row = convert.row_of(entry)
    for name, text in texts.items():
        setattr(row, name, text)
    return row


def filled(client, entry):
    """What a browser would send of the word's form."""
    page = client.get(reverse("entry-edit", args=[entry.pk]))
    form = page.context["form"]
    return {field.name: field.value() or "" for field in form}


def test_a_word_is_edited_in_place(client, animals):
    goose = term(animals, "guska")
    data = filled(client, goose) | {"translation_en": "goose; wild goose", "tags": "bird, farm"}
    page = client.post(reverse("entry-edit", args=[goose.pk]), data | {"term": "ljepša guska"})
    assert "wild goose" in page.content.decode()
    goose.refresh_from_db()
    assert [t.text for t in goose.translations.all()] == ["goose", "wild goose"]
    assert goose.tags == ["bird", "farm"]
    assert goose.tiles[:2] == ["LJ", "E"]
    assert goose.version == 2


def test_the_second_editor_is_told_and_shown_both_versions(client, animals):
    goose = term(animals, "guska")
    mine = filled(client, goose) | {"hint": "it honks"}
    theirs = filled(client, goose) | {"hint": "it hisses"}
    client.post(reverse("entry-edit", args=[goose.pk]), theirs)
    page = client.post(reverse("entry-edit", args=[goose.pk]), mine)
    text = page.content.decode()
    assert "Someone else changed" in text
    assert "it honks" in text and "it hisses" in text
    goose.refresh_from_db()
    assert goose.hint == "it hisses"
    mine["version"] = page.context["version"]
    client.post(reverse("entry-edit", args=[goose.pk]), mine)
    goose.refresh_from_db()
    assert goose.hint == "it honks"


def seen_and_sent(client, entry, **changes):
    """What a browser would send of the word's form, with what it showed."""
    sent = filled(client, entry)
    shown = {f"initial-{name}": value for name, value in sent.items() if name != "version"}
    return sent | shown | changes


def test_two_people_change_different_fields_of_a_word_and_both_stay(client, animals):
    goose = term(animals, "guska")
    mine = seen_and_sent(client, goose, hint="it honks", translation_en="goose; fool")
    theirs = seen_and_sent(client, goose, note="see swan", tags="bird", term="Guska")
    client.post(reverse("entry-edit", args=[goose.pk]), theirs)
    page = client.post(reverse("entry-edit", args=[goose.pk]), mine)
    assert "Someone else changed" not in page.content.decode()
    goose.refresh_from_db()
    assert (goose.term, goose.note, goose.tags) == ("Guska", "see swan", ["bird"])
    assert goose.hint == "it honks"
    assert [text.text for text in goose.translations.all()] == ["goose", "fool"]


def test_where_two_people_change_the_same_field_only_that_is_shown_and_the_rest_stays(
    client, animals
):
    goose = term(animals, "guska")
    mine = seen_and_sent(client, goose, hint="it honks", example="Guska gače.")
    theirs = seen_and_sent(client, goose, hint="it hisses", note="see swan")
    client.post(reverse("entry-edit", args=[goose.pk]), theirs)
    page = client.post(reverse("entry-edit", args=[goose.pk]), mine)
    [clash] = page.context["clashes"]
    assert (clash.label, clash.mine, clash.theirs) == ("Hint", "it honks", "it hisses")
    form = page.context["form"]
    assert (form["note"].value(), form["example"].value()) == ("see swan", "Guska gače.")
    again = {name: form.data[name] for name in form.data} | {"version": page.context["version"]}
    client.post(reverse("entry-edit", args=[goose.pk]), again)
    goose.refresh_from_db()
    assert (goose.hint, goose.note, goose.example) == ("it honks", "see swan", "Guska gače.")


def test_a_translation_that_was_removed_stays_removed_beside_others_changes(client, animals):
    goose = term(animals, "guska")
    mine = seen_and_sent(client, goose, translation_en="")
    client.post(
        reverse("entry-edit", args=[goose.pk]), seen_and_sent(client, goose, note="see swan")
    )
    client.post(reverse("entry-edit", args=[goose.pk]), mine)
    goose.refresh_from_db()
    assert (goose.note, goose.translations.count()) == ("see swan", 0)


def test_saving_without_a_change_is_no_change(animals):
    goose = term(animals, "guska")
    saved = entry_services.edit_entry(entry=goose, version=1, row=convert.row_of(goose))
    assert saved.version == 1


def test_what_the_form_does_not_ask_stays(client, animals):
    goose = term(animals, "guska")
    Entry.objects.filter(pk=goose.pk).update(extra={"register": "plain", "image": "goose.png"})
    client.post(reverse("entry-edit", args=[goose.pk]), filled(client, goose) | {"note": "x"})
    goose.refresh_from_db()
    assert (goose.note, goose.extra) == ("x", {"register": "plain", "image": "goose.png"})


def test_a_word_that_the_list_has_already_is_refused(client, animals):
    goose = term(animals, "guska")
    data = filled(client, goose) | {"term": "Labud"}
    page = client.post(reverse("entry-edit", args=[goose.pk]), data)
    assert "is already in the list" in page.content.decode()
    assert client.post(reverse("entry-edit", args=[goose.pk]), {"term": ""}).status_code == 200
    assert term(animals, "guska") == goose


def test_a_word_is_added_at_the_end(client, animals):
    url = reverse("entry-add", args=[animals.pk])
    page = client.post(url, {"term": "sova", "translation_en": "owl", "tags": "bird"})
    assert "owl" in page.content.decode()
    assert animals.entries.last().term == "sova"
    assert "already" in client.post(url, {"term": "SOVA"}).content.decode()


def test_deleted_words_come_back_with_what_students_did(client, animals, student):
    goose = term(animals, "guska")
    reviews.review(
        student=student, entry=goose, mode="typed", skill="form", outcome="right", source="x",
        at=goose.created_at,
    )  # fmt: skip
    before = convert.checksum(animals)
    chosen = [goose.pk, term(animals, "labud").pk]
    client.post(reverse("entries-bulk", args=[animals.pk]), {"action": "delete", "entries": chosen})
    assert animals.entries.count() == 10
    page = client.get(reverse("list", args=[animals.pk])).content.decode()
    assert "Undo" in page
    take_back(client, animals)
    assert convert.checksum(animals) == before
    assert Review.objects.get().entry_id == goose.pk


@pytest.mark.parametrize("page", ["home", "list-overview"])
def test_overviews_count_no_deleted_word(client, animals, page):
    elephant = [term(animals, "slon").pk]
    bulk.change_many(
        vocabulary_list=animals, person=animals.owner, action="delete", entries=elephant
    )
    shown = client.get(reverse(page)).context
    (found,) = shown["lists" if page == "home" else "page"]
    assert found.size == animals.entries.count() == 11


def test_what_was_added_again_meanwhile_is_not_doubled(animals):
    edit = bulk.change_many(
        vocabulary_list=animals,
        person=animals.owner,
        action="delete",
        entries=[term(animals, "guska").pk],
    )
    list_services.write_rows(vocabulary_list=animals, rows=rows({"guska": "goose"}))
    with pytest.raises(ValidationError, match="in the list again"):
        bulk.take_back(edit=edit, person=edit.created_by)
    assert animals.entries.filter(term="guska").count() == 1


def test_tags_are_given_and_taken_in_bulk(client, animals):
    chosen = [term(animals, "guska").pk, term(animals, "labud").pk]
    url = reverse("entries-bulk", args=[animals.pk])
    client.post(url, {"action": "tag", "entries": chosen, "tag": "ptica"})
    assert entries_selectors.tags_of(animals) == ["ptica"]
    found = entries_selectors.find_entries(animals, tag="ptica")
    assert [entry.term for entry in found] == ["labud", "guska"]
    assert not entries_selectors.find_entries(animals, tag="ptic").exists()
    client.post(url, {"action": "untag", "entries": chosen[:1], "tag": "ptica"})
    assert [entry.term for entry in entries_selectors.find_entries(animals, tag="ptica")] == [
        "labud"
    ]
    client.post(url, {"action": "tag", "entries": chosen, "tag": ""})
    assert entries_selectors.tags_of(animals) == ["ptica"]


def test_duplicates_are_joined_into_the_first(client, animals):
    list_services.write_rows(vocabulary_list=animals, rows=rows({"macka": "pussycat"}))
    chosen = [term(animals, "macka").pk, term(animals, "mačka").pk]
    url = reverse("entries-bulk", args=[animals.pk])
    client.post(url, {"action": "merge", "entries": chosen})
    cat = term(animals, "mačka")
    assert [t.text for t in cat.translations.all()] == ["cat", "pussycat"]
    assert not animals.entries.filter(term="macka").exists()
    reply = client.post(url, {"action": "merge", "entries": [cat.pk]}, follow=True)
    assert "at least two" in reply.content.decode()
    take_back(client, animals)
    assert [t.text for t in term(animals, "mačka").translations.all()] == ["cat"]
    assert [t.text for t in term(animals, "macka").translations.all()] == ["pussycat"]


def test_all_that_was_found_is_changed_and_undone_in_one_click(client, animals, monkeypatch):
    list_services.write_rows(
        vocabulary_list=animals, rows=rows({f"riječ {n}": f"word {n}" for n in range(150)})
    )
    before = convert.checksum(animals)
    page = client.get(reverse("list", args=[animals.pk]), {"q": "rijec"}).content.decode()
    assert "All 150 words found" in page
    url = reverse("entries-bulk", args=[animals.pk])
    monkeypatch.setattr(bulk, "_AT_ONCE", 40)
    shown = term(animals, "riječ 1").pk  # what is ticked besides does not narrow it
    for data, finds in (
        (
            {"action": "tag", "tag": "new"},
            lambda: entries_selectors.find_entries(animals, tag="new"),
        ),
        ({"action": "delete"}, lambda: animals.entries.none()),
    ):
        query = {"query": "q=rijec", "everything": "1", "entries": [shown]}
        client.post(url, data | query)
        assert finds().count() == (150 if data["action"] == "tag" else 0)
        assert animals.entries.exclude(term__startswith="riječ").count() == 12
        take_back(client, animals)
        assert convert.checksum(animals) == before


@pytest.mark.parametrize("may_edit_both", [False, True], ids=["forbidden", "control"])
def test_words_that_were_moved_out_of_sight_are_not_fetched_back_by_another(
    client, animals, teacher, stranger, sign_in, may_edit_both
):
    sharing.share_list(vocabulary_list=animals, teacher=stranger, may_edit=True)
    hidden = list_services.create_list(
        owner=teacher, title="Skriveno", language="hr", translation_languages=["en"]
    )
    goose = term(animals, "guska")
    url = reverse("entries-bulk", args=[animals.pk])
    client.post(url, {"action": "move", "entries": [goose.pk], "target": hidden.pk})
    if may_edit_both:
        sharing.share_list(vocabulary_list=hidden, teacher=stranger, may_edit=True)
    take_back(sign_in(stranger), animals)
    assert animals.entries.filter(pk=goose.pk).exists() == may_edit_both
    assert hidden.entries.exists() != may_edit_both


def test_moved_to_a_list_without_digraphs_a_word_is_cut_again_and_back(client, animals, teacher):
    plain = list_services.create_list(
        owner=teacher, title="x", language="hr", translation_languages=["en"]
    )
    plain.uses_digraphs = False
    plain.save()
    list_services.write_rows(vocabulary_list=animals, rows=rows({"ljubav": "love"}))
    love = term(animals, "ljubav")
    url = reverse("entries-bulk", args=[animals.pk])
    client.post(url, {"action": "move", "entries": [love.pk], "target": plain.pk})
    assert plain.entries.get().tiles[:2] == ["L", "J"]
    take_back(client, animals)
    assert term(animals, "ljubav").tiles[:2] == ["LJ", "U"]


def test_a_word_moves_up_and_down(client, animals):
    swan = term(animals, "labud")
    client.post(reverse("entry-place", args=[swan.pk]), {"step": "up"})
    assert [entry.term for entry in animals.entries.all()[:2]] == ["labud", "krokodil"]
    client.post(reverse("entry-place", args=[swan.pk]), {"step": "up"})
    client.post(reverse("entry-place", args=[swan.pk]), {"step": "down"})
    assert [entry.term for entry in animals.entries.all()[:2]] == ["krokodil", "labud"]
    Entry.objects.update(position=0)
    swan.refresh_from_db()
    entry_services.place_entry(entry=swan, step=1)
    assert [entry.term for entry in animals.entries.all()[:3]] == ["krokodil", "kokoš", "labud"]


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("macka", ["mačka"]),
        ("MAČ", ["mačka"]),
        ("bee", ["pčela"]),
        ("pcela bee", ["pčela"]),
        ("nothing", []),
    ],
)
def test_the_search_ignores_case_and_accents(animals, asked, found):
    assert [entry.term for entry in entries_selectors.find_entries(animals, search=asked)] == found


def test_filters_find_what_is_missing(client, animals):
    list_services.write_rows(vocabulary_list=animals, rows=[*rows({"sova": ""})])
    goose = term(animals, "guska")
    entry_services.edit_entry(entry=goose, version=1, row=change(goose, part_of_speech="noun"))
    page = client.get(reverse("list", args=[animals.pk]), {"missing": "translation"})
    assert [entry.term for entry in page.context["page"]] == ["sova"]
    page = client.get(reverse("list", args=[animals.pk]), {"pos": "noun"})
    assert [entry.term for entry in page.context["page"]] == ["guska"]
    assert entries_selectors.find_entries(animals, missing="audio").count() == 13
    recorded, _is_ready = (
        Pronunciation.objects.create(
            entry=term(animals, animal),
            language="hr",
            text=animal,
            engine="recording",
            state=state,
            file=f"{animal}.mp3",
        )
        for animal, state in (("guska", "ready"), ("labud", "waiting"))
    )
    unheard = entries_selectors.find_entries(animals, missing="audio")
    assert unheard.count() == 12
    assert recorded.entry not in unheard


def test_the_page_asks_as_many_queries_for_many_words_as_for_few(client, animals):
    url = reverse("list", args=[animals.pk])
    client.get(url)
    with CaptureQueriesContext(connection) as few:
        client.get(url)
    more = {f"riječ {n}": f"word {n}" for n in range(300)}
    list_services.write_rows(vocabulary_list=animals, rows=rows(more))
    with CaptureQueriesContext(connection) as many:
        client.get(url)
    assert len(many) == len(few)


def test_the_page_shows_what_does_not_fit_into_a_puzzle(client, animals):
    BlockedWord.objects.create(word="Gavran")
    more = {"ris": "lynx", "risovi": "lynxes", "os": "wasp", "prijestolonasljednikovica": "long"}
    list_services.write_rows(vocabulary_list=animals, rows=rows(more))
    text = client.get(reverse("list", args=[animals.pk])).content.decode()
    for finding in ("is contained in “risovi”", "only 2 letters", "too long", "blocked word"):
        assert finding in text


def test_a_word_that_stands_in_another_backwards_is_found_too():
    words = {n: (word, tiles(word, "en")) for n, word in enumerate(["god", "dogma", "cat"])}
    found = fitness.check(words, words.values())
    assert found == {0: [fitness.Finding("contained", other="dogma")]}
    signs = fitness.check({1: ("?!", ())}, [])
    assert signs == {1: [fitness.Finding("no letters")]}


def test_two_tiles_fit_where_they_are_a_word():
    words = {
        1: ("水果", ("水", "果")),
        2: ("水", ("水",)),
        3: ("אב", ("א", "ב")),
        4: ("at", ("A", "T")),
    }
    found = fitness.check(words, [])
    assert found == {
        2: [fitness.Finding("too short", letters=1)],
        4: [fitness.Finding("too short", letters=2)],
    }


def test_a_stranger_edits_nothing(sign_in, stranger, animals):
    goose = term(animals, "guska")
    before = convert.checksum(animals)
    client = sign_in(stranger)
    assert client.get(reverse("entry", args=[goose.pk])).status_code == 404
    for name, pk in (
        ("entry-edit", goose.pk),
        ("entry-place", goose.pk),
        ("entry-add", animals.pk),
        ("entries-bulk", animals.pk),
    ):
        data = {"term": "x", "action": "delete", "entries": [goose.pk], "step": "up"}
        assert client.post(reverse(name, args=[pk]), data).status_code == 404
    edit = bulk.change_many(
        vocabulary_list=animals, person=animals.owner, action="tag", tag="x", entries=[goose.pk]
    )
    before = convert.checksum(animals)
    assert client.post(reverse("bulk-undo", args=[animals.pk, edit.pk])).status_code == 404
    assert convert.checksum(animals) == before
