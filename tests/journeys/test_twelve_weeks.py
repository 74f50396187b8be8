"""A class practises for twelve weeks: what the plan promises holds on every day of them."""

from collections import Counter
from datetime import UTC, datetime, timedelta
from random import Random

import pytest
import time_machine
from django.utils import timezone

from osmosmjerka.accounts.models import User
from osmosmjerka.accounts.people import join_classroom
from puzzles.access import Moment
from puzzles.assignments import services as assignments
from puzzles.kinds import KINDS
from puzzles.practice import plan
from tests.layers import daily
from tests.puzzles.practice.plans import day_plan, more_words, words_to_practise
from vocab.formats.rows import Row
from vocab.lists import services as lists
from vocab.memory import planning, reviews
from vocab.memory.card import Memory
from vocab.memory.evidence import Answer
from vocab.memory.rules import today
from vocab.models import WordProgress

pytestmark = pytest.mark.django_db

BEGIN = datetime(2026, 9, 7, 8, tzinfo=UTC)  # a Monday
SKILL = {
    "word-search": "meaning_to_form",
    "finder": "sound_to_form",
    "crossword": "meaning_to_form",
}
SYLLABLES = ["ba", "ce", "di", "fo", "gu", "ka", "le", "mi", "no", "pu", "ra", "se", "ti", "vo"]


def words(count):
    """Return words of which none is contained in another: all have six letters."""
    rng = Random(14)
    made = dict.fromkeys("".join(rng.choices(SYLLABLES, k=3)) for _word in range(3 * count))
    return list(made)[:count]


@pytest.fixture
def hundred_words(teacher, classroom, make_puzzle):
    """Words that were given to the class on the day before the journey, whatever day it is here.

    If the puzzle were closed today, its twelve words would not be told until the journey comes to
    today: since it ended, on 27 November 2026, everybody would meet the 88 others.
    """
    rows = [Row(term=term, translations={"en": [f"{term}!"]}) for term in words(100)]
    with time_machine.travel(BEGIN - timedelta(days=1), tick=False):
        made = lists.create_list(
            owner=teacher, title="Hundred", language="hr", translation_languages=["en"], rows=rows
        )
        puzzle = make_puzzle(vocabulary_list=made, words=12)
        assignments.give(puzzle=puzzle, classrooms=[classroom], created_by=teacher)
        # Its words are told by playing it, so that the plan may have them.
        assignments.close(assignment=puzzle.assignments.get())
    return made


@pytest.fixture
def class_of_three(make_person, school, classroom):
    pupils = [make_person(User.Role.STUDENT, school) for _number in range(3)]
    for pupil in pupils:
        join_classroom(classroom=classroom, person=pupil, role="student")
    return pupils


class Remembered:
    """What the benchmark's students are: memories without a database."""

    def __init__(self, student, entries):
        self.student = student
        self.memories = {entry.pk: Memory() for entry in entries}

    def take(self, given):
        answer = Answer(
            given.at, today(self.student, given.at), given.mode, given.skill, given.outcome
        )
        seed = reviews.seed_of(self.student, given.entry_id)
        self.memories[given.entry_id].take(answer, seed)

    def plan(self, at):
        words = [planning.Candidate(key, one.card) for key, one in self.memories.items()]
        return planning.plan(words, today(self.student, at)).words


def play(student, kind, entries, at, is_right):
    """Record a round of a puzzle kind as the game does, and return it; a word is right or not."""
    answers = [
        reviews.GivenAnswer(
            entry=entry,
            mode=kind,
            skill=SKILL[kind],
            outcome="right" if is_right(entry) else "wrong",
            at=at,
            source=f"{student.pk}:{entry.pk}:{at.isoformat()}:{kind}",
        )
        for entry in entries
    ]
    reviews.record(student=student, answers=answers)
    return answers


def practise_all(student, vocabulary_list, is_right, remembered):
    """Play the kind that is offered until today's plan is done; return the words asked, once each.

    A last puzzle with few words left also has words that were asked before on that day.
    """
    asked = set()
    assert day_plan(student, timezone.now()).words == remembered.plan(timezone.now())
    for _round in range(10):
        left = day_plan(student, timezone.now()).left
        if not left:
            return Counter(asked)
        offered = plan.offer(left, Moment(student, timezone.now()))
        wanted = words_to_practise(student, vocabulary_list, offered.kind, timezone.now())
        entries = plan.entries_to_ask(wanted)
        for given in play(student, offered.kind, entries, timezone.now(), is_right):
            remembered.take(given)
        asked.update(wanted)
    raise AssertionError(f"{len(left)} words are still left of the plan after ten rounds.")


@pytest.mark.parametrize(("weeks", "least_met"), daily(4, of=[(4, 60), (12, 95)]))
def test_for_weeks_each_days_plan_is_done_and_the_whole_list_is_met(
    class_of_three, hundred_words, weeks, least_met
):
    rng = Random(3)
    words = list(hundred_words.entries.order_by("position", "pk"))
    remembered = {student: Remembered(student, words) for student in class_of_three}
    with time_machine.travel(BEGIN, tick=False) as clock:
        for week in range(weeks):
            asked = {student: Counter() for student in class_of_three}
            for weekday in range(5):
                clock.move_to(BEGIN + timedelta(weeks=week, days=weekday, minutes=-weekday))
                for number, student in enumerate(class_of_three):
                    # A strong, an average and a weak student.
                    chance = (1.0, 0.85, 0.6)[number]
                    asked[student] += practise_all(
                        student,
                        hundred_words,
                        lambda _entry, chance=chance: rng.random() < chance,
                        remembered[student],
                    )
                    assert day_plan(student, timezone.now()).left == []
            for student, counts in asked.items():
                most = max(counts.values(), default=0)
                assert most <= max(1, sum(counts.values()) / 4), (student, week, counts)
        for student in class_of_three:
            met = WordProgress.objects.filter(student=student).count()
            assert met >= least_met, f"{student} met only {met} words"
            assert reviews.replay(student=student) == 0


@pytest.mark.parametrize("kind", KINDS)
def test_after_a_perfect_round_none_of_its_words_is_due_or_left(
    class_of_three, hundred_words, kind
):
    student = class_of_three[0]
    with time_machine.travel(BEGIN, tick=False) as clock:
        for days in (0, 3, 40):  # new words, words that fell due, words long overdue
            clock.move_to(BEGIN + timedelta(days=days))
            wanted = words_to_practise(student, hundred_words, kind, timezone.now())
            assert wanted
            play(student, kind, plan.entries_to_ask(wanted), timezone.now(), lambda _entry: True)
            due = WordProgress.objects.filter(
                student=student, entry__in=wanted, due_on__lte=today(student)
            )
            assert not due.exists()
            assert not set(wanted) & set(day_plan(student, timezone.now()).left)


def test_words_that_a_kind_cannot_ask_are_left_to_another(class_of_three, hundred_words):
    student = class_of_three[0]
    first = hundred_words.entries.first()
    first.translations.all().delete()  # heard, but without a meaning
    for kind, is_asked in (("word-search", False), ("crossword", False), ("finder", True)):
        wanted = words_to_practise(student, hundred_words, kind, timezone.now())
        assert (first.pk in wanted) == is_asked
    assert first.pk in day_plan(student, timezone.now()).words


def test_going_on_after_the_plan_asks_no_word_twice_a_day(class_of_three, hundred_words):
    student = class_of_three[0]
    remembered = Remembered(student, hundred_words.entries.order_by("position", "pk"))
    with time_machine.travel(BEGIN, tick=False) as clock:
        for day in range(4):
            clock.move_to(BEGIN + timedelta(days=day))
            asked = practise_all(student, hundred_words, lambda _entry: True, remembered)
            more = more_words(student, timezone.now())
            assert not set(more) & set(asked)
            entries = plan.entries_to_ask(more)
            for given in play(student, "crossword", entries, timezone.now(), lambda _e: True):
                remembered.take(given)
