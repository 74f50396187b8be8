"""Login cards: created, printed at once, recognised by hashes; and joining by class code."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from osmosmjerka.accounts import audit, codes
from osmosmjerka.accounts.auth import lockout
from osmosmjerka.accounts.models import Classroom, LoginCard, Membership, User

# person's key: (hash of what was entered, the card's field to compare it with)
_Hasher = Callable[[int], tuple[str, str]]


@dataclass(frozen=True, slots=True)
class PaperCard:
    """A card as printed. It is never stored: printing again creates a new card."""

    student: User
    token: str
    words: str
    pictures: tuple[str, ...]

    @property
    def named_pictures(self) -> list[tuple[str, str]]:
        """Return each picture with its label."""
        return [(picture, str(codes.PICTURES[picture])) for picture in self.pictures]


class LoginRefused(Exception):
    """The name and the code do not match; the error does not say which of them is wrong."""


@transaction.atomic
def issue_cards(
    *, students: Iterable[User], actor: User | None, classroom: Classroom
) -> list[PaperCard]:
    """Create a new card for each student, and end every other way to log in.

    The old card and the password stop working, and sessions and API tokens end: whoever knows an
    old secret of the student's is out.
    """
    made = []
    for student in students:
        if not student.is_student:
            raise ValueError(f"{student} is no student; only students have login cards.")
        words = codes.new_words(classroom.language_of_cards)
        card = PaperCard(student, codes.new_token(), words, codes.new_pictures())
        LoginCard.objects.update_or_create(
            user=student,
            defaults={
                "token_hash": codes.hash_of_token(card.token),
                "words_hash": codes.hash_of_words(student.pk, card.words),
                "pictures_hash": codes.hash_of_pictures(student.pk, card.pictures),
                "issued_at": timezone.now(),
            },
        )
        if student.has_usable_password():
            student.set_unusable_password()
            student.save(update_fields=["password"])
        student.end_access()
        lockout.lift(key_of_card(student))  # the lock says “ask your teacher”
        audit.record(actor, "issued card", student, school=classroom.school)
        made.append(card)
    return made


def person_of_token(token: str) -> User | None:
    """Return the person whose card has this token, or None."""
    if not 20 <= len(token) <= 64:
        return None
    return User.objects.filter(
        card__token_hash=codes.hash_of_token(token), is_active=True, role=User.Role.STUDENT
    ).first()


def person_of_words(*, classroom: Classroom, name: str, words: str) -> User:
    """Return the student of the class with this display name and these words.

    Raises LoginRefused for a wrong name or a wrong code, AccountLocked after many failures.
    """
    return _person_of(
        classroom, name, lambda student: (codes.hash_of_words(student, words), "words_hash")
    )


def person_of_pictures(*, classroom: Classroom, name: str, pictures: tuple[str, ...]) -> User:
    """Return the student with this display name and these pictures; raises as for words."""
    if not classroom.uses_pictures:
        raise LoginRefused
    return _person_of(
        classroom,
        name,
        lambda student: (codes.hash_of_pictures(student, pictures), "pictures_hash"),
    )


def key_of_card(student: User) -> str:
    """Return the key of the failures at a student's card, in whichever class and by either name."""
    return lockout.key_of("card", str(student.pk))


def _person_of(classroom: Classroom, name: str, hashed: _Hasher) -> User:
    wanted = codes.folded(name)[:200]
    keys = set()
    found = None
    for student in User.objects.filter(
        memberships__classroom=classroom,
        memberships__role=Membership.Role.STUDENT,
        role=User.Role.STUDENT,
        is_active=True,
    ).select_related("card"):
        value, field = hashed(student.pk)  # for every student, so that timing reveals no name
        card = getattr(student, "card", None)
        is_meant = wanted in {codes.folded(student.display_name), codes.folded(student.username)}
        if is_meant:
            keys.add(key_of_card(student))
        if is_meant and card is not None and constant_time_compare(value, getattr(card, field)):
            found = student
    # Classmates may have one name: who logs in as one of them forgets no failures at the others.
    lockout.count(
        keys or {lockout.key_of("class", f"{classroom.pk}:{wanted}")},
        right=key_of_card(found) if found else None,
    )
    if found is None:
        raise LoginRefused
    return found
