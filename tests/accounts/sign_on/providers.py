"""Providers of school accounts on this computer: a certified one, and one that forges.

Tests of a site with them set `HTTP_HERE`, since they speak no HTTPS. In both, `sign_in` does what
the browser does at the provider: it opens the address to which the site sends it, and returns the
address with which it comes back.
"""

import base64
import hashlib
import hmac
import itertools
import json
import secrets
import shutil
import subprocess
import threading
import time
from html.parser import HTMLParser
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, parse_qsl, unquote, urlencode, urljoin, urlsplit

import pytest
import requests
from joserfc import jwt
from joserfc.jwk import KeySet

from tests import npm
from tests.rsa_keys import key_of
from tests.services import missing

HERE = Path(__file__).parent
CLIENT, SECRET = "osmosmjerka", "a secret of the site and its provider"
DISCOVERY = "/.well-known/openid-configuration"
_keys = itertools.cycle(range(8))


# The certified one ---------------------------------------------------------------------------


class Certified:
    """npm's oidc-provider in a process of its own. Whoever it knows signs in without a password."""

    def __init__(self, folder, modules):
        shutil.copy(HERE / "provider.mjs", folder)
        (folder / "node_modules").symlink_to(modules)
        self._log = (folder / "log").open("w+")
        self._process = subprocess.Popen(
            [shutil.which("node") or missing("Node.js"), "provider.mjs"],
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            text=True,
        )
        self.url = self._answer()["url"]

    def close(self):
        self._process.stdin.close()  # which ends it
        self._process.wait(20)
        self._process.stdout.close()
        self._log.close()

    def reset(self):
        """Forget clients and people; get a new key."""
        self._tell(reset=True)

    def connect(self, *redirects, client_id=CLIENT, secret=SECRET, logout=(), **metadata):
        """Know a site, the only one; it comes back at one of *redirects*, or of *logout*.

        *metadata* are fields of Dynamic Client Registration, as `token_endpoint_auth_method`.
        """
        client = {
            "client_id": client_id,
            "client_secret": secret,
            "redirect_uris": redirects,
            "post_logout_redirect_uris": logout,
        }
        self._tell(clients=[client | metadata])

    def know(self, people, *, in_token=True, seconds=600):
        """Know *people*, their claims by subject, and nobody else.

        *in_token* says whether the ID token has all claims or userinfo alone has the standard ones,
        *seconds* how long an ID token is valid.
        """
        self._tell(people=people, inToken=in_token, seconds=seconds)

    def rotate(self):
        """Sign with a new key, and no longer tell the old one."""
        self._tell(rotate=True)

    def sign_in(self, address, person, browser=None):
        """Return where the browser comes back. *person* is a subject, "" for who refuses.

        In one *browser*, a session of requests, somebody may be signed in already.
        """
        browser = browser or requests.Session()
        away, page = self._go(browser, "GET", address)
        if away:
            return away
        away, page = self._go(browser, "POST", page.url, {"person": person})
        assert away, page.text
        return away

    def sign_out(self, address, browser):
        """Return where the browser comes back, "" if nowhere, after it signed out at *address*."""
        _away, page = self._go(browser, "GET", address)
        form = _Form(page.text)
        fields = form.fields | {"logout": "yes"}
        away, _page = self._go(browser, "POST", urljoin(page.url, form.action), fields)
        return away

    def _go(self, browser, method, address, fields=None):
        """Follow the provider's redirects; return an address of others, and the last page."""
        while True:
            page = browser.request(method, address, data=fields, allow_redirects=False, timeout=20)
            if not page.is_redirect:
                return "", page
            address, method, fields = urljoin(address, page.headers["Location"]), "GET", None
            if not address.startswith(self.url):
                return address, page

    def _tell(self, **command):
        self._process.stdin.write(json.dumps(command) + "\n")
        self._process.stdin.flush()
        error = self._answer()["error"]
        assert error is None, error

    def _answer(self):
        for line in self._process.stdout:
            if line.startswith("{"):  # it also writes notices
                return json.loads(line)
        self._log.seek(0)
        raise AssertionError(f"the provider ended:\n{self._log.read()}")


class _Form(HTMLParser):
    """The address and the hidden fields of the form on a page."""

    def __init__(self, page):
        super().__init__()
        self.action, self.fields = "", {}
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        told = dict(attributes)
        if tag == "form":
            self.action = told["action"]
        elif tag == "input":
            self.fields[told["name"]] = told.get("value", "")


# The one that forges -------------------------------------------------------------------------


class Forger:
    """A provider that says what a test wants, and does what the test wants when it is asked.

    It is right until a test bends it:

    `said`      claims of the ID token; None leaves one out that would be there
    `person`    claims of who signs in; `userinfo` those at that address, None if it has none
    `signs`     "RS256"; or "none", "HS256" with the public key, "secret" (HS256 with the client's
                secret), "stolen kid" (another key by the name of its own), "unknown kid"
    `described` of the discovery document; None leaves an entry out
    `faults`    by path, done one a request: a status, "hang", "redirect", "html", "huge", "drip"
    `asked`     the paths that were asked for, in order
    `checks`    of the token endpoint: "client", "code", "pkce", "redirect"; remove some to have a
                careless provider
    """

    def __init__(self, client_id=CLIENT, secret=SECRET):
        self.client_id, self.secret = client_id, secret
        self.person, self.userinfo = {"sub": "1"}, None
        self.said, self.described, self.header = {}, {}, {}
        self.signs = "RS256"
        self.faults, self.asked, self.codes = {}, [], {}
        self.checks = {"client", "code", "pkce", "redirect"}
        self.stopping = threading.Event()
        self._stranger = key_of("stranger")
        self.rotate()
        handler = type("H", (_Handler,), {"forger": self})
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._http.daemon_threads = True
        self._http.handle_error = lambda request, address: None
        self.url = f"http://127.0.0.1:{self._http.server_address[1]}"
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,))
        self._thread.start()

    def close(self):
        self.stopping.set()
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()

    def rotate(self):
        """Sign with a new key, and no longer tell the old one."""
        # No two providers of a test have the same one, nor one the same before and after.
        self.key = key_of(f"provider {next(_keys)}")

    def sign_in(self, address):
        """Return where the browser comes back, for whoever `person` is."""
        answer = requests.get(address, allow_redirects=False, timeout=20)
        assert answer.status_code == 302, answer.text
        return answer.headers["Location"]

    def times_asked(self, path):
        return self.asked.count(path)

    def discovery(self):
        told = {
            "issuer": self.url,
            "authorization_endpoint": f"{self.url}/auth",
            "token_endpoint": f"{self.url}/token",
            "jwks_uri": f"{self.url}/keys",
            "userinfo_endpoint": f"{self.url}/userinfo" if self.userinfo is not None else None,
            "end_session_endpoint": f"{self.url}/out",
            "response_types_supported": ["code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256"],
            "token_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post"],
            "code_challenge_methods_supported": ["S256"],
        }
        return _without_none(told | self.described)

    def begin(self, asked):
        """Return the address at which the browser comes back with a code."""
        code = secrets.token_urlsafe(16)
        self.codes[code] = asked
        back = urlencode({"code": code, "state": asked["state"]})
        return f"{asked['redirect_uri']}?{back}"

    def token(self, asked, authorization):
        """Return the status and the answer of the token endpoint."""
        begun = self.codes.get(asked.get("code"))
        if "client" in self.checks and self._client_of(asked, authorization) != (
            self.client_id,
            self.secret,
        ):
            return 401, {"error": "invalid_client"}
        if begun is None:
            return 400, {"error": "invalid_grant"}
        if "code" in self.checks:
            del self.codes[asked["code"]]
        challenge = hashlib.sha256(asked.get("code_verifier", "").encode()).digest()
        is_of_verifier = begun.get("code_challenge") == _base64(challenge)
        if "pkce" in self.checks and not is_of_verifier:
            return 400, {"error": "invalid_grant"}
        if "redirect" in self.checks and asked.get("redirect_uri") != begun["redirect_uri"]:
            return 400, {"error": "invalid_grant"}
        return 200, {
            "access_token": secrets.token_urlsafe(16),
            "token_type": "Bearer",
            "expires_in": 600,
            "id_token": self.id_token(begun.get("nonce")),
        }

    def id_token(self, nonce):
        now = int(time.time())
        right = {
            "iss": self.url, "aud": self.client_id, "iat": now, "exp": now + 600, "nonce": nonce,
        }  # fmt: skip
        claims = _without_none(right | self.person | self.said)
        if self.signs == "RS256":
            return jwt.encode({"alg": "RS256", "kid": self.key.kid} | self.header, claims, self.key)
        if self.signs in {"stolen kid", "unknown kid"}:
            kid = self.key.kid if self.signs == "stolen kid" else self._stranger.kid
            return jwt.encode({"alg": "RS256", "kid": kid} | self.header, claims, self._stranger)
        # By hand, as the library refuses to.
        public = self.key.as_pem(private=False)
        secret = {"none": None, "HS256": public, "secret": self.secret.encode()}[self.signs]
        header = {"alg": "none" if secret is None else "HS256", "kid": self.key.kid} | self.header
        signed = f"{_base64(_json(header))}.{_base64(_json(claims))}"
        if secret is None:
            return f"{signed}."
        return f"{signed}.{_base64(hmac.new(secret, signed.encode(), 'sha256').digest())}"

    def _client_of(self, asked, authorization):
        if authorization.startswith("Basic "):
            given = base64.b64decode(authorization.removeprefix("Basic ")).decode()
            return tuple(map(unquote, given.split(":", 1)))
        return asked.get("client_id"), asked.get("client_secret")


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        address = urlsplit(self.path)
        if self._is_faulty(address.path):
            return None
        if address.path == "/auth":
            asked = dict(parse_qsl(address.query))
            return self._answer(302, None, Location=self.forger.begin(asked))
        if address.path == "/keys":
            keys = KeySet([self.forger.key])
            return self._answer(200, keys.as_dict(private=False))
        if address.path == "/userinfo" and self.forger.userinfo is not None:
            return self._answer(200, self.forger.userinfo)
        if address.path == "/out":
            back = parse_qs(address.query).get("post_logout_redirect_uri")
            return self._answer(302, None, Location=back[0]) if back else self._answer(200, {})
        if address.path == DISCOVERY:
            return self._answer(200, self.forger.discovery())
        return self._answer(404, {})

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        path = urlsplit(self.path).path
        if self._is_faulty(path):
            return None
        if path == "/token":
            asked = dict(parse_qsl(body))
            return self._answer(*self.forger.token(asked, self.headers.get("Authorization", "")))
        return self._answer(404, {})

    def _is_faulty(self, path):
        """Do the next fault of a path; return whether there was one."""
        self.forger.asked.append(path)
        waiting = self.forger.faults.get(path)
        if not waiting:
            return False
        fault = waiting.pop(0)
        if fault == "hang":
            self.forger.stopping.wait(30)
        elif fault == "drip":  # each byte comes in time, the whole never
            self._begin(200, 1_000)
            while not self.forger.stopping.wait(0.2):
                self.wfile.write(b" ")
        elif fault == "redirect":
            self._answer(302, None, Location=f"{self.forger.url}{path}?again")
        elif fault == "html":
            self._send(200, b"<!DOCTYPE html><title>A login page</title>")
        elif fault == "huge":
            self._send(200, b" " * 50_000_000)
        else:
            self._answer(fault, {"error": "server_error"})
        return True

    def _answer(self, status, told, **headers):
        self._send(status, b"" if told is None else _json(told), **headers)

    def _send(self, status, body, **headers):
        self._begin(status, len(body), **headers)
        self.wfile.write(body)

    def _begin(self, status, length, **headers):
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(length))
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()

    def log_message(self, *args):
        pass


def _without_none(told):
    return {name: value for name, value in told.items() if value is not None}


def _json(told):
    return json.dumps(told).encode()


def _base64(what):
    return base64.urlsafe_b64encode(what).decode().rstrip("=")


# Fixtures ------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def certified_program(request, tmp_path_factory):
    modules = npm.packages(request.config.cache, HERE)
    provider = Certified(tmp_path_factory.mktemp("provider"), modules)
    yield provider
    provider.close()


@pytest.fixture
def certified(certified_program):
    """The certified provider, which knows no site and nobody yet."""
    certified_program.reset()
    return certified_program


@pytest.fixture
def make_forger():
    """Return another provider that forges: an attacker has one as well."""
    made = []

    def make(**options):
        made.append(Forger(**options))
        return made[-1]

    yield make
    for forger in made:
        forger.close()


@pytest.fixture
def forger(make_forger):
    return make_forger()
