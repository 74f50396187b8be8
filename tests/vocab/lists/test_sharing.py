"""Who may do what with a list, by each way of sharing it; copies and their originals."""

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse

from osmosmjerka.accounts.models import User
from tests.conftest import rows
from vocab import access
from vocab.entries import bulk
from vocab.entries import services as entry_services
from vocab.imports import services as imports
from vocab.lists import services as list_services
from vocab.lists import sharing
from vocab.models import Import, Share, VocabularyList
from vocab.rows import convert

pytestmark = [pytest.mark.django_db, pytest.mark.database]

LANGUAGES = {"language": "hr", "translation_language": "en"}

NOTHING = set()
SEE = {"see", "make puzzles"}
EVERYTHING = set(access.LIST_ACTIONS)


@pytest.fixture
def people(make_person, school, other_school, teacher, student, stranger):
    return {
        "owner": teacher,
        "colleague": make_person(User.Role.TEACHER, school),
        "school admin": make_person(User.Role.SCHOOL_ADMIN, school),
        "student": student,
        "stranger": stranger,
        "other school's admin": make_person(User.Role.SCHOOL_ADMIN, other_school),
    }


def may(person, vocabulary_list):
    return {
        action
        for action in access.LIST_ACTIONS
        if access.vocabulary_lists(person, action).filter(pk=vocabulary_list.pk).exists()
    }


@pytest.mark.parametrize(
    ("visibility", "in_school", "elsewhere"),
    [("private", NOTHING, NOTHING), ("school", SEE, NOTHING), ("public", SEE, SEE)],
)
def test_visibility_decides_who_sees_a_list(people, animals, visibility, in_school, elsewhere):
    VocabularyList.objects.filter(pk=animals.pk).update(visibility=visibility)
    assert {name: may(person, animals) for name, person in people.items()} == {
        "owner": EVERYTHING,
        "colleague": in_school,
        "school admin": SEE | {"delete"},
        "student": NOTHING,
        "stranger": elsewhere,
        "other school's admin": elsewhere,
    }


@pytest.mark.parametrize("who", ["colleague", "stranger"])
@pytest.mark.parametrize(("may_edit", "expected"), [(False, SEE), (True, SEE | {"edit"})])
def test_a_teacher_with_whom_it_is_shared_may_see_or_edit_also_from_another_school(
    people, animals, who, may_edit, expected
):
    sharing.share_list(vocabulary_list=animals, teacher=people[who], may_edit=may_edit)
    assert may(people[who], animals) == expected
    other = "stranger" if who == "colleague" else "colleague"
    assert may(people[other], animals) == NOTHING
    sharing.unshare_list(vocabulary_list=animals, teacher_pk=people[who].pk)
    assert may(people[who], animals) == NOTHING


def test_a_teacher_who_left_or_became_a_student_sees_nothing(people, animals):
    colleague = people["colleague"]
    sharing.share_list(vocabulary_list=animals, teacher=colleague, may_edit=True)
    colleague.is_active = False
    assert may(colleague, animals) == NOTHING
    colleague.is_active, colleague.role = True, User.Role.STUDENT
    assert may(colleague, animals) == NOTHING


def test_the_owner_shares_and_stops_sharing_through_the_page(sign_in, people, animals):
    client, url = sign_in(people["owner"]), reverse("list-share", args=[animals.pk])
    stranger = people["stranger"]
    client.post(url, {"username": stranger.username, "may_edit": "on"})
    assert may(stranger, animals) == SEE | {"edit"}
    page = client.get(reverse("list-settings", args=[animals.pk])).content.decode()
    assert "view and edit" in page
    for person in (stranger, people["owner"]):
        heading = sign_in(person).get(reverse("list", args=[animals.pk])).content.decode()
        assert "Shared with colleagues" in heading
        assert "Only me" not in heading
    client.post(url, {"username": stranger.username})
    assert may(stranger, animals) == SEE
    client.post(reverse("list-unshare", args=[animals.pk, stranger.pk]))
    assert may(stranger, animals) == NOTHING
    assert "Only me" in client.get(reverse("list", args=[animals.pk])).content.decode()


@pytest.mark.parametrize("name", ["luka", "nobody", "ana"])
def test_a_list_is_shared_with_other_teachers_only(sign_in, people, animals, name):
    url = reverse("list-share", args=[animals.pk])
    page = sign_in(people["owner"]).post(url, {"username": name})
    assert page.status_code == 200
    assert Share.objects.count() == 0


def test_only_the_owner_decides_about_sharing(sign_in, people, animals):
    for name in ("colleague", "stranger"):
        sharing.share_list(vocabulary_list=animals, teacher=people[name], may_edit=True)
        client = sign_in(people[name])
        assert client.get(reverse("list", args=[animals.pk])).status_code == 200
        assert client.get(reverse("list-settings", args=[animals.pk])).status_code == 404
        for address in ("list-share", "list-settings"):
            reply = client.post(reverse(address, args=[animals.pk]), {"username": name})
            assert reply.status_code == 404
        address = reverse("list-unshare", args=[animals.pk, people[name].pk])
        assert client.post(address).status_code == 404


def test_who_may_see_but_not_edit_gets_404_for_every_change(sign_in, people, animals):
    colleague = people["colleague"]
    sharing.share_list(vocabulary_list=animals, teacher=colleague, may_edit=False)
    client, entry = sign_in(colleague), animals.entries.first()
    assert client.get(reverse("list", args=[animals.pk])).status_code == 200
    for name, pk in (
        ("entry-edit", entry.pk),
        ("entry-add", animals.pk),
        ("entries-bulk", animals.pk),
        ("list-import", animals.pk),
        ("list-pull", animals.pk),
    ):
        assert client.post(reverse(name, args=[pk]), {}).status_code == 404
    assert client.patch(f"/api/lists/{animals.pk}/").status_code == 404


def test_settings_cut_the_tiles_again(sign_in, teacher, animals):
    list_services.write_rows(vocabulary_list=animals, rows=rows({"ljiljan": "lily"}))
    data = {"title": "Živa bića", "visibility": "school", "accents": "strict"} | LANGUAGES
    sign_in(teacher).post(reverse("list-settings", args=[animals.pk]), data)
    animals.refresh_from_db()
    assert (animals.title, animals.accents, animals.visibility) == ("Živa bića", "strict", "school")
    assert animals.entries.get(term="ljiljan").tiles == list("LJILJAN")


def test_a_copy_follows_its_original_by_a_diff(sign_in, people, animals):
    VocabularyList.objects.filter(pk=animals.pk).update(visibility="public")
    client = sign_in(people["stranger"])
    page = client.post(reverse("list-copy", args=[animals.pk]))
    copy = VocabularyList.objects.get(copied_from=animals)
    assert page.url == reverse("list", args=[copy.pk])
    assert (copy.owner, copy.visibility) == (people["stranger"], "private")
    same = convert.rows_of(animals).values()
    assert list(convert.rows_of(copy).values()) == list(same)
    before = convert.checksum(copy)

    goose = animals.entries.get(term="guska")
    row = convert.row_of(goose)
    row.term = "divlja guska"
    entry_services.edit_entry(entry=goose, version=1, row=row)
    list_services.write_rows(vocabulary_list=animals, rows=rows({"sova": "owl"}))
    swan = animals.entries.get(term="labud")
    bulk.change_many(
        vocabulary_list=animals, person=animals.owner, action="delete", entries=[swan.pk]
    )

    page = client.post(reverse("list-pull", args=[copy.pk]), follow=True).content.decode()
    assert "“labud” is not in the original" in page
    assert convert.checksum(copy) == before
    pulled = Import.objects.get()
    outcomes = [item.outcome for item in imports.plan_of(pulled)]
    assert (outcomes.count("new"), outcomes.count("changed")) == (1, 1)
    imports.apply_import(import_=pulled)
    assert copy.entries.filter(term__in=["divlja guska", "sova", "labud"]).count() == 3
    imports.undo_import(import_=pulled)
    assert convert.checksum(copy) == before


def test_what_was_changed_in_the_copy_alone_is_not_pulled_away(people, animals):
    """A text per way in which the two can part: both were one when the copy was made."""
    copy = sharing.copy_list(original=animals, owner=people["colleague"])
    VocabularyList.objects.filter(pk=animals.pk).update(visibility="public")

    def change(vocabulary_list, term, **texts):
        entry = vocabulary_list.entries.get(term=term)
        row = convert.row_of(entry)
        for name, text in texts.items():
            setattr(row, name, text)
        entry_services.edit_entry(entry=entry, version=entry.version, row=row)

    def pulled():
        return imports.start_pull(copy=copy, created_by=people["colleague"])

    def changes(dry):
        return {
            (item.row.term, change.name, change.old, change.new)
            for item in imports.plan_of(dry)
            for change in item.changes
        }

    change(copy, "guska", note="mine", translations={"en": ["goose"], "de": ["Gans"]})
    assert changes(pulled()) == set()
    change(animals, "guska", hint="theirs")
    change(copy, "labud", note="mine")
    change(animals, "labud", note="theirs")
    swans = copy.entries.get(term="kokoš")
    bulk.change_many(vocabulary_list=copy, person=copy.owner, action="delete", entries=[swans.pk])
    dry = pulled()
    assert changes(dry) == {("guska", "hint", "", "theirs"), ("labud", "note", "mine", "theirs")}
    assert "new" not in [item.outcome for item in imports.plan_of(dry)]
    assert "kokoš" in str(dry.problems)
    before = convert.checksum(copy)
    imports.apply_import(import_=dry)
    goose = copy.entries.get(term="guska")
    assert (goose.note, goose.hint) == ("mine", "theirs")
    change(copy, "guska", hint="mine")
    assert changes(pulled()) == set()
    change(copy, "guska", hint="theirs")
    imports.undo_import(import_=dry)
    assert convert.checksum(copy) == before
    assert changes(pulled()) == changes(dry)


def test_a_new_word_whose_pull_was_undone_can_be_pulled_again(people, animals):
    copy = sharing.copy_list(original=animals, owner=animals.owner)
    list_services.write_rows(vocabulary_list=animals, rows=rows({"sova": "owl"}))
    for _ in range(2):
        dry = imports.start_pull(copy=copy, created_by=animals.owner)
        assert [item.row.term for item in imports.plan_of(dry) if item.outcome == "new"] == ["sova"]
        imports.apply_import(import_=dry)
        imports.undo_import(import_=dry)


def test_an_original_that_was_hidden_is_not_read_through_its_copy(sign_in, people, animals):
    copy = sharing.copy_list(original=animals, owner=people["stranger"])
    client = sign_in(people["stranger"])
    page = client.post(reverse("list-pull", args=[copy.pk]), follow=True).content.decode()
    assert "no longer exists, or you no longer have access" in page
    assert Import.objects.count() == 0
    assert client.post(reverse("list-copy", args=[animals.pk])).status_code == 404
    with pytest.raises(ValidationError):
        imports.start_pull(copy=animals, created_by=people["owner"])


@pytest.mark.parametrize(("language", "has_digraphs"), [("hr", True), ("de", False)])
def test_settings_speak_of_digraphs_only_for_languages_that_have_them(
    language, has_digraphs, sign_in, teacher
):
    mine = list_services.create_list(
        owner=teacher, title="A", language=language, translation_languages=["en"]
    )
    own, path = sign_in(teacher), reverse("list-settings", args=[mine.pk])
    assert ("dž, lj and nj" in own.get(path).text) == has_digraphs
    sent = {"title": "B", "visibility": "private", "accents": "warn"}
    sent |= {"language": language, "translation_language": "en"}
    assert own.post(path, sent).status_code == 302
    mine.refresh_from_db()
    assert (mine.title, mine.uses_digraphs) == ("B", not has_digraphs)
