"""E-mail links to set a new password. Nobody can find out by asking who has an account.

A request causes one job, whether or not there is an account. The link is made when the e-mail
is sent: it opens the account, so no table contains it.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable

from django.contrib.auth.tokens import default_token_generator
from django.core.mail import EmailMessage
from django.template.loader import render_to_string
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from osmosmjerka.accounts import languages, mail
from osmosmjerka.accounts.models import User
from osmosmjerka.jobs import ledger

JOB = "accounts.password_links"
_LETTER = "link to a new password"


def request_links(*, people: Iterable[User], site: str) -> None:
    """Send a link to each of these accounts, of which there may be none.

    *site* is the address of the site as the visitor typed it, such as "https://words.example".
    """
    ledger.enqueue(
        JOB,
        key=f"{JOB}:{uuid.uuid4()}",
        arguments={
            "people": [person.pk for person in people],
            "site": site,
            "language": languages.language_of_page(),
        },
    )


def enqueue_letters(*, people: list[int], site: str, language: str) -> int:
    """Enqueue an e-mail for each of these accounts; return how many."""
    readers = User.objects.filter(pk__in=people)
    for reader in readers:
        mail.enqueue(_LETTER, reader=reader, site=site, language=language)
    return len(readers)


@mail.writes(_LETTER)
def _write(*, reader: int, site: str, language: str) -> EmailMessage | None:
    person = User.objects.filter(pk=reader, is_active=True).exclude(email="").first()
    if person is None:
        return None
    protocol, domain = site.split("://", 1)
    told = {
        "user": person,
        "protocol": protocol,
        "domain": domain,
        "uid": urlsafe_base64_encode(force_bytes(person.pk)),
        "token": default_token_generator.make_token(person),
    }
    # In the account's language, because anybody may have requested the link.
    with languages.speaking_to(person, otherwise=language):
        subject = render_to_string("accounts/auth/password_reset_subject.txt", told)
        text = render_to_string("accounts/auth/password_reset_email.txt", told)
    return EmailMessage(" ".join(subject.split()), text, to=[person.email])
