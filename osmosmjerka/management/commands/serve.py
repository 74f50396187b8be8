"""The embedded deployment: web server, worker and sweeper in one process."""

from __future__ import annotations

import signal
import sys
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import (
    BaseCommand,
    CommandError,
    CommandParser,
    OutputWrapper,
)
from django.db import Error, connection
from waitress import create_server

from osmosmjerka.monitoring import logs
from osmosmjerka.server import preparation


class Command(BaseCommand):
    help = "Serve the site and do its background work in this one process. Ctrl-C stops it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--host",
            default="127.0.0.1",
            help="127.0.0.1: only this computer; 0.0.0.0: also phones and computers in its network",
        )
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument("--threads", type=int, default=4, help="most requests at once")
        parser.add_argument("--demo", action="store_true", help="load the demo school, once")

    def handle(self, *args: Any, **options: Any) -> None:
        if settings.LOG_FORMAT == "json":
            self.stdout = self.stderr = OutputWrapper(logs.Lines())
        if not 1 <= options["port"] <= 65535:
            raise CommandError(f"A port is a number from 1 to 65535, not {options['port']}.")
        try:
            connection.ensure_connection()
        except Error as error:
            reason = " ".join(str(error).split()).rstrip(".")
            raise CommandError(
                f"The database of DATABASE_URL does not answer: {reason}."
            ) from error

        for lack in preparation.prepare():
            self.stderr.write(str(lack))
        from osmosmjerka.accounts.schools import setup
        from osmosmjerka.jobs.sending import is_without_broker
        from osmosmjerka.jobs.worker import EmbeddedWorker
        from osmosmjerka.server.admission import CONNECTIONS, THREADS, Admission
        from osmosmjerka.web.addresses import is_only_here, serve_at
        from osmosmjerka.web.requests import LARGEST_BODY
        from osmosmjerka.wsgi import django_application

        if options["demo"]:
            call_command("load_demo")
        try:
            server = create_server(
                Admission(django_application, at_once=options["threads"]),
                host=options["host"],
                port=options["port"],
                threads=THREADS,
                connection_limit=CONNECTIONS,
                channel_timeout=20,  # seconds; an idle browser opens another connection
                cleanup_interval=5,
                ident="osmosmjerka",
                max_request_body_size=LARGEST_BODY,
                **_proxy_options(),
            )
        except OSError as error:
            raise CommandError(
                f"Port {options['port']} of {options['host']} cannot be used: {error.strerror}."
                " Choose another, for example: --port 8001 (make run PORT=8001)"
            ) from error
        compiling = None
        if not preparation.are_generators_compiled():
            compiling = preparation.start_compiling()
            self.stdout.write(
                "The puzzle generators are being compiled beside this, once, for a minute or two."
                " Until then the first puzzles take longer."
            )
        signal.signal(signal.SIGTERM, lambda *_signal: sys.exit(0))
        # With an external broker, `celery worker` processes run the jobs.
        worker = EmbeddedWorker() if is_without_broker() else None
        here = f"http://{serve_at(options['host'])}:{options['port']}"
        self.stdout.write(f"Osmosmjerka runs at {here}/")
        if is_only_here(options["host"]):
            self.stdout.write("Only this computer can open it. For phones, add: --host 0.0.0.0")
        if setup.is_needed():
            self.stdout.write("This site has no admin yet. To set it up, open this link, once:")
            self.stdout.write(f"  {setup.address(here)}")
            self.stdout.write("or run: manage.py setup_site")
        self.stdout.write("Ctrl-C stops it.")
        self.stdout.flush()  # also into a file or a log, in which the link is looked for
        try:
            if worker:
                worker.start()
            server.run()
        finally:
            server.close()
            if compiling:
                compiling.terminate()
            if worker:
                worker.stop()
            self.stdout.write("Stopped.")


def _proxy_options() -> dict[str, Any]:
    """Trust forwarded headers only behind the configured number of proxies."""
    if not settings.TRUSTED_PROXY_COUNT:
        return {"clear_untrusted_proxy_headers": True}
    return {
        "trusted_proxy": "*",
        "trusted_proxy_count": settings.TRUSTED_PROXY_COUNT,
        "trusted_proxy_headers": {"x-forwarded-for", "x-forwarded-proto"},
        "clear_untrusted_proxy_headers": True,
    }
