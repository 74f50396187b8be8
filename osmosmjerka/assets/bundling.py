"""Scripts and styles in one file with what they import, so that a page loads few and small files.

The sources stay separate modules, which browsers load as they are in development. Only statements
of the plain forms below are understood; any other import or export is refused, see
docs/decisions/0007-no-build-step.md. Comments, indentation, needless spaces and line ends are left
out.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable

Read = Callable[[str], str]  # from the name of a static file to its text

OURS = ("osmosmjerka/", "vocab/", "puzzles/")  # where the files are that keep to these forms

_STYLE = re.compile(r'^@import "(\.{1,2}/[\w./-]+\.css)";\n', re.M)
_URL = re.compile(r'url\("(?!data:)([^"]+)"\)')
_STYLE_COMMENT = re.compile(r"/\*.*?\*/\n*", re.S)
_STYLE_STRING = re.compile(r'("(?:[^"\\]|\\.)*")')
_STYLE_SPACE = re.compile(r"\s*([{};,])\s*|(:) ")

_IMPORT = re.compile(r'^import (?:\{([^{}]*)\} from )?"(\.{1,2}/[\w./-]+\.js)";\n', re.M)
_EXPORT = re.compile(r"^export (?=(?:async )?function (\w+)|(?:class|const) (\w+))", re.M)
_SCRIPT_COMMENT = re.compile(
    r"^[ \t]*(?://[^\n]*|/\*.*?\*/)[ \t]*\n", re.M | re.S
)  # on lines of its own
_INDENTATION = re.compile(r"^\s+", re.M)
# After these no statement ends by its line; a comment does, so lines with "//" stay.
_LINE_END = re.compile(r"^((?!.*//).*[;,{(\[])\n", re.M)
_OTHER = re.compile(r"^\s*(?:import|export)\b.*", re.M)


class CannotJoin(ValueError):
    """A file imports or exports in a form that is not understood."""


def join_style(name: str, read: Read) -> str:
    """Return the text of a stylesheet with each sheet that it imports in the import's place."""

    def imported(match: re.Match[str]) -> str:
        other = _beside(name, match[1])
        here = posixpath.dirname(name)
        return _URL.sub(
            lambda url: f'url("{posixpath.relpath(_beside(other, url[1]), here)}")',
            join_style(other, read),
        )

    text = _STYLE.sub(imported, _STYLE_COMMENT.sub("", read(name)))
    # Every second part is a string, whose spaces are shown.
    parts = _STYLE_STRING.split(text)
    parts[::2] = [_STYLE_SPACE.sub(r"\1\2", part) for part in parts[::2]]
    return "".join(parts)


def join_script(name: str, read: Read) -> str:
    """Return the text of a module after those that it imports, each in a scope of its own.

    Modules of other apps stay imported: a page may load them by themselves, and they must not run
    twice.
    """
    outside: dict[str, None] = {}
    modules: dict[str, str] = {}
    variables = _Variables()
    _collect(name, read, modules, outside, variables, path=())
    here = posixpath.dirname(name)
    *inner, (_name, last) = modules.items()
    imports = (
        f'import * as {variables[other]} from "{_from(here, other)}";\n' for other in outside
    )
    scopes = (f"const {variables[other]} = (() => {{\n{text}}})();\n" for other, text in inner)
    return "".join(imports) + _LINE_END.sub(r"\1", "".join([*scopes, last]))


class _Variables(dict[str, str]):
    """The variables of modules: short, because each is written where one is imported."""

    def __missing__(self, name: str) -> str:
        return self.setdefault(name, f"${len(self)}")


def _collect(
    name: str,
    read: Read,
    modules: dict[str, str],
    outside: dict[str, None],
    variables: _Variables,
    path: tuple[str, ...],
) -> None:
    """Add the module *name* to *modules*, after all that it imports."""
    if name in path:
        raise CannotJoin(f"{' → '.join((*path, name))}: these modules import each other")
    text = _INDENTATION.sub("", _SCRIPT_COMMENT.sub("", read(name)))
    for line in text.splitlines():
        if line.count("`") % 2:  # its text goes on in the next line, where spaces may matter
            raise CannotJoin(f"{name}: {line}")
    for _names, where in _IMPORT.findall(text):
        other = _beside(name, where)
        if other.split("/")[0] != name.split("/")[0]:
            outside[other] = None
        elif other not in modules:
            _collect(other, read, modules, outside, variables, (*path, name))

    def imported(match: re.Match[str]) -> str:
        names = (match[1] or "").replace(" as ", ": ")
        return f"const {{{names}}} = {variables[_beside(name, match[2])]};\n" if names else ""

    exported = [function or value for function, value in _EXPORT.findall(text)]
    text = _EXPORT.sub("", _IMPORT.sub(imported, text))
    if left := _OTHER.search(text):
        raise CannotJoin(f"{name}: {left[0].strip()}")
    # What the last one exports is for scripts of other apps.
    gives = "return" if path else "export"
    modules[name] = f"{text}{gives} {{ {', '.join(exported)} }};\n" if path or exported else text


def _beside(name: str, path: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), path))


def _from(here: str, name: str) -> str:
    path = posixpath.relpath(name, here)
    return path if path.startswith(".") else f"./{path}"
