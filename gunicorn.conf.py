"""What gunicorn reads when it is started in this folder; options of its command win."""

worker_class = "osmosmjerka.gunicorn_worker.PatientWorker"
logger_class = "osmosmjerka.gunicorn_worker.Log"  # for LOG_FORMAT=json
# Seconds, as in `serve`: a student who looks for the next word needs no new connection for it. A
# connection that waits occupies no thread.
keepalive = 20
