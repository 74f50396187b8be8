"""The review history and its summaries.

The history is authoritative. `record` appends to it and updates the summaries; `replay` rebuilds
them from it and gets exactly the same figures, because both count with `vocab.memory.card.Memory`.
"""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import date, datetime, timedelta
from typing import Any

from django.db import connection, transaction
from django.db.models import BooleanField, Exists, F, Q, QuerySet, Value
from django.db.models.functions import Concat

from osmosmjerka.accounts.models import User
from osmosmjerka.db.prepared import Prepared, columns_of, object_of
from vocab.memory import card
from vocab.memory.card import Counts, Memory
from vocab.memory.evidence import Answer
from vocab.memory.rules import Rules, last_fitted, rules_of, rules_with
from vocab.models import Entry, FittedParameters, Review, StudyDay, WordProgress
from vocab.text import match_key

_COUNTS = ["asked", "right", "helped", "wrong", "delayed", "recalled"]
_SUMMARY = [
    *_COUNTS, "lapses", "level", "stability", "last_on", "due_on", "urgent_on", "known_since",
    "rests_until", "missed_on", "last_at", "state",
]  # fmt: skip
_DAY = ["reviews", "right"]
_ANSWER = [one.name for one in fields(Answer)]


@dataclass(frozen=True, slots=True)
class GivenAnswer:
    """An answer to record.

    *entry* is an entry or its id; if it is gone for good, the answer is ignored. *source*
    identifies what is answered; a source that already has a review is ignored. *term* is the word
    as it was asked, by default the entry's. *given* is the wrong answer, if any. See
    `vocab.memory.evidence.Answer` for the rest.
    """

    entry: Entry | int
    mode: str
    skill: str
    outcome: str
    source: str
    at: datetime
    term: str = ""
    hints: int = 0
    wrong_tries: int = 0
    is_slip: bool = False
    was_tried: bool = True
    latency_ms: int | None = None
    session: uuid.UUID | None = None
    given: str = ""
    is_free_practice: bool = False

    @property
    def entry_id(self) -> int:
        return self.entry if isinstance(self.entry, int) else self.entry.pk


def review(*, student: User, **given: Any) -> Review | None:
    """Record one answer, see `GivenAnswer`; None if it was recorded before."""
    return next(iter(record(student=student, answers=[GivenAnswer(**given)])), None)


@transaction.atomic(savepoint=False)
def record(
    *, student: User, answers: Sequence[GivenAnswer], is_locked: bool = False
) -> list[Review]:
    """Append answers to the history and update the student's summaries, in few statements.

    Returns the new reviews, each with its entry. What is not evidence, such as a word that was not
    tried, is in the history only; see `vocab.memory.evidence`. *is_locked* says that the
    transaction has locked the student's row already.
    """
    if not is_locked:
        lock(student)
    known = _known_of(student, answers)
    new = {
        one.source: one
        for one in answers
        if one.source not in known.sources and one.entry_id in known.entries
    }
    if not new:
        return []
    rules, rows = rules_with(student.school, known.fitted), known.rows
    told = {key: memory_of(row) for key, row in rows.items()}
    last_at = {key: row.last_at for key, row in rows.items()}
    late, changed, records = set(), set(), []
    for one in sorted(new.values(), key=lambda one: one.at):
        key = one.entry_id
        entry = known.entries[key]
        made = _row(student, one, entry, rules)
        if key in last_at and one.at < last_at[key]:
            late.add(key)  # from a device that was offline: taken in order below
        elif is_of_this_word(made, entry):
            memory = told.setdefault(key, Memory())
            taken = memory.take(answer_of(made), seed_of(student, key), rules.model)
            made.gap, made.expected = taken.gap, taken.expected
            if taken.is_evidence:
                changed.add(key)
                last_at[key] = one.at
        records.append(made)
    Review.objects.bulk_create(records)
    again = _by_word(_history(student).filter(entry__in=late)) if late else {}
    for key, log in again.items():
        told[key], at = _replayed(student, known.entries[key], rules, log)
        if at is not None:
            last_at[key] = at
    summaries = (
        _written(rows.get(key), student, key, told[key], last_at[key])
        for key in sorted(changed | late)
        if key in last_at
    )
    _save(summaries)
    _add_to_days(student, records)
    return records


@dataclass(slots=True)
class _Stored:
    """What is known before answers are recorded: entries and summaries by the entry's id."""

    entries: dict[int, Entry]
    rows: dict[int, WordProgress]
    sources: set[str]
    fitted: list[float] | None


_ENTRY = ("id", "term", "key", "former_keys", "image")
_ONE_ENTRY = Prepared(
    Entry,
    lambda entry, source: Entry.everything.filter(pk=entry).annotate(
        fitted=last_fitted(), is_recorded=Exists(Review.objects.filter(source=source))
    ),
    columns_of(Entry, only=_ENTRY),
    {"fitted": FittedParameters._meta.get_field("parameters"), "is_recorded": BooleanField()},
    entry=int,
    source=str,
)
_ONE_SUMMARY = Prepared(
    WordProgress,
    lambda student, entry: WordProgress.objects.filter(student=student, entry=entry),
    columns_of(WordProgress),
    student=int,
    entry=int,
)


def _known_of(student: User, answers: Sequence[GivenAnswer]) -> _Stored:
    if len(answers) == 1:
        return _known_of_one(student, answers[0])
    recorded = Review.objects.filter(source__in=[one.source for one in answers])
    entries = (
        Entry.everything.filter(pk__in={one.entry_id for one in answers})
        .only(*_ENTRY)
        .annotate(fitted=last_fitted())
        .in_bulk()
    )
    rows = WordProgress.objects.filter(student=student, entry__in=entries)
    return _Stored(
        {**entries},
        {row.entry_id: row for row in rows},
        set(recorded.values_list("source", flat=True)),
        next((entry.fitted for entry in entries.values()), None),
    )


def _known_of_one(student: User, answer: GivenAnswer) -> _Stored:
    """Return what `_known_of` does; each answer in a game is one."""
    row = _ONE_ENTRY.row(entry=answer.entry_id, source=answer.source)
    if row is None:
        return _Stored({}, {}, set(), None)
    *values, fitted, is_recorded = row
    entry = object_of(Entry, values, only=_ENTRY)
    summary = _ONE_SUMMARY.row(student=student.pk, entry=entry.pk)
    rows = {} if summary is None else {entry.pk: object_of(WordProgress, summary)}
    return _Stored({entry.pk: entry}, rows, {answer.source} if is_recorded else set(), fitted)


def lock(student: User) -> None:
    """Serialise all writes for one student, for any words and days.

    Otherwise a replay could overwrite a review that arrived while it read the history. The lock
    does not block inserting rows that refer to the student. A database without locks for rows has
    locked everything when the transaction began.
    """
    if connection.features.has_select_for_update:
        list(User.objects.select_for_update(no_key=True).filter(pk=student.pk).values_list("pk"))


def seed_of(student: User, entry: int) -> str:
    """Return what decides the small random part of a word's intervals."""
    return f"{student.pk}:{entry}"


def answer_of(record: Review) -> Answer:
    """Return a review as the pure model of memory takes it."""
    return Answer(**{name: getattr(record, name) for name in _ANSWER})


def is_of_this_word(record: Review, entry: Entry) -> bool:
    """Return whether the review is of the entry's present word, not of what it was before."""
    return record.word == entry.key or f"\n{record.word}\t{entry.key}\n" in entry.former_keys


def of_present_words() -> Q:
    """Return the condition for reviews of which `is_of_this_word` is true."""
    former = Concat(Value("\n"), F("word"), Value("\t"), F("entry__key"), Value("\n"))
    return Q(word=F("entry__key")) | Q(entry__former_keys__contains=former)


def _row(student: User, one: GivenAnswer, entry: Entry, rules: Rules) -> Review:
    return Review(
        student_id=student.pk,
        entry=entry,
        word=match_key(one.term) if one.term else entry.key,
        mode=one.mode,
        skill=one.skill,
        outcome=one.outcome,
        hints=one.hints,
        wrong_tries=one.wrong_tries,
        is_slip=one.is_slip,
        was_tried=one.was_tried,
        latency_ms=one.latency_ms,
        source=one.source,
        session=one.session,
        given=one.given[:100],
        is_free_practice=one.is_free_practice,
        at=one.at,
        day=rules.day_of(one.at),
    )


def memory_of(row: WordProgress) -> Memory:
    """Return the memory that a summary stores."""
    state = row.state
    return Memory(
        card=card.card_from_json(state["card"]),
        before=card.card_from_json(state["before"]),
        counts=Counts(**{name: getattr(row, name) for name in _COUNTS}),
        counts_before=Counts(**state["counts_before"]),
        ways=card.ways_from_json(state["ways"]),
        was_test=state["was_test"],
        was_told=state["was_told"],
        typo_on=state["typo_on"] and date.fromisoformat(state["typo_on"]),
        tries=state["tries"],
        missed_on=row.missed_on,
    )


def _written(
    row: WordProgress | None, student: User, entry: int, memory: Memory, last_at: datetime
) -> WordProgress:
    """Return the row that stores *memory*: *row* or a new one."""
    row = row or WordProgress(student_id=student.pk, entry_id=entry)
    for name in _COUNTS:
        setattr(row, name, getattr(memory.counts, name))
    now = memory.card
    assert now.stability and now.last_on and now.due_on  # noqa: S101  (it was asked)
    row.lapses, row.level, row.stability = now.lapses, int(now.level), now.stability
    row.last_on, row.due_on, row.urgent_on = now.last_on, now.due_on, now.urgent_on
    row.known_since = now.known_since
    row.rests_until, row.missed_on, row.last_at = now.rests_until, memory.missed_on, last_at
    row.state = {
        "card": card.card_to_json(now),
        "before": card.card_to_json(memory.before),
        "counts_before": {name: getattr(memory.counts_before, name) for name in _COUNTS},
        "ways": card.ways_to_json(memory.ways),
        "was_test": memory.was_test,
        "was_told": memory.was_told,
        "typo_on": memory.typo_on and memory.typo_on.isoformat(),
        "tries": memory.tries,
    }
    return row


def _save(rows: Iterable[WordProgress]) -> None:
    rows = list(rows)
    changed = [row for row in rows if row.pk is not None]
    if len(changed) == 1:  # most often; quicker than a statement for many
        changed[0].save(update_fields=_SUMMARY)
    else:
        WordProgress.objects.bulk_update(changed, _SUMMARY, batch_size=100)
    WordProgress.objects.bulk_create([row for row in rows if row.pk is None])


def _replayed(
    student: User, entry: Entry, rules: Rules, records: Iterable[Review]
) -> tuple[Memory, datetime | None]:
    """Return the memory of one word from its history, and when it was last evidence.

    Brings what each review says of its delay and forecast up to date, because an answer that came
    late, or from another account, may have changed both.
    """
    memory, last_at, changed = Memory(), None, []
    for one in records:
        gap = expected = None
        if is_of_this_word(one, entry):
            taken = memory.take(answer_of(one), seed_of(student, entry.pk), rules.model)
            gap, expected = taken.gap, taken.expected
            last_at = one.at if taken.is_evidence else last_at
        if (one.gap, one.expected) != (gap, expected):
            one.gap, one.expected = gap, expected
            changed.append(one)
    Review.objects.bulk_update(changed, ["gap", "expected"], batch_size=200)
    return memory, last_at


def _history(student: User) -> QuerySet[Review]:
    """Return a student's reviews in order."""
    return Review.objects.filter(student=student).order_by("at", "pk")


def _by_word(records: Iterable[Review]) -> dict[int, list[Review]]:
    log: dict[int, list[Review]] = {}
    for one in records:
        log.setdefault(one.entry_id, []).append(one)
    return log


# Outside puzzles a word can be asked again and again: it counts once a day.
_WITHOUT_PUZZLE = frozenset({
    Review.Mode.CHOSEN, Review.Mode.TYPED, Review.Mode.HEARD, Review.Mode.CARD, Review.Mode.MATCHED,
})  # fmt: skip


def _day_counts(records: Iterable[Review]) -> dict[date, Counter[str]]:
    """Return what reviews, in order, add to their days."""
    days: dict[date, Counter[str]] = {}
    asked: set[tuple[int, date]] = set()  # words, without a puzzle
    for one in records:
        counts = days.setdefault(one.day, Counter())
        if one.mode in _WITHOUT_PUZZLE:
            if (one.entry_id, one.day) in asked:
                continue
            asked.add((one.entry_id, one.day))
        if one.was_tried:
            # What students say of themselves is practice, but no right answer: a leaderboard
            # counts those.
            is_judged = one.mode != Review.Mode.CARD
            is_right = one.outcome == Review.Outcome.RIGHT and not one.wrong_tries
            counts.update(reviews=1, right=int(is_judged and is_right))
    return days


def _add_to_days(student: User, records: Sequence[Review]) -> None:
    """Add what new reviews count to their days. The student's row is locked.

    A day is counted anew if an answer came late: another one may have been counted instead.
    """
    times: dict[tuple[int, date], list[datetime]] = {}
    if without_puzzle := [one for one in records if one.mode in _WITHOUT_PUZZLE]:
        same_words = Review.objects.filter(
            student=student,
            entry__in={one.entry_id for one in without_puzzle},
            day__in={one.day for one in without_puzzle},
            mode__in=_WITHOUT_PUZZLE,
        )
        for entry, day, at in same_words.values_list("entry", "day", "at"):
            times.setdefault((entry, day), []).append(at)
    again = {key: max(every) for key, every in times.items() if len(every) > 1}
    if len(records) == 1 and [*again.values()] == [records[0].at]:
        return  # asked before that day, most often because it was missed
    anew = {day for _entry, day in again}
    for day, counts in _day_counts(one for one in records if one.day not in anew).items():
        if counts["reviews"]:
            _set_day(student, day, {name: F(name) + counts[name] for name in _DAY}, counts)
    history = Review.objects.filter(student=student, day__in=anew).order_by("at", "pk")
    for day, counts in (_day_counts(history) if anew else {}).items():
        if counts["reviews"]:
            _set_day(student, day, counts, counts)


def _set_day(
    student: User, day: date, changes: Mapping[str, Any], counts: Mapping[str, int]
) -> None:
    """Change the row of a day, or create it with these counts."""
    changed = StudyDay.objects.filter(student=student, day=day).update(
        **{name: changes[name] for name in _DAY}
    )
    if not changed:
        StudyDay.objects.create(student=student, day=day, **{name: counts[name] for name in _DAY})


# How long a student may say that an answer was a typo.
TYPO_WITHIN = timedelta(minutes=10)


@transaction.atomic
def take_back(*, student: User, source: str, at: datetime) -> Review | None:
    """Let the student's last answer, typed wrong a moment ago, show nothing; it stays visible.

    Returns it, or None if it cannot be taken back. The word was told, so that what is answered
    later that day is no delayed recall.
    """
    lock(student)
    last = Review.objects.filter(student=student).order_by("-at", "-pk").first()
    is_typo = last is not None and last.source == source and bool(last.given)
    if last is None or not is_typo or last.mode == Review.Mode.CHOSEN or last.is_taken_back:
        return None
    if at - last.at > TYPO_WITHIN:
        return None
    Review.objects.filter(pk=last.pk).update(is_taken_back=True)
    rebuild_words(student, [Entry.everything.get(pk=last.entry_id)])
    return last


@transaction.atomic
def replay(*, student: User) -> int:
    """Rebuild all of a student's summaries from the history; return how many were different."""
    lock(student)
    history = list(_history(student))
    log = _by_word(history)
    entries = Entry.everything.in_bulk(list(log))
    rows = WordProgress.objects.filter(student=student)
    return _rebuilt(student, entries, log, rows) + _replay_days(student, _day_counts(history))


def _rebuilt(
    student: User,
    entries: Mapping[int, Entry],
    log: Mapping[int, Iterable[Review]],
    rows: Iterable[WordProgress],
) -> int:
    """Rebuild the summaries in *rows* from the *log* of their words; return how many differed."""
    rules, existing = rules_of(student.school), {row.entry_id: row for row in rows}
    different = []
    for key, records in log.items():
        memory, last_at = _replayed(student, entries[key], rules, records)
        if last_at is None:
            continue
        row = existing.pop(key, None)
        before = row and [getattr(row, name) for name in _SUMMARY]
        row = _written(row, student, key, memory, last_at)
        if before != [getattr(row, name) for name in _SUMMARY]:
            different.append(row)
    WordProgress.objects.filter(pk__in=[row.pk for row in existing.values()]).delete()
    _save(different)
    return len(different) + len(existing)


def _replay_days(student: User, days: dict[date, Counter[str]]) -> int:
    existing = {day.day: day for day in StudyDay.objects.filter(student=student)}
    changed = []
    for day, counts in days.items():
        if not counts["reviews"]:
            continue
        row = existing.pop(day, None) or StudyDay(student=student, day=day)
        if row.pk is None or any(getattr(row, name) != counts[name] for name in _DAY):
            for name in _DAY:
                setattr(row, name, counts[name])
            changed.append(row)
    StudyDay.objects.bulk_create([row for row in changed if row.pk is None], batch_size=500)
    StudyDay.objects.bulk_update([row for row in changed if row.pk], _DAY, batch_size=200)
    StudyDay.objects.filter(pk__in=[day.pk for day in existing.values()]).delete()
    return len(changed) + len(existing)


def students_with_reviews() -> list[int]:
    """Return the ids of the site's students with reviews or summaries."""
    has_any = Q(reviews__isnull=False) | Q(progress__isnull=False)
    students = User.objects.filter(has_any)
    return list(students.order_by("pk").values_list("pk", flat=True).distinct())


@transaction.atomic
def rebuild_words(student: User, entries: Iterable[Entry]) -> None:
    """Rebuild a student's summaries of some words from the history."""
    lock(student)
    words = {entry.pk: entry for entry in entries}
    log = _by_word(_history(student).filter(entry__in=words))
    rows = WordProgress.objects.filter(student=student, entry__in=words)
    _rebuilt(student, words, log, rows)
