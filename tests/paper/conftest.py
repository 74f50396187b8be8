import pytest

from osmosmjerka.paper import lettering, typefaces

CACHED = [
    typefaces.fonts,
    typefaces.east_asian,
    lettering._font_of,
    lettering.runs,
]


def forget():
    for cached in CACHED:
        cached.cache_clear()


@pytest.fixture
def no_installed_fonts(monkeypatch):
    """A machine that has only the fonts of the program."""
    monkeypatch.setattr(typefaces, "_installed", lambda: ())
    forget()
    yield
    forget()
