"""Passkeys: teachers log in with their device's fingerprint, face or PIN, without a password.

A passkey must verify its user, so it also satisfies two-step verification. Yubico's fido2 was
chosen over py_webauthn and django-otp-webauthn: it depends only on cryptography, is typed, and
brings no views or scripts, where ours are small.
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

MOST = 10  # per person
# What fido2 raises on malformed data.
_NOT_READABLE = (ValueError, KeyError, TypeError, AttributeError, IndexError, struct.error)

State = dict[str, Any]  # a challenge, stored in the session until it is answered
Options = dict[str, Any]  # options for the browser, as JSON


class PasskeyRefused(Exception):
    """The browser's response proves nothing; the error does not say why."""


def of_person(person: User) -> list[Passkey]:
    """Return the passkeys of *person*, oldest first."""
    return list(person.passkeys.order_by("created_at", "pk"))


def begin_registration(*, person: User, host: str) -> tuple[Options, State]:
    """Return the options for creating a passkey for *person*, and the state to store."""
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
    """Save the passkey that the browser created. Raises PasskeyRefused."""
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
    audit.record(person, "added passkey", person)
    return passkey


def begin_login(*, host: str) -> tuple[Options, State]:
    """Return the options for logging in with any passkey of this site, and the state to store."""
    options, state = _server(host).authenticate_begin(
        user_verification=UserVerificationRequirement.REQUIRED
    )
    return dict(options.public_key), state


@transaction.atomic
def person_of(*, state: State, response: Mapping[str, Any], host: str) -> User:
    """Return the owner of the passkey. Raises PasskeyRefused, also for a copied passkey."""
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
    # If the device counts its uses, a count that does not grow reveals a copy. Other devices always
    # send 0.
    is_copied = (uses or passkey.uses) and uses <= passkey.uses
    if is_copied or not person.is_teacher or handle not in (None, _handle(person)):
        raise PasskeyRefused
    passkey.uses = uses
    passkey.used_at = timezone.now()
    passkey.save(update_fields=["uses", "used_at"])
    return person


@transaction.atomic
def remove(*, passkey: Passkey) -> None:
    """Delete a passkey; it can no longer log in, and sessions that it may have opened end."""
    person = passkey.user
    passkey.delete()
    person.end_access()
    audit.record(person, "removed passkey", person)


def _server(host: str) -> Fido2Server:
    """Return the library's server for *host*. Passkeys are not bound to a port."""
    name = host if host.startswith("[") else host.rpartition(":")[0] or host
    return Fido2Server(
        PublicKeyCredentialRpEntity(id=name, name="Osmosmjerka"),
        attestation=None,
        verify_origin=lambda origin: urlsplit(origin).netloc == host,
    )


def _data(passkey: Passkey) -> AttestedCredentialData:
    return AttestedCredentialData(websafe_decode(passkey.credential))


def _handle(person: User) -> bytes:
    """Return the person's handle for devices: always the same, and it reveals nothing."""
    return bytes.fromhex(keyed_hash("passkey.person", str(person.pk)))
