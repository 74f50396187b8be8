"""The API's URLs, included from the apps by name."""

from __future__ import annotations

from django.urls import include, path
from drf_spectacular.views import SpectacularAPIView

from osmosmjerka.accounts.auth.api import TokenView

app_name = "api"
urlpatterns = [
    path("schema/", SpectacularAPIView.as_view(), name="schema"),
    path("token/", TokenView.as_view(), name="token"),
    path("", include("vocab.api_urls")),
    path("", include("puzzles.api_urls")),
]
