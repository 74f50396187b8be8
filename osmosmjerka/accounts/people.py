"""Create accounts and classes, and add people to classes."""

from __future__ import annotations

from datetime import date

from django.core.exceptions import ValidationError
from django.core.mail import EmailMessage
from django.db import transaction
from django.utils.translation import gettext as _

from osmosmjerka.accounts import audit, codes, languages, mail
from osmosmjerka.accounts.models import Classroom, Membership, School, User
from osmosmjerka.accounts.webhooks import services as webhooks

_ADDRESS_CHANGED = "an account has another address"

# The fields of a person that say how pages look to them.
READING = {"letters", "contrast", "motion"}


def is_username_taken(username: str) -> bool:
    """Return whether an account uses *username*, in any case."""
    return User.objects.filter(username__iexact=username).exists()


def free_username(language: str) -> str:
    """Return a generated username that is free, made of words in *language*."""
    while True:
        username = codes.new_username(language)
        if not is_username_taken(username):
            return username


def clean_display_name(given: str) -> str:
    """Return a display name on one line, without invisible characters.

    Raises `ValidationError` for a name without letters and digits.
    """
    name = codes.visible(" ".join(given.split()))
    if not any(letter.isalnum() for letter in name):
        raise ValidationError(_("Enter a name that contains letters."))
    return name


def create_person(
    *,
    username: str,
    display_name: str,
    role: str,
    school: School | None,
    password: str | None = None,
    email: str = "",
    language: str = "",
) -> User:
    """Create an account; without *password*, it cannot log in with one."""
    person = User(
        username=User.normalize_username(username),
        display_name=codes.visible(display_name),
        role=role,
        school=school,
        email="" if role == User.Role.STUDENT else email,
        language=language,
    )
    person.set_password(password)
    person.full_clean(exclude=["password"])
    person.save()
    return person


def opened_before(person: User, on: date) -> date | None:
    """Note that a teacher opened Today on a day; return the last day before on which they did."""
    if person.opened_on != on:
        person.opened_before, person.opened_on = person.opened_on, on
        person.save(update_fields=["opened_before", "opened_on"])
    return person.opened_before


@transaction.atomic
def create_classroom(
    *, name: str, owner: User, school: School | None = None, actor: User | None = None
) -> Classroom:
    """Create a class in *school*, by default the owner's; its cards use the owner's language.

    Raises `ValidationError` if the owner belongs to no school.
    """
    school = school or owner.school
    if school is None:
        raise ValidationError(
            _(
                "Your account does not belong to a school. Only members of a school can create "
                "classes."
            )
        )
    classroom = Classroom.objects.create(
        name=name, school=school, card_language=languages.language_of_page()
    )
    join_classroom(classroom=classroom, person=owner, role=Membership.Role.OWNER)
    audit.record(actor or owner, "created class", classroom)
    return classroom


def join_classroom(*, classroom: Classroom, person: User, role: str) -> Membership:
    """Add *person* to the class; an existing member keeps their role.

    A student whose display name a classmate has gets a number behind it: see `tell_apart`.
    """
    # Also one that is hidden because the person or the class is in the bin.
    membership, is_new = Membership.everything.get_or_create(
        classroom=classroom, user=person, defaults={"role": role}
    )
    if is_new and role == Membership.Role.STUDENT:
        tell_apart(person)
        webhooks.tell_joined(classroom, person)
    return membership


@transaction.atomic
def tell_apart(student: User) -> None:
    """Put a number behind a student's display name if a classmate has the same name.

    Call it whenever a student comes into a class, comes back, or is renamed: by their names,
    teachers tell them apart, and they log in with name and card. Names that differ in case, spaces
    or accents only are the same. Archived classes do not count until they are restored.
    """
    classes = Classroom.objects.filter(
        archived_at=None, memberships__user=student, memberships__role=Membership.Role.STUDENT
    )
    # Of two who come at once, the second sees the first.
    held = list(classes.select_for_update(of=("self",)).order_by("pk"))
    theirs = Membership.objects.filter(classroom__in=held, role=Membership.Role.STUDENT)
    taken = {
        codes.folded(name)
        for name in theirs.exclude(user=student).values_list("user__display_name", flat=True)
    }
    name = student.display_name
    student.display_name = codes.free_name(name, taken)
    if student.display_name != name:
        student.save(update_fields=["display_name"])


@transaction.atomic
def tell_students_apart(classroom: Classroom) -> None:
    """Tell the students of a class that is restored apart from their other classmates."""
    places = classroom.memberships.filter(role=Membership.Role.STUDENT)
    for membership in places.select_related("user").order_by("-pk"):  # the first keeps the name
        tell_apart(membership.user)


def choose_language(*, person: User, language: str) -> None:
    """Save the language in which *person* reads the site, on every device."""
    person.language = language
    person.save(update_fields=["language"])


def choose_reading(*, person: User, letters: str, contrast: str, motion: str) -> None:
    """Save how pages look to *person*, on every device: tablets are shared."""
    person.letters, person.contrast, person.motion = letters, contrast, motion
    person.clean_fields(exclude={f.name for f in User._meta.fields} - READING)
    person.save(update_fields=READING)


@transaction.atomic
def change_own_account(*, person: User, display_name: str, email: str) -> None:
    """Change a teacher's own display name and e-mail address; notify the old address.

    A new address can set a new password, so it ends every session and API token.
    """
    if person.is_student:
        raise ValueError(f"{person} is a student, who is renamed by a teacher and has no address.")
    is_new_address = person.email != email
    left = person.email if is_new_address else ""
    person.display_name, person.email = codes.visible(display_name), email
    person.full_clean(exclude=["password"])
    person.save(update_fields=["display_name", "email"])
    if is_new_address:
        person.end_access()
    audit.record(person, "changed account", person)
    if left:
        mail.enqueue(
            _ADDRESS_CHANGED, reader=person, address=left, language=languages.language_of_page()
        )


@mail.writes(_ADDRESS_CHANGED)
def _write_address_changed(*, reader: int, address: str, language: str) -> EmailMessage | None:
    person = User.objects.select_related("school").filter(pk=reader).first()
    if person is None:
        return None
    with languages.speaking_to(person, otherwise=language):
        subject = _("The e-mail address of your account was changed")
        text = _(
            "The e-mail address of your account %(name)s was changed. If you did not do "
            "this, contact your school."
        ) % {"name": person.username}
    return EmailMessage(subject, text, to=[address])
