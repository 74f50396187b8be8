"""What gunicorn reads when it is started in this folder; options of its command win."""

from osmosmjerka.gunicorn_conf import (
    control_socket_disable,
    keepalive,
    logger_class,
    threads,
    worker_class,
)

__all__ = ["control_socket_disable", "keepalive", "logger_class", "threads", "worker_class"]
