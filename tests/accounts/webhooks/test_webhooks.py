"""Events reach the school's own program: signed, again after faults, and nobody else's."""

import hashlib
import hmac
import json
import time

import pytest
from django.utils import timezone, translation

from osmosmjerka.accounts import people, secrets
from osmosmjerka.accounts.models import AuditEntry, User, Webhook, WebhookDelivery
from osmosmjerka.accounts.webhooks import client, services
from osmosmjerka.jobs import clock, ledger
from osmosmjerka.jobs.models import Job
from puzzles.play import services as play
from tests.accounts.webhooks.receiver import Receiver

pytestmark = pytest.mark.database

REFUSED_IN_CROATIAN = "Primatelj nije prihvatio događaj"


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    receiver = Receiver(tmp_path_factory.mktemp("receiver"))
    yield receiver
    receiver.close()


@pytest.fixture
def receiver(server, settings):
    settings.WEBHOOK_HOSTS = [server.host]
    settings.WEBHOOK_PRIVATE = True
    settings.WEBHOOK_CA = str(server.certificate)
    server.got.clear()
    server.faults.clear()
    return server


@pytest.fixture
def admin(make_person, school):
    return make_person(User.Role.SCHOOL_ADMIN, school, "ravnateljica")


@pytest.fixture
def add(receiver, school, admin):
    def add(**wanted):
        told = {"url": receiver.url, "events": [*services.EVENTS], "has_names": False} | wanted
        return services.add(school=school, actor=admin, **told)

    return add


def join(make_person, school, classroom, name="eva"):
    student = make_person(User.Role.STUDENT, school, name)
    people.join_classroom(classroom=classroom, person=student, role="student")
    return student


def is_genuine(header, body, secret):
    """What docs/api.md tells receivers to do."""
    told = dict(part.split("=", 1) for part in header.split(","))
    signed = told["t"].encode() + b"." + body
    expected = hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()
    is_recent = abs(time.time() - int(told["t"])) < 300
    return is_recent and hmac.compare_digest(expected, told["v1"])


def test_a_receiver_can_check_who_sent_an_event(add, receiver, make_person, school, classroom):
    _webhook, secret = add()
    student = join(make_person, school, classroom)
    assert ledger.run_next("default")
    [(path, headers, body)] = receiver.got
    assert path == "/hook?a=1"
    assert is_genuine(headers["Osmosmjerka-Signature"], body, secret)
    assert not is_genuine(headers["Osmosmjerka-Signature"], body + b" ", secret)
    assert not is_genuine(headers["Osmosmjerka-Signature"], body, "another")
    told = json.loads(body)
    assert told["id"] == headers["Osmosmjerka-Event"]
    assert told["event"] == "student.joined"
    assert told["class"] == {"id": classroom.pk, "title": "6b"}
    assert told["student"] == {"id": student.pk}
    assert b"Eva" not in body
    assert WebhookDelivery.objects.get().state == "delivered"


def test_names_are_sent_only_if_the_admin_says_so(add, receiver, make_person, school, classroom):
    add(has_names=True)
    join(make_person, school, classroom)
    ledger.run_next("default")
    assert json.loads(receiver.got[0][2])["student"]["name"] == "Eva"


def test_a_finished_assignment_is_told(add, receiver, make_puzzle, student):
    puzzle = make_puzzle()
    add(events=["assignment.finished"])
    session = play.open_session(puzzle=puzzle, student=student)
    play.finish_session(session=session)
    delivery = WebhookDelivery.objects.get()
    assert delivery.payload["assignment"]["title"] == puzzle.title
    assert delivery.payload["student"] == {"id": student.pk}


def wait_for(seconds):
    """Let the one job that waits so long be due now: a database server's clock is not moved."""
    job = Job.objects.get(state=Job.State.QUEUED)
    assert seconds - 5 < (job.ready_at - clock.now()).total_seconds() <= seconds
    job.ready_at = clock.now()
    job.save()


@pytest.mark.parametrize("fault", [500, 404, 302, "hang"])
def test_what_a_receiver_does_not_take_is_sent_again(
    add, receiver, make_person, school, classroom, fault, monkeypatch
):
    monkeypatch.setattr(client, "SECONDS", 0.5)
    add()
    join(make_person, school, classroom)
    receiver.faults.append(fault)
    ledger.run_next("default")
    delivery = WebhookDelivery.objects.get()
    assert (delivery.state, delivery.tries) == ("waiting", 1)
    assert delivery.reason
    assert len(delivery.reason) < 300
    wait_for(services.GAPS[0])
    assert ledger.run_next("default")
    delivery.refresh_from_db()
    assert (delivery.state, delivery.tries) == ("delivered", 2)
    assert len({headers["Osmosmjerka-Event"] for _path, headers, _body in receiver.got}) == 1


def test_an_admin_reads_in_their_language_why_an_event_was_not_accepted(
    add, receiver, make_person, school, classroom, sign_in, admin
):
    webhook, _secret = add()
    receiver.faults += [500, 404]
    with translation.override("hr"):
        assert services.test(webhook=webhook).startswith(f"{REFUSED_IN_CROATIAN}: 500 no no")
    join(make_person, school, classroom)
    ledger.run_next("default")
    page = sign_in(admin).get(f"/schools/{school.pk}/webhooks/", HTTP_ACCEPT_LANGUAGE="hr")
    assert f"{REFUSED_IN_CROATIAN}: 404 no no" in page.content.decode()


def test_after_a_day_it_has_failed_and_an_admin_can_send_it_again(
    add, receiver, make_person, school, classroom
):
    add()
    join(make_person, school, classroom)
    receiver.faults[:] = [500] * 9
    assert ledger.run_next("default")
    for gap in services.GAPS:
        assert not ledger.run_next("default")
        wait_for(gap)
        assert ledger.run_next("default")
    delivery = WebhookDelivery.objects.get()
    assert (delivery.state, delivery.tries) == ("failed", 9)
    assert 23 * 3600 < sum(services.GAPS) < 25 * 3600
    services.send_again(delivery=delivery)
    services.send_again(delivery=delivery)  # a double click
    ledger.run_next("default")
    assert not ledger.run_next("default")
    delivery.refresh_from_db()
    assert (delivery.state, len(receiver.got)) == ("delivered", 10)


def test_a_webhook_that_fails_for_three_days_is_switched_off(
    add, receiver, make_person, school, classroom, sign_in, admin
):
    webhook, _secret = add()
    Webhook.objects.update(failing_since=timezone.now() - services.timedelta(days=3, hours=1))
    join(make_person, school, classroom)
    receiver.faults[:] = [500]
    ledger.run_next("default")
    webhook.refresh_from_db()
    assert not webhook.is_on
    assert AuditEntry.objects.filter(action="turned off webhook", actor_id=None).exists()
    page = sign_in(admin).get(f"/schools/{school.pk}/webhooks/").content.decode()
    assert "failed for three days" in page
    join(make_person, school, classroom, "ivo")
    assert WebhookDelivery.objects.count() == 1


class Killed(BaseException):
    pass


def test_a_worker_killed_after_sending_sends_the_same_event_again(
    add, receiver, make_person, school, classroom, monkeypatch
):
    add()
    join(make_person, school, classroom)

    def killed(*_args):
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(services, "_note", killed)
        with pytest.raises(Killed):
            ledger.run_next("default")
    Job.objects.update(state="queued")  # as the sweeper does
    ledger.run_next("default")
    first, second = (headers["Osmosmjerka-Event"] for _path, headers, _body in receiver.got)
    assert first == second
    assert not ledger.run_next("default")


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("https://elsewhere.example/", "does not allow"),
        ("http://{host}/", "https"),
        ("https://user:word@{host}/", "password"),
        ("https://localhost/", "does not allow"),  # another port
        ("https://{host}.elsewhere.example/", "no address"),
    ],
)
def test_only_addresses_that_the_site_allows_are_accepted(
    sign_in, admin, school, receiver, url, why
):
    sent = {"url": url.format(host=receiver.host), "events": ["student.joined"]}
    page = sign_in(admin).post(f"/schools/{school.pk}/webhooks/", sent).content.decode()
    assert not Webhook.objects.exists()
    assert why in page or "valid URL" in page


def test_a_host_that_is_no_longer_allowed_or_private_gets_nothing(add, receiver, settings):
    webhook, _secret = add()
    settings.WEBHOOK_PRIVATE = False
    assert "private network" in services.test(webhook=webhook)
    settings.WEBHOOK_PRIVATE = True
    settings.WEBHOOK_CA = ""
    assert "certificate" in services.test(webhook=webhook)
    settings.WEBHOOK_HOSTS = ["elsewhere.example"]
    assert "does not allow" in services.test(webhook=webhook)
    assert receiver.got == []
    settings.WEBHOOK_HOSTS, settings.WEBHOOK_CA = [receiver.host], str(receiver.certificate)
    assert services.test(webhook=webhook) == ""  # the control


def test_without_allowed_hosts_there_are_no_webhooks(
    sign_in, admin, school, classroom, make_person, add, settings, django_assert_num_queries
):
    add()
    settings.WEBHOOK_HOSTS = []
    client_ = sign_in(admin)
    assert client_.get(f"/schools/{school.pk}/webhooks/").status_code == 404
    assert "webhooks/" not in client_.get(f"/schools/{school.pk}/").content.decode()
    student = join(make_person, school, classroom)
    with django_assert_num_queries(0):
        services.tell_joined(classroom, student)
    assert not WebhookDelivery.objects.exists()


def test_the_secret_is_shown_once(sign_in, admin, school, receiver):
    client_ = sign_in(admin)
    sent = {"url": receiver.url, "events": ["student.joined"]}
    page = client_.post(f"/schools/{school.pk}/webhooks/", sent).content.decode()
    secret = secrets.decrypt(Webhook.objects.get().secret)
    assert secret in page
    assert secret not in client_.get(f"/schools/{school.pk}/webhooks/").content.decode()


def test_a_school_is_told_only_of_its_own(add, make_person, other_school, stranger, classroom):
    add()
    theirs = people.create_classroom(name="7c", owner=stranger)
    join(make_person, other_school, theirs)
    join(make_person, other_school, classroom, "guest")  # with the class code
    assert not WebhookDelivery.objects.exists()
