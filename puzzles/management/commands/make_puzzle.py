"""`manage.py make_puzzle`: in a checkout the same as `osmosmjerka make-puzzle`."""

from __future__ import annotations

from django.core.management.base import BaseCommand

from puzzles.library.command import main


class Command(BaseCommand):
    help = "Make a puzzle from words or a file of words."

    def run_from_argv(self, argv: list[str]) -> None:
        main(argv[2:], program=f"{argv[0]} {argv[1]}")

    def print_help(self, prog_name: str, subcommand: str) -> None:
        main(["--help"], program=f"{prog_name} {subcommand}")
