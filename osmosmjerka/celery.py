"""The Celery application. It only carries tickets for jobs; see osmosmjerka.jobs.sending."""

from __future__ import annotations

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "osmosmjerka.settings")

app = Celery("osmosmjerka")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
