"""Loaded by schemathesis, for benchmarks.api_fuzz: a token that works, and what is no finding."""

from __future__ import annotations

import os
from typing import Any

import schemathesis
from schemathesis.core.failures import AcceptedNegativeData
from schemathesis.core.parameters import ParameterLocation
from schemathesis.openapi.checks import RejectedPositiveData

if os.environ["FUZZ_USERNAME"]:
    import django

    django.setup()

    @schemathesis.auth()
    class LivingToken:
        """A request may revoke the token with which it is sent; then the next one has a new one."""

        def get(self, _case: Any, _context: Any) -> str:
            from osmosmjerka.accounts.auth import tokens
            from osmosmjerka.accounts.models import User

            person = User.objects.get(username=os.environ["FUZZ_USERNAME"])
            return tokens.create(person=person, scope="teach")[1]

        def set(self, case: Any, data: str, _context: Any) -> None:
            case.headers["Authorization"] = f"Token {data}"


# What is wrong with the form of a value. The description has to say all of this, so that who keeps
# to it never gets such an error. Other reasons cannot be described: a word that the list has
# already, a file that is no sound, an import that was applied before.
_OF_FORM = {
    "required", "null", "blank", "empty", "unknown", "read_only", "wrong_type", "max_length",
    "min_length", "max_value", "min_value", "max_string_length", "invalid_choice", "not_a_list",
    "not_a_dict", "invalid_image", "incorrect_type",
}  # fmt: skip


@schemathesis.hook  # type: ignore[untyped-decorator]  # benchmarks install it themselves
def filter_failure(_context: Any, failure: Any, case: Any, response: Any) -> bool:
    """Return whether a finding counts: a right request may be refused, but not for its form."""
    if isinstance(failure, AcceptedNegativeData) and os.environ["FUZZ_PINNED"]:
        # A wrong value in the path was replaced by one that exists, and is reported all the same.
        return case.meta.phase.data.parameter_location is not ParameterLocation.PATH
    if not isinstance(failure, RejectedPositiveData):
        return True
    told = response.json()
    reasons = {error["code"] for error in told.get("errors", ())} or {told["code"]}
    return response.status_code != 400 or bool(reasons & _OF_FORM)
