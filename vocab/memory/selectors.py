"""What a student remembers, read from the summaries, ready for display."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import accumulate
from uuid import UUID

from django.db.models import Case, Count, Max, Q, QuerySet, When, prefetch_related_objects
from django.db.models.functions import Coalesce

from osmosmjerka.accounts.models import User
from osmosmjerka.db.collation import Alphabetical
from vocab.memory.card import BRIDGED, LAPSES_OF_A_LEECH, Knowing, ways_from_json
from vocab.memory.evidence import Skill
from vocab.memory.streaks import DayState, Streak, streak, week
from vocab.models import Entry, Review, StudyDay, WordProgress

Level = WordProgress.Level
KNOWN = Level.DAYS  # this level and those above it are shown as known
# A word that was forgotten again and again after it was learnt, and is not known now.
LEECH = Q(lapses__gte=LAPSES_OF_A_LEECH, level__lt=KNOWN)
# What `RememberedWord.falls_due` is, for queries.
FALLS_DUE = Coalesce("urgent_on", "due_on")


@dataclass(frozen=True, slots=True)
class RememberedWord:
    """One word that a student was asked, on the day of study *today*."""

    entry: Entry
    progress: WordProgress
    today: date

    @property
    def level(self) -> Level:
        return Level(self.progress.level)

    @property
    def is_known(self) -> bool:
        return self.level >= KNOWN

    @property
    def falls_due(self) -> date:
        """The day from which it comes before new words."""
        return self.progress.urgent_on or self.progress.due_on

    @property
    def is_due(self) -> bool:
        return self.falls_due <= self.today

    @property
    def days_to_go(self) -> int:
        """In how many days it is due for review; 0 for today, also if it is overdue."""
        return max(0, (self.falls_due - self.today).days)

    @property
    def is_heard(self) -> bool:
        """Whether the student has understood it by ear, without help."""
        return self._has(Skill.SOUND_TO_FORM)

    @property
    def is_spelt(self) -> bool:
        """Whether the student has spelt it without help."""
        return self._has(Skill.SPELLING)

    @property
    def ways(self) -> dict[str, Knowing]:
        """Facts of each way of knowing the word that was asked."""
        return ways_from_json(self.progress.state["ways"])

    def _has(self, skill: Skill) -> bool:
        way = self.ways.get(skill)
        return way is not None and way.right > 0


def progress_of(student: User, entries: QuerySet[Entry] | None = None) -> QuerySet[WordProgress]:
    """Return the summaries of a student's words, without those that were deleted."""
    rows = WordProgress.objects.filter(
        student=student, entry__deleted_at=None, entry__vocabulary_list__deleted_at=None
    )
    return rows if entries is None else rows.filter(entry__in=entries.order_by())


def words_of_student(
    student: User, today: date, entries: QuerySet[Entry] | None = None
) -> list[RememberedWord]:
    """Return every word that the student was asked, the weakest first, then alphabetically."""
    return remembered(weakest_first(progress_of(student, entries)), today)


def weakest_first(rows: QuerySet[WordProgress]) -> QuerySet[WordProgress]:
    """Return summaries with the weakest words first, equal ones alphabetically.

    Words of one language are sorted by its alphabet, words of several by the reader's. Of their
    entries, only what pages show beside a summary is read.
    """
    return _shown(rows).order_by("level", "stability", "-wrong", _alphabet_of(rows), "pk")


def alphabetically(rows: QuerySet[WordProgress]) -> QuerySet[WordProgress]:
    """Return summaries in the order of their words; see `weakest_first`."""
    return _shown(rows).order_by(_alphabet_of(rows), "pk")


def newest_first(rows: QuerySet[WordProgress]) -> QuerySet[WordProgress]:
    """Return summaries with the words first that were asked for the first time last."""
    return _shown(rows).order_by("-pk")


def _shown(rows: QuerySet[WordProgress]) -> QuerySet[WordProgress]:
    own = [field.name for field in WordProgress._meta.concrete_fields]
    of_entry = ("entry__term", "entry__image", "entry__vocabulary_list__language")
    return rows.select_related("entry__vocabulary_list").only(*own, *of_entry)


def _alphabet_of(rows: QuerySet[WordProgress]) -> Alphabetical:
    languages = rows.order_by().values_list("entry__vocabulary_list__language", flat=True)
    found = list(languages.distinct()[:2])
    return Alphabetical("entry__term", language=found[0] if len(found) == 1 else "")


def remembered(rows: Iterable[WordProgress], today: date) -> list[RememberedWord]:
    """Return the words of these summaries, in their order; see `weakest_first`."""
    return [RememberedWord(row.entry, row, today) for row in rows]


def resisting(student: User, hidden: Collection[int], most: int = 5) -> list[Entry]:
    """Return the tricky words: missed more than once and not known yet, most missed first.

    Entries that are *hidden*, by id, are left out.
    """
    entries = (
        Entry.objects.filter(
            vocabulary_list__deleted_at=None,
            progress__student=student,
            progress__wrong__gt=1,
            progress__level__lt=KNOWN,
        )
        .exclude(pk__in=hidden)
        .select_related("vocabulary_list")
        .only("term", "vocabulary_list__language")
        .prefetch_related("translations")
        .order_by("-progress__wrong", "progress__level", "progress__stability", "progress__pk")
    )
    return list(entries[:most])


def know_translations(entries: Sequence[Entry]) -> None:
    """Read the translations of entries, so that `translations.all` asks nothing."""
    prefetch_related_objects(entries, "translations")


def leeches(students: Sequence[User], entries: QuerySet[Entry]) -> QuerySet[WordProgress]:
    """Return words that were forgotten again and again after they were learnt, the worst first."""
    return (
        WordProgress.objects.filter(LEECH, student__in=students, entry__in=entries.order_by())
        .select_related("entry__vocabulary_list", "student")
        .order_by("-lapses", "pk")
    )


def load(
    student: User, today: date, lists: Collection[int], *, days: int = 14
) -> list[tuple[date, int]]:
    """Return how many words fall due on each of the coming days; today with what is overdue.

    *lists* are the ids of the lists that count.
    """
    mine = progress_of(student).filter(entry__vocabulary_list__in=lists)
    return falling_due(mine, today, days)


def falling_due(words: QuerySet[WordProgress], today: date, days: int) -> list[tuple[date, int]]:
    """Return how many of *words* fall due on each of the coming days; today with overdue ones."""
    coming = [today + timedelta(days=number) for number in range(days)]
    counts: Counter[date] = Counter()
    rows = words.order_by().annotate(on=FALLS_DUE).filter(on__lte=coming[-1]).values_list("on")
    for on, count in rows.annotate(Count("pk")):
        counts[max(on, today)] += count
    return [(day, counts[day]) for day in coming]


def history(student: User, entry: Entry) -> QuerySet[Review]:
    """Return the reviews of a word, newest first."""
    return Review.objects.filter(student=student, entry=entry).order_by("-at", "-pk")


@dataclass(frozen=True, slots=True)
class Days:
    """A student's days: the streak, and since when the words known today have been known.

    *met* is how many words the student was asked, *known_today* how many of them they know, *week*
    are the last seven days.
    """

    streak: Streak
    week: Sequence[tuple[date, DayState]]
    known: Sequence[tuple[date, int]]
    met: int
    known_today: int


def practised_days(student: User, today: date) -> dict[date, int]:
    """Return the days on which a student practised, with how many answers they gave."""
    days = StudyDay.objects.filter(student=student, day__lte=today, reviews__gt=0)
    return dict(days.values_list("day", "reviews"))


def days_of_student(student: User, today: date, *, most: int = 90) -> Days:
    """Return the student's streak, and the words known over the last *most* days.

    Counts the words that are known today, by the day since when they are.
    """
    words = progress_of(student).order_by().values_list("known_since", "level")
    since: Counter[date] = Counter()
    levels: Counter[int] = Counter()
    for day, level, count in words.annotate(words=Count("pk")):
        levels[level] += count
        if day is not None and day <= today:
            since[day] += count
    days = sorted(since)
    totals = dict(zip(days, accumulate(since[day] for day in days), strict=True))
    first = today - timedelta(days=most - 1)
    shown = [(day, count) for day, count in totals.items() if day >= first]
    earlier = [count for day, count in totals.items() if day < first]
    if earlier:
        shown.insert(0, (first, earlier[-1]))
    if shown and shown[-1][0] != today:
        shown.append((today, shown[-1][1]))
    practised = practised_days(student, today)
    return Days(
        streak(practised, today),
        week(practised, today),
        shown,
        met=levels.total(),
        known_today=sum(count for level, count in levels.items() if level >= KNOWN),
    )


def words_on(student: User, day: date) -> int:
    """Return how many words a student answered on a day, each once; not those of play for fun."""
    return WordProgress.objects.filter(student=student, last_on=day).count()


@dataclass(frozen=True, slots=True)
class EndedGame:
    """A game: the key by which reviews name it, and when it ended."""

    pk: UUID
    ended_at: datetime


def was_answered_before(student: User, day: date, game: EndedGame) -> bool:
    """Return whether a student answered anything on a day before a game ended, but not in it."""
    tried = Review.objects.filter(student=student, day=day, was_tried=True, at__lte=game.ended_at)
    return tried.filter(Q(session=None) | ~Q(session=game.pk)).exists()


_RECALLED = Q(
    mode__in=(Review.Mode.CROSSWORD, Review.Mode.TYPED),
    skill=Review.Skill.MEANING_TO_FORM,
    outcome=Review.Outcome.RIGHT,
    hints=0,
    wrong_tries=0,
    is_slip=False,
    is_free_practice=False,
    was_tried=True,
)


def first_in(student: User, day: date, session: UUID) -> tuple[set[int], set[int]]:
    """Return the words first answered on a day in a game, and those first recalled in it.

    They are ids of entries. A word can be found in one game and recalled in the next.
    """
    tried = Review.objects.filter(student=student, day=day, was_tried=True)
    is_recall = Case(When(_RECALLED, then=True), default=False)
    rows = tried.annotate(is_recall=is_recall).order_by("at", "pk")
    answered: dict[int, UUID | None] = {}
    recalled: dict[int, UUID | None] = {}
    for entry, of_session, was_recall in rows.values_list("entry", "session", "is_recall"):
        answered.setdefault(entry, of_session)
        if was_recall:
            recalled.setdefault(entry, of_session)
    return (
        {entry for entry, of_session in answered.items() if of_session == session},
        {entry for entry, of_session in recalled.items() if of_session == session},
    )


def ever_recalled(
    student: User, today: date, game: EndedGame | None = None
) -> dict[Level, tuple[int, int]]:
    """Return how many words a student ever recalled without help after the gap of each level.

    With it, how many of them before *today*; or, when a *game* had ended, how many then and how
    many of them outside it. It is counted from the reviews, so that it never falls: a word that
    slipped was known.
    """
    earlier, until = Q(day__lt=today), Q()
    if game is not None:
        earlier, until = Q(session=None) | ~Q(session=game.pk), Q(at__lte=game.ended_at)
    wanted = {
        f"{level.name}_{when}": Count("entry", distinct=True, filter=Q(gap__gte=days) & before)
        for level, days in BRIDGED.items()
        for when, before in (("ever", Q()), ("before", earlier))
    }
    found = Review.objects.filter(
        _RECALLED, until, student=student, gap__gte=min(BRIDGED.values()), day__lte=today
    ).aggregate(**wanted)
    return {
        level: (found[f"{level.name}_ever"], found[f"{level.name}_before"])
        for level in map(Level, BRIDGED)
    }


@dataclass(frozen=True, slots=True)
class BestLevel:
    """How well a word is known *now*, and how well it was known at *best*."""

    now: Level
    best: Level


def best_levels(student: User, entries: Collection[int]) -> dict[int, BestLevel]:
    """Return the levels of those of these entries, by id, that a student was asked.

    Like `ever_recalled`, the best one is counted from the reviews, so that it never falls.
    """
    rows = progress_of(student).filter(entry__in=entries).order_by().values_list("entry", "level")
    now = {entry: Level(level) for entry, level in rows}
    gaps = (
        Review.objects.filter(_RECALLED, student=student, entry__in=entries)
        .filter(gap__gte=min(BRIDGED.values()))
        .order_by()
        .values_list("entry")
        .annotate(Max("gap"))
    )
    best = {
        entry: max(Level(level) for level, days in BRIDGED.items() if gap >= days)
        for entry, gap in gaps
    }
    return {
        entry: BestLevel(level, max(level, best.get(entry, level))) for entry, level in now.items()
    }


def known_counts(
    students: Iterable[int] | QuerySet[User],
    *,
    since: date | None = None,
    until: date | None = None,
) -> dict[int, int]:
    """Return how many words each student knows, or came to know between two days and still knows.

    *students* are ids or a queryset; students who know none are missing.
    """
    rows = WordProgress.objects.filter(
        student__in=students,
        known_since__isnull=False,
        entry__deleted_at=None,
        entry__vocabulary_list__deleted_at=None,
    )
    if since is not None:
        rows = rows.filter(known_since__gte=since)
    if until is not None:
        rows = rows.filter(known_since__lte=until)
    return dict(rows.order_by().values_list("student").annotate(Count("pk")))
