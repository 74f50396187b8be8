"""Whom a class's page names, and whether its figures are true, without a database."""

from datetime import date, timedelta
from itertools import product
from random import Random
from statistics import mean

import pytest

from puzzles.dashboards.monday import Outlook, Reason, Standing, hardest_first, named, outlooks
from tests.puzzles.dashboards import simulated
from vocab.memory.estimates import Recalled

TODAY = date(2026, 3, 9)
DAY = timedelta(days=1)


def standing(key, last=0, **facts):
    """A student who joined long ago and played *last* days ago."""
    last_on = None if last is None else TODAY - last * DAY
    return Standing(key, TODAY - 60 * DAY, **{"last_on": last_on, "played": 3, **facts})


def reasons(students):
    found = named(students, TODAY, 24)
    return {key: [reason for reason, _n in some] for key, some in found.items()}


def test_who_stopped_is_named_with_the_days():
    students = [standing(key) for key in range(9)] + [standing(9, last=9)]
    found = named(students, TODAY, 24)
    assert found == {9: [(Reason.QUIET, 9)]}


def test_holidays_of_the_whole_class_name_nobody():
    assert reasons([standing(key, last=15, due=60) for key in range(10)]) == {}
    # A few who play in the holidays do not make the others absent.
    keen = [standing(key, last=0) for key in range(2)]
    assert reasons(keen + [standing(key, last=15) for key in range(2, 12)]) == {}
    # The control: who had stopped a week before the holidays began.
    students = [standing(key, last=15) for key in range(9)] + [standing(9, last=22)]
    assert reasons(students) == {9: [Reason.QUIET]}


def test_who_never_began_is_named_if_the_class_has_begun_and_there_was_time():
    begun = [standing(key) for key in range(6)]
    absent = standing(6, last=None, has_logged_in=False)
    idle = standing(7, last=None)
    new = Standing(8, TODAY - DAY, has_logged_in=False)
    assert reasons([*begun, idle, absent, new]) == {
        6: [Reason.NEVER_LOGGED_IN],
        7: [Reason.NEVER_PRACTISED],
    }
    assert reasons([standing(key, last=None, has_logged_in=False) for key in range(8)]) == {}


def test_recalling_less_than_most_is_beyond_chance_and_needs_five_estimates():
    def recalls(words, margin):
        return Recalled(words, margin, 60)

    most = [standing(key, recalls=recalls(40, 5)) for key in range(4)]
    weak, perhaps = recalls(25, 6), recalls(35, 6)
    assert reasons([*most, standing(9, recalls=weak)]) == {9: [Reason.RECALLS_LESS]}
    assert reasons([*most, standing(9, recalls=perhaps)]) == {}
    assert reasons([*most[:3], standing(9, recalls=weak)]) == {}
    assert reasons([*most[:3], standing(8), standing(9, recalls=weak)]) == {}


def test_who_fails_more_tests_than_most_is_named_though_all_recall_little():
    def recalling(key, words, recalled):
        return standing(key, recalls=Recalled(words, 7, 60), tests=60, recalled=recalled)

    most = [recalling(key, 7, 12) for key in range(5)]
    assert reasons([*most, recalling(9, 4, 1)]) == {9: [Reason.RECALLS_LESS]}
    assert reasons([*most, recalling(9, 4, 6)]) == {}
    # Who was asked harder words, but recalls as many, is not named.
    assert reasons([*most, recalling(9, 8, 1)]) == {}


def test_words_are_ordered_by_the_share_that_was_surely_missed():
    counts = {"asked most": (20, 60), "hard": (9, 10), "once": (1, 1), "easy": (1, 20)}
    assert hardest_first(counts) == ["hard", "asked most", "once", "easy"]


def figures(seeds, minds=("activation", "stability"), kinds=simulated.GIFTS, ways=("searching",)):
    """The ranges, the score and the mean of Kendall's tau of simulated classes."""
    ranges, score, taus = simulated.Ranges(), simulated.Score(), []
    for of in product(minds, kinds, ways, seeds):
        played, rng = simulated.play(*of), Random(of[-1])
        truth = [simulated.asked_now(one, rng) for one in played.learners]
        ranges.add(truth, simulated.estimated(played))
        found = named(list(simulated.standings(played)), simulated.TODAY, simulated.WORDS_A_DAY)
        score.add(
            simulated.truth_of(played),
            {key: {reason for reason, _number in some} for key, some in found.items()},
        )
        taus.append(simulated.tau(hardest_first(played.misses()), played.difficulty))
    return ranges, score, mean(taus)


@pytest.mark.slow
def test_the_figures_of_a_class_that_forgets_fast_hold_the_truth():
    """With one amount for each student, two of three ranges do, and 8 words too many."""
    ranges, score, tau = figures([1], minds=["activation"], kinds=["slow"], ways=["searching"])
    assert ranges.share >= 0.85
    assert ranges.classes_inside == 1
    assert abs(ranges.too_many) <= 3 * ranges.students
    assert score.recall >= 0.6
    assert tau >= 0.3


@pytest.mark.thorough
@pytest.mark.timeout(0)
def test_the_figures_of_slow_and_quick_classes_hold_the_truth():
    ranges, score, tau = figures(range(4), ways=simulated.SEARCHES)
    assert 0.93 <= ranges.share <= 0.975
    assert ranges.share_of_classes >= 0.95
    assert score.precision >= 0.85
    assert score.recall >= 0.9
    assert tau >= 0.4


def test_who_keeps_forgetting_words_is_named_unless_most_of_the_class_does():
    most = [standing(key) for key in range(6)]
    assert reasons([*most, standing(9, forgotten=2)]) == {9: [Reason.KEEPS_FORGETTING]}
    assert reasons([*most, standing(9, forgotten=1)]) == {}
    # In a class that finds the words hard, only who forgets far more than the others.
    class_ = [standing(key, forgotten=3) for key in range(6)]
    assert reasons([*class_, standing(9, forgotten=6)]) == {}
    assert reasons([*class_, standing(9, forgotten=7)]) == {9: [Reason.KEEPS_FORGETTING]}
    # Of three students nothing is usual.
    assert set(reasons([standing(key, forgotten=4) for key in range(3)])) == {0, 1, 2}


def test_behind_is_measured_by_ones_own_pace_and_by_the_class():
    class_ = [standing(key, due=10, pace=20.0) for key in range(6)]
    assert reasons([*class_, standing(9, due=30, pace=6.0)]) == {9: [Reason.BEHIND]}
    assert reasons([*class_, standing(9, due=30, pace=20.0)]) == {}
    # On Monday, a weekend's words wait for everybody.
    class_ = [standing(key, due=50, pace=20.0) for key in range(6)]
    assert reasons([*class_, standing(9, due=60, pace=20.0)]) == {}


def test_the_most_urgent_come_first():
    students = [
        *(standing(key) for key in range(8)),
        standing(8, overdue=2), standing(9, last=12, overdue=1), standing(10, last=30),
        standing(11, due=80, pace=10.0), standing(13, forgotten=3),
        standing(12, last=None, has_logged_in=False),
    ]  # fmt: skip
    assert list(named(students, TODAY, 24)) == [12, 10, 9, 13, 11, 8]
    assert reasons(students)[9] == [Reason.QUIET, Reason.OVERDUE]


def outlook_of(students):
    found = named(students, TODAY, 24)
    return outlooks(students, found)


def test_only_who_practised_owes_nothing_and_is_known_is_on_their_way():
    known = {"recalls": Recalled(40, 5, 60)}
    students = [
        *(standing(key, **known) for key in range(5)),
        standing(5),  # practised too little to say
        standing(6, last=8, played=0, **known), standing(7, owing=1, **known),
        Standing(8, TODAY, has_logged_in=False),
        standing(9, last=None, has_logged_in=False, owing=1),
    ]  # fmt: skip
    assert outlook_of(students) == {
        **dict.fromkeys(range(5), Outlook.WELL), 5: Outlook.UNKNOWN, 6: Outlook.NAMED,
        7: Outlook.OWING, 8: Outlook.NOT_BEGUN, 9: Outlook.NAMED,
    }  # fmt: skip
    # Who keeps forgetting words is not on their way, however many others they recall.
    forgetting = [*students[:5], standing(5, forgotten=4, **known)]
    assert outlook_of(forgetting)[5] == Outlook.NAMED
    # In the holidays of all, nobody is named, and nobody is said to practise.
    idle = [standing(key, last=15, played=0, **known) for key in range(6)]
    assert set(outlook_of(idle).values()) == {Outlook.IDLE}
    # Of a class of which too few are known, it is not said that they recall as much as others.
    assert set(outlook_of(students[:4]).values()) == {Outlook.UNKNOWN}


# ---- the page
