"""What a platform says in the message of a launch: pure, so that each rule stands beside its text.

The sections are those of LTI Core 1.3, unless another specification is named.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf
from typing import Any
from urllib.parse import urlsplit

_CLAIM = "https://purl.imsglobal.org/spec/lti/claim/"
_ROLE = "http://purl.imsglobal.org/vocab/lis/v2/"
DEEP_LINKING = "https://purl.imsglobal.org/spec/lti-dl/claim/"
_AGS = "https://purl.imsglobal.org/spec/lti-ags/claim/endpoint"
_NRPS = "https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice"
SCORE = "https://purl.imsglobal.org/spec/lti-ags/scope/score"
RESULTS = "https://purl.imsglobal.org/spec/lti-ags/scope/result.readonly"
MEMBERS = "https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly"
VERSION = "1.3.0"
LEEWAY = 60  # seconds that clocks may differ
RESOURCE_LINK, DEEP_LINK = "LtiResourceLinkRequest", "LtiDeepLinkingRequest"

# Appendix A.2. Simple names are short for those of a context (A.2.4).
TEACHERS = {
    f"{_ROLE}membership#Instructor", f"{_ROLE}membership#ContentDeveloper",
    f"{_ROLE}membership#Administrator", "Instructor", "ContentDeveloper", "Administrator",
}  # fmt: skip
LEARNERS = {f"{_ROLE}membership#Learner", "Learner"}
# Appendix A.2.1: somebody who is nobody, with whom a teacher looks what students see.
TEST_USER = "http://purl.imsglobal.org/vocab/lti/system/person#TestUser"


class MessageRefused(Exception):
    """A message breaks a rule of the specification. Its text is for the log."""


@dataclass(frozen=True, slots=True)
class DeepLink:
    """Where what a teacher chooses is to be sent (Deep Linking 2.0, 4.4.1)."""

    return_url: str
    data: str = ""


@dataclass(frozen=True, slots=True)
class Message:
    """What a launch says, as far as this site uses it."""

    subject: str
    deployment_id: str
    is_teacher: bool
    is_learner: bool
    is_test_user: bool
    context_id: str
    course_title: str
    resource_link_id: str
    names: tuple[str, str, str]
    assignment: str
    line_item: str
    reads_results: bool
    memberships_url: str
    deep_link: DeepLink | None = None


def read(
    claims: Mapping[str, Any],
    *,
    issuer: str,
    client_id: str,
    nonce: str,
    now: float,
    host: str,
) -> Message:
    """Check the claims of a signed message and return what it says. Raises MessageRefused.

    *nonce* is the one that was sent with the authentication request, *now* seconds since 1970,
    *host* this site with its port.
    """
    _check_token(claims, issuer, client_id, nonce, now)
    _is(claims.get(f"{_CLAIM}version") == VERSION, "5.3.2: the version is not 1.3.0")
    kind = claims.get(f"{_CLAIM}message_type")  # 5.3.1
    _is(kind in {RESOURCE_LINK, DEEP_LINK}, "5.3.1: the type of message is not known")
    deployment = _text(claims.get(f"{_CLAIM}deployment_id"))
    _is(bool(deployment), "5.3.3: it names no deployment")
    roles = claims.get(f"{_CLAIM}roles", [])  # 5.3.7: required, and may be empty
    _is(isinstance(roles, list) and all(isinstance(r, str) for r in roles), "5.3.7: no roles")
    context = _object(claims.get(f"{_CLAIM}context"))  # 5.4.1
    link = _object(claims.get(f"{_CLAIM}resource_link"))  # 5.3.5
    if kind == RESOURCE_LINK:
        _is(bool(_text(link.get("id"))), "5.3.5: it names no resource link")
    # 5.3.4: the address that the platform asked for, which must be one of this site.
    target = _text(claims.get(f"{_CLAIM}target_link_uri"), 2000)
    _is(kind == DEEP_LINK or is_of_site(target, host), "5.3.4: the target is of another site")
    subject = _text(claims.get("sub"))  # 5.3.6; without it, nobody is meant (5.3.6.1)
    _is(bool(subject), "5.3.6: nobody is named")
    grades = _object(claims.get(_AGS))  # AGS 2.0, 3.1
    scopes = grades.get("scope") if isinstance(grades.get("scope"), list) else []
    line_item = _text(grades.get("lineitem"), 1000) if SCORE in (scopes or []) else ""
    custom = _object(claims.get(f"{_CLAIM}custom"))  # 5.4.6
    held = set(roles)
    return Message(
        subject=subject,
        deployment_id=deployment,
        is_teacher=bool(held & TEACHERS),
        is_learner=bool(held & LEARNERS),
        is_test_user=TEST_USER in held,
        context_id=_text(context.get("id")),
        course_title=(_text(context.get("title"), 2000) or _text(context.get("label"), 2000))[:200],
        resource_link_id=_text(link.get("id")),
        names=names_of(claims),
        assignment=_text(custom.get("assignment")),
        line_item=line_item,
        reads_results=RESULTS in (scopes or []),
        memberships_url=_text(_object(claims.get(_NRPS)).get("context_memberships_url"), 1000),
        deep_link=_deep_link(claims) if kind == DEEP_LINK else None,
    )


def names_of(told: Mapping[str, Any]) -> tuple[str, str, str]:
    """Return the whole name, the given name and the surname of a person, each "" if not told."""
    whole, given, family = (
        _text(told.get(name), 2000) for name in ("name", "given_name", "family_name")
    )
    return whole, given, family


def is_of_site(address: str, host: str) -> bool:
    """Return whether an address is one of this site, whose *host* has its port."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return False
    return parts.scheme in {"https", "http"} and parts.netloc == host


def _check_token(
    claims: Mapping[str, Any], issuer: str, client_id: str, nonce: str, now: float
) -> None:
    """Check what Security Framework 1.0, 5.1.3 asks of every ID token; the signature is right."""
    _is(claims.get("iss") == issuer, "5.1.3 (2): another issuer")
    audience = claims.get("aud")
    audiences = audience if isinstance(audience, list) else [audience]
    _is(client_id in audiences, "5.1.3 (3): meant for another tool")
    # 5.1.3 (4, 5): among several audiences, azp says who is meant.
    _is(len(audiences) == 1 or "azp" in claims, "5.1.3 (4): several audiences without azp")
    _is(claims.get("azp", client_id) == client_id, "5.1.3 (5): another authorized party")
    _is(_number(claims.get("exp"), 0) > now - LEEWAY, "5.1.3 (7): it has expired")
    _is(_number(claims.get("iat"), inf) < now + LEEWAY, "5.1.3 (8): it is of the future")
    _is(claims.get("nonce") == nonce, "5.1.3 (9): another nonce")


def _deep_link(claims: Mapping[str, Any]) -> DeepLink:
    settings = _object(claims.get(f"{DEEP_LINKING}deep_linking_settings"))
    types = settings.get("accept_types")
    _is(
        isinstance(types, list) and "ltiResourceLink" in types,
        "Deep Linking 2.0, 4.4.1: it takes no links",
    )
    address = _text(settings.get("deep_link_return_url"), 2000)
    _is(bool(address), "Deep Linking 2.0, 4.4.1: it does not say where to return")
    return DeepLink(address, _text(settings.get("data"), 4000))


def _is(condition: bool, rule: str) -> None:
    if not condition:
        raise MessageRefused(rule)


def _number(value: Any, otherwise: float) -> float:
    return value if isinstance(value, int | float) else otherwise


def _object(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(value: Any, longest: int = 255) -> str:
    """Return a text, "" for anything else. What is too long to be stored is refused."""
    if not isinstance(value, str):
        return ""
    _is(len(value) <= longest, f"a text has more than {longest} characters")
    return value
