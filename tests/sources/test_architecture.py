"""The house's rules: which way imports go, and what runs without Django."""

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# Each part may import what stands to its left. What composes them names them as text.
ORDER = ["osmosmjerka", "vocab", "puzzles"]

# The rooms of each app from the ground up: a room may import those below it, none beside or above.
ROOMS = {
    "osmosmjerka": [
        "client i18n paper paths",
        "db storage",
        "web",
        "monitoring",
        "server",
        "assets celery",
        "settings",
        "jobs rest",
        "accounts",
        "backups status",
        "templatetags urls wsgi",
        "management",
        "__main__ apps gunicorn_conf",
    ],
    "osmosmjerka.accounts": [
        "codes models secrets",
        "mail",
        "access audit languages selectors",
        "webhooks",
        "bin people",
        "fields",
        "auth",
        "privacy",
        "schools",
        "classrooms",
        "sign_on",
        "bin_sections management",
        "admin api_urls tasks urls",
        "apps",
    ],
    "vocab": [
        "asking message privacy text",
        "text_fields",
        "formats models speech",
        "access admin blocking memory purge rows sentences",
        "sounds management",
        "bin_sections",
        "entries imports",
        "lists tasks templatetags",
        "apps api_urls urls",
    ],
    "puzzles": [
        "generators models school_year wrong_tokens",
        "access account_merge exports goals kinds",
        "class_pages link_pages withheld",
        "album library making privacy",
        "play practice",
        "guests worksheets",
        "assignments daily live sharing trial",
        "lessons parents",
        "home imports searches templatetags",
        "dashboards",
        "bin_sections lti school_events xapi",
        "admin api_urls management tasks urls",
        "apps",
    ],
    "puzzles.generators": ["grid kernels", "errors", "crossword finder word_search"],
}

PURE = [
    "osmosmjerka.accounts.webhooks.client",
    "osmosmjerka.client",
    "osmosmjerka.i18n.code_pages",
    "osmosmjerka.paper",
    "vocab.asking",
    "vocab.message",
    "vocab.text",
    "vocab.text_fields",
    "vocab.memory.card",
    "vocab.memory.days",
    "vocab.memory.estimates",
    "vocab.memory.evidence",
    "vocab.memory.fitting",
    "vocab.memory.planning",
    "vocab.memory.scheduling",
    "vocab.imports.pasting",
    "vocab.formats",
    "vocab.speech",
    "puzzles.album.looks",
    "puzzles.daily.rules",
    "puzzles.dashboards.monday",
    "puzzles.generators",
    "puzzles.home.badges",
    "puzzles.lessons.rules",
    "puzzles.library",
    "puzzles.live.rules",
    "puzzles.lti.messages",
    "puzzles.exports",
    "puzzles.guests.state",
    "puzzles.imports.readers",
    "puzzles.school_year",
]


def imported_parts(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module]
        yield from (name.split(".")[0] for name in names)


@pytest.mark.parametrize("part", ORDER)
def test_imports_go_one_way(part):
    forbidden = set(ORDER[ORDER.index(part) + 1 :])
    found = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in (ROOT / part).rglob("*.py")
        for name in imported_parts(path)
        if name in forbidden
    ]
    assert found == []


def modules_below(package):
    """{dotted name: tree} of a package's modules, as this checkout has them."""
    folder = ROOT / package.replace(".", "/")
    paths = [path for path in folder.rglob("*.py") if path.parent.name != "migrations"]
    return {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): ast.parse(
            path.read_text(encoding="utf-8")
        )
        for path in paths
    }


def imports_of(tree):
    """Yield the dotted names that run-time imports may mean; those for types alone bind nothing."""
    for_types = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and id(node) not in for_types:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def upward_imports(package, floors, modules):
    """Return the imports of *modules* that go from a room to one that is not below it."""
    floor_of = {room: level for level, rooms in enumerate(floors) for room in rooms.split()}
    depth = package.count(".") + 1
    wrong = []
    for name, tree in modules.items():
        if name == package:
            continue
        room = name.split(".")[depth]
        for imported in imports_of(tree):
            if not imported.startswith(f"{package}."):
                continue
            other = imported.split(".")[depth]
            # What is not a room is a name of the package itself, such as its version.
            if other != room and floor_of.get(other, -1) >= floor_of[room]:
                wrong.append(f"{name} imports {imported}")
    return wrong


@pytest.mark.parametrize("package", ROOMS)
def test_each_room_imports_only_those_below_it(package):
    modules = modules_below(package)
    depth = package.count(".") + 1
    rooms = {name.split(".")[depth] for name in modules if name != package}
    assert rooms == set(" ".join(ROOMS[package]).split()), "a room without a floor, or a floor too"
    assert upward_imports(package, ROOMS[package], modules) == []


def test_an_import_that_goes_up_is_found():
    """The control: the same check on a module that breaks the rule."""
    climbing = {"vocab.memory.reviews": ast.parse("from vocab.lists import services")}
    assert upward_imports("vocab", ROOMS["vocab"], climbing) == [
        "vocab.memory.reviews imports vocab.lists.services"
    ]


def circles(graph):
    """Return the groups of names that reach each other in *graph*, {name: imported names}."""
    reached = {}
    for name in graph:
        found, waiting = set(), [name]
        while waiting:
            new = graph[waiting.pop()] - found
            found |= new
            waiting += new
        reached[name] = found
    groups = {frozenset(o for o in graph if n in reached[o] and o in reached[n]) for n in graph}
    return sorted(sorted(group) for group in groups if group)


def test_no_modules_import_each_other_in_a_circle():
    modules = {name: tree for part in ORDER for name, tree in modules_below(part).items()}
    graph = {
        name: {
            found
            for imported in imports_of(tree)
            for found in (imported, imported.rpartition(".")[0])
            if found in modules and found != name and not name.startswith(f"{found}.")
        }
        for name, tree in modules.items()
    }
    assert circles(graph) == []
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"b"}}) == [["b", "c"]]  # control


def test_no_module_but_the_kinds_names_a_kind_of_puzzle():
    """As the registry promises: a kind is added in puzzles/kinds, by its slug.

    The library has no registry: it names the kinds to other programs.

    Reviews say in which kind a word was asked, which decides what an answer shows. In JPZ, an
    element of XML happens to have the name of a kind.
    """
    of_reviews = {"vocab/asking.py"}
    of_jpz = {"puzzles/exports/jpz.py", "puzzles/imports/readers/jpz.py"}
    slug = re.compile(r"[\"'](word-search|finder|crossword)[\"']")
    found = [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for part in ORDER
        for path in (ROOT / part).rglob("*.py")
        if not {"migrations", "kinds", "library"} & set(path.relative_to(ROOT).parts)
        and str(path.relative_to(ROOT)) not in of_reviews | of_jpz
        for line in path.read_text(encoding="utf-8").splitlines()
        if slug.search(line)
    ]
    assert found == []


IMPORT_ALL = """
import importlib, pkgutil, sys
for name in sys.argv[1:]:
    package = importlib.import_module(name)
    for found in pkgutil.walk_packages(getattr(package, "__path__", []), name + "."):
        importlib.import_module(found.name)
    if "django" in sys.modules:
        sys.exit(f"{name} loads Django")
"""


def importing_all(*packages):
    """Import every module of the packages in a fresh interpreter."""
    return subprocess.run(
        [sys.executable, "-c", IMPORT_ALL, *packages], cwd=ROOT, capture_output=True, text=True
    )


def test_pure_modules_need_no_django():
    done = importing_all(*PURE)
    assert done.returncode == 0, done.stderr
    assert "django.utils.text loads Django" in importing_all("django.utils.text").stderr  # control


# What only some requests and jobs need. It would take a third of the time that a start takes.
LATER = "authlib joserfc lxml numba numpy openpyxl soundfile"
LOADED = f"""
import sys
from django.core.management import execute_from_command_line
execute_from_command_line(["manage.py", "check"])
print(*({{*"{LATER}".split()}} & sys.modules.keys()))
"""


@pytest.mark.parametrize(
    ("first", "loaded"),
    [("", ""), ("import vocab.speech.levels", "numpy")],
    ids=["ours", "control"],
)
def test_a_process_starts_without_what_only_some_need(first, loaded):
    done = subprocess.run(
        [sys.executable, "-c", first + LOADED],
        cwd=ROOT,
        env=os.environ | {"DJANGO_SETTINGS_MODULE": "osmosmjerka.settings"},
        capture_output=True,
        text=True,
    )
    assert done.stdout.splitlines()[-1] == loaded, done.stderr


def test_no_template_has_inline_style_or_script():
    found = [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for path in (ROOT / "templates").rglob("*.html")
        for line in path.read_text(encoding="utf-8").splitlines()
        if " style=" in line
        or "<style" in line
        or "javascript:" in line
        or ("<script" in line and "src=" not in line)
        or any(f" on{event}=" in line for event in ("click", "load", "change", "submit", "input"))
    ]
    assert found == []
