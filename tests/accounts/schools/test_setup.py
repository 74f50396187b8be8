"""The first start: whoever runs the site makes its admin, school and class, and nobody else."""

import io
import re
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client

from osmosmjerka.accounts.auth import lockout
from osmosmjerka.accounts.models import Classroom, Membership, School, User
from osmosmjerka.accounts.schools import setup
from tests.conftest import PASSWORD

pytestmark = [pytest.mark.django_db, pytest.mark.database]

GIVEN = {
    "username": "iva",
    "display_name": "Iva",
    "password": PASSWORD,
    "school_name": "Prva škola",
    "class_name": "6b",
    "language": "hr",
}


@pytest.fixture
def admin(make_person, school):
    return make_person(User.Role.TEACHER, school, "root", is_site_admin=True)


def send(client=None, **changes):
    return (client or Client()).post("/setup/", GIVEN | {"code": setup.code()} | changes)


def test_with_the_code_the_site_gets_an_admin_a_school_and_a_class():
    client = Client()
    reply = send(client, time_zone="Europe/Zagreb")
    assert reply.status_code == 302
    person, school, classroom = User.objects.get(), School.objects.get(), Classroom.objects.get()
    assert (person.username, person.role) == ("iva", User.Role.SCHOOL_ADMIN)
    assert person.is_superuser and person.is_staff and person.school == school
    assert (school.name, school.language, school.time_zone) == ("Prva škola", "hr", "Europe/Zagreb")
    assert (classroom.name, classroom.school) == ("6b", school)
    assert Membership.objects.get().role == Membership.Role.OWNER
    assert reply.url == f"/classes/{classroom.pk}/pupils/paste/"  # the next step
    home = client.get("/")
    assert "Iva" in home.text
    assert reply.url in home.text
    assert client.get("/status/").status_code == 200
    assert client.get(f"/schools/{school.pk}/log/").text.count("Prva škola") > 0
    assert Client().login(username="iva", password=PASSWORD)


@pytest.mark.parametrize("change", [str.lower, lambda code: code.replace("-", " ")])
def test_a_typed_code_may_have_small_letters_and_spaces(change):
    assert send(code=change(setup.code())).status_code == 302


def test_the_link_fills_in_the_code():
    assert setup.code() in Client().get(f"/setup/?code={setup.code()}").text
    assert setup.code() not in Client().get("/setup/").text


def test_without_the_code_nothing_is_made_and_nothing_told(make_person, school):
    make_person(User.Role.TEACHER, school, "iva")
    reply = send(code="WRNG-WRNG-WRNG", password="1")
    assert "This setup code is not correct." in reply.text
    assert "already taken" not in reply.text
    assert "too short" not in reply.text
    assert not User.objects.filter(is_superuser=True).exists()
    control = send(password="1")
    assert "already taken" in control.text
    assert "too short" in control.text


def test_the_code_cannot_be_guessed_for_long():
    for _attempt in range(lockout.FREE_FAILURES):
        assert send(code="WRNG-WRNG-WRNG").status_code == 200
    reply = send()
    assert reply.status_code == 429
    assert "--show-code" in reply.text
    assert not User.objects.exists()


def test_who_can_run_commands_lets_the_right_code_in_at_once():
    for _attempt in range(lockout.FREE_FAILURES):
        send(code="WRNG-WRNG-WRNG")
    told = io.StringIO()
    call_command("setup_site", "--show-code", stdout=told)
    assert setup.code() in told.getvalue()
    assert send().status_code == 302


def test_a_right_code_with_another_mistake_counts_as_no_failure():
    for _attempt in range(2 * lockout.FREE_FAILURES):
        assert "This field is required." in send(class_name="").text
    assert send().status_code == 302


def test_the_page_is_gone_once_there_is_an_admin(admin):
    assert Client().get("/setup/").status_code == 404
    assert send().status_code == 404
    assert not School.objects.filter(name="Prva škola").exists()
    User.objects.filter(pk=admin.pk).update(is_active=False)
    assert Client().get("/setup/").status_code == 200


def test_strangers_read_that_the_site_is_being_set_up_and_no_code():
    for path in ("/", "/login/"):
        text = Client().get(path).text
        assert "This site is being set up." in text
        assert 'href="/setup/"' in text
        assert setup.code() not in text


def test_strangers_read_nothing_of_it_later(admin):
    for path in ("/", "/login/"):
        assert "/setup/" not in Client().get(path).text


def test_another_key_makes_another_code(settings):
    before = setup.code()
    assert re.fullmatch(r"[A-Z2-9]{4}-[A-Z2-9]{4}-[A-Z2-9]{4}", before)
    settings.SECRET_KEY = "another key that nobody knows, long enough"
    assert setup.code() != before


# Two at once


def race(monkeypatch):
    """Let two people set up the site at once; return how many won.

    Each waits for the other after it has seen that there is no admin, or for a second.
    """
    both, is_needed = threading.Barrier(2), setup.is_needed

    def looked():
        answer = is_needed()
        with suppress(threading.BrokenBarrierError):
            both.wait(timeout=1)
        return answer

    monkeypatch.setattr(setup, "is_needed", looked)

    def win(name):
        try:
            setup.set_up_site(**GIVEN | {"username": name})
        except setup.AlreadySetUp:
            return False
        finally:
            connection.close()
        return True

    with ThreadPoolExecutor(2) as pool:
        return sum(pool.map(win, ["iva", "ivo"]))


@pytest.mark.django_db(transaction=True)
def test_of_two_who_submit_at_once_one_wins(monkeypatch):
    assert race(monkeypatch) == 1
    assert User.objects.count() == School.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_without_the_lock_both_would_win(monkeypatch):
    """The control. In SQLite every transaction that writes waits for the other, lock or not."""
    if connection.vendor == "sqlite":
        pytest.skip("SQLite has one writer at a time")
    monkeypatch.setattr(setup, "_lock", lambda: None)
    assert race(monkeypatch) == 2


# The command


@pytest.fixture
def run(monkeypatch):
    """Run the command with a password on standard input; return what it says."""

    def run(*options, password=PASSWORD, **changes):
        given = {"username": "iva", "display-name": "Iva", "school": "Prva škola", "class": "6b"}
        given |= changes
        monkeypatch.setattr("sys.stdin", io.StringIO(f"{password}\n"))
        told = io.StringIO()
        arguments = [f"--{name}={value}" for name, value in given.items() if value]
        call_command("setup_site", *arguments, "--password-stdin", *options, stdout=told)
        return told.getvalue()

    return run


def test_the_command_does_the_same_and_says_what_to_do_next(run):
    told = run("--language=de", "--time-zone=Europe/Berlin")
    assert "site admin iva" in told
    assert "Invite other teachers" in told
    school = School.objects.get()
    assert (school.language, school.time_zone) == ("de", "Europe/Berlin")
    assert User.objects.get().is_superuser
    assert Client().login(username="iva", password=PASSWORD)


def test_the_command_names_what_is_missing_or_wrong(run):
    with pytest.raises(CommandError, match="--school --class"):
        run(school="", **{"class": ""})
    with pytest.raises(CommandError, match=r"(?s)password: .*too common.*--time-zone: "):
        run("--time-zone=Europe/Nowhere", password="password1234")
    assert not User.objects.exists()


def test_the_command_again_changes_nothing_and_is_no_failure(run):
    run()
    assert "Nothing was changed" in run(password="another good sentence")
    assert Client().login(username="iva", password=PASSWORD)
    assert User.objects.count() == School.objects.count() == 1


def test_the_command_refuses_a_second_admin_and_says_what_to_do(run):
    run()
    with pytest.raises(CommandError, match=r"already has an admin: iva\..*createsuperuser"):
        run(username="ivo")
    assert User.objects.count() == 1


def test_each_language_is_named_in_itself_and_the_password_rule_is_told():
    page = Client().get("/setup/").text
    assert "Hrvatski" in page
    assert "Croatian" not in page
    assert "At least 8 characters" in page
