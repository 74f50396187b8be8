"""nginx with the file that administrators copy, before a site that serves."""

import http.client
import os
import re
import shutil
import signal
import ssl
import subprocess
from pathlib import Path

import pytest
import trustme

from tests.databases import migrated_file
from tests.jobs.test_kill import Site, free_port, lend_static_files, stop
from tests.services import is_listening, missing, wait_until
from tests.site.starting import serve

NGINX = Path(__file__).parents[2] / "deploy" / "nginx" / "osmosmjerka.conf"


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    folder = tmp_path_factory.mktemp("certificate")
    authority = trustme.CA()
    made = authority.issue_cert("words.school.example", "localhost")
    made.private_key_pem.write_to_path(folder / "privkey.pem")
    for place, part in enumerate(made.cert_chain_pems):
        part.write_to_path(folder / "fullchain.pem", append=bool(place))
    authority.cert_pem.write_to_path(folder / "authority.pem")
    return folder


class Nginx:
    """nginx with our file; ports, certificate and what it writes are those of the test."""

    def __init__(self, folder, certificate, upstream=1, change=lambda text: text):
        if not (program := shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")):
            missing("nginx")
        self.program, self.folder = program, folder
        self.http, self.https = int(free_port()), int(free_port())
        text = change(NGINX.read_text(encoding="utf-8"))
        for written, used in {
            "listen [::]": "# listen ",
            "listen 80;": f"listen 127.0.0.1:{self.http};",
            "listen 443 ": f"listen 127.0.0.1:{self.https} ",
            "/etc/osmosmjerka/": f"{certificate}/",
            "/var/lib/nginx/osmosmjerka": f"{folder}/cache",
            "127.0.0.1:8000": f"127.0.0.1:{upstream}",
        }.items():
            assert written in text
            text = text.replace(written, used)
        temporary = "".join(
            f"{name}_temp_path {folder}/{name};\n"
            for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        self.file = folder / "nginx.conf"
        user = "user root;\n" if os.geteuid() == 0 else ""  # it must read the folders of pytest
        self.file.write_text(
            f"{user}pid {folder}/pid;\nerror_log {folder}/error.log;\nevents {{}}\n"
            f"http {{\naccess_log off;\n{temporary}{text}}}\n"
        )
        self.context = ssl.create_default_context(cafile=certificate / "authority.pem")

    def run(self, *arguments):
        return subprocess.run(
            [self.program, "-c", self.file, "-e", self.folder / "error.log", *arguments],
            capture_output=True,
            text=True,
        )

    def __enter__(self):
        started = self.run()
        assert started.returncode == 0, started.stderr
        wait_until(lambda: is_listening(self.https))
        return self

    def __exit__(self, *_error):
        pid = int((self.folder / "pid").read_text())
        os.kill(pid, signal.SIGTERM)
        wait_until(lambda: not (self.folder / "pid").exists())

    def ask(self, path, scheme="https", **headers):
        """Return the answer to a request: status, headers, body."""
        if scheme == "https":
            link = http.client.HTTPSConnection("localhost", self.https, context=self.context)
        else:
            link = http.client.HTTPConnection("localhost", self.http)
        link.request("GET", path, headers={"Host": "words.school.example"} | headers)
        answer = link.getresponse()
        body = answer.read()
        link.close()
        return answer.status, dict(answer.getheaders()), body


@pytest.fixture
def secure_site(tmp_path):
    """`serve` as it is behind a proxy with HTTPS; its port."""
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / "osmosmjerka.sqlite3").write_bytes(migrated_file())
    lend_static_files(folder)
    site = Site(
        folder,
        OSMOSMJERKA_HTTPS="true",
        TRUSTED_PROXY_COUNT="1",
        ALLOWED_HOSTS="words.school.example",
    )
    process, port = serve(site)
    yield port
    stop(process)
    site.close()


def test_nginx_accepts_our_file(tmp_path, certificate):
    checked = Nginx(tmp_path, certificate).run("-t")
    assert checked.returncode == 0, checked.stderr
    assert "test is successful" in checked.stderr
    wrong = Nginx(tmp_path, certificate, change=lambda text: text.replace("keepalive", "keepalife"))
    assert wrong.run("-t").returncode != 0  # control


@pytest.mark.slow
def test_behind_nginx_pages_are_served_over_https(secure_site, tmp_path, certificate):
    with Nginx(tmp_path, certificate, secure_site) as nginx:
        status, headers, body = nginx.ask("/login/")
        assert status == 200
        assert "Content-Encoding" not in headers
        status, headers, _body = nginx.ask("/login/", "http")
        assert (status, headers["Location"]) == (301, "https://words.school.example/login/")
        style = re.search(rb'href="(/static/[^"]+\.css)"', body)[1].decode()
        packed = {"Accept-Encoding": "gzip"}
        for _time in range(2):  # from the site, then from nginx
            status, headers, _body = nginx.ask(style, **packed)
            assert (status, headers["Content-Encoding"]) == (200, "gzip")
            assert "immutable" in headers["Cache-Control"]
            assert headers["X-Content-Type-Options"] == "nosniff"
        # Whoever takes no gzip is not given what is kept for others.
        assert "Content-Encoding" not in nginx.ask(style)[1]


@pytest.mark.thorough
def test_without_the_header_of_the_scheme_a_page_leads_to_itself(
    secure_site, tmp_path, certificate
):
    """Control: what happens if an administrator leaves it out."""
    line = "proxy_set_header X-Forwarded-Proto $scheme;"
    with Nginx(tmp_path, certificate, secure_site, lambda text: text.replace(line, "")) as nginx:
        status, headers, _body = nginx.ask("/login/")
        assert (status, headers["Location"]) == (301, "https://words.school.example/login/")
