"""The page of a class names the students who need a teacher, says why, and calls nothing known
that nobody has shown to know."""

import re
from datetime import UTC, date, datetime, time, timedelta

import pytest
import time_machine
from django.utils import timezone

from osmosmjerka.accounts import people
from osmosmjerka.accounts.models import Membership, User
from puzzles.assignments import services as assignments
from puzzles.dashboards.monday import Reason
from puzzles.models import Assignment, Puzzle
from tests.conftest import rows
from tests.puzzles.dashboards import simulated
from tests.puzzles.practice.test_practice import find_all
from vocab.lists import services as lists
from vocab.memory import reviews
from vocab.memory.changed_words import terms_changed
from vocab.memory.rules import today
from vocab.memory.selectors import known_counts
from vocab.models import Entry

TODAY = date(2026, 3, 9)
DAY = timedelta(days=1)


def new_list(owner, count, title="Riječi"):
    return lists.create_list(
        owner=owner, title=title, language="hr", translation_languages=["en"],
        rows=rows({f"riječ{number}": f"word {number}" for number in range(count)}),
    )  # fmt: skip


def give(classroom, vocabulary_list, teacher, **facts):
    puzzle = Puzzle.objects.create(
        kind="crossword", title="Puzzle", vocabulary_list=vocabulary_list, created_by=teacher,
        seed=1, state="ready",
    )  # fmt: skip
    return Assignment.objects.create(
        puzzle=puzzle, classroom=classroom, created_by=teacher, **facts
    )


def new_students(classroom, school, count):
    made = User.objects.bulk_create(
        User(
            username=f"{classroom.pk}-{number}", display_name=f"Student {number:02}",
            role=User.Role.STUDENT, school=school, last_login=timezone.now(),
        ) for number in range(count)
    )  # fmt: skip
    Membership.objects.bulk_create(
        Membership(classroom=classroom, user=one, role=Membership.Role.STUDENT) for one in made
    )
    Membership.objects.filter(classroom=classroom).update(joined_at=timezone.now() - 60 * DAY)
    return made


@pytest.fixture
def empty_class(teacher):
    return people.create_classroom(name="6a", owner=teacher)


def noon(day):
    return timezone.make_aware(datetime.combine(day, time(12)))


def given(entry, source, outcome="right", days=0, **facts):
    """An answer of *days* days ago, typed from the meaning."""
    on = timezone.localdate() - days * DAY
    return reviews.GivenAnswer(
        entry, **{"mode": "typed", "skill": "meaning_to_form", **facts}, outcome=outcome,
        source=source, at=noon(on) - DAY,
    )  # fmt: skip


@pytest.mark.slow
@pytest.mark.django_db
def test_the_page_names_the_right_students_of_a_class_whose_truth_is_known(
    empty_class, school, teacher, sign_in
):
    played = simulated.play("stability", "usual", "typing", 9)
    words = list(new_list(teacher, simulated.WORDS).entries.order_by("position"))
    give(empty_class, words[0].vocabulary_list, teacher)
    students = new_students(empty_class, school, simulated.STUDENTS)
    on = today(students[0])
    for one, student in zip(played.learners, students, strict=True):
        reviews.record(
            student=student,
            answers=[
                reviews.GivenAnswer(
                    words[answer.word], mode=answer.mode, skill="meaning_to_form",
                    outcome="right" if answer.is_right else "wrong",
                    source=f"{student.pk}:{answer.day}:{answer.word}",
                    at=noon(on - (simulated.DAYS - answer.day) * DAY)
                    + timedelta(seconds=answer.word),
                )
                for answer in played.answers if answer.student == one.key
            ],
        )  # fmt: skip
    page = sign_in(teacher).get(f"/classes/{empty_class.pk}/progress/")
    numbers = {student.pk: number for number, student in enumerate(students)}
    found = {
        numbers[line.student.pk]: {reason for reason, _count in line.reasons}
        for line in page.context["monday"].named
    }
    score = simulated.Score()
    score.add(simulated.truth_of(played), found)
    print(
        f"precision {score.precision:.2f}, recall {score.recall:.2f}, "
        f"with the true reason {score.recall_of_reasons:.2f}"
    )
    assert score.precision >= 0.85
    assert score.recall >= 0.9
    assert score.recall_of_reasons >= 0.85
    assert len(page.context["monday"].named) >= page.context["most_names"] == 8
    text = page.content.decode()
    assert "nothing for " in text and "recalls less than most" in text and "behind" in text
    # The page counts tests as the simulation does.
    expected = simulated.estimated(played)
    for line in page.context["monday"].students:
        found = expected[numbers[line.student.pk]]
        if found is None:
            assert line.recalls is None  # stopped two weeks ago
            continue
        assert line.recalls.words == pytest.approx(found.words, abs=1)
        assert line.recalls.margin == pytest.approx(found.margin, abs=0.5)
    # What the class misses comes with how sure that is.
    lows = [word.low for word in page.context["monday"].words]
    assert lows == sorted(lows, reverse=True)
    assert len(page.context["monday"].words) == 5


@pytest.fixture
def class_of_eight(empty_class, school, teacher):
    vocabulary = new_list(teacher, 6)
    give(empty_class, vocabulary, teacher)
    return new_students(empty_class, school, 8), list(vocabulary.entries.all())


@pytest.mark.django_db
def test_a_word_that_was_only_shown_never_looks_known(
    class_of_eight, empty_class, teacher, sign_in
):
    (student, *_others), (shown, *_rest) = class_of_eight
    reviews.record(student=student, answers=[given(shown, "shown", "wrong")])
    client, base = sign_in(teacher), f"/classes/{empty_class.pk}"
    word = client.get(f"{base}/words/{shown.pk}/").text
    assert "0 of 1" in word and "0 of 1 right, 0 almost or with help, 1 wrong" in word
    assert "learning" in word
    for path in (f"{base}/progress/", f"{base}/words/{shown.pk}/", f"{base}/pupils/{student.pk}/"):
        text = client.get(path).text
        assert "Recall chance" not in text and "100%" not in text
        assert 'class="badge">known' not in text
        assert not re.search(r'<td class="heat-[2-5]"', text)
    for file in (f"{base}/words/{shown.pk}/", f"{base}/pupils/{student.pk}/"):
        [line] = [
            line for line in client.get(f"{file}?format=csv").text.splitlines()
            if line.startswith((str(student), shown.term))
        ]  # fmt: skip
        assert line.split(",")[1:6] == ["learning", "0", "1", "0", "1"]
    [line] = [
        line for line in client.get(f"{base}/progress.csv").content.decode().splitlines()
        if line.startswith(shown.term)
    ]  # fmt: skip
    assert line.split(",")[2:] == ["1", "0", "0", "1", "1", *["0"] * 7]
    assert "not enough data" in client.get(f"{base}/progress/").text
    told = client.get(f"/api{base}/progress/").json()
    assert {one["recalls"] for one in told["monday"]["students"]} == {None}
    assert {one["known"] for one in told["students"]} == {0}


@pytest.mark.django_db
def test_wrong_tries_and_help_stand_beside_what_was_right(
    class_of_eight, empty_class, teacher, sign_in
):
    students, (word, *_rest) = class_of_eight
    for number, student in enumerate(students):
        facts = {"mode": "word-search", "wrong_tries": 2 if number < 2 else 0}
        outcome = "wrong" if number == 7 else "right"
        reviews.record(student=student, answers=[given(word, f"ws{student.pk}", outcome, **facts)])
    client, base = sign_in(teacher), f"/classes/{empty_class.pk}"
    for path in (f"{base}/progress/", f"{base}/words/{word.pk}/"):
        assert "5 of 8 right, 2 almost or with help, 1 wrong" in " ".join(
            client.get(path).text.split()
        )
    assert f"{word.term},word 0,8,5,2,1," in client.get(f"{base}/progress.csv").content.decode()
    [told] = [
        one for one in client.get(f"/api{base}/progress/").json()["words"]
        if one["entry"] == word.pk
    ]  # fmt: skip
    assert told == {
        "entry": word.pk, "term": word.term, "asked": 8, "right": 5, "helped": 2, "wrong": 1,
    }  # fmt: skip


@pytest.mark.django_db
def test_a_crossword_of_eight_students_asks_each_word_eight_times(
    make_puzzle, classroom, school, student, teacher, sign_in
):
    puzzle = make_puzzle(kind="crossword")
    students = [student, *new_students(classroom, school, 7)]
    for one in students:
        find_all(puzzle, one)
    told = sign_in(teacher).get(f"/api/classes/{classroom.pk}/progress/").json()["words"]
    placed = set(puzzle.placements.values_list("entry", flat=True))
    assert {one["asked"] for one in told if one["entry"] in placed} == {8}
    assert {one["right"] for one in told if one["entry"] in placed} == {8}


@pytest.mark.django_db
def test_the_hardest_words_are_in_the_order_of_what_is_shown(
    class_of_eight, empty_class, teacher, sign_in
):
    students, words = class_of_eight
    # Word: answers, and how many of them were not right. The last has too few to be called hard.
    for entry, (answers, failed) in zip(
        words, [(8, 2), (8, 4), (6, 3), (8, 8), (5, 0), (3, 3)], strict=True
    ):
        for number, student in enumerate(students[:answers]):
            outcome = "wrong" if number < failed else "right"
            reviews.record(
                student=student, answers=[given(entry, f"{entry.pk}:{student.pk}", outcome)]
            )
    page = sign_in(teacher).get(f"/classes/{empty_class.pk}/progress/")
    hardest = [line for line, _answers in page.context["hardest"]]
    assert [(line.failed_share, line.asked) for line in hardest] == [
        (100, 8), (50, 8), (50, 6), (25, 8),
    ]  # fmt: skip
    assert [line.entry for line in page.context["page"]][:4] == [line.entry for line in hardest]


@pytest.mark.django_db
def test_the_words_that_a_class_misses_are_given_again_by_one_button(
    class_of_eight, empty_class, teacher, sign_in
):
    students, (shared, alone, *_rest) = class_of_eight
    for number, student in enumerate(students):
        reviews.record(
            student=student,
            answers=[
                given(shared, f"s{student.pk}", days=4),
                given(alone, f"a{student.pk}", days=4),
                given(shared, f"t{student.pk}", "right" if number < 3 else "wrong", 1,
                      given="" if number < 3 else "riječO" if number < 6 else "rječ"),
                given(alone, f"b{student.pk}", "wrong" if number == 0 else "right", 1),
            ],
        )  # fmt: skip
    client, path = sign_in(teacher), f"/classes/{empty_class.pk}/progress/"
    page = client.get(path)
    [word] = page.context["monday"].words  # what only one missed is not the class's
    assert (word.entry, word.missed, word.count) == (shared, 5, 8)
    text = " ".join(page.text.split())
    assert "5 of 8 wrong" in text and "3 times: <bdi>riječo</bdi>" in text
    assert "likely 31–86%" in text
    assert "Assign this word again" in text
    body = {"entry": [shared.pk], "kind": "word-search"}
    assert client.post(f"/classes/{empty_class.pk}/give/", body).status_code == 302
    told = client.get(f"/api{path}").json()["monday"]["words"]
    assert [(one["missed"], one["count"], one["answer"], one["times"]) for one in told] == [
        (5, 8, "riječo", 3)
    ]


@pytest.mark.django_db
def test_after_holidays_figures_rest_on_the_weeks_before_them(
    class_of_eight, empty_class, teacher, sign_in
):
    (student, *_others), words = class_of_eight
    answers = [
        given(word, f"{word.pk}:{days}", days=days) for word in words for days in (30, 22, 18)
    ]
    reviews.record(student=student, answers=answers)
    client = sign_in(teacher)
    for path in ("progress", f"pupils/{student.pk}"):
        page = client.get(f"/classes/{empty_class.pk}/{path}/")
        monday = page.context.get("monday")
        if monday:
            [estimate] = [line.recalls for line in monday.students if line.student == student]
            assert 3 < estimate.words < 6
    assert f"{round(estimate.words)} ± {round(estimate.margin)}" in page.text


@pytest.mark.django_db
def test_just_after_a_lesson_no_more_is_said_to_be_known_than_on_the_next_day(
    class_of_eight, empty_class, teacher, sign_in
):
    (student, *_others), words = class_of_eight
    answers = [
        given(word, f"{word.pk}:{days}", outcome, days=days)
        for word in words
        for days, outcome in ((20, "right"), (9, "right"), (0, "wrong"))
    ]
    reviews.record(student=student, answers=answers)

    def recalls(at):
        with time_machine.travel(at):
            page = sign_in(teacher).get(f"/classes/{empty_class.pk}/progress/")
        [found] = [one.recalls for one in page.context["monday"].students if one.student == student]
        return found.words

    lesson = max(one.at for one in answers)
    assert recalls(lesson) == recalls(lesson + DAY) < len(words)


@pytest.mark.django_db
def test_recall_by_delay_takes_one_review_a_day_and_word_and_no_word_in_view(
    class_of_eight, empty_class, teacher, sign_in
):
    (student, *_others), (word, other, third, *_rest) = class_of_eight
    reviews.record(
        student=student,
        answers=[
            given(word, "1", days=10), given(word, "2", "wrong", 8),
            given(word, "3", "right", 8),  # the same day again
            given(word, "4", "right", 2),
            given(other, "5", days=10), given(other, "6", days=3, mode="word-search"),
            given(third, "7", days=10), given(third, "8", days=8),
        ],
    )  # fmt: skip
    client, path = sign_in(teacher), f"/classes/{empty_class.pk}/progress/"

    def rows_of_chart():
        chart = client.get(path).context["delays"]
        return chart and [label for label, _cells in chart.rows]

    assert rows_of_chart() == ["2–3 (2)", "4–7 (1)"]
    cells = dict(client.get(path).context["delays"].rows)["2–3 (2)"]
    assert cells[0] == ("Recalled", "50%")
    assert cells[2] == ("Likely range", "9%–91%")
    # A deleted word leaves; with one step of the delay left there is no chart.
    Entry.objects.filter(pk=word.pk).update(deleted_at=timezone.now())
    assert rows_of_chart() is None


@pytest.mark.django_db
def test_a_deleted_word_leaves_every_figure_of_the_class(
    class_of_eight, empty_class, teacher, sign_in
):
    (student, *_others), (word, *_rest) = class_of_eight
    answers = [given(word, "1", days=9), given(word, "2", days=4)]
    reviews.record(student=student, answers=answers)
    client = sign_in(teacher)

    def learned():
        [line] = client.get("/school/").context["lines"]
        told = client.get(f"/api/classes/{empty_class.pk}/progress/").json()
        return line.learned, sum(one["known"] for one in told["students"])

    assert learned() == (1, 1)
    assert known_counts([student.pk]) == {student.pk: 1}
    Entry.objects.filter(pk=word.pk).update(deleted_at=timezone.now())
    assert learned() == (0, 0)


@pytest.mark.django_db
def test_another_word_takes_the_wrong_answers_of_the_old_one_away_and_a_correction_does_not(
    class_of_eight, empty_class, teacher, sign_in
):
    (student, *_others), (word, other, *_rest) = class_of_eight
    reviews.record(
        student=student,
        answers=[given(one, f"{one.pk}{days}", "wrong", days, given="krivo")
                 for one in (word, other) for days in (5, 3, 1)],
    )  # fmt: skip
    for entry, key, is_same in ((word, "slon", False), (other, "riječ1a", True)):
        before = {entry.pk: (entry.term, entry.key)}
        entry.term, entry.key = key, key
        entry.save()
        terms_changed([entry], before, is_same=is_same)
    client = sign_in(teacher)

    def answers(entry):
        return client.get(f"/classes/{empty_class.pk}/words/{entry.pk}/").context["answers"]

    assert answers(word) == []
    assert answers(other) == ["krivo"]
    page = client.get(f"/classes/{empty_class.pk}/progress/")
    assert page.context["tests"] == 2


@pytest.mark.django_db
def test_words_that_do_not_stick_are_shown_with_their_wrong_answers(
    class_of_eight, empty_class, teacher, sign_in
):
    (student, other, *_others), (word, fine, *_rest) = class_of_eight
    answers = [given(word, "0", days=30), given(fine, "f", days=30)]
    for number, days in enumerate((25, 20, 15, 10)):
        answers.append(given(word, f"w{number}", "wrong", days, given=f"rjeć{number % 2}"))
        answers.append(given(word, f"r{number}", "right", days - 2))
    reviews.record(student=student, answers=answers[:-1])
    client, base = sign_in(teacher), f"/classes/{empty_class.pk}"
    for path in (f"{base}/progress/", f"{base}/pupils/{student.pk}/"):
        page = client.get(path)
        [leech] = page.context["leeches"]
        assert (leech.progress.entry, leech.answers) == (word, ["rjeć1", "rjeć0"])
        assert "4 times" in page.text
    assert not client.get(f"{base}/pupils/{other.pk}/").context["leeches"]
    assert "keeps forgetting" not in client.get(f"{base}/progress/").text, "one word is bad luck"


@pytest.mark.django_db
def test_who_keeps_forgetting_words_is_named_with_these_words_to_assign(
    class_of_eight, empty_class, teacher, sign_in
):
    (student, *others), words = class_of_eight
    forgotten, missed = words[:2], words[2:5]
    answers = [given(word, f"{word.pk}", days=30) for word in forgotten]
    for number, days in enumerate((25, 20, 15, 10)):
        for word in forgotten:
            answers.append(given(word, f"w{number}{word.pk}", "wrong", days))
            answers.append(given(word, f"r{number}{word.pk}", "right", days - 2))
    # More words are missed than forgotten, and one of them more often.
    answers += [
        given(word, f"m{days}{word.pk}", "wrong", days) for word in missed for days in range(3, 9)
    ]
    reviews.record(student=student, answers=answers)
    for other in others:
        reviews.record(student=other, answers=[given(words[5], f"o{other.pk}")])
    client, base = sign_in(teacher), f"/classes/{empty_class.pk}"
    for path in ("/", f"{base}/", f"{base}/progress/"):
        assert "keeps forgetting 2 words" in client.get(path).text, path
    [row] = client.get("/").context["rows"]
    assert (row.helped.student, row.act.label) == (student, "Assign these 2 words")
    assert set(row.helped.words) == set(forgotten)
    told = client.get(f"/api{base}/progress/").json()["monday"]["students"]
    assert told[0]["reasons"] == [{"reason": "keeps forgetting", "count": 2}]


@pytest.mark.django_db
def test_an_overdue_assignment_names_who_owes_it_if_most_have_done_it(
    make_puzzle, classroom, school, student, teacher, sign_in
):
    puzzle = make_puzzle()
    students = [student, *new_students(classroom, school, 3)]
    for one in students[:3]:
        find_all(puzzle, one)
    client, path = sign_in(teacher), f"/classes/{classroom.pk}/progress/"
    assert "assignment overdue" not in client.get(path).text
    assignment = puzzle.assignments.get()
    assignments.change(assignment=assignment, due_at=timezone.now() - timedelta(minutes=1))
    [line] = client.get(path).context["monday"].named
    assert line.student == students[3]
    assert (Reason.OVERDUE, 1) in line.reasons
    assert "1 assignment overdue" in client.get(path).text
    assignments.change(assignment=assignment, excused=[students[3]])
    assert "assignment overdue" not in client.get(path).text


@pytest.mark.django_db
def test_the_days_of_a_class_are_those_of_its_school(
    class_of_eight, empty_class, school, teacher, sign_in, monkeypatch
):
    """At three at night it is still the day before: who played that evening played that day."""
    school.time_zone = "Europe/Zagreb"
    school.save()
    (student, *_others), (word, *_rest) = class_of_eight
    at = datetime(2026, 3, 8, 21, 30, tzinfo=UTC)
    reviews.record(
        student=student,
        answers=[reviews.GivenAnswer(word, "typed", "meaning_to_form", "right", "x", at)],
    )
    monkeypatch.setattr(timezone, "now", lambda: datetime(2026, 3, 9, 2, 30, tzinfo=UTC))
    page = sign_in(teacher).get(f"/classes/{empty_class.pk}/progress/")
    assert [line.day for line in page.context["activity"]] == [date(2026, 3, 8)]
    assert page.context["monday"].students[0].played in (0, 1)
    assert sum(line.played for line in page.context["monday"].students) == 1
