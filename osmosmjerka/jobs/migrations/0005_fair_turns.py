"""Fair turns, and what a job is about in a column of its own instead of the beginning of its key."""

import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

# kind of job: the model it is about, and the argument with its id
SUBJECTS = {
    "puzzles.generate": ("puzzles.puzzle", "puzzle"),
    "puzzles.search": ("puzzles.crosswordsearch", "search"),
    "vocabulary-import": ("vocab.import", "import"),
    "vocab.render_sounds": ("vocab.vocabularylist", "list"),
    "vocab.improve_sounds": ("vocab.vocabularylist", "list"),
    "vocab.remake_sound": ("vocab.entry", "entry"),
}


def name_subjects(apps, schema_editor):
    Job = apps.get_model("jobs", "Job")
    # Until now, due_at also said until when a job that failed or waits must not run.
    Job.objects.filter(state="queued").update(ready_at=models.F("created_at"))
    some = []
    for job in Job.objects.filter(kind__in=SUBJECTS).only("kind", "arguments").iterator():
        model, argument = SUBJECTS[job.kind]
        if argument in job.arguments:
            job.subject = f"{model}:{job.arguments[argument]}"
            some.append(job)
        if len(some) == 1000:
            Job.objects.bulk_update(some, ["subject"])
            some = []
    Job.objects.bulk_update(some, ["subject"])


class Migration(migrations.Migration):
    dependencies = [
        ("jobs", "0004_plain_words"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Queue",
            fields=[("name", models.CharField(max_length=30, primary_key=True, serialize=False))],
        ),
        migrations.AddField(
            model_name="job",
            name="ready_at",
            field=models.DateTimeField(default=django.utils.timezone.now, editable=False),
        ),
        migrations.AddField(
            model_name="job",
            name="subject",
            field=models.CharField(blank=True, editable=False, max_length=100),
        ),
        migrations.AddField(
            model_name="workerheartbeat",
            name="slots",
            field=models.JSONField(default=dict),
        ),
        migrations.AddIndex(
            model_name="job",
            index=models.Index(fields=["subject", "-created_at"], name="jobs_about"),
        ),
        migrations.AddIndex(
            model_name="job",
            index=models.Index(
                fields=["queue", "state", "ready_at"],
                name="jobs_waiting",
            ),
        ),
        migrations.AddIndex(
            model_name="job",
            index=models.Index(fields=["queue", "started_at", "owner"], name="jobs_served"),
        ),
        migrations.AddIndex(
            model_name="job",
            index=models.Index(fields=["state", "finished_at"], name="jobs_finished"),
        ),
        # Last, because PostgreSQL cannot change a table after its rows in one transaction.
        migrations.RunPython(name_subjects, migrations.RunPython.noop),
    ]
