"""A colleague deletes things and adds them again; the owner gets everything back."""

import uuid

import pytest
from django.utils import timezone

from osmosmjerka.accounts.classrooms.services import rename_student
from osmosmjerka.accounts.models import ExternalId, Membership
from osmosmjerka.accounts.people import create_classroom, join_classroom
from osmosmjerka.accounts.privacy.services import erase_person
from puzzles.kinds.base import SentMove, cells_of
from puzzles.models import Assignment, Nickname, PlaySession, Puzzle
from puzzles.play import services as play
from tests.conftest import rows
from vocab.entries import bulk
from vocab.lists.services import create_list
from vocab.lists.sharing import share_list
from vocab.memory import reviews
from vocab.models import Entry, Review, WordProgress

pytestmark = pytest.mark.django_db

WORDS = {"svinja": "pig", "labud": "swan", "jelen": "deer"}


@pytest.fixture
def colleague(make_person, school):
    return make_person("teacher", school)


@pytest.fixture
def animals_of_both(teacher, colleague):
    vocabulary_list = create_list(
        owner=teacher, title="Životinje", language="hr", translation_languages=["en"],
        rows=rows(WORDS),
    )  # fmt: skip
    share_list(vocabulary_list=vocabulary_list, teacher=colleague, may_edit=True)
    return vocabulary_list


def translations(vocabulary_list):
    return {entry.term: entry.translations.get().text for entry in vocabulary_list.entries.all()}


def undo_buttons(client, vocabulary_list):
    page = client.get(f"/lists/{vocabulary_list.pk}/").content.decode()
    return sorted({part.split('"')[0] for part in page.split('action="')[1:] if "/undo/" in part})


def press_undo(client, vocabulary_list):
    return client.post(undo_buttons(client, vocabulary_list)[-1], follow=True).content.decode()


def test_deleted_words_that_a_colleague_added_again_come_back_in_two_steps(
    animals_of_both, teacher, colleague, student, sign_in
):
    """Undo says which words it could not restore, and is offered again for them."""
    animals, old = animals_of_both, Entry.objects.get(term="svinja")
    reviews.review(
        student=student,
        entry=old,
        mode="typed",
        skill="meaning_to_form",
        outcome="right",
        source="one",
        at=timezone.now(),
    )
    own, other = sign_in(teacher), sign_in(colleague)
    page = f"/lists/{animals.pk}/bulk/"
    both = Entry.objects.filter(term__in=["svinja", "labud"])
    other.post(page, {"action": "delete", "entries": [entry.pk for entry in both]})
    other.post(f"/lists/{animals.pk}/entries/", {"term": "svinja", "translation_en": "PORK"})
    new = animals.entries.get(term="svinja")

    said = press_undo(own, animals)
    assert "1 word was restored" in said
    assert "1 word was not restored because the list has it again" in said
    assert translations(animals) == {"svinja": "PORK", "labud": "swan", "jelen": "deer"}
    assert undo_buttons(own, animals) == []  # nothing could be restored now

    own.post(page, {"action": "delete", "entries": [new.pk]})
    assert len(undo_buttons(own, animals)) == 2
    edit = animals.bulk_edits.order_by("pk").first()
    said = own.post(f"{page}{edit.pk}/undo/", follow=True).content.decode()
    assert "1 word was restored" in said
    assert "not restored" not in said
    assert translations(animals) == WORDS
    assert Entry.objects.get(term="svinja") == old
    assert Review.objects.get(student=student).entry == old
    assert own.post(f"/api/lists/{animals.pk}/bulk/{edit.pk}/undo/").status_code == 400


def test_while_the_words_are_there_again_the_api_says_so(animals_of_both, teacher, sign_in):
    animals = animals_of_both
    edit = bulk.change_many(
        vocabulary_list=animals, person=teacher, action="delete",
        entries=animals.entries.filter(term="svinja"),
    )  # fmt: skip
    own = sign_in(teacher)
    own.post(f"/lists/{animals.pk}/entries/", {"term": "svinja", "translation_en": "PORK"})
    reply = own.post(f"/api/lists/{animals.pk}/bulk/{edit.pk}/undo/")
    assert (reply.status_code, "in the list again" in reply.text) == (400, True)
    edit.refresh_from_db()
    assert edit.undone_at is None


def test_merged_words_that_were_added_again_come_back_in_two_steps(
    animals_of_both, teacher, sign_in
):
    animals, own = animals_of_both, sign_in(teacher)
    edit = bulk.change_many(
        vocabulary_list=animals, person=teacher, action="merge", entries=animals.entries.all()
    )
    own.post(f"/lists/{animals.pk}/entries/", {"term": "labud", "translation_en": "SWAN"})
    said = press_undo(own, animals)
    assert "1 word was not restored" in said
    assert translations(animals) == WORDS | {"labud": "SWAN"}
    animals.entries.get(term="labud").delete()
    press_undo(own, animals)
    assert translations(animals) == WORDS
    edit.refresh_from_db()
    assert edit.undone_at is not None


def test_the_bin_tells_puzzles_of_one_list_and_students_of_one_name_apart(
    make_puzzle, teacher, classroom, make_person, school, sign_in
):
    puzzles = [make_puzzle(kind, words=4) for kind in ("word-search", "finder")]
    twins = [make_person("student", school) for _twin in range(2)]
    for twin in twins:
        rename_student(student=twin, actor=teacher, display_name="Ana M.")
        join_classroom(classroom=classroom, person=twin, role=Membership.Role.STUDENT)
    own = sign_in(teacher)
    for puzzle in puzzles:
        own.post(f"/puzzles/{puzzle.code}/delete/")
    for twin in twins:
        own.post(f"/pupils/{twin.pk}/erase/")
    page = own.get("/bin/").content.decode()
    for detail in ("Word search", "Listen and find", *(twin.username for twin in twins)):
        assert f'dir="auto">{detail}</span>' in page
    details = {row["detail"] for row in own.get("/api/bin/").json()}
    assert details == {"Word search", "Listen and find", *(twin.username for twin in twins)}


def state(person):
    """Return everything that an account has, as it can be compared."""
    progress = WordProgress.objects.filter(student=person)
    return {
        "reviews": sorted(Review.objects.filter(student=person).values_list("pk", flat=True)),
        "progress": sorted(progress.values_list("entry", "due_on", "asked")),
        "sessions": sorted(
            (str(session.pk), session.number, session.found_count)
            for session in PlaySession.objects.filter(student=person)
        ),
        "classes": sorted(person.memberships.values_list("classroom", flat=True)),
        "nicknames": sorted(Nickname.objects.filter(student=person).values_list("pk", "name")),
        "ids": sorted(ExternalId.objects.filter(user=person).values_list("pk", flat=True)),
        "chosen": sorted(
            Assignment.objects.filter(chosen_students=person).values_list("pk", flat=True)
        ),
        "puzzles": sorted(Puzzle.objects.filter(created_by=person).values_list("pk", flat=True)),
    }


@pytest.fixture
def three(classroom, teacher, student, make_person, school, make_puzzle):
    """Three students with a life of their own; two are in a second class and have found more."""
    second = create_classroom(name="7b", owner=teacher)
    people = [student, *(make_person("student", school) for _one in range(2))]
    puzzles = [make_puzzle(), make_puzzle(seed=2)]
    for number, person in enumerate(people):
        join_classroom(classroom=classroom, person=person, role=Membership.Role.STUDENT)
        ExternalId.objects.create(
            school=school, user=person, source=ExternalId.Source.ONEROSTER, value=f"s{number}"
        )
        if number:
            join_classroom(classroom=second, person=person, role=Membership.Role.STUDENT)
            Nickname.objects.create(classroom=second, student=person, name=f"Star {number}")
        for puzzle in puzzles[: number + 1]:
            session = play.open_session(puzzle=puzzle, student=person)
            for placement in puzzle.placements.all()[: number + 1]:
                sent = SentMove(placement.slot, cells_of(placement), tuple(placement.tiles))
                play.record_move(session=session, move_id=uuid.uuid4(), move=sent)
    Assignment.objects.first().chosen_students.set(people[1:])
    return people


def merge(client, kept, gone):
    said = client.post(f"/pupils/{kept.pk}/merge/", {"username": gone.username}, follow=True)
    assert "The two accounts were merged." in said.content.decode()


def restore(client, person):
    said = client.post(f"/bin/students/{person.pk}/restore/", follow=True).content.decode()
    assert "was restored" in said


def test_students_who_were_merged_by_mistake_are_two_again(three, teacher, sign_in):
    kept, gone, _third = three
    before = [state(kept), state(gone)]
    client = sign_in(teacher)
    merge(client, kept, gone)
    assert len(state(kept)["reviews"]) == sum(len(each["reviews"]) for each in before)
    assert [state(kept), state(gone)] != before  # the control
    assert sign_in(gone).get("/lists/").status_code == 302  # in the bin: nobody logs in
    restore(sign_in(teacher), gone)
    assert [state(kept), state(gone)] == before
    gone.refresh_from_db()
    assert (gone.merged, gone.is_active) == (None, True)


def test_a_chain_of_merges_comes_back_the_last_first(three, teacher, sign_in):
    first, second, third = three
    before = [state(person) for person in three]
    client = sign_in(teacher)
    merge(client, second, third)
    merge(client, first, second)
    said = client.post(f"/bin/students/{third.pk}/restore/", follow=True).content.decode()
    assert f"merged with that of {second}, which is in the bin, too" in said
    restore(client, second)
    restore(client, third)
    assert [state(person) for person in three] == before


def test_what_was_learned_after_a_merge_stays_where_it_was_learned(three, teacher, sign_in):
    kept, gone, _third = three
    client = sign_in(teacher)
    merge(client, kept, gone)
    new = reviews.review(
        student=kept, entry=Entry.objects.last(), mode="typed", skill="form", outcome="right",
        source="new", at=timezone.now(),
    )  # fmt: skip
    restore(client, gone)
    assert new is not None
    assert Review.objects.get(source="new").student == kept


def test_if_the_other_account_was_deleted_for_good_an_empty_one_comes_back(three, teacher, sign_in):
    kept, gone, _third = three
    client = sign_in(teacher)
    merge(client, kept, gone)
    erase_person(person=kept, actor=teacher)
    restore(client, gone)
    assert state(gone)["reviews"] == []
