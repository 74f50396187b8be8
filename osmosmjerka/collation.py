"""Alphabetical order as ICU knows it for each language, in Python and in the database.

What is shown by name (people, classes, titles) sorts by the reader's language, words by the
language of their list. ``sort_key`` orders what is in memory, so people and words, alike on every
database. ``Alphabetical`` is for what the database itself has to order: classes, the slice of a
query, the admin's lists. PostgreSQL takes the ICU that it was built with, which may be older and
differ in some punctuation.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import icu
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created
from django.db.models import Func
from django.db.models.sql.compiler import SQLCompiler
from django.dispatch import receiver
from django.utils.translation import get_language

# ICU knows these by another name, or a neighbour that sorts as they do.
_SORTS_AS = {"cnr": "sr-Latn", "cnr-Cyrl": "sr", "tl": "fil"}
# The names of PostgreSQL's ICU collations, by connection: a server may be built without them.
_postgresql_collations: dict[str, frozenset[str]] = {}


def sort_key(*languages: str) -> Callable[[str], bytes]:
    """Return the key by which *languages* order texts, for ``sorted``.

    Without a language, or of several at once, that is the reader's; of an unknown one, ICU's
    order for all languages.
    """
    [language] = languages if len(languages) == 1 else [_readers_language()]
    return _key_function(language)


@lru_cache(maxsize=256)
def _key_function(language: str) -> Callable[[str], bytes]:
    locale = icu.Locale(_tags(language)[0])
    key: Callable[[str], bytes] = icu.Collator.createInstance(locale).getSortKey
    return key


def _readers_language() -> str:
    return get_language() or "und"


class Alphabetical(Func):
    """Order by a text as the reader's language does, or as *language* does if it is named.

    The reader is the one for whom the query is run, not for whom it was written: a model's
    ``Meta.ordering`` may have it.
    """

    arity = 1

    def __init__(self, text: Any, *, language: str = "") -> None:
        super().__init__(text)
        self.language = language

    def as_sqlite(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, **_context: Any
    ) -> tuple[str, tuple[Any, ...]]:
        """Have the connection call ICU once a row."""
        sql, parameters = compiler.compile(self.source_expressions[0])
        language = self.language or _readers_language()
        return f"osmosmjerka_sort_key({sql}, %s)", (*parameters, language)

    def as_postgresql(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, **_context: Any
    ) -> tuple[str, tuple[Any, ...]]:
        """Use the server's own ICU."""
        sql, parameters = compiler.compile(self.source_expressions[0])
        name = _collation(connection.alias, self.language or _readers_language())
        collate = f" COLLATE {connection.ops.quote_name(name)}" if name else ""
        return f"({sql}){collate}", tuple(parameters)


def _collation(alias: str, language: str) -> str:
    """Return the collation nearest to *language*, "" from a server without any of ICU's."""
    known = _postgresql_collations.get(alias, frozenset())
    names = (f"{tag}-x-icu" for tag in [*_tags(language), "und"])
    return next((name for name in names if name in known), "")


def _tags(language: str) -> list[str]:
    """Return the tag by which ICU knows *language*, and the shorter ones that it begins with."""
    subtags = language.split("-")
    tags = ["-".join(subtags[:length]) for length in range(len(subtags), 0, -1)]
    known_as = next((_SORTS_AS[tag] for tag in tags if tag in _SORTS_AS), None)
    return _tags(known_as) if known_as else tags


def _sort_key_or_null(text: str | None, language: str) -> bytes | None:
    return None if text is None else _key_function(language)(text)


@receiver(connection_created, dispatch_uid="osmosmjerka.collation")
def _prepare(connection: BaseDatabaseWrapper, **_signal: Any) -> None:
    """Teach SQLite the key; ask PostgreSQL once what it has."""
    if connection.vendor == "sqlite":
        connection.connection.create_function(
            "osmosmjerka_sort_key", 2, _sort_key_or_null, deterministic=True
        )
    elif connection.vendor == "postgresql" and connection.alias not in _postgresql_collations:
        with connection.cursor() as cursor:
            cursor.execute("SELECT collname FROM pg_collation WHERE collprovider = 'i'")
            _postgresql_collations[connection.alias] = frozenset(
                name for (name,) in cursor.fetchall()
            )
