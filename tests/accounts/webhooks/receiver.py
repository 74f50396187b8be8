"""A receiver of webhooks on this machine, with HTTPS: it keeps what comes, and can fail."""

import ssl
import threading
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID


def write_certificate(folder):
    """Write a key and a certificate for “localhost” that nobody trusts; return their files."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    certificate, private = folder / "certificate.pem", folder / "key.pem"
    certificate.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    private.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return certificate, private


class Receiver:
    """`got` are (headers, body); `faults` are done one a request: a status, or “hang”."""

    def __init__(self, folder):
        self.got, self.faults = [], []
        self.stopping = threading.Event()
        self.certificate, private = write_certificate(folder)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certificate, private)
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
