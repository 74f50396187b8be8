"""Sign what this site tells platforms, and read what they sign."""

from __future__ import annotations

import secrets
import time
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.utils import timezone

from osmosmjerka.accounts.secrets import SecretUnreadable, decrypt, encrypt
from puzzles.lti import client
from puzzles.models import LtiPlatform, ToolKey
from vocab.message import message

if TYPE_CHECKING:
    from joserfc.jwk import RSAKey

# Security Framework 1.0, 5.1.1: RS256 must be supported, symmetric algorithms and none are refused.
ALGORITHMS = ["RS256"]
_KEPT = timedelta(hours=24)
_BETWEEN = timedelta(minutes=1)  # so that nobody makes the site ask a platform without end
_LONGEST = 20_000


class TokenRefused(Exception):
    """A token is not signed by the platform, or is not JSON. Its text is for the log."""


def public_keys() -> dict[str, Any]:
    """Return the public keys of this site as a JWKS (Security Framework 1.0, 6.3).

    There are none before a school wants a platform.
    """
    loaded = map(_loaded, ToolKey.objects.filter(retired_at=None))
    return {"keys": [key.as_dict(private=False) for key in loaded if key is not None]}


def sign(claims: dict[str, Any], *, seconds: int = 300) -> str:
    """Return *claims* as a JWT of this site that is valid for some seconds."""
    from joserfc import jwt

    key, now = own_key(), int(time.time())
    header = {"alg": "RS256", "typ": "JWT", "kid": key.kid}
    return jwt.encode(header, {"iat": now, "exp": now + seconds, **claims}, key)


def claims_of(platform: LtiPlatform, token: str) -> dict[str, Any]:
    """Return the claims of a JWT if *platform* signed it with one of its keys.

    A key that is not known is looked for once at the platform, which may have new ones. Who is
    meant and how long it is valid is not checked. Raises TokenRefused; PlatformError if the keys
    cannot be read.
    """
    from joserfc import jws, jwt
    from joserfc.errors import JoseError
    from joserfc.jwk import KeySet

    if len(token) > _LONGEST:
        raise TokenRefused("It is too long.")
    try:
        header = jws.extract_compact(token.encode()).headers()
        if header.get("alg") not in ALGORITHMS:
            raise TokenRefused(f"Its algorithm is {header.get('alg')}.")
        kid = header.get("kid")
        if not isinstance(kid, str) or not kid:  # Security Framework 1.0, 6.3
            raise TokenRefused("It does not name its key.")
        key = _key_of(platform, kid)
        if key is None:
            raise TokenRefused("Its key is not one of the platform's.")
        return jwt.decode(token, KeySet.import_key_set({"keys": [key]}), ALGORITHMS).claims
    except (JoseError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise TokenRefused(f"{type(error).__name__}: {error}") from error


def read_keys(platform: LtiPlatform) -> dict[str, Any]:
    """Ask the platform for its keys, store and return them. Raises PlatformError."""
    # Noted first: a platform that does not answer is not asked again at once.
    platform.keys_at = timezone.now()
    platform.save(update_fields=["keys_at"])
    found = client.get(platform.keys_url)
    if not isinstance(found, dict) or not isinstance(found.get("keys"), list):
        raise client.PlatformError(message("The answer has no keys."), 200)
    kept = [key for key in found["keys"] if isinstance(key, dict) and key.get("kty") == "RSA"]
    platform.keys = {"keys": kept}
    platform.save(update_fields=["keys"])
    return platform.keys


def _key_of(platform: LtiPlatform, kid: str) -> dict[str, Any] | None:
    now, asked = timezone.now(), platform.keys_at
    found = _named(platform.keys, kid)
    is_fresh = asked is not None and asked > now - _KEPT
    if found is not None and is_fresh:
        return found
    if asked is None or asked < now - _BETWEEN:
        try:
            return _named(read_keys(platform), kid)
        except client.PlatformError:
            if found is None:  # else the platform is away, and its key was right a day ago
                raise
    return found


def _named(keys: dict[str, Any], kid: str) -> dict[str, Any] | None:
    return next((key for key in keys.get("keys", ()) if key.get("kid") == kid), None)


def own_key() -> RSAKey:
    """Return the key with which this site signs now; make it the first time.

    After SECRET_KEY was changed, there is a new one, which platforms find at the keyset URL.
    """
    rows = ToolKey.objects.filter(retired_at=None)
    for row in rows:
        if (key := _loaded(row)) is not None:
            return key
    from joserfc.jwk import RSAKey

    kid = secrets.token_hex(8)
    pem = RSAKey.generate_key(2048).as_pem(private=True).decode()
    # Two processes may each make the first one: both are published, and either is right.
    with transaction.atomic():
        unreadable = ToolKey.objects.filter(pk__in=[row.pk for row in rows])
        unreadable.update(retired_at=timezone.now())
        ToolKey.objects.create(kid=kid, private=encrypt(pem))
    return RSAKey.import_key(pem, {"kid": kid, "use": "sig", "alg": "RS256"})


def _loaded(row: ToolKey) -> RSAKey | None:
    """Return a key of this site, None if it was encrypted with another SECRET_KEY."""
    from joserfc.jwk import RSAKey

    try:
        pem = decrypt(row.private)
    except SecretUnreadable:
        return None
    return RSAKey.import_key(pem, {"kid": row.kid, "use": "sig", "alg": "RS256"})
