"""What gunicorn reads when it is started in this folder; options of its command win."""

from osmosmjerka.gunicorn_conf import keepalive as keepalive
from osmosmjerka.gunicorn_conf import worker_class as worker_class
