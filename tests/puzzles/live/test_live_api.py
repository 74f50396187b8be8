"""The API of class games: who may do what, what devices are told, what an attack learns."""

import re
import uuid

import pytest
from django.test import Client

from osmosmjerka.accounts import people
from osmosmjerka.accounts.models import Membership, User
from puzzles.live import selectors, services
from puzzles.models import LiveGame, LiveMove, LivePlayer, Placement

pytestmark = [pytest.mark.django_db, pytest.mark.database]
JSON = "application/json"


def join(game, client, **body):
    return client.post(f"/api/live/{game.code}/join/", body, content_type=JSON)


def state(game, client, since=0):
    return client.get(f"/api/live/{game.code}/state/?since={since}")


def send(game, client, word, attempt=None, **more):
    move = {"attempt": attempt or str(uuid.uuid4()), "item": word.slot}
    move |= {"tiles": word.tiles} if word.puzzle.kind == "crossword" else {"cells": word.cells}
    address = f"/api/live/{game.code}/play/attempts/"
    return client.post(address, move | more, content_type=JSON)


def words_of(game):
    return list(Placement.objects.filter(puzzle=game.puzzle).select_related("puzzle"))


@pytest.fixture
def phones(more_students, sign_in):
    """Return a function that gives so many students a phone each."""
    return lambda count: [sign_in(one) for one in more_students(count)]


@pytest.mark.parametrize("mode", ["race", "listen", "together"])
def test_a_teacher_opens_starts_pauses_and_ends_a_game(
    mode, animals, classroom, teacher, sign_in, open_game
):
    client = sign_in(teacher)
    opened = client.post(
        f"/api/classes/{classroom.pk}/games/",
        {"mode": mode, "list": animals.pk, "words": 8, "seconds": 60},
        content_type=JSON,
    )
    assert opened.status_code == 201, opened.text
    early = client.patch(
        f"/api/live/{opened.json()['code']}/", {"state": "running"}, content_type=JSON
    )
    assert (early.status_code, early.json()["detail"]) == (400, "The puzzle is not ready yet.")
    game = open_game(mode)  # which ends the first
    for wanted in ("running", "paused", "running", "ended", "running"):
        answer = client.patch(f"/api/live/{game.code}/", {"state": wanted}, content_type=JSON)
        assert answer.json()["game"]["state"] == ("ended" if wanted == "ended" else wanted) or (
            LiveGame.objects.get(pk=game.pk).ended_at
        )
    games = client.get(f"/api/classes/{classroom.pk}/games/").json()
    assert [one["state"] for one in games] == ["ended", "ended"]


@pytest.mark.parametrize("mode", ["race", "listen", "together"])
def test_players_join_while_the_puzzle_is_still_made(
    mode, animals, classroom, teacher, phones, sign_in
):
    client, [phone] = sign_in(teacher), phones(1)
    page = client.post(
        f"/classes/{classroom.pk}/games/new/",
        {"mode": mode, "list": animals.pk, "words": 8, "teams": 2}
        | {"seconds": 600, "seconds_a_word": 30, "is_heard_on_board": 1},
        follow=True,
    )
    assert "The puzzle is being made…" in page.text
    game = LiveGame.objects.get()
    assert "Look at the projector." in phone.get(f"/l/{game.code}/").text
    assert state(game, phone).json()["state"] == "lobby"
    for path in ("", "players/", "results/"):
        assert client.get(f"/live/{game.code}/{path}").status_code == 200
    for path in ("", "board/"):
        assert client.get(f"/api/live/{game.code}/{path}").status_code == 200


def test_two_teams_race(open_game, phones):
    game = open_game(team_count=2)
    one, other = phones(2)
    assert join(game, one).json()["team"] == 1
    assert join(game, other).json()["team"] == 2
    services.start(game)
    words = words_of(game)
    play = one.get(f"/api/live/{game.code}/play/").json()
    assert {item["id"] for item in play["items"]} == {word.slot for word in words}
    assert not any(item["term"] for item in play["items"])
    answer = send(game, one, words[0]).json()
    assert (answer["outcome"], answer["found"], answer["item"]["term"]) == (
        "found", 1, words[0].term,
    )  # fmt: skip
    mine = state(game, one).json()
    assert [item["id"] for item in mine["items"]] == [words[0].slot]
    theirs = state(game, other).json()
    assert theirs["items"] == []
    assert [team["found"] for team in theirs["teams"]] == [1, 0]
    assert state(game, other, theirs["version"]).status_code == 204


def test_a_device_that_asks_in_vain_keeps_its_connection(open_game, phones):
    """Without a length, servers close the connection after each of hundreds of answers a second."""
    game = open_game()
    [phone] = phones(1)
    join(game, phone)
    first = state(game, phone)
    assert int(first["Content-Length"]) == len(first.content)
    assert first["Cache-Control"] == "no-store"
    again = state(game, phone, first.json()["version"])
    assert (again.status_code, again["Content-Length"]) == (204, "0")
    assert 1000 <= int(again["X-Ask-After"]) <= 2500


def test_a_class_that_asks_at_once_costs_no_query_but_the_first(
    open_game, phones, django_assert_num_queries, monkeypatch
):
    monkeypatch.setattr(selectors, "KEPT_FOR", 60)  # instead of a quick machine
    game = open_game()
    first, *others = phones(6)
    for client in (first, *others):
        join(game, client)
    state(game, first)
    with django_assert_num_queries(0):
        for client in others:
            assert state(game, client).status_code == 200


def test_an_answer_is_sent_again_after_a_pause(open_game, phones):
    game = open_game()
    [phone] = phones(1)
    join(game, phone)
    services.start(game)
    services.pause(game)
    refused = send(game, phone, words_of(game)[0])
    assert (refused.status_code, refused.json()["code"]) == (429, "paused")
    assert refused["Retry-After"] == "3"
    services.resume(game)
    assert send(game, phone, words_of(game)[0]).json()["outcome"] == "found"


def test_who_was_taken_out_is_told_so(open_game, phones):
    game = open_game()
    [phone] = phones(1)
    join(game, phone)
    services.start(game)
    services.remove_player(LivePlayer.objects.get())
    assert state(game, phone).json()["state"] == "removed"
    refused = send(game, phone, words_of(game)[0])
    assert (refused.status_code, refused.json()["code"]) == (409, "not_playing")


def test_a_teacher_moves_a_player_and_takes_them_out(open_game, phones, teacher, sign_in):
    game = open_game(team_count=2)
    [phone] = phones(1)
    join(game, phone)
    address = f"/api/live/{game.code}/players/{LivePlayer.objects.get().pk}/"
    client = sign_in(teacher)
    assert client.patch(address, {"team": 2}, content_type=JSON).status_code == 204
    assert state(game, phone).json()["team"] == 2
    assert client.patch(address, {"team": 3}, content_type=JSON).status_code == 400
    client.patch(address, {"removed": True}, content_type=JSON)
    assert state(game, phone).json()["state"] == "removed"
    client.patch(address, {"removed": False}, content_type=JSON)
    assert state(game, phone).json()["state"] == "lobby"


def test_a_word_of_together_is_passed_on(open_game, phones):
    game = open_game("together")
    clients = phones(2)
    for client in clients:
        join(game, client)
    services.start(game)
    holders = state(game, clients[0]).json()["holders"]
    mine = next(slot for slot, name in holders.items() if not name)
    asked = {"attempt": str(uuid.uuid4()), "item": mine, "kind": "pass"}
    passed = clients[0].post(f"/api/live/{game.code}/play/hint/", asked, content_type=JSON)
    assert passed.status_code == 200, passed.text
    assert state(game, clients[0]).json()["holders"][mine]
    assert state(game, clients[1]).json()["holders"][mine] == ""
    word = next(word for word in words_of(game) if word.slot == mine)
    refused = send(game, clients[0], word)
    assert (refused.status_code, refused.json()["code"]) == (400, "refused")


def test_who_cannot_hear_reads_the_word_that_is_asked(open_game, phones):
    game = open_game("listen")
    [phone] = phones(1)
    join(game, phone)
    services.start(game)
    [item] = state(game, phone).json()["items"]
    assert item["clue"]["text"] is None
    asked = {"attempt": str(uuid.uuid4()), "item": item["id"], "kind": "text"}
    shown = phone.post(f"/api/live/{game.code}/play/hint/", asked, content_type=JSON).json()
    term = next(word.term for word in words_of(game) if word.slot == item["id"])
    assert shown["item"]["clue"]["text"] == term
    other_slot = next(word.slot for word in words_of(game) if word.slot != item["id"])
    refused = phone.post(
        f"/api/live/{game.code}/play/hint/", asked | {"item": other_slot}, content_type=JSON
    )
    assert refused.status_code == 400


def test_sounds_of_a_game_tell_no_word_before_its_time(open_game, phones, teacher, sign_in):
    game = open_game("listen")
    [phone] = phones(1)
    join(game, phone)
    services.start(game)
    [item] = state(game, phone).json()["items"]
    other = next(word for word in words_of(game) if word.slot != item["id"])
    assert phone.get(item["clue"]["sound"]).status_code == 200
    assert phone.get(f"/api/live/{game.code}/sound/{other.slot}/").status_code == 404
    board, of_board = sign_in(teacher), f"/api/live/{game.code}/board/sound"
    assert board.get(f"{of_board}/{item['id']}/").status_code == 200
    assert board.get(f"{of_board}/{other.slot}/").status_code == 404
    assert board.post(f"/api/live/{game.code}/skip/", {}, content_type=JSON).status_code == 200
    [_past, now] = state(game, phone).json()["items"]
    sizes = {
        len(phone.get(f"/api/live/{game.code}/sound/{slot}/").content)
        for slot in (item["id"], now["id"])
    }
    assert len(sizes) == 1


def test_a_game_is_of_the_words_that_were_chosen(animals, classroom, teacher, student, sign_in):
    client, address = sign_in(teacher), f"/classes/{classroom.pk}/games/new/"
    wanted = {
        "mode": "race", "list": animals.pk, "words": 5, "teams": 2, "seconds": 0,
        "seconds_a_word": 0, "is_heard_on_board": 1,
    }  # fmt: skip
    refused = client.post(address, wanted | {"which": "hardest"})
    assert refused.status_code == 400
    assert "none is known to be hard" in refused.text
    ticked = list(animals.entries.values_list("pk", flat=True)[:6])
    opened = client.post(address, wanted | {"entry": ticked})
    assert opened.status_code == 302
    assert sorted(LiveGame.objects.get().puzzle.entries) == sorted(ticked)


def test_the_page_of_the_class_leads_to_what_the_game_missed(
    open_game, student, teacher, sign_in, classroom
):
    game = open_game()
    services.join(game=game, student=student)
    services.end(services.start(game))
    client = sign_in(teacher)
    page = client.get(f"/classes/{classroom.pk}/").text
    [results] = re.findall(r'href="(/live/\w+/results/)"', page)
    [assign] = re.findall(r'href="(/assign/\?[^"]+)"', client.get(results).text)
    form = client.get(assign.replace("&amp;", "&"))
    ticked = set(map(int, form.context["form"]["entries"].value()))
    assert ticked == {word.entry_id for word in words_of(game)}


class Attack:
    """People who are not of the team, and everything that a game answers them."""

    def __init__(self, game, client):
        self.game, self.client = game, client

    def texts(self):
        code = self.game.code
        for path in ("", "board/", "state/", "state/?since=1", "play/"):
            yield self.client.get(f"/api/live/{code}/{path}").text
        for word in words_of(self.game):
            for path in (f"sound/{word.slot}/", f"board/sound/{word.slot}/"):
                assert self.client.get(f"/api/live/{code}/{path}").status_code != 200
            asked = {"attempt": str(uuid.uuid4()), "item": word.slot, "kind": "text"}
            yield self.client.post(f"/api/live/{code}/play/hint/", asked, content_type=JSON).text
        yield self.client.get(f"/api/puzzles/{self.game.puzzle.code}/").text
        yield self.client.get(f"/api/play/{self.game.puzzle.code}/").text
        yield self.client.get(f"/play/{self.game.puzzle.code}/").text


@pytest.mark.parametrize("who", ["other team", "guest", "stranger", "student of another class"])
def test_no_channel_of_a_race_tells_a_word_that_the_team_has_not_found(
    who, open_game, phones, make_person, school, other_school, sign_in
):
    game = open_game(team_count=2, allows_guests=True)
    [finder] = phones(1)
    join(game, finder)
    attacker = {
        "other team": lambda: phones(1)[0],
        "guest": Client,
        "stranger": lambda: sign_in(make_person(User.Role.TEACHER, other_school)),
        "student of another class": lambda: sign_in(make_person(User.Role.STUDENT, school)),
    }[who]()
    may_join = who in ("other team", "guest")
    name = {"name": services.offered_nicknames(game)[0]} if who == "guest" else {}
    assert join(game, attacker, **name).status_code == (201 if may_join else 400)
    services.start(game)
    words = words_of(game)
    for word in words[:4]:
        assert send(game, finder, word).json()["outcome"] == "found"
    for text in Attack(game, attacker).texts():
        told = [word.term for word in words if re.search(rf"\b{word.term}\b", text)]
        assert not told, (told, text)
    if not may_join:
        assert send(game, attacker, words[5]).status_code in (400, 403, 404)
        assert not LiveMove.objects.filter(placement=words[5]).exists()


def test_a_cookie_of_another_game_or_a_changed_one_lets_nobody_play(
    open_game, phones, classroom, make_person, school, sign_in
):
    first = open_game(allows_guests=True)
    [phone] = phones(1)
    join(first, phone)
    cookie = phone.cookies[f"live-{first.code}"].value
    second = open_game()
    for code, value in ((second.code, cookie), (first.code, cookie[:-1] + "_")):
        thief = Client()
        thief.cookies[f"live-{code}"] = value
        assert thief.get(f"/api/live/{code}/state/").status_code == 404
    with_it = Client()
    with_it.cookies[f"live-{first.code}"] = cookie
    assert with_it.get(f"/api/live/{first.code}/state/").status_code == 200  # the control


def test_after_ten_wrong_codes_a_stranger_has_to_wait_and_no_student(open_game, student, sign_in):
    game = open_game(allows_guests=True)
    stranger, near, far = Client(), Client(), Client(REMOTE_ADDR="10.0.0.2")
    wrong = [stranger.post(f"/api/live/AAAA2{letter}/join/") for letter in "ABCDEFGHJK"]
    assert {one.status_code for one in wrong} == {404}
    assert join(game, near, name="Vega").status_code == 429
    assert join(game, far, name="Vega").status_code == 201
    assert join(game, sign_in(student)).status_code == 201  # at the same address


def test_a_viewer_and_a_teacher_of_another_class_do_not_lead(
    open_game, make_person, school, classroom, sign_in
):
    game = open_game()
    viewer = make_person(User.Role.TEACHER, school)
    people.join_classroom(classroom=classroom, person=viewer, role=Membership.Role.VIEWER)
    for person in (viewer, make_person(User.Role.TEACHER, school)):
        client = sign_in(person)
        for path in ("", "board/"):
            assert client.get(f"/api/live/{game.code}/{path}").status_code == 404
        refused = client.patch(f"/api/live/{game.code}/", {"state": "ended"}, content_type=JSON)
        assert refused.status_code == 404
    assert LiveGame.objects.get().state == "lobby"
