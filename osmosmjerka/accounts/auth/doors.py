"""The sign-in services by which a person may log in, and whether it is the only way."""

from __future__ import annotations

from django.conf import settings
from django.utils.translation import gettext as _

from osmosmjerka.accounts.models import IdentityProvider, User


def only_door_of(person: User) -> IdentityProvider | None:
    """Return the service by which alone *person* may log in; None if any way is open to them.

    Admins keep their passwords and passkeys, in case the service is away or set up wrongly, and
    students their cards, which never come here.
    """
    if person.is_superuser or person.is_staff or person.role == User.Role.SCHOOL_ADMIN:
        return None
    of_school = IdentityProvider.objects.filter(school=person.school_id, is_on=True)
    return of_school.filter(is_only_door=True, school__isnull=False).first()


def of_settings() -> IdentityProvider | None:
    """Return the service of the whole site, which the environment names; None without one."""
    if not settings.SIGN_ON_ISSUER:
        return None
    provider, _is_new = IdentityProvider.objects.get_or_create(
        school=None, issuer=settings.SIGN_ON_ISSUER, client_id=settings.SIGN_ON_CLIENT_ID
    )
    provider.name = settings.SIGN_ON_NAME or _("your school account")
    provider.tenant = settings.SIGN_ON_TENANT
    provider.email_domain = settings.SIGN_ON_EMAIL_DOMAIN
    return provider


def services_for(person: User) -> list[IdentityProvider]:
    """Return the services with which *person* may connect their account."""
    site = of_settings()
    of_school = IdentityProvider.objects.filter(is_on=True, school=person.school_id)
    own = list(of_school) if person.school_id is not None else []
    return [one for one in [*([site] if site else []), *own] if may_connect(one, person)]


def may_connect(provider: IdentityProvider, person: User) -> bool:
    """Return whether a service may log in *person*.

    The admin of the service could log in as them. So a school's lets in its own people only, and
    nobody who manages the site.
    """
    if provider.school_id is None:
        return True
    return person.school_id == provider.school_id and not (person.is_superuser or person.is_staff)
