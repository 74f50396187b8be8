"""`manage.py serve` as who wants to stop it meets it. Its first start: test_installed.py."""

import re
import socket
import time
import urllib.request
from contextlib import ExitStack

import pytest

from tests.jobs.test_kill import SETUP, embedded, free_port, stop
from tests.services import is_listening, wait_until

pytestmark = pytest.mark.slow
site = embedded

# What waitress does by itself.
PLAIN = """
from osmosmjerka.server import embedded
from waitress.server import TcpWSGIServer
embedded._OPTIONS = {}
embedded.Server.readable = TcpWSGIServer.readable
embedded.Server.handle_accept = TcpWSGIServer.handle_accept
"""
# Few connections, so that a test need not open hundreds.
FEW = """
from osmosmjerka.server import embedded
embedded.MOST_CONNECTIONS = 40
"""
IMPATIENT = """
from osmosmjerka.server import embedded
embedded._OPTIONS |= {"channel_timeout": 1, "cleanup_interval": 1}
"""
# As waitress does it, in effect: it only closes connections to which it has nothing to send.
WITHOUT_MAINTENANCE = """
def maintenance(server, now):
    for channel in [*server.active_channels.values()]:
        is_idle = not channel.requests and not channel.total_outbufs_len
        if is_idle and channel.last_activity < now - server.adj.channel_timeout:
            channel.hang_up()
embedded.Server.maintenance = maintenance
"""


def serve(site, before=""):
    """Start the site; return the process and its port when it listens."""
    port = int(free_port())
    program = f"{SETUP}{before}\nfrom django.core.management import call_command\n"
    process = site.start("-c", f"{program}call_command('serve', port={port})")
    wait_until(lambda: is_listening(port) or process.poll() is not None)
    assert process.poll() is None, (site.data_dir / "log.txt").read_text()
    return process, port


def page(port, path="/login/", seconds=15):
    with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=seconds) as reply:
        return reply.status, reply.read().decode()


def half_send(stack, port, count):
    """Open connections that begin a request and never finish it; return them."""
    return [begin(stack, port, HALF_SENT) for _number in range(count)]


def begin(stack, port, sent=b""):
    """Open a connection, and send something."""
    link = stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=10))
    link.sendall(sent)
    return link


HALF_SENT = b"POST /login/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Le"
HEALTH = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


def is_closed(link):
    """Return whether the other side closed the connection, without waiting for it."""
    link.setblocking(False)
    try:
        return link.recv(1, socket.MSG_PEEK) == b""
    except BlockingIOError:
        return False
    except ConnectionResetError:
        return True
    finally:
        link.settimeout(10)


@pytest.mark.thorough  # five seconds of real time are its promise
def test_half_sent_requests_hold_up_nobody(site):
    process, port = serve(site)
    try:
        with ExitStack() as stack:
            half_send(stack, port, 150)
            began = time.monotonic()
            assert page(port, "/healthz", seconds=10)[0] == 200
            assert time.monotonic() - began < 5
    finally:
        stop(process)


def test_more_half_sent_requests_than_connections_hold_up_nobody(site):
    """Who completes requests keeps the connection; who sends a byte now and then does not."""
    process, port = serve(site, FEW)
    try:
        with ExitStack() as stack:
            slow = half_send(stack, port, 5)
            honest = begin(stack, port, HEALTH)
            assert honest.recv(1000).startswith(b"HTTP/1.1 200")
            for link in slow:
                link.sendall(b"n")
            half_send(stack, port, 100)
            wait_until(lambda: all(map(is_closed, slow)))
            assert page(port, "/healthz", seconds=10)[0] == 200
    finally:
        stop(process)


@pytest.mark.thorough
def test_who_reads_nothing_is_closed_like_who_sends_nothing(site):
    process, port = serve(site, IMPATIENT)
    try:
        with ExitStack() as stack:
            deaf = read_nothing(stack, port)
            wait_until(lambda: is_refused(deaf))
    finally:
        stop(process)


@pytest.mark.thorough
def test_without_our_maintenance_who_reads_nothing_keeps_the_connection(site):
    """Control: another idle connection is closed, though it was opened later."""
    process, port = serve(site, IMPATIENT + WITHOUT_MAINTENANCE)
    try:
        with ExitStack() as stack:
            deaf = read_nothing(stack, port)
            for _round in range(3):
                idle = begin(stack, port)
                wait_until(lambda idle=idle: is_closed(idle))
            assert not is_refused(deaf)
            assert not is_refused(deaf)
    finally:
        stop(process)


def read_nothing(stack, port):
    """Ask for more than the buffers of a connection hold, and read none of it."""
    _status, text = page(port)
    paths = re.findall(r'(?:href|src)="(/static/[^"]+\.(?:css|js))"', text)
    largest = max(paths, key=lambda path: len(page(port, path)[1]))
    link = stack.enter_context(socket.socket())
    link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    link.connect(("127.0.0.1", port))
    ask = f"GET {largest} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()
    link.sendall(200 * ask)
    return link


def is_refused(link):
    """Return whether the other side refuses what is sent: unread data hides that it closed."""
    try:
        link.send(b"x")
    except OSError:
        return True
    return False


@pytest.mark.thorough  # waits for five seconds
def test_with_the_servers_own_limits_half_sent_requests_hold_up_everybody(site):
    """Control."""
    process, port = serve(site, PLAIN)
    try:
        with ExitStack() as stack:
            half_send(stack, port, 150)
            with pytest.raises(TimeoutError):
                page(port, "/healthz", seconds=5)
    finally:
        stop(process)
