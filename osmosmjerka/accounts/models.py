"""People: schools, their classes, and the members of these with their roles."""

from __future__ import annotations

import secrets
import uuid
from collections.abc import Iterator
from datetime import date
from importlib import import_module
from typing import Any, ClassVar
from zoneinfo import ZoneInfo

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.contrib.sessions.base_session import AbstractBaseSession
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from osmosmjerka.db.collation import Alphabetical
from osmosmjerka.db.deletable import Deletable, NotDeletedManager

# Without letters and digits that look alike on a worksheet: no 0 O 1 I L.
JOIN_CODE_LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"


def new_join_code() -> str:
    """Return a class code of eight letters, about 40 bits."""
    return "".join(secrets.choice(JOIN_CODE_LETTERS) for _index in range(8))


class School(models.Model):
    name = models.CharField(pgettext_lazy("school", "name"), max_length=200)
    retention_days = models.PositiveIntegerField(
        _("days until an archived class is deleted"),
        default=365,
        help_text=_(
            "Its students who are in no other class are deleted with it. Its teachers are "
            "warned first."
        ),
    )
    language = models.CharField(_("language"), max_length=10, blank=True)
    time_zone = models.CharField(_("time zone"), max_length=64, blank=True)
    recall_target = models.FloatField(
        _("recall target"),
        default=0.9,
        validators=[MinValueValidator(0.7), MaxValueValidator(0.97)],
        help_text=_(
            "A word is due for review when the chance of recalling it falls to this value. A "
            "higher target means more reviews."
        ),
    )
    blocks_strong_words = models.BooleanField(
        _("block the strong words that come with Osmosmjerka"), default=True
    )
    allows_parent_links = models.BooleanField(
        _("teachers can create links for parents"),
        default=False,
        help_text=_(
            "A person with such a link sees the student’s given name, the days and words of this "
            "week, what is due, and difficult words. Turning this off ends all links."
        ),
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("school")
        verbose_name_plural = _("schools")
        ordering = [Alphabetical("name"), "pk"]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("school", args=[self.pk])

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.time_zone or settings.TIME_ZONE)

    def sign_in_services(self) -> models.QuerySet[IdentityProvider]:
        """Return the services with which the school's people sign in now."""
        return self.identity_providers.filter(is_on=True)

    def today(self) -> date:
        """Return the date where the school is."""
        return timezone.localdate(timezone=self.zone)


class User(Deletable, AbstractUser):
    """A person who logs in. A student has no e-mail address or real name, only a display name."""

    class Role(models.TextChoices):
        STUDENT = "student", _("Student")
        TEACHER = "teacher", _("Teacher")
        SCHOOL_ADMIN = "school_admin", _("School admin")

    first_name = None  # type: ignore[assignment]  # one display name suits every culture
    last_name = None  # type: ignore[assignment]

    class Letters(models.TextChoices):
        STANDARD = "standard", _("Standard")
        EASY = "easy", _("Easier to tell apart")

    class Contrast(models.TextChoices):
        AS_DEVICE = "device", _("As on this device")
        HIGH = "high", _("High")

    class Motion(models.TextChoices):
        AS_DEVICE = "device", _("As on this device")
        LESS = "less", _("Less")

    display_name = models.CharField(_("display name"), max_length=80)
    email = models.EmailField(_("e-mail"), blank=True, help_text=_("Teachers only."))
    role = models.CharField(_("role"), max_length=20, choices=Role, default=Role.STUDENT)
    school = models.ForeignKey(
        School, on_delete=models.CASCADE, null=True, blank=True, related_name="people"
    )
    language = models.CharField(_("language"), max_length=10, blank=True)

    # How pages look to this person, on every device: base.html writes it on <html>.
    letters = models.CharField(
        _("letters"), max_length=10, choices=Letters, default=Letters.STANDARD
    )
    contrast = models.CharField(
        _("contrast"), max_length=10, choices=Contrast, default=Contrast.AS_DEVICE
    )
    motion = models.CharField(_("motion"), max_length=10, choices=Motion, default=Motion.AS_DEVICE)

    credential_stamp = models.CharField(
        max_length=32,
        blank=True,
        editable=False,
        help_text="Changes when every session of this person must end.",
    )

    merged: models.JSONField[dict[str, Any] | None, dict[str, Any] | None] = models.JSONField(
        null=True,
        blank=True,
        editable=False,
        help_text="In the bin: the account with which this one was merged, and what it got.",
    )

    opened_on = models.DateField(
        null=True, blank=True, editable=False, help_text="When a teacher last opened Today."
    )
    opened_before = models.DateField(
        null=True, blank=True, editable=False, help_text="The last day before that one."
    )

    REQUIRED_FIELDS: ClassVar[list[str]] = []
    _loses_password = False

    class Meta:
        verbose_name = _("user")
        verbose_name_plural = _("users")

    def __str__(self) -> str:
        return self.display_name or self.username

    def save(self, *args: Any, **kwargs: Any) -> None:
        has_new_password = getattr(self, "_password", None) is not None or self._loses_password
        super().save(*args, **kwargs)
        if has_new_password:  # log out anybody who knew the old password, and revoke API tokens
            self._loses_password = False
            self._forget_sessions()

    def set_unusable_password(self) -> None:
        super().set_unusable_password()
        self._loses_password = True

    def get_full_name(self) -> str:
        return str(self)

    def get_short_name(self) -> str:
        return str(self)

    def get_session_auth_hash(self) -> str:
        """Bind sessions to the password and the stamp; Django compares it at each request."""
        return self._hash_for_sessions()

    def get_session_auth_fallback_hash(self) -> Iterator[str]:
        return map(self._hash_for_sessions, settings.SECRET_KEY_FALLBACKS)

    def _hash_for_sessions(self, secret: str | bytes | None = None) -> str:
        return salted_hmac(
            "osmosmjerka.accounts.session",
            f"{self.password}:{self.credential_stamp}",
            secret=secret,
            algorithm="sha256",
        ).hexdigest()

    def end_access(self) -> None:
        """End every session and API token of this person.

        A view whose own session is to continue calls update_session_auth_hash afterwards.
        """
        # The new stamp also ends sessions that a request which runs meanwhile writes again.
        self.credential_stamp = secrets.token_hex(16)
        self.save(update_fields=["credential_stamp"])
        self._forget_sessions()

    def _forget_sessions(self) -> None:
        BrowserSession.objects.filter(user=self).delete()
        ApiToken.objects.filter(user=self).delete()

    @property
    def is_student(self) -> bool:
        return self.role == self.Role.STUDENT and not self.is_superuser

    @property
    def is_teacher(self) -> bool:
        """Whether this person may own lists and run classes."""
        return not self.is_student


class ClassroomManager(NotDeletedManager["Classroom"]):
    """The classes that are not in the bin."""


class Classroom(Deletable):
    school = models.ForeignKey(School, on_delete=models.CASCADE, related_name="classrooms")
    name = models.CharField(pgettext_lazy("class", "name"), max_length=100)
    join_code = models.CharField(max_length=12, unique=True, default=new_join_code)
    is_join_open = models.BooleanField(
        _("students can join with the class code"),
        default=False,
        help_text=_("Turn this on while your class is joining, then turn it off."),
    )
    uses_pictures = models.BooleanField(
        _("students log in by tapping their name and pictures"),
        default=False,
        help_text=_(
            "For students who cannot read yet. Anyone with the class code can see the names."
        ),
    )
    card_language = models.CharField(
        _("language of the login cards"),
        max_length=10,
        blank=True,
        help_text=_(
            "The words on newly printed cards are in this language, so that students can type them."
        ),
    )
    words_a_day = models.PositiveSmallIntegerField(
        _("words to practise per day"),
        default=24,
        validators=[MinValueValidator(4), MaxValueValidator(100)],
        help_text=_("For each student. At most eight of them are new."),
    )
    has_daily_puzzle = models.BooleanField(
        _("puzzle of the day"),
        default=False,
        help_text=_("One puzzle each day that all students of the class can play."),
    )
    is_daily_puzzle_declined = models.BooleanField(
        default=False, editable=False, help_text="Whether it is not to be offered any more."
    )
    archived_at = models.DateTimeField(null=True, blank=True)
    erasure_warned_at = models.DateTimeField(
        null=True, blank=True, editable=False, help_text="When an e-mail that warns was delivered."
    )
    erasure_seen_at = models.DateTimeField(
        null=True, blank=True, editable=False, help_text="When a page first warned who can keep it."
    )
    roster_id = models.CharField(
        max_length=255,
        blank=True,
        editable=False,
        help_text="The class's sourcedId in OneRoster files of the whole school.",
    )
    created_at = models.DateTimeField(auto_now_add=True)
    members = models.ManyToManyField(User, through="Membership", related_name="classrooms")

    objects = ClassroomManager()
    everything: models.Manager[Classroom] = models.Manager()

    # Set where classes with the same name are shown together: see `selectors.told_apart`.
    told_apart_by = ""

    class Meta:
        verbose_name = _("class")
        verbose_name_plural = _("classes")
        ordering = [Alphabetical("name"), "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["school", "roster_id"],
                condition=~models.Q(roster_id=""),
                name="one_class_a_roster_id",
            )
        ]

    def __str__(self) -> str:
        return f"{self.name} · {self.told_apart_by}" if self.told_apart_by else self.name

    @property
    def language_of_cards(self) -> str:
        """Return the language of the students' cards: chosen, else the school's or the site's."""
        return self.card_language or self.school.language or settings.LANGUAGE_CODE


class MembershipManager(NotDeletedManager["Membership"]):
    """The places of people who are not in the bin, in classes that are not in the bin."""

    deleted_with = ("user", "classroom")


class Membership(models.Model):
    """A person's membership of a class. People may be in several, and several teachers in one."""

    class Role(models.TextChoices):
        OWNER = "owner", _("Owner")
        CO_TEACHER = "co_teacher", _("Co-teacher")
        SUBSTITUTE = "substitute", _("Substitute")
        VIEWER = "viewer", _("Viewer")
        STUDENT = "student", _("Student")

    classroom = models.ForeignKey(Classroom, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=20, choices=Role, default=Role.STUDENT)
    until = models.DateField(
        _("last day"), null=True, blank=True, help_text="Of a teacher: the last day of access."
    )
    joined_at = models.DateTimeField(auto_now_add=True)

    objects = MembershipManager()
    everything: models.Manager[Membership] = models.Manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["classroom", "user"], name="one_membership_a_class"),
            models.CheckConstraint(
                condition=models.Q(until=None)
                | models.Q(role__in=["co_teacher", "substitute", "viewer"]),
                name="owners_and_students_stay",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user} · {self.classroom} · {self.get_role_display()}"


class RosterImport(models.Model):
    """People read for a class, or a school: first a preview, then what adding changed, to undo it.

    Of a class, the lines of the preview are rows. Of a school, they are *school_file* until they
    are added: each line then is a change.
    """

    class State(models.TextChoices):
        WAITING = "waiting", "waiting"
        ADDING = "adding", "adding"  # a school's, in a job
        ADDED = "added", "added"
        UNDOING = "undoing", "undoing"  # a school's, in a job
        UNDONE = "undone", "undone"

    classroom = models.ForeignKey(
        Classroom, on_delete=models.CASCADE, null=True, related_name="rosters"
    )
    school = models.ForeignKey(
        School,
        on_delete=models.CASCADE,
        null=True,
        related_name="rosters",
        help_text="If it is of the whole school, and not of a class.",
    )
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    ignored_columns: models.JSONField[list[str], list[str]] = models.JSONField(default=list)
    # The classes in a OneRoster file by their ids there, and the one that was chosen.
    file_classes: models.JSONField[dict[str, str], dict[str, str]] = models.JSONField(default=dict)
    file_class = models.CharField(max_length=255, blank=True)
    lists_everybody = models.BooleanField(
        default=False, help_text="Whether the file says who is in the class, and so who is not."
    )
    school_file: models.JSONField[dict[str, Any] | None, dict[str, Any] | None] = models.JSONField(
        null=True, help_text="What was read of a school, until it is added."
    )
    options: models.JSONField[dict[str, bool], dict[str, bool]] = models.JSONField(
        default=dict, help_text="Of a school: what the admin ticked."
    )
    mark = models.CharField(
        max_length=64, blank=True, help_text="Of a school: the preview that was confirmed."
    )
    counts: models.JSONField[dict[str, int], dict[str, int]] = models.JSONField(
        default=dict, help_text="Of a school: how many changes of each type were made."
    )
    created_at = models.DateTimeField(auto_now_add=True)
    added_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-created_at", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(classroom=None) ^ models.Q(school=None),
                name="a_roster_is_of_a_class_or_school",
            )
        ]

    def __str__(self) -> str:
        return f"{self.classroom or self.school} · {self.created_at:%Y-%m-%d} · {self.state}"


class RosterLine(models.Model):
    """A line of a preview; after adding, what was done to one student."""

    class Did(models.TextChoices):
        NOTHING = "", "nothing yet"
        CREATED = "created", "created"
        JOINED = "joined", "joined"
        RENAMED = "renamed", "renamed"
        # Of a school:
        LEFT = "left", "left a class"
        BINNED = "binned", "put into the bin"
        KNOWN = "known", "got the id of the file"
        NEW_CLASS = "new_class", "created a class"
        SAME_CLASS = "same_class", "gave a class the id of the file"
        RENAMED_CLASS = "renamed_class", "renamed a class"
        CLOSED_CLASS = "closed_class", "archived a class"
        INVITE = "invite", "a teacher to be invited"

    roster = models.ForeignKey(RosterImport, on_delete=models.CASCADE, related_name="lines")
    line = models.PositiveIntegerField()
    # Before adding: what was read, and the name that the student would get.
    name = models.CharField(max_length=200, blank=True)
    shown = models.CharField(max_length=80, blank=True)
    ids: models.JSONField[dict[str, str], dict[str, str]] = models.JSONField(default=dict)
    file_classes: models.JSONField[list[str], list[str]] = models.JSONField(default=list)
    problem = models.CharField(max_length=300, blank=True)
    # After adding.
    student = models.ForeignKey(User, on_delete=models.CASCADE, null=True, related_name="+")
    did = models.CharField(max_length=13, choices=Did, blank=True)
    before = models.CharField(max_length=100, blank=True)
    after = models.CharField(max_length=100, blank=True)
    # Of a school: the class, the place in it, and whom to invite.
    classroom = models.ForeignKey(Classroom, on_delete=models.CASCADE, null=True, related_name="+")
    place: models.JSONField[dict[str, Any], dict[str, Any]] = models.JSONField(
        default=dict, help_text="Of who left a class: their role, last day, and since when."
    )
    invitation = models.ForeignKey(
        "Invitation", on_delete=models.SET_NULL, null=True, related_name="roster_lines"
    )

    class Meta:
        ordering = ["line", "pk"]

    def __str__(self) -> str:
        return f"{self.roster_id}:{self.line} {self.did}"


class ExternalId(models.Model):
    """What another program calls a person, from a roster. The next roster finds them by it."""

    class Source(models.TextChoices):
        ONEROSTER = "oneroster", "OneRoster sourcedId"
        KOLIBRI = "kolibri", "Kolibri database id"
        NUMBER = "number", "student's number at the school"
        LTI = "lti", "number of a learning platform, and the student's there"

    school = models.ForeignKey(School, on_delete=models.CASCADE, related_name="+")
    source = models.CharField(max_length=10, choices=Source)
    value = models.CharField(max_length=255)
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="external_ids")
    roster = models.ForeignKey(
        RosterImport, on_delete=models.SET_NULL, null=True, related_name="external_ids"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["school", "source", "value"], name="one_student_an_external_id"
            )
        ]

    def __str__(self) -> str:
        return f"{self.source} · {self.user_id}"


class JoinRequest(models.Model):
    """A visitor who joined a class with its code, or waits until a teacher lets them in."""

    class State(models.TextChoices):
        WAITING = "waiting", "waiting"
        ACCEPTED = "accepted", "accepted"  # the account is there; its student has not seen it yet
        JOINED = "joined", "joined"

    classroom = models.ForeignKey(Classroom, on_delete=models.CASCADE, related_name="join_requests")
    name = models.CharField(max_length=80)
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    student = models.ForeignKey(User, on_delete=models.CASCADE, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["created_at", "pk"]
        indexes = [models.Index(fields=["classroom", "created_at"], name="joins_of_a_class")]

    def __str__(self) -> str:
        return f"{self.classroom} · {self.state} · {self.pk}"


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


class AuditEntry(models.Model):
    """Who did what to whom. Append-only; people appear as ids, so that deletion removes names."""

    at = models.DateTimeField(auto_now_add=True)
    school = models.ForeignKey(
        School, on_delete=models.CASCADE, null=True, related_name="audit_entries"
    )
    actor_id = models.BigIntegerField(null=True, help_text="Who did it; nobody: the site itself.")
    action = models.CharField(max_length=40)
    subject_kind = models.CharField(max_length=20)
    subject_id = models.BigIntegerField(null=True)
    detail: models.JSONField[dict[str, int | str], dict[str, int | str]] = models.JSONField(
        default=dict, help_text="Numbers and fixed words only, never a name."
    )

    class Meta:
        verbose_name = _("activity")
        verbose_name_plural = _("activity log")
        ordering = ["-at", "-pk"]
        indexes = [models.Index(fields=["school", "-at"], name="audit_of_a_school")]

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.action} {self.subject_kind} {self.subject_id}"


class Webhook(models.Model):
    """An address of a school's own program that is told of events, if the site allows its host."""

    school = models.ForeignKey(School, on_delete=models.CASCADE, related_name="webhooks")
    url = models.URLField(_("address"), max_length=500, help_text=_("It begins with https://."))
    secret = models.TextField(
        editable=False, help_text="What signs the deliveries, encrypted: see accounts.secrets."
    )
    events: models.JSONField[list[str], list[str]] = models.JSONField(
        _("events"), default=list, help_text="Keys of accounts.webhooks.services.EVENTS."
    )
    has_names = models.BooleanField(
        _("send students’ names"),
        default=False,
        help_text=_("Otherwise only their numbers on this site are sent."),
    )
    is_on = models.BooleanField(default=True)
    failing_since = models.DateTimeField(
        null=True,
        blank=True,
        editable=False,
        help_text="Since when no delivery succeeded; empty if the last one did.",
    )
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.url


class WebhookDelivery(models.Model):
    """An event that is sent to a webhook, with what became of it."""

    class State(models.TextChoices):
        WAITING = "waiting", _("Waiting")
        DELIVERED = "delivered", _("Delivered")
        FAILED = "failed", _("Failed")

    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries")
    event_id = models.UUIDField(
        default=uuid.uuid4, help_text="The same in every attempt, so that receivers count it once."
    )
    payload: models.JSONField[dict[str, Any], dict[str, Any]] = models.JSONField()
    # Whom the event is about: erased with them.
    student = models.ForeignKey(User, on_delete=models.CASCADE, null=True, related_name="+")
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    tries = models.PositiveSmallIntegerField(default=0)
    reason = models.CharField(max_length=300, blank=True, help_text="Why the last attempt failed.")
    created_at = models.DateTimeField(auto_now_add=True)
    at = models.DateTimeField(null=True, help_text="When the last attempt ended.")

    class Meta:
        ordering = ["-created_at", "-pk"]

    def __str__(self) -> str:
        return f"{self.event_id} · {self.state}"


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
