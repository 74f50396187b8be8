"""The providers of these tests do what the specification says, and what a test wants."""

import time
from contextlib import suppress
from urllib.parse import parse_qsl, urlsplit

import pytest
import requests
from authlib.integrations.base_client.errors import OAuthError
from authlib.integrations.requests_client import OAuth2Session
from joserfc import jws, jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet

from tests.accounts.sign_on.providers import CLIENT, DISCOVERY, SECRET

BACK = "https://site.example/back/"
OUT = "https://site.example/out/"
VERIFIER, NONCE = "v" * 43, "a nonce"
ANA = {"name": "Ana Kos", "email": "ana@school.example", "email_verified": True, "hd": "school"}


def session(**options):
    return OAuth2Session(
        CLIENT, SECRET, scope="openid profile email", redirect_uri=BACK,
        code_challenge_method="S256", **options,
    )  # fmt: skip


def description_of(provider):
    return requests.get(provider.url + DISCOVERY, timeout=20).json()


def keys_of(provider):
    return requests.get(description_of(provider)["jwks_uri"], timeout=20).json()


def begun(provider, verifier=VERIFIER):
    """Return the address at which a browser begins to sign in."""
    address = description_of(provider)["authorization_endpoint"]
    return session().create_authorization_url(
        address, state="state", nonce=NONCE, code_verifier=verifier
    )[0]


def returned(address):
    return dict(parse_qsl(urlsplit(address).query))


def exchange(provider, address, verifier=VERIFIER, **options):
    """Return the answer to the code with which the browser came back at *address*."""
    token = description_of(provider)["token_endpoint"]
    code = returned(address)["code"]
    client = session(**options)
    return client.fetch_token(
        token, grant_type="authorization_code", code=code, code_verifier=verifier
    )


def claims_of(provider, token):
    keys = KeySet.import_key_set(keys_of(provider))
    return jwt.decode(token["id_token"], keys, ["RS256"]).claims


@pytest.fixture
def connected(certified):
    certified.connect(BACK, logout=[OUT])
    certified.know({"7": ANA, "8": {"name": "Luka"}})
    return certified


def test_the_certified_provider_describes_itself(certified):
    told = description_of(certified)
    assert told["issuer"] == certified.url
    assert told["code_challenge_methods_supported"] == ["S256"]
    assert {"authorization_endpoint", "token_endpoint", "end_session_endpoint"} <= told.keys()


def test_the_certified_provider_signs_a_person_in(connected):
    address = connected.sign_in(begun(connected), "7")
    assert address.startswith(BACK) and returned(address)["state"] == "state"
    told = claims_of(connected, exchange(connected, address))
    assert told.items() >= {"sub": "7", "aud": CLIENT, "nonce": NONCE, **ANA}.items()


def test_the_certified_provider_tells_claims_only_where_a_test_wants_them(connected):
    connected.know({"7": ANA}, in_token=False)
    token = exchange(connected, connected.sign_in(begun(connected), "7"))
    # What is no standard claim is there: the provider has it with the scope “openid”.
    assert ANA.keys() & claims_of(connected, token).keys() == {"hd"}
    client = session(token=token)
    told = client.get(description_of(connected)["userinfo_endpoint"], timeout=20).json()
    assert told == {"sub": "7", **ANA}


def test_who_is_signed_in_at_the_certified_provider_is_not_asked_again(connected):
    browser = requests.Session()
    connected.sign_in(begun(connected), "7", browser)
    again = connected.sign_in(begun(connected), "8", browser)
    assert claims_of(connected, exchange(connected, again))["sub"] == "7"
    out = description_of(connected)["end_session_endpoint"]
    address = f"{out}?client_id={CLIENT}&post_logout_redirect_uri={OUT}&state=s"
    assert connected.sign_out(address, browser) == f"{OUT}?state=s"
    third = connected.sign_in(begun(connected), "8", browser)
    assert claims_of(connected, exchange(connected, third))["sub"] == "8"


def test_the_certified_provider_is_refused_and_refuses(connected):
    assert returned(connected.sign_in(begun(connected), ""))["error"] == "access_denied"
    address = connected.sign_in(begun(connected), "7")
    with pytest.raises(OAuthError, match="invalid_grant"):
        exchange(connected, address, verifier="w" * 43)
    address = connected.sign_in(begun(connected), "7")
    exchange(connected, address)
    with pytest.raises(OAuthError, match="invalid_grant"):
        exchange(connected, address)  # the second time
    unprotected = connected.sign_in(begun(connected, verifier=""), "7")
    assert returned(unprotected)["error"] == "invalid_request"  # without PKCE


def test_the_certified_provider_gets_a_new_key(connected):
    before = keys_of(connected)["keys"]
    token = exchange(connected, connected.sign_in(begun(connected), "7"))
    connected.rotate()
    [new] = keys_of(connected)["keys"]
    assert new["kid"] not in {key["kid"] for key in before}
    with pytest.raises((JoseError, ValueError)):
        claims_of(connected, token)
    after = exchange(connected, connected.sign_in(begun(connected), "7"))
    assert claims_of(connected, after)["sub"] == "7"


def test_the_forger_is_right_until_it_is_bent(forger):
    forger.person = {"sub": "7", **ANA}
    told = claims_of(forger, exchange(forger, forger.sign_in(begun(forger))))
    assert told.items() >= {"sub": "7", "aud": CLIENT, "nonce": NONCE, **ANA}.items()
    forger.said = {"aud": "another", "nonce": None, "exp": 1}
    told = claims_of(forger, exchange(forger, forger.sign_in(begun(forger))))
    assert (told["aud"], told["exp"], "nonce" in told) == ("another", 1, False)


@pytest.mark.parametrize(
    ("signs", "algorithm"),
    [
        ("none", "none"), ("HS256", "HS256"), ("secret", "HS256"), ("stolen kid", "RS256"),
        ("unknown kid", "RS256"),
    ],
)  # fmt: skip
def test_the_forger_signs_wrongly(forger, signs, algorithm):
    forger.signs = signs
    token = exchange(forger, forger.sign_in(begun(forger)))
    header = jws.extract_compact(token["id_token"].encode()).headers()
    assert header["alg"] == algorithm
    assert (header["kid"] == forger.key.kid) == (signs != "unknown kid")
    with pytest.raises((JoseError, ValueError)):
        claims_of(forger, token)


def test_the_forgers_token_endpoint_is_strict_unless_a_test_wants_it_careless(forger):
    address = forger.sign_in(begun(forger))
    for wrong in [{"verifier": "w" * 43}, {}]:  # a wrong verifier uses the code up
        with pytest.raises(OAuthError, match="invalid_grant"):
            exchange(forger, address, **wrong)
    forger.secret = "another"
    with pytest.raises(OAuthError, match="invalid_client"):
        exchange(forger, forger.sign_in(begun(forger)))
    forger.checks = set()
    address = forger.sign_in(begun(forger))
    assert exchange(forger, address, verifier="w" * 43) and exchange(forger, address)


def test_the_forger_fails_as_a_test_wants(forger):
    keys, seen = f"{forger.url}/keys", []
    forger.faults["/keys"] = [500, "redirect", "html", "huge", "hang", "drip"]
    for _time in range(6):
        began = time.monotonic()
        with suppress(requests.RequestException):
            answer = requests.get(keys, allow_redirects=False, timeout=0.5, stream=True)
            seen.append(answer.status_code)
            answer.close()
    assert time.monotonic() - began < 5
    assert seen == [500, 302, 200, 200, 200]  # the fifth did not come
    assert requests.get(keys, timeout=5).json()["keys"][0]["kid"] == forger.key.kid
    assert forger.times_asked("/keys") == 7
    forger.described = {"issuer": "https://other.example", "jwks_uri": None}
    told = description_of(forger)
    assert told["issuer"] == "https://other.example" and "jwks_uri" not in told
