"""A student is told no word of a puzzle that they still have to solve: not by any other page."""

import io
import json
import uuid
import zipfile
from datetime import timedelta

import pytest
from django.db import transaction
from django.test import Client
from django.utils import timezone

from osmosmjerka.accounts import people
from osmosmjerka.accounts.models import User
from osmosmjerka.accounts.privacy import services as privacy
from puzzles import withheld
from puzzles.access import Moment
from puzzles.assignments import services as assignments
from puzzles.kinds import KINDS
from puzzles.kinds.base import SentMove
from puzzles.models import Move, Puzzle
from puzzles.play import attempts
from puzzles.play import services as play
from puzzles.practice import services as practice
from puzzles.practice.picked import Picked
from tests.accounts.permission_table import METHODS, NOBODY, STUDENT, TABLE
from tests.conftest import rows
from tests.layers import IS_THOROUGH, daily
from tests.puzzles.practice.test_practice import find_all, made, remember
from vocab.lists.services import create_list
from vocab.models import Entry

pytestmark = pytest.mark.django_db


@pytest.fixture
def given(make_puzzle):
    """An assignment of the animals that is over, so that the list is the student's."""
    assignment = make_puzzle().assignments.get()
    assignments.close(assignment=assignment)
    return assignment


@pytest.fixture
def own(given, animals, student, make_puzzle):
    """Return a function that makes the student's own puzzle of some words they met before."""
    entries = list(animals.entries.all())
    for entry in entries:
        remember(student, entry, 40, 30, 20, outcome="wrong")
        remember(student, entry, 19, 18.99)

    def make(way, kind):
        if way == "practice":
            return made(practice.request_practice(student=student, kind=kind, size=6, seed=4))
        common = make_puzzle(kind, seed=3, words=4)
        find_all(common, student)  # over: what follows is about the student's own version
        assignment = common.assignments.get()
        assignments.change(assignment=assignment, is_adaptive=True, attempts=2)
        return made(assignments.own_puzzle(assignment=assignment, student=student))

    return make


# How a student gets a puzzle of their own, and of which kind.
OWN = daily(
    "practice crossword",
    "adaptive word-search",
    of=[f"{way} {kind}" for way in ("practice", "adaptive") for kind in sorted(KINDS)],
)


def to_find(puzzle):
    return list(Entry.objects.filter(pk__in=puzzle.placements.values("entry")))


def exported(client):
    with zipfile.ZipFile(io.BytesIO(client.post("/me/data/").content)) as archive:
        return {name: archive.read(name).decode() for name in archive.namelist()}


def sent(entry):
    return {"entry": entry.pk, "mode": "typed", "attempt": str(uuid.uuid4()), "answer": ""}


def asked(client, entry):
    return client.post("/review/", sent(entry)).content.decode()


def asked_by_api(client, entry):
    return client.post("/api/review/", sent(entry), content_type="application/json").content


def heard(client, entry):
    reply = client.get(f"/review/sound/{entry.pk}/")
    return entry.term if reply.status_code == 200 else ""


def of(entry):
    """Return a round of a word and all others of its list."""
    others = entry.vocabulary_list.entries.exclude(pk=entry.pk).values_list("pk", flat=True)
    return Picked.of([entry.pk, *others]).query


# Each place is asked about one word, of which it may tell the term; ALIKE tell of all at once.
ALIKE = {"choices", "choices by API", "album", "my words", "home", "progress by API", "export"}
PLACES = {
    "review": asked,
    "review by API": asked_by_api,
    "choices": lambda client, entry: client.get("/review/?mode=chosen").content,
    "choices by API": lambda client, entry: client.get("/api/review/?mode=chosen").content,
    "sound": heard,
    "album": lambda client, entry: client.get(f"/words/?album={entry.vocabulary_list_id}").content,
    "my words": lambda client, entry: client.get("/words/?sort=need").content,
    "a word": lambda client, entry: client.get(f"/words/{entry.pk}/").content,
    "search of my words": lambda client, entry: (
        client.get("/words/", {"q": entry.translations.get().text, "sort": "newest"}).content
    ),
    "card": lambda client, entry: client.get(f"/words/cards/?{of(entry)}&show={entry.pk}").content,
    "matching": lambda client, entry: client.get(f"/words/match/?{of(entry)}").content,
    "home": lambda client, entry: client.get("/").content,
    "progress by API": lambda client, entry: client.get("/api/progress/").content,
    "export": lambda client, entry: "".join(exported(client).values()),
}


def told(client, place, entries):
    """Return the terms that a place tells, in any case and encoding of JSON."""
    found, text = set(), ""
    for entry in entries:
        if not text or place not in ALIKE:
            text = PLACES[place](client, entry)
            text = text.decode() if isinstance(text, bytes) else text
        escaped = json.dumps(entry.term).strip('"')
        if any(term.lower() in text.lower() for term in (entry.term, escaped)):
            found.add(entry.term)
    return found


@pytest.mark.parametrize("how", OWN)
def test_no_place_tells_a_word_of_ones_own_open_puzzle(how, own, student, sign_in):
    client, entries = sign_in(student), to_find(own(*how.split()))
    assert entries
    assert {place for place in PLACES if told(client, place, entries)} == set()


def test_without_the_rule_each_place_tells_words(own, student, sign_in, monkeypatch):
    """The control. An answer puts its word off, so each place begins anew."""
    client, entries = sign_in(student), to_find(own("practice", "word-search"))
    monkeypatch.setattr(withheld._OWN_PUZZLES, "rows", lambda **_given: [])
    for place in PLACES:
        with transaction.atomic():
            assert told(client, place, entries), place
            transaction.set_rollback(True)


def test_what_is_solved_is_told_again(own, student, sign_in):
    puzzle = own("practice", "word-search")
    client, entries = sign_in(student), to_find(puzzle)
    find_all(puzzle, student)
    for place in ("review", "sound", "my words", "a word", "progress by API", "export"):
        assert told(client, place, entries) == {entry.term for entry in entries}, place


def test_words_that_are_not_listed_are_counted(own, student, sign_in):
    own("practice", "word-search")
    page = sign_in(student).get("/words/?sort=need").content.decode()
    assert "6 words are not listed here until you have found them" in page
    assert page.count('word-card"') == 6  # the other animals


def test_practice_that_nobody_goes_back_to_keeps_no_word_for_ever(own, student, sign_in):
    puzzle = own("practice", "word-search")
    client, entries = sign_in(student), to_find(puzzle)
    assert not told(client, "my words", entries)
    Puzzle.objects.filter(pk=puzzle.pk).update(created_at=timezone.now() - timedelta(days=2))
    assert told(client, "my words", entries) == {entry.term for entry in entries}


def test_words_of_a_puzzle_of_the_class_are_told_until_it_is_begun(
    make_puzzle, animals, student, sign_in
):
    """Words met before stay due while it waits; whoever plays it cannot look them up."""
    puzzle = make_puzzle(words=12)
    for entry in animals.entries.all():
        remember(student, entry, 20, 19.99)
    client, entries = sign_in(student), to_find(puzzle)
    assert told(client, "my words", entries) == {entry.term for entry in entries}
    play.open_session(puzzle=puzzle, student=student)
    assert told(client, "my words", entries) == set()


def terms_after_giving_up(client, url):
    """Return what a practice puzzle tells to somebody who finishes it at once."""
    code = url.rstrip("/").split("/")[-1]
    made(Puzzle.objects.get(code=code))
    client.get(f"/api/play/{code}/")
    return {item["term"] for item in client.post(f"/api/play/{code}/finish/").json()["items"]}


ASK = {"kind": "word-search"}


@pytest.mark.parametrize("how", [ASK, ASK | {"free": "1"}], ids=["due", "for fun"])
@pytest.mark.parametrize("is_begun", [True, False])
def test_no_practice_puzzle_tells_the_words_of_an_assignment(
    how, is_begun, make_puzzle, animals, student, sign_in
):
    """Otherwise “Practise now” and “Finish and show all words” tell the answers in two clicks."""
    assigned = make_puzzle("crossword", words=4)
    client, to_tell = sign_in(student), {entry.term for entry in to_find(assigned)}
    others = set(animals.entries.values_list("term", flat=True)) - to_tell
    if is_begun:
        play.open_session(puzzle=assigned, student=student)
        for entry in to_find(assigned):
            remember(student, entry, 20, 19.99)
    told_now = terms_after_giving_up(client, client.post("/practise/", how).url)
    assert len(told_now) >= 4
    assert told_now <= others
    # The control: when it is over, its words are practised as well.
    assignments.close(assignment=assigned.assignments.get())
    if is_begun:
        play.finish_session(session=play.open_session(puzzle=assigned, student=student))
    code = client.post("/practise/", how).url.rstrip("/").split("/")[-1]
    again = Entry.objects.filter(pk__in=Puzzle.objects.get(code=code).entries)
    assert is_begun or {entry.term for entry in again} & to_tell


def test_without_the_rule_a_practice_puzzle_tells_them(
    make_puzzle, animals, student, sign_in, monkeypatch
):
    """The control."""
    assigned = make_puzzle("crossword", words=8)
    monkeypatch.setattr(withheld.Waiting, "of_assignments", set())
    client = sign_in(student)
    told_now = terms_after_giving_up(client, client.post("/practise/", ASK).url)
    assert told_now & {entry.term for entry in to_find(assigned)}


def test_with_all_words_in_an_assignment_that_is_said_and_later_they_are_practised(
    make_puzzle, animals, student, sign_in
):
    assigned = make_puzzle(words=12)
    assert assigned.placements.count() == animals.entries.count()
    client = sign_in(student)
    for how in (ASK, ASK | {"free": "1"}):
        assert "solve the puzzles" in client.post("/practise/", how, follow=True).text
    reply = client.post("/api/practice/", ASK, content_type="application/json")
    assert (reply.status_code, "solve the puzzles" in reply.text) == (400, True)
    find_all(assigned, student)
    assert "/play/" in client.post("/practise/", ASK | {"free": "1"}).url


def test_a_practice_puzzle_that_was_left_keeps_no_word_from_the_next(own, student, sign_in):
    first = own("practice", "word-search")
    again = made(practice.request_practice(student=student, kind="finder", size=6, seed=4))
    assert set(again.entries) == set(first.entries)


def test_another_list_is_reviewed_while_all_due_words_of_one_are_in_play(
    own, student, sign_in, make_puzzle, teacher
):
    puzzle = made(practice.request_practice(student=student, kind="word-search", size=12, seed=4))
    assert puzzle.placements.count() == 12
    birds = create_list(
        owner=teacher, title="Ptice", language="hr", translation_languages=["en"],
        rows=rows({"sova": "owl", "vrana": "crow", "roda": "stork", "čaplja": "heron"}),
    )  # fmt: skip
    assignments.close(assignment=make_puzzle(vocabulary_list=birds, words=4).assignments.get())
    client = sign_in(student)
    assert client.get("/review/").context["question"].entry.vocabulary_list == birds


def letters_in_order(puzzle):
    """Return the rows of a grid as they would stand in a file, whatever is between the letters."""
    rows = [[tile for tile in row if tile] for row in puzzle.grid]
    return [row for row in rows if len(row) >= 4]


def holds_grid(text, puzzle):
    plain = [json.dumps(row, ensure_ascii=False, indent=indent)[1:-1].strip()
             for row in letters_in_order(puzzle) for indent in (None,)]  # fmt: skip
    squeezed = "".join(text.split()).replace("&#x27;", '"').replace("'", '"').replace("&quot;", '"')
    return any("".join(row.split()) in squeezed for row in plain)


@pytest.mark.parametrize("how", OWN)
def test_an_export_holds_no_solution_before_the_puzzle_is_solved(
    how, own, student, teacher, make_person, school, sign_in
):
    puzzle = own(*how.split())
    Puzzle.objects.filter(pk=puzzle.pk).update(
        seed=4815162342421, unplaced=[{"word": "nosorog", "reason": "x"}]
    )
    puzzle.refresh_from_db()
    admin = make_person(User.Role.SCHOOL_ADMIN, school)
    secrets = ["4815162342421", "nosorog", *(entry.term for entry in to_find(puzzle))]

    def files():
        for person, path in ((student, "/me/data/"), (teacher, f"/pupils/{student.pk}/export/"),
                             (admin, f"/pupils/{student.pk}/export/")):  # fmt: skip
            reply = sign_in(person).post(path)
            with zipfile.ZipFile(io.BytesIO(reply.content)) as archive:
                yield from (archive.read(name).decode() for name in archive.namelist())

    for text in files():
        assert [secret for secret in secrets if secret in text] == []
        assert not holds_grid(text, puzzle)
        assert puzzle.code in text
    session = play.open_session(puzzle=puzzle, student=student)
    play.take_hint(session=session, slot=puzzle.placements.first().slot, kind="first_cell")
    for text in files():
        assert not holds_grid(text, puzzle)
        assert puzzle.placements.first().term not in text
    find_all(puzzle, student)
    for text in files():  # the control: it is theirs now
        assert "4815162342421" in text
        assert holds_grid(text, puzzle)


def test_without_the_rule_the_export_holds_the_solution(own, student, sign_in, monkeypatch):
    puzzle = own("practice", "crossword")
    monkeypatch.setattr(privacy, "_held_back", {})
    for text in exported(sign_in(student)).values():
        assert str(puzzle.seed) in text
        assert puzzle.placements.first().term in text


def test_a_teachers_export_holds_what_they_made(make_puzzle, teacher, sign_in):
    puzzle = make_puzzle()
    assert str(puzzle.seed) in exported(sign_in(teacher))["data.json"]


SEED = 4815162342421
UNPLACED = "nosorog"
MESSAGE = "Idemo na izlet"


@pytest.fixture
def known(own, student, make_puzzle, animals):
    """Puzzles of the student in each state, all with the same seed, message and left out words."""
    ready = own("practice", "word-search")
    common = make_puzzle(words=5, seed=8)
    for state in ("failed", "queued"):
        kept = Puzzle.objects.get(pk=ready.pk)
        kept.pk, kept.code, kept.state, kept.offer = None, f"of{state}", state, 4
        kept.save()
    Puzzle.objects.update(
        seed=SEED,
        unplaced=[{"word": UNPLACED, "reason": "x"}],
        settings=ready.settings | {"message": MESSAGE},
    )
    return {"ready": ready.code, "common": common.code, "failed": "offailed", "queued": "ofqueued"}


def addresses(methods, known, assignment, classroom, student, puzzle):
    """Yield the method and path of what a student may ask and of all that is told of a puzzle.

    Each of the student's puzzles takes the place of the code. The thorough run also asks what a
    student may not ask, and with other numbers.
    """
    slot = puzzle.placements.first().slot
    values = {"pk": assignment.pk, "assignment_pk": assignment.pk, "slot": slot,
              "student_pk": student.pk, "list_pk": puzzle.vocabulary_list_id,
              "entry_pk": puzzle.placements.first().entry_id, "format_name": "ipuz",
              "file_format": "csv", "classroom": classroom.pk}  # fmt: skip
    for route, row in TABLE.items():
        if not (IS_THOROUGH or "<code>" in route or STUDENT in row.get("GET", NOBODY)):
            continue
        for code in known.values() if "<code>" in route else [""]:
            path = route.replace("<code>", code)
            for name, value in values.items():
                path = path.replace(f"<{name}>", str(value))
            of_class = {classroom.pk} if route.startswith(("classes/", "api/classes/")) else set()
            numbers = {assignment.pk, student.pk, classroom.pk} if IS_THOROUGH else of_class
            for number in numbers if "<pk>" in route else {0}:
                asked = path.replace(f"/{assignment.pk}/", f"/{number}/", 1) if number else path
                yield from ((method, f"/{asked}") for method in methods if method in row)


def crawl(person, methods, *where):
    """Yield what somebody is told at each address; last at those that end a puzzle."""
    client = Client()
    client.force_login(person)
    for method, path in sorted(addresses(methods, *where), key=lambda each: "finish" in each[1]):
        if any(part in path for part in ("view/", "<")):
            continue
        if method != "GET":
            client.force_login(User.objects.get(pk=person.pk))  # again: some addresses log out
        reply = getattr(client, method.lower())(path)
        assert reply.status_code != 401, "whoever is logged out is told nothing"
        body = b"".join(reply.streaming_content) if reply.streaming else reply.content
        if body.startswith(b"PK"):
            with zipfile.ZipFile(io.BytesIO(body)) as archive:
                body = b"".join(archive.read(name) for name in archive.namelist())
        yield f"{method} {path}", body.decode(errors="replace")


def test_no_address_tells_a_player_the_seed_the_message_or_a_word_without_a_place(
    known, given, classroom, student, sign_in
):
    """The message is told at the end."""
    where = known, given, classroom, student, Puzzle.objects.get(code=known["ready"])
    methods = METHODS if IS_THOROUGH else ["GET"]
    fewer = sign_in(student).post(f"/api/puzzles/{known['failed']}/fewer/")
    assert fewer.status_code == 202
    Puzzle.objects.filter(code=known["failed"]).update(state="failed", offer=4)
    told = dict(crawl(student, methods, *where))
    assert len(told) > (200 if IS_THOROUGH else 50)
    assert [at for at, text in told.items() if str(SEED) in text or UNPLACED in text] == []
    assert [at for at, text in told.items() if MESSAGE in text and "finish" not in at] == []
    if not IS_THOROUGH:  # where the crawl has finished nothing
        assert MESSAGE not in "".join(exported(sign_in(student)).values())


def test_the_crawl_finds_what_a_teacher_is_told(known, given, classroom, student, teacher):
    """The control: the same addresses tell it to the teacher, whose puzzle it is."""
    where = known, given, classroom, student, Puzzle.objects.get(code=known["ready"])
    told = dict(crawl(teacher, ["GET"], *where))
    for secret in (str(SEED), MESSAGE):
        assert secret in told[f"GET /api/puzzles/{known['common']}/"]
    assert UNPLACED in told[f"GET /puzzles/{known['common']}/"]


# Exactly which words are held back, and when they are told.

NOW = timezone.now()
HOUR = timedelta(hours=1)


@pytest.fixture
def game(make_puzzle, animals):
    """An open assignment of a puzzle of five words to the class."""
    return make_puzzle(words=5).assignments.get()


@pytest.fixture
def classmate(make_person, school, classroom):
    person = make_person(User.Role.STUDENT, school)
    people.join_classroom(classroom=classroom, person=person, role="student")
    return person


def words_of(puzzle):
    return set(puzzle.placements.values_list("entry", flat=True))


def in_play(student):
    return withheld.Waiting(Moment(student, timezone.now())).in_play


def untold_now(student):
    return withheld.withheld_words(student, timezone.now())


def begin(puzzle, student):
    return play.open_session(puzzle=puzzle, student=student)


@pytest.mark.parametrize(
    ("changes", "to_be_played", "to_be_finished"),
    [
        ({}, True, True),
        ({"is_draft": True}, False, False),
        ({"opens_at": NOW + HOUR}, False, True),
        ({"closes_at": NOW - HOUR}, False, True),
        ({"archived_at": NOW}, False, True),
    ],
)
def test_words_of_a_class_puzzle_are_in_play_while_it_can_be_played_or_finished(
    changes, to_be_played, to_be_finished, game, student, classmate, teacher
):
    assignments.change(assignment=game, **changes)
    words = words_of(game.puzzle)
    assert in_play(student) == (words if to_be_played else set())
    session = begin(game.puzzle, student)
    begin(game.puzzle, teacher)
    assert in_play(student) == (words if to_be_finished else set())
    assert in_play(classmate) == (words if to_be_played else set()), "others begin for themselves"
    play.finish_session(session=session)
    assert in_play(student) == set()
    assert in_play(classmate) == (words if to_be_played else set())


def test_words_that_are_solved_are_in_play_no_more_and_in_the_next_attempt_again(
    game, student, classmate
):
    assignments.change(assignment=game, attempts=2)
    puzzle, words = game.puzzle, words_of(game.puzzle)
    found, shown, hinted, *_rest = puzzle.placements.all()
    begin(puzzle, classmate)
    session = begin(puzzle, student)
    play.record_move(
        session=session,
        move_id=uuid.uuid4(),
        move=SentMove(cells=tuple(map(tuple, found.cells))),
    )
    play.record_move(
        session=session, move_id=uuid.uuid4(), move=SentMove(cells=((0, 0), (0, 1)))
    )  # a miss, of no word
    play.take_hint(session=session, slot=shown.slot, kind="word")
    play.take_hint(session=session, slot=hinted.slot, kind="first_cell")
    assert in_play(student) == words - {found.entry_id, shown.entry_id}
    assert in_play(classmate) == words
    play.finish_session(session=session)
    assert in_play(student) == set()
    attempts.play_again(puzzle=puzzle, student=student)
    assert in_play(student) == words


def test_who_left_the_class_has_nothing_in_play(game, student, classroom):
    begin(game.puzzle, student)
    assert in_play(student)
    student.memberships.all().delete()
    assert in_play(student) == set()


def test_a_class_that_is_archived_has_nothing_in_play(game, student, classroom):
    begin(game.puzzle, student)
    classroom.archived_at = NOW
    classroom.save()
    assert in_play(student) == set()


def test_only_for_whom_a_puzzle_is_its_words_are_in_play(game, student, classmate):
    assignments.change(assignment=game, chosen_students=[classmate])
    assert in_play(student) == set()
    assert in_play(classmate) == words_of(game.puzzle)


@pytest.mark.parametrize("is_begun", [False, True])
@pytest.mark.parametrize("is_closed", [False, True])
def test_words_of_ones_own_version_are_in_play_until_it_is_over(
    is_begun, is_closed, own, student, classmate
):
    puzzle = own("adaptive", "word-search")
    others = begin(puzzle, classmate)  # whatever somebody else does with it
    if is_begun:
        session = begin(puzzle, student)
    if is_closed:
        assignments.close(assignment=puzzle.adapted_for)
    is_in_play = is_begun or not is_closed
    assert (in_play(student) & words_of(puzzle) == words_of(puzzle)) is is_in_play
    assert in_play(classmate) == set(), "neither the other's version nor the common puzzle"
    play.finish_session(session=others)
    assert bool(in_play(student)) is is_in_play
    if is_begun:
        play.finish_session(session=session)
        assert not in_play(student)


def test_practice_is_in_play_for_a_day_from_when_it_was_made_or_begun(own, student, classmate):
    puzzle = own("practice", "word-search")
    words = words_of(puzzle)
    for hours, is_in_play in ((23, True), (25, False)):
        Puzzle.objects.filter(pk=puzzle.pk).update(created_at=timezone.now() - hours * HOUR)
        assert in_play(student) == (words if is_in_play else set())
    session, others = begin(puzzle, student), begin(puzzle, classmate)
    for hours, is_in_play in ((23, True), (25, False)):
        session.started_at = timezone.now() - hours * HOUR
        session.save()
        assert in_play(student) == (words if is_in_play else set())
    assert in_play(classmate) == set()
    session.started_at = timezone.now()
    session.save()
    play.finish_session(session=others)
    assert in_play(student) == words
    play.finish_session(session=session)
    assert in_play(student) == set()


def test_what_was_never_asked_is_not_told_before_a_class_puzzle_is_begun(
    game, student, classmate, teacher
):
    """Nor are words that were only seen: what was asked stays due, perhaps for weeks."""
    asked, seen, others, *_rest = (placement.entry for placement in game.puzzle.placements.all())
    words = words_of(game.puzzle)
    remember(student, asked, 20, 19.99)
    remember(student, seen, 20, skill="form")
    remember(classmate, others, 20, 19.99)
    assert untold_now(student) == words - {asked.pk}
    assert untold_now(classmate) == words - {others.pk}
    begin(game.puzzle, classmate)
    assert untold_now(student) == words - {asked.pk}
    begin(game.puzzle, student)
    assert untold_now(student) == words
    assert untold_now(teacher) == set()
    find_all(game.puzzle, student)
    assert untold_now(student) == set()


def test_of_a_teacher_nothing_is_held_back(own, teacher, student, make_puzzle):
    own("practice", "word-search")
    begin(make_puzzle(seed=9), teacher)
    assert untold_now(teacher) == set()
    assert untold_now(student)


def is_held_back(puzzle, student):
    condition = withheld.unsolved_puzzles(student)
    return Puzzle.objects.filter(condition, pk=puzzle.pk).exists()


def test_a_solution_is_read_when_ones_own_version_is_over(own, student, classmate):
    puzzle = own("adaptive", "word-search")  # two attempts
    assert is_held_back(puzzle, student)
    play.finish_session(session=begin(puzzle, classmate))
    assert is_held_back(puzzle, student), "somebody else finished it"
    play.finish_session(session=begin(puzzle, student))
    assert not is_held_back(puzzle, student), "the next attempt has another puzzle"
    second = assignments.own_puzzle(assignment=puzzle.adapted_for, student=student)
    assert second != puzzle
    assert is_held_back(second, student)


def test_the_solution_of_practice_is_read_after_the_end(own, student, classmate):
    puzzle = own("practice", "word-search")
    assert is_held_back(puzzle, student)
    begin(puzzle, classmate)
    session = begin(puzzle, student)
    assert is_held_back(puzzle, student)
    play.finish_session(session=session)
    assert not is_held_back(puzzle, student)


def test_of_ones_moves_only_those_at_solved_words_name_the_word(game, student, classmate):
    puzzle = game.puzzle
    found, hinted, *_rest = puzzle.placements.all()

    def named():
        held = withheld.moves_at_withheld_words(student)
        told = Move.objects.filter(session__student=student).exclude(held)
        return set(told.values_list("placement", flat=True))

    session = begin(puzzle, student)
    play.take_hint(session=session, slot=found.slot, kind="first_cell")
    play.take_hint(session=session, slot=hinted.slot, kind="first_cell")
    # A classmate who found the word solved it for themselves.
    play.take_hint(session=begin(puzzle, classmate), slot=hinted.slot, kind="word")
    assert named() == set()
    play.take_hint(session=session, slot=found.slot, kind="word")
    assert named() == {found.pk}
    play.finish_session(session=session)
    assert named() == {found.pk, hinted.pk}
    assignments.change(assignment=game, attempts=2)
    attempts.play_again(puzzle=puzzle, student=student)
    assert named() == set(), "they are to be found again"


def test_another_listen_and_find_tells_no_word_of_an_assignment(
    make_puzzle, animals, student, sign_in
):
    """Its player may give up, and is told all its words."""
    finder = make_puzzle("finder", words=4)
    find_all(finder, student)
    crossword = make_puzzle("crossword", words=6)
    # What was asked before may be asked again while a puzzle with it waits.
    asked = finder.placements.values_list("entry", flat=True)
    hidden = set(crossword.placements.values_list("entry", flat=True)).difference(asked)
    assert hidden
    client = sign_in(student)
    reply = client.post(f"/play/{finder.code}/new/", {"difficulty": "easy"})
    another = made(Puzzle.objects.get(code=reply.url.split("/")[2]))
    assert another != finder
    assert another.placements.count() >= 3
    assert not hidden & set(another.placements.values_list("entry", flat=True))
    find_all(crossword, student)  # the control: what is found may be asked again
    another.delete()
    reply = client.post(f"/play/{finder.code}/new/", {"difficulty": "easy"})
    later = made(Puzzle.objects.get(code=reply.url.split("/")[2]))
    assert set(later.entries) > hidden
