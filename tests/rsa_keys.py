"""RSA keys of tests. To make or read one takes as long as many a test, so each is used again."""

from functools import cache

from joserfc.jwk import RSAKey


@cache
def pem_of(owner):
    """Return the private key of *owner*, any name, in PEM; it stays the same in this process."""
    return RSAKey.generate_key(2048).as_pem(private=True).decode()


@cache
def key_of(owner):
    """Return the key of *owner*, who is its kid, as what signs takes it."""
    return RSAKey.import_key(pem_of(owner), {"kid": owner, "use": "sig", "alg": "RS256"})
