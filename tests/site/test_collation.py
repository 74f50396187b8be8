"""Names sort as the reader's language does and words as their list's, on both databases."""

import csv
import io
import re

import icu
import pytest
from django.conf import settings as project
from django.test import Client
from django.utils import timezone, translation

from osmosmjerka.accounts import people
from osmosmjerka.accounts.models import Classroom, Membership, School, User
from osmosmjerka.db import collation
from osmosmjerka.db.collation import Alphabetical, sort_key
from puzzles.models import Assignment, Puzzle
from tests.conftest import rows
from tests.names import LANGUAGES, names
from vocab.lists import services as lists
from vocab.memory import reviews
from vocab.models import VocabularyList

pytestmark = [pytest.mark.django_db, pytest.mark.database]

F1 = ["Ana", "anđela", "Čedo", "Ćiro", "Đurđa", "Łukasz", "Šime", "Zvonko", "Željka"]
F2 = [
    "cesta",
    "čaj",
    "ćuk",
    "dom",
    "đak",
    "luk",
    "ljeto",
    "nos",
    "njuška",
    "sat",
    "šuma",
    "zec",
    "žaba",
]


def sorted_by_icu(texts, language):
    return sorted(texts, key=icu.Collator.createInstance(icu.Locale(language)).getSortKey)


@pytest.fixture
def enrol(classroom):
    """Put students of these names into the class, which had one, in this order."""

    def enrol(shown):
        classroom.memberships.filter(role=Membership.Role.STUDENT).delete()
        made = User.objects.bulk_create(
            User(username=f"s{n}", display_name=name, school=classroom.school, role="student")
            for n, name in enumerate(shown)
        )
        Membership.objects.bulk_create(Membership(classroom=classroom, user=one) for one in made)
        return made

    return enrol


@pytest.fixture
def give_words(classroom, teacher):
    """Give the class a list of these words in *language*."""

    def give(words, language):
        made = lists.create_list(
            owner=teacher,
            title=language,
            language=language,
            translation_languages=["en"],
            rows=rows(dict.fromkeys(words, "meaning")),
        )
        puzzle = Puzzle.objects.create(
            vocabulary_list=made, kind="word-search", created_by=teacher, seed=1
        )
        Assignment.objects.create(classroom=classroom, puzzle=puzzle, created_by=teacher)
        return made

    return give


@pytest.fixture
def reads(sign_in, settings):
    """Return the client of somebody who reads in any language that Django speaks."""
    settings.LANGUAGES = [*settings.LANGUAGES, ("de", "de"), ("tr", "tr"), ("el", "el")]

    def reads(person, language):
        client = sign_in(person)
        client.cookies[settings.LANGUAGE_COOKIE_NAME] = language
        return client

    return reads


def people_of(client, classroom):
    page = client.get(f"/classes/{classroom.pk}/people/")
    return [str(membership.user) for membership in page.context["students"]]


def words_of(client, classroom):
    """Return the words of all pages of the class's map, by the alphabet."""
    terms, number = [], 1
    while True:
        page = client.get(
            f"/classes/{classroom.pk}/progress/", {"words": "alphabet", "page": number}
        ).context["page"]
        terms += [line.entry.term for line in page]
        if not page.has_next():
            return terms
        number += 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_500_students_are_listed_as_the_readers_language_sorts_them(
    language, enrol, classroom, teacher, reads
):
    enrol(names(language))
    shown = people_of(reads(teacher, language), classroom)
    assert shown == sorted_by_icu(names(language), language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_500_words_are_listed_as_their_own_language_sorts_them(
    language, give_words, classroom, teacher, reads
):
    terms = give_words(names(language), language).entries.values_list("term", flat=True)
    assert len(terms) > 450
    shown = words_of(reads(teacher, "en"), classroom)
    assert shown == sorted_by_icu(terms, language)


@pytest.fixture
def without_collation(monkeypatch):
    """Texts are compared as they were before: code point by code point."""
    monkeypatch.setattr(collation, "_key_function", lambda language: str.encode)
    monkeypatch.setattr(collation, "_collation", lambda alias, language: "C")


@pytest.mark.parametrize("language", LANGUAGES)
def test_without_the_collation_they_are_not(
    language, enrol, give_words, classroom, teacher, reads, without_collation
):
    """The control of the two tests before."""
    enrol(names(language)[:50])
    give_words(names(language)[50:100], language)
    client = reads(teacher, language)
    for shown in (people_of(client, classroom), words_of(client, classroom)):
        assert len(shown) > 40
        assert shown == sorted(shown) != sorted_by_icu(shown, language)


def heads_of_map(client, classroom):
    page = client.get(f"/classes/{classroom.pk}/progress/")
    return [str(line.student) for line in page.context["students"]]


def heads_of_csv(client, classroom):
    file = client.get(f"/classes/{classroom.pk}/progress.csv").content.decode("utf-8-sig")
    heads = next(csv.reader(io.StringIO(file), delimiter=";"))[6:]
    return [head.rpartition(":")[0] for head in heads]


def choices_of_assignment(client, classroom):
    assignment = classroom.assignments.get()
    page = client.get(f"/classes/{classroom.pk}/assignments/{assignment.pk}/edit/")
    with translation.override("hr"):  # choices are sorted when they are shown
        return [label for _value, label in page.context["form"].fields["chosen_students"].choices]


def printed_cards(client, classroom):
    page = client.post(f"/classes/{classroom.pk}/cards/", {"which": "all"})
    return [str(card.student) for card, _code in page.context["cards"]]


def names_at_the_door(client, classroom):
    classroom.uses_pictures = True
    classroom.save()
    page = Client().get(f"/c/{classroom.join_code}/", headers={"Accept-Language": "hr"})
    return [str(student) for student in page.context["students"]]


def page_of_class(client, classroom):
    page = client.get(f"/classes/{classroom.pk}/")
    return [str(student) for student in page.context["students"]]


def answer_of_api(client, classroom):
    answer = client.get(f"/api/classes/{classroom.pk}/progress/").json()
    return [student["name"] for student in answer["students"]]


@pytest.mark.parametrize(
    "listed",
    [
        people_of,
        page_of_class,
        heads_of_map,
        heads_of_csv,
        choices_of_assignment,
        printed_cards,
        names_at_the_door,
        answer_of_api,
    ],
)
def test_croatian_names_have_their_places_wherever_a_class_is_listed(
    listed, enrol, give_words, classroom, teacher, reads
):
    enrol(sorted(F1))
    give_words(["riječ"], "hr")
    assert listed(reads(teacher, "hr"), classroom) == F1


def test_croatian_words_have_their_places(give_words, classroom, teacher, reads):
    give_words(sorted(F2), "hr")
    assert words_of(reads(teacher, "en"), classroom) == F2


def test_words_of_several_languages_sort_as_the_reader_does(give_words, classroom, teacher, reads):
    give_words(["čaj", "cuk"], "hr")
    give_words(["cza", "ćma"], "pl")
    assert words_of(reads(teacher, "hr"), classroom) == ["cuk", "cza", "čaj", "ćma"]
    assert words_of(reads(teacher, "pl"), classroom) == ["čaj", "cuk", "cza", "ćma"]


def test_each_reader_sees_the_order_of_their_own_language(enrol, classroom, teacher, reads):
    """Č is a letter in Croatian; a Polish reader looks for it under C."""
    enrol(["Czesław", "Čedo", "Cezary", "Ćiro"])
    assert people_of(reads(teacher, "hr"), classroom) == ["Cezary", "Czesław", "Čedo", "Ćiro"]
    assert people_of(reads(teacher, "pl"), classroom) == ["Čedo", "Cezary", "Czesław", "Ćiro"]


def test_people_of_one_name_stay_in_the_order_in_which_they_came(enrol, classroom, teacher, reads):
    made = enrol(["Iva", "Ana", "Iva", "Iva"])
    page = reads(teacher, "hr").get(f"/classes/{classroom.pk}/people/")
    shown = [membership.user_id for membership in page.context["students"]]
    assert shown == [made[number].pk for number in (1, 0, 2, 3)]


def test_who_has_no_shown_name_stands_where_the_username_would(classroom, teacher, reads, school):
    admin = User.objects.create(username="đuro", role="school_admin", school=school)
    for name in ("Elza", "Dora"):
        User.objects.create(username=name, display_name=name, role="teacher", school=school)
    page = reads(admin, "hr").get(f"/schools/{school.pk}/")
    assert [str(one) for one in page.context["teachers"]] == ["Ana", "Dora", "đuro", "Elza"]


def test_who_was_active_and_what_is_known_alike_are_sorted_too(
    enrol, give_words, classroom, teacher, reads
):
    made = enrol(sorted(F1))
    entries = give_words(sorted(F2), "hr").entries.all()
    at = timezone.now()
    for person in made[::-1]:
        for entry in entries if person == made[0] else entries[:1]:
            reviews.review(
                student=person, entry=entry, mode="typed", skill="meaning_to_form",
                outcome="wrong", at=at,
                source=f"{person.pk}:{entry.pk}",
            )  # fmt: skip
    [day] = reads(teacher, "hr").get(f"/classes/{classroom.pk}/progress/").context["activity"]
    assert [str(student) for student in day.students] == F1
    page = reads(made[0], "en").get("/words/?sort=need").context["page"]
    assert [word.entry.term for word in page] == F2


def options(page, name):
    """Return the texts of a select, without its empty choice."""
    pattern = rf'<select[^>]* name="{name}".*?</select>'
    [select] = re.findall(pattern, page.content.decode(), re.DOTALL)
    texts = re.findall(r'<option value="\d+"[^>]*>(.*?)</option>', select, re.DOTALL)
    return [text.strip() for text in texts]


def test_classes_and_lists_sort_by_their_names(teacher, reads, animals):
    Classroom.objects.all().delete()
    for name in ("Šibenik", "Zadar", "Sinj", "Čakovec", "Cavtat"):
        people.create_classroom(name=name, owner=teacher)
    shown = ["Cavtat", "Čakovec", "Sinj", "Šibenik", "Zadar"]
    client = reads(teacher, "hr")
    for path in ("/classes/", "/"):
        assert [str(one) for one in client.get(path).context["classrooms"]] == shown, path
    assert [str(line.classroom) for line in client.get("/school/").context["lines"]] == shown
    assert [str(one) for one in client.get("/assign/").context["classes"]] == shown
    for title in shown[::-1]:
        lists.create_list(owner=teacher, title=title, language="hr", translation_languages=["en"])
    assert options(client.get("/assign/"), "vocabulary_list")[:5] == shown
    targets = client.get(f"/lists/{animals.pk}/").context["targets"]
    assert [target.title for target in targets] == shown


def test_tags_and_colleagues_of_a_list_sort_by_their_names(teacher, reads, animals, make_person):
    for entry, tag in zip(
        animals.entries.all(), ("šuma", "zrak", "čista voda", "cesta"), strict=False
    ):
        entry.set_tags([tag])
        entry.save()
    client = reads(teacher, "hr")
    page = client.get(f"/lists/{animals.pk}/")
    assert page.context["tags"] == ["cesta", "čista voda", "šuma", "zrak"]
    for name in ("šime", "zvonko", "čedo", "cvita"):
        person = make_person(User.Role.TEACHER, teacher.school, name)
        animals.shares.create(teacher=person)
    shown = [
        str(share.teacher)
        for share in client.get(f"/lists/{animals.pk}/settings/").context["shares"]
    ]
    assert shown == ["Cvita", "Čedo", "Šime", "Zvonko"]
    sent = [share["username"] for share in client.get(f"/api/lists/{animals.pk}/shares/").json()]
    assert sent == ["cvita", "čedo", "šime", "zvonko"]


def test_an_unknown_language_sorts_as_no_language_in_particular():
    assert sorted(["z", "ż", "č", "d", "cz"], key=sort_key("xx")) == ["č", "cz", "d", "z", "ż"]


@pytest.mark.parametrize("montenegrin", ["cnr", "cnr-Latn-ME"])
def test_montenegrin_sorts_as_its_neighbours_do(montenegrin):
    assert sorted(sorted(F2), key=sort_key(montenegrin)) == F2
    assert VocabularyList.objects.order_by(Alphabetical("title", language=montenegrin)).count() == 0


def test_postgresql_is_asked_for_the_nearest_collation_that_it_has(monkeypatch):
    has = {f"{tag}-x-icu" for tag in ("und", "hr", "sr", "sr-Latn", "zh", "zh-Hant", "fil")}
    monkeypatch.setitem(collation._postgresql_collations, "one", frozenset(has))
    monkeypatch.setitem(collation._postgresql_collations, "without ICU", frozenset())
    wanted = {
        "hr-HR": "hr-x-icu",
        "cnr": "sr-Latn-x-icu",
        "cnr-Cyrl": "sr-x-icu",
        "zh-Hant-TW": "zh-Hant-x-icu",
        "tl": "fil-x-icu",
        "xx": "und-x-icu",
    }
    assert {tag: collation._collation("one", tag) for tag in wanted} == wanted
    assert collation._collation("without ICU", "hr") == ""


def test_the_database_orders_by_a_named_language_also_backwards_and_each_once():
    School.objects.bulk_create(School(name=name) for name in sorted(F2))
    found = School.objects.order_by(Alphabetical("name", language="hr"))
    assert [school.name for school in found] == F2
    assert [school.name for school in found.reverse().distinct()] == F2[::-1]


PLAIN_ORDER = re.compile(
    r"""(?:order_by\(|ordering = \[)[^()\]]*["']-?(?:\w+__)?(?:\w*name|title|term|word)["']"""
)


def test_no_query_orders_by_a_text_as_it_is_stored():
    found = [
        f"{path.relative_to(project.BASE_DIR)}: {match[0]}"
        for part in ("osmosmjerka", "vocab", "puzzles")
        for path in (project.BASE_DIR / part).rglob("*.py")
        if path.parent.name != "migrations"
        for match in PLAIN_ORDER.finditer(path.read_text(encoding="utf-8"))
    ]
    assert found == []


@pytest.mark.parametrize(
    "line", ['.order_by("role", "user__display_name")', 'ordering = ["-name", "pk"]']
)
def test_such_an_order_is_found(line):
    """The control of the test before."""
    assert PLAIN_ORDER.search(line)
    assert not PLAIN_ORDER.search('.order_by(Alphabetical("name"), "pk")')
