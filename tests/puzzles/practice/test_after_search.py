"""After a word search its missed and new words are asked once, typed or chosen."""

import re
import uuid
from datetime import timedelta

import pytest
from django.utils import timezone

from osmosmjerka.accounts.codes import name_on_device
from puzzles.assignments import services as assignments
from puzzles.home.views import SKIPPED
from puzzles.kinds.base import SentMove, cells_of
from puzzles.models import PlaySession
from puzzles.play import services as play
from puzzles.practice import after_search
from puzzles.practice import services as practice
from puzzles.practice.after_search import Before, Searched, Since, mode_of, words_to_ask
from tests.conftest import rows
from tests.puzzles.practice.test_practice import find_all, made, remember
from vocab.lists import services as list_services
from vocab.memory import reviews
from vocab.models import Review, WordProgress

pytestmark = [pytest.mark.django_db, pytest.mark.database]
TITLE = "One more minute"


def find(session, placement):
    move = SentMove(placement.slot, cells_of(placement), tuple(placement.tiles))
    play.record_move(session=session, move_id=uuid.uuid4(), move=move)


def entry_of(puzzle, place):
    return puzzle.placements.all()[place].entry


@pytest.fixture
def over(make_puzzle, student):
    """A word search that is over: a word was left, one was found with a hint, two are known.

    The words before it were right yesterday, but for the last, which is new.
    """
    puzzle = make_puzzle(words=5)
    left, helped, *known, new = puzzle.placements.all()
    for placement in (left, helped, *known):
        remember(student, placement.entry, 1)
    session = play.open_session(puzzle=puzzle, student=student)
    play.take_hint(session=session, slot=helped.slot, kind="first_cell")
    for placement in (helped, *known, new):
        find(session, placement)
    play.finish_session(session=session)
    return puzzle


def ask(client, puzzle):
    return client.get(f"/play/{puzzle.code}/ask/")


def answer(client, puzzle, entry, text, mode="typed", **more):
    return send(client, puzzle, {"entry": entry.pk, "mode": mode, "answer": text} | more)


def send(client, puzzle, sent):
    return client.post(f"/play/{puzzle.code}/ask/", sent)


def question_of(reply):
    return reply.context["asking"].question


def answer_all(client, puzzle, right=True):
    """Answer what is asked; return the words and how each was asked, in order."""
    asked = []
    while question := question_of(ask(client, puzzle)):
        asked.append((question.entry, question.mode))
        text = question.entry.term if right else "x"
        answer(client, puzzle, question.entry, text, question.mode)
    return asked


def summary_of(client, puzzle):
    return client.get(f"/play/{puzzle.code}/summary/").content.decode()


def parts(text):
    return " ".join(re.sub(r"<[^>]*>", " ", text).split())


# The rule

A_GAME = PlaySession(pk=uuid.uuid4())


def test_missed_words_come_first_then_those_with_help_then_new_ones():
    searched = Searched(A_GAME, missed=[5, 4], helped=[3], found=[1, 2])
    assert words_to_ask(searched, Before(met={1, 3, 5}, right={1, 3}), []) == [5, 4, 3, 2]


def test_a_word_that_was_asked_elsewhere_since_is_asked_no_more():
    searched = Searched(A_GAME, missed=[1, 2], helped=[], found=[])
    here, elsewhere = Since(1, "right", is_here=True), Since(2, "right", is_here=False)
    nothing = Before(met=(), right=())
    assert words_to_ask(searched, nothing, [here, elsewhere]) == [1]
    # A word that was asked here stays one of them, whatever comes after.
    assert words_to_ask(searched, nothing, [here, Since(1, "wrong", is_here=False)]) == [1, 2]


def test_a_word_that_was_missed_or_never_right_is_chosen_and_others_are_typed():
    searched = Searched(A_GAME, missed=[1], helped=[2, 3], found=[4])
    before = Before(met={1, 2, 3}, right={1, 2})
    assert [mode_of(key, searched, before) for key in (1, 2, 3, 4)] == [
        "chosen", "typed", "chosen", "chosen",
    ]  # fmt: skip


# Which words


def test_missed_helped_and_new_words_are_asked_once_each_in_this_order(over, student, sign_in):
    client = sign_in(student)
    assert TITLE in summary_of(client, over)
    asked = answer_all(client, over)
    left, helped, new = (entry_of(over, place) for place in (0, 1, 4))
    assert asked == [(left, "chosen"), (helped, "typed"), (new, "chosen")]
    assert TITLE not in summary_of(client, over)
    assert "Right the first time: 3 of 3 words." in parts(ask(client, over).content.decode())


def test_the_question_tells_no_word_and_says_which_it_is(over, student, sign_in):
    client = sign_in(student)
    answer(client, over, entry_of(over, 0), "x", "chosen")
    reply = ask(client, over)
    text, helped = reply.content.decode(), entry_of(over, 1)
    assert "2 of 3" in parts(text)
    assert helped.translations.get().text in text
    assert helped.term not in text


def test_at_most_six_words_are_asked(make_puzzle, student, sign_in):
    puzzle = make_puzzle(words=8)
    find_all(puzzle, student)
    client = sign_in(student)
    assert len(answer_all(client, puzzle)) == after_search.MOST == 6
    assert TITLE not in summary_of(client, puzzle)


def test_a_word_without_a_meaning_is_not_asked(over, student, sign_in):
    entry_of(over, 0).translations.all().delete()
    assert question_of(ask(sign_in(student), over)).entry == entry_of(over, 1)


def test_a_word_of_a_list_without_others_is_typed(make_puzzle, teacher, student, sign_in):
    words = list_services.create_list(
        owner=teacher, title="One", language="hr", translation_languages=["en"],
        rows=rows({"mačka": "cat"}),
    )  # fmt: skip
    puzzle = make_puzzle(vocabulary_list=words, words=1)
    find_all(puzzle, student)
    assert question_of(ask(sign_in(student), puzzle)).mode == "typed"


def test_what_was_known_before_is_told_by_reviews_before_the_game_alone(
    make_puzzle, student, sign_in
):
    """A find makes a word no old one, nor does an untried game or one for fun."""
    puzzle = make_puzzle(words=2)
    untried, for_fun = (one.entry for one in puzzle.placements.all())
    remember(student, untried, 1, outcome="wrong", was_tried=False)
    remember(student, for_fun, 1, is_free_practice=True)
    find_all(puzzle, student)
    assert len(answer_all(sign_in(student), puzzle)) == 2


def test_known_words_that_were_all_found_are_not_asked(make_puzzle, student, sign_in):
    puzzle = make_puzzle(words=4)
    for placement in puzzle.placements.all():
        remember(student, placement.entry, 1)
    find_all(puzzle, student)
    client = sign_in(student)
    assert TITLE not in summary_of(client, puzzle)
    assert ask(client, puzzle).status_code == 404


# Which games


@pytest.mark.parametrize(("kind", "is_asked"), [("word-search", True), ("crossword", False)])
def test_words_are_asked_after_a_word_search_alone(kind, is_asked, make_puzzle, student, sign_in):
    puzzle = make_puzzle(kind, words=6)
    find_all(puzzle, student)
    client = sign_in(student)
    assert (TITLE in summary_of(client, puzzle)) == is_asked
    assert (ask(client, puzzle).status_code == 200) == is_asked
    reply = answer(client, puzzle, entry_of(puzzle, 0), "x")
    assert (reply.status_code == 200) == is_asked


@pytest.mark.parametrize("is_free", [True, False])
def test_words_are_asked_after_practice_but_not_after_play_for_fun(
    is_free, make_puzzle, student, sign_in
):
    assignments.close(assignment=make_puzzle(words=4).assignments.get())
    puzzle = made(practice.request_practice(student=student, kind="word-search", is_free=is_free))
    find_all(puzzle, student)
    client = sign_in(student)
    assert (TITLE in summary_of(client, puzzle)) != is_free
    assert (ask(client, puzzle).status_code == 404) == is_free


def test_nothing_is_asked_before_the_end(make_puzzle, student, sign_in):
    puzzle = make_puzzle(words=4)
    client = sign_in(student)
    assert ask(client, puzzle).status_code == 404
    play.open_session(puzzle=puzzle, student=student)
    assert ask(client, puzzle).status_code == 404
    assert answer(client, puzzle, entry_of(puzzle, 0), "").status_code == 404


def test_another_attempt_has_questions_of_its_own(make_puzzle, student, sign_in):
    puzzle = make_puzzle(words=2)
    first = find_all(puzzle, student)
    client = sign_in(student)
    assert len(answer_all(client, puzzle)) == 2
    again = PlaySession.objects.create(puzzle=puzzle, student=student, number=first.number + 1)
    assert ask(client, puzzle).status_code == 404  # it goes on
    play.finish_session(session=again)
    assert len(answer_all(client, puzzle)) == 2


# Whose


def test_nobody_else_is_asked(over, mia, teacher, student, sign_in):
    for person in (mia, teacher):
        client = sign_in(person)
        assert ask(client, over).status_code == 404
        assert answer(client, over, entry_of(over, 0), "").status_code == 404
    play.finish_session(session=play.open_session(puzzle=over, student=teacher))
    assert TITLE not in summary_of(sign_in(teacher), over)
    assert not Review.objects.filter(source__startswith="review:").exists()
    assert ask(sign_in(student), over).status_code == 200  # the control


def test_the_page_of_another_student_asks_nothing(over, student, sign_in):
    """On a shared tablet somebody else may have logged in since the page was opened."""
    headers = {"X-Player": name_on_device(student.pk + 1)}
    reply = sign_in(student).get(f"/play/{over.code}/ask/", headers=headers)
    assert reply.status_code == 403


def test_a_word_that_another_puzzle_still_asks_for_is_not_told(over, make_puzzle, student, sign_in):
    client, left = sign_in(student), entry_of(over, 0)
    other = make_puzzle("crossword", words=12)
    assert other.placements.filter(entry=left).exists()
    play.open_session(puzzle=other, student=student)
    assert TITLE not in summary_of(client, over)
    reply = answer(client, over, left, "")
    assert reply.status_code == 404
    assert left.term not in reply.content.decode()
    play.finish_session(session=PlaySession.objects.get(puzzle=other))
    assert left.term in answer(client, over, left, "").content.decode()  # the control


def test_choices_have_no_word_that_is_still_to_be_found(over, make_puzzle, student, sign_in):
    client, left = sign_in(student), entry_of(over, 0)
    assert len(question_of(ask(client, over)).choices) == 4
    other = make_puzzle("crossword", words=12)
    play.open_session(puzzle=other, student=student)
    other.placements.filter(entry=left).delete()
    question = question_of(ask(client, over))
    assert (question.entry, question.mode, question.choices) == (left, "typed", [])


def test_words_that_were_found_are_choices_while_other_assignments_ask_for_them(
    over, make_puzzle, student, sign_in
):
    """With “See, hear, type”, all words of a list wait in the puzzles that come after this one."""
    make_puzzle("crossword", words=12)
    question = question_of(ask(sign_in(student), over))
    found = {entry_of(over, place).term for place in (1, 2, 3, 4)}
    assert (question.entry, question.mode) == (entry_of(over, 0), "chosen")
    assert set(question.choices) - {question.entry.term} < found
    assert len(question.choices) == 4


@pytest.mark.parametrize(
    "changed", [{"mode": "heard"}, {"mode": ""}, {"entry": ""}, {"entry": "x"}]
)
def test_what_is_not_asked_is_refused(changed, over, student, sign_in):
    sent = {"entry": entry_of(over, 0).pk, "mode": "typed", "answer": "x"}
    assert send(sign_in(student), over, sent | changed).status_code == 404


def test_a_word_of_the_game_that_was_known_is_not_asked(over, student, sign_in):
    assert answer(sign_in(student), over, entry_of(over, 2), "x").status_code == 404


# Answers


def test_a_wrong_answer_is_shown_letter_by_letter_and_then_the_next_is_asked(
    over, student, sign_in
):
    client = sign_in(student)
    left, helped = entry_of(over, 0), entry_of(over, 1)
    answer(client, over, left, left.term, "chosen")
    typed = helped.term + helped.term[-1]
    text = answer(client, over, helped, typed).content.decode()
    assert "2 of 3" in parts(text)
    assert "Almost:" in text
    assert f'class="diff-extra">{typed[-1]}<' in text
    assert helped.term in text
    assert "Check" not in text
    assert question_of(ask(client, over)).entry == entry_of(over, 4)


def test_a_right_answer_is_said_above_the_next_question(over, student, sign_in):
    left = entry_of(over, 0)
    reply = answer(sign_in(student), over, left, left.term, "chosen")
    assert f"Correct. {left.term}" in parts(reply.content.decode())
    assert question_of(reply).entry == entry_of(over, 1)


def test_whoever_does_not_know_is_told_the_word(over, student, sign_in):
    left = entry_of(over, 0)
    reply = answer(sign_in(student), over, left, "", "chosen", give_up="1")
    assert f"The word is: {left.term}" in parts(reply.content.decode())
    assert Review.objects.last().outcome == "wrong"


def test_an_answer_counts_as_a_review_and_replaces_the_find_of_the_day(over, student, sign_in):
    helped = entry_of(over, 1)
    found = WordProgress.objects.get(student=student, entry=helped)
    assert (found.helped, found.right) == (1, 1)
    answer(sign_in(student), over, helped, helped.term)
    last = Review.objects.last()
    assert (last.mode, last.skill, last.outcome) == ("typed", "meaning_to_form", "right")
    assert not last.is_free_practice
    recalled = WordProgress.objects.get(student=student, entry=helped)
    assert (recalled.helped, recalled.right) == (0, 2)
    assert recalled.stability > found.stability
    assert reviews.replay(student=student) == 0


def test_a_missed_word_is_due_again_soon(over, student, sign_in):
    helped = entry_of(over, 1)
    answer(sign_in(student), over, helped, "x")
    assert WordProgress.objects.get(student=student, entry=helped).missed_on is not None


def test_an_answer_that_is_sent_again_counts_once(over, student, sign_in):
    client, left = sign_in(student), entry_of(over, 0)
    for text in ("x", left.term):
        assert answer(client, over, left, text, "chosen").status_code == 200
    [review] = Review.objects.filter(source__startswith="review:")
    assert review.outcome == "wrong"
    assert "2 of 3" in parts(ask(client, over).content.decode())


def test_the_figures_of_the_game_stay_its_own(over, student, sign_in):
    client, brought = sign_in(student), "4 words of today’s plan are done"
    assert brought in parts(summary_of(client, over))
    answer_all(client, over)
    after = parts(summary_of(client, over))
    assert brought in after
    assert "went up a level" not in after


def test_a_wrong_answer_says_at_once_what_is_left_of_today(make_puzzle, student, sign_in):
    puzzle = make_puzzle(words=12)
    find_all(puzzle, student)
    client = sign_in(student)
    summary = parts(summary_of(client, puzzle))
    assert "You have done all of today’s words." in summary
    asked = question_of(ask(client, puzzle)).entry
    reply = parts(answer(client, puzzle, asked, "x").content.decode())
    for said in ("11 words of today’s plan are done 1 word is left.", "Next: review 1 word"):
        assert said not in summary
        assert said in reply
        assert said in parts(summary_of(client, puzzle))


# Going on, and ending


def test_another_device_goes_on_where_the_student_was(over, student, sign_in):
    first = sign_in(student)
    choices = question_of(ask(first, over)).choices
    assert question_of(ask(sign_in(student), over)).choices == choices
    answer(first, over, entry_of(over, 0), "x", "chosen")
    assert question_of(ask(sign_in(student), over)).entry == entry_of(over, 1)
    assert "2 of 3" in parts(summary_of(sign_in(student), over))


def test_a_word_that_the_quick_review_asked_meanwhile_is_left_out(over, student, sign_in):
    client, left = sign_in(student), entry_of(over, 0)
    sent = {"entry": left.pk, "mode": "typed", "attempt": uuid.uuid4(), "answer": left.term}
    client.post("/review/", sent)
    reply = ask(client, over)
    assert question_of(reply).entry == entry_of(over, 1)
    assert "1 of 2" in parts(reply.content.decode())


def test_an_old_game_asks_what_was_not_asked_since(over, student, sign_in):
    long_ago = timedelta(days=30)
    PlaySession.objects.filter(puzzle=over).update(
        started_at=timezone.now() - long_ago, finished_at=timezone.now() - long_ago
    )
    left, helped = entry_of(over, 0), entry_of(over, 1)
    remember(student, helped, 0)
    asked = [one for one, _mode in answer_all(sign_in(student), over)]
    assert left not in asked  # right yesterday, which is after that game now
    assert helped not in asked


def test_whoever_skips_is_asked_no_more_after_this_game(over, make_puzzle, student, sign_in):
    client = sign_in(student)
    assert send(client, over, {"skip": "1"}).status_code == 204
    assert client.session[SKIPPED] == [str(PlaySession.objects.get().pk)]
    assert TITLE not in summary_of(client, over)
    assert ask(client, over).status_code == 404
    assert not Review.objects.filter(source__startswith="review:").exists()
    other = make_puzzle(words=2, seed=2)
    play.finish_session(session=play.open_session(puzzle=other, student=student))
    assert TITLE in summary_of(client, other)


def test_the_words_are_under_the_questions_for_later(over, student, sign_in):
    """They are on the page, which hides them while one of them is asked."""
    words = summary_of(sign_in(student), over).split('class="summary-learnt"')[1]
    for placement in over.placements.all():
        assert f">{placement.term}<" in words
