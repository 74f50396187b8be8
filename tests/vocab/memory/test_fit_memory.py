"""`manage.py fit_memory`: a site's own students decide how fast words are forgotten."""

import io
from datetime import UTC, datetime, timedelta
from random import Random

import pytest
from django.core.management import call_command

from osmosmjerka.accounts.models import User
from osmosmjerka.jobs import ledger
from osmosmjerka.jobs.models import Job
from vocab.memory import reviews
from vocab.memory.rules import REPLAY, rules_of
from vocab.memory.scheduling import DEFAULT
from vocab.models import FittedParameters, Review, WordProgress

pytestmark = pytest.mark.django_db
START = datetime(2026, 9, 1, 8, tzinfo=UTC)


@pytest.fixture
def forgetful_site(make_person, school, animals):
    """Twelve students who forget most words within days, whatever FSRS expects."""
    rng, rules = Random(5), rules_of(school)
    rows = []
    for _number in range(12):
        student = make_person(User.Role.STUDENT, school)
        for entry in animals.entries.all():
            day = 0
            for turn in range(10):
                day += rng.choice([1, 2, 4, 8])
                at = START + timedelta(days=day)
                rows.append(
                    Review(
                        student=student,
                        entry=entry,
                        word=entry.key,
                        mode="typed",
                        skill="meaning_to_form",
                        outcome="right" if rng.random() < 0.4 else "wrong",
                        source=f"{student.pk}:{entry.pk}:{turn}",
                        at=at,
                        day=rules.day_of(at),
                    )
                )
    Review.objects.bulk_create(rows)
    for student in User.objects.filter(reviews__isnull=False).distinct():
        reviews.replay(student=student)


def fit(**options):
    out = io.StringIO()
    call_command("fit_memory", stdout=out, **options)
    return out.getvalue()


def test_a_site_with_too_few_answers_keeps_its_parameters(student, animals):
    assert "Too little to fit" in fit()
    assert not FittedParameters.objects.exists()


def test_better_forecasts_are_kept_and_all_schedules_follow_them(forgetful_site, school):
    due = dict(WordProgress.objects.values_list("pk", "due_on"))
    assert "Would be kept" in fit(dry_run=True)
    assert not FittedParameters.objects.exists()
    assert "are kept" in fit()
    kept = FittedParameters.objects.get()
    assert kept.log_loss_after < kept.log_loss_before
    assert rules_of(school).model.parameters != DEFAULT.parameters
    ledger.run_job(str(Job.objects.get(kind=REPLAY).pk))
    assert dict(WordProgress.objects.values_list("pk", "due_on")) != due
