"""What the sources never do, so that no text of anybody's becomes code, a query or an address.

Each rule is tried on a line that breaks it, as its control.
"""

import ast
import re

import pytest
from django.conf import settings

ROOT = settings.BASE_DIR
PYTHON = [
    path
    for part in ("osmosmjerka", "vocab", "puzzles")
    for path in sorted((ROOT / part).rglob("*.py"))
    if path.parent.name != "migrations"
]
SCRIPTS = [
    path
    for part in ("osmosmjerka", "vocab", "puzzles")
    for path in sorted((ROOT / part).rglob("static/**/*.js"))
    if "vendor" not in path.parts
]

RUNS_TEXT = {
    "eval", "exec", "compile", "__import__", "os.system", "os.popen", "pickle.loads",
    "pickle.load", "marshal.loads", "yaml.load", "shelve.open", "Template", "from_string",
    "engines.from_string",
}  # fmt: skip
WEAK = {"hashlib.md5", "hashlib.sha1", "hashlib.new"}
GUESSABLE = {"random.random", "random.randint", "random.choice", "random.getrandbits"}


def name_of(node):
    """Return the dotted name of what is called, such as "os.system"."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return f"{name_of(node.value)}.{node.attr}".lstrip(".")
    return ""


def calls(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield name_of(node.func), node


def is_plain(node):
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def code_from_text(tree):
    return [name for name, _call in calls(tree) if name in RUNS_TEXT]


def shells(tree):
    return [
        name
        for name, call in calls(tree)
        for given in call.keywords
        if given.arg == "shell"
        and not (isinstance(given.value, ast.Constant) and not given.value.value)
    ]


def queries_from_text(tree):
    """Return what gives the database anything but a fixed text."""
    return [
        name
        for name, call in calls(tree)
        if name.split(".")[-1] in {"raw", "extra", "RawSQL"}
        or (name in {"cursor.execute", "cursor.executemany"} and not is_plain(call.args[0]))
    ]


def weak_hashes(tree):
    return [
        name
        for name, call in calls(tree)
        if name in WEAK
        and not any(
            given.arg == "usedforsecurity" and given.value.value is False for given in call.keywords
        )
    ]


def guessable(tree):
    return [name for name, _call in calls(tree) if name in GUESSABLE]


# Django's own SQL, and names of tables and columns of our models.
BUILDS_QUERIES = {
    "osmosmjerka/backups/databases.py",
    "osmosmjerka/backups/moving.py",
    "osmosmjerka/db/prepared.py",
}

RULES = {
    code_from_text: "eval(input())",
    shells: "subprocess.run('ls ' + name, shell=True)",
    queries_from_text: "cursor.execute(f'SELECT {name}')",
    weak_hashes: "hashlib.md5(b'')",
    guessable: "code = random.choice(letters)",
}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_no_source_breaks_the_rule(rule):
    found = {
        str(path.relative_to(ROOT)): told
        for path in PYTHON
        if (told := rule(ast.parse(path.read_text(encoding="utf-8"))))
    }
    assert set(found) == (BUILDS_QUERIES if rule is queries_from_text else set())
    assert rule(ast.parse(RULES[rule]))  # the control


def test_only_the_two_clients_ask_other_servers():
    """Their addresses are settings; nobody's text becomes one.

    `osmosmjerka api` asks the site that its user names. It is no part of a site: nothing but the
    command line imports it.
    """
    command = {"osmosmjerka/client/__init__.py", "osmosmjerka/client/command.py"}
    asks = re.compile(
        r"^\s*(?:import|from) (requests|urllib3|urllib\.request|http\.client|httpx)\b", re.M
    )
    imports_command = re.compile(r"^\s*(?:import|from) osmosmjerka(?:\.| import )client\b", re.M)
    texts = {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in PYTHON}
    found = {name for name, text in texts.items() if asks.search(text)}
    assert found - command == {
        "osmosmjerka/accounts/sign_on/client.py",  # to the services of schools, by https only
        "osmosmjerka/accounts/webhooks/client.py",  # to hosts that the site admin lists
        "puzzles/xapi/client.py",
        "vocab/speech/http.py",
    }
    users = {name for name, text in texts.items() if imports_command.search(text)}
    assert users - command == {"osmosmjerka/__main__.py"}


# Secrets that are read again are encrypted, and learning platforms sign what they say (JWT).
DOES_CRYPTOGRAPHY = {
    "osmosmjerka/accounts/secrets.py": {"cryptography"},
    "osmosmjerka/accounts/sign_on/client.py": {"joserfc"},
    "puzzles/lti/keys.py": {"joserfc"},
}


def test_only_known_libraries_do_cryptography():
    crypto = re.compile(
        r"^\s*(?:import|from) (\w*(?:crypt|cipher|nacl|jwt|jose|ecdsa|rsa)\w*)", re.M | re.I
    )
    found = {
        str(path.relative_to(ROOT)): set(told)
        for path in PYTHON
        if (told := crypto.findall(path.read_text(encoding="utf-8")))
    }
    assert found == DOES_CRYPTOGRAPHY
    assert crypto.search("import Crypto.Cipher")  # the control


UNSAFE = re.compile(
    r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|"
    r"setTimeout\(\s*[\"'`]|createContextualFragment|DOMParser|srcdoc|javascript:|"
    r"addEventListener\(\s*[\"']message|(?<!port\.)\bonmessage\b|WebSocket|EventSource|RTCPeer"
)


def lines_of_scripts(pattern):
    return [
        f"{path.name}: {line.strip()}"
        for path in SCRIPTS
        for line in path.read_text(encoding="utf-8").splitlines()
        if pattern.search(line) and not line.strip().startswith(("//", "*", "/*"))
    ]


def test_scripts_show_text_as_text_and_take_messages_from_nobody():
    assert sorted(lines_of_scripts(UNSAFE)) == [
        # A page of ours, in which Django has escaped what people wrote.
        'dom.js: return new DOMParser().parseFromString(html, "text/html").body;',
        # A service worker gets messages from the pages of its own site only.
        'sw.js: addEventListener("message", (event) => {',
    ]
    for line in ('x.innerHTML = "<b>"', 'addEventListener("message", f)', "new WebSocket(url)"):
        assert UNSAFE.search(line)  # the control


KEPT = re.compile(r"(?:localStorage|sessionStorage|indexedDB|caches\.open|document\.cookie\s*=)")


def test_the_browser_keeps_answers_that_wait_and_choices_of_the_page_alone():
    """No name, no password; tests/js shows what an answer that waits holds.

    The service worker keeps a student's puzzles until they are logged out, and offline.js lists
    them; tests/browser/test_offline.py shows what is kept, and that nothing of it stays.
    """
    assert {line.split(":")[0] for line in lines_of_scripts(KEPT)} == {
        "app.js", "downloads.js", "memory.js", "offline.js", "sw.js", "theme.js",
    }  # fmt: skip
    keys = re.compile(r"memory\.(?:get|set)\(([^,)]+)")
    found = {
        f"{path.name} {match[1].strip()}"
        for path in SCRIPTS
        for match in keys.finditer(path.read_text(encoding="utf-8"))
    }
    assert found == {
        'clock.js "clock"',
        "clock.js key",
        'crossword.js "keys"',
        "draft.js this.#key",
        'finder.js "finder.auto"',
        'finder.js "finder.told"',
        "outbox.js key",
        "outbox.js this.#key",
        'sound.js "sound"',
    }


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-dev.txt"])
def test_every_library_is_pinned_and_known_by_its_hashes(name):
    text = (ROOT / name).read_text(encoding="utf-8")
    pins = [
        line for line in text.replace("\\\n", " ").splitlines() if not line.startswith(("#", " "))
    ]
    pins = [line for line in pins if line.strip() and not line.startswith("-r")]
    assert len(pins) > 10
    assert [pin.split()[0] for pin in pins if "==" not in pin or "--hash=sha256:" not in pin] == []
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert f"$(call install,{name})" in makefile
    assert makefile.count("install --quiet") == makefile.count("--require-hashes -r $1") + 1  # uv
    assert not re.search(r"index-url|trusted-host|https?://", "\n".join(pins))


def patterns_from_text(tree):
    """Return the calls in functions whose regular expression is not a fixed text."""
    return [
        name
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef)
        for name, call in calls(function)
        if re.fullmatch(r"(?:re|regex)\.(?!escape$|error$)\w+", name) and not is_plain(call.args[0])
    ]


def test_patterns_are_fixed_texts():
    """Four modules join theirs from their own tables of languages and scripts."""
    found = {
        str(path.relative_to(ROOT))
        for path in PYTHON
        if patterns_from_text(ast.parse(path.read_text(encoding="utf-8")))
    }
    assert found == {
        "osmosmjerka/i18n/code_pages.py",
        "vocab/speech/engine.py",
        "vocab/text/cutting.py",
        "vocab/text/playing.py",
    }
    assert patterns_from_text(ast.parse("def f(q):\n    re.search(q, 'x')"))  # the control
