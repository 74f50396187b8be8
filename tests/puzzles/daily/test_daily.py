"""A class has one puzzle a day, the same for all; it tells no word that an assignment asks for."""

import re
import uuid
from datetime import date, datetime, timedelta
from random import Random
from zoneinfo import ZoneInfo

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone

from osmosmjerka.accounts import people
from osmosmjerka.accounts.bin import services as bin
from osmosmjerka.accounts.classrooms import services as classrooms
from osmosmjerka.accounts.models import Classroom, Membership, User
from osmosmjerka.accounts.privacy import services as privacy
from osmosmjerka.jobs import ledger
from puzzles import access
from puzzles.access import Moment
from puzzles.assignments import services as assignments
from puzzles.daily import rules, selectors
from puzzles.daily import services as daily
from puzzles.kinds import KINDS
from puzzles.kinds.base import SentMove, cells_of
from puzzles.making import services as making
from puzzles.models import Assignment, DailyPuzzle, Placement, PlaySession, Puzzle
from puzzles.play import services as play
from puzzles.withheld import withheld_words
from tests.puzzles.practice.test_practice import find_all
from vocab.lists import services as lists
from vocab.models import Review, StudyDay, WordProgress

pytestmark = [pytest.mark.django_db, pytest.mark.database]
DAY = timedelta(days=1)


@pytest.fixture
def switched_on(classroom, teacher):
    daily.switch(classroom=classroom, is_on=True, actor=teacher)
    return classroom


@pytest.fixture
def assigned(make_puzzle, student, mia):
    """An assignment of eight words that both students have solved, so that nothing is hidden."""
    puzzle = make_puzzle(words=8)
    for one in (student, mia):
        find_all(puzzle, one)
    return puzzle


@pytest.fixture
def restore(teacher):
    """Return a function that takes a thing out of its section of the bin."""

    def restore(section, thing):
        bin.restore(*bin.find(teacher, section, thing.pk), teacher)

    return restore


def made(puzzle):
    """The puzzle as its job leaves it."""
    if puzzle.state == Puzzle.State.QUEUED:
        ledger.run_job(str(making.job_of(puzzle).pk))
        puzzle.refresh_from_db()
    assert puzzle.state == Puzzle.State.READY, puzzle.reason
    return puzzle


def begin(classroom, person, at=None):
    return daily.begin(classroom=classroom, person=person, at=at or timezone.now())


def test_all_students_of_the_class_get_the_same_puzzle_of_the_teacher(
    switched_on, assigned, student, mia, teacher
):
    puzzle = made(begin(switched_on, student))
    assert begin(switched_on, mia) == begin(switched_on, student) == puzzle
    assert puzzle.created_by == teacher
    assert rules.FEWEST <= puzzle.placements.count() <= rules.SIZE
    assert DailyPuzzle.objects.count() == 1


def test_it_is_begun_on_the_site_and_in_nobodys_lists(
    switched_on, assigned, student, teacher, sign_in, animals
):
    path = f"/classes/{switched_on.pk}/daily/"
    reply = sign_in(student).post(path)
    puzzle = made(DailyPuzzle.objects.get().puzzle)
    assert reply.url == f"/play/{puzzle.code}/"
    assert sign_in(student).get(reply.url).status_code == 200
    own = sign_in(teacher)
    assert own.get(reply.url).status_code == 200
    for page in ("/", f"/lists/{animals.pk}/", f"/classes/{switched_on.pk}/", "/assign/", "/bin/"):
        assert puzzle.code not in own.get(page).content.decode(), page
    codes = [one["code"] for one in own.get("/api/puzzles/").json()["results"]]
    assert assigned.code in codes and puzzle.code not in codes
    assert own.get(f"/puzzles/{puzzle.code}/").status_code == 404
    assert Assignment.objects.count() == 1


def test_of_two_who_are_the_first_at_once_one_makes_it_and_both_play_it(
    switched_on, assigned, student, mia, monkeypatch
):
    choose, others = daily._choose, []

    def slow(*args):
        chosen = choose(*args)
        if not others:
            others.append(None)
            others[0] = begin(switched_on, mia)  # while the first is still choosing
        return chosen

    monkeypatch.setattr(daily, "_choose", slow)
    assert begin(switched_on, student) == others[0]
    assert DailyPuzzle.objects.count() == 1
    assert Puzzle.objects.filter(daily__isnull=False).count() == 1
    # It is the database that decides.
    of_day = DailyPuzzle.objects.get()
    with pytest.raises(IntegrityError), transaction.atomic():
        DailyPuzzle.objects.create(classroom=switched_on, day=of_day.day, until=of_day.until)


def test_no_word_that_an_assignment_still_asks_for_is_in_it(
    switched_on, assigned, make_puzzle, student, mia, monkeypatch
):
    puzzle = make_puzzle(words=12, seed=2)
    find_all(puzzle, student)  # mia has not begun
    told = set(assigned.placements.values_list("entry", flat=True))
    withheld = set(puzzle.placements.values_list("entry", flat=True)) - told
    assert withheld
    words = begin(switched_on, student).entries
    assert len(words) >= rules.FEWEST
    assert not withheld & set(words)
    # The control: without the rule, such a word is in it, because half of the class has met it.
    monkeypatch.setattr(daily, "_hidden", lambda students, at: {one.pk: set() for one in students})
    at = timezone.now()
    choice = daily._choose(switched_on, daily.day_of(switched_on, at), at)
    assert withheld & {entry.pk for entry in choice.entries}


def test_who_never_comes_keeps_no_word_from_the_others_and_is_told_none(
    switched_on, make_puzzle, student, mia
):
    puzzle = make_puzzle(words=24)
    asked = set(puzzle.placements.values_list("entry", flat=True))
    find_all(puzzle, student)  # mia has never come
    words = set(begin(switched_on, student).entries)
    assert len(words) >= rules.FEWEST and words <= asked
    with pytest.raises(ValidationError, match="solve the puzzles"):
        begin(switched_on, mia)
    assert not access.puzzles(mia, "play").filter(daily__isnull=False).exists()
    # The control: who has solved what asks for them may play.
    find_all(puzzle, mia)
    assert set(begin(switched_on, mia).entries) == words


def test_who_was_here_lately_keeps_words_from_all(switched_on, make_puzzle, student, mia, animals):
    puzzle = make_puzzle(words=24)
    find_all(puzzle, student)
    StudyDay.objects.create(student=mia, day=daily.day_of(switched_on, timezone.now()))
    with pytest.raises(daily.NothingToday):
        begin(switched_on, student)


def test_who_is_asked_for_its_words_later_has_to_solve_that_first(
    switched_on, assigned, animals, make_puzzle, student, mia
):
    words = begin(switched_on, mia).entries
    made(Puzzle.objects.get(daily__isnull=False))
    student.sessions.all().delete()
    WordProgress.objects.filter(student=student).delete()
    given = make_puzzle(words=24, seed=3)
    assert set(words) & set(given.placements.values_list("entry", flat=True))
    with pytest.raises(ValidationError, match="solve the puzzles"):
        begin(switched_on, student)
    assert not access.puzzles(student, "play").filter(daily__isnull=False).exists()
    # The control: solved, it opens.
    find_all(given, student)
    find_all(assigned, student)
    begin(switched_on, student)
    assert access.puzzles(student, "play").filter(daily__isnull=False).exists()


def test_with_too_few_words_the_page_says_so(
    switched_on, student, teacher, make_puzzle, sign_in, animals
):
    puzzle = make_puzzle(words=4)
    animals.entries.exclude(pk__in=puzzle.placements.values("entry")).delete()
    find_all(puzzle, student)
    own = sign_in(student)
    text = own.post(f"/classes/{switched_on.pk}/daily/", follow=True).content.decode()
    assert "Too few words are left for a puzzle today" in text
    assert not DailyPuzzle.objects.exists()


def test_words_of_a_begun_one_are_not_told_elsewhere(switched_on, assigned, student):
    puzzle = made(begin(switched_on, student))
    asked = set(puzzle.placements.values_list("entry", flat=True))
    assert asked <= withheld_words(student, timezone.now())
    find_all(puzzle, student)
    assert not asked & withheld_words(student, timezone.now())


def test_its_answers_count_as_practice_does(switched_on, assigned, student):
    puzzle = made(begin(switched_on, student))
    before = Review.objects.filter(student=student).count()
    find_all(puzzle, student)
    assert Review.objects.filter(student=student).count() == before + puzzle.placements.count()


def test_a_student_plays_it_on_its_day_and_finishes_it_later(
    switched_on, assigned, student, mia, stranger, make_person, school
):
    now = timezone.now()
    puzzle = made(begin(switched_on, student, now))
    outsider = make_person(User.Role.STUDENT, school, "iva")
    colleague = make_person(User.Role.TEACHER, school, "marko")

    def may(person, at=now):
        found = access.puzzles(person, "play", at=at).filter(pk=puzzle.pk).exists()
        assert access.puzzles(person, "play", at=at, code=puzzle.code).exists() == found
        return found

    assert may(student) and may(student, now + 2 * DAY)
    assert not may(mia)  # until the class's page let her begin
    begin(switched_on, mia, now)
    assert may(mia)
    assert not may(outsider) and not may(stranger) and not may(colleague)
    assert begin(switched_on, mia, now + 2 * DAY) != puzzle
    viewer = make_person(User.Role.TEACHER, school, "vera")
    people.join_classroom(classroom=switched_on, person=viewer, role=Membership.Role.VIEWER)
    assert may(viewer)
    Membership.objects.filter(user=student, classroom=switched_on).delete()
    assert not may(student)


def test_only_a_class_that_has_it_switched_on_has_a_page(
    classroom, assigned, student, teacher, sign_in
):
    path = f"/classes/{classroom.pk}/daily/"
    assert sign_in(student).get(path).status_code == 404
    assert sign_in(student).post(path).status_code == 404
    own = sign_in(teacher)
    page = own.post(f"{path}switch/", {"on": "1"}, follow=True).content.decode()
    assert "The puzzle of the day is on." in page
    assert sign_in(student).get(path).status_code == 200
    own.post(f"{path}switch/")
    assert sign_in(student).get(path).status_code == 404


def test_the_day_changes_at_four_in_the_morning_where_the_school_is(
    switched_on, assigned, student, school
):
    school.time_zone = "Asia/Tokyo"
    school.save()
    switched_on.refresh_from_db()
    zone = ZoneInfo("Asia/Tokyo")
    late = datetime(2030, 5, 6, 3, 59, tzinfo=zone)
    early = datetime(2030, 5, 6, 4, 0, tzinfo=zone)
    yesterday = begin(switched_on, student, late)
    assert yesterday.daily.day == date(2030, 5, 5)
    assert yesterday.daily.until == early
    assert begin(switched_on, student, early).daily.day == date(2030, 5, 6)
    card = selectors.of_student(Moment(student, early))[0]
    assert card.code != yesterday.code and card.has_begun


def test_the_kinds_take_turns_and_the_same_day_is_always_the_same():
    kinds, first = list(KINDS), date(2030, 1, 1)
    turns = [rules.kinds_of(7, first + n * DAY, kinds)[0] for n in range(6)]
    assert turns[:3] == turns[3:] and set(turns) == set(kinds)
    assert rules.seed_of(7, first) == rules.seed_of(7, first) != rules.seed_of(8, first)
    met = {n: n % 4 for n in range(40)}
    order = rules.most_wanted(met, 4, Random(5))
    assert order == rules.most_wanted(dict(reversed(met.items())), 4, Random(5))
    assert all(met[key] >= 2 for key in order[:20]) and met[order[20]] == 1
    assert [met[key] for key in order[30:]] == [0] * 10
    few = {n: int(n < 3) for n in range(40)}
    assert len(rules.most_wanted(few, 4, Random(5))) == 6
    assert rules.most_wanted({1: 0}, 4, Random(5)) == []


def test_a_kind_that_cannot_ask_the_words_leaves_its_turn_to_the_next(
    switched_on, assigned, student, monkeypatch
):
    now = timezone.now()
    turn = rules.kinds_of(switched_on.pk, daily.day_of(switched_on, now), list(KINDS))
    monkeypatch.setattr(type(KINDS[turn[0]]), "askable", lambda self, entries, settings: [])
    assert begin(switched_on, student, now).kind == turn[1]


def test_the_result_tells_squares_and_no_word(switched_on, assigned, student, mia, sign_in):
    puzzle = made(begin(switched_on, student))
    words = list(puzzle.placements.all())
    session = play.open_session(puzzle=puzzle, student=student)
    play.take_hint(session=session, kind="first_cell", slot=words[1].slot)
    for word in words[:-1]:
        move = SentMove(word.slot, cells_of(word), tuple(word.tiles))
        play.record_move(session=session, move_id=uuid.uuid4(), move=move)
    play.take_hint(session=session, kind="first_cell", slot=words[-1].slot)
    play.finish_session(session=session)
    own = sign_in(student)
    page = own.get(f"/classes/{switched_on.pk}/daily/")
    text = page.context["seen"].text
    first, second, squares = text.split("\n")
    assert first.startswith("Osmosmjerka · 6b · ")
    assert f"{len(words) - 1} of {len(words)}, 2 with help" in second
    assert squares == "🟩🟨" + "🟩" * (len(words) - 3) + "⬜"
    assert "1 student of the class has done it today." in page.content.decode()
    assert not any(word.term.casefold() in text.casefold() for word in words)
    assert str(student) not in text
    # Another student sees the number, and neither name nor result.
    page = sign_in(mia).get(f"/classes/{switched_on.pk}/daily/")
    assert page.context["seen"].done == 1 and page.context["seen"].text == ""
    assert str(student) not in page.content.decode()


def test_the_picture_of_a_class_tells_nothing_of_a_student_and_not_which_word_is_which():
    alone, helped, missed = rules.Mark
    results = [[missed, alone, helped], [alone, alone, missed], [helped, alone, alone]]
    picture = [[alone] * 3, [alone, helped, missed], [alone, helped, missed]]
    assert rules.picture(results) == picture
    assert rules.picture([row[::-1] for row in results[::-1]]) == picture
    assert rules.picture(results[:2]) == [], "two students would know each other's"


def test_the_class_sees_its_squares_on_the_projector_and_who_has_not_played_sees_none(
    switched_on, assigned, student, mia, make_person, school, teacher, sign_in
):
    late, third = (make_person(User.Role.STUDENT, school, name) for name in ("late", "third"))
    for one in (late, third):
        people.join_classroom(classroom=switched_on, person=one, role=Membership.Role.STUDENT)
        find_all(assigned, one)
    puzzle = made(begin(switched_on, student))
    board, page = f"/classes/{switched_on.pk}/lesson/board/", f"/classes/{switched_on.pk}/daily/"
    client, words = sign_in(teacher), list(puzzle.placements.all())
    for count, one in enumerate([student, mia, third], start=1):
        assert "together-alone" not in client.get(board).text, f"{count - 1} results"
        begin(switched_on, one)
        find_all(puzzle, one)
    shown = client.get(board).text
    assert shown.count('href="#together-alone"') == 3 * len(words)
    assert "3 students of the class have done it today." in shown
    assert not any(word.term in shown for word in words) and str(mia) not in shown
    assert "together-alone" in client.get(page).text
    assert "together-alone" in sign_in(mia).get(page).text
    assert "together-alone" not in sign_in(late).get(page).text
    # Nothing new, nothing sent: until somebody else has finished.
    poll = re.search(r'hx-get="([^"]+)"', shown)[1].replace("&amp;", "&")
    assert client.get(poll).status_code == 204
    begin(switched_on, late)
    find_all(puzzle, late)
    assert client.get(poll).status_code == 200


def test_the_card_costs_one_query_and_nothing_where_no_class_has_one(
    switched_on, assigned, student, teacher, django_assert_num_queries, sign_in
):
    begin(switched_on, student)
    for name in ("7a", "7b"):
        other = people.create_classroom(name=name, owner=teacher)
        people.join_classroom(classroom=other, person=student, role=Membership.Role.STUDENT)
        daily.switch(classroom=other, is_on=True, actor=teacher)
    moment = Moment(student, timezone.now())
    assert len(moment.classes) == 3
    with django_assert_num_queries(1):
        cards = selectors.of_student(moment)
    assert [card.has_begun for card in cards] == [True, False, False]
    assert sign_in(student).get("/").content.decode().count("Puzzle of the day") == 3
    Classroom.objects.update(has_daily_puzzle=False)
    moment = Moment(student, timezone.now())
    assert moment.classes
    with django_assert_num_queries(0):
        assert selectors.of_student(moment) == []
    assert "Puzzle of the day" not in sign_in(student).get("/").content.decode()


def test_puzzles_of_days_long_past_are_deleted_and_what_was_learned_stays(
    switched_on, assigned, student
):
    old = made(begin(switched_on, student))
    find_all(old, student)
    learned = Review.objects.filter(student=student).count()
    DailyPuzzle.objects.update(
        day=timezone.now().date() - 40 * DAY, until=timezone.now() - 31 * DAY
    )
    young = made(begin(switched_on, student))
    job = ledger.enqueue("puzzles.forget_searches", key="now")
    ledger.run_job(str(job.pk))
    assert not Puzzle.everything.filter(pk=old.pk).exists()
    assert not Placement.objects.filter(puzzle=old.pk).exists()
    assert Puzzle.objects.filter(pk=young.pk).exists()
    assert Puzzle.objects.filter(pk=assigned.pk).exists()
    assert Review.objects.filter(student=student).count() == learned


def test_it_goes_into_the_bin_with_the_class_and_the_list_and_comes_back(
    switched_on, assigned, student, teacher, animals, restore
):
    puzzle = made(begin(switched_on, student))
    may = access.puzzles(student, "play").filter(pk=puzzle.pk)
    assert may.exists()
    classrooms.delete_classroom(classroom=switched_on, actor=teacher)
    assert not may.exists()
    restore("classes", switched_on)
    assert may.exists()
    Assignment.objects.all().delete()
    lists.delete_list(vocabulary_list=animals, actor=teacher)
    assert not may.exists()
    assert daily.puzzle_of(switched_on, puzzle.daily.day) is None
    privacy.erase_classroom(classroom=switched_on, actor=teacher)
    assert not Puzzle.everything.filter(pk=puzzle.pk).exists()


def test_games_are_merged_and_erased_with_their_students(
    switched_on, assigned, student, mia, teacher
):
    puzzle = made(begin(switched_on, student))
    find_all(puzzle, student)
    session = PlaySession.objects.get(puzzle=puzzle, student=student)
    privacy.merge_students(kept=mia, gone=student, actor=teacher)
    session.refresh_from_db()
    assert session.student == mia
    data = privacy.personal_data(mia)
    assert any(row["puzzle_id"] == puzzle.pk for row in data["puzzles.playsession"])
    privacy.erase_person(person=mia, actor=teacher)
    assert not PlaySession.objects.filter(puzzle=puzzle).exists()
    assert Puzzle.objects.filter(pk=puzzle.pk).exists()


def test_another_teachers_puzzle_of_the_day_does_not_keep_a_list_from_the_bin(
    switched_on, assigned, student, animals, teacher, make_person, school, restore
):
    other = make_person(User.Role.TEACHER, school, "marko")
    people.join_classroom(classroom=switched_on, person=other, role=Membership.Role.CO_TEACHER)
    Membership.objects.filter(user=teacher).update(role=Membership.Role.CO_TEACHER)
    Membership.objects.filter(user=other).update(role=Membership.Role.OWNER)
    assert begin(switched_on, student).created_by == other
    lists.delete_list(vocabulary_list=animals, actor=teacher)
    # The control: a puzzle that the other teacher made keeps it.
    restore("lists", animals)
    animals.refresh_from_db()
    assignments.give(
        vocabulary_list=animals, kind="word-search", created_by=other,
        classrooms=[switched_on], seed=5, settings={},
    )  # fmt: skip
    with pytest.raises(ValidationError):
        lists.delete_list(vocabulary_list=animals, actor=teacher)
