"""Send an event to a school's program: signed, and only to hosts that the site allows. Pure.

The list of hosts decides who may be asked. Beyond that, the name is resolved once, no address of
this network or computer is accepted, and the connection goes to the address that was checked: a
name that changes meanwhile leads nowhere else.
"""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import socket
from collections.abc import Collection
from dataclasses import dataclass
from urllib.parse import urlsplit

import certifi
import urllib3

SECONDS = 3.0  # to connect, and for each part of the answer
_LONGEST_ANSWER = 1_000


class DeliveryError(Exception):
    """The receiver did not accept an event; the message says why, in English.

    What the receiver said itself comes after a colon.
    """


@dataclass(frozen=True, slots=True)
class Rules:
    """What the site allows: hosts, private addresses, and a file of further certificates."""

    hosts: Collection[str]
    allows_private: bool = False
    ca_file: str = ""


def check(url: str, rules: Rules) -> tuple[str, int]:
    """Return the host and port of an address. Raises DeliveryError if the site forbids it."""
    try:
        parts = urlsplit(url)
        host, port = (parts.hostname or "").lower(), parts.port or 443
    except ValueError:
        raise DeliveryError("This is no address.") from None
    if parts.scheme != "https" or not host or parts.username is not None:
        raise DeliveryError("The address must begin with https:// and have no password.")
    if (host if port == 443 else f"{host}:{port}") not in rules.hosts:
        raise DeliveryError("The site does not allow this host.")
    return host, port


def sign(secret: str, body: bytes, at: int) -> str:
    """Return the header that signs *body* at a Unix time: HMAC-SHA256 of “time.body”."""
    made = hmac.new(secret.encode(), f"{at}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={at},v1={made}"


def send(url: str, body: bytes, *, secret: str, at: int, event_id: str, rules: Rules) -> None:
    """Post *body* to *url*. Raises DeliveryError unless the answer is 2xx."""
    host, port = check(url, rules)
    address = _address_of(host, port, rules)
    parts = urlsplit(url)
    headers = {
        "Host": host if port == 443 else f"{host}:{port}",
        "Content-Type": "application/json",
        "User-Agent": "Osmosmjerka",
        "Osmosmjerka-Event": event_id,
        "Osmosmjerka-Signature": sign(secret, body, at),
    }
    pool = urllib3.HTTPSConnectionPool(
        address,
        port,
        timeout=urllib3.Timeout(connect=SECONDS, read=SECONDS),
        retries=False,
        ca_certs=rules.ca_file or certifi.where(),
        cert_reqs="CERT_REQUIRED",
        server_hostname=host,
        assert_hostname=host,
    )
    try:
        reply = pool.request(
            "POST",
            f"{parts.path or '/'}{'?' if parts.query else ''}{parts.query}",
            body=body,
            headers=headers,
            redirect=False,
            preload_content=False,
        )
        status = reply.status
        said = b"" if 200 <= status < 300 else reply.read1(_LONGEST_ANSWER)
        reply.close()
    except urllib3.exceptions.SSLError as error:
        raise DeliveryError("The receiver’s certificate is not trusted.") from error
    except urllib3.exceptions.NewConnectionError as error:  # a kind of timeout to urllib3
        raise DeliveryError("The receiver cannot be reached.") from error
    except urllib3.exceptions.TimeoutError as error:
        raise DeliveryError("The receiver did not answer in time.") from error
    except (urllib3.exceptions.HTTPError, OSError) as error:
        raise DeliveryError("The receiver cannot be reached.") from error
    finally:
        pool.close()
    if 300 <= status < 400:
        raise DeliveryError("The receiver redirects, which is not followed.")
    if not 200 <= status < 300:
        text = " ".join(said.decode(errors="replace").split())[:150]
        raise DeliveryError(f"The receiver did not accept the event: {status} {text}".rstrip())


def _address_of(host: str, port: int, rules: Rules) -> str:
    """Return an address of a host, after all of them were checked."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError as error:
        raise DeliveryError("No computer has this name.") from error
    addresses = [str(each[4][0]) for each in found]
    for address in addresses:
        if not rules.allows_private and not ipaddress.ip_address(address).is_global:
            raise DeliveryError("The host has an address in a private network.")
    return addresses[0]
