"""The fonts for print: those of this package, and larger ones that are installed on the machine.

This package has fonts for the script of every language that is offered, but for Chinese, Japanese
and Korean, whose fonts are as large as the rest of the program. They are looked for in the folder
that the environment variable OSMOSMJERKA_PRINT_FONTS names, in the wheel `noto-cjk-sans-otc`, and
where Linux distributions install Noto Sans CJK.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import regex

if TYPE_CHECKING:
    import uharfbuzz

EAST_ASIAN_PACKAGE = "fonts-noto-cjk"
"""What Debian and Ubuntu call the package of fonts for Chinese, Japanese and Korean."""
_FOLDER = Path(__file__).parent / "fonts"
_EAST_ASIAN_FILES = (
    "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc",  # Debian, Ubuntu
    "/usr/share/fonts/noto/NotoSansCJK-Regular.ttc",  # Alpine
    "/usr/share/fonts/noto-cjk/NotoSansCJK-Regular.ttc",  # Arch
    "/usr/share/fonts/google-noto-sans-cjk-fonts/NotoSansCJK-Regular.ttc",  # Fedora
)
_EXTENSIONS = frozenset([".otc", ".otf", ".ttc", ".ttf"])
# Of Chinese characters, each region writes some differently. A font's name says whose it has.
_REGION = regex.compile(r"\b(JP|KR|SC|TC|HK)\b")
_REGIONS_OF_LANGUAGES = {
    "ja": "JP",
    "ko": "KR",
    "yue": "HK",
    "zh": "SC",
    "zh-Hant": "TC",
    "zh-HK": "HK",
    "zh-Hant-HK": "HK",
    "zh-MO": "HK",
    "zh-TW": "TC",
}
_REGIONS_OF_LETTERS = (
    ("JP", regex.compile(r"[\p{Hiragana}\p{Katakana}]")),
    ("KR", regex.compile(r"\p{Hangul}")),
    ("TC", regex.compile(r"\p{Bopomofo}")),
)
_IGNORABLE = regex.compile(r"\p{Default_Ignorable_Code_Point}")


@dataclass(frozen=True, slots=True, eq=False)
class Font:
    """A font; *name* is its PostScript name, *face* what it is made of, *letters* code points."""

    name: str
    face: uharfbuzz.Face
    shaper: uharfbuzz.Font
    letters: uharfbuzz.Set

    def has(self, text: str) -> bool:
        """Whether it has all letters of *text*. What is never seen needs no shape."""
        return all(ord(c) in self.letters or _IGNORABLE.match(c) for c in text)


@cache
def fonts() -> tuple[Font, ...]:
    """Return the fonts by preference, starting with the one for Latin letters.

    Without uharfbuzz, which reads them, there are none. SVG can do without: letters have the fonts
    of the viewer there, and only their widths are guessed.
    """
    own = [font for path in sorted(_FOLDER.glob("*.ttf")) for _, font in _faces(path)]
    return (*own, *(font for region, font in _installed() if not region))


@cache
def east_asian() -> dict[str, Font]:
    """Return the fonts for Chinese, Japanese and Korean by region: JP, KR, SC, TC, HK.

    Empty if none is installed.
    """
    found: dict[str, Font] = {}
    for region, font in _installed():
        if region:
            found.setdefault(region, font)
    return found


def east_asian_for(text: str, language: str | None) -> Font | None:
    """Return the font that writes the Chinese characters of *text* as *language* does.

    If that is another language, such as the one that Chinese words are translated to, the other
    letters of *text* decide. Any of the fonts is better than none.
    """
    found = east_asian()
    by_letters = (region for region, letters in _REGIONS_OF_LETTERS if letters.search(text))
    region = region_of(language) or next(by_letters, "SC")
    return found.get(region) or next(iter(found.values()), None)


def region_of(language: str | None) -> str:
    """Return whose Chinese characters *language* writes: JP, KR, SC, TC, HK, or "" if nobody's."""
    subtags = (language or "").split("-")
    prefixes = ("-".join(subtags[:count]) for count in range(len(subtags), 0, -1))
    return next(filter(None, map(_REGIONS_OF_LANGUAGES.get, prefixes)), "")


@cache
def _installed() -> tuple[tuple[str, Font], ...]:
    """Return (region or "", font) of the fonts that are not part of this package."""
    folder = os.environ.get("OSMOSMJERKA_PRINT_FONTS", "")
    paths = sorted(Path(folder).glob("*")) if folder else []
    wheel = find_spec("noto_cjk_sans_otc")
    if wheel is not None:
        for place in wheel.submodule_search_locations or ():
            paths += sorted(Path(place).glob("*.ttc"))
    paths += map(Path, _EAST_ASIAN_FILES)
    return tuple(
        face
        for path in paths
        if path.suffix.lower() in _EXTENSIONS and path.is_file()
        for face in _faces(path)
    )


def _faces(path: Path) -> Iterator[tuple[str, Font]]:
    """Yield (region or "", font) of the faces of a file that a PDF can hold."""
    try:
        import uharfbuzz
    except ModuleNotFoundError:  # the library of the generators without its extra for print
        return
    blob = uharfbuzz.Blob.from_file_path(str(path))
    for index in range(max(uharfbuzz.Face(blob).count, 1)):
        face = uharfbuzz.Face(blob, index)
        if not {"glyf", "CFF "} & set(face.table_tags):
            continue
        full_name = face.get_name(uharfbuzz.OTNameIdPredefined.FULL_NAME) or ""
        if " Mono " in full_name:
            continue
        name = face.get_name(uharfbuzz.OTNameIdPredefined.POSTSCRIPT_NAME) or path.stem
        found = _REGION.search(full_name)
        region = found.group(1) if found else ""
        yield region, Font(name, face, uharfbuzz.Font(face), face.unicodes)
