"""Sessions in the database: whose they are, found by a hash of their key, ended when idle.

Django's documented way to extend its sessions. django-user-sessions was considered: it has had no
release since 2022, and stores addresses. Nothing here needs a query of its own: the row is read
with every request anyway, and at most one write an hour keeps it alive. It brings its owner along,
whom Django would fetch with another query.
"""

from __future__ import annotations

import time
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.contrib import auth
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY, middleware
from django.contrib.auth.models import AnonymousUser
from django.contrib.auth.signals import user_logged_in
from django.contrib.sessions.backends import db
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from osmosmjerka.accounts.codes import keyed_hash
from osmosmjerka.accounts.models import BrowserSession, School, User
from osmosmjerka.db.prepared import Prepared, columns_of, object_of

# A school day. A tablet that is put away with a student still logged in then logs out.
STUDENT_SESSION = timedelta(hours=12)
TEACHER_SESSION = timedelta(days=14)
# In a session's data: when and with which browser its owner logged in; whether it ends when idle.
LOGIN = "login"
_ENDS_IDLE = "ends_idle"

# The first that is named in the browser's own words. Most claim to be others as well.
_BROWSERS = {
    "Edg": "Edge", "OPR/": "Opera", "SamsungBrowser": "Samsung Internet", "Firefox": "Firefox",
    "FxiOS": "Firefox", "CriOS": "Chrome", "Chrome": "Chrome", "Safari": "Safari",
}  # fmt: skip
_SYSTEMS = {
    "Windows": "Windows", "Android": "Android", "iPhone": "iPhone", "iPad": "iPad",
    "CrOS": "ChromeOS", "Macintosh": "Mac", "Linux": "Linux",
}  # fmt: skip


def row_key(session_key: str) -> str:
    """Return what is stored in place of a session's key; it fits Django's 40 characters."""
    return keyed_hash("session", session_key)[:40]


def browser_of(user_agent: str) -> str:
    """Return the families of browser and system, such as "Firefox, Windows", or ""."""
    families = (
        next((family for sign, family in known.items() if sign in user_agent), "")
        for known in (_BROWSERS, _SYSTEMS)
    )
    return ", ".join(filter(None, families))


@receiver(user_logged_in, dispatch_uid="osmosmjerka.accounts.sessions")
def _describe(request: HttpRequest, user: User, **_signal: object) -> None:
    """Note in a new session what its owner sees in the list of devices, and when it ends."""
    request.session[LOGIN] = {
        "at": int(time.time()),
        "browser": browser_of(request.headers.get("User-Agent", "")),
    }
    request.session[_ENDS_IDLE] = user.is_teacher
    request.session.set_expiry(STUDENT_SESSION if user.is_student else TEACHER_SESSION)


_USER, _SCHOOL = columns_of(User, "user__"), columns_of(School, "user__school__")
# A session that has not ended, its owner, and their school, whose language every page needs.
_CURRENT = Prepared(
    BrowserSession,
    lambda key, now: BrowserSession.objects.filter(pk=key, expire_date__gt=now),
    ["session_data", "seen_at", *_USER, *_SCHOOL],
    key=str,
    now=datetime,
)


class SessionStore(db.SessionStore):
    """Django's sessions, with the owner and a hash in place of the key.

    *owner* is the person in whose name the session was stored, as they are now. Whether the session
    is still valid for them is decided by `person_of`.
    """

    owner: User | None = None

    @classmethod
    def get_model_class(cls) -> type[BrowserSession]:
        return BrowserSession

    def load(self) -> dict[str, Any]:
        now, key = timezone.now(), row_key(self.session_key or "")
        row = _CURRENT.row(key=key, now=now)
        if row is None:
            self._session_key = None
            return {}
        stored, seen_at, *owner = row
        self.owner = _person(owner)
        data: dict[str, Any] = self.decode(stored)
        # Often enough that nobody who works is logged out, however short the limit.
        seldom = min(timedelta(hours=1), _idle_limit() / 4)
        if self.owner is not None and seen_at <= now - seldom:
            BrowserSession.objects.filter(pk=key).update(
                seen_at=now, expire_date=self._end(now, data)
            )
        return data

    def exists(self, session_key: str) -> bool:
        return super().exists(row_key(session_key))

    def delete(self, session_key: str | None = None) -> None:
        key = session_key or self.session_key
        if key is not None:
            BrowserSession.objects.filter(pk=row_key(key)).delete()

    def create_model_instance(self, data: dict[str, Any]) -> BrowserSession:
        row, now = super().create_model_instance(data), timezone.now()
        return BrowserSession(
            session_key=row_key(row.session_key),
            session_data=row.session_data,
            user_id=int(data[SESSION_KEY]) if SESSION_KEY in data else None,
            seen_at=now,
            expire_date=self._end(now, data),
        )

    def _end(self, now: datetime, data: dict[str, Any]) -> datetime:
        """Return when a session ends that was used now."""
        latest: datetime = self.get_expiry_date(
            modification=now, expiry=data.get("_session_expiry")
        )
        return min(latest, now + _idle_limit()) if data.get(_ENDS_IDLE) else latest


class AuthenticationMiddleware(middleware.AuthenticationMiddleware):
    """Django's, but the person comes with the session."""

    def process_request(self, request: HttpRequest) -> None:
        super().process_request(request)
        # At once, because the language of every page is that of its reader.
        request.user = person_of(request)


def person_of(request: HttpRequest) -> User | AnonymousUser:
    """Return the person whose valid session this is.

    The owner that came with the session is taken only if nothing is doubtful; Django decides all
    other cases, such as a session that a new password has ended.
    """
    session = request.session
    known = session.get(SESSION_KEY)
    owner = session.owner if isinstance(session, SessionStore) else None
    if (
        owner is not None
        and owner.is_active
        and str(owner.pk) == known
        and session.get(BACKEND_SESSION_KEY) in settings.AUTHENTICATION_BACKENDS
        and constant_time_compare(session.get(HASH_SESSION_KEY, ""), owner.get_session_auth_hash())
    ):
        return owner
    return auth.get_user(request)


def _person(columns: list[Any]) -> User | None:
    """Return the owner of a session from their columns and those of their school."""
    of_user, of_school = columns[: len(_USER)], columns[len(_USER) :]
    if of_user[0] is None:
        return None
    person = object_of(User, of_user)
    person.school = object_of(School, of_school) if of_school[0] is not None else None
    return person


def _idle_limit() -> timedelta:
    return timedelta(hours=settings.TEACHER_IDLE_HOURS)
