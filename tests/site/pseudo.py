"""A pseudo-language: every text of the product and of its libraries, with accents and longer.

Plain letters on a page in it are a text that no catalogue holds. Its code is Esperanto's, for which
the product has no catalogue, so that Django and Babel know its plural rule.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from pathlib import Path

import django
import rest_framework
from babel.messages.catalog import Catalog
from babel.messages.mofile import read_mo, write_mo
from babel.messages.pofile import read_po
from django.conf import settings

CODE = "eo"
OPENING, CLOSING = "⟦", "⟧"
# What must stay: placeholders, tags, entities, the directives of `date` formats.
_FIXED = re.compile(r"%%|%(?:\(\w+\))?[a-zA-Z]|\{\w*\}|</?\w[^>]*>|&\w+;|\n")
_ACCENTED = str.maketrans("aceghinorsuyzACEGHINORSUYZ", "áčéǧȟíñóŕšúýžÁČÉǦȞÍÑÓŔŠÚÝŽ")
_LONGER = 0.4


def pseudo(text: str) -> str:
    """Return *text* accented, 40 % longer and in brackets; placeholders and tags stay.

    >>> pseudo("Save %(name)s")
    '⟦Šávé %(name)s~~~~⟧'
    """
    letters = sum(map(str.isalpha, _FIXED.sub("", text)))
    accented, after = "", 0
    for fixed in _FIXED.finditer(text):
        accented += text[after : fixed.start()].translate(_ACCENTED) + fixed[0]
        after = fixed.end()
    accented += text[after:].translate(_ACCENTED)
    body, line_end = (accented[:-1], "\n") if accented.endswith("\n") else (accented, "")
    start = "\n" if body.startswith("\n") else ""  # gettext wants both to begin and end alike
    longer = "~" * max(1, round(letters * _LONGER))
    return f"{start}{OPENING}{body.removeprefix(chr(10))}{longer}{CLOSING}{line_end}"


def sources(domain: str) -> Iterator[Catalog]:
    """Yield the catalogues whose texts it has: ours, Django's and REST framework's."""
    with (settings.BASE_DIR / f"locale/hr/LC_MESSAGES/{domain}.po").open("rb") as ours:
        yield read_po(ours)
    if domain == "djangojs":
        return
    for path in Path(django.__file__).parent.glob("**/locale/en/LC_MESSAGES/django.po"):
        with path.open("rb") as file:
            yield read_po(file)
    # REST framework comes compiled; its English catalogue is empty, the German one is not.
    path = Path(rest_framework.__file__).parent / "locale/de/LC_MESSAGES/django.mo"
    with path.open("rb") as file:
        yield read_mo(file)


def write_catalogues(folder: Path) -> None:
    """Compile the pseudo-language below *folder*, to be one of LOCALE_PATHS."""
    target = folder / CODE / "LC_MESSAGES"
    target.mkdir(parents=True)
    for domain in ("django", "djangojs"):
        whole = Catalog(locale=CODE, domain=domain)
        for message in itertools.chain.from_iterable(sources(domain)):
            if isinstance(message.id, str):
                whole.add(message.id, message.id and pseudo(message.id), context=message.context)
            else:
                forms = tuple(map(pseudo, message.id))
                whole.add(message.id, forms, context=message.context)
        with (target / f"{domain}.mo").open("wb") as compiled:
            write_mo(compiled, whole)
