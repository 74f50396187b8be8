"""Which static files of the packages we use are collected."""

from __future__ import annotations

from django.contrib.staticfiles.apps import StaticFilesConfig


class OurStaticFilesConfig(StaticFilesConfig):
    # 13 MB of another way to show the description of the API.
    ignore_patterns = [*StaticFilesConfig.ignore_patterns, "drf_spectacular_sidecar/redoc"]
