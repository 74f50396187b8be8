"""A student's days with the quick review: what is answered right is done, and each day ends."""

from __future__ import annotations

from collections import Counter
from datetime import datetime, timedelta
from random import Random
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone

from puzzles.assignments import services as assignments
from puzzles.models import Puzzle
from puzzles.practice import rounds
from tests.conftest import rows
from tests.puzzles.practice.plans import day_plan
from tests.puzzles.practice.test_practice import find_all, made
from vocab.lists import services as list_services
from vocab.memory.rules import today, zone_of
from vocab.models import Entry, Review, WordProgress

pytestmark = [pytest.mark.django_db, pytest.mark.database]


class Clock:
    """The time of the whole site: it stands still until it is moved."""

    def __init__(self, start: datetime) -> None:
        self.at = start

    def __call__(self) -> datetime:
        return self.at

    def move(self, **span: int) -> None:
        self.at += timedelta(**span)


@pytest.fixture
def clock(monkeypatch, school):
    """Half past three in the afternoon, in the school's zone."""
    clock = Clock(datetime(2026, 9, 7, 15, 30, tzinfo=ZoneInfo(str(zone_of(school)))))
    monkeypatch.setattr(timezone, "now", clock)
    return clock


class Reviewer:
    """A student at the quick review, who answers as *knows* says: the word, its try of the day."""

    def __init__(self, client, clock, knows=lambda entry, tries: True, query=""):
        self.client, self.clock, self.knows, self.query = client, clock, knows, query
        self.asked: list[Entry] = []
        self.left: list[int] = []

    def go_on(self, most=200):
        """Answer until nothing is asked any more; return the last page."""
        page = self.client.get(f"/review/{self.query}")
        for _answer in range(most):
            question = page.context.get("question")
            if question is None:
                if not page.context.get("verdict") or "reason" in page.context:
                    break
                page = self.client.get(f"/review/{self.query}")  # Continue
                continue
            self.clock.move(seconds=10)
            tries = self.asked.count(question.entry) + 1
            self.asked.append(question.entry)
            self.left.append(page.context["today"].to_review)
            sent = {
                "entry": question.entry.pk, "mode": question.mode, "attempt": question.attempt,
            }  # fmt: skip
            answer = (
                {"answer": question.entry.term}
                if self.knows(question.entry, tries)
                else {"answer": "", "give_up": "1"}
            )
            page = self.client.post(f"/review/{self.query}", sent | answer)
        return page


def numbers(client, query=""):
    """Return what is left, and of how many words, as each place tells it."""
    home = client.get(f"/{query}").context["today"]
    review = client.get(f"/review/{query}").context["today"]
    program = client.get(f"/api/review/{query}").json()
    return {
        (len(home.left), home.total),
        (review.to_review, review.of),
        (program["left"], program["total"]),
    }


def test_twelve_words_are_found_and_some_days_later_each_is_asked_once(
    clock, make_puzzle, student, sign_in
):
    find_all(make_puzzle(words=12), student)
    clock.move(days=6)
    client = sign_in(student)
    due = WordProgress.objects.filter(student=student, due_on__lte=today(student))
    assert due.count() == 12
    assert numbers(client) == {(12, 12)}
    assert "12 of 12 left" in client.get("/").content.decode()
    reviewer = Reviewer(client, clock)
    for _sitting in range(40):
        end = reviewer.go_on(most=1)
    assert Counter(entry.pk for entry in reviewer.asked).most_common(1)[0][1] == 1
    assert reviewer.left == list(range(12, 0, -1))
    assert "You have done all of today’s words" in end.content.decode()
    assert due.count() == 0
    assert numbers(client) == {(0, 12)}
    home = client.get("/").content.decode()
    assert "0 of 12 left" in home
    assert "You have done all of today’s words" in home
    assert "Right the first time: 12 of 12 words." in " ".join(home.split())


def test_on_a_day_without_words_a_puzzle_for_fun_keeps_the_days_in_a_row_as_the_page_says(
    clock, make_puzzle, student, sign_in
):
    find_all(make_puzzle(words=12), student)
    clock.move(days=6)
    Reviewer(sign_in(student), clock).go_on()
    clock.move(days=1)
    client = sign_in(student)
    hint = "Puzzles played for fun also count towards your days in a row."
    home = client.get("/")
    assert (home.context["step"], home.context["days"].streak.days) == ("fun", 1)
    assert hint in home.content.decode()
    client.post("/practise/", {"kind": "word-search", "free": ""})
    find_all(made(Puzzle.objects.get(is_free_practice=True)), student)
    home = client.get("/")
    assert home.context["days"].streak.days == 2
    assert hint not in home.content.decode()


def test_half_way_home_review_and_program_tell_the_same(clock, make_puzzle, student, sign_in):
    find_all(make_puzzle(words=12), student)
    clock.move(days=6)
    client = sign_in(student)
    Reviewer(client, clock, knows=lambda entry, tries: entry.term != "slon").go_on(most=5)
    assert len(numbers(client)) == 1


@pytest.fixture
def sixty(make_puzzle, teacher, classroom):
    """A list of sixty words, given to the class a while ago, and ten of them expected a day."""
    words = list_services.create_list(
        owner=teacher, title="Sixty", language="hr", translation_languages=["en"],
        rows=rows({f"riječ{number:02}": f"word {number}" for number in range(60)}),
    )  # fmt: skip
    assignments.close(assignment=make_puzzle(vocabulary_list=words, words=4).assignments.get())
    classroom.words_a_day = 10
    classroom.save(update_fields=["words_a_day"])
    return words


def test_in_a_week_of_some_minutes_a_day_each_day_ends(clock, sixty, student, sign_in):
    rng = Random(7)
    asked_in_week = Counter()
    for _day in range(7):
        client = sign_in(student)
        of_day = day_plan(student, clock())
        assert 0 < len(of_day.left) <= 10
        reviewer = Reviewer(client, clock, knows=lambda entry, tries: rng.random() < 0.7)
        end = reviewer.go_on()
        assert end.context["reason"] == rounds.Reason.DONE
        assert day_plan(student, clock()).left == []
        assert numbers(client) == {(0, len(of_day.words))}
        times = Counter(entry.pk for entry in reviewer.asked)
        assert set(times) == set(of_day.left)
        assert max(times.values()) <= rounds.MOST_TRIES
        assert [entry.pk for entry in reviewer.asked[: len(times)]] == of_day.left
        asked_in_week.update(times.keys())
        clock.move(days=1)
    assert len(asked_in_week) > 20  # the list is met, and no word fills the week
    assert max(asked_in_week.values()) < 7


def test_a_missed_word_comes_back_at_the_end_and_three_times_at_most(
    clock, make_puzzle, student, sign_in
):
    find_all(make_puzzle(words=12), student)
    clock.move(days=6)
    reviewer = Reviewer(
        sign_in(student),
        clock,
        knows=lambda entry, tries: entry.term != "slon" and (entry.term != "labud" or tries > 1),
    )
    reviewer.go_on()
    terms = [entry.term for entry in reviewer.asked]
    assert Counter(terms) == Counter(dict.fromkeys(terms, 1) | {"slon": 3, "labud": 2})
    assert len(set(terms[:12])) == 12
    assert reviewer.left[-1] == 1
    wrong = Review.objects.filter(entry__term="slon", outcome="wrong")
    assert wrong.count() == 3
    progress = WordProgress.objects.get(entry__term="slon", student=student)
    assert progress.wrong == 1, "a day has one answer that counts"


def test_whoever_has_a_test_in_german_is_asked_german_only(
    clock, make_puzzle, student, teacher, sign_in
):
    german = list_services.create_list(
        owner=teacher, title="Essen", language="de", translation_languages=["en"],
        rows=rows({"Brot": "bread", "Käse": "cheese", "Milch": "milk", "Suppe": "soup"}),
    )  # fmt: skip
    find_all(make_puzzle(words=12), student)
    find_all(make_puzzle(vocabulary_list=german, words=4), student)
    clock.move(days=6)
    client = sign_in(student)
    assert numbers(client) == {(16, 16)}
    query = f"?list={german.pk}"
    assert numbers(client, query) == {(4, 4)}
    reviewer = Reviewer(client, clock, query=query)
    reviewer.go_on()
    assert {entry.vocabulary_list for entry in reviewer.asked} == {german}
    assert numbers(client, query) == {(0, 4)}
    assert numbers(client) == {(12, 16)}
