"""What pages of Django's admin may not do here."""

from __future__ import annotations

from django.http import HttpRequest


class NotErasedHere:
    """No deletion here: people and classes are deleted by accounts.privacy, which logs it."""

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False


class OnlyRead(NotErasedHere):
    """Read-only: objects can be found and viewed; only their services change them."""

    def has_add_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False
