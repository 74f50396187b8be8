"""Secrets that the site has to read again, such as private keys: stored encrypted.

The key is derived from SECRET_KEY, so a copy of the database without it tells none of them. Like
Django's signatures, they are still read with a key of SECRET_KEY_FALLBACKS.
"""

from __future__ import annotations

import base64

from django.conf import settings
from django.utils.crypto import salted_hmac


class SecretUnreadable(Exception):
    """The secret was encrypted with another SECRET_KEY, or its row is damaged."""


def encrypt(text: str) -> str:
    """Return *text* encrypted, as letters and digits; each time others."""
    from cryptography.fernet import Fernet

    return Fernet(_key(settings.SECRET_KEY)).encrypt(text.encode()).decode()


def decrypt(text: str) -> str:
    """Return what `encrypt` was given. Raises SecretUnreadable when SECRET_KEY has changed."""
    from cryptography.fernet import Fernet, InvalidToken, MultiFernet

    keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    try:
        return MultiFernet([Fernet(_key(key)) for key in keys]).decrypt(text.encode()).decode()
    except InvalidToken as error:
        raise SecretUnreadable("It was encrypted with another SECRET_KEY.") from error


def _key(secret: str | bytes) -> bytes:
    derived = salted_hmac("osmosmjerka.accounts.secrets", "", secret=secret, algorithm="sha256")
    return base64.urlsafe_b64encode(derived.digest())
