"""A class is deleted only after somebody who can keep it was warned, by mail or on a page."""

import logging
from datetime import timedelta

import pytest
from django.core.mail.backends.base import BaseEmailBackend
from django.db import transaction
from django.utils import timezone

from osmosmjerka.accounts import people
from osmosmjerka.accounts.auth import tokens
from osmosmjerka.accounts.models import ApiToken, AuditEntry, Classroom, User
from osmosmjerka.accounts.privacy import retention
from osmosmjerka.jobs import ledger
from osmosmjerka.jobs.models import OutsideService
from tests.mailing import deliver

pytestmark = [pytest.mark.django_db, pytest.mark.database]

CONSOLE = "django.core.mail.backends.console.EmailBackend"
MEMORY = "django.core.mail.backends.locmem.EmailBackend"


class Away(BaseEmailBackend):
    """A mail server that cannot be reached."""

    def send_messages(self, messages):
        if not self.fail_silently:
            raise ConnectionRefusedError
        return 0


AWAY = f"{__name__}.Away"


def a_day():
    """Do what is done every day, and send its e-mails; return the counts, also of warnings."""
    ending = Classroom.objects.filter(erasure_warned_at=None)
    before = set(ending.values_list("pk", flat=True))
    counts = retention.enforce_retention()
    for _attempt in range(ledger.MAX_ATTEMPTS):
        OutsideService.objects.all().delete()  # the mail server is tried again at once
        deliver()
    after = set(ending.values_list("pk", flat=True))
    now = timezone.now()
    unwarned = [each for each in ending if retention.is_ending(each, now)]
    there = set(Classroom.objects.values_list("pk", flat=True))
    return counts | {"warned": len((before - after) & there), "unwarned": len(unwarned)}


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
        assert a_day()["unwarned"] == 1
        days_pass(40)
    assert is_there(ended, student)
    errors = [record for record in caplog.records if record.levelno == logging.ERROR]
    assert len(errors) == (2 if backend == AWAY else 3)  # on the first day, there is hope
    assert "ana@" not in caplog.text
    settings.EMAIL_BACKEND = MEMORY  # it works again: then the 30 days begin
    User.objects.filter(pk=teacher.pk).update(email="ana@school.example")
    assert a_day()["warned"] == 1
    days_pass(29)
    assert a_day()["erased"] == 0
    days_pass(2)
    assert a_day()["erased"] == 1
    assert not is_there(ended, student)


def test_if_a_mail_counted_that_never_left_the_class_would_be_gone(
    ended, student, settings, monkeypatch
):
    """The control."""
    settings.EMAIL_BACKEND = AWAY
    monkeypatch.setattr(retention.mail, "_deliver", lambda letter: None)
    a_day()
    days_pass(31)
    assert a_day()["erased"] == 1
    assert not is_there(ended, student)


PAGES = {"home": "/", "people": "/classes/{classroom.pk}/people/"}


@pytest.mark.parametrize("page", PAGES)
def test_without_mail_a_page_that_was_opened_is_the_warning(
    page, ended, student, teacher, sign_in, settings
):
    settings.EMAIL_BACKEND = CONSOLE
    a_day()
    text = sign_in(teacher).get(PAGES[page].format(classroom=ended)).content.decode()
    assert "6b" in text and "will be permanently deleted on" in text
    assert f"/classes/{ended.pk}/keep/" in text
    seen = AuditEntry.objects.get(action="warned of erasure")
    assert (seen.subject_id, seen.detail) == (ended.pk, {"shown_to": teacher.pk})
    for days, is_kept in ((29, True), (2, False)):
        days_pass(days)
        sign_in(teacher).get("/")  # seen again, which does not begin anew
        a_day()
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
        a_day()
        days_pass(31)
    a_day()
    assert is_there(ended, student)


def test_one_click_keeps_a_class_for_another_period(ended, student, teacher, sign_in, settings):
    a_day()
    client = sign_in(teacher)
    reply = client.post(f"/classes/{ended.pk}/keep/", follow=True)
    assert "is kept until" in reply.content.decode()
    days_pass(31)
    a_day()
    assert is_there(ended, student)
    assert "keep/" not in client.get("/").content.decode()
    assert AuditEntry.objects.filter(action="kept class", actor_id=teacher.pk).exists()
    days_pass(310)
    assert a_day()["warned"] == 1
    days_pass(31)
    assert a_day()["erased"] == 1


@pytest.mark.parametrize("way", ["keep", "restore", "nothing"])
def test_a_class_that_is_saved_while_others_are_deleted_stays(
    way, ended, teacher, monkeypatch, sign_in
):
    """The deletion has read which classes end; a teacher presses the button a moment later."""
    other = people.create_classroom(name="chess", owner=teacher)
    Classroom.objects.update(
        archived_at=ended.archived_at, erasure_warned_at=timezone.now() - timedelta(days=40)
    )
    erase, client, erased = retention.privacy.erase_classroom, sign_in(teacher), []

    def erase_slowly(*, classroom, actor):
        if not erased and way != "nothing":
            last = other if classroom == ended else ended
            client.post(f"/classes/{last.pk}/{way}/")
        erased.append(classroom.pk)
        return erase(classroom=classroom, actor=actor)

    monkeypatch.setattr(retention.privacy, "erase_classroom", erase_slowly)
    assert retention.enforce_retention()["erased"] == len(erased) == (2 if way == "nothing" else 1)
    assert Classroom.objects.count() == 2 - len(erased)


def test_a_class_that_runs_is_kept_anyway(classroom, teacher, sign_in):
    reply = sign_in(teacher).post(f"/classes/{classroom.pk}/keep/", follow=True)
    assert "is not archived" in reply.content.decode()
    classroom.refresh_from_db()
    assert classroom.archived_at is None


def test_who_was_shown_a_page_is_mailed_all_the_same(ended, teacher, sign_in, mailoutbox):
    sign_in(teacher).get("/")
    assert a_day()["warned"] == 1
    assert [mail.to for mail in mailoutbox] == [[teacher.email]]


def give_addresses(*persons):
    for person in persons:
        person.email = f"{person.username}@school.example"
        person.save()


def test_the_page_of_one_class_warns_of_that_one_alone(ended, teacher, sign_in, settings):
    settings.EMAIL_BACKEND = CONSOLE
    other = people.create_classroom(name="chess", owner=teacher)
    Classroom.objects.update(archived_at=ended.archived_at)
    page = sign_in(teacher).get(f"/classes/{ended.pk}/people/").content.decode()
    assert f"/classes/{other.pk}/keep/" not in page
    assert [seen.subject_id for seen in AuditEntry.objects.filter(action="warned of erasure")] == [
        ended.pk
    ]
    other.refresh_from_db()
    assert other.erasure_seen_at is None


def test_a_page_tells_of_each_class_in_the_order_in_which_they_go(ended, teacher, sign_in):
    later, running, fresh = (
        people.create_classroom(name=name, owner=teacher) for name in ("later", "runs", "fresh")
    )
    for classroom, days in ((later, 350), (fresh, 10)):
        Classroom.objects.filter(pk=classroom.pk).update(
            archived_at=timezone.now() - timedelta(days=days)
        )
    told = [ending.classroom for ending in retention.show_endings(teacher)]
    assert told == [ended, later]
    assert running not in told
    assert all(ending.at > timezone.now() for ending in retention.show_endings(teacher))


def test_only_owners_are_mailed_and_admins_only_if_no_owner_can_be(
    ended, teacher, school, other_school, make_person, mailoutbox
):
    co, admin, left, foreign = (
        make_person(role, of)
        for role, of in (
            (User.Role.TEACHER, school),
            (User.Role.SCHOOL_ADMIN, school),
            (User.Role.SCHOOL_ADMIN, school),
            (User.Role.SCHOOL_ADMIN, other_school),
        )
    )
    colleague = make_person(User.Role.TEACHER, school)
    people.create_classroom(name="chess", owner=colleague)
    give_addresses(co, admin, left, foreign, colleague)
    left.is_active = False
    left.save()
    people.join_classroom(classroom=ended, person=co, role="co_teacher")
    a_day()
    assert [mail.to for mail in mailoutbox] == [[teacher.email]]
    assert "6b" in mailoutbox[0].body
    [entry] = AuditEntry.objects.filter(action="warned of erasure")
    assert (entry.subject_id, entry.school, entry.actor_id) == (ended.pk, school, None)
    Classroom.objects.update(erasure_warned_at=None)
    User.objects.filter(pk=teacher.pk).update(email="")
    mailoutbox.clear()
    a_day()
    assert [mail.to for mail in mailoutbox] == [[admin.email]]


class HalfAway(BaseEmailBackend):
    """A mail server that knows only one of the owners."""

    def send_messages(self, messages):
        if messages[0].to != ["ana@school.example"]:
            raise ConnectionRefusedError
        return len(messages)


@pytest.mark.parametrize("name", ["ab", "zz"])  # mailed before or after the one who gets it
def test_of_two_owners_it_is_enough_that_one_is_mailed(
    name, ended, make_person, school, settings, student
):
    second = make_person(User.Role.TEACHER, school, name)
    give_addresses(second)
    people.join_classroom(classroom=ended, person=second, role="owner")
    settings.EMAIL_BACKEND = f"{__name__}.HalfAway"
    assert a_day()["warned"] == 1
    days_pass(31)
    assert a_day()["erased"] == 1


def test_a_site_admin_who_was_a_school_admin_is_not_whom_to_warn(
    ended, make_person, sign_in, settings
):
    settings.EMAIL_BACKEND = CONSOLE
    root = make_person(User.Role.SCHOOL_ADMIN, is_site_admin=True)
    sign_in(root).get(f"/classes/{ended.pk}/people/")
    assert retention.show_endings(root), "they see it"
    ended.refresh_from_db()
    assert ended.erasure_seen_at is None


def test_a_class_in_time_is_neither_warned_of_nor_erased(ended, mailoutbox, student, school):
    for days, warned in ((334, 0), (336, 1)):
        Classroom.objects.update(archived_at=timezone.now() - timedelta(days=days))
        assert a_day()["warned"] == warned
    days_pass(28)  # 364 days: warned long enough ago, but the school keeps it 365
    Classroom.objects.update(erasure_warned_at=timezone.now() - timedelta(days=300))
    assert a_day()["erased"] == 0
    days_pass(2)
    assert a_day()["erased"] == 1
    assert not is_there_any(student)


def is_there_any(student):
    return User.objects.filter(pk=student.pk).exists()


def test_the_class_that_was_kept_says_until_when_and_in_whose_log(
    ended, teacher, school, sign_in, other_school
):
    other = people.create_classroom(name="chess", owner=teacher)
    Classroom.objects.filter(pk=other.pk).update(archived_at=ended.archived_at)
    a_day()
    sign_in(teacher).get("/")  # warned by mail and on a page
    kept = retention.keep_classroom(classroom=ended, actor=teacher)
    assert (kept.erasure_warned_at, kept.erasure_seen_at) == (None, None)
    assert timezone.now() - kept.archived_at < timedelta(minutes=1)
    other.refresh_from_db()
    assert timezone.now() - other.archived_at > timedelta(days=300)
    [entry] = AuditEntry.objects.filter(action="kept class")
    assert (entry.actor_id, entry.subject_id, entry.school) == (teacher.pk, ended.pk, school)


def test_every_day_what_is_out_of_date_is_forgotten(
    teacher, monkeypatch, django_capture_on_commit_callbacks
):
    """Tokens that expired, failed logins, and what was deleted from SQLite's write-ahead file."""
    _token, _secret = tokens.create(person=teacher, scope="read")
    kept, _secret = tokens.create(person=teacher, scope="read")
    ApiToken.objects.exclude(pk=kept.pk).update(expires_at=timezone.now() - timedelta(days=400))
    forgotten = []
    monkeypatch.setattr(retention.privacy, "forget_traces", lambda: forgotten.append(1))
    with django_capture_on_commit_callbacks(execute=True):
        a_day()
    assert list(ApiToken.objects.all()) == [kept]
    assert forgotten


def test_a_class_is_not_kept_by_halves(ended, teacher, monkeypatch):
    before = Classroom.objects.values().get()

    def fail(*args, **detail):
        raise RuntimeError("the disk is full")

    monkeypatch.setattr(retention.audit, "record", fail)
    with pytest.raises(RuntimeError):
        retention.keep_classroom(classroom=ended, actor=teacher)
    assert Classroom.objects.values().get() == before


def test_a_warning_counts_no_more_once_the_school_keeps_classes_longer(
    ended, school, student, sign_in, teacher
):
    """If it changes its mind again, everybody is warned again, and has 30 days again."""
    assert a_day()["warned"] == 1
    sign_in(teacher).get("/")
    for days, expected in ((1000, 0), (365, 1)):
        days_pass(31)
        type(school).objects.update(retention_days=days)
        counts = a_day()
        assert (counts["warned"], counts["erased"]) == (expected, 0)
    assert is_there(ended, student)
    days_pass(31)
    assert a_day()["erased"] == 1


@pytest.mark.parametrize("first", ["erasure_warned_at", "erasure_seen_at"])
def test_of_two_warnings_the_first_counts(first, ended, student):
    Classroom.objects.update(
        erasure_warned_at=timezone.now() - timedelta(days=1),
        erasure_seen_at=timezone.now() - timedelta(days=1),
    )
    Classroom.objects.update(**{first: timezone.now() - timedelta(days=31)})
    assert a_day()["erased"] == 1
    assert not is_there_any(student)


def test_who_cannot_keep_a_class_is_not_told_that_it_ends(ended, make_person, school, sign_in):
    co = make_person(User.Role.TEACHER, school)
    people.join_classroom(classroom=ended, person=co, role="co_teacher")
    assert retention.show_endings(co) == []
    assert "/keep/" not in sign_in(co).get("/").content.decode()


def test_the_house_is_kept_although_the_database_cannot_tidy_up(
    transactional_db, ended, monkeypatch
):
    def fail():
        raise RuntimeError("the disk is full")

    monkeypatch.setattr(retention.privacy, "forget_traces", fail)
    with transaction.atomic():
        assert a_day()["warned"] == 1
