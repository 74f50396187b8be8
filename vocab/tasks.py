"""Background jobs about vocabulary; each handler calls one service."""

from __future__ import annotations

from datetime import timedelta

from osmosmjerka.accounts.models import User
from osmosmjerka.jobs.ledger import JobRun, handles
from vocab import purge
from vocab.imports import changes
from vocab.imports import services as imports
from vocab.memory import reviews
from vocab.memory.rules import REPLAY
from vocab.models import Import, VocabularyList
from vocab.sounds import render as sound_jobs
from vocab.sounds import services as sounds


@handles(sounds.RENDER, about=VocabularyList, time_limit=timedelta(hours=1))
def render(run: JobRun) -> None:
    sound_jobs.render_sounds(run)


@handles(sounds.IMPROVE)
def improve(run: JobRun) -> None:
    sound_jobs.improve_sounds(run)


@handles(sounds.REMAKE)
def remake(run: JobRun) -> None:
    sound_jobs.remake_sound(run)


@handles("vocab.purge", time_limit=timedelta(hours=1), is_daily=True)
def purge_daily(run: JobRun) -> None:
    """Remove what can no longer be undone."""
    counts = purge.purge()
    with run.finishing(**counts):
        pass


@handles(imports.JOB, about=Import)
def run_import(run: JobRun) -> None:
    """Apply or undo an import."""
    import_ = Import.objects.select_related("vocabulary_list").get(pk=run.arguments["import"])
    if import_.state in {Import.State.APPLYING, Import.State.UNDOING}:
        changes.carry_out(import_, run.arguments["what"], run.report)


@handles(REPLAY, time_limit=timedelta(hours=6))
def replay_memory(run: JobRun) -> None:
    """Rebuild what students remember, after rules changed; give way between students."""
    waiting = run.job.result.get("waiting")
    if waiting is None:
        waiting = run.arguments.get("students")
    if waiting is None:
        waiting = reviews.students_with_reviews()
    total = run.job.result.get("total", len(waiting))
    while waiting:
        for student in User.objects.filter(pk=waiting[0]).select_related("school"):
            reviews.replay(student=student)
        waiting = waiting[1:]
        run.report(round(100 * (total - len(waiting)) / total))
        if waiting and run.yield_turn({"waiting": waiting, "total": total}):
            return
    with run.finishing(students=total):
        pass
