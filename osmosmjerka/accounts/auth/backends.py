"""Authentication by password and by login card, for pages, the API and the admin."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.backends import ModelBackend
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest

from osmosmjerka.accounts.auth import lockout, login_log
from osmosmjerka.accounts.models import User

LONGEST = 4096
"""Characters of a username or password that anybody can have."""


class PasswordBackend(ModelBackend):
    """Django's password check, behind the lock for accounts with many failed attempts."""

    def authenticate(
        self,
        request: HttpRequest | None,
        username: str | None = None,
        password: str | None = None,
        **kwargs: Any,
    ) -> User | None:
        if username is None or password is None:
            return None
        if max(len(username), len(password)) > LONGEST:  # normalizing and hashing it costs time
            return None
        key = lockout.key_of_password(username)
        try:
            lockout.begin(key)
        except lockout.AccountLocked as locked:
            if request is not None:
                request.account_locked = locked  # type: ignore[attr-defined]  # for the page
            login_log.refused(request, "locked out", account=_account_of(username))
            raise PermissionDenied(str(locked)) from locked
        person = super().authenticate(request, username=username, password=password, **kwargs)
        if person is None:
            login_log.refused(request, "password", account=_account_of(username))
            return None
        lockout.lift(key)
        assert isinstance(person, User)  # noqa: S101  (for the type checker)
        return person

    def get_user(self, user_id: int) -> User | None:
        """Return the logged-in person with their school, whose language every page needs."""
        person = User.objects.select_related("school").filter(pk=user_id).first()
        return person if person and self.user_can_authenticate(person) else None


def _account_of(username: str) -> int | None:
    """Return the id of the account with this username, if there is one."""
    return User.objects.filter(username=username).values_list("pk", flat=True).first()
