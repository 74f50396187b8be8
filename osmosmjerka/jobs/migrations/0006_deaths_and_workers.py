"""Deaths of workers are counted apart from failures, and a job says which worker runs it."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("jobs", "0005_fair_turns")]

    operations = [
        migrations.AddField(
            model_name="job",
            name="deaths",
            field=models.PositiveSmallIntegerField(default=0, editable=False),
        ),
        migrations.AddField(
            model_name="job",
            name="worker",
            field=models.CharField(blank=True, default="", editable=False, max_length=200),
        ),
    ]
