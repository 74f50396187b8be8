"""An open class code: a few come in at once, a burst waits for the teacher's yes."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from osmosmjerka.accounts.classrooms import joining
from osmosmjerka.accounts.classrooms import services as classes
from osmosmjerka.accounts.models import JoinRequest, Membership, User
from vocab.models import StudyDay

pytestmark = pytest.mark.database

WAIT = "/join/waiting/"


@pytest.fixture
def own(sign_in, teacher):
    return sign_in(teacher)


@pytest.fixture(autouse=True)
def is_open(classroom):
    classroom.is_join_open = True
    classroom.save()


def join(classroom, name):
    client = Client()
    reply = client.post(f"/c/{classroom.join_code}/join/", {"display_name": name})
    return client, reply


def flood(classroom, count):
    return [join(classroom, f"Child{number}") for number in range(count)]


def students(classroom):
    return classroom.memberships.filter(role=Membership.Role.STUDENT).count()


def answer(own, classroom, page, how):
    ids = re.findall(r'name="request"\s+value="(\d+)"', page)
    return own.post(
        f"/classes/{classroom.pk}/pupils/waiting/", {"request": ids, "answer": how}, follow=True
    ).content.decode()


def people_page(own, classroom):
    return own.get(f"/classes/{classroom.pk}/people/").content.decode()


def test_a_few_students_join_at_once(classroom):
    for _client, reply in flood(classroom, joining.BURST):
        assert "login-card-words" in reply.content.decode()
    assert students(classroom) == 1 + joining.BURST


def test_a_burst_waits_for_the_teacher_and_comes_in_by_itself(classroom, own):
    children = flood(classroom, 30)
    assert students(classroom) == 1 + joining.BURST
    client, reply = children[-1]
    assert reply.url == WAIT
    page = client.get(WAIT).content.decode()
    assert "Your teacher will let you in" in page
    assert 'hx-trigger="every 5s"' in page
    assert "_auth_user_id" not in client.session
    assert client.get("/words/").status_code == 302  # sees nothing of the class yet
    assert client.post(WAIT).url == WAIT  # nor comes in by asking
    page = people_page(own, classroom)
    assert "25 students are waiting to join" in page
    assert "25 students added" in answer(own, classroom, page, "accept")
    assert students(classroom) == 31
    part = client.get(WAIT, headers={"HX-Request": "true"}).content.decode()
    assert "data-submit-now" in part
    assert "<html" not in part
    card = client.post(WAIT).content.decode()
    assert "login-card-words" in card
    assert User.objects.get(pk=client.session["_auth_user_id"]).display_name == "Child29"
    assert client.get("/").status_code == 200


def test_without_the_wait_a_flood_fills_the_class(classroom, monkeypatch):
    """The control."""
    monkeypatch.setattr(joining, "_is_burst", lambda _classroom: False)
    flood(classroom, 30)
    assert students(classroom) == 31


def test_a_slow_flood_waits_as_well(classroom, monkeypatch):
    monkeypatch.setattr(joining, "HOURLY", 3)
    for number in range(6):
        JoinRequest.objects.update(created_at=timezone.now() - timedelta(minutes=1))
        join(classroom, f"Child{number}")
    assert students(classroom) == 4


def test_refused_visitors_leave_no_account(classroom, own):
    children = flood(classroom, 12)
    page = people_page(own, classroom)
    assert "7 requests refused" in answer(own, classroom, page, "refuse")
    assert students(classroom) == 1 + joining.BURST
    client, _reply = children[-1]
    assert "If your teacher did not let you in" in client.get(WAIT).content.decode()
    assert "waiting to join" not in people_page(own, classroom)


def test_only_the_selected_are_let_in(classroom, own):
    flood(classroom, 8)
    chosen = joining.waiting(classroom).get(name="Child6").pk
    path = f"/classes/{classroom.pk}/pupils/waiting/"
    own.post(path, {"request": [chosen], "answer": "accept"})
    assert classroom.members.filter(display_name="Child6").exists()
    assert joining.waiting(classroom).count() == 2


@pytest.mark.parametrize("way", ["close", "code", "archive"])
def test_closing_the_code_ends_the_waiting(classroom, own, way):
    client, _reply = flood(classroom, 8)[-1]
    path, body = {
        "close": ("change/", {"name": "6b", "card_language": "hr"}),
        "code": ("code/", {}),
        "archive": ("archive/", {}),
    }[way]
    own.post(f"/classes/{classroom.pk}/{path}", body)
    assert not joining.waiting(classroom).exists()
    assert "You are not waiting" in client.get(WAIT).content.decode()


def test_an_impatient_student_waits_once(classroom):
    client, _reply = flood(classroom, 6)[-1]
    for _again in range(3):
        client.post(f"/c/{classroom.join_code}/join/", {"display_name": "Child5"})
    assert joining.waiting(classroom).count() == 1


def test_a_card_is_handed_out_once(classroom, own):
    client, _reply = flood(classroom, 6)[-1]
    request = joining.waiting(classroom).get()
    answer(own, classroom, people_page(own, classroom), "accept")
    assert joining.come_in(request=request) is not None
    assert joining.come_in(request=request) is None
    assert client.post(WAIT).url == WAIT


def test_who_waits_has_a_place_in_the_class(classroom, monkeypatch):
    monkeypatch.setattr(classes, "MAX_STUDENTS", 8)
    flood(classroom, 12)
    assert students(classroom) + joining.waiting(classroom).count() == 8


def test_a_flood_is_taken_out_in_one_click(classroom, own):
    flood(classroom, 12)
    answer(own, classroom, people_page(own, classroom), "accept")
    played = User.objects.get(display_name="Child3")
    StudyDay.objects.create(student=played, day=timezone.now().date())
    page = people_page(own, classroom)
    assert "12 students joined with the class code in the last hour" in page
    form = page[page.index("/pupils/joined/") :]
    ids = re.findall(r'name="student"\s+value="(\d+)"', form[: form.index("</form>")])
    sent = {"student": ids}
    page = own.post(f"/classes/{classroom.pk}/pupils/joined/", sent, follow=True).content.decode()
    assert "12 students removed" in page
    assert "because their accounts have been used: Child3." in page
    assert students(classroom) == 1
    assert User.objects.filter(role="student").count() == 2  # the class's own, and who played


def test_only_who_has_just_joined_is_taken_out(classroom, own, student):
    flood(classroom, 2)
    JoinRequest.objects.filter(name="Child0").update(created_at=timezone.now() - timedelta(hours=2))
    ids = [*classroom.members.values_list("pk", flat=True)]
    own.post(f"/classes/{classroom.pk}/pupils/joined/", {"student": ids})
    names = set(classroom.members.filter(role="student").values_list("display_name", flat=True))
    assert names == {"Luka", "Child0"}


def test_requests_are_gone_after_a_day(classroom):
    flood(classroom, 8)
    JoinRequest.objects.update(created_at=timezone.now() - timedelta(hours=25))
    flood(classroom, 1)
    joining.purge()
    assert JoinRequest.objects.count() == 1
