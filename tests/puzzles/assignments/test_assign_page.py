"""One form gives words or a puzzle to classes; it works without scripts."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

from osmosmjerka.accounts import people
from osmosmjerka.accounts.models import Membership, User
from osmosmjerka.jobs import ledger
from puzzles.access import puzzles
from puzzles.assignments import services as assignments
from puzzles.assignments.forms import LABELS
from puzzles.assignments.selectors import assignments_of_student
from puzzles.making import services as making
from puzzles.models import Assignment, Puzzle
from puzzles.play import services as play
from tests.conftest import rows
from tests.puzzles.assignments.filling import PATH, fields_of, opened, sent, shown
from tests.puzzles.making.test_choice import remember
from vocab.lists.services import create_list
from vocab.models import Review

pytestmark = pytest.mark.django_db
ZAGREB = ZoneInfo("Europe/Zagreb")


@pytest.fixture
def page(sign_in, teacher):
    return sign_in(teacher)


@pytest.fixture
def other_class(teacher, make_person, school):
    other = people.create_classroom(name="7a", owner=teacher)
    vito = make_person(User.Role.STUDENT, school, "vito")
    people.join_classroom(classroom=other, person=vito, role=Membership.Role.STUDENT)
    return other


@pytest.fixture
def food(teacher):
    return create_list(
        owner=teacher, title="Hrana", language="hr", translation_languages=["en"],
        rows=rows({"kruh": "bread", "mlijeko": "milk", "sir": "cheese"}),
    )  # fmt: skip


def work(puzzle):
    ledger.run_job(str(making.job_of(puzzle).pk))
    puzzle.refresh_from_db()
    return puzzle


def test_as_it_opens_it_is_ready_to_be_sent(page, animals, classroom, student):
    reply = sent(page, opened(page, vocabulary_list=animals.pk))
    puzzle = Puzzle.objects.get()
    assert reply.url == f"/puzzles/{puzzle.code}/"
    assert puzzle.assignments.get().classroom == classroom
    assert len(puzzle.entries) == puzzle.settings["words"] == 12
    assert not puzzles(student, "play").filter(pk=puzzle.pk).exists()  # it is not ready yet
    assert work(puzzle).placements.count() == 12
    assert puzzles(student, "play").filter(pk=puzzle.pk).exists()


def unit(teacher, words):
    """Return a list of so many words, as it is pasted from a textbook."""
    made = [f"{a}{b}{c}ka" for a in "bdgk" for b in "aeiou" for c in "lmn"][:words]
    return create_list(
        owner=teacher, title=f"{words} words", language="hr", translation_languages=["en"],
        rows=rows(dict.fromkeys(made, "x")),
    )  # fmt: skip


def test_all_words_of_a_unit_are_assigned(page, teacher, classroom):
    sent(page, opened(page, vocabulary_list=unit(teacher, 25).pk))
    puzzle = Puzzle.objects.get()
    assert len(puzzle.entries) == puzzle.settings["words"] == 25


def test_another_number_of_words_may_be_chosen_and_all_again(page, teacher, classroom):
    fields = opened(page, vocabulary_list=unit(teacher, 25).pk)
    some = shown(page, fields, is_all=[], number=8)
    assert len(some["entries"]) == 8
    assert len(shown(page, some, is_all="on", number="")["entries"]) == 25


def test_of_a_long_list_the_usual_number_is_assigned_unless_all_are_wanted(
    page, teacher, classroom
):
    long, short = unit(teacher, 45), unit(teacher, 20)
    fields = opened(page, vocabulary_list=long.pk)
    assert len(fields["entries"]) == 12
    assert len(shown(page, fields, is_all="on", number="")["entries"]) == 45
    # Another list begins anew.
    of_short = shown(page, fields, vocabulary_list=short.pk)
    assert len(of_short["entries"]) == 20
    assert len(shown(page, of_short, vocabulary_list=long.pk)["entries"]) == 12


@pytest.fixture
def impossible(animals):
    """Settings with which no grid exists: in no heart does one word leave just two letters."""
    entries = [one.pk for one in animals.entries.all()[:1]]
    return {"is_all": [], "number": 1, "entries": entries, "which": "ticked",
            "word-search-message": "ab", "word-search-shape": "heart"}  # fmt: skip


def test_a_puzzle_that_is_known_to_be_impossible_is_not_assigned(
    page, animals, classroom, impossible
):
    fields = opened(page, vocabulary_list=animals.pk) | impossible
    told = page.post(PATH, fields | {"show": "1"}).text
    button = told[told.index('id="assign-end"') :]
    assert "No grid was found" in button
    assert "disabled" in button[: button.index("Assign to")]
    reply = page.post(PATH, fields)
    assert "Nothing was assigned." in reply.text
    assert "No grid was found" in str(reply.context["form"].non_field_errors())
    assert not Puzzle.objects.exists()


def test_a_puzzle_that_is_possible_can_be_assigned(page, animals, classroom):
    """The control."""
    told = page.get(PATH, {"vocabulary_list": animals.pk}).text
    assert "disabled" not in told[told.index('id="assign-end"') :]


def failed(puzzle):
    puzzle.state, puzzle.reason = Puzzle.State.FAILED, "No grid was found."
    puzzle.save()
    return puzzle


def test_what_could_not_be_created_is_changed_with_all_its_settings_and_replaced(
    page, animals, classroom, student, mia, other_class
):
    before = opened(page, vocabulary_list=animals.pk) | {
        "is_all": [], "which": "ticked", "entries": [e.pk for e in animals.entries.all()[:7]],
        "number": 7, "title": "Monday", "word-search-shape": "star",
        "word-search-message": "Bravo", "word-search-difficulty": "easy",
        "classroom": [classroom.pk, other_class.pk], "student": [mia.pk], "attempts": 3,
        "due_at": f"{timezone.now() + timedelta(days=20):%Y-%m-%d}T10:30",
    }  # fmt: skip
    old = failed(assignments.give(
        created_by=animals.owner, vocabulary_list=animals, kind="word-search", title="Monday",
        entries=before["entries"], classrooms=[classroom, other_class], students=[mia],
        settings={"shape": "star", "message": "Bravo", "difficulty": "easy", "words": 7},
        schedule={"due_at": timezone.make_aware(datetime.fromisoformat(before["due_at"])),
                  "attempts": 3},
    ))  # fmt: skip
    [link] = [
        part.partition('"')[0] for part in page.get(f"/puzzles/{old.code}/").text.split('href="')
        if part.startswith(f"{PATH}?replaces=")
    ]  # fmt: skip
    fields = fields_of(page.get(link))
    for name, value in before.items():
        wanted = value if isinstance(value, list) else [value]
        if name not in ("csrfmiddlewaretoken", "seed"):
            assert sorted(fields.get(name, [])) == sorted(map(str, wanted)), name
    sent(page, fields, **{"word-search-message": ""})
    new = Puzzle.objects.get()
    assert new.pk != old.pk
    assert (new.settings["shape"], new.settings["message"]) == ("star", "")
    given = page.get(f"/classes/{classroom.pk}/progress/").text
    assert f"/assignments/{new.assignments.get(classroom=classroom).pk}/" in given
    assert not Assignment.objects.filter(puzzle=old.pk).exists()
    # A second click finds what the first has done.
    sent(page, fields, **{"word-search-message": ""})
    assert Puzzle.objects.count() == 1


def test_a_puzzle_that_can_be_played_is_not_replaced(page, animals, classroom, make_puzzle):
    """The control."""
    old = make_puzzle()
    sent(page, opened(page, vocabulary_list=animals.pk), replaces=old.code)
    assert Puzzle.objects.filter(pk=old.pk).exists()


def test_it_is_due_in_a_week_at_the_end_of_the_schools_day(
    page, animals, classroom, school, student
):
    school.time_zone = "Europe/Zagreb"
    school.save()
    sent(page, opened(page, vocabulary_list=animals.pk))
    assignment = Assignment.objects.get()
    due = assignment.due_at.astimezone(ZAGREB)
    in_a_week = timezone.now().astimezone(ZAGREB).date() + timedelta(days=7)
    assert (due.date(), due.hour, due.minute) == (in_a_week, 23, 59)
    assert assignment.opens_at is None
    told = page.get(f"/classes/{classroom.pk}/assignments/{assignment.pk}/").text
    assert "23:59" in told or "11:59 p.m." in told


def test_a_due_date_that_is_past_is_refused_beside_its_field(page, animals, classroom):
    reply = sent(page, opened(page, vocabulary_list=animals.pk), due_at="2020-01-01T23:59")
    assert reply.context["form"].errors == {"due_at": ["This date is in the past."]}
    assert not Puzzle.objects.exists()


@pytest.mark.parametrize("kind", ["word-search", "finder", "crossword"])
def test_the_puzzle_is_made_of_the_words_that_are_selected(kind, page, animals, classroom):
    fields = opened(page, vocabulary_list=animals.pk, kind=kind)
    wanted = list(animals.entries.filter(term__in=["labud", "zmija", "krokodil", "guska", "slon"]))
    sent(page, fields, entries=[entry.pk for entry in wanted])
    puzzle = work(Puzzle.objects.get())
    assert puzzle.state == Puzzle.State.READY, puzzle.reason
    assert {one.entry for one in puzzle.placements.all()} == set(wanted)


def test_another_list_is_shown_with_its_own_words(page, animals, food, classroom, student):
    before = opened(page, vocabulary_list=animals.pk, entries=animals.entries.first().pk)
    fields = shown(page, before | {"title": "Monday"}, vocabulary_list=food.pk)
    assert sorted(map(int, fields["entries"])) == sorted(e.pk for e in food.entries.all())
    assert fields["title"] == ["Monday"]  # and nothing is lost
    assert not Puzzle.objects.exists()


def test_a_tag_of_another_list_selects_all_words_of_this_one(page, animals, food, classroom):
    for entry in animals.entries.all()[:2]:
        entry.set_tags(["birds"])
        entry.save()
    fields = shown(page, opened(page, vocabulary_list=animals.pk), which="tag:birds")
    assert len(fields["entries"]) == 2
    fields = shown(page, fields, vocabulary_list=food.pk)
    assert fields["which"] == ["all"]
    assert len(fields["entries"]) == 3


def test_several_classes_get_one_puzzle_and_some_students_of_one(
    page, animals, classroom, student, mia, other_class
):
    fields = opened(page, vocabulary_list=animals.pk, classroom=classroom.pk)
    fields = shown(page, fields, classroom=[classroom.pk, other_class.pk])
    reply = sent(page, fields, student=[mia.pk])
    assert reply.status_code == 302, reply.context["form"].errors
    puzzle = Puzzle.objects.get()
    assert {one.classroom for one in puzzle.assignments.all()} == {classroom, other_class}
    assert list(puzzle.assignments.get(classroom=classroom).chosen_students.all()) == [mia]
    assert not puzzle.assignments.get(classroom=other_class).chosen_students.exists()


def test_each_may_play_what_suits_them(page, animals, classroom, student):
    fields = opened(page, vocabulary_list=animals.pk)
    sent(page, fields, is_adaptive="on", number=6, entries=[])
    assignment = Assignment.objects.get()
    assert assignment.is_adaptive
    assert len(assignments.words_for(assignment, student)) == 6


def test_a_message_is_left_out_where_each_plays_what_suits_them_and_that_is_said(
    page, animals, classroom
):
    typed = {"word-search-message": "Bravo", "word-search-bonus": 2, "number": 6}
    fields = opened(page, vocabulary_list=animals.pk) | typed
    said = "Not available in personalised puzzles: Hidden message, Bonus words."
    assert said not in page.post(PATH, fields | {"show": "1"}).text
    fields["is_adaptive"] = "on"
    assert said in page.post(PATH, fields | {"show": "1"}).text
    sent(page, fields)
    settings = Puzzle.objects.get().settings
    assert (settings["message"], settings["bonus"], settings["words"]) == ("", 0, 6)


def test_a_puzzle_that_exists_is_assigned(page, make_puzzle, classroom, other_class, student):
    puzzle = make_puzzle()
    fields = opened(page, puzzle=puzzle.code, classroom=other_class.pk)
    sent(page, fields, attempts=3)
    assert Puzzle.objects.count() == 1
    assert puzzle.assignments.get(classroom=other_class).attempts == 3


def test_a_class_that_has_the_puzzle_is_changed_only_if_it_is_chosen(
    page, make_puzzle, classroom, other_class, student
):
    puzzle = make_puzzle()
    old = assignments.change(assignment=puzzle.assignments.get(), is_adaptive=True)
    fields = opened(page, puzzle=puzzle.code)
    assert fields["classroom"] == [str(other_class.pk)]
    sent(page, fields, classroom=[classroom.pk], attempts=3)
    old.refresh_from_db()
    assert (old.attempts, old.is_adaptive) == (3, True)  # the form does not ask for the second
    assert "already assigned: will be changed" in page.get(PATH, {"puzzle": puzzle.code}).text


def test_a_puzzle_can_be_assigned_without_the_list_being_shown(
    page, make_puzzle, stranger, teacher, classroom
):
    """Who lost the list keeps the puzzle made of it, but reads no other words."""
    puzzle = make_puzzle(words=4)
    puzzle.vocabulary_list.owner = stranger
    puzzle.vocabulary_list.save()
    reply = page.get(PATH, {"puzzle": puzzle.code})
    placed = {placement.term for placement in puzzle.placements.all()}
    others = puzzle.vocabulary_list.entries.exclude(term__in=placed)
    assert not [entry.term for entry in others if f">{entry.term}<" in reply.text]


def test_a_worksheet_is_a_puzzle_for_nobody(page, animals, classroom):
    fields = opened(page, vocabulary_list=animals.pk, use="paper")
    reply = sent(page, fields)
    work(Puzzle.objects.get())
    assert not Assignment.objects.exists()
    assert "/download/pdf/" in page.get(reply.url).text


def test_a_worksheet_minds_no_students_that_were_selected_before(page, animals, classroom, mia):
    fields = opened(page, vocabulary_list=animals.pk)
    assert sent(page, fields, use="paper", student=[mia.pk]).status_code == 302
    assert not Assignment.objects.exists()


def test_each_plays_what_suits_though_the_list_is_short(page, teacher, classroom, student):
    short = create_list(
        owner=teacher, title="Hrana", language="hr", translation_languages=["en"],
        rows=rows({"kruh": "bread", "mlijeko": "milk", "sir": "cheese", "meso": "meat"}),
    )  # fmt: skip
    sent(page, opened(page, vocabulary_list=short.pk), is_adaptive="on")
    assert work(Puzzle.objects.get()).state == Puzzle.State.READY


def test_a_second_click_assigns_nothing_twice(page, animals, classroom, student):
    fields = opened(page, vocabulary_list=animals.pk)
    first, second = sent(page, fields), sent(page, fields)
    assert first.url == second.url
    assert Puzzle.objects.count() == Assignment.objects.count() == 1
    sent(page, opened(page, vocabulary_list=animals.pk))  # the control: the form opened again
    assert Puzzle.objects.count() == 2


def test_again_is_what_was_assigned_with_later_dates(page, make_puzzle, classroom, mia, student):
    old = make_puzzle("finder", words=5, difficulty="hard").assignments.get()
    weeks_ago = timezone.now() - timedelta(days=21)
    Assignment.objects.update(created_at=weeks_ago)
    assignments.change(
        assignment=old, due_at=weeks_ago + timedelta(days=3), chosen_students=[mia], attempts=2
    )
    told = page.get(f"/classes/{classroom.pk}/assignments/{old.pk}/").text
    assert f"{PATH}?again={old.pk}" in told
    reply = sent(page, opened(page, again=old.pk))
    assert reply.status_code == 302, reply.context["form"].errors
    new = Assignment.objects.latest("pk")
    assert (new.classroom, new.attempts, new.puzzle.kind) == (classroom, 2, "finder")
    assert list(new.chosen_students.all()) == [mia]
    assert new.puzzle.settings["difficulty"] == "hard"
    assert set(new.puzzle.entries) == {one.entry_id for one in old.puzzle.placements.all()}
    assert timedelta(days=2) < new.due_at - timezone.now() < timedelta(days=4)


def test_again_of_each_their_own_keeps_the_words_for_everyone(
    page, make_puzzle, animals, classroom, student
):
    old, swan = make_puzzle().assignments.get(), animals.entries.get(term="labud")
    assignments.change(assignment=old, is_adaptive=True, pinned=[swan.pk])
    fields = opened(page, again=old.pk)
    assert fields["pinned"] == [str(swan.pk)]
    sent(page, fields)
    assert Assignment.objects.latest("pk").pinned == [swan.pk]


def test_a_puzzle_is_made_again_with_other_settings(page, make_puzzle, classroom, student):
    old = make_puzzle("finder", words=5, difficulty="hard")
    assert f"{PATH}?like={old.code}" in page.get(f"/puzzles/{old.code}/").text
    fields = opened(page, like=old.code)
    assert fields["finder-difficulty"] == ["hard"]
    sent(page, fields, **{"finder-difficulty": "easy"})
    new = Puzzle.objects.latest("pk")
    assert new.settings["difficulty"] == "easy"
    assert set(new.entries) == {one.entry_id for one in old.placements.all()}


def test_it_says_to_whom_it_was_assigned_until_when_and_what_may_come_next(
    page, animals, classroom, student, other_class
):
    fields = opened(page, vocabulary_list=animals.pk, classroom=classroom.pk)
    reply = page.post(PATH, fields | {"due_at": "2030-12-06T23:59"}, follow=True)
    assignment = Assignment.objects.get()
    assert "Assigned to 6b (1 student), due Friday, 6 December." in reply.text
    assert f'href="/classes/{classroom.pk}/assignments/{assignment.pk}/"' in reply.text
    assert "Assign to another class" in reply.text


def test_it_says_before_that_a_list_is_too_short_for_each_their_own(page, food, classroom, student):
    fields = opened(page, vocabulary_list=food.pk)
    told = page.post(PATH, fields | {"is_adaptive": "on", "number": "9", "show": "1"}).text
    assert "Only 3 words in the list are suitable for this type" in told
    sent(page, fields, is_adaptive="on", number=9)
    assert Puzzle.objects.get().settings["words"] == 3


def test_the_page_of_a_puzzle_where_each_has_their_own_shows_no_link_and_no_results(
    page, make_puzzle, classroom, student
):
    puzzle = make_puzzle()
    play.open_session(puzzle=puzzle, student=student)
    told = page.get(f"/puzzles/{puzzle.code}/").text  # the control
    assert "Link for students" in told and "Results by student" in told
    assignments.change(assignment=puzzle.assignments.get(), is_adaptive=True)
    told = page.get(f"/puzzles/{puzzle.code}/").text
    assert "Link for students" not in told and "Results by student" not in told
    assert "The grid below is an example." in told
    assert "own words" in page.get(f"/classes/{classroom.pk}/").text


def test_the_link_of_such_a_puzzle_leads_each_student_to_their_own(sign_in, make_puzzle, student):
    puzzle = make_puzzle()
    client = sign_in(student)
    assert client.get(f"/play/{puzzle.code}/").status_code == 200  # the control
    assignments.change(assignment=puzzle.assignments.get(), is_adaptive=True)
    reply = client.get(f"/play/{puzzle.code}/", follow=True)
    assert "Each student gets their own puzzle." in reply.text
    assert "Play with your words" in reply.text


def test_who_played_before_it_became_each_their_own_has_done_it(sign_in, make_puzzle, student):
    puzzle = make_puzzle()
    play.finish_session(session=play.open_session(puzzle=puzzle, student=student))
    assignments.change(assignment=puzzle.assignments.get(), is_adaptive=True)
    [line] = assignments_of_student(student)
    assert line.is_finished


def test_a_puzzle_is_renamed_on_its_page(page, make_puzzle, sign_in, student):
    puzzle = make_puzzle()
    page.post(f"/puzzles/{puzzle.code}/rename/", {"title": "  Monday  "})
    puzzle.refresh_from_db()
    assert puzzle.title == "Monday"
    page.post(f"/puzzles/{puzzle.code}/rename/", {"title": " "})
    puzzle.refresh_from_db()
    assert puzzle.title == "Monday"
    assert (
        sign_in(student).post(f"/puzzles/{puzzle.code}/rename/", {"title": "x"}).status_code > 400
    )


def test_both_forms_name_the_same_things_alike(page, animals, make_puzzle, classroom):
    assignment = make_puzzle().assignments.get()
    one = page.get(PATH, {"vocabulary_list": animals.pk}).text
    other = page.get(f"/classes/{classroom.pk}/assignments/{assignment.pk}/edit/").text
    for label in LABELS.values():
        assert str(label) in other
    for name in ("opens_at", "due_at", "closes_at", "attempts", "counting", "is_adaptive"):
        assert str(LABELS[name]) in one


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"classroom": []}, "classroom"),
        ({"entries": []}, "entries"),
        ({"opens_at": "2030-01-02T08:00", "due_at": "2030-01-01T08:00"}, "due_at"),
        ({"attempts": "0"}, "attempts"),
        ({"due_at": "soon"}, "due_at"),
    ],
)
def test_what_is_wrong_is_said_beside_its_field_and_nothing_is_lost(
    wrong, field, page, animals, classroom, student, mia
):
    fields = opened(page, vocabulary_list=animals.pk, kind="crossword")
    three = [str(entry.pk) for entry in animals.entries.all()[:3]]
    filled = {"title": "Monday", "entries": three, "student": [str(mia.pk)], "attempts": "4"}
    reply = sent(page, fields, **filled | wrong)
    form = reply.context["form"]
    assert set(form.errors) == {field}
    assert str(form.errors[field][0]) in reply.text.replace("&#x27;", "'")
    kept = fields_of(reply)
    for name, value in (filled | {"kind": "crossword"}).items():
        if name not in wrong and not (name == "student" and "classroom" in wrong):
            assert kept.get(name) == (value if isinstance(value, list) else [value]), name
    assert not Puzzle.objects.exists()


def test_more_words_than_a_type_has_room_for_are_refused(page, animals, teacher, classroom):
    many = create_list(
        owner=teacher, title="Many", language="hr", translation_languages=["en"],
        rows=rows({f"riječ{a}{b}": "x" for a in "abcdefg" for b in "aeiou"}),
    )  # fmt: skip
    fields = opened(page, vocabulary_list=many.pk, kind="finder")
    reply = sent(page, fields, entries=[entry.pk for entry in many.entries.all()])
    assert set(reply.context["form"].errors) == {"number"}
    assert not Puzzle.objects.exists()


def test_a_wrong_setting_is_said_beside_it(page, animals, classroom):
    fields = opened(page, vocabulary_list=animals.pk, kind="finder")
    reply = sent(page, fields, **{"finder-rows": "99"})
    settings = {kind.slug: form for kind, form in reply.context["kinds"]}
    assert set(settings["finder"].errors) == {"rows"}
    assert "Nothing was assigned." in reply.text
    assert not Puzzle.objects.exists()


def test_who_wants_a_worksheet_is_told_that_it_was_not_created(page, animals, classroom):
    fields = opened(page, vocabulary_list=animals.pk, kind="finder", use="paper")
    reply = sent(page, fields, **{"finder-rows": "99"})
    assert "The worksheet was not created." in reply.text
    assert "Nothing was assigned." not in reply.text


def test_students_of_a_class_that_is_not_chosen_are_named(
    page, animals, classroom, mia, other_class
):
    fields = opened(page, vocabulary_list=animals.pk, classroom=other_class.pk)
    reply = sent(page, fields, student=[mia.pk])
    assert reply.context["form"].errors == {"student": ["Not in this class: Mia."]}
    assert not Puzzle.objects.exists()


def test_all_classes_get_it_or_none(teacher, animals, classroom, other_class, student):
    with pytest.raises(ValidationError, match="Put the dates in this order"):
        assignments.give(
            created_by=teacher, classrooms=[classroom, other_class], vocabulary_list=animals,
            kind="word-search",
            schedule={
                "opens_at": datetime(2030, 1, 2, tzinfo=ZAGREB),
                "due_at": datetime(2030, 1, 1, tzinfo=ZAGREB),
            },
        )  # fmt: skip
    assert not Puzzle.objects.exists()
    assert not Assignment.objects.exists()


def test_the_hardest_words_of_the_class_are_selected_first(page, animals, classroom, student):
    last, first = animals.entries.last(), animals.entries.first()
    remember(student, last, Review.Outcome.WRONG, 2)
    remember(student, first, Review.Outcome.RIGHT, 6)
    fields = shown(page, opened(page, vocabulary_list=animals.pk), is_all=[], number=6)
    assert fields["entries"][0] == str(last.pk)
    assert str(first.pk) not in fields["entries"]
    assert len(fields["entries"]) == 6


def test_without_a_list_the_page_says_how_to_begin(sign_in, make_person, school):
    assert sign_in(make_person(User.Role.TEACHER, school)).get(PATH).url == "/lists/new/"


def test_a_co_teacher_assigns_what_a_colleague_shares(
    sign_in, make_person, school, teacher, classroom, animals
):
    """As each of these lists offers it on its own page."""
    colleague = make_person(User.Role.TEACHER, school)
    people.join_classroom(classroom=classroom, person=colleague, role=Membership.Role.CO_TEACHER)
    client = sign_in(colleague)
    reply = client.get(PATH, follow=True)
    assert reply.request["PATH_INFO"] == "/lists/new/"
    assert "Paste words with their translations first." in reply.text
    animals.visibility = "school"
    animals.save()
    page = client.get(PATH).text
    assert "New assignment" in page
    assert f"{animals.title} · {teacher}" in page
    own = create_list(
        owner=colleague, title="Zoo", language="hr", translation_languages=["en"],
        rows=rows({"vuk": "wolf"}),
    )  # fmt: skip
    animals.save()  # changed later, but one's own comes first
    answer = client.get(PATH)
    assert answer.context["list"] == own
    assert answer.context["lists"] == [own, animals]
    assert ">Zoo<" in answer.text


def test_a_list_that_is_private_to_a_colleague_is_named_but_no_link(
    sign_in, make_person, school, teacher, classroom, animals, make_puzzle
):
    colleague = make_person(User.Role.TEACHER, school)
    people.join_classroom(classroom=classroom, person=colleague, role=Membership.Role.CO_TEACHER)
    puzzle = make_puzzle()
    path, link = f"/puzzles/{puzzle.code}/", f'href="/lists/{animals.pk}/"'
    assert link in sign_in(teacher).get(path).text
    client = sign_in(colleague)
    page = client.get(path).text
    assert animals.title in page
    assert link not in page
    animals.visibility = "school"
    animals.save()
    assert link in client.get(path).text


def test_who_deletes_a_puzzle_of_a_list_that_became_private_finds_a_page(
    sign_in, make_person, school, animals
):
    colleague = make_person(User.Role.TEACHER, school)
    puzzle = assignments.give(
        vocabulary_list=animals, kind="word-search", created_by=colleague, classrooms=[]
    )
    reply = sign_in(colleague).post(f"/puzzles/{puzzle.code}/delete/", follow=True)
    assert reply.status_code == 200
    assert "is now in the bin" in reply.text


def test_pages_lead_there(page, animals, classroom, make_puzzle):
    puzzle = make_puzzle()
    for path, query in [
        (f"/lists/{animals.pk}/", f"?vocabulary_list={animals.pk}"),
        (f"/lists/{animals.pk}/", f"?use=paper&amp;vocabulary_list={animals.pk}"),
        (f"/classes/{classroom.pk}/", f"?classroom={classroom.pk}"),
        (f"/puzzles/{puzzle.code}/", f"?puzzle={puzzle.code}"),
    ]:
        assert f'href="{PATH}{query}"' in page.get(path).text


def test_while_a_puzzle_is_made_nothing_is_found_of_nothing(page, animals, classroom, student):
    sent(page, opened(page, vocabulary_list=animals.pk))
    shown_now = page.get(f"/puzzles/{Puzzle.objects.get().code}/").text
    assert "Who plays it" in shown_now
    assert "0 of 0" not in shown_now


def test_an_open_assignment_looks_the_same_everywhere(page, classroom, make_puzzle, student):
    puzzle = make_puzzle()
    for path in (f"/puzzles/{puzzle.code}/", f"/classes/{classroom.pk}/"):
        assert 'class="badge badge--accent">Open<' in page.get(path).text, path
