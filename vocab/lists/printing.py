"""Print a list: choose its words, and draw them as a word list, a test or cards."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from django.db.models import Prefetch, QuerySet
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from osmosmjerka.db.collation import sort_key
from osmosmjerka.paper import pdf, svg
from osmosmjerka.paper.lettering import printable
from osmosmjerka.paper.shapes import Page
from vocab.entries import pictures
from vocab.lists import print_layout
from vocab.lists.print_layout import Hidden, Labels, Style, Word
from vocab.models import Entry, Translation, VocabularyList
from vocab.text import direction, language_name

MOST_WORDS = 1000
# Each picture is read and made smaller, which takes 20 to 40 ms.
MOST_PICTURES = 120
# As many words of a list as fit on a page at least.
_ON_FIRST_PAGE = 50
# The longer side of a picture on a card, by the number of cards on a page: 200 dots per inch.
_DOTS = {4: 700, 8: 500}

What = Literal["words", "flashcards", "pictures"]
Order = Literal["list", "alphabet", "shuffled"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """How a list is printed.

    *hidden* is what students write themselves on a word list. *seed* decides the order of shuffled
    words. *language* is that of the translations, "" for all of them.
    """

    what: What = "words"
    paper: str = "a4"
    order: Order = "list"
    seed: int = 0
    hidden: Hidden = ""
    language: str = ""
    has_pronunciation: bool = False
    has_example: bool = False
    is_folded: bool = False
    per_page: int = 8


class Print:
    """Words of a list as they are printed; *found* are those that were chosen."""

    def __init__(
        self, vocabulary_list: VocabularyList, found: QuerySet[Entry], wanted: Wanted
    ) -> None:
        self._list, self._found, self._wanted = vocabulary_list, found, wanted

    @property
    def most(self) -> int:
        """The number of words that one file has at most."""
        return MOST_PICTURES if self._wanted.what == "pictures" else MOST_WORDS

    @cached_property
    def _chosen(self) -> list[Entry]:
        """All words in the wanted order."""
        wanted = self._wanted
        translations = Translation.objects.all()
        if wanted.language:
            translations = translations.filter(language=wanted.language)
        found = list(self._found.prefetch_related(Prefetch("translations", translations)))
        if wanted.order == "alphabet":
            key = sort_key(self._list.language)
            found.sort(key=lambda entry: key(entry.term))
        elif wanted.order == "shuffled":
            random.Random(wanted.seed).shuffle(found)
        return found

    @cached_property
    def entries(self) -> list[Entry]:
        """The words that are printed."""
        chosen = self._chosen
        if self._wanted.what == "pictures":
            chosen = [entry for entry in chosen if entry.image]
        return chosen[: self.most]

    @property
    def is_cut(self) -> bool:
        """Whether there are more words than one file may have."""
        return len(self._chosen) - len(self.without_picture) > len(self.entries)

    @property
    def without_picture(self) -> list[Entry]:
        """The words for which there is no card, as they have no picture."""
        if self._wanted.what != "pictures":
            return []
        return [entry for entry in self._chosen if not entry.image]

    @property
    def without_translation(self) -> list[Entry]:
        """The words of which something stays empty: the back of a card, or a line of a list."""
        if self._wanted.what == "pictures" or self._wanted.hidden == "translations":
            return []
        return [
            entry
            for entry in self.entries
            # Emoji that the print fonts lack are left out.
            if not any(printable(one.text) for one in entry.translations.all())
        ]

    @property
    def name(self) -> str:
        """The name of the file, without its suffix."""
        if self._wanted.what == "flashcards":
            kind = _("Flashcards")
        elif self._wanted.what == "pictures":
            kind = _("Picture cards")
        elif self._wanted.hidden:
            kind = _("Vocabulary test")
        else:
            kind = _("Word list")
        return f"{self._list.title} – {kind}"

    def file(self) -> bytes:
        """Return all pages as a PDF file.

        Raises MissingLetters if the fonts for print lack a letter.
        """
        drawn = self._drawn(self.entries)
        return pdf.draw(drawn, title=self.name, language=self._list.language)

    def preview(self) -> list[str]:
        """Return the first page as SVG; of cards with a back, both of its sides."""
        wanted = self._wanted
        has_backs = wanted.what == "flashcards" and not wanted.is_folded
        first = {
            "words": _ON_FIRST_PAGE,
            "flashcards": print_layout.FLASHCARDS_A_PAGE,
            "pictures": wanted.per_page,
        }[wanted.what]
        pages = self._drawn(self.entries[:first])[: 2 if has_backs else 1]
        return [
            svg.inline(page, title=_("Preview"), language=self._list.language) for page in pages
        ]

    def _drawn(self, entries: Sequence[Entry]) -> list[Page]:
        wanted, languages = self._wanted, self._languages
        words = [self._word(entry) for entry in entries]
        style = Style(
            paper=wanted.paper,
            direction=direction(self._list.language),
            other_direction=direction(languages[0] if languages else None),
        )
        if wanted.what == "flashcards":
            return print_layout.flashcards(words, style, is_folded=wanted.is_folded)
        if wanted.what == "pictures":
            return print_layout.picture_cards(words, style, per_page=wanted.per_page)
        reader = get_language() or "en"
        labels = Labels(
            title=self._list.title,
            words=language_name(self._list.language, reader),
            translations=" · ".join(language_name(tag, reader) for tag in languages),
            # Translators: on a printed page, before the line on which the student writes their
            # name.
            name=_("Name"),
            # Translators: on a printed page, before an empty line.
            date=_("Date"),
        )
        return print_layout.word_list(words, style, labels, hidden=wanted.hidden)

    @property
    def _languages(self) -> list[str]:
        """The languages of the translations that are printed."""
        return (
            [self._wanted.language] if self._wanted.language else self._list.translation_languages
        )

    def _word(self, entry: Entry) -> Word:
        wanted = self._wanted
        entry.vocabulary_list = self._list  # its language decides about the gap
        is_asked = wanted.what == "words" and wanted.hidden == "words"
        example = entry.gap_sentence() if is_asked and wanted.has_example else entry.example
        is_pictured = wanted.what == "pictures"
        return Word(
            term=_on_one_line(entry.term),
            translation=_on_one_line(" · ".join(one.text for one in entry.translations.all())),
            # Who is to write a word is not told how it sounds.
            pronunciation=_on_one_line(entry.pronunciation)
            if wanted.has_pronunciation and not is_asked
            else "",
            example=_on_one_line(example) if wanted.has_example else "",
            picture=pictures.for_print(entry, most_dots=_DOTS[wanted.per_page])
            if is_pictured
            else None,
        )


def _on_one_line(text: str) -> str:
    return " ".join(text.split())
