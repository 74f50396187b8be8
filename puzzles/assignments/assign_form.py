"""The form of a new assignment, with the forms of the settings of each type of puzzle."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import QueryDict
from django.utils.translation import gettext, ngettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from osmosmjerka.accounts.models import Classroom, Membership, User
from osmosmjerka.accounts.selectors import students_of_classes
from osmosmjerka.web.requests import ids_in
from puzzles.assignments.assign_page import MOST_TOGETHER, PATH, Query
from puzzles.assignments.forms import (
    CLOSES_HELP,
    LABELS,
    OPENS_HELP,
    WHEN,
    SeveralField,
    choose_among,
)
from puzzles.kinds import KINDS, Kind
from puzzles.making import choice
from puzzles.making.services import new_seed
from puzzles.models import MOST_ATTEMPTS, Assignment, Puzzle
from puzzles.practice.services import fitting_settings
from vocab.entries.selectors import asked_for, parts_of_speech_of, tags_of
from vocab.models import Entry, VocabularyList

SCREEN, PAPER = "screen", "paper"
SIZES = {"rows", "cols"}
MOST_WORDS = 200
# What `show` asks for besides the form as it was sent.
ANOTHER_GRID = "another"
_SCHEDULE = ("opens_at", "due_at", "closes_at", "attempts", "counting", "is_adaptive")
# The field that an error of the service is about, by its code.
_FIELD_OF = {"dates": "due_at", "strangers": "student"}


class PuzzleForm(forms.Form):
    """To whom and when a puzzle is assigned that exists.

    It is bound when it is to be carried out, and has the same values as initial ones when it is
    only shown again.
    """

    classroom = SeveralField(label=_("Classes"), queryset=Classroom.objects.none(), required=False)
    student = SeveralField(label=_("Students"), queryset=User.objects.none(), required=False)
    opens_at = forms.DateTimeField(
        label=LABELS["opens_at"], help_text=OPENS_HELP, required=False, widget=WHEN
    )
    due_at = forms.DateTimeField(label=LABELS["due_at"], required=False, widget=WHEN)
    closes_at = forms.DateTimeField(
        label=LABELS["closes_at"], help_text=CLOSES_HELP, required=False, widget=WHEN
    )
    attempts = forms.IntegerField(
        label=LABELS["attempts"], min_value=1, max_value=MOST_ATTEMPTS, initial=1
    )
    counting = forms.ChoiceField(
        label=LABELS["counting"],
        choices=Assignment.Counting.choices,
        initial=Assignment.Counting.BEST,
    )

    def __init__(self, asked: Query) -> None:
        if not asked.is_sent:
            super().__init__(initial=asked.initial())
        elif asked.is_shown:
            super().__init__(initial=self._values(asked.sent))
        else:
            super().__init__(asked.sent)
        self.asked = asked
        keys = [classroom.pk for classroom in asked.classes]
        places = Membership.objects.filter(classroom__in=keys, role=Membership.Role.STUDENT)
        students = User.objects.filter(pk__in=places.values("user"), deleted_at=None)
        choose_among(self, "classroom", Classroom.objects.filter(pk__in=keys))
        choose_among(self, "student", students)

    @classmethod
    def _values(cls, sent: QueryDict) -> dict[str, Any]:
        """Return what was sent as the initial values of a form, if wanted with another grid."""
        fields = cls.base_fields.items()
        values = {name: field.widget.value_from_datadict(sent, {}, name) for name, field in fields}
        return values | ({"seed": new_seed()} if sent.get("show") == ANOTHER_GRID else {})

    def value(self, name: str) -> Any:
        """Return what a field has now, as it was sent or as it begins."""
        if self.is_bound:
            return self.base_fields[name].widget.value_from_datadict(self.data, {}, name)
        return self.initial.get(name, self.base_fields[name].initial)

    def ids(self, name: str) -> list[int]:
        """Return the ids that are chosen in a field."""
        return ids_in([str(chosen) for chosen in self.value(name) or ()])

    @property
    def is_paper(self) -> bool:
        """Whether it is a worksheet, for nobody."""
        return False

    @property
    def is_each_their_own(self) -> bool:
        """Whether each student gets words of their own."""
        return False

    @cached_property
    def members(self) -> list[tuple[Classroom, list[User]]]:
        """The chosen classes with their students, by name."""
        wanted = set(self.ids("classroom"))
        chosen = [classroom for classroom in self.asked.classes if classroom.pk in wanted]
        students = students_of_classes(chosen)
        return [(classroom, students[classroom.pk]) for classroom in chosen]

    @property
    def students(self) -> list[User]:
        """All students of the chosen classes."""
        return list({one.pk: one for _class, some in self.members for one in some}.values())

    def clean(self) -> dict[str, Any]:
        wanted = super().clean() or {}
        if not self.is_paper and not wanted.get("classroom") and "classroom" not in self.errors:
            self.add_error("classroom", gettext("Choose a class."))
        return wanted

    def wanted(self) -> dict[str, Any]:
        """Return the arguments of `assignments.give` for what was sent."""
        sent = self.cleaned_data
        return {
            "puzzle": self.asked.puzzle,
            "classrooms": () if self.is_paper else sent["classroom"],
            "students": () if self.is_paper else sent["student"],
            "schedule": {name: sent[name] for name in _SCHEDULE if name in sent},
            "replaces": self.asked.replaced,
        }

    def add_refusal(self, error: ValidationError) -> None:
        """Show why the service refused it beside the field that it is about."""
        if not hasattr(error, "error_dict"):
            self.add_error(_FIELD_OF.get(error.code or ""), error)
            return
        for name, errors in error.error_dict.items():
            self.add_error(name if name in self.fields else None, errors)


class WordsForm(PuzzleForm):
    """A new puzzle of words of a list, for classes or on paper."""

    use = forms.ChoiceField(
        label=pgettext_lazy("assignment", "For"),
        choices=[(SCREEN, _("On screen")), (PAPER, _("On paper"))],
        initial=SCREEN,
    )
    kind = forms.ChoiceField(
        label=_("Type"),
        choices=[
            *((kind.slug, kind.name) for kind in KINDS.values()),
            (PATH, _("See, hear, type")),
        ],
    )
    is_adaptive = forms.BooleanField(label=LABELS["is_adaptive"], required=False)
    which = forms.ChoiceField(
        label=pgettext_lazy("words", "Words from"), required=False, initial=choice.ALL
    )
    number = forms.IntegerField(
        label=_("Number of words"), min_value=1, max_value=MOST_WORDS, required=False
    )
    # Only without a number: who types one need not take the tick away.
    is_all = forms.BooleanField(label=_("All words"), required=False)
    entries = SeveralField(label=_("Words"), queryset=Entry.objects.none(), required=False)
    pinned = SeveralField(label=LABELS["pinned"], queryset=Entry.objects.none(), required=False)
    title = forms.CharField(label=_("Title"), max_length=200, required=False)
    # Sent again by a second click, which must not create a second puzzle.
    seed = forms.IntegerField(min_value=0, max_value=2**62, widget=forms.HiddenInput)
    query = forms.CharField(required=False, widget=forms.HiddenInput, max_length=2_000)

    def __init__(self, asked: Query, vocabulary_list: VocabularyList) -> None:
        super().__init__(asked)
        self.list = vocabulary_list
        for name in ("entries", "pinned"):
            choose_among(self, name, vocabulary_list.entries.all())
        which = self.fields["which"]
        assert isinstance(which, forms.ChoiceField)  # noqa: S101  (for the type checker)
        which.choices = rules = list(self._rules())
        if not self.is_bound:
            self._forget_another_list(dict(rules))
        old = _chosen_settings(asked.model) if asked.model else {}
        sent = asked.sent if asked.is_sent else None
        self.settings = {
            kind.slug: _settings_form(kind, sent, asked.files, old) for kind in KINDS.values()
        }

    def _rules(self) -> Iterator[tuple[str, Any]]:
        yield choice.ALL, _("Any words of the list")
        yield choice.TICKED, _("The words selected below")
        if self.value("query"):
            yield choice.FOUND, _("The words found in the list")
        yield choice.UNKNOWN, _("Words that the class does not know yet")
        yield choice.HARDEST, _("The words that are hardest for the class")
        yield choice.NEW, _("New words of the last seven days")
        for tag in tags_of(self.list):
            # Translators: %(tag)s is a tag of words, such as “animals”.
            yield choice.TAG + tag, gettext("Tag: %(tag)s") % {"tag": tag}
        for part in parts_of_speech_of(self.list):
            # Translators: %(part)s is a part of speech, such as “verb”.
            yield choice.PART_OF_SPEECH + part, gettext("Part of speech: %(part)s") % {"part": part}

    def _forget_another_list(self, rules: dict[str, Any]) -> None:
        """Begin with words of the list if a tag or words of another one are chosen.

        These are all words of a short list, unless another number of words was typed.
        """
        which = self.value("which")
        is_another = bool(self.ids("entries")) and not self._ticked().exists()
        if which not in rules:
            self.initial["which"] = choice.ALL
        elif which == choice.TICKED and is_another:
            self.initial.update(which=choice.ALL, number=self._usual_number)
        if is_another:
            number = str(self.value("number") or "")
            is_typed = number not in ("", str(self._usual_number))
            is_all = self.list.entries.count() <= MOST_TOGETHER and not is_typed
            number_now = number if is_typed else self._usual_number
            self.initial.update(is_all=is_all, number="" if is_all else number_now)
        elif not self.value("number") and not self.value("is_all"):
            self.initial["number"] = self._usual_number  # the tick of “All words” was taken away

    def _ticked(self) -> QuerySet[Entry]:
        return self.list.entries.filter(pk__in=self.ids("entries"))

    @property
    def is_path(self) -> bool:
        """Whether it is a puzzle of each type, on screen."""
        return bool(self.value("kind") == PATH) and not self.is_paper

    @property
    def chosen_kind(self) -> Kind:
        """The type; of a path, its first one, which is previewed."""
        return KINDS.get(self.value("kind")) or next(iter(KINDS.values()))

    @property
    def _usual_number(self) -> int:
        return int(self.chosen_kind.default_settings()["words"])

    @property
    def most_words(self) -> int:
        """The most words that a puzzle of the type can have."""
        kinds = KINDS.values() if self.is_path else [self.chosen_kind]
        fields = [kind.settings_form.base_fields["words"] for kind in kinds]
        return min(int(getattr(field, "max_value", None) or MOST_WORDS) for field in fields)

    @property
    def wanted_number(self) -> int:
        number = str(self.value("number") or "")
        if not number and self.value("is_all") and not self.is_each_their_own:
            return self.most_words
        is_number = number.isdecimal() and len(number) < 4
        return int(number) if is_number else self._usual_number

    @property
    def is_paper(self) -> bool:
        return bool(self.value("use") == PAPER)

    @property
    def is_each_their_own(self) -> bool:
        is_chosen = bool(self.value("is_adaptive")) and not self.is_path
        return is_chosen and self.value("use") == SCREEN

    def selected(self) -> tuple[list[Entry], list[Entry]]:
        """Return the selected words of the list, and those passed over because of the kind."""
        if self.is_bound or self.value("which") == choice.TICKED:
            return list(self._ticked().prefetch_related("translations")), []
        return self._suggested()

    def _suggested(self) -> tuple[list[Entry], list[Entry]]:
        if self.value("which") == choice.TICKED:
            return [], []
        return choice.suggested(
            self.list,
            self.value("which"),
            self.wanted_number,
            self.chosen_kind,
            students=self.students,
            found=asked_for(QueryDict(str(self.value("query") or ""))),
        )

    @cached_property
    def suitable(self) -> int:
        """How many words of the list the type can use, up to the wanted number."""
        number = self.wanted_number
        return len(choice.suggested(self.list, choice.ALL, number, self.chosen_kind)[0])

    def clean(self) -> dict[str, Any]:
        wanted = super().clean()
        if not self.is_each_their_own and not wanted.get("entries"):
            self.add_error("entries", gettext("Select at least one word."))
        is_short = self.is_each_their_own and self.suitable < self.chosen_kind.fewest_words
        if is_short and not self.errors:
            self.add_error("number", self.too_few())
        return wanted

    def is_valid(self) -> bool:
        """Return whether it can be carried out, the settings of the chosen type as well."""
        has_settings = self.is_path or self.settings[self.chosen_kind.slug].is_valid()
        return super().is_valid() and has_settings

    def too_few(self) -> str:
        """Return that the list has fewer words than each student is to get, or ""."""
        if self.suitable < self.chosen_kind.fewest_words:
            return ngettext(
                "This type needs at least %(least)s word, and too few words in the list are "
                "suitable.",
                "This type needs at least %(least)s words, and too few words in the list are "
                "suitable.",
                self.chosen_kind.fewest_words,
            ) % {"least": self.chosen_kind.fewest_words}
        if self.suitable >= self.wanted_number:
            return ""
        return ngettext(
            "Only %(count)s word in the list is suitable for this type: every student gets it.",
            "Only %(count)s words in the list are suitable for this type: every student gets them.",
            self.suitable,
        ) % {"count": self.suitable}

    def settings_for(self, number: int, entries: Sequence[int]) -> dict[str, Any]:
        """Return the settings as sent, and those that were left empty as the words need them.

        Without *entries*, the words are any of the list.
        """
        form = self.settings[self.chosen_kind.slug]
        sent = {name: form[name].initial for name in form.fields}
        if form.is_bound:
            form.is_valid()
            sent = form.cleaned_data  # what is right in it, even if it is not valid
        words = self.list.entries.filter(pk__in=entries) if entries else self.list.entries.all()
        longest = max(map(len, words.values_list("tiles", flat=True)), default=0)
        given = {name: value for name, value in sent.items() if value not in (None, "")}
        if self.is_path:
            given = {}
        fitting = fitting_settings(self.chosen_kind.slug, number, longest)
        return fitting | given | {"words": number}

    def wanted(self) -> dict[str, Any]:
        wanted, sent = super().wanted(), self.cleaned_data
        if self.is_each_their_own:
            wanted["schedule"]["pinned"] = [entry.pk for entry in sent["pinned"]]
            entries: list[int] = []
            settings = self.settings_for(min(self.wanted_number, self.suitable), entries)
        else:
            entries = [entry.pk for entry in sent["entries"]]
            settings = self.settings_for(len(entries), entries)
            # The puzzle's page names the words that do not suit, as this page does.
            entries += [entry.pk for entry in self._suggested()[1] if entry.pk not in entries]
        return wanted | {
            "vocabulary_list": self.list,
            "kind": self.chosen_kind.slug,
            "title": sent["title"],
            "seed": sent["seed"],
            "entries": entries,
            "settings": settings,
        }

    def wanted_path(self) -> dict[str, Any]:
        """Return the arguments of `assignments.give_path` for what was sent."""
        wanted = self.wanted()
        wanted["schedule"]["is_adaptive"] = False
        of_one_puzzle = {"puzzle", "replaces", "kind", "settings"}
        return {name: wanted[name] for name in wanted.keys() - of_one_puzzle}

    def add_refusal(self, error: ValidationError) -> None:
        if hasattr(error, "error_dict"):
            settings = self.settings[self.chosen_kind.slug]
            for name in error.error_dict.keys() & settings.fields.keys():
                settings.add_error(name, error.error_dict.pop(name))
            if "words" in error.error_dict:
                error.error_dict["number"] = error.error_dict.pop("words")
        super().add_refusal(error)


def _chosen_settings(model: Puzzle) -> dict[str, Any]:
    """Return the settings of an earlier puzzle without the sizes, unless it could not be created.

    Sizes that fitted its words may not fit others.
    """
    keeps_sizes = model.state == Puzzle.State.FAILED
    return {
        name: value for name, value in model.settings.items() if keeps_sizes or name not in SIZES
    }


def _settings_form(
    kind: Kind, sent: QueryDict | None, files: Any, old: dict[str, Any]
) -> forms.Form:
    """Return the form of a kind's settings without the number of words, which are selected.

    An empty size is one that fits the words.
    """
    form = kind.settings_form(sent, files, prefix=kind.slug, initial=dict(old))
    del form.fields["words"]
    for name in SIZES & form.fields.keys():
        form.fields[name].initial = None
        form.fields[name].help_text = gettext("Leave empty to fit the words.")
    return form
