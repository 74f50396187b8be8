"""What gunicorn reads when it is started in this folder; options of its command win."""

worker_class = "osmosmjerka.gunicorn_worker.PatientWorker"
