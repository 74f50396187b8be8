"""Webhooks: what happens in a school is sent to its own program, by jobs, for a day.

An event is written in the transaction in which it happened, and sent at least once: a worker that
is killed after sending sends again, with the same id of the event.
"""

from __future__ import annotations

import json
import secrets as random
import uuid
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from osmosmjerka.accounts import audit, secrets
from osmosmjerka.accounts.models import Classroom, School, User, Webhook, WebhookDelivery
from osmosmjerka.accounts.webhooks import client
from osmosmjerka.accounts.webhooks.client import DeliveryError
from osmosmjerka.jobs import clock, ledger
from osmosmjerka.jobs.ledger import JobRun
from osmosmjerka.jobs.models import Job

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise

JOB = "accounts.webhook"
MOST = 10  # of a school
EVENTS: dict[str, StrPromise] = {
    "assignment.finished": gettext_lazy("A student finished an assignment"),
    "student.joined": gettext_lazy("A student joined a class"),
}
# Seconds between two attempts; after the last one, a day has passed.
GAPS = (10, 60, 300, 1_800, 7_200, 14_400, 28_800, 33_600)
OFF_AFTER = timedelta(days=3)
KEPT = timedelta(days=30)
# Why an event is not accepted, to be translated by `WebhookDelivery.translated`.
_SAID = [
    gettext_lazy("This is no address."),
    gettext_lazy("The address must begin with https:// and have no password."),
    gettext_lazy("The site does not allow this host."),
    gettext_lazy("The receiver’s certificate is not trusted."),
    gettext_lazy("The receiver did not answer in time."),
    gettext_lazy("The receiver cannot be reached."),
    gettext_lazy("The receiver redirects, which is not followed."),
    gettext_lazy("No computer has this name."),
    gettext_lazy("The host has an address in a private network."),
    gettext_lazy("The receiver did not accept the event"),
    gettext_lazy("The secret can no longer be read. Create the webhook again."),
    gettext_lazy("The webhook is switched off."),
    gettext_lazy("The site could not send it."),
]
State = WebhookDelivery.State


def is_offered() -> bool:
    """Return whether the site allows webhooks to any host."""
    return bool(settings.WEBHOOK_HOSTS)


def rules() -> client.Rules:
    """Return what the site allows."""
    return client.Rules(
        frozenset(map(str.lower, settings.WEBHOOK_HOSTS)),
        settings.WEBHOOK_PRIVATE,
        settings.WEBHOOK_CA,
    )


@transaction.atomic
def add(
    *, school: School, url: str, events: list[str], has_names: bool, actor: User
) -> tuple[Webhook, str]:
    """Create a webhook; return it and its secret, which is never shown again.

    Raises `ValidationError` if the site does not allow the address.
    """
    School.objects.select_for_update().get(pk=school.pk)
    if school.webhooks.count() >= MOST:
        raise ValidationError(_("A school can have at most %(limit)s webhooks.") % {"limit": MOST})
    try:
        client.check(url, rules())
    except DeliveryError as error:
        raise ValidationError(WebhookDelivery.translated(str(error))) from error
    secret = random.token_urlsafe(32)
    made = Webhook(
        school=school,
        url=url,
        secret=secrets.encrypt(secret),
        events=[each for each in EVENTS if each in events],
        has_names=has_names,
        made_by=actor,
    )
    made.full_clean(exclude=["events"])
    made.save()
    audit.record(actor, "added webhook", school, webhook=made.pk)
    return made, secret


@transaction.atomic
def switch(*, webhook: Webhook, is_on: bool, actor: User | None) -> None:
    """Switch a webhook on or off; what happens while it is off is not sent later."""
    webhook.is_on, webhook.failing_since = is_on, None
    webhook.save(update_fields=["is_on", "failing_since"])
    action: audit.Action = "turned on webhook" if is_on else "turned off webhook"
    audit.record(actor, action, webhook.school, webhook=webhook.pk)


@transaction.atomic
def remove(*, webhook: Webhook, actor: User) -> None:
    """Delete a webhook with its deliveries."""
    audit.record(actor, "removed webhook", webhook.school, webhook=webhook.pk)
    webhook.delete()


def tell_joined(classroom: Classroom, student: User) -> None:
    """Tell that a student joined a class."""
    _tell("student.joined", classroom, student, {})


def tell_finished(
    classroom: Classroom, student: User, *, assignment: int, title: str, number: int
) -> None:
    """Tell that a student finished an attempt at an assignment of a class."""
    told = {"assignment": {"id": assignment, "title": title}, "attempt": number}
    _tell("assignment.finished", classroom, student, told)


def _tell(event: str, classroom: Classroom, student: User, told: dict[str, Any]) -> None:
    """Write an event for each webhook of the school that wants it."""
    if not is_offered():  # without the feature, no statement is added to any page
        return
    # A student of another school who joined with a class code is not this school's to tell of.
    if not student.is_student or student.school_id != classroom.school_id:
        return
    for webhook in Webhook.objects.filter(school=classroom.school_id, is_on=True):
        if event not in webhook.events:
            continue
        of_student: dict[str, Any] = {"id": student.pk}
        if webhook.has_names:
            of_student["name"] = student.display_name
        event_id = uuid.uuid4()
        delivery = WebhookDelivery.objects.create(
            webhook=webhook,
            event_id=event_id,
            student=student,
            payload={
                "id": str(event_id),
                "event": event,
                "at": timezone.now().isoformat(timespec="seconds"),
                "school": {"id": classroom.school_id},
                "class": {"id": classroom.pk, "title": classroom.name},
                "student": of_student,
                **told,
            },
        )
        _enqueue(delivery)


def _enqueue(delivery: WebhookDelivery) -> Job:
    return ledger.enqueue(
        JOB,
        key=f"webhook:{delivery.pk}:{delivery.tries}",
        arguments={"delivery": delivery.pk},
        subject=delivery,
    )


@transaction.atomic
def send_again(*, delivery: WebhookDelivery) -> None:
    """Send a failed event again, with the same id; a double click sends it once."""
    failed = WebhookDelivery.objects.filter(pk=delivery.pk, state=State.FAILED)
    if failed.update(state=State.WAITING):
        delivery.refresh_from_db()
        _enqueue(delivery)


def test(*, webhook: Webhook) -> str:
    """Send an event of the type “test” now; return what is wrong, "" if it was accepted."""
    event_id = str(uuid.uuid4())
    told = {"id": event_id, "event": "test", "school": {"id": webhook.school_id}}
    try:
        _send(webhook, event_id, told)
    except DeliveryError as error:
        return WebhookDelivery.translated(str(error))
    return ""


def _send(webhook: Webhook, event_id: str, payload: dict[str, Any]) -> None:
    try:
        secret = secrets.decrypt(webhook.secret)
    except secrets.SecretUnreadable as error:
        raise DeliveryError(
            "The secret can no longer be read. Create the webhook again."
        ) from error
    client.send(
        webhook.url,
        json.dumps(payload, ensure_ascii=False).encode(),
        secret=secret,
        at=int(timezone.now().timestamp()),
        event_id=event_id,
        rules=rules(),
    )


def deliver(run: JobRun) -> None:
    """Send one event; queue the job again with growing gaps while the receiver fails."""
    delivery = WebhookDelivery.objects.select_related("webhook__school").get(
        pk=run.arguments["delivery"]
    )
    webhook = delivery.webhook
    if delivery.state != State.WAITING:
        return
    fault = ""
    if webhook.is_on:
        try:
            _send(webhook, str(delivery.event_id), delivery.payload)
        except DeliveryError as error:
            fault = str(error)
    else:
        fault = "The webhook is switched off."
    # A worker that is killed here has sent the event, but sends it again with the same id.
    tries = delivery.tries + 1
    if not fault:
        with run.finishing(tries=tries):
            _note(delivery, State.DELIVERED, tries, "")
            Webhook.objects.filter(pk=webhook.pk).update(failing_since=None)
        return
    begun = run.so_far.get("tries", 0) + 1  # since it was queued: an admin may send it again
    is_last = begun > len(GAPS) or not webhook.is_on
    if is_last:
        with run.finishing(tries=tries):
            _note(delivery, State.FAILED, tries, fault)
            _note_failure(webhook)
        return
    with run.holding():
        _note(delivery, State.WAITING, tries, fault)
        _note_failure(webhook)
        run.change(result={"tries": begun})
    run.retry_later(GAPS[begun - 1], fault)


def when_failed(job: Job) -> None:
    """Note that an event could not be sent for a reason of this site."""
    delivery = WebhookDelivery.objects.filter(pk=job.arguments["delivery"], state=State.WAITING)
    delivery.update(state=State.FAILED, reason="The site could not send it.", at=clock.now())


def _note(delivery: WebhookDelivery, state: str, tries: int, reason: str) -> None:
    WebhookDelivery.objects.filter(pk=delivery.pk).update(
        state=state, tries=tries, reason=reason[:300], at=clock.now()
    )


def _note_failure(webhook: Webhook) -> None:
    """Note since when a webhook fails; switch it off after three days."""
    now = clock.now()
    held = Webhook.objects.select_for_update().filter(pk=webhook.pk, is_on=True).first()
    if held is None:
        return
    if held.failing_since is None:
        Webhook.objects.filter(pk=held.pk).update(failing_since=now)
    elif held.failing_since < now - OFF_AFTER:
        # It keeps the time, which the page shows as the reason.
        Webhook.objects.filter(pk=held.pk).update(is_on=False)
        audit.record(None, "turned off webhook", webhook.school, webhook=held.pk)


def purge() -> int:
    """Delete deliveries that are older than 30 days; return how many."""
    old = WebhookDelivery.objects.filter(created_at__lt=timezone.now() - KEPT)
    return old.exclude(state=State.WAITING).delete()[0]
