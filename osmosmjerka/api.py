"""The API's URLs, included from the apps by name."""

from __future__ import annotations

from django.urls import include, path
from drf_spectacular import authentication
from drf_spectacular.views import SpectacularAPIView

from osmosmjerka.accounts.auth.api import TokenView


class SessionScheme(authentication.SessionScheme):  # type: ignore[no-untyped-call]  # registers
    """Describe our subclass in the schema like the class it extends."""

    target_class = "osmosmjerka.rest.SessionAuthentication"


app_name = "api"
urlpatterns = [
    path("schema/", SpectacularAPIView.as_view(), name="schema"),
    path("token/", TokenView.as_view(), name="token"),
    path("", include("vocab.api_urls")),
    path("", include("puzzles.api_urls")),
]
