"""Pages on which a school admin adds sign-in services."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from osmosmjerka.accounts.access import schools
from osmosmjerka.accounts.models import IdentityProvider, School
from osmosmjerka.accounts.sign_on import client, services
from osmosmjerka.accounts.sign_on.views import back_address
from osmosmjerka.web.views import SignedInRequest, teacher_required

# What is asked once the connection works.
WHO_COMES_IN = (
    "email_domain", "roster_claim", "role_claim", "teacher_value", "student_value", "is_only_door",
)  # fmt: skip


class ProviderForm(forms.ModelForm[IdentityProvider]):
    """What a service's own page says of this site, to be copied, and what the school wants."""

    client_secret = forms.CharField(
        label=gettext_lazy("Client secret"),
        max_length=1000,
        required=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "off"}),
    )

    field_order = ("name", "issuer", "client_id", "client_secret")

    class Meta:
        model = IdentityProvider
        fields = ["name", "issuer", "client_id", "tenant", *WHO_COMES_IN]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.pk is not None:
            # People are known by the numbers that this service gave them.
            del self.fields["issuer"]
            self.fields["client_secret"].help_text = _("Leave empty to keep it.")
        else:
            self.fields["client_secret"].required = True
            for later in WHO_COMES_IN:
                del self.fields[later]
        for name in self.fields.keys() - {"name", "is_only_door"}:
            self.fields[name].widget.attrs["dir"] = "ltr"


@sensitive_post_parameters("client_secret")
@teacher_required
@require_http_methods(["GET", "POST"])
def overview(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show a school's services, and add one."""
    school = _school(request, pk)
    form = ProviderForm(
        request.POST if request.method == "POST" else None, instance=IdentityProvider(school=school)
    )
    if (made := _saved(request, form)) is not None:
        messages.success(request, _("Added. Now enter the redirect address there, then test it."))
        return redirect("sign-on-change", pk, made.pk)
    context = {"school": school, "providers": school.identity_providers.all(), "form": form}
    return render(request, "accounts/sign_on/providers.html", context)


@sensitive_post_parameters("client_secret")
@teacher_required
@require_http_methods(["GET", "POST"])
def change(request: SignedInRequest, pk: int, provider: int) -> HttpResponse:
    """Show the addresses to copy, who is connected, and the settings, to change them."""
    shown = _provider(request, pk, provider)
    form = ProviderForm(request.POST if request.method == "POST" else None, instance=shown)
    if _saved(request, form) is not None:
        messages.success(request, _("Saved."))
        return redirect("sign-on-change", pk, provider)
    context = {
        "school": shown.school,
        "provider": shown,
        "form": form,
        "back": back_address(request, shown),
        "address": request.build_absolute_uri(reverse("sign-on", args=[shown.number])),
        "teachers": services.connected_teachers(shown),
        "students": shown.identities.filter(user__role="student").count(),
    }
    return render(request, "accounts/sign_on/provider.html", context)


@teacher_required
@require_POST
def test(request: SignedInRequest, pk: int, provider: int) -> HttpResponse:
    """Test the connection, and say what is wrong."""
    shown = _provider(request, pk, provider)
    problem = client.problem_of(shown, back=back_address(request, shown))
    if problem:
        messages.error(request, problem)
    else:
        messages.success(request, _("The connection with %(name)s works.") % {"name": shown})
    return redirect("sign-on-change", pk, provider)


@teacher_required
@require_POST
def switch(request: SignedInRequest, pk: int, provider: int) -> HttpResponse:
    shown = _provider(request, pk, provider)
    services.switch(provider=shown, is_on=not shown.is_on, actor=request.user)
    messages.success(request, _("Saved."))
    return redirect("sign-on-change", pk, provider)


@teacher_required
@require_POST
def remove(request: SignedInRequest, pk: int, provider: int) -> HttpResponse:
    services.remove(provider=_provider(request, pk, provider), actor=request.user)
    messages.success(request, _("The sign-in service was removed. Accounts stay."))
    return redirect("sign-on-services", pk)


@teacher_required
@require_POST
def disconnect(request: SignedInRequest, pk: int, provider: int, identity: int) -> HttpResponse:
    """Disconnect somebody's school account, for example one that is connected by mistake."""
    found = get_object_or_404(_provider(request, pk, provider).identities, pk=identity)
    services.disconnect(identity=found, actor=request.user)
    messages.success(request, _("Saved."))
    return redirect("sign-on-change", pk, provider)


def _saved(request: SignedInRequest, form: ProviderForm) -> IdentityProvider | None:
    """Save a form that was sent; return the service, None if the form is to be shown."""
    if not form.is_valid():
        return None
    try:
        secret = form.cleaned_data["client_secret"]
        services.save(provider=form.instance, secret=secret, actor=request.user)
    except ValidationError as error:
        form.add_error(None, error)
        return None
    return form.instance


def _school(request: SignedInRequest, pk: int) -> School:
    return get_object_or_404(schools(request.user, "administer"), pk=pk)


def _provider(request: SignedInRequest, school: int, pk: int) -> IdentityProvider:
    of_school = IdentityProvider.objects.select_related("school")
    return get_object_or_404(of_school.filter(school=_school(request, school)), pk=pk)
