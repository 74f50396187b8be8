"""Help: pages for everybody, in every language of the interface."""

import io
import re

import pytest
from defusedxml import ElementTree
from django.conf import settings
from django.contrib.staticfiles import finders
from django.core.management import call_command

from osmosmjerka.web.help import TOPICS
from puzzles.kinds import KINDS
from puzzles.management.commands import draw_pictures

pytestmark = pytest.mark.django_db


def test_every_topic_is_a_page_that_leads_to_the_next_without_an_account(client):
    index = client.get("/help/").content.decode()
    seen, page = [], index
    while found := re.search(r'href="/help/([a-z-]+)/"', page):
        seen.append(found[1])
        page = client.get(f"/help/{found[1]}/").content.decode()
        page = page.split("</article>")[-1]
    assert seen == list(TOPICS)
    assert all(f'href="/help/{topic}/"' in index for topic in TOPICS)


def test_a_topic_that_does_not_exist_is_not_found(client):
    assert client.get("/help/topic/").status_code == 404
    assert client.get("/help/index/").status_code == 404


@pytest.mark.parametrize("topic", TOPICS)
def test_a_topic_is_in_the_readers_language(client, topic):
    texts = set()
    for language, _name in settings.LANGUAGES:
        page = client.get(f"/help/{topic}/", headers={"Accept-Language": language})
        texts.add(re.search(r"<article.*?</article>", page.content.decode(), re.DOTALL)[0])
        assert page.context["topic"].text.count("<p>") > 1
    assert len(texts) == len(settings.LANGUAGES)


def test_help_is_linked_where_a_newcomer_asks(client, teacher, classroom):
    assert 'href="/help/"' in client.get("/login/").content.decode()
    client.force_login(teacher)
    for page, topic in (
        ("/", ""),
        ("/", "first-steps/"),
        ("/lists/new/", "lists/"),
        (f"/classes/{classroom.pk}/progress/", "progress/"),
    ):
        assert f'href="/help/{topic}"' in client.get(page).content.decode(), (page, topic)


def test_every_kind_of_puzzle_has_a_picture_on_the_first_page_and_in_the_help(client):
    shown = [
        re.findall(r"puzzles/pictures/([a-z-]+)\.", client.get(path).content.decode())
        for path in ("/", "/help/puzzles/")
    ]
    assert shown == [list(KINDS), list(KINDS)]
    assert all(finders.find(f"puzzles/pictures/{kind}.svg") for kind in KINDS)


def test_the_pictures_are_drawn_by_a_command(tmp_path, monkeypatch):
    monkeypatch.setattr(draw_pictures, "FOLDER", tmp_path)
    call_command("draw_pictures", stdout=io.StringIO())
    assert {file.stem for file in tmp_path.iterdir()} == set(KINDS)
    for file in tmp_path.iterdir():
        root = ElementTree.parse(file).getroot()
        left, top, width, height = map(float, root.get("viewBox").split())
        letters = list(root.iter("{http://www.w3.org/2000/svg}text"))
        assert len(letters) > 20
        assert all(left < float(text.get("x")) < left + width for text in letters)
        assert all(top < float(text.get("y")) < top + height for text in letters)
