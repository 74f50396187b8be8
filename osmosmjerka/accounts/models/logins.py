"""Ways to log in, and what stays of them: cards, passkeys, school accounts, invitations, tokens."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from django.conf import settings
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from osmosmjerka.accounts.models.classes import Classroom, Membership
from osmosmjerka.accounts.models.people import School, User
from osmosmjerka.db.collation import Alphabetical


class LoginCard(models.Model):
    """A student's login secrets as keyed hashes. The card itself exists only on paper."""

    user = models.OneToOneField(User, on_delete=models.CASCADE, related_name="card")
    token_hash = models.CharField(max_length=64, unique=True)
    words_hash = models.CharField(max_length=64)
    pictures_hash = models.CharField(max_length=64)
    issued_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("login card")
        verbose_name_plural = _("login cards")

    def __str__(self) -> str:
        return f"{self.user} · {self.issued_at:%Y-%m-%d}"


class Passkey(models.Model):
    """A teacher's alternative to a password: a public key; the private one stays on the device."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="passkeys")
    name = models.CharField(pgettext_lazy("passkey", "name"), max_length=60)
    credential_id = models.CharField(max_length=1400, unique=True)
    credential = models.TextField(help_text="WebAuthn's attested credential data, base64url.")
    uses = models.BigIntegerField(default=0, help_text="The device's own count, 0 without one.")
    created_at = models.DateTimeField(auto_now_add=True)
    used_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("passkey")
        verbose_name_plural = _("passkeys")

    def __str__(self) -> str:
        return self.name


class FailedLogin(models.Model):
    """The number of failed logins to one account. Counted by account, never by address.

    The name that was tried is hashed: it may not even exist, and what people type is private.
    """

    account = models.CharField(max_length=64, primary_key=True)
    wrong = models.PositiveIntegerField(default=0)
    locked_until = models.DateTimeField(null=True)
    last_at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return f"{self.account[:8]}… · {self.wrong}"


class IdentityProvider(models.Model):
    """A service with which a school's people sign in (OpenID Connect), such as Google or Entra."""

    school = models.ForeignKey(
        School,
        on_delete=models.CASCADE,
        null=True,
        related_name="identity_providers",
        help_text="None: that of the whole site, from the environment.",
    )
    school_id: int | None
    name = models.CharField(
        pgettext_lazy("sign-in service", "name"),
        max_length=60,
        help_text=_("The button says “Log in with” and this name."),
    )
    issuer = models.CharField(
        _("issuer"), max_length=255, help_text=_("Like https://login.school.example.")
    )
    client_id = models.CharField(_("client ID"), max_length=255)
    secret = models.TextField(blank=True, help_text="Encrypted by accounts.secrets.")
    tenant = models.CharField(
        _("domain or tenant"),
        max_length=255,
        blank=True,
        help_text=_(
            "Only accounts of it come in. Google: the school’s domain. Microsoft: the tenant ID."
        ),
    )
    email_domain = models.CharField(
        _("teachers’ e-mail domain"),
        max_length=255,
        blank=True,
        help_text=_(
            "A teacher whose e-mail address here is the verified one there comes in at the first "
            "login, if it ends with this domain. Leave empty to have teachers connect themselves."
        ),
    )
    roster_claim = models.CharField(
        _("claim with the roster’s ID"),
        max_length=60,
        blank=True,
        help_text=_(
            "The name of the claim that holds the ID or number of a student from your roster. "
            "Students must not be able to change it."
        ),
    )
    role_claim = models.CharField(
        _("claim with the role"), max_length=60, blank=True, help_text=_("Like groups or roles.")
    )
    teacher_value = models.CharField(
        _("its value for teachers"),
        max_length=100,
        blank=True,
        help_text=_("Accounts are created for teachers who have none. Leave empty to create none."),
    )
    student_value = models.CharField(
        _("its value for students"),
        max_length=100,
        blank=True,
        help_text=_("Accounts are created for students who have none. Leave empty to create none."),
    )
    is_only_door = models.BooleanField(
        _("log in with it only"),
        default=False,
        help_text=_(
            "Passwords and passkeys then work for school admins only. Login cards of students "
            "still work."
        ),
    )
    is_on = models.BooleanField(default=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("sign-in service")
        verbose_name_plural = _("sign-in services")
        ordering = [Alphabetical("name"), "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["school", "issuer", "client_id"],
                name="a_sign_in_service_is_known_once",
                violation_error_message=_("This school already has this sign-in service."),
            )
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def number(self) -> int:
        """The number in its addresses: 0 for that of the site, which no admin page shows."""
        return self.pk if self.school_id is not None else 0


class Identity(models.Model):
    """Who a person of a sign-in service is here. Nothing else that the service says is stored."""

    provider = models.ForeignKey(
        IdentityProvider, on_delete=models.CASCADE, related_name="identities"
    )
    subject = models.CharField(max_length=255, help_text="The service's number for the person.")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="identities")
    user_id: int
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("school account")
        verbose_name_plural = _("school accounts")
        constraints = [
            models.UniqueConstraint(
                fields=["provider", "subject"], name="a_school_account_is_one_person"
            ),
            # A roster's number that is given to somebody else does not open the old account.
            models.UniqueConstraint(
                fields=["provider", "user"], name="one_school_account_a_person"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.provider} · {self.user}"


class Invitation(models.Model):
    """A link that invites a teacher to a school, or to a class of it."""

    school = models.ForeignKey(School, on_delete=models.CASCADE, related_name="invitations")
    classroom = models.ForeignKey(
        Classroom, on_delete=models.CASCADE, null=True, blank=True, related_name="invitations"
    )
    role = models.CharField(
        _("role"), max_length=20, help_text="In the class if there is one, else in the school."
    )
    token_hash = models.CharField(max_length=64, unique=True)
    invited_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="invitations"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    accepted_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("invitation")
        verbose_name_plural = _("invitations")
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return f"{self.classroom or self.school} · {self.get_role_display()}"

    def get_role_display(self) -> str:
        """Return the role's label: in the class if there is one, else in the school."""
        roles = dict((Membership if self.classroom_id else User).Role.choices)
        return str(roles.get(self.role, self.role))


class ApiToken(models.Model):
    """A program's access to the API in a person's name. Only a hash of the token is stored."""

    class Scope(models.TextChoices):
        READ = "read", _("Read only")
        PLAY = "play", _("Read and play")
        TEACH = "teach", _("Everything that you can do")

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="api_tokens")
    name = models.CharField(pgettext_lazy("API token", "name"), max_length=60, blank=True)
    scope = models.CharField(_("permissions"), max_length=10, choices=Scope, default=Scope.READ)
    token_hash = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(auto_now_add=True)
    used_on = models.DateField(null=True, help_text="The day, no time: it is no log.")
    expires_at = models.DateTimeField(db_index=True)

    class Meta:
        verbose_name = _("API token")
        verbose_name_plural = _("API tokens")

    def __str__(self) -> str:
        return self.name or f"{self.scope} {self.created_at:%Y-%m-%d}"


class BrowserSession(AbstractBaseSession):
    """A session of a browser, found by a hash of its key: a copied table lets nobody in."""

    user = models.ForeignKey(
        User, on_delete=models.CASCADE, null=True, related_name="browser_sessions"
    )
    seen_at = models.DateTimeField(help_text="Updated at most once an hour.")

    class Meta:
        verbose_name = _("session")
        verbose_name_plural = _("sessions")

    @classmethod
    def get_session_store_class(cls) -> Any:
        return import_module(settings.SESSION_ENGINE).SessionStore
