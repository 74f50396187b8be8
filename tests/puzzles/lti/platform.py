"""A learning platform on this computer: Open edX's, with the few addresses that tools ask."""

import json
import threading
import time
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, parse_qsl, urlsplit

import jwt
from joserfc.jwk import RSAKey
from lti_consumer.data import Lti1p3LaunchData
from lti_consumer.lti_1p3.consumer import LtiAdvantageConsumer
from lti_consumer.lti_1p3.key_handlers import PlatformKeyHandler

from tests.rsa_keys import pem_of

CLAIM = "https://purl.imsglobal.org/spec/lti/claim/"
SITE = "http://testserver"
STAFF, LEARNER = "staff", "student"


@cache
def _key_handler(owner, kid):
    return PlatformKeyHandler(pem_of(owner), kid)


class Platform:
    """`scores` are those it accepted, in order, by student; `results` what it shows as grades.

    `faults` are done one a request to the scores: a status, or "hang".
    """

    def __init__(self, client_id="tool", kid="one"):
        self.scores, self.results, self.faults, self.refuses = [], {}, [], set()
        self.asked, self.registered = [], []
        self.members = []  # by page
        self.stopping = threading.Event()
        self._lock = threading.Lock()
        self._http = ThreadingHTTPServer(
            ("127.0.0.1", 0), type("H", (_Handler,), {"platform": self})
        )
        self._http.daemon_threads = True
        self._http.handle_error = lambda request, address: None
        self.url = f"http://127.0.0.1:{self._http.server_address[1]}"
        self.edx = LtiAdvantageConsumer(
            iss=self.url,
            lti_oidc_url=f"{SITE}/lti/login/",
            lti_launch_url=f"{SITE}/lti/launch/",
            client_id=client_id,
            deployment_id="1",
            rsa_key=None,
            rsa_key_id=None,
            redirect_uris=[f"{SITE}/lti/launch/"],
        )
        self.edx.key_handler = _key_handler(client_id, kid)
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,))
        self._thread.start()

    def close(self):
        self.stopping.set()
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()

    def trust(self, key_set):
        """Take the tool's public keys; a real platform reads them at the tool's address."""
        [key, *_older] = key_set["keys"]
        self.edx.tool_jwt = type(self.edx.tool_jwt)(
            public_key=RSAKey.import_key(key).as_pem(private=False)
        )

    def accept(self, student, score):
        with self._lock:
            self.scores.append((student, score))
            # AGS 2.0, 3.4.6: an earlier score changes nothing.
            before = self.results.get(student)
            if before is None or before["timestamp"] <= score["timestamp"]:
                self.results[student] = score

    def message(
        self, client, subject="1", role=LEARNER, name="Luka Horvat", link="link",
        kind="LtiResourceLinkRequest", custom=None, ags=True, course="course",
    ):  # fmt: skip
        """Begin a launch in *client* and return the claims of its message, and its state."""
        data = Lti1p3LaunchData(
            user_id=subject, user_role=role, config_id="1", resource_link_id=link,
            message_type=kind,
        )  # fmt: skip
        if kind == "LtiDeepLinkingRequest":
            self.edx.enable_deep_linking(f"{SITE}/lti/launch/", f"{self.url}/return")
        sent = client.get(self.edx.prepare_preflight_url(data))
        assert sent.status_code == 302, sent.content
        preflight = dict(parse_qsl(urlsplit(sent["Location"]).query))
        self.edx.extra_claims = {}
        self.edx.set_user_data(subject, role, full_name=name)
        self.edx.set_resource_link_claim(link)
        self.edx.set_context_claim(course, context_title="Engleski 6b")
        self.edx.set_custom_parameters(custom or {})
        if ags:
            self.edx.enable_ags(f"{self.url}/items", f"{self.url}/items/{link}?type_id=1")
        self.edx.enable_nrps(f"{self.url}/members")
        made = self.edx.generate_launch_request(preflight)
        claims = jwt.decode(made["id_token"], options={"verify_signature": False})
        return claims, made["state"]

    def signed(self, claims, pem=None, **header):
        """Return the message as the platform signs it, or with another key or header."""
        named = {"kid": self.edx.key_handler.key.key_id} | header
        return jwt.encode(
            claims, pem or self.edx.key_handler.key.key, algorithm="RS256", headers=named
        )

    def launch(self, client, **who):
        """Launch in *client*, and return the answer to its last request."""
        claims, state = self.message(client, **who)
        return self.post(client, self.signed(claims), state)

    def post(self, client, token, state):
        answer = client.post("/lti/launch/", {"id_token": token, "state": state})
        if answer.status_code != 302:
            return answer
        return client.get(answer["Location"])


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self):
        address = urlsplit(self.path)
        self.platform.asked.append(("GET", address.path))
        if address.path == "/keys":
            return self._answer(200, self.platform.edx.get_public_keyset())
        if address.path == "/openid":
            url = self.platform.url
            return self._answer(
                200,
                {
                    "issuer": url,
                    "authorization_endpoint": f"{url}/auth",
                    "token_endpoint": f"{url}/token",
                    "jwks_uri": f"{url}/keys",
                    "registration_endpoint": f"{url}/register",
                },
            )
        if address.path.endswith("/results") and self._may("result.readonly"):
            [student] = parse_qs(address.query)["user_id"]
            known = self.platform.results.get(student)
            found = [] if known is None else [
                {
                    "userId": student, "resultScore": known["scoreGiven"],
                    "resultMaximum": known["scoreMaximum"],
                }
            ]  # fmt: skip
            return self._answer(200, found)
        if address.path == "/members" and self._may("contextmembership.readonly", "lti-nrps"):
            page = int(parse_qs(address.query).get("page", ["0"])[0])
            self.platform.asked.append(("page", page))
            following = page + 1 < len(self.platform.members)
            link = f'<{self.platform.url}/members?page={page + 1}>; rel="next"'
            return self._answer(
                200,
                {"id": "x", "members": self.platform.members[page]},
                {"Link": link} if following else {},
            )
        return self._answer(404, {})

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        address = urlsplit(self.path)
        self.platform.asked.append(("POST", address.path))
        if address.path == "/token":
            try:
                return self._answer(200, self.platform.edx.access_token(dict(parse_qsl(body))))
            except Exception as error:
                return self._answer(400, {"error": str(error)})
        if address.path == "/register":
            self.platform.registered.append((self.headers["Authorization"], json.loads(body)))
            described = {"deployment_id": "1"}
            return self._answer(
                200,
                {
                    "client_id": "tool",
                    "https://purl.imsglobal.org/spec/lti-tool-configuration": described,
                },
            )
        if address.path.endswith("/scores") and self._may("score"):
            score = json.loads(body)
            fault = self.platform.faults.pop(0) if self.platform.faults else None
            if fault == "hang":
                self.platform.stopping.wait(8)
                return self._answer(503, {})
            if fault or score["userId"] in self.platform.refuses:
                return self._answer(fault or 422, {})
            self.platform.accept(score["userId"], score)
            return self._answer(204)
        return self._answer(404, {})

    def _may(self, scope, service="lti-ags"):
        """Return whether the tool may; else it is told."""
        token = self.headers.get("Authorization", "").removeprefix("Bearer ")
        return self.platform.edx.check_token(
            token, [f"https://purl.imsglobal.org/spec/{service}/scope/{scope}"]
        )

    def _answer(self, status, body=None, headers=()):
        sent = b"" if body is None else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(sent)))
        for name, value in dict(headers).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(sent)

    def log_message(self, *args):
        pass


def later(seconds):
    return int(time.time()) + seconds
