"""Where the program's own files are, and where a site keeps its own by default.

In a checkout both are the folder of the repository. An installed package has its templates, guides
and translations inside (`hatch_build.py` puts them there) and keeps a site in the current folder.
"""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
_SHIPPED = _PACKAGE / "_shipped"

IS_INSTALLED = _SHIPPED.is_dir()
PROGRAM = _SHIPPED if IS_INSTALLED else _PACKAGE.parent
"""The folder with templates/, locale/, and the guides in docs/."""
SITE = Path.cwd() if IS_INSTALLED else _PACKAGE.parent
"""The folder with .env and var/, unless a variable names another."""
