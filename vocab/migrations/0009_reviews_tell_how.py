"""Every review tells how the word was asked and on which day."""

from django.db import migrations, models

MODES = [
    ("word-search", "Word search"),
    ("finder", "Listen and find"),
    ("crossword", "Crossword"),
    ("chosen", "Multiple choice"),
    ("typed", "Typed"),
    ("heard", "Dictation"),
]


class Migration(migrations.Migration):
    dependencies = [("vocab", "0008_how_words_were_asked")]

    operations = [
        migrations.AlterField(
            "review",
            "word",
            models.CharField(
                max_length=300,
                help_text="The key of the word that was asked: the entry may become another.",
            ),
        ),
        migrations.AlterField("review", "mode", models.CharField(max_length=20, choices=MODES)),
        migrations.AlterField(
            "review",
            "day",
            models.DateField(
                help_text="The day of study, in the time zone of the student's school."
            ),
        ),
        migrations.AlterField("review", "recorded_at", models.DateTimeField(auto_now_add=True)),
        migrations.AlterField(
            "review",
            "at",
            models.DateTimeField(
                help_text="When it was answered, perhaps on a device without a line."
            ),
        ),
        migrations.AddIndex(
            "review", models.Index(fields=["student", "entry", "at"], name="review_history")
        ),
        migrations.AddIndex(
            "review",
            models.Index(
                fields=["student", "day"],
                condition=models.Q(gap__isnull=False),
                name="delayed_reviews",
            ),
        ),
    ]
