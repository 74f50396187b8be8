"""What makes the site installable, and what tells the service worker whose page it is."""

import gzip
import json
import re
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.urls import reverse
from PIL import Image

from osmosmjerka.accounts.codes import name_on_device
from osmosmjerka.assets import offline
from osmosmjerka.assets.bundling import join_script
from osmosmjerka.assets.script_texts import source_of

pytestmark = pytest.mark.django_db


def test_the_worker_is_asked_for_anew_each_time_and_sent_only_if_it_changed(
    client, django_assert_num_queries
):
    with django_assert_num_queries(0):
        reply = client.get("/sw.js", headers={"Accept-Encoding": "gzip"})
    assert reply["Content-Type"] == "text/javascript; charset=utf-8"
    assert reply["Cache-Control"] == "no-cache"
    assert "worker-src 'self'" in reply["Content-Security-Policy"]
    script = gzip.decompress(reply.content).decode()
    assert script == client.get("/sw.js").text
    assert script.startswith(f'const VERSION = "{offline.worker().version}";\n')
    strong = reply["ETag"].removeprefix("W/")
    for tag in (strong, f"W/{strong}"):  # who compresses it makes it a weak one
        assert client.get("/sw.js", headers={"If-None-Match": tag}).status_code == 304
    assert client.get("/sw.js", headers={"If-None-Match": '"another"'}).status_code == 200
    assert client.post("/sw.js").status_code == 405


def test_any_changed_file_makes_another_version(monkeypatch):
    before = offline.worker().version
    assert offline.worker().version == before
    monkeypatch.setattr(staticfiles_storage, "manifest_hash", "another", raising=False)
    assert offline.worker().version != before


def test_the_worker_is_small():
    assert len(gzip.compress(join_script(offline.WORKER, source_of).encode())) < 4000


@pytest.mark.parametrize(("language", "direction"), [("en", "ltr"), ("hr", "ltr"), ("ar", "rtl")])
def test_the_manifest_speaks_the_readers_language(client, language, direction):
    reply = client.get("/manifest.webmanifest", headers={"Accept-Language": language})
    assert reply["Content-Type"].startswith("application/manifest+json")
    told = json.loads(reply.content)
    assert (told["lang"], told["dir"]) == (language, direction)
    assert (told["start_url"], told["scope"], told["display"]) == ("/", "/", "standalone")
    assert {icon["purpose"] for icon in told["icons"]} == {"any", "maskable"}
    for icon in told["icons"]:
        assert client.get(icon["src"]).status_code == 200


@pytest.mark.parametrize("name", ["icon-180", "icon-192", "icon-512", "icon-maskable-512"])
def test_an_icon_is_a_small_picture_of_its_size(name):
    path = Path(finders.find(f"osmosmjerka/{name}.png"))
    with Image.open(path) as icon:
        size = int(name.rsplit("-", 1)[1])
        assert (icon.format, icon.size) == ("PNG", (size, size))
        # What a device cuts to a circle or shows on any ground has a ground of its own.
        is_opaque = icon.convert("RGBA").getextrema()[3] == (255, 255)
    assert is_opaque == (name in ("icon-180", "icon-maskable-512"))
    assert path.stat().st_size < 6000


def test_the_colours_of_the_window_are_those_of_the_paper(client):
    tokens = Path(finders.find("osmosmjerka/tokens.css")).read_text(encoding="utf-8")
    paper = re.search(r"--paper: light-dark\((#\w{6}), (#\w{6})\);", tokens).groups()
    page = client.get("/login/").text
    metas = dict(re.findall(r'theme-color" media="[^"]*: (\w+)\)" content="([^"]+)"', page))
    assert metas == {"light": paper[0], "dark": paper[1]}
    assert paper[0] == offline.PAPER
    assert '<link rel="manifest" href="/manifest.webmanifest"' in page
    assert 'rel="apple-touch-icon"' in page


def test_the_offline_page_says_nothing_of_anybody(sign_in, student, client):
    student.language = "pl"
    student.save()
    page = sign_in(student).get("/offline/")
    assert page["Content-Language"] == "pl"
    assert '<html lang="pl"' in page.text
    assert "X-Keep" not in page  # it is kept for everybody
    for told in (str(student), student.username, "csrfmiddlewaretoken", "Luka"):
        assert told not in page.text
    names = re.findall(r'(?:src|href)="(/static/[^"]+)"', page.text)
    assert len(names) > 2
    assert all(client.get(name).status_code == 200 for name in names)


def test_each_page_names_the_player_to_whom_it_belongs(client, sign_in, student, teacher):
    assert client.get("/login/")["X-Player"] == "nobody"
    assert client.get("/not-there/")["X-Player"] == "nobody"
    assert sign_in(teacher).get("/")["X-Player"] == "nobody"
    for path in ("/", "/not-there/"):
        assert sign_in(student).get(path)["X-Player"] == name_on_device(student.pk)


def test_only_a_students_puzzle_is_kept(make_puzzle, sign_in, student, teacher, client):
    puzzle = make_puzzle()
    page = sign_in(student).get(f"/play/{puzzle.code}/")
    assert page["X-Keep"] == "yes"
    assert "data-is-kept" in page.text
    for other in (sign_in(student).get("/"), sign_in(teacher).get(f"/play/{puzzle.code}/")):
        assert other.status_code == 200
        assert "X-Keep" not in other
        assert "data-is-kept" not in other.text


def test_a_teacher_who_views_a_students_pages_keeps_none(
    make_puzzle, sign_in, student, teacher, classroom
):
    puzzle = make_puzzle()
    viewing = sign_in(teacher)
    viewing.post(f"/pupils/{student.pk}/view/")
    page = viewing.get(f"/play/{puzzle.code}/")
    assert "You are viewing the pages of" in page.text
    assert page["X-Player"] == "nobody"
    assert "X-Keep" not in page
    assert "data-is-kept" not in page.text


def test_the_worker_names_addresses_that_there_are(sign_in, student, make_puzzle):
    """It cannot ask the address book of the site."""
    source = join_script(offline.WORKER, source_of)
    assert settings.STATIC_URL == "/static/"
    assert f'"{reverse("logout")}"' in source
    assert f'"{reverse("offline")}"' in source
    patterns = {
        "STATE": reverse("api:play", args=["abc"]),
        "MEDIA": reverse("api:play-sound", args=["abc", "s1"]),
        "PLAYED": reverse("play-again", args=["abc"]),
    }
    for name, address in patterns.items():
        pattern = re.search(rf"const {name} = /(.*?)/;", source)[1].replace("\\/", "/")
        assert re.match(pattern, address), name
    assert re.match("/play/", reverse("play", args=["abc"]))
