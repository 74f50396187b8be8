"""Which words a puzzle is made of, and which do not suit its kind."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from osmosmjerka.accounts import people
from osmosmjerka.accounts.models import Membership, User
from osmosmjerka.jobs import ledger
from puzzles.kinds import KINDS
from puzzles.making import choice
from puzzles.making import services as making
from puzzles.models import Puzzle
from tests.conftest import rows
from vocab.lists.services import create_list, write_rows
from vocab.memory import reviews
from vocab.models import Entry, Review, WordProgress
from vocab.sentences import said

pytestmark = pytest.mark.django_db


@pytest.fixture
def page(sign_in, teacher):
    return sign_in(teacher)


def tag(vocabulary_list, tag, *terms):
    for entry in vocabulary_list.entries.filter(term__in=terms):
        entry.set_tags([tag])
        entry.save()


def ask(page, vocabulary_list, kind="word-search", **wanted):
    """Ask for a puzzle as the page does; return it as its job leaves it."""
    prefix = f"{kind}-words"
    answer = page.post(
        reverse("puzzle-new", args=[vocabulary_list.pk]), {"kind": kind, prefix: 6} | wanted
    )
    assert answer.status_code == 302, answer.context["form"].errors
    puzzle = Puzzle.objects.latest("pk")
    ledger.run_job(str(making.job_of(puzzle).pk))
    puzzle.refresh_from_db()
    assert puzzle.state == Puzzle.State.READY, puzzle.reason
    return puzzle


def terms_of(puzzle):
    return {placement.term for placement in puzzle.placements.all()}


BIRDS = {"labud", "kokoš", "gavran", "guska"}


@pytest.mark.parametrize("kind", ["word-search", "crossword"])
def test_words_of_a_tag_make_a_puzzle(kind, page, animals):
    tag(animals, "birds", *BIRDS)
    assert terms_of(ask(page, animals, kind, which="tag:birds")) <= BIRDS


def test_what_was_ticked_in_the_list_goes_along(page, animals):
    ticked = list(animals.entries.filter(term__in=BIRDS).values_list("pk", flat=True))
    bulk = page.post(
        reverse("entries-bulk", args=[animals.pk]), {"action": "puzzle", "entries": ticked}
    )
    form = page.get(bulk.url).context["words"]
    assert form["which"].value() == "ticked"
    sent = {name: form[name].value() for name in ("which", "ticked", "query")}
    assert terms_of(ask(page, animals, **sent)) == BIRDS


def test_the_search_of_the_list_goes_along(page, animals):
    tag(animals, "birds", *BIRDS)
    listed = page.get(reverse("list", args=[animals.pk]), {"tag": "birds"}).content.decode()
    address = f"{reverse('puzzle-new', args=[animals.pk])}?tag=birds"
    assert f'href="{address}"' in listed
    form = page.get(address).context["words"]
    assert form["which"].value() == "found"
    sent = {name: form[name].value() for name in ("which", "ticked", "query")}
    assert terms_of(ask(page, animals, **sent)) == BIRDS


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_words_to_include_are_in_it_and_words_to_exclude_are_not(kind, page, animals):
    pinned = list(animals.entries.filter(term__in=["krokodil", "zmija"]))
    banned = list(animals.entries.filter(term__in=["slon", "labud", "jelen"]))
    for _time in range(3):
        puzzle = ask(
            page,
            animals,
            kind,
            pinned=[entry.pk for entry in pinned],
            banned=[entry.pk for entry in banned],
        )
        assert {entry.term for entry in pinned} <= terms_of(puzzle)
        assert not {entry.term for entry in banned} & terms_of(puzzle)


def test_more_words_to_include_than_wanted_are_refused(page, animals):
    pinned = list(animals.entries.values_list("pk", flat=True))
    answer = page.post(
        reverse("puzzle-new", args=[animals.pk]),
        {"kind": "word-search", "word-search-words": 6, "pinned": pinned},
    )
    assert "You chose to include more words than that." in answer.content.decode()


def test_a_choice_without_words_is_refused(page, animals):
    answer = page.post(
        reverse("puzzle-new", args=[animals.pk]), {"kind": "word-search", "which": "hardest"}
    )
    assert "none is known to be hard. Assign a puzzle" in answer.content.decode()
    answer = page.post(
        reverse("puzzle-new", args=[animals.pk]),
        {"kind": "word-search", "which": "found", "query": "q=zzz"},
    )
    assert "No word of the list matches this choice." in answer.content.decode()
    assert not Puzzle.objects.exists()


def test_a_choice_by_what_the_class_knows_says_why_it_has_no_words_or_all(
    page, animals, classroom, student
):
    def note(which):
        wanted = {"kind": "word-search", "which": which, "classroom": classroom.pk}
        return page.post(reverse("puzzle-words", args=[animals.pk]), wanted).context["note"]

    assert "none is known to be hard" in note("hardest")
    assert "these are all its words" in note("unknown")
    slon, labud = animals.entries.get(term="slon"), animals.entries.get(term="labud")
    remember(student, slon, Review.Outcome.RIGHT)
    assert "No student has made a mistake" in note("hardest")
    assert note("unknown") == ""
    remember(student, labud, Review.Outcome.WRONG)
    assert [note("hardest"), note("unknown"), note("all"), note("new")] == [""] * 4
    WordProgress.objects.update(level=choice.KNOWN)
    animals.entries.exclude(pk__in=[slon.pk, labud.pk]).delete()
    assert "knows all words" in note("unknown")


def remember(student, entry, outcome, times=1):
    for number in range(times):
        reviews.review(
            student=student,
            entry=entry,
            mode=Review.Mode.TYPED,
            skill=Review.Skill.MEANING_TO_FORM,
            outcome=outcome,
            at=timezone.now() - timedelta(days=30 - 3 * number),
            source=f"test:{entry.pk}:{number}:{outcome}",
        )


def test_words_that_the_class_does_not_know_and_the_hardest(
    page, animals, classroom, student, make_person, school
):
    second = make_person(User.Role.STUDENT, school)
    people.join_classroom(classroom=classroom, person=second, role=Membership.Role.STUDENT)
    slon, pas = animals.entries.get(term="slon"), animals.entries.get(term="labud")
    remember(student, slon, Review.Outcome.RIGHT, 6)
    remember(student, pas, Review.Outcome.WRONG, 2)
    assert WordProgress.objects.get(student=student, entry=slon).level >= choice.KNOWN
    students = [student, second]
    unknown = choice.chosen(animals, choice.UNKNOWN, students=students)
    assert slon not in unknown
    assert unknown.count() == animals.entries.count() - 1
    assert list(choice.chosen(animals, choice.HARDEST, students=students)) == [pas]
    # A stranger's class knows nothing of it.
    assert choice.chosen(animals, choice.UNKNOWN, students=[]).count() == animals.entries.count()


def test_new_words_of_this_week(animals):
    Entry.objects.update(created_at=timezone.now() - timedelta(days=8))
    write_rows(vocabulary_list=animals, rows=rows({"vuk": "wolf"}))
    assert [entry.term for entry in choice.chosen(animals, choice.NEW)] == ["vuk"]


def test_words_that_do_not_suit_a_kind_are_named_with_the_kinds_that_they_suit(page, teacher):
    mixed = create_list(
        owner=teacher,
        title="mixed",
        language="hr",
        translation_languages=["en"],
        rows=rows({"medvjed": "bear", "je": "is", "😀": "smile"}),
    )
    write_rows(vocabulary_list=mixed, rows=rows({"labud": ""})[:1])
    mixed.entries.get(term="labud").translations.all().delete()

    def shown(kind):
        return page.post(reverse("puzzle-words", args=[mixed.pk]), {"kind": kind})

    crossword = shown("crossword").context["suits"]
    assert {one.word for one in crossword.unsuitable} == {"labud", "😀"}
    (labud,) = [one for one in crossword.unsuitable if one.word == "labud"]
    assert {kind.slug for kind in labud.others} == {"word-search", "finder"}
    search = shown("word-search")
    assert {one.word for one in search.context["suits"].unsuitable} == {"je", "😀"}
    assert "Crossword" in search.content.decode()
    assert search.context["suits"].usable == 2


def test_words_that_share_no_letters_are_told_before_a_crossword_is_made(page, teacher):
    words = {"mama": "mum", "mapa": "map", "rijeka": "river", "tok": "flow", "fff": "f"}
    apart = create_list(
        owner=teacher,
        title="apart",
        language="hr",
        translation_languages=["en"],
        rows=rows(words),
    )
    suits = page.post(reverse("puzzle-words", args=[apart.pk]), {"kind": "crossword"}).context
    assert [one.word for one in suits["suits"].unsuitable] == ["fff"]
    assert suits["suits"].usable == 4

    chinese = create_list(
        owner=teacher,
        title="apart",
        language="zh",
        translation_languages=["en"],
        rows=rows({"学校": "school", "学生": "student", "老师": "teacher", "苹果": "apple"}),
    )
    shown = page.post(reverse("puzzle-words", args=[chinese.pk]), {"kind": "crossword"})
    assert "at least 3 separate parts" in shown.content.decode()
    assert shown.context["suits"].unsuitable == []


def test_words_that_cannot_be_hidden_beside_the_others_are_told_before_it_is_made(page, teacher):
    nested = create_list(
        owner=teacher,
        title="nested",
        language="en",
        translation_languages=["hr"],
        rows=rows(dict.fromkeys(["and", "hand", "sand", "fish", "grandparents"], "x")),
    )

    def told(words):
        wanted = {"kind": "finder", "finder-words": words, "finder-cols": 10}
        suits = page.post(reverse("puzzle-words", args=[nested.pk]), wanted).context["suits"]
        return suits.usable, {one.word: said(one.reason) for one in suits.unsuitable}

    too_long = {"grandparents": "It has 12 letters, but a row has room for only 10."}
    assert told(3) == (4, too_long)  # any three of the four
    usable, reasons = told(4)
    assert usable == 3
    assert reasons.keys() == {"and", "grandparents"}
    assert "which is in the puzzle" in reasons["and"]


def test_words_that_do_not_suit_take_no_place_of_others(page, animals):
    write_rows(vocabulary_list=animals, rows=rows({f"{a}{b}": "x" for a in "bcd" for b in "aeiou"}))
    for _time in range(3):
        assert len(terms_of(ask(page, animals))) == 6
