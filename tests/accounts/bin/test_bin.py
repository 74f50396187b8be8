"""What a teacher deletes on a page comes back whole, and takes nothing that students learned."""

import re
import uuid
from dataclasses import replace
from datetime import timedelta

import pytest
from django.apps import apps
from django.core.exceptions import ValidationError
from django.test import Client
from django.utils import timezone

from osmosmjerka.accounts import people
from osmosmjerka.accounts.auth import cards
from osmosmjerka.accounts.bin import services as bin
from osmosmjerka.accounts.models import Classroom, User
from osmosmjerka.accounts.privacy import services as privacy
from osmosmjerka.db.deletable import KEPT
from puzzles.kinds.base import SentMove
from puzzles.making import services as making
from puzzles.models import Assignment, CrosswordSearch, PlaySession, Puzzle
from puzzles.play import services as play
from tests.accounts.house import picture_file, sound_file
from tests.conftest import rows
from tests.puzzles.searches.helpers import begin_search
from vocab import purge
from vocab.entries import bulk
from vocab.lists import services as list_services
from vocab.lists import sharing
from vocab.models import Entry, Review, VocabularyList, WordProgress

pytestmark = [pytest.mark.django_db, pytest.mark.database]

# What says that something happened, or is made again at any time.
NOT_CONTENT = {
    "auditentry",
    "browsersession",
    "apitoken",
    "job",
    "logentry",
    "failedlogin",
    "workerheartbeat",
}
# A login card ends earlier sessions; so does a deletion.
NOT_COMPARED = {"credential_stamp", "last_login"}


def whole_house():
    """Return every row of every table that people fill, hidden or not."""
    found = {}
    for model in apps.get_models():
        if model._meta.model_name in NOT_CONTENT or model._meta.proxy:
            continue
        names = [f.attname for f in model._meta.concrete_fields if f.attname not in NOT_COMPARED]
        for row in model._base_manager.values(*names):
            found[model._meta.label, str(row[model._meta.pk.attname])] = row
    return found


@pytest.fixture
def played(make_puzzle, student):
    """A puzzle of which the student found a word."""
    puzzle = make_puzzle()
    find(puzzle, student)
    return puzzle


def find(puzzle, student, number=0):
    placement = list(puzzle.placements.order_by("pk"))[number]
    play.record_move(
        session=play.open_session(puzzle=puzzle, student=student),
        move_id=uuid.uuid4(),
        move=SentMove(slot=None, cells=tuple(map(tuple, placement.cells)), tiles=None),
    )


def addresses(client):
    """Return where the bin's buttons lead."""
    client.get("/bin/")  # what was deleted has been told: that message has a button too
    page = client.get("/bin/").content.decode()
    return [part.split('"')[0] for part in page.split('action="')[1:] if part.startswith("/bin/")]


def restore_all(client):
    for address in [each for each in addresses(client) if each.endswith("/restore/")]:
        assert client.post(address).status_code == 302
    assert addresses(client) == []


def deletions(house):
    """Each thing that a teacher can delete on a page: the address of its button."""
    return {
        "student": f"/pupils/{house['student'].pk}/erase/",
        "list": f"/lists/{house['list'].pk}/delete/",
        "puzzle": f"/puzzles/{house['puzzle'].code}/delete/",
        "class": f"/classes/{house['class'].pk}/delete/",
    }


@pytest.fixture
def everything(played, animals, classroom, student, teacher):
    cards.issue_cards(students=[student], actor=teacher, classroom=classroom)
    begin_search(animals, teacher)
    return {"list": animals, "puzzle": played, "class": classroom, "student": student}


@pytest.mark.parametrize("what", ["list", "puzzle", "class", "student"])
def test_the_message_undoes_it_and_leads_back_to_its_page(what, everything, teacher, sign_in):
    client = sign_in(teacher)
    before = whole_house()
    page = client.post(deletions(everything)[what], follow=True)
    assert whole_house() != before
    address = re.search(r'action="(/bin/[^"]+/restore/)"', page.content.decode())[1]
    here = page.request["PATH_INFO"]
    undone = client.post(address, {"next": here}, follow=True)
    assert undone.request["PATH_INFO"] == here
    assert "was restored" in undone.content.decode()
    assert whole_house() == before


def test_all_of_it_at_once_comes_back_in_any_order(everything, teacher, sign_in):
    client = sign_in(teacher)
    before = whole_house()
    for what in ("puzzle", "list", "class"):
        client.post(deletions(everything)[what])
    waiting = [address for address in addresses(client) if "puzzles" in address]
    refused = client.post(waiting[0], follow=True).content.decode()
    assert "Restore the list first" in refused
    for section in ("classes", "lists", "puzzles"):
        for address in addresses(client):
            if section in address:
                client.post(address)
    assert whole_house() == before


def test_a_list_comes_back_after_a_colleagues_edits(everything, teacher, make_person, school):
    """What a colleague did before stays done; what they do with it open meanwhile is refused."""
    animals = everything["list"]
    colleague = make_person("teacher", school)
    sharing.share_list(vocabulary_list=animals, teacher=colleague, may_edit=True)
    theirs = Client()
    theirs.force_login(colleague)
    body = {"action": "tag", "tag": "farm", "entries": [animals.entries.first().pk]}
    theirs.post(f"/lists/{animals.pk}/bulk/", body)
    before = whole_house()
    own = Client()
    own.force_login(teacher)
    own.post(f"/lists/{animals.pk}/delete/")
    for address in ("bulk/", "", "delete/", "settings/", "copy/"):
        assert theirs.post(f"/lists/{animals.pk}/{address}", body).status_code == 404
    entry = Entry.everything.first()
    assert theirs.get(f"/entries/{entry.pk}/").status_code == 404
    assert addresses(theirs) == []
    restore_all(own)
    assert whole_house() == before


def test_nobody_meets_what_is_in_the_bin(everything, teacher, student, sign_in):
    own, pupil = sign_in(teacher), sign_in(student)
    animals, puzzle, classroom = (everything[name] for name in ("list", "puzzle", "class"))
    places = [
        (pupil, f"/play/{puzzle.code}/"),
        (pupil, f"/api/play/{puzzle.code}/"),
        (own, f"/lists/{animals.pk}/"),
        (own, f"/puzzles/{puzzle.code}/"),
        (own, f"/puzzles/{puzzle.code}/download/svg/"),
        (own, f"/classes/{classroom.pk}/assignments/{Assignment.objects.get().pk}/"),
        (own, f"/api/lists/{animals.pk}/"),
        (own, f"/api/puzzles/{puzzle.code}/"),
    ]
    for client, place in places:
        assert client.get(place).status_code == 200, place
    own.post(f"/lists/{animals.pk}/delete/")
    for client, place in places:
        assert client.get(place).status_code == 404, place
    for place in (
        "/",
        f"/classes/{classroom.pk}/",
        "/lists/",
        f"/classes/{classroom.pk}/progress/",
    ):
        page = own.get(place)
        assert page.status_code == 200
        assert animals.title not in page.content.decode(), place
    assert puzzle.title not in pupil.get("/").content.decode()
    own.post(f"/classes/{classroom.pk}/delete/")
    assert own.get(f"/classes/{classroom.pk}/").status_code == 404
    assert Client().get(f"/c/{classroom.join_code}/").status_code == 404
    assert pupil.get("/words/").status_code == 200


def test_a_student_in_the_bin_is_nowhere_and_cannot_log_in(everything, teacher, sign_in):
    student, classroom = everything["student"], everything["class"]
    card = cards.issue_cards(students=[student], actor=teacher, classroom=classroom)[0]
    pupil, own = Client(), sign_in(teacher)
    pupil.post("/card/", {"token": card.token})
    assert pupil.get("/words/").status_code == 200
    own.post(f"/pupils/{student.pk}/erase/")
    assert pupil.get("/words/").status_code == 302
    assert "home" not in pupil.post("/card/", {"token": card.token}).headers.get("Location", "")
    assert pupil.get("/words/").status_code == 302
    for place in ("", "people/", "progress/"):
        page = own.get(f"/classes/{classroom.pk}/{place}", follow=True).content.decode()
        assert student.display_name not in page, place
    restore_all(own)
    pupil.post("/card/", {"token": card.token})
    assert pupil.get("/words/").status_code == 200


@pytest.mark.parametrize("what", ["list", "puzzle", "class"])
def test_what_was_learned_survives_the_deletion_and_the_purge(
    what, everything, student, teacher, sign_in
):
    learned = list(Review.objects.values("pk", "entry__term", "outcome", "at"))
    progress = list(WordProgress.objects.values())
    assert learned
    sign_in(teacher).post(deletions(everything)[what])
    assert bin.purge(timezone.now() + KEPT + timedelta(hours=1))
    again = bin.purge(timezone.now() + KEPT + timedelta(hours=1))
    assert set(again.values()) == {0}, "what is left for the reviews is not removed again"
    assert list(Review.objects.values("pk", "entry__term", "outcome", "at")) == learned
    assert list(WordProgress.objects.values()) == progress
    assert addresses(sign_in(teacher)) == []
    assert User.objects.get(pk=student.pk).is_active


def test_after_thirty_days_it_is_gone(everything, teacher, sign_in):
    client = sign_in(teacher)
    for address in deletions(everything).values():
        client.post(address)
    assert set(bin.purge(timezone.now() + KEPT - timedelta(hours=1)).values()) == {0}
    counts = bin.purge(timezone.now() + KEPT + timedelta(hours=1))
    assert counts["lists"] == counts["classes"] == counts["students"] == 1
    assert not Puzzle.everything.exists()
    assert not CrosswordSearch.everything.exists()
    assert not PlaySession.objects.exists()
    assert not Classroom.everything.exists()
    assert not User.objects.filter(pk=everything["student"].pk).exists()
    assert set(bin.purge(timezone.now() + 2 * KEPT).values()) == {0}, "each is removed once"


def test_of_a_list_that_nobody_played_nothing_is_left(animals, teacher, sign_in):
    sign_in(teacher).post(f"/lists/{animals.pk}/delete/")
    assert bin.purge()["lists"] == 0
    VocabularyList.everything.update(deleted_at=timezone.now() - KEPT - timedelta(hours=1))
    assert bin.purge()["lists"] == 1
    assert not VocabularyList.everything.exists()
    assert not Entry.everything.exists()


def test_a_puzzle_in_preparation_is_not_made_in_the_bin_but_when_it_is_back(
    animals, teacher, sign_in, django_capture_on_commit_callbacks
):
    puzzle = making.request_puzzle(vocabulary_list=animals, kind="finder", created_by=teacher)
    client = sign_in(teacher)
    client.post(f"/puzzles/{puzzle.code}/delete/")
    assert making.job_of(puzzle).state == "cancelled"
    restore_all(client)
    assert making.job_of(puzzle).state == "queued"


def test_a_words_name_stays_with_the_log_of_whoever_met_it(everything, student):
    animals = everything["list"]
    list_services.delete_list(vocabulary_list=animals, actor=animals.owner)
    bin.purge(timezone.now() + KEPT + timedelta(hours=1))
    kept = VocabularyList.everything.get()
    terms = {review.entry.term for review in Review.objects.all()}
    assert {entry.term for entry in Entry.everything.filter(vocabulary_list=kept)} == terms


# The first finding: a colleague empties a list, and deletes what they took.


@pytest.fixture
def editor(animals, make_person, school):
    """A colleague with whom the list is shared to edit."""
    colleague = make_person("teacher", school)
    sharing.share_list(vocabulary_list=animals, teacher=colleague, may_edit=True)
    return colleague


def test_words_leave_a_list_only_by_its_owner(played, animals, editor, sign_in):
    client = sign_in(editor)
    made = {"title": "Trash", "language": "hr", "translation_languages": ["en"]}
    trash = client.post("/api/lists/", made, content_type="application/json").json()["id"]
    size, reviews = animals.entries.count(), Review.objects.count()
    wanted = {"action": "move", "where": {}, "target": trash}
    reply = client.post(f"/api/lists/{animals.pk}/bulk/", wanted, content_type="application/json")
    assert reply.status_code == 400
    assert "Only the owner" in reply.content.decode()
    assert 'value="move"' not in client.get(f"/lists/{animals.pk}/").content.decode()
    body = {"action": "move", "target": trash, "everything": "on"}
    told = client.post(f"/lists/{animals.pk}/bulk/", body, follow=True).content.decode()
    assert "Only the owner" in told
    client.delete(f"/api/lists/{trash}/")
    bin.purge(timezone.now() + KEPT + timedelta(hours=1))
    assert (animals.entries.count(), Review.objects.count()) == (size, reviews)


def test_an_owner_takes_words_back_even_from_a_list_in_the_bin(played, animals, teacher, sign_in):
    other = list_services.create_list(
        owner=teacher, title="Other", language="hr", translation_languages=["en"], rows=()
    )
    before = {entry.pk: entry.term for entry in animals.entries.all()}
    edit = bulk.change_many(
        vocabulary_list=animals, person=teacher, action="move", entries=list(before), target=other
    )
    client = sign_in(teacher)
    client.post(f"/lists/{other.pk}/delete/")
    page = client.get(f"/lists/{animals.pk}/").content.decode()
    assert f"/lists/{animals.pk}/bulk/{edit.pk}/undo/" in page, "the undo is offered"
    client.post(f"/lists/{animals.pk}/bulk/{edit.pk}/undo/")
    assert {entry.pk: entry.term for entry in animals.entries.all()} == before


def test_an_undo_that_is_refused_is_not_offered(animals, teacher, editor, sign_in):
    theirs = list_services.create_list(
        owner=editor, title="Theirs", language="hr", translation_languages=["en"], rows=()
    )
    sharing.share_list(vocabulary_list=theirs, teacher=teacher, may_edit=True)
    edit = bulk.change_many(
        vocabulary_list=animals,
        person=teacher,
        action="move",
        entries=[animals.entries.first().pk],
        target=theirs,
    )
    undo = f"/lists/{animals.pk}/bulk/{edit.pk}/undo/"
    own, guest = sign_in(teacher), sign_in(editor)
    assert undo in own.get(f"/lists/{animals.pk}/").content.decode()
    sharing.unshare_list(vocabulary_list=theirs, teacher_pk=teacher.pk)
    assert undo not in own.get(f"/lists/{animals.pk}/").content.decode()
    assert undo in guest.get(f"/lists/{animals.pk}/").content.decode()


# Who sees what of the bin.


def test_each_sees_in_the_bin_what_they_could_delete(
    everything, teacher, make_person, school, other_school, sign_in
):
    owner = sign_in(teacher)
    admin = sign_in(make_person("school_admin", school))
    others = [
        sign_in(make_person("teacher", school)),
        sign_in(make_person("school_admin", other_school)),
    ]
    for what in ("list", "student"):
        owner.post(deletions(everything)[what])
    offered = addresses(owner)
    assert len(offered) == 3  # the student can also be deleted for good
    assert addresses(admin) == offered
    for client in others:
        assert addresses(client) == []
        for address in offered:
            assert client.post(address).status_code == 404
    assert sign_in(everything["student"]).get("/bin/").status_code in {302, 404}


def test_a_student_is_deleted_for_good_only_by_typing_the_name(everything, teacher, sign_in):
    student, client = everything["student"], sign_in(teacher)
    address = f"/bin/students/{student.pk}/erase/"
    assert client.post(address, {"username": student.username}).status_code == 404  # not there
    client.post(f"/pupils/{student.pk}/erase/")
    client.post(address, {"username": "somebody"})
    assert User.objects.filter(pk=student.pk).exists()
    client.post(address, {"username": student.username})
    assert not User.objects.filter(pk=student.pk).exists()
    assert not Review.objects.exists()


def test_a_co_teacher_restores_a_student_but_cannot_delete_one_for_good(
    everything, teacher, make_person, school, sign_in
):
    classroom, student = everything["class"], everything["student"]
    co = make_person("teacher", school)
    people.join_classroom(classroom=classroom, person=co, role="co_teacher")
    client, address = sign_in(co), f"/bin/students/{student.pk}/erase/"
    sign_in(teacher).post(f"/pupils/{student.pk}/erase/")  # into the bin
    page = client.get("/bin/").content.decode()
    assert "Delete permanently" not in page
    assert "Only the owner of the class or a school admin can delete" in page
    assert client.post(address, {"username": student.username}).status_code == 404
    assert User.objects.filter(pk=student.pk).exists()
    assert "Delete permanently" in sign_in(teacher).get("/bin/").content.decode()  # the control
    restore_all(client)
    assert User.objects.get(pk=student.pk).is_active


def test_two_who_restore_at_once_do_it_once(everything, teacher, sign_in):
    client, animals = sign_in(teacher), everything["list"]
    client.post(f"/lists/{animals.pk}/delete/")
    section, thing = bin.find(teacher, "lists", animals.pk)
    assert bin.restore(section, thing, teacher)
    assert not bin.restore(section, thing, teacher)
    assert client.post(f"/bin/lists/{animals.pk}/restore/").status_code == 404


def test_programs_restore_too(everything, teacher, sign_in):
    client, animals = sign_in(teacher), everything["list"]
    before = whole_house()
    assert client.delete(f"/api/lists/{animals.pk}/").status_code == 204
    (told,) = client.get("/api/bin/").json()
    assert (told["section"], told["id"], told["name"]) == ("lists", animals.pk, animals.title)
    assert client.post(f"/api/bin/lists/{animals.pk}/restore/").status_code == 204
    assert client.get("/api/bin/").json() == []
    assert whole_house() == before


def test_words_added_meanwhile_do_not_stop_a_restore(animals, teacher, sign_in):
    """The same word in another list, the same title: nothing of it is unique over lists."""
    client = sign_in(teacher)
    client.post(f"/lists/{animals.pk}/delete/")
    list_services.create_list(
        owner=teacher,
        title=animals.title,
        language="hr",
        translation_languages=["en"],
        rows=rows({"guska": "goose"}),
    )
    restore_all(client)
    assert VocabularyList.objects.filter(title=animals.title).count() == 2


# What is removed of one word: a picture, a recording.


def undo_of(client, vocabulary_list):
    page = client.get(f"/lists/{vocabulary_list.pk}/").content.decode()
    found = re.findall(r'action="([^"]+/undo/)"', page)
    return sorted(set(found))  # the latest is shown above the words, too


def test_a_removed_picture_comes_back(animals, teacher, sign_in, settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    client, entry = sign_in(teacher), animals.entries.get(term="guska")
    client.post(f"/entries/{entry.pk}/picture/", {"picture": picture_file()})
    shown = animals.entries.get(pk=entry.pk).image.name
    assert shown
    client.post(f"/entries/{entry.pk}/picture/", {"remove": "1"})
    assert not animals.entries.get(pk=entry.pk).image
    purge.purge(timezone.now() + timedelta(days=29))
    (undo,) = undo_of(client, animals)
    client.post(undo)
    assert animals.entries.get(pk=entry.pk).image.name == shown
    assert (tmp_path / shown).exists()
    assert undo_of(client, animals) == []


def test_a_picture_does_not_replace_the_new_one_of_a_colleague(
    animals, teacher, sign_in, settings, tmp_path
):
    settings.MEDIA_ROOT = tmp_path
    client, entry = sign_in(teacher), animals.entries.get(term="guska")
    client.post(f"/entries/{entry.pk}/picture/", {"picture": picture_file()})
    client.post(f"/entries/{entry.pk}/picture/", {"remove": "1"})
    Entry.objects.filter(pk=entry.pk).update(image="entries/newer.webp")
    (undo,) = undo_of(client, animals)
    client.post(undo)
    assert animals.entries.get(pk=entry.pk).image.name == "entries/newer.webp"


def test_recordings_come_back_after_a_voice_was_chosen(
    animals, teacher, sign_in, settings, tmp_path
):
    settings.MEDIA_ROOT = tmp_path
    client, entry = sign_in(teacher), animals.entries.get(term="guska")
    sound = {"action": "recording", "speed": "normal", "is_recorded": "on", "sound": sound_file()}
    client.post(f"/entries/{entry.pk}/sound/", sound)
    before = list(entry.pronunciations.values("engine", "origin", "file", "speed", "seconds"))
    assert [row["origin"] for row in before] == ["recorded"]
    client.post(f"/entries/{entry.pk}/sound/", {"action": "engine", "engine": "espeak"})
    assert not entry.pronunciations.filter(origin="recorded").exists()
    purge.purge(timezone.now() + timedelta(days=29))
    (undo,) = undo_of(client, animals)
    client.post(undo)
    back = entry.pronunciations.filter(speed="normal")
    assert list(back.values("engine", "origin", "file", "speed", "seconds")) == before
    assert client.get(f"/entries/{entry.pk}/sound/normal/").status_code == 200


def test_nobody_notes_a_removed_picture_by_the_api(animals, teacher, sign_in):
    """These are no bulk changes: the notes are made by what removes something."""
    wanted = {"action": "picture", "where": {}}
    reply = sign_in(teacher).post(
        f"/api/lists/{animals.pk}/bulk/", wanted, content_type="application/json"
    )
    assert reply.status_code == 400


# What exactly the bin does.


def test_the_bin_says_when_each_thing_goes_newest_first(teacher, sign_in):
    lists = [
        list_services.create_list(
            owner=teacher, title=f"List {number}", language="hr", translation_languages=["en"]
        )
        for number in range(3)
    ]
    for days, each in ((5, lists[1]), (2, lists[0]), (9, lists[2])):
        bin.put(each, teacher)
        VocabularyList.everything.filter(pk=each.pk).update(
            deleted_at=timezone.now() - timedelta(days=days)
        )
    told = sign_in(teacher).get("/api/bin/").json()
    assert [each["name"] for each in told] == ["List 0", "List 1", "List 2"]
    [(section, items)] = bin.contents(teacher)
    assert section.name == "lists"
    assert [item.gone_at - timezone.now() > timedelta(days=days) for item, days in
            zip(items, (27, 24, 20), strict=True)] == [True] * 3  # fmt: skip
    assert all(item.gone_at == item.thing.deleted_at + KEPT for item in items)
    assert {item.thing.deleted_by for item in items} == {teacher}


def test_what_is_in_the_bin_is_not_deleted_again_by_a_colleague(animals, teacher, stranger):
    assert bin.put(animals, teacher)
    first = VocabularyList.everything.get(pk=animals.pk)
    assert not bin.put(animals, stranger)
    again = VocabularyList.everything.get(pk=animals.pk)
    assert (again.deleted_at, again.deleted_by) == (first.deleted_at, teacher)


def test_a_deletion_concerns_one_thing(animals, teacher, student, classroom):
    other = list_services.create_list(
        owner=teacher, title="Other", language="hr", translation_languages=["en"]
    )
    bin.put(animals, teacher)
    assert list(VocabularyList.objects.all()) == [other]
    bin.put(other, teacher)
    section, thing = bin.find(teacher, "lists", animals.pk)
    assert bin.restore(section, thing, teacher)
    restored = VocabularyList.objects.get()
    assert (restored, restored.deleted_at, restored.deleted_by) == (animals, None, None)


def test_what_cannot_come_back_now_stays_in_the_bin_as_it_is(everything, teacher, sign_in):
    client = sign_in(teacher)
    client.post(deletions(everything)["puzzle"])
    client.post(deletions(everything)["list"])
    before = whole_house()
    section, puzzle = bin.find(teacher, "puzzles", everything["puzzle"].pk)
    with pytest.raises(ValidationError):
        bin.restore(section, puzzle, teacher)
    assert whole_house() == before


@pytest.mark.parametrize("person", ["teacher", "student"])
@pytest.mark.parametrize("section", ["lists", "nothing"])
def test_there_is_no_such_drawer_and_no_bin_for_students(
    person, section, animals, teacher, student, sign_in
):
    bin.put(animals, teacher)
    who = {"teacher": teacher, "student": student}[person]
    reply = sign_in(who).post(f"/api/bin/{section}/{animals.pk}/restore/")
    is_found = (person, section) == ("teacher", "lists")
    assert reply.status_code == (204 if is_found else 404)
    assert VocabularyList.objects.exists() is is_found


def test_a_student_who_was_restored_meanwhile_is_not_deleted_for_good(student, teacher, classroom):
    """Two teachers have the page of the bin open: one restores, the other deletes for good."""
    privacy.delete_student(person=student, actor=teacher)
    section, thing = bin.find(teacher, "students", student.pk)
    bin.restore(section, thing, teacher)
    assert not bin.erase(section, thing, teacher)
    assert User.objects.get(pk=student.pk).is_active
    privacy.delete_student(person=User.objects.get(pk=student.pk), actor=teacher)
    assert bin.erase(section, thing, teacher)  # the control
    assert not User.objects.filter(pk=student.pk).exists()


def test_of_two_students_in_the_bin_one_is_deleted_for_good(
    student, teacher, classroom, make_person, school
):
    other = make_person("student", school)
    people.join_classroom(classroom=classroom, person=other, role="student")
    for each in (student, other):
        privacy.delete_student(person=each, actor=teacher)
    section, thing = bin.find(teacher, "students", other.pk)
    assert bin.erase(section, thing, teacher)
    assert set(User.objects.values_list("pk", flat=True)) == {teacher.pk, student.pk}


def test_what_was_restored_while_the_bin_is_emptied_stays(
    teacher, animals, student, classroom, monkeypatch
):
    other = list_services.create_list(
        owner=teacher, title="Other", language="hr", translation_languages=["en"]
    )
    for each in (animals, other):
        bin.put(each, teacher)
    section = bin.find(teacher, "lists", other.pk)[0]
    first = []

    def erase(thing, actor):
        if not first:  # the other one comes back while this one is removed
            rest = VocabularyList.everything.exclude(pk=thing.pk).exclude(deleted_at=None)
            bin.restore(section, rest.get(), teacher)
        first.append(thing)
        section.erase(thing, actor)

    monkeypatch.setitem(bin._sections, "lists", replace(section, erase=erase))
    counts = bin.purge(timezone.now() + KEPT + timedelta(hours=1))
    assert counts["lists"] == 1
    assert VocabularyList.everything.count() == 1
    assert VocabularyList.objects.get() not in first


def test_a_thing_that_goes_with_an_error_does_not_take_half_of_itself(
    teacher, animals, played, monkeypatch
):
    bin.put(animals, teacher)
    section = bin.find(teacher, "lists", animals.pk)[0]

    def fail(thing, actor):
        section.erase(thing, actor)
        raise RuntimeError("the disk is full")

    before = whole_house()
    monkeypatch.setitem(bin._sections, "lists", replace(section, erase=fail))
    with pytest.raises(RuntimeError):
        bin.purge(timezone.now() + KEPT + timedelta(hours=1))
    assert whole_house() == before
    failing, thing = bin.find(teacher, "lists", animals.pk)
    with pytest.raises(RuntimeError):
        bin.erase(failing, thing, teacher)
    assert whole_house() == before


def test_the_page_shows_the_newest_two_hundred_of_each_type(teacher, monkeypatch):
    monkeypatch.setattr(bin, "SHOWN", 2)
    assert bin.contents(teacher) == []
    for number in range(3):
        each = list_services.create_list(
            owner=teacher, title=f"List {number}", language="hr", translation_languages=["en"]
        )
        bin.put(each, teacher)
    [(_drawer, items)] = bin.contents(teacher)
    assert [item.thing.title for item in items] == ["List 2", "List 1"]


def test_undo_that_is_pressed_twice_says_so(client, teacher, animals):
    client.force_login(teacher)
    page = f"/lists/{animals.pk}/"
    deleted = client.post(f"{page}delete/", follow=True)
    assert f'action="/bin/lists/{animals.pk}/restore/"' in deleted.content.decode()
    back = {"next": page}
    first = client.post(f"/bin/lists/{animals.pk}/restore/", back, follow=True)
    assert "was restored" in first.content.decode()
    again = client.post(f"/bin/lists/{animals.pk}/restore/", back, follow=True)
    assert again.status_code == 200
    assert "This is no longer in the bin." in again.content.decode()
