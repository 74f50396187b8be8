"""Static files are joined, hashed and compressed, and scripts get only the texts that they say."""

import gzip
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from django.conf import settings as django_settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.utils import translation

from osmosmjerka.assets import script_texts
from osmosmjerka.assets.bundling import OURS, CannotJoin, join_script, join_style
from osmosmjerka.server import preparation
from puzzles.kinds import KIND_NAMES
from tests.services import missing
from tests.site.catalogues import forget_translations

# The files are collected for the whole module: one process keeps it.
pytestmark = pytest.mark.xdist_group("static files")

COUNTER = """
// How often it ran.
export const state = { runs: 0 };
state.runs += 1;
const secret = "of the counter";
export function count() {
  return state.runs;
}
"""
SAY = """
import { count, state as counter } from "./counter.js";
import { shout } from "../other/voice.js";

const secret = "of say";
/** Two scopes have the same name. */
export class Say {
  text() {
    return shout(`${secret} ${count()} ${counter.runs}`);
  }
}
"""
PAGE = """
import "./counter.js";
import { count } from "./counter.js";
import { Say } from "./parts/../say.js";

const secret = "of the page";
console.log(JSON.stringify([secret, new Say().text(), count()]));
"""
VOICE = """
import { loud } from "./loud.js";
export const shout = (text) => loud(text);
"""
LOUD = "export const loud = (text) => text.toUpperCase();\n"
MODULES = {"a/counter.js": COUNTER, "a/say.js": SAY, "a/page.js": PAGE, "other/voice.js": VOICE,
           "other/loud.js": LOUD}  # fmt: skip


def run_module(folder, name):
    node = shutil.which("node") or missing("Node.js")
    done = subprocess.run([node, folder / name], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def write(folder, files):
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "package.json").write_text('{"type": "module"}', encoding="utf-8")


def test_a_joined_script_does_what_its_modules_do(tmp_path):
    write(tmp_path / "apart", MODULES)
    pages = ("a/page.js", "other/voice.js")  # which pages load, and which others import
    texts = {name: join_script(name, MODULES.__getitem__) for name in pages}
    joined = texts["a/page.js"]
    write(tmp_path / "joined", texts)
    apart = run_module(tmp_path / "apart", "a/page.js")
    assert apart == ["of the page", "OF SAY 1 1", 1]
    assert run_module(tmp_path / "joined", "a/page.js") == apart
    # Another app's module stays one that the page may load by itself, too.
    assert re.findall(r"^import .*", joined, re.M) == ['import * as $1 from "../other/voice.js";']


@pytest.mark.parametrize(
    "line",
    [
        'export { count } from "./counter.js";',
        "export default class {}",
        "export let runs = 0;",
        'import everything from "./counter.js";',
        'import * as counter from "./counter.js";',
        'import { count } from "./counter.js"',
        'import { say } from "/static/say.js";',
        "const text = `two\n  lines`;",
    ],
)
def test_what_joining_does_not_understand_is_refused(line):
    texts = {"a/page.js": f"const before = 1;\n{line}\n", "a/counter.js": COUNTER}
    with pytest.raises(CannotJoin, match=r"a/page\.js"):
        join_script("a/page.js", texts.__getitem__)


def test_modules_that_import_each_other_are_refused():
    texts = {
        "a/hen.js": 'import { egg } from "./egg.js";\nexport const hen = 1;\n',
        "a/egg.js": 'import { hen } from "./hen.js";\nexport const egg = 1;\n',
    }
    with pytest.raises(CannotJoin, match=r"a/hen\.js → a/egg\.js → a/hen\.js"):
        join_script("a/hen.js", texts.__getitem__)


def test_an_imported_style_finds_its_files_from_its_new_place():
    texts = {
        "site/all.css": (
            '/* all */\n@import "./fonts/faces.css";\n\n'
            'b::before,\ni { color: red; content: "a, \\" ; b"; }\n'
        ),
        "site/fonts/faces.css": '@font-face { src: url("files/a.woff2") url("data:x"); }\n',
        "app/play/page.css": '@import "../../site/all.css";\np { margin: 0; }\n',
    }
    assert join_style("app/play/page.css", texts.__getitem__) == (
        '@font-face{src:url("../../site/fonts/files/a.woff2") url("data:x");}'
        'b::before,i{color:red;content:"a, \\" ; b";}p{margin:0;}'
    )


@pytest.fixture(scope="module")
def collected(tmp_path_factory):
    """The folder of the files that `collectstatic` makes, and {name: name with its hash}."""
    data = tmp_path_factory.mktemp("data")
    subprocess.run(
        [sys.executable, "manage.py", "collectstatic", "--noinput", "--verbosity=0"],
        cwd=django_settings.BASE_DIR,
        env=os.environ | {"OSMOSMJERKA_DATA_DIR": str(data), "DEBUG": "false"},
        check=True,
    )
    folder = data / "static"
    return folder, json.loads((folder / "staticfiles.json").read_text("utf-8"))["paths"]


NAMES_A_FILE = re.compile(r'(?:\bfrom |\bimport ?|\bimport\(|@import |url\()"(\.*[\w./-]+)"')


def test_what_a_collected_file_names_is_there(collected):
    folder, paths = collected
    named = set()
    for name, hashed in paths.items():
        if not name.startswith(OURS) or not name.endswith((".js", ".css")):
            continue
        text = (folder / hashed).read_text(encoding="utf-8")
        found = {(folder / hashed).parent / path for path in NAMES_A_FILE.findall(text)}
        assert all(path.is_file() for path in found), name
        named |= {path.resolve().relative_to(folder) for path in found}
    assert Path(paths["osmosmjerka/app.js"]) in named
    assert Path(paths["osmosmjerka/fonts/noto-sans-latin.woff2"]) in named
    assert named <= {Path(hashed) for hashed in paths.values()}  # all have their hashes


def test_collecting_them_says_from_what_they_were_made(collected, settings):
    settings.STATIC_ROOT, _paths = collected
    assert not preparation.are_static_files_stale()


BOARDS = {
    "word-search": "class Capsules",
    "finder": "const buttons",
    "crossword": "class Crossword ",
}
STYLES = {"crossword": ".clue-bar", "finder": ".finder-player", "word-search": ".words-list"}


@pytest.mark.parametrize("kind", KIND_NAMES)
def test_the_script_of_a_kind_is_one_file_with_no_other_kind_in_it(collected, kind):
    folder, paths = collected
    text = (folder / paths[f"puzzles/play/{kind}.js"]).read_text(encoding="utf-8")
    assert NAMES_A_FILE.findall(text) == [f"../../{paths['osmosmjerka/app.js']}"]
    assert [other for other, mark in BOARDS.items() if mark in text] == [kind]
    assert "class Outbox " in text


@pytest.mark.parametrize("kind", STYLES)
def test_the_style_of_a_kind_is_one_file_without_the_others(kind, collected):
    folder, paths = collected
    text = (folder / paths[f"puzzles/play/{kind}.css"]).read_text(encoding="utf-8")
    assert "@import" not in text
    for part in ("@font-face", "--accent:", ".skip-link", ".dialog", ".board-sheet"):
        assert part in text
    assert [other for other, mark in STYLES.items() if mark in text] == [kind]


def test_collected_files_are_compressed_and_kept_for_good(client):
    reply = client.get(
        staticfiles_storage.url("puzzles/play/play.css"), headers={"Accept-Encoding": "gzip"}
    )
    assert reply["Content-Encoding"] == "gzip"
    assert reply["Cache-Control"] == "max-age=315360000, public, immutable"
    plain = client.get("/static/puzzles/play/play.css")  # the control: a name without a hash
    assert "immutable" not in plain["Cache-Control"]


SCRIPTS = sorted(
    str(path.relative_to(folder))
    for app in OURS
    for folder in [django_settings.BASE_DIR / app / "static"]
    for path in (folder / app).rglob("*.js")
)


def test_every_sentence_of_a_script_is_found():
    """As Babel finds them, which reads scripts thoroughly and takes ten times as long."""
    assert len(SCRIPTS) > 30
    said = frozenset().union(*map(script_texts.sentences, SCRIPTS))
    found = {
        message if isinstance(message, str) else message[0]
        for app in OURS
        for _file, _line, message, _comments, _context in extract_from_dir(
            django_settings.BASE_DIR / app / "static" / app,
            [("**.js", "javascript")],
            keywords={"gettext": None, "ngettext": (1, 2)},
        )
    }
    assert said == found
    assert len(said) > 100


def texts_of(client, script, language="hr"):
    with translation.override(language):
        reply = client.get(script_texts.address(script))
    assert reply.status_code == 200
    return set(json.loads(re.search(r"const newcatalog = (\{.*?\n  \});", reply.text, re.S)[1]))


def test_a_kind_gets_the_texts_of_its_own_page(translated, client):
    texts = {kind: texts_of(client, f"puzzles/play/{kind}.js") for kind in KIND_NAMES}
    for kind in KIND_NAMES:
        assert {"Try again", "Copied.", "Words found"} <= texts[kind]
        assert not {"Today", "Stop recording"} & texts[kind]  # of Django's admin, of a list's page
    assert "Current clue" in texts["crossword"]
    assert "Current clue" not in texts["finder"] | texts["word-search"]
    assert set().union(*texts.values()) < texts_of(client, script_texts.ALL)


def test_the_texts_of_scripts_are_kept_for_good_by_whoever_reads_them(translated, client, student):
    address = script_texts.address(script_texts.ALL)
    client.force_login(student)
    reply = client.get(address, headers={"Accept-Encoding": "gzip"})
    assert reply["Cache-Control"] == "max-age=315360000, public, immutable"
    assert reply["Vary"] == "Accept-Encoding"  # not the cookie: the next student has it already
    assert gzip.decompress(reply.content) == client.get(address).content
    page = client.get("/", headers={"Accept-Encoding": "gzip"})  # the control
    assert "Cookie" in page["Vary"]
    assert "no-store" in page["Cache-Control"]


def test_a_page_from_before_an_update_gets_the_texts_of_now_but_does_not_keep_them(client):
    address = script_texts.address(script_texts.ALL)
    reply = client.get(re.sub(r"\.\w+\.js$", ".0123456789ab.js", address))
    assert reply.content == client.get(address).content
    assert reply["Cache-Control"] == "no-cache"


def test_a_new_translation_has_a_new_address(translated, client, settings, tmp_path):
    script = "puzzles/play/finder.js"
    with translation.override("hr"):
        before = script_texts.address(script)
        assert script_texts.address(script) == before
    changed = Catalog(locale="hr", domain="djangojs")
    changed.add("Try again", "Probaj opet")
    (tmp_path / "hr/LC_MESSAGES").mkdir(parents=True)
    with (tmp_path / "hr/LC_MESSAGES/djangojs.mo").open("wb") as file:
        write_mo(file, changed)
    settings.LOCALE_PATHS = [tmp_path, *settings.LOCALE_PATHS]
    forget_translations()
    with translation.override("hr"):
        after = script_texts.address(script)
    assert after != before
    assert "Probaj opet" in client.get(after).text


@pytest.mark.parametrize(
    "path",
    [
        "xx/all.1.js", "hr/none.1.js", "hr/puzzles/play/none.1.js", "hr/puzzles//play/finder.1.js",
        "hr/admin/js/core.1.js", "hr/puzzles/play/../play/finder.1.js", "hr/all.js",
    ],
)  # fmt: skip
def test_there_are_no_texts_of_what_is_not_our_script(client, db, path):
    assert client.get(f"/script-texts/{path}").status_code == 404
    assert client.get("/script-texts/hr/all.1.js").status_code == 200  # the control
    assert client.post("/script-texts/hr/all.1.js").status_code == 405


def whole(name, folder):
    """Return the text of a template with all that it includes."""
    text = (folder / name).read_text(encoding="utf-8")
    included = re.findall(r"""{% include ["']([^"']+)["']""", text)
    return text + "".join(whole(other, folder) for other in included)


def test_the_pages_that_change_in_parts_and_no_others_load_htmx():
    """A page without it would not change; any other page would load it for nothing."""
    folder = django_settings.BASE_DIR / "templates"
    names = [str(path.relative_to(folder)) for path in folder.rglob("*.html")]
    pages = {name: whole(name, folder) for name in names}
    pages = {name: text for name, text in pages.items() if text.startswith("{% extends")}
    changing = {name for name, text in pages.items() if re.search(r"\shx-(?:get|post)=", text)}
    assert {name for name, text in pages.items() if "vendor/htmx" in text} == changing
    assert "puzzles/play/waiting.html" in changing
    assert "puzzles/play/play.html" not in changing
