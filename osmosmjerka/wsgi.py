"""The WSGI application, for waitress (embedded) and gunicorn (production)."""

import gc
import os

from django.core.wsgi import get_wsgi_application
from django.urls import get_resolver

from osmosmjerka.server import preparation
from osmosmjerka.server.admission import Admission

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "osmosmjerka.settings")

django_application = get_wsgi_application()
application = Admission(django_application)
preparation.report()

# Load the pages' modules now, not at the first request. Then exclude them from garbage collection,
# which took a tenth of a second on every third long page.
_loaded = get_resolver().url_patterns
gc.collect()
gc.freeze()
# A request makes some thousand objects, almost all of which go by themselves. Python's default, to
# look for cycles at every 700, takes a tenth of the processor time of an answer.
gc.set_threshold(20_000, 20, 20)
