"""A teacher shows the class that a list is complete: by how many, never by whom."""

from datetime import timedelta

import pytest
from django.utils import timezone

from puzzles.models import CompleteList, SharedCompleteList

pytestmark = [pytest.mark.django_db, pytest.mark.database]


@pytest.fixture
def complete(make_puzzle, animals, student, mia):
    """A list of the class of which both students know all words, one of them for weeks."""
    make_puzzle()
    for person, level in ((student, 3), (mia, 3), (mia, 4)):
        CompleteList.objects.create(student=person, vocabulary_list=animals, level=level)
    return animals


def press(client, classroom, vocabulary_list, do="show"):
    return client.post(
        f"/classes/{classroom.pk}/complete/", {"list": vocabulary_list.pk, "do": do}, follow=True
    )


def test_the_class_sees_how_many_know_a_list_after_its_teacher_showed_it(
    complete, classroom, teacher, student, mia, sign_in
):
    client = sign_in(teacher)
    assert "Show it to the class" in client.get(f"/classes/{classroom.pk}/").text
    board = f"/classes/{classroom.pk}/lesson/board/"
    assert "all words of" not in client.get(board).text
    page = press(client, classroom, complete)
    assert "Do not show it any more" in page.text
    shown = " ".join(client.get(board).text.split())
    assert f"1 student knows all words of <bdi>{complete.title}</bdi>." in shown
    assert student.display_name not in shown
    assert mia.display_name not in shown
    press(client, classroom, complete, "take back")
    assert "all words of" not in client.get(board).text


def test_it_is_shown_once_and_for_two_weeks(complete, classroom, teacher, sign_in):
    client = sign_in(teacher)
    for _time in range(2):
        press(client, classroom, complete)
    assert SharedCompleteList.objects.count() == 1
    SharedCompleteList.objects.update(at=timezone.now() - timedelta(days=15))
    assert "all words of" not in client.get(f"/classes/{classroom.pk}/lesson/board/").text


def test_a_list_that_nobody_completed_is_not_shown(
    make_puzzle, animals, classroom, teacher, sign_in
):
    make_puzzle()
    page = press(sign_in(teacher), classroom, animals)
    assert "No student has completed this list lately." in page.text
    assert not SharedCompleteList.objects.exists()


def test_a_program_shows_it_and_takes_it_back(complete, classroom, teacher, sign_in):
    client, address = sign_in(teacher), f"/api/classes/{classroom.pk}/complete/"
    assert client.get(address).json() == [
        {"list": complete.pk, "title": complete.title, "level": 4, "students": 1, "is_shown": False}
    ]
    for is_shown in (True, False):
        wanted = {"list": complete.pk, "is_shown": is_shown}
        [found] = client.put(address, wanted, content_type="application/json").json()
        assert found["is_shown"] == is_shown
