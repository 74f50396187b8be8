"""An address that only this computer can open is printed and shown with a warning."""

import pytest
from django.test import override_settings

from osmosmjerka.web import addresses

HERE = ["127.0.0.1", "127.0.0.1:8000", "127.8.9.1", "localhost", "LOCALHOST:80", "school.localhost",
        "[::1]", "[::1]:8000"]  # fmt: skip
ELSEWHERE = ["words.school.example", "192.168.1.5:8000", "10.0.0.2", "localhost.example",
             "128.0.0.1", "[fe80::1]:8000"]  # fmt: skip
EVERYWHERE = "0.0.0.0"  # noqa: S104  (nothing listens in a test)
WARNING = "Phones and other computers cannot open"


@pytest.mark.parametrize("host", HERE)
def test_a_loopback_host_is_only_here(host):
    assert addresses.is_only_here(host)


@pytest.mark.parametrize("host", ELSEWHERE)
def test_another_host_is_not(host):
    """The control."""
    assert not addresses.is_only_here(host)


@pytest.fixture
def pages(classroom, student, make_puzzle):
    """The pages on which an address is printed, copied or shown to a class."""
    code = make_puzzle(words=4).code
    return [
        f"/classes/{classroom.pk}/people/",
        f"/classes/{classroom.pk}/lesson/board/",
        f"/puzzles/{code}/",
        f"/puzzles/{code}/print/",
        f"/pupils/{student.pk}/",
    ]


@pytest.fixture
def at(settings, sign_in, teacher):
    settings.ALLOWED_HOSTS = ["*"]
    client = sign_in(teacher)
    return lambda host, path, **data: (client.post if data else client.get)(
        path, data, headers={"host": host}
    )


def test_where_an_address_is_handed_out_the_page_says_what_to_type(pages, at):
    for path in pages:
        page = at("127.0.0.1:9141", path).text
        assert WARNING in page, path
        assert "serve --host 0.0.0.0 --port 9141" in page, path
        assert WARNING not in at("words.school.example", path).text, path


def test_printed_cards_have_the_warning_above_them(classroom, student, at):
    page = at("localhost", f"/classes/{classroom.pk}/cards/", which="missing").text
    assert page.index(WARNING) < page.index('class="login-cards"')
    assert WARNING not in at("10.0.0.2", f"/classes/{classroom.pk}/cards/", which="never").text


def test_a_program_is_told_too(classroom, student, settings, sign_in, teacher):
    settings.ALLOWED_HOSTS, client = ["*"], sign_in(teacher)
    path = f"/api/classes/{classroom.pk}/cards/"
    for host, warning in [("localhost", WARNING), ("10.0.0.2", "")]:
        reply = client.post(path, {"which": "never"}, "application/json", headers={"host": host})
        assert reply.json()["warning"][: len(WARNING)] == warning


@pytest.fixture
def network(monkeypatch):
    """The computer is in a network."""
    monkeypatch.setattr(addresses, "_in_network", lambda: "192.168.1.5")
    served = addresses._Served()
    monkeypatch.setattr(addresses, "_served", served)
    return served


def test_a_site_served_everywhere_offers_its_address_in_the_network(
    network, settings, sign_in, teacher, classroom
):
    settings.ALLOWED_HOSTS = ["localhost", "127.0.0.1", "[::1]"]
    assert addresses.serve_at(EVERYWHERE) == "192.168.1.5"
    client, path = sign_in(teacher), f"/classes/{classroom.pk}/people/"
    here = client.get(path, headers={"host": "127.0.0.1:8000"}).text
    assert f'href="http://192.168.1.5:8000{path}"' in here
    there = client.get(path, headers={"host": "192.168.1.5:8000"})
    assert there.status_code == 200
    assert WARNING not in there.text


@pytest.mark.parametrize("hosts", [["words.school.example"], ["*"], ["localhost", "10.0.0.2"]])
def test_a_site_whose_hosts_are_configured_lets_no_other_in(network, hosts):
    with override_settings(ALLOWED_HOSTS=hosts):
        assert addresses.serve_at(EVERYWHERE) == EVERYWHERE
        from django.conf import settings

        assert hosts == settings.ALLOWED_HOSTS
    assert not network.at
