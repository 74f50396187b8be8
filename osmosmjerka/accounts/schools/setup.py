"""The first start: the first site admin, school and class of a site that has no admin.

Anybody who finds such a site could take it, so the page asks for the setup code, which is printed
where only those who run the site read it. The code follows from the site's key: nothing is stored.
It works as long as there is no site admin, that is once.
"""

from __future__ import annotations

from django.conf import settings
from django.db import transaction
from django.urls import reverse
from django.utils.crypto import constant_time_compare, salted_hmac

from osmosmjerka.accounts import audit
from osmosmjerka.accounts.auth import lockout
from osmosmjerka.accounts.codes import folded
from osmosmjerka.accounts.models import JOIN_CODE_LETTERS, Classroom, FailedLogin, School, User
from osmosmjerka.accounts.people import create_classroom, create_person
from osmosmjerka.accounts.selectors import site_admins

CODE_GROUPS, GROUP = 3, 4  # 12 letters, 59 bits


class AlreadySetUp(Exception):
    """The site has an admin, so it cannot be set up."""


def is_needed() -> bool:
    """Return whether nobody can administer the site, so that it has to be set up."""
    return not site_admins().exists()


def code() -> str:
    """Return the setup code, such as "ABCD-EFGH-JKMN"."""
    digest = salted_hmac("osmosmjerka.setup", "code", algorithm="sha256").digest()
    number = int.from_bytes(digest)
    letters = ""
    for _letter in range(CODE_GROUPS * GROUP):
        number, index = divmod(number, len(JOIN_CODE_LETTERS))
        letters += JOIN_CODE_LETTERS[index]
    return "-".join(letters[at : at + GROUP] for at in range(0, len(letters), GROUP))


def is_code(typed: str) -> bool:
    """Return whether *typed* is the setup code; raise AccountLocked after too many failures."""
    lockout.begin(_key())
    is_right = constant_time_compare(folded(typed), folded(code()))
    if is_right:
        lockout.lift(_key())
    return is_right


def forget_failures() -> None:
    """Accept codes again at once; for those who can run commands on the server."""
    lockout.lift(_key())


def address(server: str) -> str:
    """Return the link to the page, with the code. *server* is where this server listens."""
    if settings.HTTPS:  # plain HTTP is redirected to HTTPS, which only the proxy speaks
        host = next((host for host in settings.ALLOWED_HOSTS if host != "*"), "localhost")
        server = f"https://{host.lstrip('.')}"
    return f"{server}{reverse('setup')}?code={code()}"


@transaction.atomic
def set_up_site(
    *,
    username: str,
    display_name: str,
    password: str,
    school_name: str,
    class_name: str,
    email: str = "",
    language: str = "",
    time_zone: str = "",
) -> tuple[User, Classroom]:
    """Create the first site admin, with a school and a class.

    *language* and *time_zone* are those of the school. Raises AlreadySetUp if there is a site
    admin, ValidationError for a username that is taken.
    """
    _lock()
    if not is_needed():
        raise AlreadySetUp
    school = School.objects.create(name=school_name, language=language, time_zone=time_zone)
    person = create_person(
        username=username,
        display_name=display_name,
        role=User.Role.SCHOOL_ADMIN,
        school=school,
        password=password,
        email=email,
    )
    person.is_superuser = person.is_staff = True
    person.save(update_fields=["is_superuser", "is_staff"])
    audit.record(None, "made account", person)
    audit.record(person, "created school", school)
    classroom = create_classroom(name=class_name, owner=person)
    return person, classroom


def _lock() -> None:
    """Let one person at a time set up the site: a second waits, and then finds the first's account.

    There is no row yet that belongs to the site, except that of the code's failures.
    """
    FailedLogin.objects.select_for_update().get_or_create(account=_key())


def _key() -> str:
    return lockout.key_of("setup", "site")
