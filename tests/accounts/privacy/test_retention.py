"""A class is deleted only after somebody who can keep it was warned, by mail or on a page."""

import logging
from datetime import timedelta

import pytest
from django.core.mail.backends.base import BaseEmailBackend
from django.utils import timezone

from osmosmjerka.accounts import people
from osmosmjerka.accounts.models import AuditEntry, Classroom, User
from osmosmjerka.accounts.privacy import retention

pytestmark = pytest.mark.django_db

CONSOLE = "django.core.mail.backends.console.EmailBackend"
MEMORY = "django.core.mail.backends.locmem.EmailBackend"


class Away(BaseEmailBackend):
    """A mail server that cannot be reached."""

    def send_messages(self, messages):
        if not self.fail_silently:
            raise ConnectionRefusedError
        return 0


AWAY = f"{__name__}.Away"


@pytest.fixture
def ended(classroom, teacher):
    """A class that was archived long ago, whose owner has an address."""
    teacher.email = "ana@school.example"
    teacher.save()
    Classroom.objects.update(archived_at=timezone.now() - timedelta(days=400))
    classroom.refresh_from_db()
    return classroom


def days_pass(days):
    """Move what is noted of the class back, as if *days* had passed."""
    for classroom in Classroom.objects.all():
        for name in ("archived_at", "erasure_warned_at", "erasure_seen_at"):
            at = getattr(classroom, name)
            setattr(classroom, name, at and at - timedelta(days=days))
        classroom.save()


def is_there(classroom, student):
    there = Classroom.objects.filter(pk=classroom.pk).exists()
    assert there == User.objects.filter(pk=student.pk).exists()
    return there


@pytest.mark.parametrize("backend", [AWAY, CONSOLE, "no address"])
def test_a_class_of_which_nobody_could_be_warned_is_never_deleted(
    backend, ended, student, teacher, settings, caplog
):
    if backend == "no address":
        User.objects.update(email="")
    else:
        settings.EMAIL_BACKEND = backend
    for _day in range(3):
        assert retention.enforce_retention()["unwarned"] == 1
        days_pass(40)
    assert is_there(ended, student)
    errors = [record for record in caplog.records if record.levelno == logging.ERROR]
    assert len(errors) == 3
    assert "ana@" not in caplog.text
    settings.EMAIL_BACKEND = MEMORY  # it works again: then the 30 days begin
    User.objects.filter(pk=teacher.pk).update(email="ana@school.example")
    assert retention.enforce_retention()["warned"] == 1
    days_pass(29)
    assert retention.enforce_retention()["erased"] == 0
    days_pass(2)
    assert retention.enforce_retention()["erased"] == 1
    assert not is_there(ended, student)


def test_if_a_mail_counted_that_never_left_the_class_would_be_gone(
    ended, student, settings, monkeypatch
):
    """The control."""
    settings.EMAIL_BACKEND = AWAY
    monkeypatch.setattr(retention.mail, "send_or_warn", lambda *arguments, **about: True)
    retention.enforce_retention()
    days_pass(31)
    assert retention.enforce_retention()["erased"] == 1
    assert not is_there(ended, student)


PAGES = {"home": "/", "people": "/classes/{classroom.pk}/people/"}


@pytest.mark.parametrize("page", PAGES)
def test_without_mail_a_page_that_was_opened_is_the_warning(
    page, ended, student, teacher, sign_in, settings
):
    settings.EMAIL_BACKEND = CONSOLE
    retention.enforce_retention()
    text = sign_in(teacher).get(PAGES[page].format(classroom=ended)).content.decode()
    assert "6b" in text and "will be permanently deleted on" in text
    assert f"/classes/{ended.pk}/keep/" in text
    seen = AuditEntry.objects.get(action="warned of erasure")
    assert (seen.subject_id, seen.detail) == (ended.pk, {"shown_to": teacher.pk})
    for days, is_kept in ((29, True), (2, False)):
        days_pass(days)
        sign_in(teacher).get("/")  # seen again, which does not begin anew
        retention.enforce_retention()
        assert is_there(ended, student) is is_kept


def test_the_school_page_warns_its_admin(ended, school, make_person, sign_in, settings):
    settings.EMAIL_BACKEND = CONSOLE
    admin = make_person(User.Role.SCHOOL_ADMIN, school)
    text = sign_in(admin).get(f"/schools/{school.pk}/").content.decode()
    assert "will be permanently deleted on" in text
    assert AuditEntry.objects.get(action="warned of erasure").detail == {"shown_to": admin.pk}


def test_what_others_see_is_no_warning(
    ended, student, school, other_school, make_person, sign_in, settings
):
    """Only who can keep the class counts: no co-teacher, no site admin, nobody of elsewhere."""
    settings.EMAIL_BACKEND = CONSOLE
    co, site_admin = (make_person(User.Role.TEACHER, school) for _each in range(2))
    site_admin.is_superuser = site_admin.is_staff = True
    site_admin.save()
    people.join_classroom(classroom=ended, person=co, role="co_teacher")
    other = make_person(User.Role.SCHOOL_ADMIN, other_school)
    for person in (co, site_admin, other, student):
        for path in ("/", f"/classes/{ended.pk}/people/", f"/schools/{school.pk}/"):
            sign_in(person).get(path)
        retention.enforce_retention()
        days_pass(31)
    retention.enforce_retention()
    assert is_there(ended, student)


def test_one_click_keeps_a_class_for_another_period(ended, student, teacher, sign_in, settings):
    retention.enforce_retention()
    client = sign_in(teacher)
    reply = client.post(f"/classes/{ended.pk}/keep/", follow=True)
    assert "is kept until" in reply.content.decode()
    days_pass(31)
    retention.enforce_retention()
    assert is_there(ended, student)
    assert "keep/" not in client.get("/").content.decode()
    assert AuditEntry.objects.filter(action="kept class", actor_id=teacher.pk).exists()
    days_pass(310)
    assert retention.enforce_retention()["warned"] == 1
    days_pass(31)
    assert retention.enforce_retention()["erased"] == 1


def test_a_class_that_runs_is_kept_anyway(classroom, teacher, sign_in):
    reply = sign_in(teacher).post(f"/classes/{classroom.pk}/keep/", follow=True)
    assert "is not archived" in reply.content.decode()
    classroom.refresh_from_db()
    assert classroom.archived_at is None


def test_who_was_shown_a_page_is_mailed_all_the_same(ended, teacher, sign_in, mailoutbox):
    sign_in(teacher).get("/")
    assert retention.enforce_retention()["warned"] == 1
    assert [mail.to for mail in mailoutbox] == [[teacher.email]]
