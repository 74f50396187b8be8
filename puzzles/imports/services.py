"""Import a puzzle that was read from a file: its words as a list, and the puzzle itself."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, replace
from typing import Any

from django.conf import settings
from django.core import signing
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.db import transaction
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _

from osmosmjerka.accounts.models import User
from puzzles.exports.numbering import runs_of
from puzzles.generators.grid import Cell, Grid
from puzzles.imports.readers import LARGEST_FILE, ReadError, ReadPuzzle, ReadWord, read
from puzzles.imports.readers.lines import Lines
from puzzles.kinds import KINDS
from puzzles.kinds.base import Kind, Layout, Slot
from puzzles.making import services as making
from puzzles.models import Placement, Puzzle, new_code
from vocab.entries.selectors import blocked_words
from vocab.formats.rows import Row
from vocab.lists import services as lists
from vocab.message import Sentence
from vocab.models import VocabularyList
from vocab.sentences import said
from vocab.text import (
    canonical_language,
    direction,
    is_known_language,
    match_key,
    normal_form,
    search_key,
    tiles,
)

_SALT = "puzzles.imports.preview"
_VALID_FOR = 24 * 60 * 60  # seconds


@dataclass(frozen=True, slots=True)
class Preview:
    """A puzzle that was read but is not saved yet; *code* is the one that it will have."""

    code: str
    read: ReadPuzzle

    @property
    def guess(self) -> dict[str, str]:
        """The title and languages that the file names, and the reader's for its clues."""
        return {
            "title": self.read.title,
            "language": language_of(self.read),
            "translation_language": get_language() or "en",
        }

    def signed(self) -> str:
        """Return the preview as text that a page carries to the next request."""
        data = {"code": self.code, "read": self.read.as_json()}
        return signing.dumps(data, salt=_SALT, compress=True)

    @classmethod
    def of_file(cls, read: ReadPuzzle) -> Preview:
        """Return a preview of a puzzle that was just read."""
        return cls(new_code(), read)

    @classmethod
    def of_upload(cls, file: UploadedFile[Any]) -> Preview:
        """Return a preview of the puzzle in a file; ValidationError if there is none."""
        try:
            # One byte more than is read shows that it is too large.
            return cls.of_file(read(file.read(LARGEST_FILE + 1)))
        except ReadError as error:
            raise ValidationError(said(error.sentence)) from error

    @classmethod
    def from_signed(cls, text: str) -> Preview:
        """Rebuild what `signed` returned; ValidationError if it is another text or too old."""
        try:
            data = signing.loads(text, salt=_SALT, max_age=_VALID_FOR)
        except signing.BadSignature as error:
            raise ValidationError(_("Choose the file again.")) from error
        return cls(data["code"], ReadPuzzle.from_json(data["read"]))


@dataclass(frozen=True, slots=True)
class Fitted:
    """A puzzle in a language: letters in capitals, columns in reading order, words as rows."""

    kind: Kind
    grid: Grid
    words: tuple[tuple[str, ReadWord], ...]
    uses_digraphs: bool


def kind_of(read: ReadPuzzle) -> Kind:
    """Return the kind that a puzzle from a file is of."""
    return next(
        kind
        for kind in KINDS.values()
        if kind.takes_files and kind.shows_letters != read.is_numbered
    )


def language_of(read: ReadPuzzle) -> str:
    """Return the language that the file says its words are in, or ""."""
    tag = read.language
    return canonical_language(tag) if tag and is_known_language(tag) else ""


def fit(read: ReadPuzzle, language: str) -> Fitted:
    """Return the puzzle as it is played in *language*.

    Raises ValidationError if a square cannot be typed in this language, or if the words run against
    it.
    """
    try:
        turned = read.in_reading_order(is_rtl=direction(language) == "rtl")
    except ReadError as error:
        raise ValidationError(said(error.sentence)) from error
    grid = tuple(
        tuple(_tile(tile, language, is_typed=turned.is_numbered) for tile in row)
        for row in turned.grid
    )
    words = tuple((_spelt(turned, word, grid, language), word) for word in turned.words)
    return Fitted(kind_of(turned), grid, words, _uses_digraphs(words, grid, language))


def no_single_letters(read: ReadPuzzle, language: str) -> list[str]:
    """Return what is in squares to fill in and is not one letter in *language*.

    As long as the language is not known, it may be "".
    """
    if not read.is_numbered:
        return []
    known = language if language and is_known_language(language) else None
    used = dict.fromkeys(tile for row in read.grid for tile in row if tile is not None)
    return [tile for tile in used if len(tiles(tile, known)) != 1]


def _tile(text: str | None, language: str, *, is_typed: bool) -> str | None:
    """Return the letter of a square in capitals, as grids have them."""
    if text is None:
        return None
    cut = tiles(text, language)
    if len(cut) == 1:
        return cut[0]
    if is_typed:
        raise ValidationError(
            _(
                "A square contains “%(letters)s”, which is not one letter in this language and "
                "cannot be typed into one square. Choose another language or another puzzle."
            )
            % {"letters": text}
        )
    return "".join(cut) or text


def _spelt(read: ReadPuzzle, word: ReadWord, grid: Grid, language: str) -> str:
    """Return a word as the file writes it, or its letters if that is not what is to be typed.

    STRASSE has a square more than “Straße”. Accents make no difference: crosswords of many
    languages have none in their squares.
    """
    text = read.spelt(word)
    if not read.is_numbered or any(
        _fills(text, word.cells, grid, language, digraphs=digraphs) for digraphs in (True, False)
    ):
        return text
    return read.spelt(replace(word, answer=""))


def _fills(text: str, cells: Iterable[Cell], grid: Grid, language: str, *, digraphs: bool) -> bool:
    """Return whether *text* is cut into as many letters as there are cells, and into the same."""
    cut = tiles(text, language, digraphs=digraphs)
    return list(map(search_key, cut)) == list(map(search_key, _letters(grid, cells)))


def _uses_digraphs(words: Sequence[tuple[str, ReadWord]], grid: Grid, language: str) -> bool:
    """Return whether the file's squares have digraphs rather than their letters.

    If it has both, it has digraphs: the list's setting decides whether one can be typed at all.
    """

    def fitting(*, digraphs: bool) -> int:
        return sum(
            _fills(text, word.cells, grid, language, digraphs=digraphs) for text, word in words
        )

    used = {tile for _text, word in words for tile in _letters(grid, word.cells)}
    if any(_is_digraph(tile, language) for tile in used):
        return True
    return fitting(digraphs=True) >= fitting(digraphs=False)


def _is_digraph(tile: str, language: str) -> bool:
    return len(tiles(tile, language)) == 1 and len(tiles(tile, language, digraphs=False)) > 1


def _letters(grid: Grid, cells: Iterable[Cell]) -> tuple[str, ...]:
    return tuple(grid[row][col] or "" for row, col in cells)


@transaction.atomic
def import_puzzle(
    *, preview: Preview, owner: User, title: str, language: str, translation_language: str
) -> Puzzle:
    """Create a list of the puzzle's words and the puzzle itself, ready to play.

    The words are as in the file; its clues are their translations. A repeated request returns the
    puzzle that the first one created, unless that is in the bin. Raises ValidationError if the
    puzzle does not fit the language, or if a blocked word is in it.
    """
    User.objects.select_for_update().get(pk=owner.pk)  # a double click: the second waits here
    code = preview.code
    if first := Puzzle.everything.filter(code=code).first():
        if first.created_by_id == owner.pk and Puzzle.objects.filter(pk=first.pk).exists():
            return first
        code = new_code()  # the other is someone else's, or was deleted since
    fitted = fit(preview.read, language)
    vocabulary_list = lists.create_list(
        owner=owner,
        title=title,
        language=language,
        translation_languages=[translation_language],
        uses_digraphs=fitted.uses_digraphs,
        rows=_rows(fitted),
    )
    _refuse_blocked(vocabulary_list, fitted)
    bonus = sum(word.is_bonus for word in preview.read.words)
    puzzle = Puzzle(
        code=code,
        vocabulary_list=vocabulary_list,
        kind=fitted.kind.slug,
        title=vocabulary_list.title,
        created_by=owner,
        settings=fitted.kind.settings_of_file(
            len(fitted.words) - bonus,
            has_clues=preview.read.has_clues,
            message=preview.read.message,
            bonus=bonus,
        ),
        seed=0,  # nothing was generated
        grid=[list(row) for row in fitted.grid],
        state=Puzzle.State.READY,
    )
    puzzle.full_clean(exclude=["code", "grid", "unplaced"])
    puzzle.save()
    is_translated = translation_language in dict(settings.LANGUAGES)
    with override(translation_language if is_translated else get_language()):
        Placement.objects.bulk_create(_placements(puzzle, fitted))
    making.log_made(puzzle, words=len(fitted.words), seconds=0.0)
    return puzzle


def clue_of(word: ReadWord) -> str:
    """Return the clue of a word; what refers to another word is in the reader's language."""
    return said(word.clue) if isinstance(word.clue, Sentence) else word.clue


def _rows(fitted: Fitted) -> list[Row]:
    """Return the words as rows of a list, each once with all its clues."""
    rows: dict[str, Row] = {}
    for line, (text, word) in enumerate(fitted.words, 1):
        row = rows.setdefault(_key(text), Row(term=text, line=line))
        # What only refers to another word says nothing about this one.
        if word.clue and not isinstance(word.clue, Sentence):
            texts = row.translations.setdefault("", [])
            if word.clue not in texts:
                texts.append(word.clue)
    return list(rows.values())


def _key(text: str) -> str:
    return match_key(normal_form(text))


def _refuse_blocked(vocabulary_list: VocabularyList, fitted: Fitted) -> None:
    blocked = blocked_words(vocabulary_list)
    keys = {word.key for word in blocked}
    written = [text for text, _word in fitted.words]
    if not fitted.kind.shows_letters:
        # A file need not have a clue for each word that can be read.
        written += ["".join(_letters(fitted.grid, run.cells)) for run in runs_of(fitted.grid)]
    for text in written:
        if search_key(text) in keys:
            raise ValidationError(
                _("“%(word)s” is a blocked word, so this puzzle cannot be imported.")
                % {"word": text}
            )
    if not fitted.kind.shows_letters:
        return
    lines = Lines(fitted.grid)
    for word in blocked:
        # With and without accents, as no grid of our own contains either.
        if any(
            _is_read_by_chance(form, lines, fitted, vocabulary_list.language)
            for form in (word.word, word.key)
        ):
            raise ValidationError(
                _(
                    "“%(word)s” is a blocked word and can be read in the grid, so this puzzle "
                    "cannot be imported."
                )
                % {"word": word.word}
            )


def _is_read_by_chance(text: str, lines: Lines, fitted: Fitted, language: str) -> bool:
    """Return whether *text* can be read in a grid, other than inside a hidden word.

    A part of a listed word is no chance, and our own grids may have it as well.
    """
    hidden = [set(word.cells) for _text, word in fitted.words]
    cut = tiles(text, language, digraphs=fitted.uses_digraphs)
    if len(cut) < 2:
        return False
    places = lines.places_of("".join(cut), at_most=None)
    return any(not any(word.issuperset(cells) for word in hidden) for cells in places)


def _placements(puzzle: Puzzle, fitted: Fitted) -> list[Placement]:
    every = puzzle.vocabulary_list.entries.prefetch_related("translations")
    entries = {entry.key: entry for entry in every}
    chosen = [entries[_key(text)] for text, _word in fitted.words]
    lines = Lines(fitted.grid) if fitted.kind.shows_letters else None
    own = {frozenset(word.cells) for _text, word in fitted.words}
    slots = [
        Slot(
            index,
            word.cells,
            word.number,
            word.direction,
            echoes=_echoes(lines, fitted.grid, word, own) if lines else (),
        )
        for index, (_text, word) in enumerate(fitted.words)
    ]
    placements = making.placements_of(puzzle, Layout(fitted.grid, slots), chosen)
    for placement, (_text, word) in zip(placements, fitted.words, strict=True):
        # A word that is in the puzzle twice has a clue of its own each time.
        placement.translations = [clue_of(word)] if word.clue else []
        placement.is_bonus = word.is_bonus
    return placements


def _echoes(
    lines: Lines, grid: Grid, word: ReadWord, own: Set[frozenset[Cell]]
) -> tuple[tuple[Cell, ...], ...]:
    """Return the places where the letters of a hidden word can be read, but no word has its *own*.

    Otherwise the same word in two places could be found twice in one of them.
    """
    places = lines.places_of("".join(_letters(grid, word.cells)))
    return tuple(cells for cells in places if frozenset(cells) not in own)
