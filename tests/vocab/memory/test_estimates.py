"""Estimates say how far they can be trusted."""

from random import Random

import pytest

from vocab.memory import estimates
from vocab.memory.estimates import offset, recalled, share_interval, shifted


def simulated(chances, by, rng):
    right = sum(rng.random() < shifted(chance, by) for chance in chances)
    return estimates.Tests(len(chances), right, sum(chances), sum(c * (1 - c) for c in chances))


def test_nothing_is_estimated_from_fewer_than_eight_tests():
    assert recalled([0.9] * 20, 60, estimates.Tests(7, 6, 6.3, 0.63)) is None
    assert recalled([0.9] * 20, 60, estimates.Tests(8, 7, 7.2, 0.72)) is not None


def test_a_student_who_does_as_forecast_keeps_the_forecast():
    by, error = offset(estimates.Tests(100, 80, 80.0, 16.0))
    assert by == pytest.approx(0, abs=1e-6)
    assert error == pytest.approx(1 / 17**0.5)
    found = recalled([0.8] * 50, 60, estimates.Tests(100, 80, 80.0, 16.0))
    assert found.words == pytest.approx(40)
    assert found.of == 60


def test_who_recalls_less_than_forecast_is_estimated_lower_and_more_so_with_more_tests():
    few, _error = offset(estimates.Tests(10, 5, 9.0, 0.9))
    many, error = offset(estimates.Tests(1000, 500, 900.0, 90.0))
    assert many < few < 0
    assert shifted(0.9, many) == pytest.approx(0.5, abs=0.01)
    assert error < 0.1


def test_never_right_and_always_right_still_give_finite_estimates():
    for right in (0, 40):
        found = recalled([0.5, 0.9, 1.0, 0.0], 4, estimates.Tests(40, right, 36.0, 3.6))
        assert 0 <= found.words <= 4
        assert found.margin > 0


def test_more_tests_narrow_the_margin_but_chance_and_the_error_of_the_method_remain():
    margins = [
        recalled([0.8] * 50, 60, estimates.Tests(n, n * 8 // 10, n * 0.8, n * 0.16)).margin
        for n in (10, 100, 10_000)
    ]
    assert margins == sorted(margins, reverse=True)
    assert margins[-1] == pytest.approx(1.96 * (50 * 0.16 + (0.04 * 50) ** 2) ** 0.5, rel=0.02)


def test_the_margin_holds_for_about_95_of_100_students():
    rng = Random(5)
    inside = 0
    for _student in range(1000):
        by = rng.gauss(0, 0.7)
        tested = [rng.uniform(0.5, 0.98) for _test in range(rng.randint(8, 60))]
        met = [rng.uniform(0.4, 0.99) for _word in range(40)]
        found = recalled(met, 60, simulated(tested, by, rng))
        truth = sum(rng.random() < shifted(chance, by) for chance in met)
        inside += abs(found.words - truth) <= found.margin
    assert 940 <= inside <= 995


def test_the_interval_of_a_share_is_wilsons():
    assert share_interval(0, 0) == (0, 1)
    low, high = share_interval(8, 10)
    assert (low, high) == (pytest.approx(0.4902, abs=1e-4), pytest.approx(0.9433, abs=1e-4))
    assert share_interval(0, 5)[0] == pytest.approx(0)
    assert share_interval(5, 5)[1] == pytest.approx(1)
