"""A site's parameters change only if that forecasts its students better."""

from datetime import UTC, date, datetime, timedelta
from random import Random

import numpy as np
import pytest
from fsrs import Rating, Scheduler

from vocab.memory.evidence import Answer, Mode, Skill
from vocab.memory.fitting import FEWEST_STUDENTS, Move, Reviews, fit_moves, moves
from vocab.memory.scheduling import DEFAULT, Model, recall_chance, step

MONDAY = date(2026, 9, 7)
# A site that forgets sooner, and where a recall adds less.
FORGETFUL = tuple(
    {0: 0.1, 1: 0.4, 2: 0.7, 8: 1.2, 20: 0.3}.get(number, one)
    for number, one in enumerate(DEFAULT.parameters)
)


def simulated_site(parameters, *, students=20, words=25, seed=0):
    """Return the moves of students who remember exactly as FSRS does with *parameters*."""
    rng, model = Random(seed), Model(parameters=parameters)
    site = {}
    for student in range(students):
        found = []
        for _word in range(words):
            word, stability, difficulty = [], None, None
            for number in range(rng.randint(2, 7)):
                gap = 0 if number == 0 else max(1, round(rng.lognormvariate(1, 1)))
                is_recalled = rng.random() < (
                    0.5 if number == 0 else recall_chance(stability, gap, model)
                )
                rating = Rating.Good if is_recalled else Rating.Again
                if number and rng.random() < 0.1:
                    word.append(Move(gap, Rating.Hard, None))
                    rating = Rating.Hard
                else:
                    word.append(Move(gap, rating, is_recalled if number else None))
                after = step(stability, difficulty, gap, rating, model)
                stability, difficulty = after.stability, after.difficulty
            found.append(word)
        site[student] = found
    return site


@pytest.fixture(scope="module")
def forgetful_fit():
    return fit_moves(simulated_site(FORGETFUL))


def test_forecasts_are_those_of_the_schedule():
    site = simulated_site(FORGETFUL, students=3)
    for parameters in (DEFAULT.parameters, FORGETFUL):
        model = Model(parameters=parameters)
        expected = []
        for words in site.values():
            loss = 0.0
            for word in words:
                stability = difficulty = None
                for move in word:
                    chance = recall_chance(stability, move.gap, model)
                    if move.is_recalled is not None:
                        loss -= np.log(chance if move.is_recalled else 1 - chance)
                    after = step(stability, difficulty, move.gap, move.rating, model)
                    stability, difficulty = after.stability, after.difficulty
            expected.append(loss)
        reviews = Reviews(list(site.values()))
        assert reviews.losses(parameters) == pytest.approx(np.array(expected))


def test_a_site_that_forgets_otherwise_is_forecast_better_also_for_other_students(forgetful_fit):
    found = forgetful_fit
    assert found.is_kept
    assert found.after < found.before
    assert found.fall[0] > 0
    assert found.fall[0] < found.before - found.after < found.fall[1]
    others = Reviews(list(simulated_site(FORGETFUL, seed=1).values()))
    present, fitted, true = (
        others.losses(parameters).sum()
        for parameters in (DEFAULT.parameters, found.parameters, FORGETFUL)
    )
    assert present - fitted > 0.8 * (present - true)


def test_what_was_fitted_is_accepted_by_the_package(forgetful_fit):
    Scheduler(parameters=forgetful_fit.parameters)
    assert forgetful_fit.parameters[3] == DEFAULT.parameters[3]


def test_the_same_answers_give_the_same_parameters_whatever_the_order_of_students(forgetful_fit):
    site = simulated_site(FORGETFUL)
    assert fit_moves(dict(reversed(site.items()))) == forgetful_fit


@pytest.mark.parametrize("seed", range(3))
def test_a_site_that_forgets_as_expected_keeps_the_present_parameters(seed):
    found = fit_moves(simulated_site(DEFAULT.parameters, seed=seed))
    assert not found.is_kept
    assert found.parameters == DEFAULT.parameters


@pytest.mark.parametrize(("students", "words"), [(FEWEST_STUDENTS - 1, 60), (20, 5)])
def test_too_few_students_or_tests_change_nothing(students, words):
    found = fit_moves(simulated_site(FORGETFUL, students=students, words=words))
    assert not found.is_kept
    assert found.parameters == DEFAULT.parameters
    assert found.students == students


def test_no_answers_are_no_error():
    assert not fit_moves({}).is_kept
    assert not fit_moves({1: [], 2: [[]]}).is_kept


def answer(day, mode=Mode.TYPED, outcome="right", **facts):
    on = MONDAY + timedelta(days=day)
    at = datetime(on.year, on.month, on.day, 10, tzinfo=UTC)
    return Answer(at, on, mode, Skill.MEANING_TO_FORM, outcome, **facts)


def test_only_unaided_tests_after_a_day_are_forecast_but_every_move_counts():
    history = [
        answer(0, Mode.WORD_SEARCH),
        answer(3),
        answer(3, outcome="wrong"),
        answer(5, Mode.CHOSEN),
        answer(9, hints=1),
        answer(12, Mode.WORD_SEARCH),
        answer(12, outcome="wrong"),
        answer(13, was_tried=False, outcome="wrong"),
        answer(14, outcome="wrong"),
    ]
    assert moves(history) == [
        Move(0, Rating.Good, None),
        Move(3, Rating.Good, True),
        Move(2, Rating.Good, None),
        Move(4, Rating.Hard, False),
        Move(3, Rating.Again, None),
        Move(2, Rating.Again, False),
    ]
