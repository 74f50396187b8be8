"""What a teacher sees of a class, in a number of queries that does not grow, and acts on."""

import csv
import io
import re
from datetime import datetime, timedelta
from urllib.parse import unquote
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django.utils.formats import date_format
from openpyxl import load_workbook

from osmosmjerka.accounts import people
from osmosmjerka.accounts.models import Membership, User
from osmosmjerka.accounts.selectors import students_of
from puzzles.access import puzzles
from puzzles.assignments import services as assignments
from puzzles.assignments import status
from puzzles.assignments.results import total_of
from puzzles.assignments.status import Status
from puzzles.dashboards import views
from puzzles.dashboards.selectors import due_words, load
from puzzles.models import Assignment, Move, PlaySession
from puzzles.play import services as play
from puzzles.play.pauses import PAUSE
from tests.puzzles.assignments.filling import fields_of
from tests.puzzles.dashboards.test_monday import give
from tests.puzzles.practice.test_practice import find_all, made
from vocab.memory import reviews
from vocab.memory import selectors as memory
from vocab.memory.rules import today
from vocab.models import WordProgress

pytestmark = [pytest.mark.django_db, pytest.mark.database]

DAY = timedelta(days=1)


@pytest.fixture
def pupils(classroom, make_person, school, student):
    others = [make_person(User.Role.STUDENT, school) for _number in range(3)]
    for other in others:
        people.join_classroom(classroom=classroom, person=other, role=Membership.Role.STUDENT)
    return [student, *others]


def review(pupil, entry, outcome, days=1, **extra):
    reviews.review(
        student=pupil, entry=entry, mode="typed", skill="meaning_to_form", outcome=outcome,
        at=timezone.now() - timedelta(days=days), source=f"{pupil.pk}:{entry.pk}:{days}:{outcome}",
        **extra,
    )  # fmt: skip


@pytest.fixture
def played(make_puzzle, pupils, animals):
    """Everybody knows the first word; the second is hard, and answered in two wrong ways."""
    make_puzzle()
    easy, hard, *_rest = animals.entries.all()
    for pupil in pupils:
        for days in (20, 19, 15, 8):
            review(pupil, easy, "right", days)
        review(pupil, hard, "wrong", 3, given="labut")
    review(pupils[0], hard, "wrong", 2, given="=lobud")
    return easy, hard


def test_the_hardest_word_comes_first_with_its_wrong_answers(played, classroom, teacher, sign_in):
    page = sign_in(teacher).get(f"/classes/{classroom.pk}/progress/")
    [(line, answers), *others] = page.context["hardest"]
    assert line.entry == played[1]
    assert answers == ["labut", "=lobud"]
    assert others == []
    text = page.content.decode()
    assert "labut" in text
    assert 'class="heat-3"' in text  # recalled after a week


@pytest.mark.parametrize(
    ("language", "shown"),
    [("en", "100%"), ("hr", "100\xa0%"), ("pl", "100%"), ("de", "100\xa0%"), ("ar", "100%")],
)
def test_per_cent_are_written_as_in_the_readers_language(
    language, shown, played, classroom, teacher, sign_in
):
    teacher.language = language
    teacher.save()
    page = sign_in(teacher).get(f"/classes/{classroom.pk}/progress/").text
    written = set(re.findall(r"<td[^>]*>\s*(100[^<]*?)\s*<", page))
    assert written == {shown}


def test_every_figure_of_the_map_can_be_read(played, classroom, pupils, teacher, sign_in):
    text = sign_in(teacher).get(f"/classes/{classroom.pk}/progress/").content.decode()
    assert text.count('data-n="4/4/') == len(pupils)
    assert text.count('data-n="0/1/') == len(pupils) - 1
    assert "Show as a table" in text  # of the chart of retention


@pytest.mark.parametrize(
    ("query", "first"),
    [("words=list", "krokodil"), ("words=alphabet", "gavran"), ("words=hardest", "labud")],
)
def test_the_map_is_sorted_as_asked(query, first, played, classroom, teacher, sign_in):
    page = sign_in(teacher).get(f"/classes/{classroom.pk}/progress/?{query}&pupils=weakest")
    assert page.context["page"][0].entry.term == first


def test_of_a_class_without_students_it_is_only_said_that_there_are_none(teacher, sign_in):
    empty = people.create_classroom(name="6a", owner=teacher)
    page = sign_in(teacher).get(f"/classes/{empty.pk}/progress/").text
    assert "This class has no students yet." in page
    assert "Nobody needs help" not in page and "behind the others" not in page


def test_it_is_said_of_which_words_a_student_recalls_some(played, classroom, teacher, sign_in):
    page = sign_in(teacher).get(f"/classes/{classroom.pk}/progress/")
    assert "of all words in the lists of the class’s assignments" in page.text


def test_the_figures_can_be_taken_along_as_files(played, classroom, pupils, teacher, sign_in):
    """Words that were asked come first, the hardest on top, with numbers that can be sorted."""
    client = sign_in(teacher)
    reply = client.get(f"/classes/{classroom.pk}/progress.csv")
    lines = list(csv.reader(io.StringIO(reply.content.decode("utf-8-sig"))))
    assert lines[0][:6] == [
        "Word", "Translations", "Answers", "Correct", "Almost or with help", "Wrong",
    ]  # fmt: skip
    assert set(lines[0][6:]) == {f"{pupil}: level 0–5" for pupil in pupils}
    assert lines[1][:7] == ["labud", "swan", "5", "0", "0", "5", "1"]
    assert lines[2][:7] == ["krokodil", "crocodile", "16", "16", "0", "0", "3"]
    assert lines[3][2:7] == ["0"] * 5
    book = load_workbook(
        io.BytesIO(client.get(f"/classes/{classroom.pk}/progress.xlsx").content), read_only=True
    )
    rows = list(book.active.iter_rows(values_only=True))
    assert rows[1][:7] == ("labud", "swan", 5, 0, 0, 5, 1)
    assert client.get(f"/classes/{classroom.pk}/progress.exe").status_code == 404


@pytest.mark.parametrize(
    ("name", "file", "sheet"),
    [
        ("5.č", "5.č", "5.č"),
        ("6b/2 [new]: a\n“mixed” one", "6b 2 new a “mixed” one", "6b 2 new a “mixed” one"),
        ("č" * 60, "č" * 60, "č" * 31),
        ("???", "Osmosmjerka", "Osmosmjerka"),
    ],
)
def test_a_file_and_its_sheet_are_named_after_the_class(
    name, file, sheet, classroom, teacher, sign_in
):
    classroom.name = name
    classroom.save()
    reply = sign_in(teacher).get(f"/classes/{classroom.pk}/progress.xlsx")
    assert file in unquote(reply["Content-Disposition"])
    assert load_workbook(io.BytesIO(reply.content)).sheetnames == [sheet]


def test_every_page_of_a_class_can_be_taken_along(played, classroom, pupils, teacher, sign_in):
    client = sign_in(teacher)
    pupil, hard = pupils[0], played[1]
    pupil.display_name = "=Lu\x0bka"  # a formula, and what no workbook holds
    pupil.save()
    base = f"/classes/{classroom.pk}"
    for path, line in [
        (f"{base}/pupils/{pupil.pk}/", ["labud", "learning", 0, 2]),
        (f"{base}/words/{hard.pk}/", ["'=Luka", "learning", 0, 2]),
        (f"{base}/assignments/{Assignment.objects.first().pk}/", ["'=Luka", "not started", 0]),
    ]:
        text = client.get(f"{path}?format=csv").content.decode("utf-8-sig")
        lines = [row[: len(line)] for row in csv.reader(io.StringIO(text))]
        assert [*map(str, line)] in lines
        book = load_workbook(io.BytesIO(client.get(f"{path}?format=xlsx").content))
        assert line in [[*row][: len(line)] for row in book.active.iter_rows(values_only=True)]
        assert "?format=xlsx" in client.get(path).content.decode()


def pages_of(classroom, pupil, entry):
    base = f"/classes/{classroom.pk}"
    return [
        f"{base}/progress/",
        f"{base}/pupils/{pupil.pk}/",
        f"{base}/pupils/{pupil.pk}/words/{entry.pk}/",
        f"{base}/words/{entry.pk}/",
        f"{base}/assignments/{Assignment.objects.first().pk}/",
    ]


def test_a_stranger_a_student_and_a_viewer(played, classroom, pupils, stranger, teacher, sign_in,
                                            make_person, school):  # fmt: skip
    viewer = make_person(User.Role.TEACHER, school)
    people.join_classroom(classroom=classroom, person=viewer, role=Membership.Role.VIEWER)
    for path in [
        *pages_of(classroom, pupils[0], played[0]),
        f"/classes/{classroom.pk}/progress.csv",
        f"/classes/{classroom.pk}/assignments.csv",
    ]:
        assert sign_in(teacher).get(path).status_code == 200
        assert sign_in(viewer).get(path).status_code == 200
        assert sign_in(stranger).get(path).status_code == 404
        assert sign_in(pupils[0]).get(path).status_code == 404
    for person, may_assign in ((teacher, True), (viewer, False)):
        page = sign_in(person).get(f"/classes/{classroom.pk}/progress/").text
        assert ("Assign these words" in page) is may_assign
    reply = sign_in(viewer).post(f"/classes/{classroom.pk}/give/", {"entry": played[0].pk})
    assert reply.status_code == 404


def test_a_student_of_another_class_is_not_there(
    played, classroom, teacher, make_person, school, sign_in
):
    other = make_person(User.Role.STUDENT, school)
    assert sign_in(teacher).get(f"/classes/{classroom.pk}/pupils/{other.pk}/").status_code == 404


def queries(client, path):
    with CaptureQueriesContext(
        connection,
    ) as captured:
        assert client.get(path).status_code == 200
    return len(captured)


def test_more_students_and_words_ask_no_more_queries(
    played, classroom, pupils, animals, teacher, sign_in, make_person, school, make_puzzle
):
    find_all(make_puzzle(seed=3), pupils[0])
    client = sign_in(teacher)
    paths = [
        *pages_of(classroom, pupils[0], played[0]),
        f"/classes/{classroom.pk}/progress/?format=csv",
        f"/api/classes/{classroom.pk}/progress/",
    ]
    before = [queries(client, path) for path in paths]
    for _number in range(5):
        pupil = make_person(User.Role.STUDENT, school)
        people.join_classroom(classroom=classroom, person=pupil, role=Membership.Role.STUDENT)
        for entry in animals.entries.all()[:6]:
            review(pupil, entry, "right")
            review(pupil, entry, "wrong", 2, given="x")
    find_all(make_puzzle(seed=2), pupils[1])
    assert [queries(client, path) for path in paths] == before


def test_from_a_weak_word_to_an_assignment(played, classroom, pupils, teacher, sign_in):
    """The word's link in the map is one click, the button on its page the second."""
    client = sign_in(teacher)
    text = client.get(f"/classes/{classroom.pk}/progress/").content.decode()
    link = f"/classes/{classroom.pk}/words/{played[1].pk}/"
    assert f'href="{link}"' in text
    page = client.get(link)
    assert set(page.context["weak"]) == set(pupils)
    reply = client.post(
        f"/classes/{classroom.pk}/give/",
        {"entry": played[1].pk, "student": [pupils[0].pk, pupils[1].pk], "kind": "crossword"},
    )
    fields = fields_of(client.get(reply.url))
    assert str(played[1].pk) in fields["entries"]
    assert fields["due_at"] != [""]
    assert client.post("/assign/", fields).status_code == 302
    given = Assignment.objects.first()
    assert set(given.chosen_students.all()) == set(pupils[:2])
    puzzle = made(given.puzzle)
    assert played[1].pk in set(puzzle.placements.values_list("entry", flat=True))
    assert puzzles(pupils[0], "play").filter(pk=puzzle.pk).exists()
    assert not puzzles(pupils[2], "play").filter(pk=puzzle.pk).exists()
    assert puzzle.title in sign_in(pupils[0]).get("/").content.decode()
    assert puzzle.title not in sign_in(pupils[2]).get("/").content.decode()


def test_words_of_a_foreign_list_cannot_be_given(played, classroom, teacher, sign_in, stranger):
    from tests.conftest import rows
    from vocab.lists.services import create_list

    foreign = create_list(owner=stranger, title="x", language="hr", translation_languages=["en"],
                          rows=rows({"riba": "fish"}))  # fmt: skip
    sign_in(teacher).post(f"/classes/{classroom.pk}/give/", {"entry": foreign.entries.get().pk})
    assert Assignment.objects.count() == 1


def test_words_to_assign_again_are_only_suggested(played, classroom, pupils, teacher, sign_in):
    client, path = sign_in(teacher), f"/classes/{classroom.pk}/give/"
    before = Assignment.objects.count()
    reply = client.post(path, {"entry": played[1].pk, "student": pupils[0].pk, "kind": "finder"})
    fields = fields_of(client.get(reply.url))
    assert (fields["kind"], fields["student"]) == (["finder"], [str(pupils[0].pk)])
    assert len(fields["entries"]) == 6  # with others, because one word is no puzzle
    assert Assignment.objects.count() == before


def test_the_status_of_a_student_follows_the_rule(make_puzzle, pupils, classroom):
    assignment = make_puzzle().assignments.get()
    done, helped, begun, absent = pupils
    find_all(assignment.puzzle, done)
    play.finish_session(session=play.open_session(puzzle=assignment.puzzle, student=helped))
    play.open_session(puzzle=assignment.puzzle, student=begun)
    at = timezone.now()

    def stands():
        [line] = status.assignment_lines([Assignment.objects.get(pk=assignment.pk)], pupils, at)
        return line, [line.statuses[pupil] for pupil in pupils]

    line, how = stands()
    assert how == [Status.DONE, Status.NEEDS_HELP, Status.IN_PROGRESS, Status.NOT_STARTED]
    assert [(part.name, part.width) for part in line.bar] == [
        ("done", 25), ("started", 25), ("help", 25),
    ]  # fmt: skip
    assignments.change(assignment=assignment, due_at=at - timedelta(days=1), excused=[absent])
    assert stands()[1] == [
        Status.LATE, Status.NEEDS_HELP, Status.OVERDUE, Status.EXCUSED,
    ]  # fmt: skip


def test_before_its_start_an_assignment_asks_nothing_of_anybody(
    make_puzzle, pupils, classroom, teacher, sign_in
):
    client = sign_in(teacher)
    assignment = make_puzzle().assignments.get()
    pages = [f"/classes/{classroom.pk}/{rest}" for rest in ("", f"pupils/{pupils[0].pk}/")]
    for rest, said in (
        ({"is_draft": True}, "Draft"),
        ({"is_draft": False, "opens_at": timezone.now() + timedelta(days=2)}, "starts"),
    ):
        Assignment.objects.filter(pk=assignment.pk).update(**rest)
        for page in pages:
            text = client.get(page).text.partition('id="assignments"')[2]
            assert said in text and "no due date" in text
            assert "not started" not in text and "share-bar" not in text


def test_progress_shows_what_each_student_did_in_each_assignment_by_need(
    make_puzzle, pupils, classroom, teacher, sign_in
):
    puzzle = make_puzzle()
    done, helped, begun, absent = pupils
    find_all(puzzle, done)
    Move.objects.update(at=PlaySession.objects.get().started_at + timedelta(seconds=12))
    play.finish_session(session=play.open_session(puzzle=puzzle, student=helped))
    session = play.open_session(puzzle=puzzle, student=begun)
    words = puzzle.placements.count()
    client, path = sign_in(teacher), f"/classes/{classroom.pk}/progress/"
    page = client.get(path)
    found = [
        (row.student, row.cells[0].status, row.cells[0].result) for row in page.context["results"]
    ]
    by_name = sorted([done, begun], key=str)
    assert [student for student, *_rest in found][:2] == [helped, absent]
    assert sorted(str(student) for student, *_rest in found[2:]) == [str(one) for one in by_name]
    told = {student: (status, result.found, result.total) for student, status, result in found}
    assert told == {
        done: (Status.DONE, words, words), helped: (Status.NEEDS_HELP, 0, words),
        begun: (Status.IN_PROGRESS, 0, words), absent: (Status.NOT_STARTED, 0, words),
    }  # fmt: skip
    assert f"<b>{words} of {words}</b>" in re.sub(r"\s+", " ", page.text)
    # Each status has a shape of its own.
    shapes = set(re.findall(r'class="mark (mark--\w+)"', page.text.partition('id="results"')[2]))
    assert shapes == {"mark--done", "mark--help", "mark--started", "mark--none"}
    own = client.get(f"/classes/{classroom.pk}/pupils/{helped.pk}/")
    assert [cell.status for cell in own.context["assigned"]] == [Status.NEEDS_HELP]
    assert "with a lot of help" in own.text and puzzle.title in own.text
    alone = client.get(f"/classes/{classroom.pk}/assignments/{puzzle.assignments.get().pk}/")
    assert [row.student for row in alone.context["rows"]][:2] == [helped, absent]
    assert f"{words} of {words}" in alone.text and "12 seconds" in alone.text
    assert session.number == 1


def test_progress_shows_every_assignment_that_is_not_archived_the_newest_first(
    make_puzzle, pupils, classroom, teacher, sign_in
):
    puzzle = make_puzzle()
    find_all(puzzle, pupils[0])
    Assignment.objects.update(created_at=timezone.now() - timedelta(days=40))
    newer = [give(classroom, puzzle.vocabulary_list, teacher) for _number in range(24)]
    archived = give(classroom, puzzle.vocabulary_list, teacher, archived_at=timezone.now())
    page = sign_in(teacher).get(f"/classes/{classroom.pk}/progress/")
    shown = [line.assignment for line in page.context["compared"]]
    assert shown == [*reversed(newer), puzzle.assignments.get()]
    assert archived not in shown
    [cells] = [row.cells for row in page.context["results"] if row.student == pupils[0]]
    assert cells[-1].status == Status.DONE, "who played an old one has started"
    results = page.text.partition('id="results"')[2].partition("</section>")[0]
    assert "25 assignments, the newest first" in " ".join(results.split())
    assert "table--matrix" in results, "it scrolls sideways, also on a phone"
    own = sign_in(teacher).get(f"/classes/{classroom.pk}/pupils/{pupils[0].pk}/")
    assert len(own.context["assigned"]) == 25


def test_of_very_many_assignments_it_is_said_how_many_are_only_in_the_file(
    make_puzzle, pupils, classroom, teacher, sign_in, monkeypatch
):
    puzzle = make_puzzle()
    for _number in range(4):
        give(classroom, puzzle.vocabulary_list, teacher)
    client, path = sign_in(teacher), f"/classes/{classroom.pk}/progress/"
    told = "2 older assignments are only in the file under “Download”"
    assert told not in client.get(path).text
    monkeypatch.setattr(views, "RESULTS_SHOWN", 3)
    page = client.get(path)
    assert len(page.context["compared"]) == 3
    assert told in " ".join(page.text.split())
    [head, *_rows] = table_of(client, f"/classes/{classroom.pk}/assignments")
    assert len(head) == 1 + 5 + 1


def table_of(client, path, file_format="csv"):
    reply = client.get(f"{path}.{file_format}")
    assert reply.status_code == 200
    if file_format == "csv":
        return list(csv.reader(io.StringIO(reply.content.decode("utf-8-sig"))))
    book = load_workbook(io.BytesIO(reply.content), read_only=True)
    return [list(row) for row in book.active.iter_rows(values_only=True)]


def test_what_students_found_in_each_assignment_is_one_file_for_a_grade_book(
    make_puzzle, pupils, classroom, teacher, sign_in
):
    first, second, third = (make_puzzle(words=6, seed=seed) for seed in (1, 2, 3))
    crossword = make_puzzle(kind="crossword", words=6)
    due = timezone.make_aware(datetime(2026, 12, 11, 12))
    Assignment.objects.exclude(puzzle=third).update(due_at=due)
    draft = give(classroom, first.vocabulary_list, teacher, is_draft=True)
    find_all(first, pupils[0])
    find_all(crossword, pupils[0])
    play.open_session(puzzle=second, student=pupils[1])
    play.finish_session(session=play.open_session(puzzle=third, student=pupils[1]))
    third.assignments.get().chosen_students.set(pupils[:2])
    client, path = sign_in(teacher), f"/classes/{classroom.pk}/assignments"
    words, title = crossword.placements.count(), first.title
    today = date_format(timezone.localdate(), "SHORT_DATE_FORMAT")
    [head, *rows] = table_of(client, path, "xlsx")
    assert head == [
        "Student", f"{title} · Crossword · due 11 Dec 2026 (of {words})",
        f"{title} · Word search · since {today} (of 6)",
        f"{title} · Word search · due 11 Dec 2026 (of 6)",
        f"{title} · Word search · due 11 Dec 2026 (of 6) – 2", "Done",
    ]  # fmt: skip
    assert draft.puzzle.title not in head
    assert [row[0] for row in rows] == [str(pupil) for pupil in students_of(classroom)], "by name"
    told = {row[0]: row[1:] for row in rows}
    assert told[str(pupils[0])] == [words, None, None, 6, 2]
    assert told[str(pupils[1])] == [None, 0, 0, None, 1], "who found nothing has started"
    assert told[str(pupils[2])] == [None, None, None, None, 0]
    text = {row[0]: row[1:] for row in table_of(client, path)[1:]}
    assert text[str(pupils[0])] == [str(words), "", "", "6", "2"]
    page = client.get(f"/classes/{classroom.pk}/progress/").text
    assert f'href="{path}.csv"' in page and f'href="{path}.xlsx"' in page
    assert client.get(f"{path}.exe").status_code == 404


def test_the_words_of_own_puzzles_are_counted_from_the_least_to_the_most():
    def line(*totals):
        results = {User(pk=n): status.Result(total=total) for n, total in enumerate(totals)}
        return status.AssignmentLine(Assignment(), "", {}, results=results)

    assert [total_of(line(*totals)) for totals in ((12, 12), (12, None, 9), (None,))] == [
        "12", "9–12", "",
    ]  # fmt: skip


def test_a_students_page_says_how_far_an_assignment_in_progress_is(
    make_puzzle, pupils, classroom, teacher, sign_in
):
    puzzle = make_puzzle()
    session = play.open_session(puzzle=puzzle, student=pupils[0])
    Move.objects.create(
        session=session, placement=puzzle.placements.first(), client_id=uuid4(),
        outcome=Move.Outcome.FOUND,
    )  # fmt: skip
    page = sign_in(teacher).get(f"/classes/{classroom.pk}/pupils/{pupils[0].pk}/").text
    told = re.sub(r"<[^>]+>|\s+", " ", page.partition('id="assignments"')[2])
    assert f"in progress 1 of {puzzle.placements.count()} " in " ".join(told.split())


def test_time_counts_play_and_not_the_days_between(make_puzzle, pupils):
    puzzle = make_puzzle()
    find_all(puzzle, pupils[0])
    session = PlaySession.objects.get()
    start = timezone.now() - timedelta(days=3)
    PlaySession.objects.update(started_at=start)
    moves = list(session.moves.order_by("pk"))
    for number, move in enumerate(moves):
        at = start + timedelta(seconds=20 * (number + 1), days=2 if move == moves[-1] else 0)
        Move.objects.filter(pk=move.pk).update(at=at)
    spent = status.played([status.Result(session=session.pk)])
    assert spent[session.pk] == timedelta(seconds=20 * (len(moves) - 1)) + PAUSE


def test_a_file_of_results_opens_in_the_spreadsheet_of_the_language(
    make_puzzle, pupils, classroom, teacher, client
):
    puzzle = make_puzzle()
    find_all(puzzle, pupils[0])
    teacher.language = "hr"
    teacher.save()
    client.force_login(teacher)
    path = f"/classes/{classroom.pk}/assignments/{puzzle.assignments.get().pk}/?format=csv"
    reply = client.get(path, headers={"accept-language": "hr"})
    assert reply.content.startswith(b"\xef\xbb\xbf")
    _head, *lines = csv.reader(io.StringIO(reply.content.decode("utf-8-sig")), delimiter=";")
    words = str(puzzle.placements.count())
    [line] = [line for line in lines if line[0] == str(pupils[0])]
    assert line[3:6] == [words, words, "0"]
    assert "," in line[6], "minutes with a decimal comma"
    assert line[7]
    name = unquote(reply["Content-Disposition"])
    assert f"{classroom} – {puzzle.title} – {timezone.localdate().isoformat()}.csv" in name
    # The control: where decimals have a point, columns are separated by commas.
    english = client.get(path, headers={"accept-language": "en"})
    teacher.language = "en"
    teacher.save()
    english = client.get(path).content.decode("utf-8-sig")
    assert english.splitlines()[0].startswith("Student,Status,Attempts")


def test_an_accent_slip_is_not_called_help(
    make_puzzle, pupils, classroom, animals, teacher, sign_in
):
    make_puzzle()
    word = animals.entries.first()
    review(pupils[0], word, "right", is_slip=True)
    client, path = sign_in(teacher), f"/classes/{classroom.pk}"
    for page in (f"{path}/pupils/{pupils[0].pk}/", f"{path}/words/{word.pk}/"):
        text = client.get(page).text
        assert re.search(r'data-label="Almost or with help">1<', text), page
        assert 'data-label="With help"' not in text
        table = csv.DictReader(io.StringIO(client.get(f"{page}?format=csv").text))
        [row] = [row for row in table if row["Answers"] == "1"]
        assert (row["Correct"], row["Almost or with help"], row["Wrong"]) == ("0", "1", "0")
    file = client.get(f"{path}/progress.csv").content.decode("utf-8-sig")
    [told] = [row for row in csv.DictReader(io.StringIO(file)) if row["Word"] == word.term]
    assert (told["Almost or with help"], told["Wrong"]) == ("1", "0")


def test_a_word_that_was_never_missed_is_not_among_the_weakest(
    make_puzzle, pupils, classroom, animals, teacher, sign_in
):
    make_puzzle()
    missed, helped, *_rest = animals.entries.all()
    review(pupils[0], missed, "wrong")
    review(pupils[0], helped, "right", wrong_tries=1)
    page = sign_in(teacher).get(f"/classes/{classroom.pk}/pupils/{pupils[0].pk}/")
    assert [word.entry for word in page.context["weak"]] == [missed]


def test_a_due_word_that_gives_way_to_new_ones_is_counted_when_it_is_urgent(
    student, animals, make_puzzle
):
    """Who does each day's plan is not behind."""
    make_puzzle(words=4)  # so that the class learns the list
    on = today(student)
    for entry, urgent_on in zip(animals.entries.all(), [None, on, on + DAY], strict=False):
        WordProgress.objects.create(
            student=student, entry=entry, stability=9.0, last_on=on - 9 * DAY,
            last_at=timezone.now() - 9 * DAY, due_on=on - DAY, urgent_on=urgent_on,
        )  # fmt: skip
    assert due_words([student], on).count() == 2
    assert load([student], on, days=3) == [(on, 2), (on + DAY, 1), (on + 2 * DAY, 0)]
    counted = memory.load(student, on, [animals.pk], days=3)
    assert counted == [(on, 2), (on + DAY, 1), (on + 2 * DAY, 0)]
