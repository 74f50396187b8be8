"""The language in which people read the site, on pages and in e-mails."""

from __future__ import annotations

from functools import cache

from django.conf import settings
from django.core.signals import request_finished
from django.dispatch import receiver
from django.http import HttpRequest
from django.middleware.locale import LocaleMiddleware
from django.urls import reverse
from django.utils import translation

from osmosmjerka.accounts.models import School, User

LANGUAGE_OF_ADMIN = "en"


def own_names() -> list[tuple[str, str]]:
    """Return the languages of the site, each named in itself: whoever speaks it finds it."""
    return [
        (code, str(translation.get_language_info(code)["name_local"]))
        for code, _name in settings.LANGUAGES
    ]


def language_of(person: User, *, otherwise: str = "") -> str:
    """Return the language that *person* chose, else their school's.

    If neither is set, return *otherwise*, the language known from elsewhere, else the site's.
    """
    return own_language(person) or otherwise or settings.LANGUAGE_CODE


def own_language(person: User) -> str:
    """Return the language that *person* chose, else their school's, else ""."""
    return person.language or (person.school.language if person.school else "")


def speaking_to(person: User, *, otherwise: str = "") -> translation.override:
    """Return a context manager in which all text is in the language of *person*."""
    return translation.override(language_of(person, otherwise=otherwise))


def language_of_page() -> str:
    """Return the language in which the site is being read, or "" outside a request."""
    language = translation.get_language() or ""
    return language if language in dict(settings.LANGUAGES) else ""


def speak_to(person: User) -> None:
    """Activate the language of *person*; the browser's counts only if they have none."""
    translation.activate(language_of(person, otherwise=language_of_page()))


def speak_for_school(request: HttpRequest, school: School) -> None:
    """Activate the language of *school* for a visitor who has chosen none in the menu.

    For pages that visitors open by a link of the school, on whatever device they are given.
    """
    has_chosen = settings.LANGUAGE_COOKIE_NAME in request.COOKIES
    if school.language and not has_chosen and not request.user.is_authenticated:
        translation.activate(school.language)
        request.LANGUAGE_CODE = school.language


@receiver(request_finished, dispatch_uid="osmosmjerka.accounts.languages")
def _forget_language(**_signal: object) -> None:
    """Let the next request of this thread begin in the site's language, even if it fails early."""
    translation.deactivate()


class LanguageMiddleware(LocaleMiddleware):
    """Serve visitors in their browser's language, and logged-in people in that of their account.

    Django's admin has untranslated names of fields and of third-party apps. A mixture of two
    languages would be hard to read, so it is in English for everybody. This middleware comes
    before impersonation: a teacher who views a student's pages has to be able to read them.
    """

    def process_request(self, request: HttpRequest) -> None:
        person = request.user
        known = own_language(person) if isinstance(person, User) else ""
        if request.path_info.startswith(_admin()):
            known = LANGUAGE_OF_ADMIN
        if known:
            translation.activate(known)
            request.LANGUAGE_CODE = translation.get_language() or settings.LANGUAGE_CODE
        else:
            super().process_request(request)


@cache
def _admin() -> str:
    return reverse("admin:index")
