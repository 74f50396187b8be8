"""The letters of each language, for filling a grid and for the on-screen keyboard.

The tables are in alphabets.toml. Letters used only in loanwords are added if a list uses them.
Scripts without a practical alphabet have a set of their most common tiles.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path

import regex

from vocab.text.cutting import digraphs_of, splits_syllables, tiles
from vocab.text.languages import canonical_language, primary, script_of

_TABLES = tomllib.loads(Path(__file__).with_name("alphabets.toml").read_text(encoding="utf-8"))
ALPHABETS: dict[str, str] = _TABLES["alphabets"]
# Letters used in addition to an alphabet, and the letters of syllables by script.
_BESIDE: dict[str, str] = _TABLES["beside"]
_OF_SYLLABLES: dict[str, str] = _TABLES["of_syllables"]
# Japanese mixes three scripts in one list, and even in one word.
_JAPANESE: dict[str, str] = _TABLES["japanese"]

# The languages whose letters are known; a list may be in any other language as well.
KNOWN_LANGUAGES: tuple[str, ...] = tuple(sorted(ALPHABETS))

# Other languages that are taught at schools. Their grids are filled with letters of their script,
# or of the words themselves.
_OTHERS = (
    "am as bn bo ckb dv gn gu ha ig km kn ku ky lo mg mi ml mr my ne oc or pa ps qu rm rw sa sd si "
    "sm so st su ta te tg ti tk tn to tt ug wo xh yo yue zu"
)
OTHER_LANGUAGES: tuple[str, ...] = tuple(_OTHERS.split())

# For filling if only the script of the words is known.
_BY_SCRIPT: dict[str, str] = {
    "Latn": ALPHABETS["en"],
    "Cyrl": ALPHABETS["ru"],
    "Grek": ALPHABETS["el"],
    "Arab": ALPHABETS["ar"],
    "Hebr": ALPHABETS["he"],
    "Armn": ALPHABETS["hy"],
    "Geor": ALPHABETS["ka"],
    "Deva": ALPHABETS["hi"],
    "Thai": ALPHABETS["th"],
    "Hang": ALPHABETS["ko"],
    **_JAPANESE,
    "Hani": ALPHABETS["zh"],
}
_OF_CHARACTERS = {"Hans": "zh", "Hant": "zh-Hant"}
_SCRIPT_NAMES = {code: regex.compile(rf"\p{{{code}}}") for code in _BY_SCRIPT}


def alphabet(language: str | None = None, *, digraphs: bool = True) -> tuple[str, ...]:
    """Return the tiles of the language's alphabet in its order.

    For languages without a practical alphabet (Hindi, Thai, Korean, Japanese, Chinese) these are
    common tiles; for one without a table, the letters of its script (Tajik gets Russian's), and A
    to Z if that is unknown too. Without *digraphs*, letters of two characters are left out, and
    syllables of Korean and of Devanagari are replaced by their letters.
    """
    key = table_key(language)
    found = _tiles_of(
        ALPHABETS[key] if key else _BY_SCRIPT.get(script_of(language), ALPHABETS["en"])
    )
    return found if digraphs else _single_letters(found, language, ())


def alphabet_for(
    words_tiles: Iterable[Sequence[str]], language: str | None = None, *, digraphs: bool = True
) -> tuple[str, ...]:
    """Return the distinct tiles for filling a grid of these words.

    They are the alphabet of *language* in the script of most of the words' tiles, and every other
    tile that the words use (é in a French list, tiles of another script), so that no tile gives a
    word away. If the script is unknown, only the words' own tiles are returned.
    """
    used = Counter(tile for word in words_tiles for tile in word)
    base = _alphabet_in_scripts(_scripts_by_use(used), language)
    if not digraphs:
        base = _single_letters(base, language, used)
    return base + tuple(sorted(used.keys() - set(base)))


def keyboard_for(
    words_tiles: Iterable[Sequence[str]], language: str | None = None, *, digraphs: bool = True
) -> tuple[str, ...]:
    """Return the letters of the on-screen keyboard for a puzzle, which reveal no word.

    They are the alphabet of *language* in the words' script and the accented letters that it uses,
    whether the words use them or not, and nothing else; none if the script is unknown.
    """
    used = Counter(tile for word in words_tiles for tile in word)
    base = _alphabet_in_scripts(_scripts_by_use(used), language)
    key = table_key(language)
    if key and base == _tiles_of(ALPHABETS[key]):
        base += tuple(letter for letter in _tiles_of(_BESIDE.get(key, "")) if letter not in base)
    return base if digraphs else _single_letters(base, language, used)


def _alphabet_in_scripts(scripts: list[str], language: str | None) -> tuple[str, ...]:
    if not scripts:
        return alphabet(language)
    key, main = table_key(language), scripts[0]
    if key == "ja" and main in _JAPANESE:
        used = [table for script, table in _JAPANESE.items() if script in scripts]
        return _tiles_of(" ".join(used))
    if key and _script_of_table(key) == main:
        return _tiles_of(ALPHABETS[key])
    return _tiles_of(ALPHABETS.get(f"{primary(language)}-{main}") or _BY_SCRIPT.get(main, ""))


def table_key(language: str | None) -> str | None:
    """Return the key in ALPHABETS of the tag's language in its script, None if there is none.

    Languages that are written in Chinese characters, such as Cantonese, share those of Chinese.
    """
    if not language:
        return None
    try:
        tag = canonical_language(language)
    except ValueError:
        return None
    base, script = primary(tag), script_of(tag)
    if f"{base}-{script}" in ALPHABETS:
        return f"{base}-{script}"
    if base not in ALPHABETS:
        return _OF_CHARACTERS.get(script)
    # Uzbek's table is Latin; uz-Cyrl gets no table rather than that one.
    return None if script in _BY_SCRIPT and script != _script_of_table(base) else base


def _scripts_by_use(used: Counter[str]) -> list[str]:
    counts: Counter[str] = Counter()
    for tile, count in used.items():
        counts[_script_of_tile(tile)] += count
    del counts[""]
    return [script for script, _ in counts.most_common()]


@lru_cache(maxsize=4096)
def _script_of_tile(tile: str) -> str:
    """Return the ISO 15924 code of a tile's script, "" for digits, "Zzzz" if not listed."""
    if not any(character.isalpha() for character in tile):
        return ""
    return next((code for code, name in _SCRIPT_NAMES.items() if name.search(tile)), "Zzzz")


def _script_of_table(key: str) -> str:
    return _script_of_tile(_tiles_of(ALPHABETS[key])[0])


@lru_cache(maxsize=256)
def _tiles_of(table: str) -> tuple[str, ...]:
    return tuple(table.split())


def _single_letters(
    letters: tuple[str, ...], language: str | None, used: Iterable[str]
) -> tuple[str, ...]:
    """Return *letters* without digraphs, for words with these *used* tiles."""
    if splits_syllables(language):
        table = _OF_SYLLABLES.get(_script_of_tile(letters[0]) if letters else "")
        # The words may have been cut into syllables all the same.
        are_split = all(tiles(tile, language, digraphs=False) == (tile,) for tile in used)
        return _tiles_of(table) if table and are_split else letters
    pairs = set(digraphs_of(language))
    return tuple(letter for letter in letters if letter not in pairs)
