"""A server on this machine that speaks Google Translate's protocol, and can fail in many ways."""

import base64
import json
import socket
import threading
import time
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs

from vocab.speech.espeak import Espeak

PATH = "/_/TranslateWebserverUi/data/batchexecute"


class GoogleServer:
    """Answer at `url`, badly in the way that `fault` says; `asked` lists (text, language, slow)."""

    def __init__(self, *, certificate=None, host="localhost"):
        self.fault = ""
        self.retry_after = None
        self.asked = []
        self.requests = []
        self.stopping = threading.Event()
        self.has_ended = threading.Event()  # an answer that is huge, all of it or broken off
        self._http = ThreadingHTTPServer(
            ("127.0.0.1", 0), type("H", (_Handler,), {"server_": self})
        )
        self._http.daemon_threads = True
        # A client that turns the certificate down hangs up; that is no news.
        self._http.handle_error = lambda request, address: None
        if certificate is not None:
            import ssl

            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            certificate.configure_cert(context)
            self._http.socket = context.wrap_socket(self._http.socket, server_side=True)
        scheme = "http" if certificate is None else "https"
        self.url = f"{scheme}://{host}:{self._http.server_address[1]}"
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,))
        self._thread.start()

    def close(self):
        self.stopping.set()
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()


def closed_port():
    """Return a port at which nobody listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def answer_with(audio):
    """Return the body of an answer; *audio* None is how the service says that it has no sound."""
    result = None if audio is None else json.dumps([base64.b64encode(audio).decode()])
    item = ["wrb.fr", "jQ1olc", result, None, None, None, "generic"]
    block = json.dumps([item, ["di", 42], ["af.httprm", 41, "0", 5]], separators=(",", ":"))
    return f")]}}'\n\n{len(block)}\n{block}\n25\n" + '[["e",4,null,null,131]]\n'


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # else each body waits 40 ms for the head to be acknowledged
    server_ = None

    def log_message(self, *_):
        pass

    def do_POST(self):
        form = self.rfile.read(int(self.headers["Content-Length"])).decode()
        self.server_.requests.append((self.path, dict(self.headers), form))
        [[[call, parameters, _, _]]] = json.loads(parse_qs(form)["f.req"][0])
        text, language, slow, _ = json.loads(parameters)
        assert call == "jQ1olc"
        assert self.path.endswith(PATH)
        self.server_.asked.append((text, language, slow))
        with suppress(OSError):
            getattr(self, f"answer_{self.server_.fault or 'well'}")(text, language, slow)

    def reply(self, body, *, status=200, kind="application/json; charset=utf-8", headers=()):
        body = body if isinstance(body, bytes) else body.encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Set-Cookie", "NID=who-are-you; Path=/")
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def spoken(self, text, language, slow):
        return Espeak().speak(text, language, slow=bool(slow)).mp3

    def answer_well(self, text, language, slow):
        self.reply(answer_with(self.spoken(text, language, slow)))

    def answer_without_sound(self, *_):
        self.reply(answer_with(None))

    def answer_hang(self, *_):
        self.close_connection = True
        while self.server_.fault == "hang" and not self.server_.stopping.wait(0.05):
            pass

    def answer_drip(self, text, language, slow):
        self.drip(self.whole_answer(text, language, slow), start=90)

    def answer_drip_head(self, text, language, slow):
        self.drip(self.whole_answer(text, language, slow), start=20)

    def whole_answer(self, *word):
        body = answer_with(self.spoken(*word)).encode()
        head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}"
        return head.encode() + b"\r\n\r\n" + body

    def drip(self, data, *, start):
        """Send 15 bytes from *start* on one by one, each well within a read time-out."""
        self.close_connection = True
        self.wfile.write(data[:start])
        for byte in data[start : start + 15]:
            self.wfile.write(bytes([byte]))
            self.wfile.flush()
            time.sleep(0.1)
        self.wfile.write(data[start + 15 :])

    def answer_403(self, *_):
        self.reply("<html>Forbidden</html>", status=403, kind="text/html")

    def answer_429(self, *_):
        wait = [("Retry-After", self.server_.retry_after)] if self.server_.retry_after else []
        self.reply("slow down", status=429, kind="text/plain", headers=wait)

    def answer_500(self, *_):
        self.reply("oops", status=500, kind="text/plain")

    def answer_html(self, *_):
        self.reply("<!doctype html><title>Log in to the school's network</title>", kind="text/html")

    def answer_html_called_json(self, *_):
        self.reply("<!doctype html><title>jQ1olc</title>")

    def answer_truncated(self, text, language, slow):
        """The connection ends before the promised length."""
        body = answer_with(self.spoken(text, language, slow)).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body[: len(body) // 2])
        self.close_connection = True

    def answer_truncated_json(self, text, language, slow):
        body = answer_with(self.spoken(text, language, slow))
        self.reply(body[: len(body) // 2])

    def answer_truncated_sound(self, text, language, slow):
        self.reply(answer_with(self.spoken(text, language, slow)[:-100]))

    def answer_no_sound_at_all(self, *_):
        self.reply(answer_with(b"<html>This is no MP3</html>"))

    def answer_empty(self, *_):
        self.reply("")

    def answer_huge(self, *_):
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.close_connection = True
        try:
            for _ in range(50):
                self.wfile.write(b" " * 2**20)
                self.server_.sent = getattr(self.server_, "sent", 0) + 2**20
        finally:
            self.server_.has_ended.set()

    def answer_elsewhere(self, *_):
        self.reply("", status=302, headers=[("Location", "http://127.0.0.1:1/elsewhere")])
