"""Messages of pure modules: in English at first, translated when displayed."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

_TEMPLATE, _VALUES = "template", "values"


class Sentence(str):
    """An English sentence that keeps its template and values for translation.

    A value may itself be a sentence, or several, which are joined by "; ".
    """

    __slots__ = ("template", "values")
    template: str
    values: Mapping[str, Any]

    def __new__(cls, template: str, values: Mapping[str, Any]) -> Sentence:
        shown = {
            name: value if isinstance(value, str | int | float) else "; ".join(value)
            for name, value in values.items()
        }
        made = super().__new__(cls, template.format(**shown) if values else template)
        made.template, made.values = template, values
        return made

    def __getnewargs__(self) -> tuple[str, Mapping[str, Any]]:  # type: ignore[override]
        """Support pickling, for example in an error of a search in another process."""
        return self.template, self.values


def message(template: str, **values: str | float | Sequence[Sentence]) -> Sentence:
    """Return a sentence; `makemessages` collects its *template* for translation."""
    return Sentence(template, values)


def one_after_another(sentences: Sequence[str]) -> Sentence:
    """Join *sentences* into one, with spaces between them."""
    together = None
    for sentence in sentences:
        if together is None:
            together = sentence
        else:
            together = message("{first} {second}", first=together, second=sentence)
    return together if isinstance(together, Sentence) else Sentence(together or "", {})


def packed(text: str) -> str:
    """Return *text* for the database: a sentence with values as JSON, other text unchanged."""
    if not isinstance(text, Sentence):
        return text
    return json.dumps(_tree(text), ensure_ascii=False) if text.values else text.template


def unpacked(text: str) -> str:
    """Return the sentence from `packed`; other text is returned unchanged."""
    if not text.startswith(f'{{"{_TEMPLATE}": '):
        return text
    try:
        return _sentence(json.loads(text))
    except (ValueError, KeyError, AttributeError):
        return text


def _tree(value: Any) -> Any:
    if isinstance(value, Sentence):
        values = {name: _tree(one) for name, one in value.values.items()}
        return {_TEMPLATE: value.template, _VALUES: values}
    return value if isinstance(value, str | int | float) else [_tree(one) for one in value]


def _sentence(tree: Mapping[str, Any]) -> Sentence:
    values = {
        name: _sentence(value)
        if isinstance(value, dict)
        else [_sentence(one) for one in value]
        if isinstance(value, list)
        else value
        for name, value in tree[_VALUES].items()
    }
    return Sentence(tree[_TEMPLATE], values)
