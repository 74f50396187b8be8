"""Connect learning platforms with a school: by hand or by dynamic registration, test, remove."""

from __future__ import annotations

import re
import secrets
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from osmosmjerka.accounts import audit
from osmosmjerka.accounts.codes import keyed_hash
from osmosmjerka.accounts.models import School, User
from osmosmjerka.web.addresses import may_be_asked
from puzzles.lti import client, keys, messages
from puzzles.models import LtiInvitation, LtiPerson, LtiPlatform
from vocab.message import message
from vocab.sentences import said

INVITED = timedelta(days=2)
ADDRESSES = ("auth_url", "token_url", "keys_url")
# LTI Dynamic Registration 1.0, 3.5: what Moodle and Canvas know it by.
_TOOL = "https://purl.imsglobal.org/spec/lti-tool-configuration"
# An issuer whose addresses are on other hosts: Canvas, where its maker runs it.
_SERVES_FOR = {"canvas.instructure.com": (".instructure.com", "sso.canvaslms.com")}
_SCOPES = (messages.SCORE, messages.RESULTS, messages.MEMBERS)


@transaction.atomic
def connect(*, platform: LtiPlatform, deployment_id: str, actor: User | None) -> LtiPlatform:
    """Store a platform that is not stored yet, with a deployment if it is known already.

    Raises ValidationError if an address is not https, or if it is connected already.
    """
    for name in ADDRESSES:
        if not may_be_asked(getattr(platform, name)):
            raise ValidationError({name: [_("Enter an address that begins with https://.")]})
    platform.full_clean(exclude=["keys", "keys_at", *ADDRESSES])
    platform.save()
    keys.own_key()
    if deployment_id:
        platform.deployments.create(deployment_id=deployment_id[:255])
    audit.record(actor, "connected platform", platform.school, platform=platform.pk)
    return platform


@transaction.atomic
def switch(*, platform: LtiPlatform, is_on: bool, actor: User) -> None:
    """Let people come from a platform, or not any more; nothing else changes."""
    platform.is_on = is_on
    platform.save(update_fields=["is_on"])
    audit.record(actor, "switched platform", platform.school, platform=platform.pk)


@transaction.atomic
def remove(*, platform: LtiPlatform, actor: User) -> None:
    """Forget a platform, who its people are here and their grades; accounts and classes stay."""
    audit.record(actor, "removed platform", platform.school, platform=platform.pk)
    platform.delete()


@transaction.atomic
def unlink(*, linked: LtiPerson, actor: User) -> None:
    """End that a teacher comes in from a platform; they can link their account again."""
    audit.record(actor, "unlinked platform", linked.user, platform=linked.platform_id)
    linked.delete()


def linked_teachers(school: School) -> QuerySet[LtiPerson]:
    """Return which teachers come in from the school's platforms."""
    linked = LtiPerson.objects.filter(platform__school=school).exclude(user__role=User.Role.STUDENT)
    return linked.select_related("user", "platform").order_by("platform", "pk")


def invite(*, school: School, actor: User) -> str:
    """Return the secret part of an address at which one platform can register, once."""
    token = secrets.token_urlsafe(24)
    keys.own_key()  # which the platform reads as it registers this site
    LtiInvitation.objects.filter(until__lt=timezone.now()).delete()
    LtiInvitation.objects.create(
        school=school,
        created_by=actor,
        token_hash=_hash(token),
        until=timezone.now() + INVITED,
    )
    return token


def register(
    *, token: str, configuration_url: str, access: str, site: dict[str, str]
) -> LtiPlatform:
    """Register this site at the platform that sent somebody here, and connect it.

    *configuration_url* and *access* are its `openid_configuration` and `registration_token`, *site*
    the addresses that `tool` needs. Raises ValidationError, which says what is wrong; the address
    can then be used again.
    """
    found = LtiInvitation.objects.select_related("school", "created_by")
    invitation = found.filter(token_hash=_hash(token), until__gt=timezone.now()).first()
    if invitation is None:
        raise ValidationError(_("This address was used already or is too old. Ask for a new one."))
    if not configuration_url:
        raise ValidationError(
            _("Paste this address in the learning platform. It is not for opening in a browser.")
        )
    try:
        offered = _configuration(client.get(configuration_url), configuration_url)
        # 3.5: with the token that the platform gave, if it gave one.
        answer = client.post_json(offered["registration_endpoint"], tool(site), token=access)
        registered = client.json_of(answer)
    except client.PlatformError as error:
        raise ValidationError(
            _("The learning platform did not accept the registration: %(reason)s")
            % {"reason": said(error.message)}
        ) from error
    client_id = registered.get("client_id") if isinstance(registered, dict) else None
    if not isinstance(client_id, str) or not client_id:
        raise ValidationError(_("The learning platform did not tell a client ID."))
    described = registered.get(_TOOL)
    deployment = described.get("deployment_id") if isinstance(described, dict) else None
    with transaction.atomic():
        # Of two uses at once, one deletes it.
        if not LtiInvitation.objects.filter(pk=invitation.pk).delete()[0]:
            raise ValidationError(
                _("This address was used already or is too old. Ask for a new one.")
            )
        return connect(
            platform=LtiPlatform(
                school=invitation.school,
                name=(urlsplit(offered["issuer"]).hostname or offered["issuer"])[:100],
                issuer=offered["issuer"],
                client_id=client_id,
                auth_url=offered["authorization_endpoint"],
                token_url=offered["token_endpoint"],
                keys_url=offered["jwks_uri"],
            ),
            deployment_id=deployment if isinstance(deployment, str) else "",
            actor=invitation.created_by,
        )


def tool(site: dict[str, str]) -> dict[str, Any]:
    """Return what this site tells a platform about itself (Dynamic Registration 1.0, 3.6).

    *site* has the addresses `home`, `login`, `launch` and `keys`.
    """
    return {
        "application_type": "web",
        "response_types": ["id_token"],
        "grant_types": ["implicit", "client_credentials"],
        "initiate_login_uri": site["login"],
        "redirect_uris": [site["launch"]],
        "client_name": "Osmosmjerka",
        "jwks_uri": site["keys"],
        "token_endpoint_auth_method": "private_key_jwt",
        "scope": " ".join(_SCOPES),
        _TOOL: {
            "domain": urlsplit(site["home"]).netloc,
            "target_link_uri": site["launch"],
            "claims": ["iss", "sub", "name", "given_name", "family_name"],
            "messages": [
                {"type": messages.RESOURCE_LINK, "target_link_uri": site["launch"]},
                {
                    "type": messages.DEEP_LINK,
                    "target_link_uri": site["launch"],
                    "label": "Osmosmjerka",
                },
            ],
        },
    }


def problem_of(platform: LtiPlatform) -> str:
    """Ask a platform for its keys and an access token; return what is wrong, "" if nothing.

    Security Framework 1.0, 4.1.1 and 6.3.
    """
    try:
        keys.read_keys(platform)
    except client.PlatformError as error:
        reason = said(error.message)
        return _("The public keyset URL does not work: %(reason)s") % {"reason": reason}
    if not platform.keys["keys"]:
        return _("At the public keyset URL there are no keys of the kind that LTI needs (RSA).")
    try:
        access_token(platform, list(_SCOPES))
    except client.PlatformError as error:
        if error.status in {400, 401, 403}:
            return _(
                "The learning platform does not let this site in (%(status)s). Compare the client "
                "ID, and the keyset URL of this site that the platform has."
            ) % {"status": error.status}
        reason = said(error.message)
        return _("The access token URL does not work: %(reason)s") % {"reason": reason}
    return ""


def access_token(platform: LtiPlatform, scopes: list[str]) -> str:
    """Return a token with which the platform lets this site in (Security Framework 1.0, 4.1.1).

    Raises PlatformError.
    """
    assertion = keys.sign(
        {
            "iss": platform.client_id,
            "sub": platform.client_id,
            "aud": platform.token_url,
            "jti": secrets.token_urlsafe(16),
        }
    )
    told = client.post_form(
        platform.token_url,
        {
            "grant_type": "client_credentials",
            "client_assertion_type": "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
            "client_assertion": assertion,
            "scope": " ".join(scopes),
        },
    )
    token = told.get("access_token") if isinstance(told, dict) else None
    if not isinstance(token, str) or not re.fullmatch(r"[\x21-\x7e]{1,8000}", token):
        raise client.PlatformError(message("The answer has no access token."), 200)
    return token


def _configuration(told: Any, address: str) -> dict[str, str]:
    """Return the addresses of a platform's configuration (Dynamic Registration 1.0, 3.4)."""
    names = (
        "issuer",
        "registration_endpoint",
        "authorization_endpoint",
        "token_endpoint",
        "jwks_uri",
    )
    if not isinstance(told, dict) or not all(
        isinstance(told.get(name), str) and told[name] for name in names
    ):
        raise ValidationError(_("The learning platform did not tell all its addresses."))
    # 3.4: the issuer must be where the configuration was read, so that nobody names another's.
    issuer, host = urlsplit(told["issuer"]).hostname or "", urlsplit(address).hostname or ""
    if host != issuer and not host.endswith(_SERVES_FOR.get(issuer, ())):
        raise ValidationError(_("The learning platform named another one as itself."))
    return {name: told[name] for name in names}


def _hash(token: str) -> str:
    return keyed_hash("lti.invitation", token)
