"""What Django and its REST framework say in a form or an answer is not in English either."""

from importlib.util import find_spec
from pathlib import Path

import pytest
from django.utils import translation
from django.utils.translation import gettext, ngettext, trans_real

from tests.site.catalogues import LANGUAGES, python_sentences

SPEAKING = [
    "django.forms.fields",
    "django.forms.models",
    "django.forms.utils",
    "django.core.validators",
    "django.contrib.auth.forms",
    "django.contrib.auth.password_validation",
    "django.contrib.auth.validators",
    "django.db.models.base",
    "rest_framework.authentication",
    "rest_framework.authtoken.serializers",
    "rest_framework.exceptions",
    "rest_framework.fields",
    "rest_framework.relations",
    "rest_framework.serializers",
    "rest_framework.validators",
]
# In the admin, in formsets and in ways to log in that this site does not have.
NOT_SHOWN = (
    "Disabled",
    "Enable password-based",
    "Enabled",
    "IPv4",
    "IPv6",
    "Invalid basic header",
    "Password-based",
    "Raw passwords",
    "Reset password",
    "Set password",
    "Whether the user will be able",
)
SAME = {("pl", "Token"), ("hr", "Token"), ("de", "Token")}


def messages():
    for module in SPEAKING:
        source = Path(find_spec(module).origin).read_text(encoding="utf-8")
        yield from (
            (singular, plural)
            for context, singular, plural in python_sentences(source, module)
            if context is None and not singular.startswith(NOT_SHOWN)
        )


def english_in(language):
    """Return what is said in English to who reads *language*."""
    found = []
    with translation.override(language):
        for singular, plural in messages():
            said = ngettext(singular, plural, 5) if plural else gettext(singular)
            if said in (singular, plural) and (language, singular) not in SAME:
                found.append(singular)
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_message_of_django_or_its_rest_framework_is_in_english(translated, language):
    assert english_in(language) == []


def test_without_our_catalogue_croatian_is_half_english(settings):
    """The control."""
    settings.LOCALE_PATHS = []
    trans_real._translations.clear()
    try:
        assert len(english_in("hr")) > 80
    finally:
        trans_real._translations.clear()
