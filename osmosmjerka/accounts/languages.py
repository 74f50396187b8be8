"""The language in which somebody reads the site, whether a page is shown to them or a mail sent."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest
from django.middleware.locale import LocaleMiddleware
from django.urls import reverse
from django.utils import translation

from osmosmjerka.accounts.models import User

LANGUAGE_OF_ADMIN = "en"


def language_of(person: User, *, otherwise: str = "") -> str:
    """Return the language that *person* chose, else their school's.

    Where neither is set it is *otherwise*, what is known of the person by other means, else the
    site's.
    """
    return (
        person.language
        or (person.school.language if person.school else "")
        or otherwise
        or settings.LANGUAGE_CODE
    )


def speaking_to(person: User, *, otherwise: str = "") -> translation.override:
    """Return a context in which all text is written in the language of *person*."""
    return translation.override(language_of(person, otherwise=otherwise))


def language_of_page() -> str:
    """Return the language in which somebody reads the site now, "" where nobody does."""
    language = translation.get_language() or ""
    return language if language in dict(settings.LANGUAGES) else ""


def speak_to(person: User) -> None:
    """Go on in the language of *person*; a browser is asked only where none is set."""
    translation.activate(language_of(person, otherwise=language_of_page()))


class LanguageMiddleware(LocaleMiddleware):
    """Serve visitors in their browser's language, and who is logged in in the account's.

    Django's admin has names of fields and of other people's apps that nobody translated. Half in
    one language and half in another it would be hard to read, so it is in English for everybody.
    It stands before impersonation: a teacher who looks at a student's pages has to read them.
    """

    def process_request(self, request: HttpRequest) -> None:
        super().process_request(request)
        if request.path_info.startswith(reverse("admin:index")):
            translation.activate(LANGUAGE_OF_ADMIN)
        elif isinstance(request.user, User):
            speak_to(request.user)
        request.LANGUAGE_CODE = translation.get_language() or settings.LANGUAGE_CODE
