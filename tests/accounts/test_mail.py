"""E-mails are sent by jobs: no page waits for a mail server, and none is lost because one is away.

The mail servers are real: they listen on a port and speak SMTP.
"""

import json
import logging
import re
import ssl
from contextlib import nullcontext
from datetime import timedelta

import pytest
import trustme
from django.core.mail.backends.smtp import EmailBackend
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone, translation
from django.utils.translation import gettext
from django_otp.plugins.otp_totp.models import TOTPDevice

from osmosmjerka.accounts import languages, mail, people
from osmosmjerka.accounts.models import Classroom, User
from osmosmjerka.accounts.privacy import retention
from osmosmjerka.jobs import ledger
from osmosmjerka.jobs.models import Job, OutsideService
from tests.mailing import PostOffice, deliver

pytestmark = pytest.mark.django_db(transaction=True)

OLD, NEW = "old@school.example", "new@school.example"


@pytest.fixture
def change_address(teacher):
    teacher.email = OLD
    teacher.save()
    return lambda: people.change_own_account(person=teacher, display_name="Ana", email=NEW)


def letters():
    return Job.objects.filter(kind=mail.JOB)


def time_passes(**span):
    """Let letters that were put off be due, and the mail server be tried again."""
    span = timedelta(**span)
    for job in letters():
        Job.objects.filter(pk=job.pk).update(
            ready_at=job.ready_at - span, created_at=job.created_at - span
        )
    for service in OutsideService.objects.exclude(left_alone_until=None):
        service.left_alone_until -= span
        service.save()


def attempt():
    """Let a worker do what it does when a letter is due."""
    for job in letters().filter(state=Job.State.QUEUED):
        Job.objects.filter(pk=job.pk).update(ready_at=timezone.now())
    deliver()


# ---- what a mail server does ----


def test_a_letter_arrives_and_nothing_of_its_address_is_kept(office, change_address, caplog):
    change_address()
    [job] = letters()
    assert job.state == Job.State.QUEUED and office.received == []
    deliver()
    [(to, text, _encrypted)] = office.received
    assert to == OLD and "Subject: The e-mail address of your account was changed" in text
    job.refresh_from_db()
    assert (job.state, job.result) == (Job.State.DONE, {"accepted": True})
    assert "school.example" not in json.dumps(job.arguments)
    assert "mail" not in caplog.text.replace(mail.JOB, "")


def down(office):
    office.close()


def refusing_for_now(office):
    office.refusal = "450 4.2.0 greylisted, try again"


def refusing_the_text_for_now(office):
    office.answer = "451 4.3.0 try again"


def hanging(office, at="MAIL"):
    """Let the server hang; only then a short time-out, which a busy machine may need to answer."""
    office.hangs_at, office.settings.EMAIL_TIMEOUT = at, 0.3


def hanging_after_the_text(office):
    hanging(office, at="DATA")


def well_again(office):
    office.refusal, office.answer, office.hangs_at = "", "250 OK", ""
    office.settings.EMAIL_TIMEOUT = 30
    if not office._server.is_serving():
        office.open(office.port)


TROUBLES = [down, refusing_for_now, refusing_the_text_for_now, hanging, hanging_after_the_text]


@pytest.mark.parametrize("trouble", TROUBLES, ids=lambda each: each.__name__)
def test_a_server_that_does_not_take_a_letter_now_gets_it_later(
    trouble, office, change_address, teacher, caplog
):
    trouble(office)
    change_address()
    teacher.refresh_from_db()
    assert teacher.email == NEW, "what the letter reports has happened"
    deliver()
    [job] = letters()
    assert (job.state, job.attempts) == (Job.State.QUEUED, 0)
    assert timedelta(seconds=20) < job.ready_at - timezone.now() < timedelta(minutes=6)
    [line] = [each for each in caplog.records if each.name == mail.__name__]
    assert line.levelname == "WARNING" and "another address" in line.getMessage()
    assert "school.example" not in caplog.text + job.message + job.error
    well_again(office)
    time_passes(minutes=10)
    deliver()
    assert [to for to, _text, _encrypted in office.received] == [OLD]
    assert letters().get().state == Job.State.DONE


def test_a_job_that_does_not_come_back_would_lose_the_letter(office, change_address, monkeypatch):
    """The control: without putting it off, an outage of ten seconds is the end."""
    monkeypatch.setattr(mail, "PATIENCE", timedelta())
    office.close()
    change_address()
    for _attempt in range(ledger.MAX_ATTEMPTS):
        attempt()
    assert letters().get().state == Job.State.FAILED


@pytest.mark.parametrize("refusal", ["550 5.1.1 <old@school.example> unknown", "552 5.2.2 full"])
@pytest.mark.parametrize("at", ["refusal", "answer"])
def test_a_letter_that_is_refused_for_good_fails_where_an_admin_sees_it(
    at, refusal, office, change_address, caplog
):
    setattr(office, at, refusal)
    change_address()
    for _attempt in range(ledger.MAX_ATTEMPTS):
        attempt()
    [job] = letters()
    assert job.state == Job.State.FAILED
    assert "another address" in job.error and refusal[:3] in job.error
    assert [each.levelname for each in caplog.records][-1] == "ERROR"
    assert "school.example" not in caplog.text + job.error


def test_a_server_that_stays_away_is_given_up_after_a_day(office, change_address):
    office.close()
    change_address()
    for _hour in range(23):
        attempt()
        time_passes(hours=1)
    assert letters().get().state == Job.State.QUEUED
    time_passes(hours=2)
    for _attempt in range(ledger.MAX_ATTEMPTS):
        attempt()
    [job] = letters()
    assert job.state == Job.State.FAILED
    assert "mail server" in job.error


def test_while_the_server_is_away_one_letter_tries_it_for_all(office, teacher):
    """Each try takes a worker's time; others wait for puzzles."""
    hanging(office)
    for number in range(12):
        teacher.email = f"old{number}@school.example"
        teacher.save()
        people.change_own_account(person=teacher, display_name="Ana", email=NEW)
    deliver()
    assert office.connections == 3
    for _again in range(3):
        time_passes(seconds=46)
        attempt()
    assert office.connections == 6
    well_again(office)
    time_passes(seconds=46)
    attempt()
    attempt()
    assert len(office.received) == 12


def test_a_letter_that_was_accepted_is_not_sent_again_if_the_server_hangs_up_badly(
    office, change_address
):
    # The server answers in time until then, also on a busy machine.
    office.hangs_at, office.settings.EMAIL_TIMEOUT = "QUIT", 2
    change_address()
    for _attempt in range(3):
        attempt()
    assert len(office.received) == 1
    assert letters().get().state == Job.State.DONE


def test_no_page_waits_for_a_mail_server_that_hangs(office, teacher, client):
    User.objects.filter(pk=teacher.pk).update(email=OLD)
    hanging(office)
    assert client.post("/password/", {"email": OLD}).status_code == 302
    assert office.connections == 0  # nobody spoke to it
    with pytest.raises(OSError, match="timed out"):  # the control: whoever does waits
        EmailBackend(fail_silently=False).send_messages([_letter()])


def _letter():
    from django.core.mail import EmailMessage

    return EmailMessage("x", "x", None, [OLD])


def test_a_person_who_is_deleted_gets_no_letter(office, change_address, teacher):
    change_address()
    teacher.delete()
    assert not letters().exists()
    deliver()
    assert office.received == []


def test_mail_is_encrypted_if_its_address_says_so(change_address, settings, monkeypatch):
    authority, of_server = trustme.CA(), ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    authority.issue_cert("127.0.0.1").configure_cert(of_server)
    trusting = ssl.create_default_context()
    authority.configure_trust(trusting)
    monkeypatch.setattr(EmailBackend, "ssl_context", trusting)
    with PostOffice(tls_context=of_server, require_starttls=True) as office:
        office.serve(settings)
        change_address()
        deliver()
        assert office.received == [], "the control: in the clear it takes nothing"
        settings.EMAIL_USE_TLS = True
        time_passes(minutes=10)
        deliver()
        [(_to, _text, is_encrypted)] = office.received
        assert is_encrypted


# ---- a forgotten password ----


def ask(address):
    """Ask for a new password; return the statements that the request executed, and the page."""
    with CaptureQueriesContext(
        connection,
    ) as queries:
        page = Client().post("/password/", {"email": address}, follow=True)
    sql = [re.sub(r"'[^']*'|\d+|\b[0-9a-f]{32}\b", "?", query["sql"]) for query in queries]
    return sql, re.sub(r"[A-Za-z0-9]{64}", "", page.content.decode())


def test_who_asks_for_a_link_learns_nothing_of_whether_there_is_an_account(office, teacher):
    User.objects.filter(pk=teacher.pk).update(email=OLD)
    ask("first@school.example")  # loads what is loaded once
    known, nobody = ask(OLD), ask("nobody@school.example")
    assert known == nobody
    assert office.connections == 0
    deliver()
    assert [to for to, _text, _encrypted in office.received] == [OLD]


def test_a_link_is_in_no_table(office, teacher):
    User.objects.filter(pk=teacher.pk).update(email=OLD)
    ask(OLD)
    deliver()
    [(_to, text, _encrypted)] = office.received
    path = re.search(r"/password/\w+/([\w-]+)/", text.replace("=\r\n", ""))
    token = path.group(1)
    for job in Job.objects.all():
        stored = json.dumps([job.arguments, job.result, job.key, job.message, job.error])
        assert token not in stored and OLD not in stored
        assert token.split("-")[1] not in stored
    page = Client().get(path.group(0), follow=True)
    assert "new_password1" in page.content.decode(), "the control: the link opens the account"


def test_a_link_that_waited_for_the_server_works_as_long_as_any_other(office, teacher):
    User.objects.filter(pk=teacher.pk).update(email=OLD)
    office.close()
    ask(OLD)
    deliver()
    well_again(office)
    time_passes(hours=20)
    deliver()
    assert len(office.received) == 1


# ---- a class that will be deleted ----


@pytest.fixture
def ended(classroom, teacher):
    User.objects.filter(pk=teacher.pk).update(email=OLD)
    Classroom.objects.update(archived_at=timezone.now() - timedelta(days=400))
    classroom.refresh_from_db()
    return classroom


@pytest.mark.parametrize(
    "trouble", [*TROUBLES, None], ids=lambda each: getattr(each, "__name__", "well")
)
def test_only_a_warning_that_was_accepted_lets_a_class_be_deleted(trouble, office, ended):
    if trouble:
        trouble(office)
    for _day in range(3):
        retention.enforce_retention()
        deliver()
        time_passes(days=1)
        for _attempt in range(ledger.MAX_ATTEMPTS):
            attempt()
        Classroom.objects.exclude(erasure_warned_at=None).update(
            erasure_warned_at=timezone.now() - timedelta(days=31)
        )
    retention.enforce_retention()
    assert Classroom.objects.filter(pk=ended.pk).exists() is bool(trouble)
    if trouble:
        well_again(office)
        time_passes(days=1)
        retention.enforce_retention()
        attempt()
        ended.refresh_from_db()
        assert timezone.now() - ended.erasure_warned_at < timedelta(minutes=1)
    assert len(office.received) == 1


def test_a_class_that_is_kept_meanwhile_is_not_warned_of(office, ended, teacher):
    office.close()
    retention.enforce_retention()
    deliver()
    retention.keep_classroom(classroom=ended, actor=teacher)
    well_again(office)
    time_passes(hours=1)
    deliver()
    ended.refresh_from_db()
    assert (office.received, ended.erasure_warned_at) == ([], None)
    assert letters().get().state == Job.State.DONE


# ---- language ----


@pytest.fixture
def sent(teacher, classroom, mailoutbox, school, make_person, sign_in):
    """Return a function: what the teacher is mailed, in *language*, while a Croat presses."""
    admin = make_person(User.Role.SCHOOL_ADMIN, school)
    admin.language = "hr"
    admin.save()

    def forgotten():
        croat = Client(headers={"Accept-Language": "hr"})
        croat.post("/password/", {"email": teacher.email})

    def moved():
        with translation.override("hr"):
            people.change_own_account(person=teacher, display_name="Ana", email="new@x.example")

    def unlocked():
        TOTPDevice.objects.create(user=teacher, name="app", confirmed=True)
        sign_in(admin).post(f"/schools/{school.pk}/teachers/{teacher.pk}/second-step/")

    def warned():
        long_ago = timezone.now() - timedelta(days=400)
        Classroom.objects.update(archived_at=long_ago, erasure_warned_at=None)
        job = ledger.enqueue("accounts.retention", key=f"retention of {teacher.language}")
        with translation.override("hr"):
            ledger.run_job(str(job.pk))

    steps = {"forgotten": forgotten, "moved": moved, "unlocked": unlocked, "warned": warned}

    def mail_in(language, step):
        mailoutbox.clear()
        teacher.language, teacher.email = language, "ana@school.example"
        teacher.save()
        steps[step]()
        deliver()
        [letter] = mailoutbox
        assert letter.to == ["ana@school.example"]
        return letter.subject, letter.body

    return mail_in


@pytest.mark.parametrize("step", ["forgotten", "moved", "unlocked", "warned"])
def test_a_mail_is_in_its_readers_language_whoever_causes_it(sent, step):
    subject, body = sent("en", step)
    assert subject.isascii()
    polish, polish_body = sent("pl", step)
    with translation.override("pl"):
        assert polish == gettext(subject) != subject
    assert set("ąćęłńóśźż") & set(polish_body)
    assert not set("ąćęłńóśźż") & set(body)


@pytest.mark.parametrize("step", ["forgotten", "moved"])
def test_a_reader_without_a_language_is_written_to_in_that_of_the_page(sent, step):
    subject, _body = sent("", step)
    english, _body = sent("en", step)
    with translation.override("hr"):
        assert subject == gettext(english) != english


@pytest.mark.parametrize("step", ["forgotten", "moved", "unlocked", "warned"])
def test_without_a_language_of_the_reader_mails_are_in_others(sent, step, monkeypatch):
    """The control: each mail asks for the reader's language."""
    monkeypatch.setattr(languages, "speaking_to", lambda person, otherwise="": nullcontext())
    subject, _body = sent("en", step)
    assert sent("pl", step)[0] == subject


def test_each_of_several_owners_is_warned_in_a_language_of_their_own(
    sent, make_person, school, classroom, mailoutbox, teacher
):
    other = make_person(User.Role.TEACHER, school)
    other.language, other.email = "ar", "zora@school.example"
    other.save()
    people.join_classroom(classroom=classroom, person=other, role="owner")
    with pytest.raises(ValueError, match="too many"):
        sent("pl", "warned")
    subjects = {letter.to[0]: letter.subject for letter in mailoutbox}
    assert len(set(subjects.values())) == 2
    assert set(subjects) == {"ana@school.example", "zora@school.example"}


def test_the_log_tells_of_no_letter_that_left(change_address, mailoutbox, caplog):
    caplog.set_level(logging.WARNING)
    change_address()
    deliver()
    assert len(mailoutbox) == 1
    assert "mail" not in caplog.text
