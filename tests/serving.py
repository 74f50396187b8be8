"""The site at an address of its own, as `manage.py serve` serves it, and a worker beside it."""

import os
import subprocess
import sys
import threading
from contextlib import contextmanager

from django.conf import settings
from django.db import connection
from waitress import create_server

from osmosmjerka.jobs import sending
from osmosmjerka.jobs import worker as job_worker
from osmosmjerka.server.admission import CONNECTIONS
from osmosmjerka.wsgi import application


@contextmanager
def served_site():
    """Yield the address of the site, served as `manage.py serve` does: with WhiteNoise, hashes."""
    # Browsers keep idle connections of many tests open. At waitress' own limit of 100 it would take
    # no other one for up to two minutes, and a page would hang.
    server = create_server(
        application, host="127.0.0.1", port=0, threads=4, connection_limit=CONNECTIONS
    )
    threading.Thread(target=server.run, name="site", daemon=True).start()
    yield f"http://127.0.0.1:{server.effective_port}"
    server.close()
    server.task_dispatcher.shutdown()


@contextmanager
def worker_of_this_broker(django_db_blocker):
    """Run a worker of the sort that this broker has in production."""
    if sending.is_without_broker():
        embedded = job_worker.EmbeddedWorker()
        with django_db_blocker.unblock():
            embedded.start()
            yield
            embedded.stop()
        return
    database = connection.settings_dict
    server = os.environ["DATABASE_URL"].rsplit("/", 1)[0]
    celery = subprocess.Popen(
        [
            *(sys.executable, "-m", "celery", "-A", "osmosmjerka", "worker", "--concurrency=2"),
            *("--queues", ",".join(job_worker.QUEUES), "--hostname", f"{database['NAME']}@%h"),
        ],
        cwd=settings.BASE_DIR,
        env=os.environ
        | {"DATABASE_URL": f"{server}/{database['NAME']}", "OSMOSMJERKA_GTTS": "false"},
    )
    yield
    celery.terminate()
    celery.wait(timeout=60)
