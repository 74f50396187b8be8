"""Log in to the HTTP API: a token for a username, a password and, if set up, a code."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.authtoken.serializers import AuthTokenSerializer
from rest_framework.authtoken.views import ObtainAuthToken
from rest_framework.views import APIView

from osmosmjerka.accounts.auth import login_log, two_factor


class TokenSerializer(AuthTokenSerializer):
    """Username and password, and `code` if the account uses two-step verification."""

    code = serializers.CharField(required=False, write_only=True, max_length=20)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        attrs = super().validate(attrs)
        person = attrs["user"]
        if two_factor.is_wanted(person) and not two_factor.is_right(person, attrs.get("code", "")):
            login_log.refused(self.context.get("request"), "second step", account=person.pk)
            raise serializers.ValidationError(
                {"code": _("Send the code from your authenticator app as well.")}
            )
        return attrs


class TokenView(ObtainAuthToken):
    serializer_class = TokenSerializer
    # The framework's own parsers of this view let through what cannot be read.
    parser_classes = APIView.parser_classes
