"""E-mails as a worker sends them, and a mail server that does what a test says."""

from __future__ import annotations

import asyncio
import logging
import threading

from aiosmtpd.smtp import SMTP

from osmosmjerka.accounts import mail
from osmosmjerka.accounts.auth import reset
from osmosmjerka.jobs import ledger
from osmosmjerka.jobs.models import Job
from tests.services import is_listening, wait_until

# The server's own log tells the addresses; tests look whether ours does.
_servers = logging.getLogger("mail.log")
_servers.propagate, _servers.level = False, logging.CRITICAL + 1


def deliver():
    """Run the jobs of e-mails that wait, each once, as a worker does."""
    for kind in (reset.JOB, mail.JOB):
        waiting = Job.objects.filter(kind=kind, state=Job.State.QUEUED).order_by("created_at")
        for pk in list(waiting.values_list("pk", flat=True)):
            ledger.run_job(str(pk))


class PostOffice:
    """A real mail server on a port of its own, whose mood can be changed while it runs."""

    def __init__(self, **options):
        self.received = []  # recipient, text, whether it was encrypted
        self.refusal = ""  # the answer to any recipient
        self.answer = "250 OK"  # to the text of a letter
        self.hangs_at = ""  # MAIL, DATA or QUIT
        self.connections = 0
        self._options = options
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._server = None

    def __enter__(self):
        self._thread.start()
        self.open()
        return self

    def open(self, port=0):
        self._server = self._wait(
            self._loop.create_server(self._speak, "127.0.0.1", port, reuse_address=True)
        )
        self.port = self._server.sockets[0].getsockname()[1]

    def serve(self, settings):
        """Have the site send its e-mails here."""
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", self.port
        settings.EMAIL_TIMEOUT = 30
        self.settings = settings

    def close(self):
        self._loop.call_soon_threadsafe(self._server.close)
        wait_until(lambda: not is_listening(self.port))

    def __exit__(self, *_error):
        self._wait(self._end())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _end(self):
        self._server.close()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    def _wait(self, coroutine):
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result(10)

    def _speak(self):
        self.connections += 1
        return SMTP(self, hostname="mail.example", loop=self._loop, **self._options)

    async def _perhaps_hang(self, at):
        if self.hangs_at == at:
            await asyncio.sleep(3600)

    async def handle_MAIL(self, _server, _session, envelope, address, _options):  # noqa: N802
        await self._perhaps_hang("MAIL")
        envelope.mail_from = address
        return "250 OK"

    async def handle_RCPT(self, _server, _session, envelope, address, _options):  # noqa: N802
        if not self.refusal:
            envelope.rcpt_tos.append(address)
        return self.refusal or "250 OK"

    async def handle_DATA(self, _server, session, envelope):  # noqa: N802
        await self._perhaps_hang("DATA")
        if self.answer.startswith("2"):
            [to] = envelope.rcpt_tos
            self.received.append((to, envelope.content.decode(), session.ssl is not None))
        return self.answer

    async def handle_QUIT(self, *_about):  # noqa: N802
        await self._perhaps_hang("QUIT")
        return "221 Bye"
