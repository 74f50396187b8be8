"""Who sends a request to the API: by a token, within its scope, or by the session of a page."""

from __future__ import annotations

from django.utils.translation import gettext as _
from rest_framework import authentication, exceptions
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request

from osmosmjerka.accounts import languages
from osmosmjerka.accounts.auth import tokens
from osmosmjerka.accounts.models import ApiToken, User


class TokenAuthentication(authentication.TokenAuthentication):
    """Authenticate by token within its scope, and respond in the language of its owner.

    A view that writes needs a token with the scope "teach". A view of which less is enough says so
    in its attribute `scope_to_write`. Views that only read need no more than "read".
    """

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        known: tuple[User, ApiToken] | None = super().authenticate(request)
        if known is not None and request.method not in SAFE_METHODS:
            view = request.parser_context["view"]
            if not covers(known[1], getattr(view, "scope_to_write", "teach")):
                raise exceptions.PermissionDenied(_("This token does not allow changes here."))
        return known

    def authenticate_credentials(self, key: str) -> tuple[User, ApiToken]:
        token = tokens.find(key)
        if token is None:
            raise exceptions.AuthenticationFailed(
                _("This token is unknown or has expired. Get another at /api/token/.")
            )
        languages.speak_to(token.user)
        return token.user, token


# {scope that a view needs: scopes that are enough}
_COVERED_BY = {"read": {"read", "play", "teach"}, "play": {"play", "teach"}, "teach": {"teach"}}


def covers(token: ApiToken, scope: str) -> bool:
    """Return whether a token allows what needs this scope."""
    return token.scope in _COVERED_BY[scope]


class SessionAuthentication(authentication.SessionAuthentication):
    """Authenticate by session; requests must have the site's CSRF token."""

    def enforce_csrf(self, request: Request) -> None:
        try:
            super().enforce_csrf(request)
        except exceptions.PermissionDenied:  # its reason is for developers
            raise exceptions.PermissionDenied(
                _("This page is no longer valid. Reload it and try again.")
            ) from None
