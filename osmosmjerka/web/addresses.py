"""Whether other devices can open an address of this site, and what to do if they cannot."""

from __future__ import annotations

import socket
import sys
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from shlex import join
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest
from django.http.request import split_domain_port
from django.utils.translation import gettext as _
from rest_framework.request import Request

# Hosts at which a server listens on every interface.
EVERYWHERE = ("0.0.0.0", "::", "[::]", "*", "")  # noqa: S104  (compared with, not listened on)
# Nobody has this address (RFC 5737). It is asked for a route, and nothing is sent.
_SOMEWHERE = ("192.0.2.1", 9)


@dataclass(frozen=True, slots=True)
class OnlyHere:
    """An address that only this computer can open: *host*, with its port.

    *elsewhere* is an address of this page that other devices can open, "" if there is none yet;
    *command* is what to type for one.
    """

    host: str
    command: str
    elsewhere: str = ""

    @property
    def reason(self) -> str:
        return _(
            "Phones and other computers cannot open the links and QR codes made here: %(host)s is "
            "this computer only."
        ) % {"host": self.host}

    @property
    def remedy(self) -> str:
        """What to do; then comes the address or the line to type."""
        if self.elsewhere:
            return _("First open this page at the address of this computer in your network:")
        return _("Stop the site, start it with this line, and open the address that it shows:")

    def __str__(self) -> str:
        return f"{self.reason} {self.remedy} {self.elsewhere or self.command}"


def is_only_here(host: str) -> bool:
    """Return whether a host, with a port or without, is this computer and no other."""
    name = split_domain_port(host)[0] or host
    name = name.strip("[]").rstrip(".").lower()
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return name == "localhost" or name.endswith(".localhost")


def may_be_asked(url: str) -> bool:
    """Return whether the site may send a request to an address that a school's admin typed.

    It is https, without a password in it.
    """
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
        is_plain = parts.port is None or parts.port > 0
    except ValueError:
        return False
    if not host or not is_plain or parts.username or parts.password or parts.fragment:
        return False
    is_of_test = parts.scheme == "http" and settings.HTTP_HERE and is_only_here(host)
    return parts.scheme == "https" or is_of_test


def only_here(request: HttpRequest | Request) -> OnlyHere | None:
    """Return what to say beside the addresses of a page; None if other devices can open them."""
    host = request.get_host()
    if not is_only_here(host):
        return None
    port = split_domain_port(host)[1]
    command = [*_started(), "serve", "--host", "0.0.0.0", *(["--port", port] if port else [])]  # noqa: S104
    elsewhere = ""
    if _served.at:
        site = f"{_served.at}:{port}" if port else _served.at
        elsewhere = f"{request.scheme}://{site}{request.get_full_path()}"
    return OnlyHere(host, join(command), elsewhere)


def _started() -> list[str]:
    """Return how a command of this site is started, from the folder in which it runs."""
    if Path(sys.argv[0]).name == "osmosmjerka":
        return ["osmosmjerka"]
    python, here = Path(sys.executable), Path.cwd()
    own = python.relative_to(here) if python.is_relative_to(here) else "python"
    return [str(own), "manage.py"]


@dataclass(slots=True)
class _Served:
    """The address in the network at which this process serves, "" if it is not known."""

    at: str = ""


_served = _Served()


def serve_at(host: str) -> str:
    """Let requests to *host* in, at which this process is about to serve; return it.

    If that is every interface, it is the computer's address in the local network. A site whose
    hosts are configured has its own, and nothing changes.
    """
    if not all(map(is_only_here, settings.ALLOWED_HOSTS)) or is_only_here(host):
        return host
    found = _in_network() if host in EVERYWHERE else host
    if found:
        settings.ALLOWED_HOSTS = [*settings.ALLOWED_HOSTS, found]
        _served.at = found
    return found or host


def _in_network() -> str:
    """Return this computer's address in the local network, "" if it has none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(_SOMEWHERE)
            found: str = probe.getsockname()[0]
        except OSError:
            return ""
    return "" if is_only_here(found) else found
