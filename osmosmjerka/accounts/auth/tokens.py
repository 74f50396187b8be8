"""API tokens: several a person, each with a scope and an end, stored as hashes.

django-rest-knox was considered. It has hashes and expiry but no names, scopes or days of use, walks
through all tokens of a person at each request, and stores a part of the token in clear. With these
replaced, nothing of it would be left.
"""

from __future__ import annotations

from datetime import timedelta

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from osmosmjerka.accounts import audit, codes
from osmosmjerka.accounts.models import ApiToken, User

DEFAULT_DAYS = 90
MOST_DAYS = 365
MOST = 20  # with a name, per person
MOST_UNNAMED = 10  # the newest; a program that logs in at each run makes one each time


@transaction.atomic
def create(
    *, person: User, scope: str, name: str = "", days: int = DEFAULT_DAYS
) -> tuple[ApiToken, str]:
    """Return a new token as stored, and as text, which is shown once."""
    if scope not in ApiToken.Scope.values or not 1 <= days <= MOST_DAYS:
        raise ValidationError(
            _("Choose permissions, and a period of validity of at most one year.")
        )
    User.objects.select_for_update().get(pk=person.pk)  # two at once must not pass the limit
    person.api_tokens.filter(expires_at__lte=timezone.now()).delete()
    if name and person.api_tokens.exclude(name="").count() >= MOST:
        raise ValidationError(
            ngettext(
                "You already have %(limit)s token. Revoke it first.",
                "You already have %(limit)s tokens. Revoke one first.",
                MOST,
            )
            % {"limit": MOST}
        )
    if not name:
        unnamed = person.api_tokens.filter(name="").order_by("-created_at", "-pk")
        too_old = list(unnamed.values_list("pk", flat=True)[MOST_UNNAMED - 1 :])
        person.api_tokens.filter(pk__in=too_old).delete()
    text = codes.new_token()
    token = ApiToken.objects.create(
        user=person,
        name=codes.visible(name)[:60],
        scope=scope,
        token_hash=_hash(text),
        expires_at=timezone.now() + timedelta(days=days),
    )
    audit.record(person, "created token", person, scope=scope)
    return token, text


def of_person(person: User) -> list[ApiToken]:
    """Return the tokens of *person* that still work, newest first."""
    working = person.api_tokens.filter(expires_at__gt=timezone.now())
    return list(working.order_by("-created_at", "-pk"))


def find(text: str) -> ApiToken | None:
    """Return the token with its owner if it works, or None; note the day of its use."""
    now = timezone.now()
    token = (
        ApiToken.objects.select_related("user__school")
        .filter(token_hash=_hash(text), expires_at__gt=now, user__is_active=True)
        .first()
    )
    if token is not None and token.used_on != now.date():
        ApiToken.objects.filter(pk=token.pk).update(used_on=now.date())
    return token


@transaction.atomic
def revoke(*, token: ApiToken) -> None:
    """End a token of its owner's at once."""
    person = token.user
    token.delete()
    audit.record(person, "revoked token", person)


def forget_expired() -> None:
    """Delete all tokens that no longer work."""
    ApiToken.objects.filter(expires_at__lte=timezone.now()).delete()


def _hash(text: str) -> str:
    # 160 random bits: nobody guesses them, so a fast hash is enough.
    return codes.keyed_hash("api.token", text)
