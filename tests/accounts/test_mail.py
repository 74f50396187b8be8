"""A mail that cannot be sent stops nothing, and the log tells of it."""

import pytest
from django.core.mail.backends.base import BaseEmailBackend

from osmosmjerka.accounts import people

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
