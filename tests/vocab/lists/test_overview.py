"""The overview of lists: searched, by tag, in order; and back from the bin."""

import pytest
from django.urls import reverse

from osmosmjerka.accounts.models import User
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
        for each, match in page.get(reverse("list-overview"), query).context["cards"]
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
