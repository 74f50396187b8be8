"""The HTTP API's log-in."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.authtoken.serializers import AuthTokenSerializer
from rest_framework.authtoken.views import ObtainAuthToken

from osmosmjerka.accounts import login_log, second_step


class TokenSerializer(AuthTokenSerializer):
    """Name and password, and a code where the person has set up a second step."""

    code = serializers.CharField(required=False, write_only=True, max_length=20)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        attrs = super().validate(attrs)
        person = attrs["user"]
        if second_step.is_wanted(person) and not second_step.is_right(
            person, attrs.get("code", "")
        ):
            login_log.refused(self.context.get("request"), "second step", account=person.pk)
            raise serializers.ValidationError({"code": _("Send a code of your app, too.")})
        return attrs


class TokenView(ObtainAuthToken):
    serializer_class = TokenSerializer
