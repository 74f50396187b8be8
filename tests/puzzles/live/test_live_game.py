"""A class plays one puzzle at once: what counts, for whom, and what is told to whom."""

import json
import uuid
from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse
from django.utils import timezone

from osmosmjerka.accounts import people
from osmosmjerka.accounts.models import Membership, User
from puzzles.kinds.base import MoveRefused, SentMove
from puzzles.live import moves, selectors, services
from puzzles.live.state import state_of
from puzzles.models import LiveGame, LiveMove, LivePlayer, Placement, Puzzle
from puzzles.play.services import SessionFinished
from tests.puzzles.live.games import find, traced
from vocab.models import Review

pytestmark = [pytest.mark.django_db, pytest.mark.database]


def words_of(game):
    return list(Placement.objects.filter(puzzle=game.puzzle).select_related("puzzle"))


def now_of(game, of=None):
    return state_of(LiveGame.objects.get(pk=game.pk), timezone.now(), of=of)


def told(game, player, since=0):
    state = now_of(game)
    return selectors.told_to(state, state.players[player.pk], since, timezone.now())


def join(game, *people):
    return [services.join(game=game, student=person) for person in people]


# The way in -------------------------------------------------------------------------------


def test_the_home_page_has_the_game_that_the_class_plays(open_game, client, student):
    game = open_game("race")
    client.force_login(student)
    place = reverse("live-play", args=[game.code])
    assert place in client.get("/").content.decode()
    services.end(game)
    assert place not in client.get("/").content.decode()


def test_a_teacher_of_one_class_plays_a_list_without_choosing_the_class(
    client, teacher, classroom, school, animals
):
    client.force_login(teacher)
    chosen = list(animals.entries.all()[:3])
    sent = {"action": "play", "entries": [entry.pk for entry in chosen]}
    page = client.post(reverse("entries-bulk", args=[animals.pk]), sent, follow=True)
    assert page.redirect_chain[-1][0].startswith(f"/classes/{classroom.pk}/games/new/")
    assert page.context["ticked"] == [entry.pk for entry in chosen]
    other = people.create_classroom(name="7b", owner=teacher)
    page = client.get(f"/live/new/?list={animals.pk}")
    assert page.context["classrooms"] == [classroom, other]


# Race -------------------------------------------------------------------------------------


def test_players_are_dealt_to_the_smallest_team(open_game, more_students):
    game = open_game(team_count=3)
    players = join(game, *more_students(7))
    assert sorted(player.team for player in players) == [1, 1, 1, 2, 2, 3, 3]


def test_a_word_counts_once_for_each_team(open_game, more_students):
    game = open_game(team_count=2)
    one, other, third = join(game, *more_students(3))
    services.start(game)
    word = words_of(game)[0]
    assert find(one, word).outcome == "found"
    assert find(third, word).outcome == "already"  # of the same team
    assert find(other, word).outcome == "found"
    assert [standing.points for standing in now_of(game).standings] == [1, 1]


def test_a_move_that_is_sent_twice_counts_once(open_game, student):
    game = open_game()
    [player] = join(game, student)
    services.start(game)
    word, move_id = words_of(game)[0], uuid.uuid4()
    first = find(player, word, move_id)
    version = now_of(game).game.version
    again = find(player, word, move_id)
    assert (first.outcome, again.outcome, again.is_repeated) == ("found", "found", True)
    assert now_of(game).game.version == version
    assert LiveMove.objects.count() == 1


def test_a_team_is_told_its_own_finds_and_no_word_of_others(open_game, more_students):
    game = open_game(team_count=2)
    one, other = join(game, *more_students(2))
    services.start(game)
    words = words_of(game)
    find(one, words[0])
    since = now_of(game).game.version
    find(one, words[1])
    assert [item["term"] for item in told(game, one)["items"]] == [w.term for w in words[:2]]
    assert [item["term"] for item in told(game, one, since)["items"]] == [words[1].term]
    text = json.dumps(told(game, other), ensure_ascii=False)
    assert not any(word.term in text for word in words)
    assert [team["found"] for team in told(game, other)["teams"]] == [2, 0]


def test_the_projector_shows_a_word_once_all_teams_have_it(open_game, more_students):
    game = open_game(team_count=2)
    one, other = join(game, *more_students(2))
    services.start(game)
    word = words_of(game)[0]

    def shown():
        board = selectors.told_to_board(now_of(game), timezone.now())
        return [word["term"] for word in board["last"]]

    find(one, word)
    assert shown() == []
    find(other, word)
    assert shown() == [word.term]


def test_the_game_ends_when_all_teams_have_all_words(open_game, more_students):
    game = open_game(team_count=2)
    one, other = join(game, *more_students(2))
    services.start(game)
    for word in words_of(game):
        find(one, word)
    assert now_of(game).game.state == "running"
    for word in words_of(game):
        find(other, word)
    assert now_of(game).game.state == "ended"
    assert [best.number for best in selectors.best_of(now_of(game).standings)] == [1]


def test_the_game_ends_when_its_time_is_over(open_game, student):
    game = open_game(seconds=60)
    join(game, student)
    services.start(game)
    LiveGame.objects.update(ends_at=timezone.now() - timedelta(seconds=1))
    assert selectors.current(game.code).game.state == "ended"


def test_devices_are_told_when_the_puzzle_is_ready_and_when_it_failed(
    open_game, student, animals, classroom, teacher
):
    game = services.open_game(
        classroom=classroom, actor=teacher, mode="race", vocabulary_list=animals, words=5
    )
    before = selectors.current(game.code).game
    assert before.puzzle.state == Puzzle.State.QUEUED
    Puzzle.objects.update(state=Puzzle.State.FAILED)
    selectors.forget(game.code)
    after = selectors.current(game.code).game
    assert after.version > before.version
    assert after.state == "ended"
    made = open_game()
    version = made.version
    assert selectors.current(made.code).game.version > version


def test_no_answer_counts_before_the_start_while_paused_and_after_the_end(open_game, student):
    game = open_game(seconds=600)
    [player] = join(game, student)
    word = words_of(game)[0]
    with pytest.raises(moves.Paused):
        find(player, word)
    services.start(game)
    services.pause(game)
    with pytest.raises(moves.Paused):
        find(player, word)
    left = now_of(game).game.left_seconds
    services.resume(game)
    assert now_of(game).game.ends_at - timezone.now() <= timedelta(seconds=left)
    assert find(player, word).outcome == "found"
    services.end(game)
    with pytest.raises(SessionFinished):
        find(player, words_of(game)[1])


# Who plays --------------------------------------------------------------------------------


def test_who_comes_back_has_the_same_place(open_game, student):
    game = open_game()
    assert join(game, student) == join(game, student)


def test_a_student_of_another_class_cannot_join(open_game, make_person, school):
    game = open_game()
    with pytest.raises(services.JoinRefused, match="another class"):
        join(game, make_person(User.Role.STUDENT, school))


def test_who_was_removed_plays_no_more_and_cannot_come_back(open_game, student):
    game = open_game()
    [player] = join(game, student)
    services.start(game)
    services.remove_player(player)
    with pytest.raises(moves.NotPlaying):
        find(player, words_of(game)[0])
    with pytest.raises(services.JoinRefused, match="removed you"):
        join(game, student)
    services.remove_player(player, is_removed=False)
    assert join(game, student) == [player]


def test_who_left_the_class_plays_no_more(open_game, student, classroom):
    game = open_game()
    [player] = join(game, student)
    services.start(game)
    Membership.objects.filter(user=student).delete()
    with pytest.raises(moves.NotPlaying):
        find(player, words_of(game)[0])


def test_guests_join_with_an_offered_nickname_if_the_teacher_allows(open_game):
    closed = open_game()
    with pytest.raises(services.JoinRefused, match="students of the class"):
        services.join_as_guest(game=closed, name="Vega")
    game = open_game(allows_guests=True)
    with pytest.raises(services.JoinRefused, match="nicknames offered"):
        services.join_as_guest(game=game, name="Darth Vader")
    services.join_as_guest(game=game, name="Vega")
    with pytest.raises(services.JoinRefused, match="nicknames offered"):
        services.join_as_guest(game=game, name="Vega")


def test_guests_leave_nothing_once_the_game_is_closed(open_game, student):
    game = open_game(allows_guests=True)
    guest = services.join_as_guest(game=game, name="Vega")
    [player] = join(game, student)
    services.start(game)
    find(guest, words_of(game)[0])
    find(player, words_of(game)[1])
    LiveGame.objects.update(created_at=timezone.now() - timedelta(hours=25))
    services.forget_old()
    assert [one.name for one in LivePlayer.objects.all()] == [player.name]
    assert [move.player for move in LiveMove.objects.all()] == [player]
    assert LiveGame.objects.get().state == "ended"


def test_a_class_plays_one_game_at_a_time(open_game):
    earlier = open_game()
    open_game()
    assert LiveGame.objects.get(pk=earlier.pk).state == "ended"


def test_too_few_words_are_refused_with_the_number_that_is_needed(animals, teacher, classroom):
    with pytest.raises(ValidationError, match="at least"):
        services.open_game(
            classroom=classroom,
            actor=teacher,
            mode="together",
            vocabulary_list=animals,
            entries=[animals.entries.first().pk],
        )


# Listen -----------------------------------------------------------------------------------


def test_in_listen_all_are_asked_the_same_word_until_all_have_found_it(open_game, more_students):
    game = open_game("listen")
    one, other = join(game, *more_students(2))
    services.start(game)
    asked = now_of(game).asked
    assert {item["id"] for item in told(game, one)["items"]} == {asked.slot}
    find(one, asked)
    assert now_of(game).asked == asked
    find(other, asked)
    assert now_of(game).game.round == 2
    assert now_of(game).asked != asked


def test_in_listen_an_answer_to_an_earlier_word_is_refused(open_game, student):
    game = open_game("listen")
    [player] = join(game, student)
    services.start(game)
    asked = now_of(game).asked
    services.skip(game)
    with pytest.raises(MoveRefused, match="is over"):
        find(player, asked)


def test_two_teachers_who_skip_one_word_skip_one(open_game, student):
    game = open_game("listen")
    join(game, student)
    services.start(game)
    asked = now_of(game).asked
    for _teacher in range(2):
        services.skip(game, asked.slot)
    assert now_of(game).game.round == 2


def test_in_listen_a_word_is_told_when_its_round_is_over(open_game, more_students):
    game = open_game("listen")
    one, other = join(game, *more_students(2))
    services.start(game)
    asked = now_of(game).asked
    find(one, asked)
    assert asked.term not in json.dumps(told(game, other), ensure_ascii=False)
    services.skip(game)
    item = next(item for item in told(game, other)["items"] if item["id"] == asked.slot)
    assert (item["term"], item["found"], item["revealed"]) == (asked.term, False, True)


def test_in_listen_the_share_of_a_team_counts_not_its_size(open_game, more_students):
    game = open_game("listen")
    one, _of_two, third = join(game, *more_students(3))
    services.start(game)
    asked = now_of(game).asked
    find(one, asked)
    find(third, asked)
    services.skip(game)
    assert [standing.points for standing in now_of(game).standings] == [10, 0]


def test_who_joins_late_in_listen_costs_the_team_nothing(open_game, more_students):
    game = open_game("listen", team_count=1)
    one, late = more_students(2)
    [player] = join(game, one)
    services.start(game)
    join(game, late)
    find(player, now_of(game).asked)
    services.skip(game)
    assert now_of(game).standings[0].points == 10


# Together ---------------------------------------------------------------------------------


def test_in_together_each_word_has_one_holder_and_only_they_answer(open_game, more_students):
    game = open_game("together")
    players = join(game, *more_students(3))
    services.start(game)
    word = words_of(game)[0]
    holder = now_of(game).holder_of(word.slot)
    other = next(player for player in players if player != holder)
    with pytest.raises(MoveRefused, match=holder.name):
        find(other, word)
    assert told(game, holder)["holders"][word.slot] == ""
    assert told(game, other)["holders"][word.slot] == holder.name
    assert find(holder, word).outcome == "found"
    items = {item["id"]: item for item in told(game, other)["items"]}
    assert items[word.slot]["tiles"] == word.tiles


def test_a_word_is_passed_on_by_choice_and_after_two_wrong_answers(open_game, more_students):
    game = open_game("together")
    join(game, *more_students(3))
    services.start(game)
    word = words_of(game)[0]
    first = now_of(game).holder_of(word.slot)
    moves.pass_on(player=first.pk, slot=word.slot, move_id=uuid.uuid4())
    second = now_of(game).holder_of(word.slot)
    assert second != first
    wrong = SentMove(slot=word.slot, tiles=("x",) * len(word.tiles))
    for _try in range(2):
        moves.record_move(player=second.pk, move_id=uuid.uuid4(), move=wrong)
    assert now_of(game).holder_of(word.slot) not in (first, second)


def test_a_player_who_is_away_holds_no_word(open_game, more_students):
    game = open_game("together")
    players = join(game, *more_students(2))
    services.start(game)
    LivePlayer.objects.filter(pk=players[0].pk).update(
        here_at=timezone.now() - timedelta(minutes=2)
    )
    assert {holder.pk for holder in now_of(game).holders.values()} == {players[1].pk}


def test_the_best_time_of_a_class_is_of_a_crossword_that_it_filled(open_game, student, classroom):
    for number in range(3):
        game = open_game("together", words=5)
        assert (selectors.best_time(game) is not None) == (number == 2)
        [player] = join(game, student)
        services.start(game)
        for word in words_of(game)[: None if number else 1]:
            find(player, word)
        services.end(game)


# What is remembered -----------------------------------------------------------------------


def test_the_history_has_what_each_student_found_and_nothing_of_others(open_game, more_students):
    game = open_game(allows_guests=True, team_count=1)
    one, other = more_students(2)
    mine, theirs = join(game, one, other)
    guest = services.join_as_guest(game=game, name="Vega")
    services.start(game)
    words = words_of(game)
    find(mine, words[0])
    find(theirs, words[1])
    find(guest, words[2])
    services.end(game)
    moves.remember_missed(game.pk)
    found = {(review.student, review.word, review.outcome) for review in Review.objects.all()}
    assert found == {(one, words[0].term, "right"), (other, words[1].term, "right")}


def test_a_word_that_a_student_tried_in_vain_is_remembered_as_missed_once(open_game, student):
    game = open_game("listen")
    [player] = join(game, student)
    services.start(game)
    state = now_of(game)
    wrong = traced(next(word for word in words_of(game) if word.slot != state.asked.slot))
    moves.record_move(
        player=player.pk,
        move_id=uuid.uuid4(),
        move=SentMove(slot=state.asked.slot, cells=wrong.cells),
    )
    services.end(game)
    assert [moves.remember_missed(game.pk) for _time in range(2)] == [1, 0]
    review = Review.objects.get()
    assert (review.word, review.outcome, review.skill) == (
        state.asked.term,
        "wrong",
        "sound_to_form",
    )


def test_results_say_which_words_the_class_missed(open_game, student):
    game = open_game()
    [player] = join(game, student)
    services.start(game)
    words = words_of(game)
    for word in words[2:]:
        find(player, word)
    services.end(game)
    results = selectors.results_of(LiveGame.objects.get(pk=game.pk))
    assert [one.word for one in results.missed] == words[:2]


def test_erasing_a_student_takes_them_out_of_games(open_game, student, teacher):
    game = open_game()
    join(game, student)
    student.delete()
    assert not LivePlayer.objects.exists()
    assert LiveGame.objects.get() == game
