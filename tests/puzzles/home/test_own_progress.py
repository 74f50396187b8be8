"""A student's calendar, badges and daily goal: counted from what they did, and kept."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.utils import timezone

from puzzles.home.badges import Feat, badges
from puzzles.home.progress import badges_of, month_of
from puzzles.models import OwnGoal, PlaySession
from tests.puzzles.home.test_after_game import text_of
from tests.puzzles.practice.test_practice import find_all, remember
from vocab.memory import selectors as memory
from vocab.memory.rules import today
from vocab.memory.streaks import DayState

pytestmark = [pytest.mark.django_db, pytest.mark.database]
MONDAY = date(2026, 11, 23)


def earned(student):
    on = today(student)
    found = badges_of(student, memory.practised_days(student, on), on)
    return {one.feat: one for one in found}


def test_a_badge_says_how_far_the_next_is_and_whether_it_is_new():
    found = badges({Feat.DAYS: 6, Feat.ROW: 2}, {Feat.DAYS: 4, Feat.ROW: 2})
    days, row = found[0], found[1]
    assert (days.reached, days.next, days.is_new) == (5, 20, True)
    assert (row.reached, row.next, row.is_new) == (0, 3, False)


def test_words_recalled_after_days_count_and_stay_counted(animals, student):
    words = list(animals.entries.all()[:5])
    for entry in words:
        remember(student, entry, 20, 10)
    assert earned(student)[Feat.WORDS_DAYS].reached == 5
    for entry in words:  # forgotten since
        remember(student, entry, 0, outcome="wrong")
    badge = earned(student)[Feat.WORDS_DAYS]
    assert (badge.reached, badge.count, badge.is_new) == (5, 5, False)


@pytest.mark.parametrize(
    "facts",
    [
        {"mode": "word-search"},
        {"mode": "chosen"},
        {"hints": 1, "outcome": "hinted"},
        {"wrong_tries": 1},
        {"outcome": "wrong"},
        {"is_free_practice": True},
    ],
    ids=str,
)
def test_what_proves_no_recall_earns_no_badge(facts, animals, student):
    """The control: the same five words."""
    for entry in animals.entries.all()[:5]:
        remember(student, entry, 20)
        remember(student, entry, 10, **facts)
    assert earned(student)[Feat.WORDS_DAYS].count == 0


def test_a_game_without_help_earns_a_badge_today(make_puzzle, student):
    session = find_all(make_puzzle(words=4), student)
    assert earned(student)[Feat.UNAIDED].is_new
    yesterday = timezone.now() - timedelta(days=1)
    PlaySession.objects.filter(pk=session.pk).update(finished_at=yesterday)
    badge = earned(student)[Feat.UNAIDED]
    assert (badge.reached, badge.is_new) == (1, False)


def test_a_month_shows_what_each_day_was(student):
    practised = {date(2026, 11, day): 7 for day in (2, 3, 4, 5, 6, 8)}
    month = month_of(practised, date(2026, 11, 1), MONDAY)
    days = {one.day.day: one for week in month.weeks for one in week if one}
    assert len(days) == 30
    assert (days[6].state, days[6].answers) == (DayState.PLAYED, 7)
    assert days[7].state == DayState.OFF  # five days earned it
    assert days[9].state == DayState.MISSED
    assert days[23].state == DayState.TODAY
    assert {days[1].state, days[24].state} == {DayState.EMPTY}
    assert (month.before, month.after) == (None, None)


def test_one_can_go_back_to_the_first_month_of_practice_and_no_further():
    practised = {date(2026, 9, 30): 3}
    october = month_of(practised, date(2026, 10, 1), MONDAY)
    assert (october.before, october.after) == (date(2026, 9, 1), date(2026, 11, 1))
    september = month_of(practised, date(2026, 9, 1), MONDAY)
    assert (september.before, september.after) == (None, date(2026, 10, 1))


@pytest.mark.parametrize(("language", "first"), [("de", "Montag"), ("ar", "الأحد")])
def test_weeks_begin_where_the_reader_is(language, first, student, sign_in):
    student.language = language
    student.save(update_fields=["language"])
    page = sign_in(student).get("/progress/", headers={"Accept-Language": language})
    assert page.content.decode().partition('<abbr title="')[2].partition('"')[0] == first


def test_a_daily_goal_is_set_shown_and_taken_away(animals, student, make_puzzle, sign_in):
    make_puzzle()
    client = sign_in(student)
    for entry in animals.entries.all()[:3]:
        remember(student, entry, 0)
    client.post("/progress/goal/", {"words": "5"})
    assert "3 of 5 words today" in text_of(client.get("/"))
    client.post("/progress/goal/", {"words": "3"})
    assert "You have reached your goal today." in text_of(client.get("/progress/"))
    client.post("/progress/goal/", {"words": ""})
    assert not OwnGoal.objects.exists()
    assert "words today" not in text_of(client.get("/"))


@pytest.mark.parametrize("words", ["0", "201", "many", "99999999999999999999"])
def test_a_goal_that_is_none_is_refused_in_words(words, student, sign_in):
    page = sign_in(student).post("/progress/goal/", {"words": words}, follow=True)
    assert "Choose a number of words from 1 to 200." in text_of(page)
    assert not OwnGoal.objects.exists()


def test_a_strange_month_is_the_present_one(student, sign_in):
    client = sign_in(student)
    present = text_of(client.get("/progress/"))
    for month in ("x", "2026-13", "9999-01", "2026-11-01", "0001-01", "2020-01"):
        assert text_of(client.get("/progress/", {"month": month})) == present


def test_the_first_month_of_all_is_no_error_where_weeks_begin_on_sunday(student, sign_in):
    student.language = "ar"
    student.save(update_fields=["language"])
    page = sign_in(student).get("/progress/?month=0001-01", headers={"Accept-Language": "ar"})
    assert page.status_code == 200
