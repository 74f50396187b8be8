"""A teacher's first day with a class, and the end of its school year, through the pages."""

from datetime import timedelta

import pytest
from django.utils import timezone

from osmosmjerka.accounts.models import AuditEntry, Classroom
from osmosmjerka.accounts.privacy import retention
from puzzles.models import ClassGoal, Ranking

pytestmark = pytest.mark.django_db

NAMES = "Ema Horvat\nLeon Kovač\nLana Babić"


def add(client, classroom, names=NAMES):
    page = f"/classes/{classroom.pk}/pupils/paste/"
    preview = client.post(page, {"names": names, "shorten": "on"}, follow=True)
    context = preview.content.decode()
    address = next(p.split('"')[0] for p in context.split('action="') if "/add/" in p[:60])
    hidden = context.split('name="mark"')[1].split('value="')[1].split('"')[0]
    lines = {
        part.split('"')[0]: "same" for part in context.split('name="')[1:] if part[:5] == "line-"
    }
    return client.post(address, {"mark": hidden} | lines, follow=True).content.decode()


def undo_buttons(page):
    return [
        part.split('"')[0] for part in page.split('action="')[1:] if "/undo/" in part.split('"')[0]
    ]


def test_the_same_names_twice_add_nobody_and_leave_nothing_to_undo(classroom, teacher, sign_in):
    client = sign_in(teacher)
    assert "3 students added." in add(client, classroom)
    page = add(client, classroom)
    assert "Nobody was added, because nobody in this file is new." in page
    assert "0 students" not in page
    assert len(undo_buttons(page)) == 1


def test_names_that_end_with_a_full_stop_end_a_sentence(classroom, teacher, sign_in):
    client = sign_in(teacher)
    page = add(client, classroom, "Ema Horvat")
    ema = classroom.memberships.get(user__display_name="Ema H.").user
    ema.last_login = timezone.now()
    ema.save(update_fields=["last_login"])
    said = client.post(undo_buttons(page)[0], follow=True).content.decode()
    assert "their accounts have been used: Ema H.<" in said.replace("\n", "").replace(" <", "<")


def test_a_device_was_not_used_before_somebody_logged_in_there(teacher, sign_in):
    client = sign_in(teacher)
    (device,) = client.get("/me/devices/").context["devices"]
    assert device.seen_at >= device.logged_in_at


def test_an_archived_class_offers_nothing_that_it_refuses(classroom, teacher, sign_in):
    client = sign_in(teacher)
    page = f"/classes/{classroom.pk}/"
    goal = {"words": "5", "ends_on": str(timezone.localdate() + timedelta(days=9))}
    offers = ("Play together", "Set goal", "Turn on leaderboard")
    shown = client.get(page).content.decode()
    assert [offer for offer in offers if offer not in shown] == []  # the control
    client.post(f"{page}archive/", {"name": ""})
    shown = client.get(page).content.decode()
    assert [offer for offer in offers if offer in shown] == []
    assert "archived" in shown
    assert client.post(f"{page}goal/", goal).status_code == 404
    assert client.post(f"{page}ranking/", {"on": ""}).status_code == 404
    assert not ClassGoal.objects.exists()
    assert not Ranking.objects.exists()
    client.post(f"{page}restore/")
    assert client.post(f"{page}goal/", goal).status_code == 302
    assert ClassGoal.objects.exists()


def test_a_class_that_was_archived_by_mistake_is_restored(
    classroom, teacher, student, make_puzzle, sign_in
):
    title = make_puzzle().title
    classroom.is_join_open = True
    classroom.save()
    client, page = sign_in(teacher), f"/classes/{classroom.pk}/"
    of_student = sign_in(student)

    def archived_a_year_ago():
        client.post(f"{page}archive/", {"name": ""})
        long_ago = timezone.now() - timedelta(days=400)
        Classroom.objects.update(archived_at=long_ago, erasure_warned_at=long_ago)

    assert title in of_student.get("/").text
    assert "Restore this class" not in client.get(f"{page}people/").text
    archived_a_year_ago()
    assert title not in of_student.get("/").text
    assert "Restore this class" in client.get(f"{page}people/").text
    said = client.post(f"{page}restore/", follow=True).text
    assert "The class was restored: students see its puzzles again. Nobody can join yet." in said
    assert "Restore this class" not in said
    assert title in of_student.get("/").text
    classroom.refresh_from_db()
    assert not classroom.is_join_open
    retention.enforce_retention()
    assert Classroom.objects.filter(pk=classroom.pk).exists()
    said = client.post(f"{page}restore/", follow=True).text  # a second click
    assert "This class is not archived." in said
    assert AuditEntry.objects.filter(action="restored archived class").count() == 1
    archived_a_year_ago()  # the control
    retention.enforce_retention()
    assert not Classroom.objects.filter(pk=classroom.pk).exists()
