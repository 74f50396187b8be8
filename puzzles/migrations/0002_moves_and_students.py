"""Rename what is a move, a student and an attempt; no row changes."""

from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("puzzles", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RenameModel("Find", "Move"),
        migrations.RenameModel("Told", "SyncCursor"),
        migrations.RemoveConstraint("move", "an_attempt_counts_once"),
        migrations.RenameField("move", "attempt", "client_id"),
        migrations.AddConstraint(
            "move",
            models.UniqueConstraint(fields=["session", "client_id"], name="a_move_counts_once"),
        ),
        migrations.RenameField("puzzle", "attempts", "grids_tried"),
        migrations.RenameField("assignment", "tries", "attempts"),
        migrations.RenameField("assignment", "chosen_pupils", "chosen_students"),
        migrations.RemoveConstraint("nickname", "a_nickname_is_one_pupils"),
        migrations.AddConstraint(
            "nickname",
            models.UniqueConstraint(
                fields=["classroom", "name"], name="a_nickname_is_one_students"
            ),
        ),
        migrations.RemoveConstraint("playsession", "one_session_a_try"),
        migrations.AddConstraint(
            "playsession",
            models.UniqueConstraint(
                fields=["puzzle", "student", "number"], name="one_session_an_attempt"
            ),
        ),
        migrations.AlterField(
            "move",
            "placement",
            models.ForeignKey(
                null=True,
                on_delete=models.CASCADE,
                related_name="moves",
                to="puzzles.placement",
            ),
        ),
        migrations.AlterField(
            "move",
            "session",
            models.ForeignKey(
                on_delete=models.CASCADE, related_name="moves", to="puzzles.playsession"
            ),
        ),
        migrations.AlterField(
            "playsession",
            "number",
            models.PositiveSmallIntegerField(
                default=1, help_text="Which of the student's attempts it is."
            ),
        ),
        migrations.AlterField(
            "crosswordsearch",
            "found",
            models.JSONField(
                default=dict, help_text="What puzzles.searches.shortlist.Shortlist keeps."
            ),
        ),
        migrations.AlterField(
            "puzzle",
            "adapted_for",
            models.ForeignKey(
                blank=True,
                help_text="The assignment of which this is one student's own version.",
                null=True,
                on_delete=models.CASCADE,
                related_name="own_puzzles",
                to="puzzles.assignment",
            ),
        ),
    ]
