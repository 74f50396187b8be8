"""`manage.py serve` as who has just downloaded it runs it, and as who wants to stop it meets it."""

import re
import socket
import time
import urllib.request
from contextlib import ExitStack

import pytest

from tests.jobs.test_kill import SETUP, Site, free_port, stop
from tests.services import is_listening, wait_until

pytestmark = pytest.mark.slow

# What waitress does by itself.
WITHOUT_PATIENCE = """
from osmosmjerka.management.commands import serve
serve._PATIENCE = {}
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


def test_a_data_folder_that_was_never_set_up_serves_pages_with_styles(tmp_path):
    site = Site(tmp_path)
    process, port = serve(site)
    try:
        status, text = page(port)
        assert status == 200
        styles = re.findall(r'href="(/static/[^"]+\.css)"', text)
        assert styles
        for path in styles:
            assert page(port, path)[0] == 200
    finally:
        stop(process)
        site.close()


def half_send(stack, port, count):
    """Open connections that begin a request and never finish it."""
    for _number in range(count):
        link = stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=10))
        link.sendall(b"POST /login/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Le")


def test_half_sent_requests_hold_up_nobody(tmp_path):
    site = Site(tmp_path)
    process, port = serve(site)
    try:
        with ExitStack() as stack:
            half_send(stack, port, 150)
            began = time.monotonic()
            assert page(port, "/healthz", seconds=10)[0] == 200
            assert time.monotonic() - began < 5
    finally:
        stop(process)
        site.close()


def test_with_the_servers_own_limits_half_sent_requests_hold_up_everybody(tmp_path):
    """Control."""
    site = Site(tmp_path)
    process, port = serve(site, WITHOUT_PATIENCE)
    try:
        with ExitStack() as stack:
            half_send(stack, port, 150)
            with pytest.raises(TimeoutError):
                page(port, "/healthz", seconds=5)
    finally:
        stop(process)
        site.close()
