"""A receiver of webhooks on this machine, with HTTPS: it keeps what comes, and can fail."""

import ssl
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import trustme


class Receiver:
    """`got` are (headers, body); `faults` are done one a request: a status, or “hang”."""

    def __init__(self, folder):
        self.got, self.faults = [], []
        self.stopping = threading.Event()
        authority, self.certificate = trustme.CA(), folder / "certificate.pem"
        authority.cert_pem.write_to_path(self.certificate)  # nobody trusts it
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        authority.issue_cert("localhost").configure_cert(context)
        handler = type("H", (_Handler,), {"receiver": self})
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._http.socket = context.wrap_socket(self._http.socket, server_side=True)
        self._http.daemon_threads = True
        self._http.handle_error = lambda request, address: None
        self.port = self._http.server_address[1]
        self.host = f"localhost:{self.port}"
        self.url = f"https://{self.host}/hook?a=1"
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,))
        self._thread.start()

    def close(self):
        self.stopping.set()
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.receiver.got.append((self.path, dict(self.headers), body))
        fault = self.receiver.faults.pop(0) if self.receiver.faults else 204
        if fault == "hang":
            self.receiver.stopping.wait(5)
            return
        self.send_response(fault)
        if fault == 302:
            self.send_header("Location", "https://localhost:1/")
        self.end_headers()
        if fault >= 400:
            self.wfile.write(b"no " * 1_000_000)

    def log_message(self, *_args):
        pass
