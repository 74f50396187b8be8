import subprocess
import sys
from pathlib import Path

import pytest

from tests.vocab.formats import bombs
from vocab import formats
from vocab.formats import FormatError, _child, anki_collection, archive, columns, media, ods
from vocab.formats.rows import Row
from vocab.formats.sandbox import parse_untrusted

ROOT = Path(__file__).parents[3]
BOMBS = {bomb: reason for bomb, reason in bombs.BOMBS.items() if reason}


@pytest.mark.parametrize("name", formats.FORMATS)
def test_a_file_reads_the_same_inside_the_sandbox(name, tmp_path):
    data = formats.write(
        [Row(term="pas", translations={"": ["dog"]}, audio="pas.mp3", tags=["x"])],
        name,
        media={"pas.mp3": bombs.MP3},
    )
    inside, outside = tmp_path / "in", tmp_path / "out"
    inside.mkdir()
    outside.mkdir()
    parsed = parse_untrusted(data, media_folder=inside)
    expected = formats.parse(data, media_folder=outside)
    assert parsed.rows == expected.rows
    assert parsed.settings == expected.settings
    assert parsed.problems == expected.problems
    assert [path.read_bytes() for path in parsed.media.values()] == [
        path.read_bytes() for path in expected.media.values()
    ]


def test_text_options_and_files_pass_through(tmp_path):
    parsed = parse_untrusted("pas,dog;mačka,cat", delimiter=",", row_separator=";")
    assert [row.term for row in parsed.rows] == ["pas", "mačka"]
    assert parse_untrusted('pas,"a\r\nb"').rows[0].translations == {"": ["a\r\nb"]}
    file = tmp_path / "list.csv"
    file.write_text("pas;dog")
    assert parse_untrusted(file, columns={"column 1": "term"}).rows[0].term == "pas"
    with pytest.raises(FormatError, match="no setting “colour”"):
        parse_untrusted(file, format="delimited", colour="red")


@pytest.mark.parametrize("bomb", BOMBS, ids=lambda bomb: bomb.__name__)
def test_a_bomb_is_refused_with_its_reason(bomb):
    with pytest.raises(FormatError, match=BOMBS[bomb]):
        parse_untrusted(bomb(), seconds=5)


@pytest.mark.parametrize(
    ("bomb", "place", "limit", "off", "outcome"),
    [
        (bombs.zip_bomb, archive, "MAX_RATIO", 10**9, "empty"),
        (bombs.traversal, archive, "check_member", lambda member: None, None),
        (bombs.endless_view, anki_collection, "check_schema", lambda database: None, "is damaged"),
        (bombs.million_empty_lines, columns, "MAX_EMPTY_ROWS", 10**7, None),
        (bombs.million_empty_rows, columns, "MAX_EMPTY_ROWS", 10**7, None),
        (bombs.document_gap_of_rows, columns, "MAX_EMPTY_ROWS", 10**7, None),
        (bombs.document_many_empty_rows, columns, "MAX_EMPTY_ROWS", 10**7, "empty"),
        (bombs.document_deep, ods, "_MOST_DEPTH", 10**7, "empty"),
        (bombs.pixel_bomb, media, "MAX_PIXELS", 10**12, None),
        (bombs.many_members, archive, "MAX_MEMBERS", 10**7, "neither a spreadsheet"),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_with_its_limit_off_the_bomb_gets_past(monkeypatch, bomb, place, limit, off, outcome):
    """The control: it is the limit that refuses, not something else about the file."""
    data = bomb()
    monkeypatch.setattr(place, limit, off)
    if outcome is None:
        assert formats.parse(data).rows[0].term == "a"
    else:
        with pytest.raises(FormatError, match=outcome):
            formats.parse(data)


def test_too_much_memory_and_too_much_time_are_refused():
    data = ("čžš" * 200 + ",dog\n") * 10_000
    assert len(parse_untrusted(data).rows) == 10_000
    with pytest.raises(FormatError, match="more than 64 MB of memory"):
        parse_untrusted(data, megabytes=64)
    with pytest.raises(FormatError, match="longer than 1 second"):
        parse_untrusted(data, seconds=0.05)


def test_a_breakdown_of_the_reading_process_is_told_and_logged(caplog):
    with pytest.raises(FormatError, match="error code 1"):
        parse_untrusted("pas", columns={"column 1": 5})
    assert "AttributeError" in caplog.text


def test_a_file_too_large_is_refused_before_it_is_read(monkeypatch):
    monkeypatch.setattr("vocab.formats.sandbox.MAX_FILE", 10)
    with pytest.raises(FormatError, match="larger than"):
        parse_untrusted("pas\tdog\nmačka\tcat")


ATTEMPTS = {
    "write": "open(outside, 'w')",
    "append": "import os; os.open(outside, os.O_CREAT | os.O_WRONLY)",
    "remove": "import os; os.remove(__file__)",
    "connect": "import socket; socket.socket()",
    "program": "import subprocess; subprocess.run(['true'])",
    "shell": "import os; os.system('true')",
    "fork": "import os; os.fork() or os._exit(0)",
    "native": "import ctypes; ctypes.CDLL(None)",
    "climb": "open(str(folder) + '/../outside', 'w')",
}


@pytest.mark.parametrize("is_forbidden", [True, False], ids=["forbidden", "control"])
@pytest.mark.parametrize("attempt", ATTEMPTS)
def test_the_reading_process_can_do_nothing_else(attempt, is_forbidden, tmp_path):
    folder = tmp_path / "folder"
    folder.mkdir()
    script = tmp_path / "script.py"
    script.write_text(
        f"import sys; sys.path.append({str(ROOT)!r})\n"
        "from pathlib import Path\nfrom vocab.formats import _child\n"
        f"folder = Path({str(folder)!r}); outside = {str(tmp_path / 'outside')!r}\n"
        + ("_child.forbid(folder)\n" if is_forbidden else "")
        + "open(str(folder) + '/answer', 'w').close()\n"
        + f"try:\n    exec({ATTEMPTS[attempt]!r})\nexcept PermissionError:\n    sys.exit(7)\n"
    )
    done = subprocess.run([sys.executable, "-I", str(script)], capture_output=True)
    assert done.returncode == (7 if is_forbidden else 0), done.stderr
    assert (folder / "answer").exists()
    assert not is_forbidden or not (tmp_path / "outside").exists()


def test_the_reading_process_is_told_nothing_of_the_application(monkeypatch, tmp_path):
    seen = {}

    def run(*arguments, env, **_):
        seen.update(env)
        raise subprocess.TimeoutExpired("x", 1)

    monkeypatch.setenv("SECRET_KEY", "hush")
    monkeypatch.setattr(subprocess, "run", run)
    with pytest.raises(FormatError):
        parse_untrusted("pas")
    assert "SECRET_KEY" not in seen


def test_formats_know_nothing_of_django():
    script = (
        f"import sys; sys.path.append({str(ROOT)!r})\n"
        "import vocab.formats, importlib\n"
        "before = set(sys.modules)\n"
        "assert not {'openpyxl', 'zstandard', 'sqlite3', 'csv'} & before\n"
        "for name in [*vocab.formats.FORMATS, 'sandbox']:\n"
        "    importlib.import_module(f'vocab.formats.{name}')\n"
        "assert not {'django', 'vocab.models'} & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-I", "-c", script], check=True)


def test_a_message_can_be_translated_before_it_is_filled():
    with pytest.raises(FormatError) as caught:
        parse_untrusted(bombs.pixel_bomb())
    assert "{width} × {height}" in caught.value.sentence.template
    assert caught.value.sentence.values["width"] == 60_000


@pytest.mark.parametrize(
    ("text", "options", "expected"),
    [
        ("pas\tdog", {}, "rows"),
        ("", {}, "error"),
        ("pas", {"colour": "red"}, "error"),
    ],
)
def test_the_reading_process_answers_with_rows_or_a_reason(text, options, expected, tmp_path):
    (tmp_path / "input").write_text(text)
    request = {
        "file": str(tmp_path / "input"),
        "is_text": True,
        "format": "delimited",
        "columns": None,
        "keeps_media": False,
        "options": options,
    }
    assert expected in _child.answer(request, tmp_path)


def test_what_a_library_says_of_a_damaged_file_is_in_the_log_and_not_in_the_sentence(caplog):
    spreadsheet = bombs.zipped({"[Content_Types].xml": b"<", "xl/workbook.xml": b"<"})
    with pytest.raises(FormatError) as caught:
        parse_untrusted(spreadsheet, format="xlsx")
    assert str(caught.value) == "The spreadsheet is damaged."
    assert "Error" in caplog.text
