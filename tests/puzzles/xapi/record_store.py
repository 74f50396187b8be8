"""A record store on this machine: keeps statements by their id, and can fail in many ways."""

import base64
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlparse

KEY, SECRET = "teacher", "secret"


class Store:
    """`kept` are the statements by id, `asked` the requests; `faults` are done one a request."""

    def __init__(self):
        self.kept = {}
        self.asked = []
        self.faults = []
        self.always = ""  # what it does with every request
        self.written_twice = 0
        self.complaint = ""
        self.stopping = threading.Event()
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), type("H", (_Handler,), {"store": self}))
        self._http.daemon_threads = True
        self._http.handle_error = lambda request, address: None
        self.url = f"http://127.0.0.1:{self._http.server_address[1]}/xapi"
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,))
        self._thread.start()

    def close(self):
        self.stopping.set()
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # else each body waits 40 ms for the head to be acknowledged

    def do_POST(self):
        self._take()

    def do_PUT(self):
        self._take()

    def _take(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        statements = body if isinstance(body, list) else [body]
        self.store.asked.append((self.command, len(statements)))
        address = urlparse(self.path)
        wanted = base64.b64encode(f"{KEY}:{SECRET}".encode()).decode()
        if address.path != "/xapi/statements":
            return self._answer(404)
        if self.headers["Authorization"] != f"Basic {wanted}":
            return self._answer(401, "no")
        if self.headers["X-Experience-API-Version"] != "1.0.3":
            return self._answer(400, "version")
        if self.command == "PUT" and parse_qs(address.query)["statementId"] != [body["id"]]:
            return self._answer(400, "id")
        fault = self.store.faults.pop(0) if self.store.faults else self.store.always
        if isinstance(fault, int):
            return self._answer(fault, "x" * 10_000)
        if fault == "log-in page":
            return self._answer(200, "<!DOCTYPE html><title>Log in</title>")
        if fault == "hang":
            self.store.stopping.wait(5)
            self.close_connection = True
            return None
        if fault == "redirect":
            return self._answer(302, "", {"Location": "http://127.0.0.1:1/"})
        if any("bad" in statement["object"]["id"] for statement in statements):
            return self._answer(400, f"a statement is bad {self.store.complaint}")
        if any(statement["id"] in self.store.kept for statement in statements):
            return self._answer(409, "there already")
        for statement in statements:
            self.store.kept[statement["id"]] = statement
        if fault == "kept, then silent":
            self.close_connection = True
            return None
        return self._answer(204 if self.command == "PUT" else 200, "[]")

    def _answer(self, status, text="", headers=None):
        data = text.encode() if status != 204 else b""
        self.send_response(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        if status != 204:
            self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *arguments):
        pass
