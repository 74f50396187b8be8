"""Estimates say how far they can be trusted."""

from math import log
from random import Random

import pytest

from vocab.memory import estimates
from vocab.memory.estimates import FORECAST, Word, habit, offset, recalled, share_interval


def chance(log_odds):
    return estimates._chance(log_odds)


def taken(truth, rng, count, weeks=0.5):
    """Delayed tests of words whose log odds of recall are *truth* of the word."""
    words = [
        Word(rng.uniform(0.4, 0.98), rng.choice([2, 4, 8, 16]), weeks) for _test in range(count)
    ]
    return [estimates.Tests(word, 1, int(rng.random() < chance(truth(word)))) for word in words]


def as_forecast(forecast, count, recalled, days=6):
    return [estimates.Tests(Word(forecast, days, 1), count, recalled)]


def test_nothing_is_estimated_from_fewer_than_eight_tests():
    words = [Word(0.9, 4)] * 20
    assert recalled(words, 60, as_forecast(0.9, 7, 6), FORECAST) is None
    assert recalled(words, 60, as_forecast(0.9, 8, 7), FORECAST) is not None


def test_a_class_that_does_as_forecast_keeps_the_forecast():
    tests = [estimates.Tests(Word(share / 100, 6, 1), 100, share) for share in (60, 80, 90)]
    found = habit(tests)
    assert found.weights == pytest.approx(FORECAST.weights, abs=1e-6)
    assert offset(tests, found) == (pytest.approx(0, abs=1e-6), pytest.approx(0.14, abs=0.01))
    words = recalled([Word(0.8, 6, 1)] * 50, 60, tests, found)
    assert words.words == pytest.approx(40)
    assert words.of == 60


def test_without_tests_a_class_is_as_forecast_and_that_is_unsure():
    assert habit([]) == FORECAST
    assert FORECAST.log_odds(Word(0.8, 30)) == pytest.approx(log(4))


def test_a_class_that_forgets_faster_or_learns_is_followed():
    rng = Random(3)
    slow = habit(taken(lambda word: FORECAST.log_odds(word) - 1.5, rng, 3000))
    steep = habit(taken(lambda word: 2 - log(word.days), rng, 3000))
    for days, odds in ((2, 2 - log(2)), (16, 2 - log(16))):
        assert chance(steep.log_odds(Word(0.8, days, 0.5))) == pytest.approx(chance(odds), abs=0.1)
    assert chance(slow.log_odds(Word(0.9, 6, 0.5))) == pytest.approx(
        chance(FORECAST.log_odds(Word(0.9, 6)) - 1.5), abs=0.05
    )
    before, now = (
        estimates.Tests(Word(0.8, 6, weeks), 1000, right)
        for weeks, right in ((1.5, 300), (0.5, 500))
    )
    assert chance(habit([before, now]).log_odds(Word(0.8, 6))) > 0.55


def test_who_recalls_less_than_the_class_is_estimated_lower_and_more_so_with_more_tests():
    few, _error = offset(as_forecast(0.9, 10, 5), FORECAST)
    many, error = offset(as_forecast(0.9, 1000, 500), FORECAST)
    assert many < few < 0
    assert chance(log(9) + many) == pytest.approx(0.5, abs=0.01)
    assert error < 0.1


def test_never_right_and_always_right_still_give_finite_estimates():
    words = [Word(forecast, 0) for forecast in (0.5, 0.9, 1.0, 0.0)]
    for right in (0, 4000):
        tests = as_forecast(0.9, 4000, right)
        found = recalled(words, 4, tests, habit(tests))
        assert 0 <= found.words <= 4
        assert found.margin > 0


def test_more_tests_narrow_the_margin_but_chance_and_the_error_of_the_method_remain():
    margins = []
    for count in (10, 100, 100_000):
        tests = as_forecast(0.8, count, count * 8 // 10)
        words = recalled([Word(0.8, 6, 1)] * 50, 60, tests, habit(tests))
        margins.append(words.margin)
    assert margins == sorted(margins, reverse=True)
    remaining = estimates.REMAINING_ERROR * 50
    assert margins[-1] == pytest.approx(1.96 * (50 * 0.16 + remaining**2) ** 0.5, rel=0.02)


def test_the_margin_holds_for_about_95_of_100_students():
    rng = Random(5)
    inside = 0
    for _class in range(30):
        lower = rng.gauss(-0.5, 0.7)
        students = [rng.gauss(lower, 0.6) for _student in range(30)]
        tests = [
            taken(lambda word, by=by: FORECAST.log_odds(word) + by, rng, rng.randint(8, 60))
            for by in students
        ]
        of_class = habit(test for some in tests for test in some)
        for by, own in zip(students, tests, strict=True):
            met = [Word(rng.uniform(0.4, 0.99), 4) for _word in range(40)]
            found = recalled(met, 60, own, of_class)
            truth = sum(rng.random() < chance(FORECAST.log_odds(word) + by) for word in met)
            inside += abs(found.words - truth) <= found.margin
    assert 0.92 <= inside / 900 <= 0.99


def test_the_interval_of_a_share_is_wilsons():
    assert share_interval(0, 0) == (0, 1)
    low, high = share_interval(8, 10)
    assert (low, high) == (pytest.approx(0.4902, abs=1e-4), pytest.approx(0.9433, abs=1e-4))
    assert share_interval(0, 5)[0] == pytest.approx(0)
    assert share_interval(5, 5)[1] == pytest.approx(1)
