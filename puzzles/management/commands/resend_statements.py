"""Send statements again that the learning record store rejected."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from osmosmjerka.jobs import ledger
from puzzles.models import RefusedStatement
from puzzles.xapi import sync


class Command(BaseCommand):
    help = "Send the statements again that the learning record store rejected, and list the rest."

    def handle(self, *args: Any, **options: Any) -> None:
        ledger.run_job(str(sync.request_again().pk))
        for row in RefusedStatement.objects.all():
            self.stdout.write(f"{row}: {row.reason}")
        self.stdout.write(f"{RefusedStatement.objects.count()} statements are refused.")
