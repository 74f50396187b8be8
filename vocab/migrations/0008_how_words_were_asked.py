"""Tell of old reviews which word was asked, how and on which day."""

from datetime import timedelta
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import migrations
from django.db.models import Exists, F, OuterRef, Subquery
from django.db.models.functions import TruncDate

BEGINS = timedelta(hours=4)  # when a day of study begins


def fill(apps, schema_editor):
    Review = apps.get_model("vocab", "Review")
    zone = ZoneInfo(settings.TIME_ZONE)
    Review.objects.update(recorded_at=F("at"), day=TruncDate(F("at") - BEGINS, tzinfo=zone))
    key = apps.get_model("vocab", "Entry").objects.filter(pk=OuterRef("entry")).values("key")
    Review.objects.update(word=Subquery(key))
    of_review = Review.objects.filter(session=None)
    for skill, mode in (
        ("meaning_to_form", "chosen"),
        ("spelling", "typed"),
        ("sound_to_form", "heard"),
    ):
        of_review.filter(skill=skill).update(mode=mode)
    # In a game, only a crossword asked for the spelling, in a second review of the same word.
    of_game = Review.objects.exclude(session=None)
    of_game.filter(skill="spelling").update(mode="crossword")
    spelt = Review.objects.filter(
        session=OuterRef("session"), entry=OuterRef("entry"), skill="spelling"
    )
    others = of_game.exclude(skill="spelling")
    crosswords = list(others.filter(Exists(spelt)).values_list("pk", flat=True))
    for start in range(0, len(crosswords), 500):
        Review.objects.filter(pk__in=crosswords[start : start + 500]).update(mode="crossword")
    of_game.filter(mode="", skill="sound_to_form").update(mode="finder")
    of_game.filter(mode="").update(mode="word-search")
    # Words left when a game was finished look like words that were shown on request. The next
    # migration of puzzles finds out which were shown.
    of_game.filter(outcome="wrong", wrong_tries=0).update(was_tried=False)


class Migration(migrations.Migration):
    dependencies = [
        ("vocab", "0007_one_card_a_word"),
    ]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
