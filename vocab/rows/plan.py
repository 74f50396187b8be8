"""Plan what an import does to a list, row by row, before anything is written. Pure.

A row matches the entry with its id, else the one with its term (normal form, accents count).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple

from vocab import text_fields
from vocab.formats.rows import Problem, Row, message, messages
from vocab.message import Sentence
from vocab.text import canonical_language, match_key, normal_form
from vocab.text_fields import LONGEST_GUID, LONGEST_TAG, LONGEST_TERM, LONGEST_TRANSLATION

Policy = Literal["replace", "add", "keep"]
Outcome = Literal["new", "changed", "same", "repeated", "wrong"]
OUTCOMES: tuple[Outcome, ...] = ("new", "changed", "same", "repeated", "wrong")

_LIMITS = {"id": LONGEST_GUID, "term": LONGEST_TERM, **text_fields.LENGTHS}
_NAMES = {
    "id": message("ID"),
    "term": message("Word"),
    "translation": message("Translation"),
    "tags": message("Tag"),
    **{field.name: field.label for field in text_fields.TEXT_FIELDS},
}
_PLAIN = (*text_fields.NAMES, "image", "audio")


class Change(NamedTuple):
    """One field that an import changes: `name` is a field, or `translation:de`."""

    name: str
    old: str
    new: str


@dataclass(slots=True, kw_only=True)
class Planned:
    """The plan for one row: `key` is that of the matching entry, `row` is the result.

    `problem` says why a wrong row is left out, or which line a repeated one repeats.
    """

    outcome: Outcome
    row: Row
    key: int | None = None
    changes: list[Change] = field(default_factory=list)
    problem: Problem | None = None


def plan(
    rows: Iterable[Row],
    existing: Mapping[int, Row],
    *,
    languages: Sequence[str],
    language: str = "",
    policy: Policy = "replace",
) -> list[Planned]:
    """Return for each row what an import does with it.

    *existing* are the list's entries as rows, by any key; *languages* are those of its translations
    (texts without one get the first) and *language* is that of the terms. *policy* says what the
    file may do to existing entries. Later rows with the same term are merged into the first.
    """
    guids = Counter(row.id for row in existing.values())
    by_id = {row.id: key for key, row in existing.items() if row.id and guids[row.id] == 1}
    by_term = {match_key(row.term): key for key, row in existing.items()}
    firsts: dict[str, Planned] = {}
    used_ids: set[str] = set(by_id)
    cleaned = [_clean(raw, languages[0] if languages else "und", language) for raw in rows]
    result: dict[int, Planned] = {}
    # Rows that match by id come first: this settles which terms they give up or take, wherever in
    # the file another row has such a term.
    order = sorted(range(len(cleaned)), key=lambda number: cleaned[number][0].id not in by_id)
    renamed: set[int] = set()
    met: dict[int, Planned] = {}
    for number in order:
        row, problem = cleaned[number]
        if problem is not None:
            result[number] = Planned(outcome="wrong", row=row, problem=problem)
            continue
        term = match_key(row.term)
        key = by_id.get(row.id) if row.id else None
        if key is None:
            key = by_term.get(term)
            if key in renamed:
                key = None
        first = firsts.get(term) or (met.get(key) if key is not None else None)
        if first is not None:
            again = Problem(row.line, _join(first, row, existing, policy), "warning")
            result[number] = Planned(outcome="repeated", row=row, problem=again)
            continue
        if key is None:
            if row.id in used_ids:
                row.id = ""
            used_ids.add(row.id)
            planned = Planned(outcome="new", row=row)
        else:
            merged = _merged(existing[key], row, policy)
            other = by_term.get(match_key(merged.term))
            if other not in (None, key) and other not in renamed:
                text = message("“{term}” is already another word in the list.", term=row.term)
                clash = Problem(row.line, text)
                result[number] = Planned(outcome="wrong", row=row, problem=clash)
                continue
            changes = differences(existing[key], merged)
            planned = Planned(
                outcome="changed" if changes else "same", row=merged, key=key, changes=changes
            )
            met[key] = planned
            if match_key(merged.term) != match_key(existing[key].term):
                renamed.add(key)
        firsts[match_key(planned.row.term)] = planned
        result[number] = planned
    return [result[number] for number in range(len(cleaned))]


def _join(first: Planned, row: Row, existing: Mapping[int, Row], policy: Policy) -> Sentence:
    """Add what a repeated row says to the first one, and return what became of it."""
    line = first.row.line
    if first.key is not None and policy == "keep":
        return message("The same word as in line {line}.", line=line)
    before, first.row = first.row, _merged(first.row, row, "add")
    if first.key is not None:
        first.changes = differences(existing[first.key], first.row)
        first.outcome = "changed" if first.changes else "same"
    texts = [(getattr(row, name), getattr(first.row, name)) for name in _PLAIN]
    texts += [(text, first.row.extra.get(name)) for name, text in row.extra.items()]
    if not_kept := [text for text, kept in texts if text and text != kept]:
        return message(
            "The same word as in line {line}, whose text stays. Not kept: “{text}”.",
            line=line,
            text="”, “".join(not_kept),
        )
    if differences(before, first.row):
        return message("The same word as in line {line}. New details are added there.", line=line)
    return message("The same word as in line {line}.", line=line)


def _clean(raw: Row, default: str, language: str) -> tuple[Row, Problem | None]:
    """Bring a row into the form in which a list stores it, or return why it cannot be stored."""
    row = replace(raw, term=normal_form(raw.term), tags=[], translations={}, extra=dict(raw.extra))
    row.tags = list(dict.fromkeys(raw.tags))
    for tag, texts in raw.translations.items():
        try:
            known = canonical_language(tag) if tag else default
        except ValueError:
            row.extra[f"translation:{tag}"] = "; ".join(texts)
            continue
        own = [text for text in map(normal_form, texts) if text]
        together = dict.fromkeys((*row.translations.get(known, ()), *own))
        if together:
            row.translations[known] = list(together)
    if row.language:
        if row.language.casefold() != language.casefold():
            row.extra.setdefault("language", row.language)
        row.language = ""
    return row, _too_long(row)


def _too_long(row: Row) -> Problem | None:
    if not row.term or not match_key(row.term):
        return Problem(row.line, message("There is no word in this line."))
    texts = [(name, getattr(row, name), most) for name, most in _LIMITS.items()]
    texts += [
        ("translation", text, LONGEST_TRANSLATION)
        for several in row.translations.values()
        for text in several
    ]
    texts += [("tags", tag, LONGEST_TAG) for tag in row.tags]
    for name, text, most in texts:
        if len(text) > most:
            words = messages(
                # Translators: {field} is the name of a field, such as “Part of speech”.
                "{field}: {count} character, but at most {most} are allowed: “{text}…”.",
                "{field}: {count} characters, but at most {most} are allowed: “{text}…”.",
                len(text),
                field=_NAMES[name],
                most=most,
                text=text[:40],
            )
            return Problem(row.line, words)
    return None


def _merged(old: Row, new: Row, policy: Policy) -> Row:
    """Return the row after the import; an empty cell never removes a text."""
    merged = replace(
        old,
        line=new.line if policy != "add" or not old.line else old.line,
        translations={tag: list(texts) for tag, texts in old.translations.items()},
        tags=list(old.tags),
        extra=dict(old.extra),
    )
    if policy == "keep":
        return merged
    takes = policy == "replace"
    if takes:
        merged.term = new.term
    for name in _PLAIN:
        text = getattr(new, name)
        if text and (takes or not getattr(old, name)):
            setattr(merged, name, text)
    for tag, texts in new.translations.items():
        kept = [] if takes else merged.translations.get(tag, [])
        merged.translations[tag] = list(dict.fromkeys((*kept, *texts)))
    if new.tags:
        merged.tags = list(dict.fromkeys((*([] if takes else old.tags), *new.tags)))
    for name, text in new.extra.items():
        if takes or name not in merged.extra:
            merged.extra[name] = text
    return merged


def differences(old: Row, new: Row) -> list[Change]:
    """Return the fields in which two rows differ, with lists joined into one text."""
    changes = [
        Change(name, getattr(old, name), getattr(new, name))
        for name in ("term", *_PLAIN)
        if getattr(old, name) != getattr(new, name)
    ]
    for tag in dict.fromkeys((*old.translations, *new.translations)):
        before, after = old.translations.get(tag, []), new.translations.get(tag, [])
        if before != after:
            changes.append(Change(f"translation:{tag}", " · ".join(before), " · ".join(after)))
    if old.tags != new.tags:
        changes.append(Change("tags", ", ".join(old.tags), ", ".join(new.tags)))
    for name in dict.fromkeys((*old.extra, *new.extra)):
        if old.extra.get(name) != new.extra.get(name):
            changes.append(Change(name, old.extra.get(name, ""), new.extra.get(name, "")))
    return changes


def changes_since(base: Row, theirs: Row, mine: Row) -> Row:
    """Return *mine* with the changes from *base* to *theirs*.

    What only *mine* changed stays. If both changed a field, theirs wins; the preview shows it
    first.
    """
    merged = replace(mine, line=theirs.line)
    for name in ("term", "tags", *_PLAIN):
        if getattr(theirs, name) != getattr(base, name):
            setattr(merged, name, getattr(theirs, name))
    for name in ("translations", "extra"):
        new, old = getattr(theirs, name), getattr(base, name)
        changed = {key: value for key, value in new.items() if value != old.get(key)}
        setattr(merged, name, getattr(mine, name) | changed)
    return merged


DELETED_HERE = message("You deleted “{term}” here, so it is not added again.")
NOT_IN_ORIGINAL = message("“{term}” is not in the original (any more). It is kept here.")
