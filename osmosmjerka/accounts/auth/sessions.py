"""Sessions in the database: whose they are, found by a hash of their key, ended when idle.

Django's documented way to extend its sessions. django-user-sessions was considered: it has had no
release since 2022, and stores addresses. Nothing here needs a query of its own: the row is read
with every request anyway, and at most one write an hour keeps it alive.
"""

from __future__ import annotations

import time
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.auth.signals import user_logged_in
from django.contrib.sessions.backends import db
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils import timezone

from osmosmjerka.accounts.codes import keyed_hash
from osmosmjerka.accounts.models import BrowserSession, User

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


class SessionStore(db.SessionStore):
    """Django's sessions, with the owner and a hash in place of the key."""

    @classmethod
    def get_model_class(cls) -> type[BrowserSession]:
        return BrowserSession

    def load(self) -> dict[str, Any]:
        now = timezone.now()
        row = BrowserSession.objects.filter(
            pk=row_key(self.session_key or ""), expire_date__gt=now
        ).first()
        if row is None:
            self._session_key = None
            return {}
        data: dict[str, Any] = self.decode(row.session_data)
        # Often enough that nobody who works is logged out, however short the limit.
        seldom = min(timedelta(hours=1), _idle_limit() / 4)
        if row.user_id is not None and row.seen_at <= now - seldom:
            BrowserSession.objects.filter(pk=row.pk).update(
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


def _idle_limit() -> timedelta:
    return timedelta(hours=settings.TEACHER_IDLE_HOURS)
