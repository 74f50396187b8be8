"""Settings of gunicorn: `gunicorn -c python:osmosmjerka.gunicorn_conf osmosmjerka.wsgi`.

Options of its command win. In a checkout, `gunicorn.conf.py` takes them from here by itself.
"""

worker_class = "gthread"
# Few of them answer at once, see osmosmjerka.server.admission; the others wait.
threads = 250
logger_class = "osmosmjerka.server.gunicorn_log.Log"  # for LOG_FORMAT=json
# Seconds, as in `serve`: a student who looks for the next word needs no new connection for it. A
# connection that waits occupies no thread.
keepalive = 20
# A service may write to its data alone, not to the home where gunicorn would put this socket.
control_socket_disable = True
