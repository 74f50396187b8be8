"""Pages of a school's webhooks: add one, test it, and see what was delivered."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST

from osmosmjerka.accounts import access
from osmosmjerka.accounts.models import School, Webhook, WebhookDelivery
from osmosmjerka.accounts.webhooks import services as webhooks
from osmosmjerka.web.views import SignedInRequest, teacher_required

SHOWN = 50


class WebhookForm(forms.Form):
    """A new webhook."""

    url = forms.URLField(
        label=gettext_lazy("Address"),
        max_length=500,
        assume_scheme="https",
        help_text=gettext_lazy("Of your school’s program. It begins with https://."),
    )
    events = forms.MultipleChoiceField(
        label=gettext_lazy("Events"),
        choices=list(webhooks.EVENTS.items()),
        widget=forms.CheckboxSelectMultiple,
    )
    has_names = forms.BooleanField(
        label=gettext_lazy("Send students’ names"),
        required=False,
        help_text=gettext_lazy("Otherwise only their numbers on this site are sent."),
    )


@teacher_required
@require_http_methods(["GET", "POST"])
def overview(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show a school's webhooks and their last deliveries; add one, whose secret is shown once."""
    school = _school(request, pk)
    form = WebhookForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            made, secret = webhooks.add(school=school, actor=request.user, **form.cleaned_data)
        except ValidationError as error:
            form.add_error("url", error)
        else:
            shown = {"school": school, "webhook": made, "secret": secret}
            return render(request, "accounts/webhooks/added.html", shown)
    deliveries = WebhookDelivery.objects.filter(webhook__school=school).select_related("webhook")
    context = {
        "school": school,
        "form": form,
        "webhooks": school.webhooks.all(),
        "deliveries": deliveries[:SHOWN],
        "hosts": sorted(webhooks.rules().hosts),
    }
    return render(request, "accounts/webhooks/webhooks.html", context)


@teacher_required
@require_POST
def test(request: SignedInRequest, pk: int, webhook: int) -> HttpResponse:
    """Send a test, and say what is wrong."""
    wrong = webhooks.test(webhook=_webhook(request, pk, webhook))
    if wrong:
        messages.error(request, wrong)
    else:
        messages.success(request, _("The receiver accepted the test."))
    return redirect("webhooks", pk)


@teacher_required
@require_POST
def switch(request: SignedInRequest, pk: int, webhook: int) -> HttpResponse:
    webhooks.switch(
        webhook=_webhook(request, pk, webhook), is_on="on" in request.POST, actor=request.user
    )
    return redirect("webhooks", pk)


@teacher_required
@require_POST
def remove(request: SignedInRequest, pk: int, webhook: int) -> HttpResponse:
    webhooks.remove(webhook=_webhook(request, pk, webhook), actor=request.user)
    messages.success(request, _("The webhook was deleted."))
    return redirect("webhooks", pk)


@teacher_required
@require_POST
def again(request: SignedInRequest, pk: int, webhook: int, delivery: int) -> HttpResponse:
    """Send a failed event again."""
    of = _webhook(request, pk, webhook).deliveries.all()
    webhooks.send_again(delivery=get_object_or_404(of, pk=delivery))
    messages.success(request, _("It is being sent again."))
    return redirect("webhooks", pk)


def _school(request: SignedInRequest, pk: int) -> School:
    if not webhooks.is_offered():
        raise Http404
    return get_object_or_404(access.schools(request.user, "administer"), pk=pk)


def _webhook(request: SignedInRequest, pk: int, webhook: int) -> Webhook:
    return get_object_or_404(_school(request, pk).webhooks.select_related("school"), pk=webhook)
