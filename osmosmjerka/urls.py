"""The URLs of the site."""

from __future__ import annotations

from django.contrib import admin
from django.urls import include, path

from osmosmjerka.accounts.auth.views import set_language
from osmosmjerka.assets.offline import manifest, offline_page
from osmosmjerka.status import views as status_views
from osmosmjerka.web.help import help_index, help_topic
from osmosmjerka.web.views import admin_login

handler400 = "osmosmjerka.web.views.bad_request"
handler404 = "osmosmjerka.web.views.not_found"
handler500 = "osmosmjerka.web.views.server_error"

urlpatterns = [
    path("api/", include("osmosmjerka.rest.urls")),  # first: most requests are answers in a game
    path("admin/login/", admin_login),
    path("admin/", admin.site.urls),
    path("manifest.webmanifest", manifest, name="manifest"),
    path("offline/", offline_page, name="offline"),
    path("language/", set_language, name="set_language"),
    path("help/", help_index, name="help-index"),
    path("help/<slug:topic>/", help_topic, name="help"),
    path("status/", status_views.status, name="status"),
    path("status/mail/", status_views.test_mail, name="status-mail"),
    path("status/jobs/<uuid:pk>/retry/", status_views.retry, name="job-retry"),
    path("", include("osmosmjerka.accounts.urls")),
    path("", include("vocab.urls")),
    path("", include("puzzles.urls")),
]
