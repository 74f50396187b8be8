"""One card a word, and reviews that say how a word was asked, when and whether it was tried."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

LEVELS = [
    (0, "new"),
    (1, "learning"),
    (2, "slipping"),
    (3, "known for days"),
    (4, "known for weeks"),
    (5, "known for months"),
]


def count(**options):
    return models.PositiveIntegerField(default=0, **options)


class Migration(migrations.Migration):
    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("vocab", "0006_removed_pictures_and_recordings"),
    ]

    operations = [
        migrations.AddField(
            "entry",
            "former_keys",
            models.TextField(
                default="",
                editable=False,
                help_text="Corrections, one a line: the key before, a tab and the key after. "
                "Reviews of the key before are of the word after, too.",
            ),
        ),
        migrations.RemoveIndex("review", "review_history"),
        migrations.AddField("review", "word", models.CharField(max_length=300, default="")),
        migrations.AddField("review", "mode", models.CharField(max_length=20, default="")),
        migrations.AddField("review", "day", models.DateField(null=True)),
        migrations.AddField("review", "recorded_at", models.DateTimeField(null=True)),
        migrations.AddField(
            "review",
            "is_slip",
            models.BooleanField(
                default=False,
                help_text="Wrong only by an accent or one letter, if that was accepted or not.",
            ),
        ),
        migrations.AddField(
            "review",
            "was_tried",
            models.BooleanField(
                default=True, help_text="False for a word left when a puzzle was finished early."
            ),
        ),
        migrations.AddField(
            "review",
            "gap",
            models.PositiveIntegerField(
                null=True,
                help_text="Days since the word was last met, if it was the first answer of its "
                "day.",
            ),
        ),
        # The summaries are rebuilt from the reviews, by the job that the next migration requests.
        migrations.DeleteModel("WordProgress"),
        migrations.CreateModel(
            "WordProgress",
            [
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "student",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="progress",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "entry",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="progress",
                        to="vocab.entry",
                    ),
                ),
                (
                    "asked",
                    count(help_text="How often it was asked: once a day, as the schedule counts."),
                ),
                ("right", count(help_text="Right at once, without help.")),
                ("helped", count(help_text="Right with hints, after wrong tries, or almost.")),
                ("wrong", count()),
                (
                    "delayed",
                    count(help_text="First tests at least a day after the word was last met."),
                ),
                ("recalled", count(help_text="Those of them that were right without help.")),
                (
                    "lapses",
                    count(help_text="How often it was forgotten after it had been learned."),
                ),
                ("level", models.PositiveSmallIntegerField(choices=LEVELS, default=1)),
                (
                    "stability",
                    models.FloatField(
                        help_text="Days until recall is expected with a chance of nine in ten."
                    ),
                ),
                (
                    "last_on",
                    models.DateField(help_text="The day of study on which it was last met."),
                ),
                ("due_on", models.DateField()),
                ("known_since", models.DateField(null=True)),
                (
                    "rests_until",
                    models.DateField(
                        null=True, help_text="After it was forgotten again and again."
                    ),
                ),
                (
                    "missed_on",
                    models.DateField(
                        null=True,
                        help_text="The day on which it was missed, until it is right again.",
                    ),
                ),
                ("last_at", models.DateTimeField()),
                (
                    "state",
                    models.JSONField(
                        default=dict, help_text="What else vocab.memory.card.Memory remembers."
                    ),
                ),
            ],
        ),
        migrations.AddConstraint(
            "wordprogress",
            models.UniqueConstraint(fields=["student", "entry"], name="one_progress_a_word"),
        ),
        migrations.AddIndex(
            "wordprogress", models.Index(fields=["student", "due_on"], name="words_due")
        ),
        migrations.AddIndex(
            "wordprogress",
            models.Index(
                fields=["student", "known_since"],
                condition=models.Q(known_since__isnull=False),
                name="words_known",
            ),
        ),
        migrations.RemoveField("studyday", "known_change"),
        migrations.AlterField("studyday", "reviews", count(help_text="Words that were tried.")),
        migrations.AlterField(
            "studyday", "right", count(help_text="Of these, right without help.")
        ),
        migrations.CreateModel(
            "FittedParameters",
            [
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("parameters", models.JSONField()),
                ("log_loss_before", models.FloatField()),
                ("log_loss_after", models.FloatField()),
                (
                    "reviews",
                    models.PositiveIntegerField(help_text="On which it was fitted and tested."),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={"ordering": ["-pk"]},
        ),
    ]
