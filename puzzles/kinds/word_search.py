"""The word search: words in eight directions that cross each other.

Its grid may have a shape, and the letters left over may spell a message.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from puzzles.generators.grid import Cell
from puzzles.kinds.base import (
    HiddenMessage,
    Kind,
    Layout,
    Request,
    SentMove,
    Slot,
    Verdict,
    cells_of,
    echoes_of,
    indexed,
    traced_cells,
)
from puzzles.kinds.pictured_shape import PictureShapeField, PictureShapeInput
from puzzles.models import Placement, Puzzle
from vocab.models import Entry, Review
from vocab.text import direction, fewest_tiles, tiles

if TYPE_CHECKING:
    from puzzles.generators.word_search.masks import Silhouette

OWN = "own"
SQUARE, LETTER, PICTURE = "square", "letter", "picture"
# What an arrow shows on the screen: rows down, columns to the right.
ARROWS = {
    "→": (0, 1),
    "↓": (1, 0),
    "↘": (1, 1),
    "↙": (1, -1),
    "←": (0, -1),
    "↑": (-1, 0),
    "↖": (-1, -1),
    "↗": (-1, 1),
}


class WordSearchForm(forms.Form):
    words = forms.IntegerField(
        label=_("Number of words"), min_value=1, max_value=200, initial=12, required=False
    )
    difficulty = forms.ChoiceField(
        label=_("Difficulty"),
        choices=[
            ("easy", _("Easy: right and down")),
            ("medium", _("Medium: no words backwards")),
            ("hard", _("Hard: all eight directions")),
            (OWN, _("Custom: the directions selected below")),
        ],
        initial="hard",
        required=False,
    )
    directions = forms.MultipleChoiceField(
        label=_("Directions"),
        help_text=_("For the difficulty “Custom”."),
        choices=[
            ("→", _("→ right")),
            ("↓", _("↓ down")),
            ("↘", _("↘ down to the right")),
            ("↙", _("↙ down to the left")),
            ("←", _("← left")),
            ("↑", _("↑ up")),
            ("↖", _("↖ up to the left")),
            ("↗", _("↗ up to the right")),
        ],
        initial=[],
        required=False,
        widget=forms.CheckboxSelectMultiple({"data-only-for": f"difficulty={OWN}"}),
    )
    clue = forms.ChoiceField(
        label=_("Students see"),
        choices=[("translation", _("translation")), ("term", _("the word itself"))],
        initial="translation",
        required=False,
    )
    message = forms.CharField(
        label=_("Hidden message"),
        help_text=_(
            "The letters that no word uses spell it, in reading order. Students see it at the end."
        ),
        max_length=120,
        initial="",
        required=False,
    )
    bonus = forms.IntegerField(
        label=_("Bonus words"),
        help_text=_("Other words of the list, hidden but not listed. Nobody has to find them."),
        min_value=0,
        max_value=5,
        initial=0,
        required=False,
    )
    shape = forms.ChoiceField(
        label=_("Shape"),
        choices=[
            (SQUARE, pgettext_lazy("shape of a grid", "rectangle")),
            ("heart", pgettext_lazy("shape of a grid", "heart")),
            ("circle", pgettext_lazy("shape of a grid", "circle")),
            ("star", pgettext_lazy("shape of a grid", "star")),
            ("diamond", pgettext_lazy("shape of a grid", "diamond")),
            (LETTER, pgettext_lazy("shape of a grid", "a letter")),
            (PICTURE, pgettext_lazy("shape of a grid", "a picture")),
        ],
        initial=SQUARE,
        required=False,
    )
    letter = forms.CharField(
        label=_("Letter as the shape"),
        max_length=8,
        initial="",
        required=False,
        widget=forms.TextInput({"data-only-for": f"shape={LETTER}"}),
    )
    picture = PictureShapeField(
        label=_("Picture as the shape"),
        help_text=_("A PNG or JPEG of at most 2 MB. The grid fills its dark part."),
        initial="",
        required=False,
        widget=PictureShapeInput(
            {
                "accept": "image/png,image/jpeg",
                "data-only-for": f"shape={PICTURE}",
            }
        ),
    )

    def clean(self) -> dict[str, Any]:
        wanted = super().clean() or {}
        if wanted.get("difficulty") == OWN and not wanted.get("directions"):
            self.add_error("directions", gettext("Select at least one direction."))
        shape = wanted.get("shape")
        if shape in (LETTER, PICTURE) and shape not in self.errors and not wanted.get(shape):
            self.add_error(
                shape,
                gettext("Enter the letter whose shape the grid should have.")
                if shape == LETTER
                else gettext("Choose the picture whose shape the grid should have."),
            )
        return wanted


def arrows_of(settings: dict[str, Any], language: str) -> list[str]:
    """Return the directions of a puzzle's words as arrows, as they look on the screen."""
    from puzzles.generators.word_search import directions_of

    if settings["difficulty"] == OWN:
        return [arrow for arrow in ARROWS if arrow in settings.get("directions", ())]
    allowed = directions_of(settings["difficulty"])
    return [arrow for arrow, step in ARROWS.items() if _as_read(step, language) in allowed]


def _as_read(step: Cell, language: str) -> Cell:
    """Return a step on the screen as one in the grid, whose columns run as the script is read."""
    down, right = step
    return down, -right if direction(language) == "rtl" else right


def _silhouette(settings: dict[str, Any], language: str) -> Silhouette | None:
    """Return the shape of the grid, whose columns run as the script is read, or None."""
    drawing = _drawing(settings, language)
    return drawing.mirrored() if drawing and direction(language) == "rtl" else drawing


def _drawing(settings: dict[str, Any], language: str) -> Silhouette | None:
    from puzzles.generators.word_search import masks

    shape = settings.get("shape", SQUARE)
    if shape == SQUARE:
        return None
    if shape == LETTER:
        letter = settings["letter"].strip()
        capital = letter.upper()
        # The capital of ß is two letters.
        return masks.silhouette_of_letter(
            capital if len(capital) == len(letter) else letter, language
        )
    if shape == PICTURE:
        return masks.silhouette_of_picture(settings["picture"])
    return masks.silhouette(shape)


class WordSearch(Kind):
    __slots__ = ()

    slug = "word-search"
    name = _("Word search")
    description = _("Find words hidden in up to eight directions.")
    # Translators: what students do with words, on a button: they see, hear and then type them.
    way = pgettext_lazy("words", "See")
    live_mode = "race"
    instruction = _("Find the words in the grid and circle them.")
    settings_form = WordSearchForm
    settings_for_all = ("message", "bonus")
    asks_words_after = True
    takes_files = True

    def generate(self, request: Request) -> Layout:
        from puzzles.generators import word_search

        settings, language = request.settings, request.language
        difficulty = settings["difficulty"]
        made = word_search.generate(
            list(request.words),
            language=language,
            digraphs=request.digraphs,
            difficulty=None if difficulty == OWN else difficulty,
            directions=[_as_read(ARROWS[arrow], language) for arrow in settings["directions"]]
            if difficulty == OWN
            else word_search.ALL_DIRECTIONS,
            blocklist=request.blocklist,
            shape=_silhouette(settings, language),
            hidden=settings.get("message", ""),
            rng=request.rng,
        )
        slots = [
            Slot(
                index,
                placement.cells,
                echoes=tuple(e.cells for e in made.echoes if e.word == placement.word),
            )
            for index, placement in indexed(request.words, made.placements)
        ]
        return Layout(made.grid, slots, made.unplaced)

    def settings_of_file(
        self, words: int, *, has_clues: bool, message: str = "", bonus: int = 0
    ) -> dict[str, Any]:
        settings = super().settings_of_file(words, has_clues=has_clues)
        clue = "translation" if has_clues else "term"
        return settings | {"clue": clue, "message": message, "bonus": bonus}

    def told(self, settings: dict[str, Any]) -> list[tuple[str, str]]:
        shape = settings.get("shape", SQUARE)
        unused = {
            "directions": settings["difficulty"] != OWN,
            "bonus": True,  # the page has the words themselves
            "shape": shape == SQUARE,
            "letter": shape != LETTER,
            "picture": True,  # the grid shows it
        }
        return super().told(
            {name: value for name, value in settings.items() if not unused.get(name)}
        )

    def public_settings(self, puzzle: Puzzle) -> dict[str, Any]:
        """Return them without the message, and with the directions as arrows."""
        secret = {"message", "picture"}
        shown = {name: value for name, value in puzzle.settings.items() if name not in secret}
        return shown | {"arrows": arrows_of(shown, puzzle.vocabulary_list.language)}

    def bonus_words(self, settings: dict[str, Any]) -> int:
        return int(settings.get("bonus") or 0)

    def hidden_message(
        self, puzzle: Puzzle, placements: Sequence[Placement]
    ) -> HiddenMessage | None:
        words = self.message_words(puzzle.settings)
        if not words:
            return None
        used = {cell for placement in placements for cell in cells_of(placement)}
        left = [
            (row, col)
            for row, tiles in enumerate(puzzle.grid)
            for col, tile in enumerate(tiles)
            if tile is not None and (row, col) not in used
        ]
        return HiddenMessage(" ".join(words), tuple(left))

    def message_words(self, settings: dict[str, Any]) -> tuple[str, ...]:
        # Digits are spelt in the grid as letters are; without either there is no message.
        text = settings.get("message", "")
        return tuple(text.split()) if tiles(text, None) else ()

    def fewest_letters(self, tiles: Sequence[str]) -> int:
        return fewest_tiles(tiles)

    def askable(self, entries: Iterable[Entry], settings: dict[str, Any]) -> list[Entry]:
        if settings["clue"] != "translation":
            return []
        return super().askable((one for one in entries if one.translations.all()), settings)

    def shows_words(self, settings: dict[str, Any]) -> bool:
        return bool(settings["clue"] == "term")

    def clue(self, placement: Placement, settings: dict[str, Any]) -> str | None:
        if settings["clue"] == "translation" and placement.translations:
            return " · ".join(placement.translations)
        return placement.played

    def printed_clue(self, placement: Placement, settings: dict[str, Any]) -> str:
        """Return the translation; a word without one is its own clue, unless it is shown anyway."""
        clue = super().printed_clue(placement, settings)
        return clue if clue or self.shows_words(settings) else placement.played

    def shows_picture(self, settings: dict[str, Any]) -> bool:
        return not self.shows_words(settings)

    def judge(self, move: SentMove, placements: Sequence[Placement], puzzle: Puzzle) -> Verdict:
        cells = traced_cells(move, puzzle)
        # “dog” and “god” have the same cells: the direction of tracing decides which is meant. A
        # word's own cells come before the echoes of others, which could never be found otherwise.
        for way in (cells, cells[::-1]):
            for places in (lambda placement: [cells_of(placement)], echoes_of):
                for placement in placements:
                    if way in places(placement):
                        return Verdict(placement)
        return Verdict()

    def skill(self, settings: dict[str, Any], *, was_heard: bool) -> Review.Skill:
        return Review.Skill.FORM if settings["clue"] == "term" else Review.Skill.MEANING_TO_FORM
