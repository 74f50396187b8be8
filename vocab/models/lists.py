"""Vocabulary: lists, their entries, and the entries' sounds."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable
from pathlib import PurePosixPath
from typing import Any

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from osmosmjerka.db.collation import Alphabetical
from osmosmjerka.db.deletable import Deletable, NotDeletedManager
from vocab import text_fields
from vocab.text import match_key, search_key, tiles, with_gap, without_term
from vocab.text.playing import playing_forms

# Of lists, for who recognises them by it.
COLOURS = 12


def new_guid() -> str:
    """Return an id for an entry that stays the same in files and copies."""
    return secrets.token_urlsafe(9)


def tag_line(tags: Iterable[str]) -> str:
    """Return tags as one text, in which each stands between line ends."""
    line = "".join(f"\n{tag}" for tag in tags)
    return f"{line}\n" if line else ""


class VocabularyListManager(NotDeletedManager["VocabularyList"]):
    """The lists that are not in the bin."""


class VocabularyList(Deletable):
    class Visibility(models.TextChoices):
        # Translators: who can see a list of words.
        PRIVATE = "private", _("Only me")
        SCHOOL = "school", _("My school")
        PUBLIC = "public", _("Everyone on this site")

    class Accents(models.TextChoices):
        STRICT = "strict", _("Must be correct")
        WARN = "warn", _("Accepted with a reminder")
        IGNORE = "ignore", _("Ignored")

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="vocabulary_lists"
    )
    school = models.ForeignKey(
        "accounts.School", on_delete=models.CASCADE, null=True, related_name="vocabulary_lists"
    )
    title = models.CharField(_("title"), max_length=200)
    description = models.TextField(_("description"), blank=True)
    language = models.CharField(
        _("language of the words"), max_length=35, help_text=_("BCP-47, for example hr or pt-BR")
    )
    translation_languages: models.JSONField[list[str], list[str]] = models.JSONField(
        _("languages of the translations"), default=list
    )
    tags: models.JSONField[list[str], list[str]] = models.JSONField(
        _("tags"), default=list, blank=True
    )
    tag_line = models.TextField(
        default="", editable=False, help_text="The tags between line ends, to filter by."
    )
    search = models.TextField(
        default="", editable=False, help_text="vocab.text.search_key of the title"
    )
    visibility = models.CharField(
        _("who can see it"), max_length=10, choices=Visibility, default=Visibility.PRIVATE
    )
    uses_digraphs = models.BooleanField(
        _("digraphs count as one letter"),
        default=True,
        help_text=_("Croatian dž, lj and nj take one square each."),
    )
    playing_rules: models.JSONField[list[str], list[str]] = models.JSONField(
        default=list,
        blank=True,
        help_text="What of a term is not played; see vocab.text.playing.",
    )
    accents = models.CharField(
        _("accents in answers"),
        max_length=10,
        choices=Accents,
        default=Accents.WARN,
        help_text=_("What happens when a student types macka instead of mačka."),
    )
    voice_engine = models.CharField(
        _("voice"),
        max_length=10,
        blank=True,
        choices=[("espeak", _("Built-in voice")), ("gtts", _("Google’s voice"))],
        help_text=_("Leave empty for the best available."),
    )
    accent = models.CharField(
        pgettext_lazy("voice", "accent"),
        max_length=35,
        blank=True,
        help_text=_("BCP-47, for example en-GB"),
    )
    is_spoken_slowly = models.BooleanField(
        _("spoken slowly"),
        default=False,
        help_text=_("Students always hear words spoken slowly, from the first time."),
    )
    sounds_version = models.PositiveIntegerField(
        default=0, editable=False, help_text="Part of sounds' addresses: a new sound is heard."
    )
    copied_from = models.ForeignKey(
        "self", on_delete=models.SET_NULL, null=True, blank=True, related_name="copies"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)
    purged_at = models.DateTimeField(
        null=True,
        editable=False,
        help_text="When its 30 days in the bin ended; only words that students met are left.",
    )

    objects = VocabularyListManager()
    everything: models.Manager[VocabularyList] = models.Manager()

    class Meta:
        verbose_name = _("word list")
        verbose_name_plural = _("word lists")
        ordering = ["-updated_at", "pk"]

    def __str__(self) -> str:
        return self.title

    @property
    def colour(self) -> int:
        """Which of the twelve colours of lists it has, 0…11; see `components.css`."""
        return (self.pk or 0) % COLOURS  # that of a game for strangers has no id

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Save the list, and with a title or tags what is searched for them."""
        fields = kwargs.get("update_fields")
        if fields is None or "title" in fields:
            self.search = search_key(self.title)
        if fields is None or "tags" in fields:
            self.tag_line = tag_line(self.tags)
        if fields is not None:
            follow = {"title": "search", "tags": "tag_line"}
            kwargs["update_fields"] = {
                *fields,
                *(follow[name] for name in fields if name in follow),
            }
        super().save(*args, **kwargs)

    @property
    def spoken_language(self) -> str:
        """The tag to request voices with: the chosen accent, or the language."""
        return self.accent or self.language

    @property
    def languages(self) -> list[str]:
        """The languages of the list, that of its words first."""
        return [self.language, *self.translation_languages]

    def tiles_of(self, term: str) -> tuple[str, ...]:
        """Cut *term* into the tiles of its grid form, by this list's language and digraphs."""
        return tiles(term, self.language, digraphs=self.uses_digraphs)

    def forms_of(self, term: str, own: str = "") -> list[str]:
        """Return the right forms of *term* by this list's rules; the first is played.

        *own* is the playing form that was chosen for this one term.
        """
        forms = playing_forms(term, self.language, self.playing_rules)
        return list(dict.fromkeys((own, *forms))) if own else list(forms)


class Share(models.Model):
    """A teacher with whom the owner shares a list by name."""

    vocabulary_list = models.ForeignKey(
        VocabularyList, on_delete=models.CASCADE, related_name="shares"
    )
    teacher = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="shared_lists"
    )
    may_edit = models.BooleanField(_("can edit"), default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["vocabulary_list", "teacher"], name="one_share_each")
        ]

    def __str__(self) -> str:
        return f"{self.vocabulary_list} · {self.teacher}"


class EntryManager(NotDeletedManager["Entry"]):
    """The entries that are not deleted; those of a list in the bin are."""


class Entry(models.Model):
    """A term of a list with its details.

    A deleted entry keeps its row, and so its reviews, and can be restored: `everything` has it.
    """

    vocabulary_list = models.ForeignKey(
        VocabularyList, on_delete=models.CASCADE, related_name="entries"
    )
    guid = models.CharField(
        max_length=text_fields.LONGEST_GUID,
        default=new_guid,
        editable=False,
        db_index=True,
        help_text="The id in files and copies; unlike the primary key it travels.",
    )
    version = models.PositiveIntegerField(
        default=1, editable=False, help_text="Grows with each change: the second editor is told."
    )
    deleted_at = models.DateTimeField(null=True, blank=True, editable=False)
    position = models.PositiveIntegerField(default=0)
    term = models.CharField(_("word"), max_length=text_fields.LONGEST_TERM)
    key = models.CharField(max_length=300, editable=False, help_text="vocab.text.match_key(term)")
    playing_form = models.CharField(
        _("playing form"),
        max_length=text_fields.LENGTHS["playing_form"],
        blank=True,
        help_text=_("What is in the grid, if the list’s rules do not fit this word."),
    )
    answers: models.JSONField[list[str], list[str]] = models.JSONField(
        default=list,
        editable=False,
        help_text="The right forms, the played one first; empty if that is the term alone.",
    )
    tiles: models.JSONField[list[str], list[str]] = models.JSONField(default=list, editable=False)
    search = models.TextField(
        default="", editable=False, help_text="vocab.text.search_key of term and translations"
    )
    tag_line = models.TextField(
        default="", editable=False, help_text="The tags between line ends, to filter by."
    )
    part_of_speech = models.CharField(
        _("part of speech"), max_length=text_fields.LENGTHS["part_of_speech"], blank=True
    )
    pronunciation = models.CharField(
        _("pronunciation"), max_length=text_fields.LENGTHS["pronunciation"], blank=True
    )
    example = models.TextField(_("example"), blank=True)
    example_translation = models.TextField(_("translation of the example"), blank=True)
    hint = models.TextField(pgettext_lazy("word", "hint"), blank=True)
    note = models.TextField(_("note"), blank=True)
    image = models.ImageField(_("picture"), upload_to="entries/", blank=True)
    audio = models.FileField(_("sound"), upload_to="entries/", blank=True)
    tags: models.JSONField[list[str], list[str]] = models.JSONField(
        _("tags"), default=list, blank=True
    )
    extra: models.JSONField[dict[str, str], dict[str, str]] = models.JSONField(
        _("other columns"),
        default=dict,
        blank=True,
        help_text=_("Under their column name in the imported file."),
    )
    original: models.JSONField[dict[str, Any] | None, dict[str, Any] | None] = models.JSONField(
        null=True,
        editable=False,
        help_text="Of a copied entry: its original as a row, when it was copied or last pulled.",
    )
    former_keys = models.TextField(
        default="",
        editable=False,
        help_text="Corrections, one a line: the key before, a tab and the key after. Reviews of "
        "the key before are of the word after, too.",
    )
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    objects = EntryManager()
    everything: models.Manager[Entry] = models.Manager()

    class Meta:
        verbose_name = _("word")
        verbose_name_plural = _("words")
        ordering = ["position", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["vocabulary_list", "key"],
                condition=models.Q(deleted_at=None),
                name="one_entry_a_term",
            )
        ]
        indexes = [models.Index(fields=["vocabulary_list", "position"], name="words_of_a_list")]

    def __str__(self) -> str:
        return self.term

    @property
    def picture_version(self) -> str:
        """A part of the picture's URL that changes with the picture; "" without a picture."""
        return PurePosixPath(self.image.name or "").stem[:8]

    @property
    def played(self) -> str:
        """The form of the term that is in the grid."""
        return self.answers[0] if self.answers else self.term

    @property
    def right_forms(self) -> list[str]:
        """What is right as an answer: the played form, its alternatives, and the whole term.

        Where the articles are not played, an answer may have them or not.
        """
        if not self.answers:
            return [self.term]
        return list(dict.fromkeys((*self.answers, *self._forms_with_articles(), self.term)))

    def _forms_with_articles(self) -> tuple[str, ...]:
        vocabulary_list = self.vocabulary_list
        rules = set(vocabulary_list.playing_rules) - {"articles"}
        return playing_forms(self.term, vocabulary_list.language, rules)

    def set_term(self, term: str) -> None:
        """Change the term and what depends on it; the only place where tiles are cut.

        Its own `playing_form` has to be set before.
        """
        self.term = term
        self.key = match_key(term)
        forms = self.vocabulary_list.forms_of(term, self.playing_form)
        self.answers = [] if forms == [term] else forms
        self.tiles = list(self.vocabulary_list.tiles_of(forms[0]))

    def gap_sentence(self) -> str:
        """Return the example with a gap for the word, or "" if it would tell it."""
        return self._first_of(with_gap, self.example)

    def safe_hint(self) -> str:
        """Return the hint without the word, or "" if it would tell it."""
        return self._first_of(without_term, self.hint)

    def _first_of(self, clue: Callable[[str, str, str], str], text: str) -> str:
        """Return *text* as a clue that tells none of the right forms, or ""."""
        language = self.vocabulary_list.language
        found = next((one for form in self.right_forms if (one := clue(text, form, language))), "")
        return found

    def set_search(self, translations: Iterable[str]) -> None:
        """Update the search fields; call it after changing term, translations or tags."""
        self.set_tags(self.tags)
        self.search = search_key(" ".join((self.term, *translations)))

    def set_tags(self, tags: Iterable[str]) -> None:
        """Replace the tags; duplicates are dropped."""
        self.tags = list(dict.fromkeys(tags))
        self.tag_line = tag_line(self.tags)


class Translation(models.Model):
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="translations")
    language = models.CharField(max_length=35)
    text = models.CharField(max_length=text_fields.LONGEST_TRANSLATION)
    position = models.PositiveSmallIntegerField(default=0)

    class Meta:
        verbose_name = _("translation")
        verbose_name_plural = _("translations")
        ordering = ["position", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["entry", "language", "text"], name="a_translation_stands_once"
            )
        ]

    def __str__(self) -> str:
        return self.text


class Pronunciation(models.Model):
    """A sound: of a text in a language, for all lists, or a teacher's choice for one entry."""

    class Engine(models.TextChoices):
        ESPEAK = "espeak", _("Built-in voice")
        GTTS = "gtts", _("Google’s voice")
        RECORDING = "recording", _("Recording")

    class Origin(models.TextChoices):
        MADE = "made", _("Created automatically")
        CHOSEN = "chosen", _("Voice chosen by a teacher")
        UPLOADED = "uploaded", _("Uploaded by a teacher")
        RECORDED = "recorded", _("Recorded by a teacher")
        FILE = "file", _("From an imported file")

    class Speed(models.TextChoices):
        # Translators: the speed of a voice; so is “Slow”.
        NORMAL = "normal", _("Normal")
        SLOW = "slow", _("Slow")

    class State(models.TextChoices):
        READY = "ready", pgettext_lazy("sound", "Ready")
        WAITING = "waiting", pgettext_lazy("sound", "In preparation")
        NONE = "none", _("Cannot be pronounced")

    entry = models.ForeignKey(
        Entry,
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="pronunciations",
        help_text=_("Only set if a teacher chose it; otherwise the sound is shared by all lists."),
    )
    language = models.CharField(max_length=35)
    text = models.CharField(max_length=300, help_text="vocab.speech.engine.spoken_form(term)")
    speed = models.CharField(max_length=10, choices=Speed, default=Speed.NORMAL)
    engine = models.CharField(max_length=10, choices=Engine)
    voice = models.CharField(max_length=80, blank=True)
    origin = models.CharField(max_length=10, choices=Origin, default=Origin.MADE)
    state = models.CharField(max_length=10, choices=State, default=State.READY)
    reason = models.TextField(blank=True, help_text=_("Why there is no sound."))
    file = models.CharField(max_length=64, blank=True, help_text="Its name in the sound cache.")
    source = models.CharField(
        max_length=100, blank=True, help_text="The imported file that it was made of."
    )
    seconds = models.FloatField(null=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name = _("pronunciation")
        verbose_name_plural = _("pronunciations")
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["language", "text", "speed", "engine"],
                condition=models.Q(entry=None),
                name="an_engine_speaks_a_text_once",
            ),
            models.UniqueConstraint(
                fields=["entry", "speed"],
                condition=models.Q(entry__isnull=False),
                name="one_choice_an_entry_and_speed",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.text} · {self.get_engine_display()} · {self.get_speed_display()}"


class BlockedWord(models.Model):
    """A word that no puzzle of a school may show; without a school, of any school."""

    school = models.ForeignKey(
        "accounts.School",
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="blocked_words",
        help_text=_("Leave empty for all schools."),
    )
    word = models.CharField(_("word"), max_length=100)
    key = models.CharField(max_length=100, editable=False, help_text="vocab.text.search_key(word)")

    class Meta:
        verbose_name = _("blocked word")
        verbose_name_plural = _("blocked words")
        ordering = [Alphabetical("word"), "pk"]

    def __str__(self) -> str:
        return self.word

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.key = search_key(self.word)
        super().save(*args, **kwargs)
