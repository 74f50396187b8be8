"""What students did on paper becomes part of their progress, once."""

import re
from datetime import timedelta

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django.utils.formats import date_format

from osmosmjerka.accounts import people
from osmosmjerka.accounts.models import Classroom, Membership, User
from puzzles.models import Assignment, PlaySession, WorksheetSet
from puzzles.worksheets import layouts
from puzzles.worksheets.results import today_of
from tests.accounts.house import print_for
from vocab.models import Review, StudyDay, WordProgress

pytestmark = pytest.mark.django_db


def ticked(page):
    """Return the name and value of each ticked box."""
    tags = re.findall(r"<input[^>]*checkbox[^>]*>", page.text)
    boxes = [dict(re.findall(r'(\w+)="([^"]*)"', tag)) for tag in tags if " checked" in tag]
    return {(box["name"], box.get("value", "on")) for box in boxes}


@pytest.fixture
def enter(teacher, classroom, sign_in):
    """Return a function that sends results as the page's form does."""

    def enter(puzzle, students, person=None, **sent):
        body = {
            "classroom": classroom.pk,
            "student": [one.pk for one in students],
            "words": f"{classroom.pk}:{sent.get('set', '')}",
        } | sent
        return sign_in(person or teacher).post(
            f"/puzzles/{puzzle.code}/results/", body, follow=True
        )

    return enter


def test_words_count_as_known_unless_they_were_missed(make_puzzle, classroom, student, mia, enter):
    puzzle = make_puzzle()
    first, second = (one.entry_id for one in puzzle.placements.all()[:2])
    page = enter(puzzle, [student, mia], **{f"missed-{student.pk}": [first]})
    assert "Saved for 2 students: 24 answers." in page.text
    assert Review.objects.filter(student=mia, outcome="right").count() == 12
    assert list(Review.objects.filter(outcome="wrong").values_list("student", "entry")) == [
        (student.pk, first)
    ]
    known = WordProgress.objects.get(student=student, entry=second)
    # As in a word search on screen: the word comes back later, and nothing is proved.
    assert (known.right, known.recalled, known.level) == (1, 0, WordProgress.Level.LEARNING)
    assert StudyDay.objects.get(student=student).reviews == 12


def test_sending_twice_counts_once_and_who_was_absent_can_be_added(
    make_puzzle, student, mia, enter
):
    puzzle = make_puzzle()
    enter(puzzle, [student, mia], absent=[mia.pk])
    stored = list(Review.objects.values_list("pk", "outcome"))
    assert len(stored) == 12
    entry = puzzle.placements.first().entry_id
    page = enter(
        puzzle, [student, mia], absent=[mia.pk], **{f"missed-{student.pk}": [entry]}
    )  # fmt: skip
    assert "already saved and were not changed" in page.text
    assert list(Review.objects.values_list("pk", "outcome")) == stored
    assert f'value="{mia.pk}"' in page.text  # is still to be entered
    assert f'name="missed-{student.pk}"' not in page.text
    enter(puzzle, [mia])
    assert Review.objects.count() == 24


def test_the_words_themselves_prove_nothing(make_puzzle, student, enter):
    enter(make_puzzle(), [student], shows="words")
    assert Review.objects.count() == 12 and not WordProgress.objects.exists()


def test_results_are_of_the_day_of_the_lesson(make_puzzle, student, classroom, enter):
    puzzle, today = make_puzzle(), today_of(classroom)
    for wrong in ("x", today + timedelta(days=1), today - timedelta(days=15)):
        enter(puzzle, [student], day=str(wrong))
        assert not Review.objects.exists()
    yesterday = today - timedelta(days=1)
    enter(puzzle, [student], day=yesterday.isoformat())
    assert {one.day for one in Review.objects.all()} == {yesterday}
    enter(puzzle, [student])  # another lesson
    assert Review.objects.count() == 24


def test_results_that_are_entered_after_midnight_are_of_the_evening(
    make_puzzle, student, classroom, enter
):
    puzzle = make_puzzle()
    midnight = timezone.localtime(timezone=classroom.school.zone).replace(hour=0, minute=30)
    with time_machine.travel(midnight + timedelta(days=1)):
        page = enter(puzzle, [student])
    evening = midnight.date()
    assert {one.day for one in Review.objects.all()} == {evening}
    assert f"saved for {date_format(evening, 'SHORT_DATE_FORMAT')}" in page.text


def test_each_day_that_was_saved_is_told(
    make_puzzle, student, mia, classroom, teacher, sign_in, enter
):
    puzzle, today = make_puzzle(), today_of(classroom)
    enter(puzzle, [student, mia])
    enter(puzzle, [student, mia], absent=[mia.pk], day=(today - timedelta(days=2)).isoformat())
    for day, are_open in ((today, False), (today - timedelta(days=1), True)):
        page = sign_in(teacher).get(
            f"/puzzles/{puzzle.code}/results/", {"classroom": classroom.pk, "day": day.isoformat()}
        )
        assert len(re.findall(r"saved for \d", page.text)) == 3
        assert (f'name="missed-{student.pk}"' in page.text) == are_open
        assert 'name="day"' in page.text  # another day can be chosen


def test_ticks_are_not_lost_if_the_day_is_wrong(make_puzzle, student, mia, enter):
    puzzle = make_puzzle()
    entry = puzzle.placements.first().entry_id
    page = enter(
        puzzle, [student, mia], day="x", absent=[mia.pk], **{f"missed-{student.pk}": [entry]}
    )
    assert ticked(page) == {(f"missed-{student.pk}", str(entry)), ("absent", str(mia.pk))}


def test_who_was_absent_stays_marked_until_the_page_is_left(make_puzzle, student, mia, enter):
    puzzle = make_puzzle()
    page = enter(puzzle, [student, mia], absent=[mia.pk])
    assert ("absent", str(mia.pk)) in ticked(page)
    # So that pressing the button once more does no harm.
    again = enter(puzzle, [mia], absent=[mia.pk])
    assert "is selected for all students" in again.text
    assert not Review.objects.filter(student=mia).exists()


def test_who_was_absent_is_added_on_the_next_day_and_nobody_else_counts_twice(
    make_puzzle, student, mia, classroom, teacher, sign_in, enter
):
    puzzle = make_puzzle()
    yesterday = (today_of(classroom) - timedelta(days=1)).isoformat()
    entry = puzzle.placements.first().entry
    missed = {f"missed-{student.pk}": [entry.pk]}
    enter(puzzle, [student, mia], absent=[mia.pk], day=yesterday, **missed)
    page = sign_in(teacher).get(f"/puzzles/{puzzle.code}/results/?classroom={classroom.pk}")
    # What was entered can be read again.
    assert re.search(rf"not known:\s*<bdi[^>]*>{entry.term}</bdi>\s*</p>", page.text)
    assert ticked(page) >= {("absent", str(student.pk))}
    assert ("absent", str(mia.pk)) not in ticked(page)
    boxes = {name: value for name, value in ticked(page) if name == "absent"}
    enter(puzzle, [student, mia], **boxes)
    assert Review.objects.filter(student=student).count() == 12
    assert Review.objects.filter(student=mia).count() == 12


def test_who_did_the_puzzle_on_paper_is_excused_on_screen(
    make_puzzle, student, mia, classroom, teacher, sign_in, enter
):
    puzzle, client = make_puzzle(), sign_in(teacher)
    assignment = puzzle.assignments.get()
    PlaySession.objects.create(puzzle=puzzle, student=mia, finished_at=timezone.now(), number=1)
    page = client.get(f"/puzzles/{puzzle.code}/results/?classroom={classroom.pk}")
    assert ("excuse", "on") in ticked(page)
    yesterday = (today_of(classroom) - timedelta(days=1)).isoformat()
    enter(puzzle, [student, mia], day=yesterday)  # not ticked
    assert not assignment.excused.exists()
    enter(puzzle, [student, mia], excuse="on")
    assert list(assignment.excused.all()) == [student]  # who finished it has done it twice
    assert "excused" in client.get(f"/puzzles/{puzzle.code}/").text
    # Words of one's own are other words than those on screen.
    made = print_for(puzzle, classroom, teacher)
    page = client.get(f"/puzzles/{puzzle.code}/results/?classroom={classroom.pk}&set={made.pk}")
    assert 'name="excuse"' not in page.text


def test_another_day_is_shown_before_the_one_in_view_is_complete(
    make_puzzle, student, mia, classroom, enter
):
    puzzle = make_puzzle()
    yesterday = (today_of(classroom) - timedelta(days=1)).isoformat()
    enter(puzzle, [student, mia], absent=[mia.pk])
    page = enter(puzzle, [mia], absent=[mia.pk], day=yesterday, show="1")
    assert f'name="missed-{student.pk}"' in page.text  # whose today is saved
    assert f'value="{yesterday}"' in page.text
    assert Review.objects.count() == 12
    # Nor is anything saved of a day whose students were not in view.
    page = enter(puzzle, [mia], day=yesterday)
    assert "Nothing was saved yet" in page.text and Review.objects.count() == 12


def test_students_of_another_class_are_shown_before_anything_is_saved(
    make_puzzle, student, mia, classroom, teacher, make_person, enter
):
    puzzle = make_puzzle()
    entry = puzzle.placements.first().entry_id
    made = print_for(puzzle, classroom, teacher)
    other = people.create_classroom(name="5B", owner=teacher)
    eva = make_person(User.Role.STUDENT, teacher.school, "eva")
    people.join_classroom(classroom=other, person=eva, role=Membership.Role.STUDENT)
    missed = {f"missed-{student.pk}": [entry]}
    # The words chosen are of the class that was in view.
    sent = {"words": f"{classroom.pk}:{made.pk}", "set": made.pk, **missed}
    page = enter(puzzle, [student, mia], classroom=other.pk, show="1", **sent)
    assert page.text.count(f'name="missed-{eva.pk}"') == 12
    for chosen in ({"classroom": other.pk}, {"set": ""}):
        page = enter(puzzle, [student, mia, eva], **{**sent, **chosen})
        assert "Nothing was saved yet" in page.text
    assert not Review.objects.exists()


def test_ticks_are_kept_while_sheets_of_own_words_run_out(
    make_puzzle, student, mia, classroom, teacher, enter
):
    puzzle = make_puzzle()
    entry = puzzle.placements.first().entry_id
    made = print_for(puzzle, classroom, teacher)
    WorksheetSet.objects.all().delete()
    page = enter(puzzle, [student, mia], set=made.pk, **{f"missed-{student.pk}": [entry]})
    assert "Nothing was saved yet" in page.text
    assert ticked(page) == {(f"missed-{student.pk}", str(entry))}
    assert not Review.objects.exists()


def test_two_sheets_of_one_day_count_both(make_puzzle, student, mia, classroom, teacher, enter):
    puzzle = make_puzzle()
    made = print_for(puzzle, classroom, teacher)
    enter(puzzle, [student, mia])
    page = enter(puzzle, [student, mia], set=made.pk)
    assert "Saved for 2 students" in page.text
    assert "already saved" in enter(puzzle, [student, mia], set=made.pk).text
    assert Review.objects.count() == 2 * (12 + 1)


def test_a_class_that_missed_many_words_is_saved(make_puzzle, student, mia, enter):
    puzzle = make_puzzle()
    words = [one.entry_id for one in puzzle.placements.all()]
    strangers = [str(number) for number in range(10**6, 10**6 + 2000)]
    page = enter(puzzle, [student, mia], **{f"missed-{student.pk}": [*words, *strangers]})
    assert "Saved for 2 students" in page.text
    assert Review.objects.filter(student=student, outcome="wrong").count() == 12


def test_the_page_knows_what_was_printed_last(make_puzzle, classroom, teacher, sign_in):
    puzzle, client = make_puzzle(), sign_in(teacher)
    path = f"/puzzles/{puzzle.code}/results/?classroom={classroom.pk}"
    assert '<option value="usual" selected' in client.get(path).text
    client.get(f"/puzzles/{puzzle.code}/download/pdf/?whole=1&shows=words")
    assert '<option value="words" selected' in client.get(path).text


def test_an_archived_class_is_not_offered(make_puzzle, classroom, teacher, sign_in):
    puzzle, client = make_puzzle(), sign_in(teacher)
    people.create_classroom(name="5B", owner=teacher)
    Classroom.objects.filter(pk=classroom.pk).update(archived_at=timezone.now())
    page = client.get(f"/puzzles/{puzzle.code}/").text
    (link,) = re.findall(rf"/puzzles/{puzzle.code}/results/[^\"]*", page)
    chosen = client.get(link).text
    assert ">5B<" in chosen and ">6b<" not in chosen


def test_words_of_a_list_that_is_not_assigned_are_said_not_to_come_back(
    make_puzzle, student, mia, classroom, teacher, sign_in
):
    path = f"/puzzles/{make_puzzle().code}/results/?classroom={classroom.pk}"
    told = "students review the words only when one is assigned"
    assert told not in sign_in(teacher).get(path).text
    Assignment.objects.all().delete()
    assert told in sign_in(teacher).get(path).text


def test_a_set_knows_what_its_lists_showed_and_stays_chosen(
    make_puzzle, classroom, student, mia, teacher, sign_in, enter
):
    puzzle = make_puzzle()
    made = print_for(puzzle, classroom, teacher)
    WorksheetSet.objects.update(printing={"shows": "words"})
    made.refresh_from_db()
    page = sign_in(teacher).get(f"/worksheets/{made.pk}/").text
    link = f"/puzzles/{puzzle.code}/results/?classroom={classroom.pk}&amp;set={made.pk}"
    assert f"{link}&amp;shows=words" in page

    saved = enter(puzzle, [student, mia], set=made.pk, absent=[mia.pk])
    address = f"?classroom={classroom.pk}&set={made.pk}&absent={mia.pk}"
    assert saved.redirect_chain[0][0].endswith(address)
    assert Review.objects.count() == 1
    assert not WordProgress.objects.exists()  # the word itself was on the paper
    # The other student's sheet still has its one word, and not those of the puzzle.
    assert saved.text.count(f'name="missed-{mia.pk}"') == 1


def test_the_number_of_queries_does_not_grow_with_words_or_students(
    make_puzzle, classroom, student, mia, teacher, sign_in
):
    puzzle, client = make_puzzle(), sign_in(teacher)
    made = print_for(puzzle, classroom, teacher)
    path = f"/puzzles/{puzzle.code}/results/?classroom={classroom.pk}&set={made.pk}&shows=pictures"
    client.get(path)
    counts = []
    for words in (1, 10):
        drawn = layouts.Drawn(puzzle, puzzle.placements.all()[:words])
        sheets = [layouts.as_json(drawn) | {"student": one.pk} for one in (student, mia)]
        WorksheetSet.objects.update(sheets=sheets)
        with CaptureQueriesContext(
            connection,
        ) as queries:
            page = client.get(path).text
        assert page.count(f'name="missed-{mia.pk}"') == words
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_on_sheets_of_own_words_each_student_has_others(
    make_puzzle, classroom, student, mia, teacher, enter
):
    puzzle = make_puzzle()
    made = print_for(puzzle, classroom, teacher)
    WorksheetSet.objects.update(sheets=[one for one in made.sheets if one["student"] == mia.pk])
    enter(puzzle, [student, mia], set=made.pk)
    assert [(one.student, one.entry) for one in Review.objects.all()] == [
        (mia, puzzle.placements.first().entry)
    ]


def test_nobody_else_enters_results(make_puzzle, student, mia, stranger, classroom, enter):
    puzzle = make_puzzle()
    for person in (stranger, student):
        assert enter(puzzle, [mia], person=person).status_code == 404
    assert enter(puzzle, [mia], classroom=classroom.pk + 1).status_code == 404
    enter(puzzle, [mia], set="1")
    assert not Review.objects.exists()
