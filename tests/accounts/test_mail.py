"""A mail that cannot be sent stops nothing, and the log tells of it."""

from contextlib import nullcontext
from datetime import timedelta

import pytest
from django.core.mail.backends.base import BaseEmailBackend
from django.test import Client
from django.utils import timezone, translation
from django.utils.translation import gettext
from django_otp.plugins.otp_totp.models import TOTPDevice

from osmosmjerka.accounts import languages, people
from osmosmjerka.accounts.models import Classroom, User
from osmosmjerka.jobs import ledger

pytestmark = pytest.mark.django_db(transaction=True)


class Away(BaseEmailBackend):
    """A mail server that cannot be reached."""

    def send_messages(self, messages):
        if not self.fail_silently:
            raise ConnectionRefusedError
        return 0


@pytest.fixture
def change_address(teacher):
    teacher.email = "old@school.example"
    teacher.save()
    return lambda: people.change_own_account(
        person=teacher, display_name="Ana", email="new@school.example"
    )


def test_a_mail_that_cannot_be_sent_is_a_warning_without_addresses(
    change_address, teacher, settings, caplog
):
    settings.EMAIL_BACKEND = f"{__name__}.Away"
    change_address()
    teacher.refresh_from_db()
    assert teacher.email == "new@school.example"
    [line] = [record for record in caplog.records if "mail" in record.getMessage()]
    assert line.levelname == "WARNING"
    assert "another address" in line.getMessage()
    assert "school.example" not in caplog.text


def test_a_mail_that_left_is_no_warning(change_address, mailoutbox, caplog):
    change_address()
    assert len(mailoutbox) == 1
    assert "mail" not in caplog.text


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
        [mail] = mailoutbox
        assert mail.to == ["ana@school.example"]
        return mail.subject, mail.body

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
    subjects = {mail.to[0]: mail.subject for mail in mailoutbox}
    assert len(set(subjects.values())) == 2
    assert set(subjects) == {"ana@school.example", "zora@school.example"}
