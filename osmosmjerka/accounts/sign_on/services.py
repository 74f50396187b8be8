"""Who a person of a sign-in service is here, and the services that a school's admin adds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _

from osmosmjerka.accounts import audit, people
from osmosmjerka.accounts.auth.doors import may_connect, of_settings
from osmosmjerka.accounts.classrooms.told_names import display_name
from osmosmjerka.accounts.models import ExternalId, Identity, IdentityProvider, School, User
from osmosmjerka.accounts.schools import invitations
from osmosmjerka.accounts.secrets import encrypt
from osmosmjerka.accounts.sign_on import client
from osmosmjerka.db.collation import Alphabetical
from osmosmjerka.web.addresses import may_be_asked

Claims = Mapping[str, Any]


class SignOnRefused(Exception):
    """Somebody cannot come in; its text tells them why."""


# Which services there are --------------------------------------------------------------------


def provider_of(number: int) -> IdentityProvider | None:
    """Return the service that is switched on and has this number in its addresses."""
    if number == 0:
        return of_settings()
    of_schools = IdentityProvider.objects.filter(school__isnull=False, is_on=True)
    return of_schools.select_related("school").filter(pk=number).first()


def offered(remembered: str) -> list[IdentityProvider]:
    """Return the services whose buttons the login page shows.

    A site with many schools does not list them all: a browser *remembers* the service that was
    used in it last, and a school gives its people an address of its own.
    """
    other = School.objects.exclude(pk=OuterRef("school"))
    shown = ~Exists(other) & Q(school__isnull=False)
    if remembered.isdecimal() and len(remembered) < 19:
        shown |= Q(school__isnull=False, pk=int(remembered))
    found = list(IdentityProvider.objects.filter(shown, is_on=True))
    site = of_settings()
    return [*([site] if site else []), *found]


# Who comes -----------------------------------------------------------------------------------


@transaction.atomic
def person_of(provider: IdentityProvider, claims: Claims, *, invitation: str = "") -> User:
    """Return the person whom checked claims of a service mean.

    The first time, they are found by the ID that their school's roster has, teachers also by a
    verified e-mail address of the school's domain or by an invitation; or an account is created,
    if the school wants that. Nobody is ever found in another school, and a student or an admin
    never by an e-mail address. Raises SignOnRefused.
    """
    _check_tenant(provider, claims)
    # Of two first logins of one person at once, the second finds the account of the first.
    IdentityProvider.objects.select_for_update().get(pk=provider.pk)
    subject = claims["sub"]
    known = provider.identities.filter(subject=subject).select_related("user__school").first()
    if known is not None:
        return _let_in(provider, known.user)
    person = _of_roster(provider, claims) or _of_email(provider, claims)
    if person is None:
        person = _invited(provider, claims, invitation) or _created(provider, claims)
    if person is None:
        raise SignOnRefused(
            _(
                "Your school account is not connected with an account here. Log in as usual and "
                "connect it under “School account”, or ask your teacher."
            )
        )
    _let_in(provider, person)
    _connect(provider, subject, person, actor=None)
    return person


def _check_tenant(provider: IdentityProvider, claims: Claims) -> None:
    """Refuse who is of another domain (Google) or tenant (Microsoft) than the school's."""
    if provider.tenant and provider.tenant not in (claims.get("hd"), claims.get("tid")):
        raise SignOnRefused(
            _("This account does not belong to %(school)s. Choose your school account.")
            % {"school": provider.school or provider}
        )


def _let_in(provider: IdentityProvider, person: User) -> User:
    """Return *person* if the service may let them in. Raises SignOnRefused."""
    if not person.is_active or person.deleted_at is not None:
        raise SignOnRefused(
            _("Your account here is deactivated. Ask your teacher or your school admin.")
        )
    if not may_connect(provider, person):
        raise SignOnRefused(
            _("Your account here no longer belongs to this school. Log in with your password.")
        )
    return person


def _of_roster(provider: IdentityProvider, claims: Claims) -> User | None:
    """Return the student or teacher whose ID in the school's roster a claim has."""
    value = claims.get(provider.roster_claim) if provider.roster_claim else None
    is_text = isinstance(value, str | int) and not isinstance(value, bool)
    if provider.school_id is None or not is_text or not str(value):
        return None
    ids = ExternalId.objects.filter(
        school=provider.school_id,
        source__in=[ExternalId.Source.ONEROSTER, ExternalId.Source.NUMBER],
        value=str(value),
        user__role__in=[User.Role.STUDENT, User.Role.TEACHER],
    ).select_related("user__school")
    found = {known.user for known in ids}
    return found.pop() if len(found) == 1 else None


def _of_email(provider: IdentityProvider, claims: Claims) -> User | None:
    """Return the teacher with the verified address; students have none, admins connect it."""
    email, domain = claims.get("email"), provider.email_domain.casefold()
    if not domain or not isinstance(email, str) or claims.get("email_verified") is not True:
        return None
    if not email.isascii() or email.casefold().rpartition("@")[2] != domain:
        return None
    teachers = User.objects.filter(
        email__iexact=email, role=User.Role.TEACHER, is_superuser=False, is_staff=False
    )
    if provider.school_id is not None:
        teachers = teachers.filter(school=provider.school_id)
    found = list(teachers.select_related("school")[:2])
    return found[0] if len(found) == 1 else None


def _invited(provider: IdentityProvider, claims: Claims, token: str) -> User | None:
    """Create the account of a teacher who came from an invitation to this school."""
    invitation = invitations.open_invitation(token) if token and _takes_teachers() else None
    if invitation is None or invitation.school_id != provider.school_id:
        return None
    return invitations.accept_as_new(
        invitation=invitation,
        username=people.free_username(invitation.school.language or settings.LANGUAGE_CODE),
        display_name=_name_of(claims, User.Role.TEACHER),
        email="",
        password=None,
    )


def _created(provider: IdentityProvider, claims: Claims) -> User | None:
    """Create an account, if the claim with the role has a value for which the school wants it."""
    school = provider.school
    if school is None or not provider.role_claim:
        return None
    said = claims.get(provider.role_claim)
    values = said if isinstance(said, list) else [said]
    if provider.teacher_value and provider.teacher_value in values and _takes_teachers():
        role = User.Role.TEACHER
    elif provider.student_value and provider.student_value in values:
        role = User.Role.STUDENT
    else:
        return None
    person = people.create_person(
        username=people.free_username(school.language or settings.LANGUAGE_CODE),
        display_name=_name_of(claims, role),
        role=role,
        school=school,
    )
    audit.record(None, "made account", person)
    return person


def _takes_teachers() -> bool:
    return settings.REGISTRATION != "closed"


def _name_of(claims: Claims, role: str) -> str:
    """Return a display name: the whole one of a teacher, that of a student as in rosters."""
    whole, given, family = (
        said if isinstance(said := claims.get(name), str) else ""
        for name in ("name", "given_name", "family_name")
    )
    if role == User.Role.TEACHER and whole.strip():
        try:
            return people.clean_display_name(whole)[:75]
        except ValidationError:
            pass
    return display_name(whole, given, family)


# A person's own accounts ---------------------------------------------------------------------


@transaction.atomic
def connect(*, provider: IdentityProvider, claims: Claims, person: User) -> None:
    """Connect the account of *person*, who is logged in. Raises SignOnRefused."""
    _check_tenant(provider, claims)
    _let_in(provider, person)
    _connect(provider, claims["sub"], person, actor=person)


def _connect(provider: IdentityProvider, subject: str, person: User, *, actor: User | None) -> None:
    try:
        with transaction.atomic():
            Identity.objects.create(provider=provider, subject=subject, user=person)
    except IntegrityError:
        raise SignOnRefused(
            _(
                "This school account or your account here is connected with another one already. "
                "Ask your school admin."
            )
        ) from None
    audit.record(actor, "connected school account", person)


@transaction.atomic
def disconnect(*, identity: Identity, actor: User) -> None:
    """Disconnect a school account. Raises ValidationError if nothing else lets the person in."""
    person = identity.user
    others = Identity.objects.filter(user=person).exclude(pk=identity.pk)
    has_way = (
        person.has_usable_password()
        or person.passkeys.exists()
        or hasattr(person, "card")
        or others.exists()
    )
    if actor == person and not has_way:
        raise ValidationError(
            _("This is your only way to log in. Set a password or create a passkey first.")
        )
    identity.delete()
    audit.record(actor, "disconnected school account", person)


# What a school's admin does ------------------------------------------------------------------


@transaction.atomic
def save(*, provider: IdentityProvider, secret: str, actor: User) -> None:
    """Add or change a service; without *secret*, its secret stays. Raises ValidationError."""
    if not may_be_asked(provider.issuer):
        raise ValidationError({"issuer": [_("Enter an address that begins with https://.")]})
    if provider.issuer.rstrip("/") == "https://accounts.google.com" and not provider.tenant:
        raise ValidationError(
            {"tenant": [_("Enter your school’s domain. Otherwise every Google account comes in.")]}
        )
    if provider.role_claim == "" and (provider.teacher_value or provider.student_value):
        raise ValidationError({"role_claim": [_("Enter the claim that has these values.")]})
    if secret:
        provider.secret = encrypt(secret)
    provider.full_clean()
    is_new = provider.pk is None
    provider.save()
    client.forget(provider)
    _record(actor, "added sign-in service" if is_new else "changed sign-in service", provider)


def connected_teachers(provider: IdentityProvider) -> QuerySet[Identity]:
    """Return the connections of teachers and admins, whom a mistake concerns most."""
    adults = provider.identities.exclude(user__role=User.Role.STUDENT)
    return adults.select_related("user").order_by(Alphabetical("user__display_name"), "pk")


@transaction.atomic
def switch(*, provider: IdentityProvider, is_on: bool, actor: User) -> None:
    """Switch a service on or off; who is logged in stays so."""
    provider.is_on = is_on
    provider.save(update_fields=["is_on"])
    _record(actor, "changed sign-in service", provider)


@transaction.atomic
def remove(*, provider: IdentityProvider, actor: User) -> None:
    """Remove a service with its connections; accounts stay."""
    client.forget(provider)
    _record(actor, "removed sign-in service", provider)
    provider.delete()


def _record(actor: User, action: audit.Action, provider: IdentityProvider) -> None:
    if provider.school is not None:
        audit.record(actor, action, provider.school, provider=provider.pk)
