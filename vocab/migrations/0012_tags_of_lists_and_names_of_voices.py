from django.db import migrations, models

from vocab.text import search_key


def fill_search(apps, schema_editor):
    """Lists are found by their titles from now on."""
    VocabularyList = apps.get_model("vocab", "VocabularyList")
    lists = VocabularyList._base_manager.using(schema_editor.connection.alias)
    some = []
    for vocabulary_list in lists.only("pk", "title").iterator(chunk_size=500):
        vocabulary_list.search = search_key(vocabulary_list.title)
        some.append(vocabulary_list)
        if len(some) == 500:
            lists.bulk_update(some, ["search"])
            some = []
    lists.bulk_update(some, ["search"])


class Migration(migrations.Migration):
    dependencies = [
        ("vocab", "0011_playing_forms"),
    ]

    operations = [
        migrations.AddField(
            model_name="vocabularylist",
            name="tags",
            field=models.JSONField(blank=True, default=list, verbose_name="tags"),
        ),
        migrations.AddField(
            model_name="vocabularylist",
            name="tag_line",
            field=models.TextField(
                default="", editable=False, help_text="The tags between line ends, to filter by."
            ),
        ),
        migrations.AddField(
            model_name="vocabularylist",
            name="search",
            field=models.TextField(
                default="", editable=False, help_text="vocab.text.search_key of the title"
            ),
        ),
        migrations.AlterField(
            model_name="pronunciation",
            name="engine",
            field=models.CharField(
                choices=[
                    ("espeak", "Built-in voice"),
                    ("gtts", "Google’s voice"),
                    ("recording", "Recording"),
                ],
                max_length=10,
            ),
        ),
        migrations.AlterField(
            model_name="vocabularylist",
            name="voice_engine",
            field=models.CharField(
                blank=True,
                choices=[("espeak", "Built-in voice"), ("gtts", "Google’s voice")],
                help_text="Leave empty for the best available.",
                max_length=10,
                verbose_name="voice",
            ),
        ),
        migrations.RunPython(fill_search, migrations.RunPython.noop),
    ]
