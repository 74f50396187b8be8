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
from tests.puzzles.assignments.filling import fields_of, opened, sent, shown
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


def ask(page, vocabulary_list, kind="word-search", query=None, **wanted):
    """Create a puzzle as the page does; return it as its job leaves it.

    *query* is what a link passes on; *wanted* are changes that are shown before it is sent.
    """
    fields = opened(page, use="paper", vocabulary_list=vocabulary_list.pk, kind=kind, **query or {})
    if wanted:
        fields = shown(page, fields, **wanted)
    answer = sent(page, fields)
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
    fields = fields_of(page.get(bulk.url))
    assert fields["which"] == ["ticked"]
    assert sorted(map(int, fields["entries"])) == sorted(ticked)
    assert terms_of(ask(page, animals, query={"entries": ticked})) == BIRDS


def test_the_search_of_the_list_goes_along(page, animals):
    tag(animals, "birds", *BIRDS)
    listed = page.get(reverse("list", args=[animals.pk]), {"tag": "birds"}).content.decode()
    address = f"{reverse('assign')}?vocabulary_list={animals.pk}"
    assert f'href="{address}&amp;tag=birds"' in listed
    assert opened(page, vocabulary_list=animals.pk, tag="birds")["which"] == ["found"]
    assert terms_of(ask(page, animals, query={"tag": "birds"})) == BIRDS
    # and is still known when something else was changed
    assert terms_of(ask(page, animals, query={"tag": "birds"}, title="Monday")) == BIRDS


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_what_is_selected_is_in_it_and_nothing_else(kind, page, animals):
    wanted = {"krokodil", "zmija", "slon", "labud"}
    keys = [entry.pk for entry in animals.entries.filter(term__in=wanted)]
    for _time in range(3):
        assert terms_of(ask(page, animals, kind, which="ticked", entries=keys)) == wanted


def test_a_choice_without_words_is_refused(page, animals):
    fields = opened(page, use="paper", vocabulary_list=animals.pk)
    answer = sent(page, shown(page, fields, which="hardest"))
    assert "Select at least one word." in answer.content.decode()
    assert not Puzzle.objects.exists()


def test_a_choice_by_what_the_class_knows_says_why_it_has_no_words_or_all(
    page, animals, classroom, student
):
    def note(which):
        fields = opened(page, vocabulary_list=animals.pk, classroom=classroom.pk)
        fields |= {"which": [which], "show": [""]}
        return page.post(reverse("assign"), fields).context["note"]

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


def test_as_many_words_as_wanted_are_selected(page, animals):
    fields = opened(page, use="paper", vocabulary_list=animals.pk)
    assert len(shown(page, fields, number=7)["entries"]) == 7


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

    def seen(kind):
        return page.get(reverse("assign"), {"vocabulary_list": mixed.pk, "kind": kind})

    crossword = seen("crossword").context["suits"]
    assert {one.word for one in crossword.unsuitable} == {"labud", "😀"}
    (labud,) = [one for one in crossword.unsuitable if one.word == "labud"]
    assert {kind.slug for kind in labud.others} == {"word-search", "finder"}
    search = seen("word-search")
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
    asked = {"vocabulary_list": apart.pk, "kind": "crossword"}
    suits = page.get(reverse("assign"), asked).context["suits"]
    assert [one.word for one in suits.unsuitable] == ["fff"]
    assert suits.usable == 4

    chinese = create_list(
        owner=teacher,
        title="apart",
        language="zh",
        translation_languages=["en"],
        rows=rows({"学校": "school", "学生": "student", "老师": "teacher", "苹果": "apple"}),
    )
    told = page.get(reverse("assign"), asked | {"vocabulary_list": chinese.pk})
    assert "at least 3 separate parts" in told.content.decode()
    assert told.context["suits"].unsuitable == []


def test_words_that_cannot_be_hidden_beside_the_others_are_told_before_it_is_made(page, teacher):
    nested = create_list(
        owner=teacher,
        title="nested",
        language="en",
        translation_languages=["hr"],
        rows=rows(dict.fromkeys(["and", "hand", "sand", "fish", "sandwich"], "x")),
    )

    def told(*terms):
        ticked = nested.entries.filter(term__in=terms).values_list("pk", flat=True)
        asked = {"vocabulary_list": nested.pk, "kind": "finder", "entries": list(ticked)}
        suits = page.get(reverse("assign"), asked).context["suits"]
        return suits.usable, {one.word: said(one.reason) for one in suits.unsuitable}

    assert told("hand", "sand", "fish") == (3, {})
    usable, reasons = told("and", "hand", "sand", "fish")
    assert usable == 3
    assert reasons.keys() == {"and"}
    assert "which is in the puzzle" in reasons["and"]


def test_words_that_do_not_suit_take_no_place_of_others(teacher, animals):
    write_rows(vocabulary_list=animals, rows=rows({f"{a}{b}": "x" for a in "bcd" for b in "aeiou"}))
    for _time in range(3):
        puzzle = making.request_puzzle(
            vocabulary_list=animals, kind="word-search", created_by=teacher, settings={"words": 6}
        )
        ledger.run_job(str(making.job_of(puzzle).pk))
        assert len(terms_of(puzzle)) == 6
