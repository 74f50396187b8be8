"""The client and its command do what the API's description has, over HTTP."""

import io
import json
import os
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from django.conf import settings

from osmosmjerka.accounts.auth import tokens
from osmosmjerka.client import READ_WITH, Client, NotFinished, Problem, WrongCall
from osmosmjerka.client import command as client_command
from puzzles.models import Puzzle
from tests.conftest import ANIMALS, PASSWORD
from vocab.models import VocabularyList

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.xdist_group("api-clients")]


@pytest.fixture
def ana(served, teacher):
    return Client.log_in(served, "ana", PASSWORD)


@pytest.fixture
def command(served, teacher, monkeypatch, capsysbinary):
    """Run `osmosmjerka api` in this process as Ana; return its exit code and what it printed."""
    monkeypatch.setenv("OSMOSMJERKA_URL", served)
    monkeypatch.setenv("OSMOSMJERKA_TOKEN", tokens.create(person=teacher, scope="teach")[1])

    def run(*arguments, stdin=""):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        code = 0
        try:
            client_command.main(arguments)
        except SystemExit as exit:
            code = exit.code
        printed, told = capsysbinary.readouterr()
        return code, printed, told.decode()

    return run


class Elsewhere(BaseHTTPRequestHandler):
    """A server that answers as it is told, one answer after another; it notes what it is asked."""

    def answer(self):
        self.server.asked.append((self.command, self.path, dict(self.headers)))
        status, headers, body = self.server.answers.pop(0)
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST = answer  # noqa: N815  (names of the base class)

    def log_message(self, *args):
        pass


DESCRIBED = {
    "paths": {
        "/api/things/{id}/": {
            "get": {
                "operationId": "things_retrieve",
                "parameters": [{"name": "id", "in": "path", "required": True}],
                "responses": {},
            }
        }
    }
}


@pytest.fixture
def elsewhere():
    """A server that describes one operation, with a client of it that notes when it sleeps."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Elsewhere)
    server.answers = [(200, {}, json.dumps(DESCRIBED).encode())]
    server.asked, server.slept = [], []
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    url = f"http://127.0.0.1:{server.server_port}/"
    server.client = Client(url, "a-token", sleep=server.slept.append)
    assert server.client.operations.keys() == {"things_retrieve"}
    yield server
    server.shutdown()
    server.server_close()


def later(seconds):
    return (503, {"Retry-After": str(seconds)}, b"")


JSON = {"Content-Type": "application/json"}


def test_a_list_is_made_filled_and_read_page_after_page(ana):
    made = ana.call("lists_create", title="Birds", language="hr", translation_languages=["en"])
    for term in ("sova", "gavran", "labud"):
        ana.call("lists_entries_create", id=made["id"], term=term)
    words = ana.results("lists_entries_list", id=made["id"], page_size=2)
    assert [word["term"] for word in words] == ["sova", "gavran", "labud"]
    assert ana.call("lists_destroy", id=made["id"]) is None
    assert list(ana.results("lists_list")) == []


def test_a_list_without_pages_is_read_as_well(ana, animals):
    assert [token["scope"] for token in ana.results("tokens_list")] == ["teach"]


def test_a_puzzle_is_waited_for_and_its_file_is_bytes(ana, animals, worker):
    wish = {"vocabulary_list": animals.pk, "kind": "word-search"}
    puzzle = ana.call_and_wait("puzzles_create", **wish)
    assert puzzle["state"] == "ready"
    pdf = ana.call("puzzles_file_retrieve", code=puzzle["code"], format_name="pdf")
    assert pdf.startswith(b"%PDF-")
    # JSON, but a file: it is not parsed and written anew.
    ipuz = ana.call("puzzles_file_retrieve", code=puzzle["code"], format_name="json")
    assert isinstance(ipuz, bytes) and json.loads(ipuz)["kind"] == "word-search"
    made = ana.call_and_wait("puzzles_worksheets_create", code=puzzle["code"], content="versions")
    assert set(made["files"]) >= {"worksheets"}


def test_a_puzzle_that_fails_or_takes_long_is_said_to(ana, animals):
    puzzle = ana.call("puzzles_create", vocabulary_list=animals.pk, kind="finder")
    Puzzle.objects.update(state=Puzzle.State.FAILED)
    ana.call = lambda name, **values: puzzle | {"state": "failed", "reason": "Too long."}
    with pytest.raises(NotFinished, match=r"could not be created\. Too long\."):
        ana.call_and_wait("puzzles_create")
    ana.call = lambda name, **values: puzzle
    with pytest.raises(NotFinished, match="is not ready after 0 seconds"):
        ana.call_and_wait("puzzles_create", timeout=0)


def test_what_is_waited_for_is_what_answers_before_it_is_ready(ana):
    """Those of the rest are no thing that becomes ready: a game, a search, sounds, a school."""
    described = ana._send("get", "/api/schema/", headers={"Accept": "application/json"}).json()
    accepted = {
        one["operationId"]
        for methods in described["paths"].values()
        for one in methods.values()
        if "202" in one["responses"]
    }
    assert accepted >= READ_WITH.keys()
    assert accepted - READ_WITH.keys() == {
        *("practice_create", "play_new_create", "searches_create", "searches_go_on_create"),
        "schools_rosters_import",
        *("entries_sounds_anew_create", "lists_voice_anew_create"),
    }
    for reader, name in READ_WITH.values():
        assert ana.operation(reader).value(name).place == "path"


def test_a_file_is_sent_as_bytes_or_by_its_path(ana, animals, tmp_path):
    path = tmp_path / "words.csv"
    path.write_text("term,en\nsova,owl\nlabud,swan\n", encoding="utf-8")
    for file in (path, str(path), path.read_bytes()):
        read = ana.call("lists_import_create", id=animals.pk, file=file, policy="replace")
        assert len(read["plan"]) == 2
    assert animals.entries.count() == 12, "nothing changes before the import is applied"
    ana.call("imports_apply_create", id=read["id"])
    assert animals.entries.count() == 13


def test_a_problem_says_what_is_wrong_with_which_value(ana, animals):
    with pytest.raises(Problem) as refused:
        ana.call("lists_create", title="", language="hr", translation_languages=[])
    problem = refused.value
    assert (problem.status, problem.code) == (400, "invalid")
    assert problem.errors[0]["pointer"] == "#/title"
    assert str(problem).startswith("title: ")
    with pytest.raises(Problem) as refused:
        Client(ana.url).call("lists_list")
    assert refused.value.status == 401


def test_a_wrong_call_is_not_sent(ana):
    for name, values, told in [
        ("list_lists", {}, "has no operation list_lists"),
        ("lists_create", {"title": "x"}, "lists_create needs language, translation_languages."),
        ("lists_list", {"serach": "x"}, "does not take serach. It takes language, ordering"),
    ]:
        with pytest.raises(WrongCall, match=told):
            ana.call(name, **values)
    for address in ("words.example.org", "ftp://words.example.org"):
        with pytest.raises(WrongCall, match="is not the address of a site"):
            Client(address)


def test_a_value_in_the_path_stays_one(ana, animals):
    with pytest.raises(Problem) as refused:
        ana.call("puzzles_retrieve", code="../lists")
    assert refused.value.status == 404


def test_a_site_that_is_busy_is_asked_again_when_it_says(elsewhere):
    elsewhere.answers = [later(3), (429, {"Retry-After": "7"}, b""), (200, JSON, b'{"a": 1}')]
    assert elsewhere.client.call("things_retrieve", id=1) == {"a": 1}
    assert elsewhere.slept == [3, 7]


def test_a_site_is_not_asked_without_end(elsewhere):
    elsewhere.answers = [later(1)] * 9
    with pytest.raises(Problem, match="The site answered 503 Service Unavailable"):
        elsewhere.client.call("things_retrieve", id=1)
    assert elsewhere.slept == [1, 1, 1]


@pytest.mark.parametrize("answer", [later(3600), (503, {}, b""), (500, {"Retry-After": "1"}, b"")])
def test_what_asks_for_no_or_for_a_long_wait_is_told_at_once(answer, elsewhere):
    elsewhere.answers = [answer]
    with pytest.raises(Problem):
        elsewhere.client.call("things_retrieve", id=1)
    assert elsewhere.slept == []


def test_the_token_is_in_no_url_and_goes_nowhere_else(elsewhere, tmp_path, monkeypatch):
    (tmp_path / ".netrc").write_text("machine 127.0.0.1 login me password secret\n")
    monkeypatch.setenv("HOME", str(tmp_path))
    other = f"http://localhost:{elsewhere.server_port}/api/things/2/"
    elsewhere.answers = [(302, {"Location": other}, b""), (200, JSON, b"{}"), (200, JSON, b"{}")]
    with pytest.raises(Problem, match="302"):
        elsewhere.client.call("things_retrieve", id=1)
    elsewhere.client.call("things_retrieve", id=1)
    elsewhere.client.token = ""
    elsewhere.client.call("things_retrieve", id=1)
    sent = [headers.get("Authorization") for _method, _path, headers in elsewhere.asked]
    assert sent == ["Token a-token"] * 3 + [None]
    assert {path for _method, path, _headers in elsewhere.asked[1:]} == {"/api/things/1/"}


def test_a_token_that_cannot_be_sent_is_not_shown(elsewhere):
    elsewhere.client.token = "secret\nsecret"
    with pytest.raises(WrongCall) as refused:
        elsewhere.client.call("things_retrieve", id=1)
    assert "secret" not in str(refused.value)


def test_the_command_lists_the_operations_and_explains_one(command):
    code, printed, _told = command()
    assert code == 0
    assert b"lists_list  " in printed and b"Return the lists that you may see" in printed
    code, printed, _told = command("lists_create", "--help")
    assert (code, printed.splitlines()[0][:31]) == (0, b"Create a list of your own, with")
    assert b"  language (string, needed)\n      BCP-47" in printed
    assert b"usage: osmosmjerka api" in command("--help")[1]


def test_the_command_makes_a_list_and_a_puzzle_and_saves_its_file(
    command, teacher, worker, tmp_path
):
    body = {"translation_languages": ["en"], "entries": [{"term": term} for term in ANIMALS]}
    (tmp_path / "title").write_text("Ptice\n", encoding="utf-8")
    code, printed, told = command(
        "lists_create", f"title=@{tmp_path / 'title'}", "language=hr", json.dumps(body)
    )
    assert code == 0, told
    made = json.loads(printed)
    assert (made["title"], len(made["entries"])) == ("Ptice", 12)
    code, printed, told = command(
        "puzzles_create", f"vocabulary_list={made['id']}", "kind=finder", "title=@@Ptice"
    )
    assert code == 0, told
    puzzle = json.loads(printed)
    assert (puzzle["state"], puzzle["title"]) == ("ready", "@Ptice")
    pdf = tmp_path / "birds.pdf"
    code, printed, told = command(
        "puzzles_file_retrieve", f"code={puzzle['code']}", "format_name=pdf", "-o", str(pdf)
    )
    assert (code, printed) == (0, b""), told
    assert pdf.read_bytes().startswith(b"%PDF-")


def test_the_command_need_not_wait_and_reads_standard_input(command, animals):
    code, printed, told = command(
        "puzzles_create", "--no-wait", f"vocabulary_list={animals.pk}", "kind=finder"
    )
    assert (code, json.loads(printed)["state"]) == (0, "queued"), told
    code, _printed, told = command(
        "lists_import_create", f"id={animals.pk}", "file=@-", stdin="sova\towl\n"
    )
    assert code == 0, told


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (["lists_retrieve", "id=999999"], 1, "Not found."),
        (["list_lists"], 2, "has no operation list_lists."),
        (["lists_list", "serach=x"], 2, "lists_list does not take serach."),
        (["lists_list", "search"], 2, "Write NAME=VALUE instead of search."),
        (["lists_list", "tag=a", "tag=b"], 2, "tag is given twice."),
        (["lists_retrieve", "id=x"], 2, "id is not JSON: "),
        (["lists_create", "{"], 2, "The argument in braces is not JSON: "),
        (["lists_create", "title=@/nowhere/at/all"], 2, "No such file"),
        (["lists_list", "--url=http://127.0.0.1:1"], 3, "cannot be reached"),
        (["lists_list", "--url="], 2, "Name the site"),
    ],
)
def test_the_command_tells_in_a_sentence_what_is_wrong(arguments, code, told, command):
    exit_code, printed, written = command(*arguments)
    assert (exit_code, printed) == (code, b"")
    # The site runs in this process too, so its log may be written before the sentence.
    assert told in written.splitlines()[-1]
    assert not VocabularyList.objects.exists()


def test_the_command_is_one_of_the_program_and_needs_no_data(served, teacher, tmp_path):
    token = tokens.create(person=teacher, scope="read")[1]
    done = subprocess.run(
        [sys.executable, "-m", "osmosmjerka", "api", "lists_list", "--url", served],
        env=os.environ | {"OSMOSMJERKA_TOKEN": token, "PYTHONPATH": str(settings.BASE_DIR)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["results"] == []
    assert list(tmp_path.iterdir()) == []
