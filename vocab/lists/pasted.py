"""Pasted lines: how they are read, and what each of them becomes, before anything is saved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from vocab.entries import selectors as entries_selectors
from vocab.entries.fitness import Finding
from vocab.formats.repairs import REPAIRS, change_lines
from vocab.formats.rows import Parsed, Row
from vocab.imports.forms import (
    DELIMITERS,
    Choices,
    PlayingRulesField,
    column_choices,
    column_field,
    column_name,
    shown_header,
)
from vocab.imports.pasting import parse_pasted
from vocab.models import VocabularyList
from vocab.rows import convert, plan
from vocab.rows.plan import Outcome, Planned
from vocab.sentences import said
from vocab.text.playing import RULES, rules_worth_having

SHOWN_LINES = 200
_COLUMN = "column_"
# The repairs that the teacher chose, and the line by which their text is known again.
_REPAIR, _REPAIRED_LINE = "repair", "repaired_line"
_RECOGNISED = "recognised"
_OUTCOMES: dict[Outcome, str | Promise] = {
    "new": pgettext_lazy("word", "New"),
    "changed": _("Added to a word in the list"),
    "same": _("Already in the list"),
    "repeated": pgettext_lazy("line", "Merged"),
    "wrong": _("Cannot be saved"),
}


class ReadingForm(forms.Form):
    """How pasted lines are read, as a part of their preview: as recognised, or as chosen."""

    delimiter = forms.ChoiceField(label=_("Separator between word and translation"), required=False)
    has_header = forms.ChoiceField(label=_("The first line"), required=False)
    playing_rules = PlayingRulesField()
    # What was suggested, to tell it from what the teacher chose.
    suggested_rules = forms.CharField(required=False, widget=forms.HiddenInput)
    repair = forms.CharField(required=False, widget=forms.HiddenInput)
    repaired_line = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(
        self,
        sent: QueryDict,
        text: str,
        parsed: Parsed,
        rules: Sequence[str] | None,
        languages: Sequence[str],
    ) -> None:
        data = sent.copy()
        super().__init__(data, auto_id="reading-%s")
        recognised = {
            "delimiter": _name_of_separator(parsed),
            "has_header": _header_names()["yes" if parsed.settings.get("has_header") else "no"],
        }
        choices: dict[str, Choices] = {
            "delimiter": [(str(number), name) for number, (_sign, name) in enumerate(DELIMITERS)],
            "has_header": list(_header_names().items()),
        }
        for name, own in choices.items():
            self._offer(name, recognised[name], own)
        for number, (header, field) in enumerate(parsed.columns.items()):
            name = f"{_COLUMN}{number}"
            self.fields[name] = forms.ChoiceField(label=shown_header(header), required=False)
            field = column_field(field, languages)
            recognised_as = column_name(field, languages)
            self._offer(name, recognised_as, column_choices(languages, field))
        if chosen_repair(text, sent) is None:
            del self.fields[_REPAIR], self.fields[_REPAIRED_LINE]
        else:
            data[_REPAIRED_LINE] = _first_line(text)
        if rules is None:
            del self.fields["playing_rules"], self.fields["suggested_rules"]
        else:
            data.setlist("playing_rules", list(rules))
            data["suggested_rules"] = (
                sent.get("suggested_rules", "") if _has_chosen(sent) else (",".join(rules))
            )

    def _offer(self, name: str, recognised: Any, choices: Choices) -> None:
        """Offer choices for a field after what was recognised."""
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101  (all of them are)
        first = gettext("Recognised: %(choice)s") % {"choice": recognised}
        field.choices = [(_RECOGNISED, first), *choices]

    @property
    def is_chosen(self) -> bool:
        """Whether the teacher chose anything but what was recognised."""
        return any(
            self[name].value() not in (None, "", _RECOGNISED)
            for name in self.fields
            if name in ("delimiter", "has_header") or name.startswith(_COLUMN)
        )

    def columns(self) -> list[forms.BoundField]:
        return [self[name] for name in self.fields if name.startswith(_COLUMN)]


def _name_of_separator(parsed: Parsed) -> str | Promise:
    """Return what separates a word from its translation; one that cannot be chosen, as it is."""
    for name in repairs_made(parsed):
        if change_lines([name]):
            return said(REPAIRS[name].label)
    sign = str(parsed.settings.get("delimiter", ""))
    return dict(DELIMITERS).get(sign) or sign.strip()


def _header_names() -> dict[str, str]:
    return {"yes": gettext("contains column names"), "no": gettext("is a word")}


def _has_chosen(sent: QueryDict) -> bool:
    """Return whether the teacher changed the suggested rules."""
    suggested = sent.get("suggested_rules")
    return suggested is not None and ",".join(sent.getlist("playing_rules")) != suggested


def read(text: str, sent: Mapping[str, str], languages: Sequence[str]) -> Parsed:
    """Read pasted lines as chosen in their preview; the rest is recognised.

    *languages* are those of the list, its words' first. Raises FormatError.
    """
    number, header = sent.get("delimiter", ""), sent.get("has_header", _RECOGNISED)
    is_known = number.isdecimal() and int(number) < len(DELIMITERS)
    columns = {
        int(name.removeprefix(_COLUMN)): field
        for name, field in sent.items()
        if field != _RECOGNISED
        and name.startswith(_COLUMN)
        and name.removeprefix(_COLUMN).isdecimal()
    }
    return parse_pasted(
        text,
        delimiter=DELIMITERS[int(number)][0] if is_known else None,
        has_header=None if header == _RECOGNISED else header == "yes",
        repair=chosen_repair(text, sent),
        columns=columns,
        languages=languages,
    )


def chosen_repair(text: str, sent: Mapping[str, str]) -> str | None:
    """Return the repairs that were chosen for *text*, "" for none at all; None if nobody chose.

    If another text was pasted since, which its first line shows, they are forgotten.
    """
    is_same = sent.get(_REPAIRED_LINE) in (None, _first_line(text))
    return sent.get(_REPAIR) if is_same else None


def _first_line(text: str) -> str:
    return text.strip().partition("\n")[0].strip()


def repairs_made(parsed: Parsed) -> list[str]:
    """Return the names of the repairs by which lines were read, chosen or recognised."""
    return str(parsed.settings.get("repair", "")).split()


def rules_of(parsed: Parsed, language: str, sent: QueryDict) -> list[str]:
    """Return the playing rules of a new list: the teacher's, or those that suit its words."""
    if _has_chosen(sent):
        return [rule for rule in RULES if rule in sent.getlist("playing_rules")]
    return list(rules_worth_having((row.term for row in parsed.rows), language))


@dataclass(frozen=True, slots=True)
class Line:
    """What becomes of a pasted line; *notes* say why, or what to look at.

    *findings* are the remarks on its letters that the list will show.
    """

    number: int
    outcome: Outcome
    row: Row | None = None
    letters: Sequence[str] = ()
    notes: Sequence[str] = ()
    findings: Sequence[Finding] = ()

    @property
    def name(self) -> str | Promise:
        return _OUTCOMES[self.outcome]


@dataclass(frozen=True, slots=True)
class Button:
    """A button for a repair: its name, what it says, and all repairs once it is pressed."""

    name: str
    label: str
    repairs: str


@dataclass(frozen=True, slots=True)
class Hint:
    """A repair that was made, with a button to undo it; or an offer of those that may help."""

    text: str
    buttons: Sequence[Button]
    is_offer: bool


@dataclass(frozen=True, slots=True)
class Preview:
    """What pasted lines become, in order, with remarks about the text as a whole."""

    lines: Sequence[Line]
    remarks: Sequence[str]
    hints: Sequence[Hint] = ()

    @property
    def words(self) -> int:
        """How many words are saved, new ones and those to which something is added."""
        return sum(line.outcome in ("new", "changed") for line in self.lines)

    @property
    def has_errors(self) -> bool:
        return any(line.outcome == "wrong" for line in self.lines)


def preview_of(parsed: Parsed, vocabulary_list: VocabularyList) -> Preview:
    """Return what adding parsed lines to a list would do; the list may be a new one, not saved."""
    planned = plan.plan(
        parsed.rows,
        convert.rows_of(vocabulary_list) if vocabulary_list.pk else {},
        languages=vocabulary_list.translation_languages,
        language=vocabulary_list.language,
        policy="add",
    )
    warnings: dict[int, list[str]] = {}
    for problem in parsed.problems:
        if problem.severity == "warning" and not problem.repairs:
            warnings.setdefault(problem.line, []).append(said(problem))
    lines = [_line(item, vocabulary_list, warnings.pop(item.row.line, ())) for item in planned]
    lines = _with_doubles(lines) + [
        Line(problem.line, "wrong", notes=[said(problem)])
        for problem in parsed.problems
        if problem.severity == "error"
    ]
    remarks = []
    if parsed.header_line:
        line = {"line": parsed.header_line}
        remarks.append(gettext("Line %(line)s was read as the names of the columns.") % line)
    remarks += [
        gettext("Line %(line)s: %(message)s") % {"line": number, "message": text}
        if number
        else text
        for number, texts in sorted(warnings.items())
        for text in texts
    ]
    lines.sort(key=lambda line: line.number)
    return Preview(_with_findings(lines, vocabulary_list), remarks, _hints(parsed))


def _hints(parsed: Parsed) -> list[Hint]:
    """Say which repairs were made, each with a button to undo it, and offer those that may help."""
    made = repairs_made(parsed)
    hints = []
    for name in made:
        left = " ".join(other for other in made if other != name)
        hints.append(Hint(said(REPAIRS[name].done), [Button(name, gettext("Undo"), left)], False))
    for problem in parsed.problems:
        if problem.repairs:
            buttons = [
                Button(name, said(REPAIRS[name].label), " ".join([*made, name]))
                for name in problem.repairs
            ]
            hints.append(Hint(said(problem), buttons, True))
    return hints


def _with_findings(lines: Sequence[Line], vocabulary_list: VocabularyList) -> list[Line]:
    """Say of the lines that are shown what their list would say of their letters."""
    words = {
        place: (line.row.term, line.letters)
        for place, line in enumerate(lines)
        if line.row is not None and line.outcome in ("new", "changed")
    }
    shown = {place: word for place, word in words.items() if place < SHOWN_LINES}
    found = entries_selectors.fitness_of_terms(vocabulary_list, shown, words.values())
    return [replace(line, findings=found.get(place, ())) for place, line in enumerate(lines)]


def _with_doubles(lines: Sequence[Line]) -> list[Line]:
    """Note where two words have the same letters: only one of them can be in a puzzle."""
    first: dict[tuple[str, ...], int] = {}
    result = []
    for line in lines:
        letters = tuple(line.letters)
        if line.outcome == "new" and letters and letters in first:
            note = gettext("The same letters as in line %(line)s") % {"line": first[letters]}
            line = replace(line, notes=[*line.notes, note])
        first.setdefault(letters, line.number)
        result.append(line)
    return result


def _line(item: Planned, vocabulary_list: VocabularyList, warnings: Sequence[str]) -> Line:
    row, notes = item.row, list(warnings)
    if item.problem is not None:
        notes.append(said(item.problem))
    if item.outcome == "wrong":
        return Line(row.line, item.outcome, row, notes=notes)
    forms = vocabulary_list.forms_of(row.term, row.playing_form)
    if len(forms) > 1:
        others = {"others": " · ".join(forms[1:])}
        notes.append(gettext("Also correct: %(others)s") % others)
    return Line(row.line, item.outcome, row, vocabulary_list.tiles_of(forms[0]), notes)
