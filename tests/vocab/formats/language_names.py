"""Write vocab/formats/language_names.json anew: python -m tests.vocab.formats.language_names"""

import json
from pathlib import Path

from babel import Locale

from vocab.formats import headers

FILE = Path(headers.__file__).with_name("language_names.json")
# Whose names are known: as for the names of columns in headers.toml.
LOCALES = (
    *("en", "hr", "bs", "sr", "sr_Latn", "sl", "pl", "cs", "sk", "de", "fr", "it", "es", "pt"),
    *("nl", "hu", "ro", "sv", "da", "nb", "fi", "tr", "el", "ru", "uk", "bg", "ar", "he", "fa"),
    *("zh", "zh_Hant", "ja", "ko", "th", "vi", "id", "ms", "fil", "hi", "bn", "ta", "te", "ur"),
    *("et", "lv", "lt", "is", "ca", "gl", "eu", "cy", "ga", "sq", "mk", "be", "mt", "lb", "af"),
    *("ka", "hy", "az", "kk", "uz", "mn", "sw", "la", "eo"),
)


def names():
    """Return what Babel's locales call the languages of lists, by language, as headers have it.

    What two languages are called belongs to the first that has it.
    """
    found = {}
    for locale in LOCALES:
        called = Locale.parse(locale).languages
        for language in sorted(headers._known()):
            if name := called.get(language):
                found.setdefault(headers._key(name), language)
    by_language = {}
    for name, language in found.items():
        by_language.setdefault(language, []).append(name)
    return {language: " ".join(by_language[language]) for language in sorted(by_language)}


if __name__ == "__main__":
    FILE.write_text(json.dumps(names(), ensure_ascii=False, indent=0) + "\n", encoding="utf-8")
