"""The API's URLs, included from the apps by name."""

from __future__ import annotations

from functools import cache
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import include, path, re_path
from django.utils import translation
from django.views.decorators.http import require_safe
from drf_spectacular import authentication
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView
from rest_framework.exceptions import NotFound
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.views import APIView


class SessionScheme(authentication.SessionScheme):  # type: ignore[no-untyped-call]  # registers
    """Describe our subclass in the schema like the class it extends."""

    target_class = "osmosmjerka.accounts.auth.api_authentication.SessionAuthentication"


class SchemaView(SpectacularAPIView):
    """The description of the API, in English for everybody, as its texts are not translated."""

    throttle_classes = ()

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        translation.activate("en")

    @extend_schema(exclude=True)
    def get(self, request: Request) -> HttpResponse:
        media_type = request.accepted_renderer.media_type
        return HttpResponse(_described(media_type), content_type=media_type)


@cache
def _described(media_type: str) -> str | bytes:
    """Return the description in one format. It is made once: that takes half a second."""
    described = SchemaGenerator().get_schema(public=True)  # type: ignore[no-untyped-call]
    [renderer] = [one for one in SchemaView.renderer_classes if one.media_type == media_type]
    return renderer().render(described)


@require_safe
def description(request: HttpRequest) -> HttpResponse:
    """Show the description of the API to people."""
    return render(request, "api.html")


@extend_schema(exclude=True)
class NowhereView(APIView):
    """Respond to programs that ask for an unknown path, in JSON and in their language."""

    permission_classes = (AllowAny,)
    throttle_classes = ()

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        raise NotFound


app_name = "api"
urlpatterns = [
    path("", include("puzzles.api_urls")),
    path("", description, name="description"),
    path("schema/", SchemaView.as_view(), name="schema"),
    path("", include("osmosmjerka.accounts.api_urls")),
    path("", include("vocab.api_urls")),
    # With a slash at the end: Django redirects what lacks only that.
    re_path(r"^.*/$", NowhereView.as_view(), name="nowhere"),
]
