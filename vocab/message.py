"""Messages of pure modules: in English at first, translated when displayed."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

_TEMPLATE, _VALUES, _PLURAL = "template", "values", "plural"

Value = str | float | Sequence["Sentence"]


class Sentence(str):
    """An English sentence that keeps its template and values for translation.

    A value may be a sentence itself, or several, which are joined by "; ". Where *plural* is
    given, the value `count` decides between it and *template*, in each language by its own rule.
    """

    __slots__ = ("plural", "template", "values")
    template: str
    values: Mapping[str, Any]
    plural: str

    def __new__(cls, template: str, values: Mapping[str, Any], plural: str = "") -> Sentence:
        shown = {
            name: value if isinstance(value, str | int | float) else "; ".join(value)
            for name, value in values.items()
        }
        chosen = plural if plural and values["count"] != 1 else template
        made = super().__new__(cls, chosen.format(**shown) if values else chosen)
        made.template, made.values, made.plural = template, values, plural
        return made

    def __getnewargs__(self) -> tuple[str, Mapping[str, Any], str]:  # type: ignore[override]
        """Let it go from one process to another, as in an error of a search."""
        return self.template, self.values, self.plural


def message(template: str, /, **values: Value) -> Sentence:
    """Return a sentence; `makemessages` gathers its *template* to be translated."""
    return Sentence(template, values)


def messages(singular: str, plural: str, count: int, /, **values: Value) -> Sentence:
    """Return a sentence whose words depend on the number *count*, which fills `{count}` in it."""
    return Sentence(singular, {"count": count, **values}, plural)


def filled(sentence: Sentence, /, **values: Value) -> Sentence:
    """Return *sentence* with more of its gaps filled."""
    return Sentence(sentence.template, {**sentence.values, **values}, sentence.plural)


def one_after_another(sentences: Sequence[str]) -> Sentence:
    """Join *sentences* into one, with spaces between them."""
    together = None
    for sentence in sentences:
        if together is None:
            together = sentence
        else:
            # Not marked: there is nothing to translate in it.
            together = Sentence("{first} {second}", {"first": together, "second": sentence})
    return together if isinstance(together, Sentence) else Sentence(together or "", {})


def packed(text: str) -> str:
    """Return *text* for the database: a sentence with values as JSON, other text unchanged."""
    if not isinstance(text, Sentence):
        return text
    return json.dumps(tree_of(text), ensure_ascii=False) if text.values else text.template


def unpacked(text: str) -> str:
    """Return the sentence from `packed`; other text is returned unchanged."""
    if not text.startswith(f'{{"{_TEMPLATE}": '):
        return text
    try:
        return sentence_of(json.loads(text))
    except (ValueError, KeyError, AttributeError):
        return text


def tree_of(sentence: Sentence) -> dict[str, Any]:
    """Return plain data that `sentence_of` reads."""
    tree: dict[str, Any] = {_TEMPLATE: sentence.template}
    if sentence.plural:
        tree[_PLURAL] = sentence.plural
    return tree | {_VALUES: {name: _plain(value) for name, value in sentence.values.items()}}


def sentence_of(tree: Mapping[str, Any]) -> Sentence:
    """Rebuild what `tree_of` returned."""
    values = {name: _value(value) for name, value in tree[_VALUES].items()}
    return Sentence(tree[_TEMPLATE], values, tree.get(_PLURAL, ""))


def _plain(value: Any) -> Any:
    if isinstance(value, Sentence):
        return tree_of(value)
    return value if isinstance(value, str | int | float) else [_plain(one) for one in value]


def _value(value: Any) -> Any:
    if isinstance(value, Mapping):
        return sentence_of(value)
    return [_value(one) for one in value] if isinstance(value, list) else value
