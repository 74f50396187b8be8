"""Start `manage.py serve` for a test, and look at its pages."""

import urllib.request

from tests.jobs.test_kill import SETUP, free_port
from tests.services import is_listening, wait_until


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
