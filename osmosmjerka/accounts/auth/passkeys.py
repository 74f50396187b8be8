"""Passkeys: teachers log in by their device's finger, face or PIN, without a password.

A passkey is asked to verify its owner, so that it is both steps at once. Yubico's fido2 was
weighed against py_webauthn and django-otp-webauthn: it needs cryptography alone, is typed, and
brings neither views nor scripts of its own, where ours are small.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from fido2.server import Fido2Server
from fido2.utils import websafe_decode, websafe_encode
from fido2.webauthn import (
    AttestedCredentialData,
    AuthenticationResponse,
    PublicKeyCredentialRpEntity,
    PublicKeyCredentialUserEntity,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from osmosmjerka.accounts import audit
from osmosmjerka.accounts.codes import keyed_hash
from osmosmjerka.accounts.models import Passkey, User

MOST = 10  # a person's
# What fido2 raises on data that is none.
_NOT_READABLE = (ValueError, KeyError, TypeError, AttributeError, IndexError, struct.error)

State = dict[str, Any]  # a challenge, kept in the session until it is answered
Options = dict[str, Any]  # what the browser is asked, as JSON


class PasskeyRefused(Exception):
    """What the browser sent proves nothing; why is not said."""


def of_person(person: User) -> list[Passkey]:
    """Return the passkeys of *person*, the oldest first."""
    return list(person.passkeys.order_by("created_at", "pk"))


def begin_registration(*, person: User, host: str) -> tuple[Options, State]:
    """Return what the browser is asked to make a passkey for *person*, and the state to keep."""
    if not person.is_teacher:
        raise ValidationError(_("Students log in with their cards."))
    if person.passkeys.count() >= MOST:
        raise ValidationError(
            ngettext(
                "You already have %(limit)s passkey. Remove it first.",
                "You already have %(limit)s passkeys. Remove one first.",
                MOST,
            )
            % {"limit": MOST}
        )
    options, state = _server(host).register_begin(
        PublicKeyCredentialUserEntity(
            id=_handle(person), name=person.username, display_name=str(person)
        ),
        [_data(passkey) for passkey in of_person(person)],
        resident_key_requirement=ResidentKeyRequirement.REQUIRED,
        user_verification=UserVerificationRequirement.REQUIRED,
    )
    return dict(options.public_key), state


@transaction.atomic
def register(
    *, person: User, name: str, state: State, response: Mapping[str, Any], host: str
) -> Passkey:
    """Keep the passkey that the browser made. Raises PasskeyRefused."""
    try:
        made = _server(host).register_complete(state, response)
    except _NOT_READABLE as error:
        raise PasskeyRefused from error
    if made.credential_data is None:
        raise PasskeyRefused
    credential_id = websafe_encode(made.credential_data.credential_id)
    if Passkey.objects.filter(credential_id=credential_id).exists():
        raise PasskeyRefused
    passkey = Passkey.objects.create(
        user=person,
        # Translators: the name of a passkey to which nobody gave one.
        name=name[:60] or _("Passkey"),
        credential_id=credential_id,
        credential=websafe_encode(bytes(made.credential_data)),
        uses=made.counter,
    )
    audit.record(actor=person, action="added passkey", subject=person, school=person.school)
    return passkey


def begin_login(*, host: str) -> tuple[Options, State]:
    """Return what the browser is asked for any passkey of this site, and the state to keep."""
    options, state = _server(host).authenticate_begin(
        user_verification=UserVerificationRequirement.REQUIRED
    )
    return dict(options.public_key), state


@transaction.atomic
def person_of(*, state: State, response: Mapping[str, Any], host: str) -> User:
    """Return whose passkey answered. Raises PasskeyRefused, also for one that was copied."""
    try:
        answer = AuthenticationResponse.from_dict(response)
        passkey = (
            Passkey.objects.select_for_update(of=("self",))
            .select_related("user")
            .get(credential_id=websafe_encode(answer.raw_id), user__is_active=True)
        )
        _server(host).authenticate_complete(state, [_data(passkey)], response)
    except (*_NOT_READABLE, Passkey.DoesNotExist) as error:
        raise PasskeyRefused from error
    person: User = passkey.user
    handle = answer.response.user_handle
    uses = answer.response.authenticator_data.counter
    # A device that counts tells a copy of itself by counting on; others always say 0.
    is_copied = (uses or passkey.uses) and uses <= passkey.uses
    if is_copied or not person.is_teacher or handle not in (None, _handle(person)):
        raise PasskeyRefused
    passkey.uses = uses
    passkey.used_at = timezone.now()
    passkey.save(update_fields=["uses", "used_at"])
    return person


@transaction.atomic
def remove(*, passkey: Passkey) -> None:
    """Forget a passkey: it opens nothing from now on."""
    person = passkey.user
    passkey.delete()
    audit.record(actor=person, action="removed passkey", subject=person, school=person.school)


def _server(host: str) -> Fido2Server:
    """Return the library's door for *host*; a port is no part of what a passkey is bound to."""
    name = host if host.startswith("[") else host.rpartition(":")[0] or host
    return Fido2Server(
        PublicKeyCredentialRpEntity(id=name, name="Osmosmjerka"),
        attestation=None,
        verify_origin=lambda origin: urlsplit(origin).netloc == host,
    )


def _data(passkey: Passkey) -> AttestedCredentialData:
    return AttestedCredentialData(websafe_decode(passkey.credential))


def _handle(person: User) -> bytes:
    """Return how devices know the person: the same each time, and telling nothing."""
    return bytes.fromhex(keyed_hash("passkey.person", str(person.pk)))
