"""A passkey's device in software: it makes credentials and signs, rightly or wrongly."""

import hashlib
import json
import os

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from fido2.cose import ES256
from fido2.utils import websafe_decode, websafe_encode
from fido2.webauthn import AttestationObject, AttestedCredentialData, AuthenticatorData

PRESENT, VERIFIED, HAS_CREDENTIAL = 0x01, 0x04, 0x40


class Device:
    """One passkey. What an attacker would change are arguments."""

    def __init__(self, host="testserver"):
        self.host = host
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.credential_id = os.urandom(32)
        self.count = 0
        self.handle = b""

    def credential(self):
        """Return the public half."""
        public = ES256.from_cryptography_key(self.key.public_key())
        return AttestedCredentialData.create(b"\0" * 16, self.credential_id, public)

    def make(self, options, **changes):
        """Return what a browser sends after navigator.credentials.create."""
        self.handle = options["user"]["id"]
        data = self._data(HAS_CREDENTIAL, bytes(self.credential()), **changes)
        attestation = AttestationObject.create("none", data, {})
        return self._sent(
            {
                "clientDataJSON": self._client("webauthn.create", options, **changes),
                "attestationObject": websafe_encode(bytes(attestation)),
            }
        )

    def answer(self, options, **changes):
        """Return what a browser sends after navigator.credentials.get."""
        self.count += changes.pop("counts_on", 1)
        data = self._data(0, b"", **changes)
        client = self._client("webauthn.get", options, **changes)
        signed = bytes(data) + hashlib.sha256(websafe_decode(client)).digest()
        key = changes.get("key", self.key)
        return self._sent(
            {
                "clientDataJSON": client,
                "authenticatorData": websafe_encode(bytes(data)),
                "signature": websafe_encode(key.sign(signed, ec.ECDSA(SHA256()))),
                "userHandle": changes.get("handle", self.handle),
            }
        )

    def _data(self, flags, credential, *, host=None, is_verified=True, **_changes):
        flags |= PRESENT | (VERIFIED if is_verified else 0)
        rp_hash = hashlib.sha256((host or self.host).encode()).digest()
        return AuthenticatorData(
            rp_hash + bytes([flags]) + self.count.to_bytes(4, "big") + credential
        )

    def _client(self, kind, options, *, origin=None, challenge=None, **_changes):
        said = {
            "type": kind,
            "challenge": challenge or options["challenge"],
            "origin": origin or f"http://{self.host}",
        }
        return websafe_encode(json.dumps(said).encode())

    def _sent(self, response):
        name = websafe_encode(self.credential_id)
        return {"id": name, "rawId": name, "type": "public-key", "response": response}
