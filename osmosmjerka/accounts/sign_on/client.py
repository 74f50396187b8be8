"""Requests to a sign-in service, which may be away, slow or hostile, and checks of what it says.

Authlib builds the authorization request with PKCE, exchanges the code and checks the claims;
joserfc checks signatures. Both are loaded only when somebody signs in this way.
"""

from __future__ import annotations

import io
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

import requests
import urllib3
from django.conf import settings
from django.core.cache import cache
from django.utils.translation import gettext as _
from requests.adapters import HTTPAdapter

from osmosmjerka.accounts.models import IdentityProvider
from osmosmjerka.accounts.secrets import SecretUnreadable, decrypt
from osmosmjerka.web.addresses import may_be_asked

SECONDS = 3.0  # for each exchange
LARGEST = 500_000  # bytes of an answer
LEEWAY = 60  # seconds by which clocks may differ
_KEPT = 24 * 60 * 60
_BETWEEN = 60  # before keys are asked for again because one is not known
# Signed with the private key of the service. HS256 would be signed with what this site knows too.
ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512"]
_KEY_TYPES = {"RSA", "EC"}
_SCOPE = "openid profile email"
# They know the parameter, so that on a shared device nobody is logged in as the person before.
_ASK_WHO = ("https://accounts.google.com", "https://login.microsoftonline.com/")


class ProviderAway(Exception):
    """The service did not answer as the specification says. Its text is for a school admin."""


class TokenRefused(Exception):
    """What came from the service is not right. Its text is for the log."""


@dataclass(frozen=True, slots=True)
class Service:
    """What a service says about itself (Discovery 1.0, 3), as far as it is used here."""

    issuer: str
    authorization: str
    token: str
    userinfo: str
    end_session: str
    keys: str
    is_basic: bool
    """Whether the secret is sent in the header, as by default (2.0.9 of Core), not in the form."""


def service_of(provider: IdentityProvider, *, is_fresh: bool = False) -> Service:
    """Return what the service says about itself, at most a day old. Raises ProviderAway."""
    kept = None if is_fresh else cache.get(_name("service", provider))
    if kept is None:
        address = f"{provider.issuer.rstrip('/')}/.well-known/openid-configuration"
        kept = _checked(provider, _get(address))
        cache.set(_name("service", provider), kept, _KEPT)
    return Service(**kept)


def _checked(provider: IdentityProvider, said: Any) -> dict[str, Any]:
    if not isinstance(said, dict) or not isinstance(said.get("issuer"), str):
        raise ProviderAway(_("At the issuer, there is no description of a sign-in service."))
    # Discovery 1.0, 4.3. Some write their own name with a slash at the end.
    if said["issuer"].rstrip("/") != provider.issuer.rstrip("/"):
        raise ProviderAway(
            _("The service calls itself %(issuer)s. Enter this as its issuer.")
            % {"issuer": said["issuer"][:200]}
        )
    ends = {
        "authorization": "authorization_endpoint",
        "token": "token_endpoint",
        "userinfo": "userinfo_endpoint",
        "end_session": "end_session_endpoint",
        "keys": "jwks_uri",
    }
    found = {ours: said.get(theirs) or "" for ours, theirs in ends.items()}
    for ours, theirs in ends.items():
        is_needed = ours in {"authorization", "token", "keys"}
        if not isinstance(found[ours], str) or not (found[ours] or not is_needed):
            raise ProviderAway(_("The service does not name its %(end)s.") % {"end": theirs})
        if found[ours] and not may_be_asked(found[ours]):
            raise ProviderAway(
                _("The %(end)s of the service does not begin with https://.") % {"end": theirs}
            )
    signs = said.get("id_token_signing_alg_values_supported") or ["RS256"]
    if not set(ALGORITHMS).intersection(signs):
        raise ProviderAway(
            _("The service signs with %(algorithms)s. Have it sign with RS256.")
            % {"algorithms": ", ".join(map(str, signs))[:200]}
        )
    methods = said.get("token_endpoint_auth_methods_supported") or ["client_secret_basic"]
    return {"issuer": said["issuer"], "is_basic": "client_secret_basic" in methods, **found}


def address(provider: IdentityProvider, *, back: str, state: str, nonce: str, verifier: str) -> str:
    """Return where the browser is sent to sign in (Core 1.0, 3.1.2.1). Raises ProviderAway.

    *verifier* is the secret of PKCE (RFC 7636), *back* the address to which the service returns.
    """
    service, more = service_of(provider), {}
    if provider.issuer.startswith(_ASK_WHO):
        more["prompt"] = "select_account"
    url, _state = _session(provider, service, back).create_authorization_url(
        service.authorization, state=state, nonce=nonce, code_verifier=verifier, **more
    )
    return str(url)


def claims_of(
    provider: IdentityProvider, *, code: str, back: str, nonce: str, verifier: str
) -> Mapping[str, Any]:
    """Exchange a code and return the claims of the ID token, with those of userinfo.

    Raises ProviderAway if the service does not answer, TokenRefused if its answer is not right.
    """
    from authlib.common.errors import AuthlibBaseError

    service = service_of(provider)
    session = _session(provider, service, back)
    try:
        token = session.fetch_token(
            service.token,
            grant_type="authorization_code",
            code=code,
            code_verifier=verifier,
            allow_redirects=False,
        )
    except AuthlibBaseError as error:  # such as invalid_grant: the code was used
        raise TokenRefused(f"The code was refused: {error.error}") from error
    except (requests.RequestException, ValueError, TypeError, AttributeError) as error:
        raise ProviderAway(_told(error)) from error
    said = token.get("id_token") if isinstance(token, dict) else None
    if not isinstance(said, str) or len(said) > LARGEST:
        raise TokenRefused("There is no ID token.")
    claims = _checked_claims(provider, service, said, nonce, str(token.get("access_token", "")))
    wanted = {"name", "email", provider.roster_claim, provider.role_claim} - {""}
    if not service.userinfo or claims.keys() >= wanted:
        return claims
    more = _get(service.userinfo, token=str(token.get("access_token", "")))
    if not isinstance(more, dict) or more.get("sub") != claims["sub"]:  # Core 1.0, 5.3.2
        raise TokenRefused("userinfo is about somebody else.")
    return more | claims  # what is signed counts


def _checked_claims(
    provider: IdentityProvider, service: Service, said: str, nonce: str, access_token: str
) -> dict[str, Any]:
    """Return the claims of an ID token (Core 1.0, 3.1.3.7). Raises TokenRefused."""
    from authlib.oidc.core import CodeIDToken
    from joserfc import jws, jwt
    from joserfc.errors import JoseError
    from joserfc.jwk import KeySet

    try:
        header = jws.extract_compact(said.encode()).headers()
        if header.get("alg") not in ALGORITHMS:
            raise TokenRefused(f"Its algorithm is {header.get('alg')}.")
        keys = _keys_for(provider, service, header.get("kid"))
        decoded = jwt.decode(said, KeySet.import_key_set({"keys": keys}), ALGORITHMS)
        claims = CodeIDToken(
            decoded.claims,
            decoded.header,
            {
                "iss": {"essential": True, "value": service.issuer},
                "aud": {"essential": True, "value": provider.client_id},
                "nonce": {"essential": True, "value": nonce},
            },
            {"nonce": nonce, "client_id": provider.client_id, "access_token": access_token},
        )
        claims.validate(leeway=LEEWAY)
    except (JoseError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise TokenRefused(f"{type(error).__name__}: {error}") from error
    subject = claims["sub"]
    if not isinstance(subject, str) or not 0 < len(subject) <= 255:
        raise TokenRefused("Its subject is not a text of at most 255 characters.")
    return dict(claims)


def _keys_for(provider: IdentityProvider, service: Service, kid: object) -> list[dict[str, Any]]:
    """Return the keys with which a token may be signed; ask once more if its key is not known."""
    name = _name("keys", provider)
    keys: list[dict[str, Any]] | None = cache.get(name)
    is_known = keys is not None and any(key.get("kid") == kid for key in keys)
    # Who sends tokens with made-up keys does not have the service asked each time.
    if keys is None or (not is_known and cache.add(_name("asked", provider), True, _BETWEEN)):
        said = _get(service.keys)
        found = said.get("keys") if isinstance(said, dict) else None
        if not isinstance(found, list):
            raise ProviderAway(_("The service does not tell its keys."))
        keys = [key for key in found if isinstance(key, dict) and key.get("kty") in _KEY_TYPES]
        cache.set(name, keys, _KEPT)
    named = [key for key in keys if key.get("kid") == kid] if kid is not None else keys
    if not named:
        raise TokenRefused("It is signed with a key that the service does not have.")
    return named


def problem_of(provider: IdentityProvider, *, back: str) -> str:
    """Return what is wrong with the connection, "" if nothing was found."""
    from authlib.common.errors import AuthlibBaseError

    try:
        service = service_of(provider, is_fresh=True)
        cache.delete(_name("keys", provider))
        _keys_for(provider, service, None)
        _session(provider, service, back).fetch_token(
            service.token,
            grant_type="authorization_code",
            code="test",
            code_verifier="0" * 43,
            allow_redirects=False,
        )
    except TokenRefused:
        return _("The service tells no key with which it could sign.")
    except ProviderAway as error:
        return str(error)
    except AuthlibBaseError as error:  # no code “test” is right, but the client should be
        if error.error in {"invalid_client", "unauthorized_client"}:
            return _("The service does not accept the client ID or the client secret.")
        if error.error not in {"invalid_grant", "invalid_request"}:
            return _("The service did not answer as the specification says.")
    except (requests.RequestException, ValueError, TypeError, AttributeError) as error:
        return _told(error)
    else:
        return _("The service did not answer as the specification says.")
    return ""


def end_address(provider: IdentityProvider, *, back: str) -> str:
    """Return where one logs out of the service, "" if it has no such page. Raises ProviderAway.

    Without `id_token_hint`, which would have to be stored, the service asks (RP-Initiated 1.0, 2).
    """
    end = service_of(provider).end_session
    query = urlencode({"client_id": provider.client_id, "post_logout_redirect_uri": back})
    return f"{end}{'&' if '?' in end else '?'}{query}" if end else ""


def forget(provider: IdentityProvider) -> None:
    """Forget what was read from the service, because its settings have changed."""
    cache.delete_many([_name(what, provider) for what in ("service", "keys", "asked")])


def _session(provider: IdentityProvider, service: Service, back: str) -> Any:
    from authlib.integrations.requests_client import OAuth2Session

    session = OAuth2Session(
        client_id=provider.client_id,
        client_secret=_secret_of(provider),
        token_endpoint_auth_method="client_secret_basic"
        if service.is_basic
        else "client_secret_post",
        scope=_SCOPE,
        redirect_uri=back,
        code_challenge_method="S256",
    )
    return _bounded(session, service.token)


def _secret_of(provider: IdentityProvider) -> str:
    if provider.school_id is None:
        return settings.SIGN_ON_SECRET
    try:
        return decrypt(provider.secret)
    except SecretUnreadable as error:
        raise ProviderAway(_("Enter the client secret again: SECRET_KEY has changed.")) from error


def _get(url: str, *, token: str = "") -> Any:
    """Return the JSON at *url*. Raises ProviderAway."""
    if not may_be_asked(url):
        raise ProviderAway(_("The issuer does not begin with https://."))
    headers = {"Accept": "application/json"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    try:
        answer = _bounded(requests.Session(), url).get(url, headers=headers, allow_redirects=False)
        if answer.status_code != 200:
            # Only the status: what stands in the answer may be of another server.
            raise ProviderAway(
                _("The service answered with status %(status)s.") % {"status": answer.status_code}
            )
        return json.loads(answer.content)
    except requests.RequestException as error:
        raise ProviderAway(_told(error)) from error
    except ValueError as error:
        raise ProviderAway(_("At the issuer, there is no sign-in service.")) from error


def _told(error: Exception) -> str:
    if isinstance(error, requests.exceptions.SSLError):
        return _("The certificate of the service is not trusted.")
    if isinstance(error, requests.Timeout):
        return _("The service did not answer in time.")
    if isinstance(error, requests.ConnectionError):
        return _("The service cannot be reached.")
    return _("The service did not answer as the specification says.")


class _Bounded(HTTPAdapter):
    """Ends each exchange in time, and reads no more than a description or a token can be."""

    def send(
        self, request: requests.PreparedRequest, *args: Any, **options: Any
    ) -> requests.Response:
        until = time.monotonic() + SECONDS
        answer = super().send(request, **options | {"stream": True, "timeout": SECONDS})
        body = bytearray()
        try:
            while piece := answer.raw.read1(65_536):
                body += piece
                if len(body) > LARGEST:
                    raise requests.RequestException("The answer is too long.")
                if time.monotonic() > until:
                    raise requests.Timeout("The answer takes too long.")
        except urllib3.exceptions.ReadTimeoutError as error:
            raise requests.Timeout(str(error)) from error
        except urllib3.exceptions.HTTPError as error:
            raise requests.ConnectionError(str(error)) from error
        finally:
            answer.close()
        answer.raw = io.BytesIO(body)
        return answer


def _bounded(session: Any, url: str) -> Any:
    """Return a session of requests with limits; of the environment, it knows the proxy only."""
    session.trust_env = False
    session.proxies = requests.utils.get_environ_proxies(url, no_proxy=None)
    session.headers["Accept-Encoding"] = "identity"
    session.mount("https://", _Bounded())
    session.mount("http://", _Bounded())
    return session


def _name(what: str, provider: IdentityProvider) -> str:
    return f"sign-on:{what}:{provider.pk}"
