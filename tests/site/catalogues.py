"""What the code marks to be translated, and what the catalogues of each language hold."""

import ast
import re
from collections import Counter
from functools import cache
from pathlib import Path

from babel.messages.pofile import read_po
from django.template import engines
from django.template.base import VariableNode
from django.templatetags.i18n import BlockTranslateNode, TranslateNode
from django.utils.translation import trans_real

from osmosmjerka.assets.script_texts import texts

ROOT = Path(__file__).parents[2]
APPS = ("osmosmjerka", "puzzles", "vocab")
DOMAINS = ("django", "djangojs")
LANGUAGES = sorted(folder.name for folder in (ROOT / "locale").iterdir() if folder.is_dir())

# What each marker's arguments are, by the name that gathering (xgettext) knows it under.
MARKERS = {
    "gettext": "singular",
    "ngettext": "singular plural",
    "pgettext": "context singular",
    "npgettext": "context singular plural",
    "message": "singular",
    "messages": "singular plural",
}
MARKERS |= {f"{name}_lazy": MARKERS[name] for name in ("gettext", "ngettext", "pgettext")}
MARKERS |= {"npgettext_lazy": MARKERS["npgettext"], "gettext_noop": "singular", "_": "singular"}
HOMES = ("django.utils.translation", "vocab.message", "vocab.formats.rows")

# In a catalogue a sentence is known by its context, itself and its plural.
Key = tuple[str | None, str, str | None]


@cache
def catalogue(language, domain):
    path = ROOT / f"locale/{language}/LC_MESSAGES/{domain}.po"
    with path.open("rb") as file:
        return read_po(file, locale=language, domain=domain)


def key_of(message) -> Key:
    singular, plural = message.id if message.pluralizable else (message.id, None)
    return message.context, singular, plural


def keys_of(language, domain):
    return {key_of(message) for message in catalogue(language, domain) if message.id}


class Unmarked(ValueError):
    """Text that looks marked, but that gathering does not find."""


def _key(kinds: str, texts: list[str]) -> Key:
    found = dict(zip(kinds.split(), texts, strict=True))
    return found.get("context"), found["singular"], found.get("plural")


def python_sentences(source: str, name: str = "module"):
    """Yield the key of every sentence that *source* marks; Unmarked for one nobody can gather."""
    tree = ast.parse(source)
    meant = {  # the name in the module → the marker's own name
        alias.asname or alias.name: alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module in HOMES
        for alias in node.names
        if alias.name in MARKERS
    }
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        if isinstance(node.func, ast.Name):
            called = node.func.id
            marker = meant.get(called)
        elif isinstance(node.func, ast.Attribute) and ast.unparse(node.func.value) == "translation":
            called = marker = node.func.attr
        else:
            continue
        if marker not in MARKERS:
            continue
        where = f"{name}:{node.lineno}"
        texts = node.args[: len(MARKERS[marker].split())]
        if not any(isinstance(n, ast.Constant | ast.JoinedStr) for t in texts for n in ast.walk(t)):
            continue  # a variable: what fills it is marked elsewhere
        if MARKERS.get(called) != MARKERS[marker]:
            raise Unmarked(f"{where}: gathering does not know {called}(…)")
        if not all(isinstance(t, ast.Constant) and isinstance(t.value, str) for t in texts):
            raise Unmarked(f"{where}: {ast.unparse(node)} is not a plain text")
        yield _key(MARKERS[marker], [text.value for text in texts])


def template_sentences(path: Path):
    """Yield the key of every sentence that a template marks."""
    template = engines["django"].from_string(path.read_text(encoding="utf-8")).template
    for node in template.nodelist.get_nodes_by_type(TranslateNode):
        if isinstance(text := node.filter_expression.var.literal, str):
            context = node.message_context.var if node.message_context else None
            yield context and str(context), text.replace("%", "%%"), None
    for node in template.nodelist.get_nodes_by_type(BlockTranslateNode):
        context = node.message_context.var if node.message_context else None
        singular, _ = node.render_token_list(node.singular)
        plural, _ = node.render_token_list(node.plural)
        yield context and str(context), singular, plural or None
    for node in template.nodelist.get_nodes_by_type(VariableNode):
        if getattr(node.filter_expression.var, "translate", False):
            yield None, node.filter_expression.var.literal, None


_CALL = re.compile(r"\b(n?p?gettext)\(")
_STRING = re.compile(r"""\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)')\s*""")


def script_sentences(source: str, name: str = "script"):
    """Yield the key of every sentence that *source*, JavaScript, marks with plain texts."""
    for call in _CALL.finditer(source):
        place, texts = call.end(), []
        for _ in MARKERS[call[1]].split():
            text = _STRING.match(source, place)
            if not text or source[text.end()] not in ",)":
                raise Unmarked(f"{name}: {source[call.start() : place + 60]}… is not a plain text")
            texts.append(ast.literal_eval(text[0].strip()))
            place = text.end() + 1
        yield _key(MARKERS[call[1]], texts)


@cache
def marked_sentences(domain):
    """Return {key: how often} of all that the code of *domain* marks."""
    found: Counter[Key] = Counter()
    if domain == "djangojs":
        for app in APPS:
            for path in (ROOT / app).rglob("static/**/*.js"):
                if "vendor" not in path.parts:
                    found.update(script_sentences(path.read_text(encoding="utf-8"), str(path)))
        return found
    for app in APPS:
        for path in (ROOT / app).rglob("*.py"):
            if path.parent.name != "migrations":
                found.update(python_sentences(path.read_text(encoding="utf-8"), str(path)))
    for path in (ROOT / "templates").rglob("*.*"):
        found.update(template_sentences(path))
    return found


def forget_translations():
    """Let this process read catalogues again, as one that starts."""
    trans_real._translations.clear()
    texts.cache_clear()
