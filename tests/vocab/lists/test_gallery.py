"""The gallery: teachers find lists that others share, and copy them."""

import re

import pytest

from osmosmjerka.accounts.models import User
from tests.conftest import rows
from vocab.lists import sharing
from vocab.lists.services import create_list
from vocab.models import VocabularyList

pytestmark = pytest.mark.django_db


@pytest.fixture
def shared(animals, teacher, stranger):
    """Lists by title: of the teacher, of one of another school, and private ones."""

    def make(title, owner, language, count, visibility):
        return create_list(
            owner=owner, title=title, language=language, translation_languages=["en"],
            visibility=visibility, rows=rows({f"riječ{n}": f"word {n}" for n in range(count)}),
        )  # fmt: skip

    make("Moja", teacher, "hr", 3, "public")
    make("School only", teacher, "hr", 3, "school")
    make("Große", stranger, "de", 30, "public")
    make("Kleine", stranger, "de", 3, "public")
    make("Secret", stranger, "de", 3, "private")
    make("By name", stranger, "pl", 3, "private")
    sharing.share_list(
        vocabulary_list=VocabularyList.objects.get(title="By name"),
        teacher=teacher,
        may_edit=False,
    )


def titles(page):
    return set(re.findall(r'<a href="/lists/\d+/" lang="[^"]*">([^<]*)</a>', page.content.decode()))


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", {"Große", "Kleine", "By name"}),
        ("?q=grosse", {"Große"}),
        ("?language=pl", {"By name"}),
        ("?language=de&size=small", {"Kleine"}),
        ("?size=medium", {"Große"}),
        ("?size=large", set()),
    ],
)
def test_a_teacher_finds_what_others_share(query, found, shared, teacher, sign_in):
    assert titles(sign_in(teacher).get(f"/lists/gallery/{query}")) == found


def test_admins_do_not_find_what_nobody_shared(shared, make_person, other_school, sign_in):
    admin = make_person(User.Role.SCHOOL_ADMIN, other_school)
    assert titles(sign_in(admin).get("/lists/gallery/")) == {"Große", "Kleine", "Moja"}


def test_a_list_is_copied_by_one_click(shared, teacher, sign_in):
    client = sign_in(teacher)
    page = client.get("/lists/gallery/?q=kleine").content.decode()
    client.post(re.search(r'action="(/lists/\d+/copy/)"', page)[1])
    assert VocabularyList.objects.get(owner=teacher, title="Kleine").entries.count() == 3
