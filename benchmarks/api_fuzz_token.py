"""Loaded by schemathesis, for benchmarks.api_fuzz: a token that always works.

A request may revoke the token with which it is sent; the next one is sent with a new one.
"""

from __future__ import annotations

import os
from typing import Any

import schemathesis

if os.environ["FUZZ_USERNAME"]:
    import django

    django.setup()

    @schemathesis.auth()
    class LivingToken:
        def get(self, _case: Any, _context: Any) -> str:
            from osmosmjerka.accounts.auth import tokens
            from osmosmjerka.accounts.models import User

            person = User.objects.get(username=os.environ["FUZZ_USERNAME"])
            return tokens.create(person=person, scope="teach")[1]

        def set(self, case: Any, data: str, _context: Any) -> None:
            case.headers["Authorization"] = f"Token {data}"
