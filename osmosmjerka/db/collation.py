"""Alphabetical order by ICU for each language, in Python and in the database.

Names of people, classes and titles sort by the reader's language, words by the language of their
list. ``sort_key`` sorts in memory, equally on every database; it is used for people and words.
``Alphabetical`` is for what the database itself has to sort: classes, slices of a query, the
admin's lists. PostgreSQL uses the ICU that it was built with, which may be older and differ in
some punctuation.
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

# Languages that have another name in ICU, or sort like a related language.
_SORTS_AS = {"cnr": "sr-Latn", "cnr-Cyrl": "sr", "tl": "fil"}
# Names of PostgreSQL's ICU collations by connection: a server may be built without them.
_postgresql_collations: dict[str, frozenset[str]] = {}


def sort_key(*languages: str) -> Callable[[str], bytes]:
    """Return the key function that sorts texts as in *languages*, for ``sorted``.

    Without a language, or with several, it is the reader's; for an unknown one, ICU's root order.
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
    """Order by a text in the reader's language, or in *language* if it is given.

    The reader's language is determined when the query runs, not when it is built, so that a
    model's ``Meta.ordering`` may use it.
    """

    arity = 1

    def __init__(self, text: Any, *, language: str = "") -> None:
        super().__init__(text)
        self.language = language

    def as_sqlite(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, **_context: Any
    ) -> tuple[str, tuple[Any, ...]]:
        """Call ICU once per row, by the function that `_prepare` registers."""
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
    """Return the collation nearest to *language*, or "" if the server has none of ICU's."""
    known = _postgresql_collations.get(alias, frozenset())
    names = (f"{tag}-x-icu" for tag in [*_tags(language), "und"])
    return next((name for name in names if name in known), "")


def _tags(language: str) -> list[str]:
    """Return ICU's tag for *language*, followed by its shorter prefixes."""
    subtags = language.split("-")
    tags = ["-".join(subtags[:length]) for length in range(len(subtags), 0, -1)]
    known_as = next((_SORTS_AS[tag] for tag in tags if tag in _SORTS_AS), None)
    return _tags(known_as) if known_as else tags


def _sort_key_or_null(text: str | None, language: str) -> bytes | None:
    return None if text is None else _key_function(language)(text)


@receiver(connection_created, dispatch_uid="osmosmjerka.db.collation")
def _prepare(connection: BaseDatabaseWrapper, **_signal: Any) -> None:
    """Register the sort key in SQLite; read the collations of PostgreSQL once."""
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
