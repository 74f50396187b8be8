"""RSA keys of tests. To make one takes as long as ten tests, so those made once are used again."""

from functools import cache

from joserfc.jwk import RSAKey


@cache
def pem_of(owner):
    """Return the private key of *owner*, any name, in PEM; it stays the same in this process."""
    return RSAKey.generate_key(2048).as_pem(private=True).decode()
