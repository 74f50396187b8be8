"""Tell of old reviews in which kind of puzzle the word was asked, and which words were tried, and
request new summaries."""

from django.db import migrations
from django.utils import timezone


def fill(apps, schema_editor):
    Review = apps.get_model("vocab", "Review")
    PlaySession = apps.get_model("puzzles", "PlaySession")
    Move = apps.get_model("puzzles", "Move")
    for kind in ("word-search", "finder", "crossword"):
        played = PlaySession.objects.filter(puzzle__kind=kind)
        of_kind = Review.objects.filter(session__in=played.values("pk"))
        of_kind.exclude(mode=kind).update(mode=kind)
    shown = Move.objects.filter(outcome="revealed").exclude(placement__entry=None)
    for session, entry in shown.values_list("session", "placement__entry").iterator():
        Review.objects.filter(session=session, entry=entry).update(was_tried=True)
    # Only now do the reviews say all: a worker rebuilds the summaries from them.
    if Review.objects.exists():
        at = timezone.now()
        apps.get_model("jobs", "Job").objects.create(
            kind="vocab.replay_memory", key="vocab.replay_memory:0008", due_at=at, ready_at=at
        )


class Migration(migrations.Migration):
    dependencies = [
        ("puzzles", "0005_refused_statements"),
        ("vocab", "0009_reviews_tell_how"),
        ("jobs", "0005_fair_turns"),
    ]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
