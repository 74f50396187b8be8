"""The overview of lists: searched, by tag, in order; and back from the bin."""

import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from osmosmjerka.accounts.models import User
from puzzles.play import services as play
from tests.conftest import rows
from vocab.lists import services as list_services
from vocab.models import VocabularyList

pytestmark = [pytest.mark.django_db, pytest.mark.database]


@pytest.fixture
def page(sign_in, teacher):
    return sign_in(teacher)


def make_list(owner, title, words=None, **more):
    return list_services.create_list(
        owner=owner,
        title=title,
        language="hr",
        translation_languages=["en"],
        rows=rows(words or {}),
        **more,
    )


def found(page, **query):
    return [
        (each.title, [entry.term for entry in match.entries] if match else [])
        for each, match, _cover in page.get(reverse("list-overview"), query).context["cards"]
    ]


def test_titles_and_words_are_searched_without_accents_and_by_translation(page, teacher, school):
    make_list(teacher, "Kuća i dom", {"stol": "table"})
    make_list(teacher, "Hrana", {"kuhača": "wooden spoon", "čaša": "glass"})
    make_list(teacher, "Staro", {"žlica": "spoon"})
    VocabularyList.objects.filter(title="Staro").update(title="Odlazi")
    assert found(page, q="KUCA") == [("Kuća i dom", [])]
    assert found(page, q="casa") == [("Hrana", ["čaša"])]
    assert found(page, q="spoon", sort="name") == [("Hrana", ["kuhača"]), ("Odlazi", ["žlica"])]
    assert found(page, q="wooden glass") == []  # no one word has both
    assert "No lists match" in page.get(reverse("list-overview"), {"q": "xyz"}).content.decode()


def test_only_what_one_may_see_is_found(page, teacher, stranger, make_person, school):
    make_list(stranger, "Tajna", {"lisica": "fox"})
    colleague = make_person(User.Role.TEACHER, school)
    make_list(colleague, "Školska", {"lisica": "fox"}, visibility="school")
    gone = make_list(teacher, "Obrisana", {"lisica": "fox"})
    list_services.delete_list(vocabulary_list=gone, actor=teacher)
    own = make_list(teacher, "Vlastita", {"lisica": "fox"})
    own.entries.get().delete()
    assert found(page, q="lisica") == [("Školska", ["lisica"])]


def test_of_many_words_found_the_first_are_shown_and_the_rest_are_counted(page, teacher):
    make_list(teacher, "Mnogo", {f"riječ {n}": f"word {n}" for n in range(8)})
    text = page.get(reverse("list-overview"), {"q": "rijec"}).content.decode()
    assert "riječ 4" in text and "riječ 5" not in text
    assert "and 3 more words" in text


def test_lists_have_tags_by_which_they_are_found(page, teacher):
    make_list(teacher, "A", tags=["5. razred", "jesen"])
    make_list(teacher, "B", tags=["5. razred"])
    make_list(teacher, "C", tags=["15. razred"])
    shown = page.get(reverse("list-overview"))
    assert shown.context["tags"] == ["5. razred", "15. razred", "jesen"] or shown.context[
        "tags"
    ] == ["15. razred", "5. razred", "jesen"]
    assert found(page, tag="5. razred", sort="name") == [("A", []), ("B", [])]
    assert found(page, tag="jesen") == [("A", [])]
    api = page.get("/api/lists/", {"tag": "jesen"}).json()
    assert [each["tags"] for each in api.get("results", api)] == [["5. razred", "jesen"]]


def test_lists_are_sorted_by_last_change_or_by_name(page, teacher):
    first = make_list(teacher, "Čaj")
    for title in ("Dom", "Cesta"):
        make_list(teacher, title)
    list_services.update_list(vocabulary_list=first, description="new")
    page.cookies["django_language"] = "hr"
    assert [title for title, _ in found(page)] == ["Čaj", "Cesta", "Dom"]
    assert [title for title, _ in found(page, sort="name")] == ["Cesta", "Čaj", "Dom"]


def test_two_hundred_lists_come_page_by_page_and_keep_the_search(page, teacher):
    lists = [
        VocabularyList(owner=teacher, title=f"Lekcija {n}", language="hr", search=f"lekcija {n}")
        for n in range(200)
    ]
    VocabularyList.objects.bulk_create(lists)
    shown = page.get(reverse("list-overview"), {"q": "lekcija", "page": 2})
    assert len(shown.context["cards"]) == 50
    assert "q=lekcija&amp;page=3" in shown.content.decode()


def test_a_deleted_list_comes_back_by_undo_in_the_message(page, animals):
    shown = page.post(reverse("list-delete", args=[animals.pk]), follow=True)
    text = shown.content.decode()
    address = reverse("bin-restore", args=["lists", animals.pk])
    assert f'action="{address}"' in text
    assert f'href="{reverse("bin")}"' in text
    back = page.post(address, {"next": reverse("list-overview")})
    assert back.url == reverse("list-overview")
    assert VocabularyList.objects.filter(pk=animals.pk).exists()


def test_undo_leads_to_no_other_site(page, animals):
    page.post(reverse("list-delete", args=[animals.pk]))
    address = reverse("bin-restore", args=["lists", animals.pk])
    assert page.post(address, {"next": "https://evil.example/"}).url == reverse("bin")


def last_told(page):
    """Return what each list's card says of it last, by the list's title."""
    reply = page.get(reverse("list-overview"))
    titles = [each.title for each, _match, _cover in reply.context["cards"]]
    told = re.findall(r'<p class="small muted">(.*?)</p>', reply.text, re.S)
    return dict(zip(titles, (" ".join(one.split()) for one in told), strict=True))


def test_a_list_shows_its_words_first_letters_and_no_word(page, teacher):
    made = make_list(teacher, "Hrana", {"ljubav": "love", "čaša": "glass"})
    reply = page.get(reverse("list-overview"))
    [(_list, _match, cover)] = reply.context["cards"]
    assert [letter for letter, _x, _y in cover.squares] == ["LJ", "Č", *[""] * 13]
    assert f"list-colour-{made.colour}" in reply.text
    assert "čaša" not in reply.text


def test_letters_of_a_language_from_right_to_left_begin_on_the_right(page, teacher):
    list_services.create_list(
        owner=teacher, title="x", language="ar", translation_languages=["en"],
        rows=rows({"باب": "door", "قلم": "pen"}),
    )  # fmt: skip
    [(_list, _match, cover)] = page.get(reverse("list-overview")).context["cards"]
    (_first, right, _), (_second, left, _) = cover.squares[:2]
    assert right > left


def test_a_list_tells_what_happened_with_it_last(page, teacher, animals, make_puzzle, student, mia):
    make_list(teacher, "Hrana", {"čaša": "glass"})
    assert last_told(page) == {animals.title: "Changed today", "Hrana": "Changed today"}
    puzzle = make_puzzle()
    puzzle.assignments.update(due_at=timezone.now() + timedelta(days=3))
    assert last_told(page)[animals.title].startswith("Assigned, due ")
    for person in (student, mia):
        play.open_session(puzzle=puzzle, student=person)
    assert last_told(page)[animals.title] == "Played by 2 students today"
    assert last_told(page)["Hrana"] == "Changed today"


def test_what_others_classes_do_with_a_shared_list_is_not_told(
    sign_in, animals, make_puzzle, student, make_person, school
):
    play.open_session(puzzle=make_puzzle(), student=student)
    VocabularyList.objects.update(visibility=VocabularyList.Visibility.SCHOOL, school=school)
    other = sign_in(make_person(User.Role.TEACHER, school, "vid"))
    assert last_told(other) == {animals.title: "Changed today"}
