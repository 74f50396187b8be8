"""The ways in: name and password, a login card, the class's door, and the way out."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login, update_session_auth_hash
from django.contrib.auth.views import (
    LoginView,
    PasswordResetConfirmView,
    PasswordResetView,
)
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from osmosmjerka.accounts import audit, cards, classes, login_log, second_step, teachers, tries
from osmosmjerka.accounts.codes import PICTURES, PICTURES_A_CARD
from osmosmjerka.accounts.forms import (
    JoinForm,
    OwnAccountForm,
    OwnPasswordForm,
    TeachersPasswordResetForm,
)
from osmosmjerka.accounts.models import Classroom, User
from osmosmjerka.http import SignedInRequest, teacher_required

_BACKEND = "osmosmjerka.accounts.backends.PasswordBackend"
# A school day; a tablet that is put away with a pupil still logged in forgets them by itself.
PUPIL_SESSION = timedelta(hours=12)


class PasswordLogin(LoginView):
    """Name and password, for teachers and for pupils who have one."""

    template_name = "accounts/login.html"
    redirect_authenticated_user = True

    def form_valid(self, form: Any) -> HttpResponse:
        """Log in, or ask for the second step where there is one."""
        person = form.get_user()
        if second_step.is_wanted(person):
            return second_step.ask(self.request, person, self.get_success_url())
        response = super().form_valid(form)
        if person.is_student:
            self.request.session.set_expiry(PUPIL_SESSION)
        return response

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        context = super().get_context_data(**kwargs)
        context["locked"] = getattr(self.request, "account_locked", None)
        context["registration"] = settings.REGISTRATION
        return context


class TeachersPasswordReset(PasswordResetView):
    template_name = "accounts/password_reset.html"
    email_template_name = "accounts/password_reset_email.txt"
    subject_template_name = "accounts/password_reset_subject.txt"
    form_class = TeachersPasswordResetForm


class NewPassword(PasswordResetConfirmView):
    template_name = "accounts/password_new.html"

    def form_valid(self, form: Any) -> HttpResponse:
        """Set the password and lift the lock: whoever reads the e-mail is not guessing."""
        response = super().form_valid(form)
        audit.record(
            actor=form.user, action="changed password", subject=form.user, school=form.user.school
        )
        tries.succeeded(tries.key_of("password", form.user.username.casefold()))
        tries.succeeded(tries.key_of("reset", form.user.email.casefold()))
        return response


@sensitive_post_parameters("old_password", "new_password1", "new_password2")
@teacher_required
@require_http_methods(["GET", "POST"])
def own_password(request: SignedInRequest) -> HttpResponse:
    """Change one's own password. This session goes on; all others and the API tokens end."""
    person = request.user
    sent = request.POST if request.method == "POST" else None
    form = OwnPasswordForm(person, sent, request=request)
    if not form.is_valid():
        return render(request, "accounts/password_change.html", {"form": form})
    with transaction.atomic():
        form.save()
        audit.record(actor=person, action="changed password", subject=person, school=person.school)
    update_session_auth_hash(request, person)
    messages.success(request, _("Your new password is set"))
    return redirect("own-password")


@sensitive_post_parameters("password")
@teacher_required
@require_http_methods(["GET", "POST"])
def own_account(request: SignedInRequest) -> HttpResponse:
    """Change one's own shown name and e-mail address."""
    person = request.user
    sent = request.POST if request.method == "POST" else None
    form = OwnAccountForm(sent, request=request, person=person)
    if not form.is_valid():
        return render(request, "accounts/own_account.html", {"form": form})
    name, email = form.cleaned_data["display_name"], form.cleaned_data["email"]
    teachers.change_own_account(person=person, display_name=name, email=email)
    messages.success(request, _("Kept."))
    return redirect("own-account")


def admit_pupil(request: HttpRequest, pupil: User, *, door: Classroom | None = None) -> None:
    """Log a pupil in: whoever was in before is out, and the session gets a new key."""
    if request.user.is_authenticated:
        request.session.flush()
    login(request, pupil, backend=_BACKEND)
    request.session.set_expiry(PUPIL_SESSION)
    if door is not None:
        request.session["door"] = door.join_code


@sensitive_post_parameters("token")
@never_cache
@require_http_methods(["GET", "POST"])
def card(request: HttpRequest) -> HttpResponse:
    """Log in by a card's QR code. Its token stands after the #, so that no server logs it."""
    is_wrong = False
    if request.method == "POST":
        pupil = cards.person_of_token(request.POST.get("token", ""))
        if pupil is not None:
            admit_pupil(request, pupil)
            return redirect("home")
        login_log.refused(request, "card")
        is_wrong = True
    return render(request, "accounts/card.html", {"is_wrong": is_wrong})


@never_cache
@require_http_methods(["GET", "POST"])
def join(request: HttpRequest) -> HttpResponse:
    """Ask for the class code and go to the class's door."""
    code = request.POST.get("code", "").strip().upper().replace(" ", "").replace("-", "")
    is_wrong = False
    if request.method == "POST":
        if 4 <= len(code) <= 12 and _classes().filter(join_code=code).exists():
            return redirect("class-door", code)
        login_log.refused(request, "class code")
        is_wrong = True
    return render(request, "accounts/join.html", {"is_wrong": is_wrong, "code": code})


@sensitive_post_parameters("words", "pictures")
@never_cache
@require_http_methods(["GET", "POST"])
def class_door(request: HttpRequest, code: str) -> HttpResponse:
    """Log a pupil of the class in by name and words, or by name and pictures."""
    classroom = _class_at(code)
    refused = ""
    if request.method == "POST":
        name = request.POST.get("name", "")[:200]
        try:
            if "picture-0" in request.POST:
                chosen = tuple(
                    request.POST.get(f"picture-{place}", "") for place in range(PICTURES_A_CARD)
                )
                pupil = cards.person_of_pictures(classroom=classroom, name=name, pictures=chosen)
            else:
                words = request.POST.get("words", "")[:200]
                pupil = cards.person_of_words(classroom=classroom, name=name, words=words)
        except tries.AccountLocked as locked:
            login_log.refused(request, "locked out", classroom=classroom.pk)
            refused = str(locked)
        except cards.LoginRefused:
            login_log.refused(request, "code", classroom=classroom.pk)
            refused = _("This name and code do not belong together. Look at your card again.")
        else:
            admit_pupil(request, pupil, door=classroom)
            return redirect("home")
    context = {
        "classroom": classroom,
        "refused": refused,
        "name": request.POST.get("name", "")[:200],
        "is_open": classes.open_for_joining(classroom),
        "form": JoinForm(),
        "pupils": cards.pupils_of(classroom) if classroom.uses_pictures else [],
        "pictures": PICTURES.items(),
        "places": range(PICTURES_A_CARD),
    }
    return render(request, "accounts/class_door.html", context)


@never_cache
@require_POST
def class_join(request: HttpRequest, code: str) -> HttpResponse:
    """Take somebody into an open class: who is logged in joins it, anybody else gets a card."""
    classroom = _class_at(code)
    try:
        if isinstance(request.user, User):
            classes.join_by_code(classroom=classroom, person=request.user)
            messages.success(request, _("You are in the class %(class)s.") % {"class": classroom})
            return redirect("home")
        form = JoinForm(request.POST)
        if not form.is_valid():
            messages.error(request, _("Write the name that your class shall see."))
            return redirect("class-door", code)
        pupil, paper = classes.join_as_new_pupil(
            classroom=classroom, name=form.cleaned_data["display_name"]
        )
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
        return redirect("class-door", code)
    admit_pupil(request, pupil, door=classroom)
    from osmosmjerka.accounts.views import card_page

    return card_page(request, classroom, [paper], is_own=True)


def _classes() -> Any:
    return Classroom.objects.filter(archived_at=None)


def _class_at(code: str) -> Classroom:
    classroom = _classes().select_related("school").filter(join_code=code.upper()).first()
    if classroom is None:
        raise Http404
    assert isinstance(classroom, Classroom)  # noqa: S101  (for the type checker)
    return classroom
