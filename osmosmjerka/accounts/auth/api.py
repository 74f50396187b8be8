"""API tokens: log in to the HTTP API, list the own tokens, create and revoke them."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import update_last_login
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.authtoken.serializers import AuthTokenSerializer
from rest_framework.exceptions import NotFound
from rest_framework.parsers import FormParser
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from osmosmjerka.accounts.auth import doors, login_log, tokens, two_factor
from osmosmjerka.accounts.auth.forms import refuse_other_password
from osmosmjerka.accounts.models import ApiToken, User
from osmosmjerka.rest.fields import OneOf
from osmosmjerka.rest.requests import PlainJSONParser, user_of
from osmosmjerka.rest.schema import refusal
from osmosmjerka.rest.serializers import RequestSerializer, read_body
from osmosmjerka.rest.views import ApiView


class WantedTokenSerializer(RequestSerializer):
    """What a new token is to be."""

    name = serializers.CharField(
        required=False, default="", allow_blank=True, max_length=60,
        help_text="Helps you recognise it; of tokens without a name, the newest ten work.",
    )  # fmt: skip
    scope = OneOf(
        ApiToken.Scope.choices, required=False, default=ApiToken.Scope.TEACH,
        help_text="`read`: GET only. `play`: also play and review. `teach`: all that you may do.",
    )  # fmt: skip
    days = serializers.IntegerField(
        required=False, default=tokens.DEFAULT_DAYS, min_value=1, max_value=tokens.MOST_DAYS,
        help_text="How long it works.",
    )  # fmt: skip


class TokenSerializer(WantedTokenSerializer, AuthTokenSerializer):
    """Username and password, and `code` if the account uses two-step verification."""

    username = serializers.CharField(max_length=150, write_only=True)
    password = serializers.CharField(max_length=200, trim_whitespace=False, write_only=True)
    code = serializers.CharField(required=False, write_only=True, max_length=20)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        attrs = super().validate(attrs)
        person = attrs["user"]
        if doors.only_door_of(person) is not None:
            raise serializers.ValidationError(
                {"password": _("Your school lets you log in with your school account only.")}
            )
        if two_factor.is_wanted(person) and not two_factor.is_right(person, attrs.get("code", "")):
            login_log.refused(self.context.get("request"), "second step", account=person.pk)
            raise serializers.ValidationError(
                {"code": _("Send the code from your authenticator app as well.")}
            )
        return attrs


class NewTokenSerializer(WantedTokenSerializer):
    """A new token for who is logged in. It outlives the session, so it takes the password."""

    password = serializers.CharField(max_length=200, trim_whitespace=False, write_only=True)


class ApiTokenSerializer(serializers.ModelSerializer[ApiToken]):
    is_current = serializers.SerializerMethodField(help_text="Whether this request uses it.")

    class Meta:
        model = ApiToken
        fields = ("id", "name", "scope", "created_at", "used_on", "expires_at", "is_current")

    def get_is_current(self, token: ApiToken) -> bool:
        return bool(self.context["request"].auth == token)


class CreatedTokenSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    token = serializers.CharField(help_text="Shown only now.")
    name = serializers.CharField()
    scope = serializers.CharField()
    expires_at = serializers.DateTimeField()


def _created(person: User, wanted: dict[str, Any]) -> dict[str, Any]:
    token, text = tokens.create(
        person=person, scope=wanted["scope"], name=wanted["name"], days=wanted["days"]
    )
    return dict(CreatedTokenSerializer({
        "id": token.pk, "token": text, "name": token.name, "scope": token.scope,
        "expires_at": token.expires_at,
    }).data)  # fmt: skip


class TokenView(ApiView):
    authentication_classes = ()
    permission_classes = (AllowAny,)
    parser_classes = (PlainJSONParser, FormParser)  # a form is easily sent from a command line

    # One body only: of two with the same fields, generators of clients make code that fails.
    @extend_schema(
        request={"application/json": TokenSerializer}, responses=CreatedTokenSerializer, auth=[]
    )
    def post(self, request: Request) -> Response:
        """Log in: return a new token for a username and a password.

        A form with the same fields is read as well.
        """
        wanted = read_body(request, TokenSerializer)
        person = wanted["user"]
        created = _created(person, wanted)
        # A login here is a login: teachers replace cards of students who never logged in.
        update_last_login(type(person), person)
        return Response(created)


class TokensView(ApiView):
    @extend_schema(responses=ApiTokenSerializer(many=True))
    def get(self, request: Request) -> Response:
        """Return your tokens that still work."""
        own = tokens.of_person(user_of(request))
        return Response(ApiTokenSerializer(own, many=True, context={"request": request}).data)

    @extend_schema(request=NewTokenSerializer, responses={201: CreatedTokenSerializer})
    def post(self, request: Request) -> Response:
        """Create a token for yourself."""
        wanted = read_body(request, NewTokenSerializer)
        person = user_of(request)
        refuse_other_password(request, person, wanted["password"])
        return Response(_created(person, wanted), status=status.HTTP_201_CREATED)


class OneTokenView(ApiView):
    @extend_schema(responses={204: None})
    def delete(self, request: Request, pk: int) -> Response:
        """Revoke one of your tokens."""
        own = user_of(request).api_tokens.select_related("user__school")
        tokens.revoke(token=get_object_or_404(own, pk=pk))
        return Response(status=status.HTTP_204_NO_CONTENT)


class CurrentTokenView(ApiView):
    scope_to_write = "read"  # every token may end itself

    @extend_schema(responses={204: None, 404: refusal("You ask without a token.")})
    def delete(self, request: Request) -> Response:
        """Log out: revoke the token with which you ask."""
        if not isinstance(request.auth, ApiToken):
            raise NotFound
        tokens.revoke(token=request.auth)
        return Response(status=status.HTTP_204_NO_CONTENT)
