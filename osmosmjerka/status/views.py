"""The status page, for site admins only."""

from __future__ import annotations

from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from osmosmjerka.accounts import mail
from osmosmjerka.jobs import clock
from osmosmjerka.jobs.models import Job
from osmosmjerka.server import preparation
from osmosmjerka.status import facts, health
from osmosmjerka.status.services import retry_job
from osmosmjerka.web.views import SignedInRequest, site_admin_required


@site_admin_required
@require_safe
def status(request: SignedInRequest) -> HttpResponse:
    """Show how the site runs: queues, failed jobs, workers, storage, versions."""
    school = request.user.school
    now = clock.now()
    known = facts.workers(now)
    data, media = facts.data_folder(), facts.media_folder()
    context = {
        "lacks": preparation.lacks(),
        "queues": facts.queues(known, now),
        "kinds": facts.kinds(),
        "failed": [(job, facts.first_line(job.error)) for job in facts.failed_jobs()],
        "workers": known,
        "data": data,
        "media": media,
        "is_nearly_full": any(folder.is_nearly_full for folder in (data, media) if folder),
        "database": facts.database_name(),
        "database_size": facts.database_size(),
        "versions": facts.versions(),
        "backup": facts.last_backup(),
        "reachable": health.reachable(facts.ANSWER_SECONDS),
        "is_google_on": settings.GTTS_ENABLED,
        "google": facts.google(),
        "is_mail_delivered": mail.is_delivering(),
        "now": timezone.now(),
    }
    with timezone.override(school.zone if school else None):
        return render(request, "status/status.html", context)


@site_admin_required
@require_POST
def retry(request: SignedInRequest, pk: UUID) -> HttpResponse:
    """Start a failed job again."""
    job = get_object_or_404(Job, pk=pk)
    if retry_job(job, actor=request.user):
        messages.success(request, _("The task is in the queue again."))
    else:
        messages.info(request, _("This task is no longer in the list of failed tasks."))
    return redirect("status")


@site_admin_required
@require_POST
def test_mail(request: SignedInRequest) -> HttpResponse:
    """Send a test e-mail to the admin's own address, and tell what the mail server says."""
    if not request.user.email:
        messages.error(request, _("Your account has no e-mail address. Add one first."))
        return redirect("own-account")
    problem = mail.send_test(request.user.email)
    if problem:
        messages.error(request, problem)
    else:
        messages.success(
            request, _("The mail server accepted the e-mail. It should arrive within minutes.")
        )
    return redirect("status")
