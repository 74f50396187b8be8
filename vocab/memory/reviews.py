"""The review history and its summaries.

The history is authoritative. `review` appends to it and updates the summaries; `replay` rebuilds
them from it and gets exactly the same figures, because both count with
`vocab.memory.scheduling.Memory`.
"""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date, datetime

from django.db import transaction
from django.utils import timezone

from osmosmjerka.accounts.models import User
from vocab.memory import scheduling
from vocab.memory.scheduling import Memory
from vocab.models import Entry, Review, StudyDay, WordProgress

_COUNTS = ["reviews", "right", "hinted", "wrong", "lapses", "last_at", "schedule"]
_SUMMARY = [*_COUNTS, "due_at", "stability"]
_DAY = ["reviews", "right", "known_change"]


def day_of(at: datetime) -> date:
    """Return the calendar day in the site's time zone, whatever the reader's time zone."""
    return timezone.localtime(at, timezone.get_default_timezone()).date()


@transaction.atomic
def review(
    *,
    student: User,
    entry: Entry,
    skill: str,
    outcome: str,
    at: datetime,
    source: str,
    hints: int = 0,
    wrong_tries: int = 0,
    latency_ms: int | None = None,
    session: uuid.UUID | None = None,
    given: str = "",
    is_free_practice: bool = False,
) -> Review | None:
    """Append one review to the history and update the student's summaries.

    *source* identifies what is reviewed; for a source that already has a review, nothing is written
    and None is returned. *given* is the wrong answer, if any. Finding a word that is plainly
    visible (skill "form") and free practice are counted but do not change the schedule.
    """
    _one_at_a_time(student)
    before = WordProgress.objects.filter(student=student, entry=entry, skill=skill).first()
    record, is_new = Review.objects.get_or_create(
        source=source,
        defaults={
            "student": student,
            "entry": entry,
            "skill": skill,
            "outcome": outcome,
            "hints": hints,
            "wrong_tries": wrong_tries,
            "latency_ms": latency_ms,
            "session": session,
            "given": given[:100],
            "is_free_practice": is_free_practice,
            "expected": _forecast(before, at),
            "at": at,
        },
    )
    if not is_new:
        return None
    day, _created = StudyDay.objects.get_or_create(student=student, day=day_of(at))
    if Review.objects.filter(student=student, at__gte=at).exclude(pk=record.pk).exists():
        # The review is late, from a device that was offline: replay the history in its order.
        replay(student=student)
        return record
    progress, _created = WordProgress.objects.get_or_create(
        student=student, entry=entry, skill=skill, defaults={"last_at": at}
    )
    memory = Memory(**{name: getattr(progress, name) for name in _COUNTS})
    was_known = memory.is_known
    _take(memory, record)
    _write(progress, memory)
    progress.save()
    day.reviews += 1
    day.right += outcome == Review.Outcome.RIGHT
    if memory.is_known != was_known and not _is_known_otherwise(progress):
        day.known_change += 1 if memory.is_known else -1
    day.save()
    return record


def _one_at_a_time(student: User) -> None:
    """Serialise all writes for one student, for any words and days.

    Otherwise a replay could overwrite a review that arrived while it read the history. The lock
    does not block inserting rows that refer to the student.
    """
    list(User.objects.select_for_update(no_key=True).filter(pk=student.pk).values_list("pk"))


def _forecast(progress: WordProgress | None, at: datetime) -> float | None:
    if progress is None or progress.stability is None:
        return None
    last = datetime.fromisoformat(progress.schedule["last_review"])
    return scheduling.recall_chance(progress.stability, last, at)


def _is_known_otherwise(progress: WordProgress) -> bool:
    """Return whether the student knows the word in another skill."""
    return (
        WordProgress.objects.filter(
            student=progress.student_id,
            entry=progress.entry_id,
            stability__gte=scheduling.KNOWN_DAYS,
        )
        .exclude(pk=progress.pk)
        .exists()
    )


def _take(memory: Memory, record: Review) -> None:
    memory.take(
        record.outcome,
        record.at,
        moves_schedule=record.moves_schedule,
        after_wrong=record.wrong_tries > 0,
    )


def _write(progress: WordProgress, memory: Memory) -> None:
    for name in _COUNTS:
        setattr(progress, name, getattr(memory, name))
    progress.due_at = scheduling.due_at(memory.schedule)
    progress.stability = memory.stability


@dataclass
class Replayed:
    """Every summary of one student, rebuilt from the history."""

    memories: dict[tuple[int, str], Memory] = field(default_factory=dict)
    days: dict[date, Counter[str]] = field(default_factory=dict)

    def take(self, record: Review) -> None:
        key = (record.entry_id, record.skill)
        memory = self.memories.setdefault(key, Memory())
        knew = self._knows(record.entry_id)
        _take(memory, record)
        day = self.days.setdefault(day_of(record.at), Counter())
        day["reviews"] += 1
        day["right"] += record.outcome == Review.Outcome.RIGHT
        day["known_change"] += self._knows(record.entry_id) - knew

    def _knows(self, entry: int) -> bool:
        memories = (self.memories.get((entry, skill)) for skill in Review.Skill.values)
        return any(memory.is_known for memory in memories if memory is not None)


def replayed(records: Iterable[Review]) -> Replayed:
    """Return the summaries of *records*, which are one student's reviews in order."""
    told = Replayed()
    for record in records:
        told.take(record)
    return told


@transaction.atomic
def replay(*, student: User) -> int:
    """Rebuild all of a student's summaries from the history; return how many were different."""
    _one_at_a_time(student)
    log = Review.objects.filter(student=student).order_by("at", "pk")
    told = replayed(log.iterator(chunk_size=5000))
    existing = {
        (progress.entry_id, progress.skill): progress
        for progress in WordProgress.objects.filter(student=student)
    }
    different = []
    for (entry_id, skill), memory in told.memories.items():
        progress = existing.pop((entry_id, skill), None)
        before = progress and [getattr(progress, name) for name in _SUMMARY]
        if progress is None:
            progress = WordProgress(student=student, entry_id=entry_id, skill=skill)
        _write(progress, memory)
        if before != [getattr(progress, name) for name in _SUMMARY]:
            different.append(progress)
    WordProgress.objects.filter(pk__in=[progress.pk for progress in existing.values()]).delete()
    WordProgress.objects.bulk_create(
        [progress for progress in different if progress.pk is None], batch_size=500
    )
    WordProgress.objects.bulk_update(
        [progress for progress in different if progress.pk is not None],
        _SUMMARY,
        batch_size=200,
    )
    return len(different) + len(existing) + _replay_days(student, told)


def _replay_days(student: User, told: Replayed) -> int:
    existing = {day.day: day for day in StudyDay.objects.filter(student=student)}
    changed = 0
    for day, counts in told.days.items():
        row = existing.pop(day, None) or StudyDay(student=student, day=day)
        if row.pk is None or any(getattr(row, name) != counts[name] for name in _DAY):
            for name in _DAY:
                setattr(row, name, counts[name])
            row.save()
            changed += 1
    StudyDay.objects.filter(pk__in=[day.pk for day in existing.values()]).delete()
    return changed + len(existing)
