"""`osmosmjerka make-puzzle`: words in, a puzzle out. No test here may touch the database."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from puzzles.exports import FORMATS
from puzzles.library.command import main, parser
from puzzles.library.makers import MAKERS

WORDS = "krokodil\tcrocodile\nkokoš\then\nlabud\tswan\nljubičica\tviolet\nžaba\tfrog\n"
KINDS = tuple(MAKERS)


class Stream(io.TextIOWrapper):
    """Standard output as a program has it: text above, bytes below."""

    def __init__(self):
        super().__init__(io.BytesIO(), encoding="utf-8")


class Terminal(Stream):
    def isatty(self):
        return True


@pytest.fixture
def words_file(tmp_path):
    path = tmp_path / "Životinje.tsv"
    path.write_text(WORDS, encoding="utf-8")
    return path


def make(kind, words, *options, stdout=None):
    """Return what the command wrote and what it said beside it."""
    out, told = stdout or Stream(), io.StringIO()
    words = [words] if isinstance(words, str | Path) else words
    with redirect_stdout(out), redirect_stderr(told):
        main([kind, *map(str, words), *options])
    return out.buffer.getvalue(), told.getvalue()


@pytest.mark.parametrize("kind", KINDS)
def test_json_spells_the_words_of_the_file(kind, words_file):
    written, _ = make(kind, words_file, "--language", "hr", "--seed", "1", "--format", "json")

    document = json.loads(written)
    assert document["kind"] == kind
    assert (len(document["grid"]), len(document["grid"][0])) == (document["rows"], document["cols"])
    assert {placed["word"] for placed in document["placements"]} <= {
        line.split("\t")[0] for line in WORDS.splitlines()
    }
    for placed in document["placements"]:
        spelt = "".join(document["grid"][row][col] for row, col in placed["cells"])
        assert spelt == placed["word"].upper()
    named = [word["word"] for word in document["placements"] + document["unplaced"]]
    assert sorted(named) == sorted(line.split("\t")[0] for line in WORDS.splitlines())


def test_digraphs_are_one_letter_in_the_language_that_has_them(words_file):
    written, _ = make(
        "crossword", words_file, "--language", "hr", "--format", "json", "--seed", "1"
    )

    assert "LJ" in {cell for row in json.loads(written)["grid"] for cell in row}


def test_a_random_seed_is_told_so_that_the_puzzle_can_be_made_again(words_file):
    first, told = make("word-search", words_file, "--format", "json")
    seed = re.search(r"--seed (\d+)", told)[1]

    assert make("word-search", words_file, "--format", "json", "--seed", seed)[0] == first


@pytest.mark.parametrize("name", FORMATS)
def test_each_format_goes_into_a_file_that_its_ending_names(name, words_file, tmp_path):
    file_format = FORMATS[name]
    path = tmp_path / f"puzzle{file_format.extension}"

    kind = "crossword" if file_format.is_numbered else "word-search"
    # A crossword of these words is the best there is, whatever the time.
    make(kind, words_file, "--seed", "1", "--language", "hr", "-o", str(path))
    piped, _ = make(kind, words_file, "--seed", "1", "--language", "hr", "--format", name)

    assert path.read_bytes() == piped
    assert len(piped) > 100


@pytest.mark.parametrize("name", ["a.odt", "a.PUZZLE", "žabe.x.csv"])
def test_an_unknown_ending_is_refused_with_the_known_ones(name, words_file, tmp_path):
    with pytest.raises(SystemExit, match=r"not a known format\. Known are \.txt, .*\.ipuz"):
        make("word-search", words_file, "-o", str(tmp_path / name))
    assert not (tmp_path / name).exists()


def test_the_name_of_another_format_is_refused(words_file, tmp_path):
    with pytest.raises(SystemExit, match=r"a pdf file, but --format is svg\. Name it .*a\.svg"):
        make("word-search", words_file, "--format", "svg", "-o", str(tmp_path / "a.pdf"))


def test_a_name_without_an_ending_is_text(words_file, tmp_path):
    make("word-search", words_file, "-o", str(tmp_path / "puzzle"))

    assert (tmp_path / "puzzle").read_text(encoding="utf-8").startswith("Životinje\n")


@pytest.mark.parametrize("name", ["puz", "jpz"])
def test_a_word_search_is_refused_by_formats_of_crosswords(name, words_file, tmp_path):
    with pytest.raises(SystemExit, match=f"Only a crossword can be a .{name} file"):
        make("word-search", words_file, "-o", str(tmp_path / f"a.{name}"))


def test_text_carries_the_file_s_name_as_title_and_a_title_replaces_it(words_file):
    assert make("crossword", words_file)[0].decode().startswith("Životinje\n")
    assert make("crossword", words_file, "--title", "Zoo")[0].decode().startswith("Zoo\n")


def test_a_binary_format_is_not_written_to_a_terminal(words_file):
    with pytest.raises(SystemExit, match="not for a terminal"):
        make("crossword", words_file, "--format", "pdf", stdout=Terminal())

    assert make("crossword", words_file, "--format", "svg", stdout=Terminal())[0].startswith(
        b"<?xml"
    )


@pytest.mark.parametrize(
    "text",
    ["krokodil\nžaba\n", "krokodil,crocodile\nžaba,frog\n", "krokodil;crocodile\nžaba;frog\n"],
)
def test_words_are_read_one_a_line_or_with_their_translation(text, tmp_path):
    path = tmp_path / "words"
    path.write_text(text, encoding="utf-8")

    placements = json.loads(make("word-search", path, "--format", "json")[0])["placements"]

    assert {placed["word"] for placed in placements} == {"krokodil", "žaba"}
    expected = set() if text[8] == "\n" else {"crocodile", "frog"}
    assert {placed["clue"] for placed in placements if "clue" in placed} == expected


def test_a_list_of_words_that_begins_with_a_heading_s_name_loses_no_word(tmp_path):
    path = tmp_path / "words"
    path.write_text("word\ntranslation\nnote\n", encoding="utf-8")

    placements = json.loads(make("word-search", path, "--format", "json")[0])["placements"]

    assert {placed["word"] for placed in placements} == {"word", "translation", "note"}


def test_a_table_s_heading_is_no_word_and_that_is_said(tmp_path):
    path = tmp_path / "words"
    path.write_text("term\ttranslation\nžaba\tfrog\nslon\telephant\n", encoding="utf-8")

    written, told = make("word-search", path, "--format", "json")

    assert {p["word"] for p in json.loads(written)["placements"]} == {"žaba", "slon"}
    assert "first line was read as the names of the columns" in told


@pytest.mark.parametrize("kind", KINDS)
def test_words_that_do_not_fit_are_named_with_the_reason(kind, words_file):
    written, told = make(kind, words_file, "--language", "hr", "--size", "5x5", "--format", "json")

    unplaced = {word["word"] for word in json.loads(written)["unplaced"]}
    assert {"krokodil", "ljubičica"} <= unplaced
    for word in unplaced:
        assert re.search(rf"Not placed: “{word}”: \S+", told)


def test_words_that_were_not_chosen_from_a_long_list_are_counted(tmp_path):
    path = tmp_path / "words"
    path.write_text("\n".join(f"r{a}{b}k" for a in "aeiou" for b in "bcdfg"), encoding="utf-8")

    _, told = make("finder", path)

    assert "10 of 25 words were chosen" in told


def test_a_crossword_s_words_without_a_clue_are_named(tmp_path):
    path = tmp_path / "words"
    path.write_text("mačka\tcat\nkrava\n", encoding="utf-8")

    written, told = make("crossword", path)

    assert "only the number of letters is its clue: krava" in told
    assert "(5)" in written.decode()


def test_a_setting_without_effect_is_said(words_file):
    assert "changes nothing in a finder" in make("finder", words_file, "--seconds", "1")[1]


@pytest.mark.parametrize("name", FORMATS)
def test_a_key_without_effect_is_said(name, words_file):
    kind = "crossword" if FORMATS[name].is_numbered else "word-search"
    options = ("--language", "hr", "--seed", "1", "--format", name)
    plain, _told = make(kind, words_file, *options)
    with_key, told = make(kind, words_file, *options, "--key")
    said = f"--key changes nothing: a {name} file always has the answers."
    assert (said in told) is (plain == with_key)


def test_the_help_says_which_files_with_a_key_are_the_answers_alone():
    assert (
        "add the answers to text, pdf and docx, or write svg and png of the answers alone"
    ) in " ".join(parser().format_help().split())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--size", "axb"), "“axb” is not a size. Write 12, or 10x15"),
        (("--size", "300"), "300"),
        (("--count", "6"), "--count 6: there are 5 words."),
        (("-o", "/nowhere/at/all.txt"), "“/nowhere/at/all.txt” cannot be written"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(options, message, words_file):
    with pytest.raises(SystemExit, match=re.escape(message)):
        make("word-search", words_file, *options)


@pytest.mark.parametrize(
    ("content", "message"), [(None, "cannot be read"), ("\n \n", "cannot be read"), ("?\n", "?")]
)
def test_a_file_without_words_is_refused(content, message, tmp_path):
    path = tmp_path / "words"
    if content is not None:
        path.write_text(content)

    with pytest.raises(SystemExit, match=re.escape(message)):
        make("word-search", path)


def test_a_line_that_cannot_be_used_is_named_and_the_others_are_played(tmp_path):
    path = tmp_path / "words"
    path.write_text("žaba\tfrog\n\tbear\nslon\telephant\n", encoding="utf-8")

    written, told = make("word-search", path, "--format", "json")

    assert {p["word"] for p in json.loads(written)["placements"]} == {"žaba", "slon"}
    assert "Line 2: " in told


def test_a_finder_for_which_no_word_is_short_enough_says_why(words_file):
    with pytest.raises(SystemExit, match="longer than a row"):
        make("finder", words_file, "--size", "3x3")


def test_a_letter_that_the_fonts_lack_is_named(tmp_path):
    path = tmp_path / "words"
    path.write_text("𒀭𒆠𒂗\tsky\n𒂠𒆠𒌓\tland\n", encoding="utf-8")

    with pytest.raises(SystemExit, match="do not contain these letters"):
        make("word-search", path, "--format", "pdf")


def test_words_can_be_written_instead_of_a_file():
    written, _told = make("word-search", ["cat", "dog", "cat"], "--format", "json", "--seed", "1")
    assert {placed["word"] for placed in json.loads(written)["placements"]} == {"cat", "dog"}


def test_a_file_among_words_is_refused(words_file):
    with pytest.raises(SystemExit, match="Name one file alone, or words"):
        make("word-search", ["cat", words_file])


def test_difficulty_directions_shape_and_message_are_taken(words_file):
    options = ("--language", "hr", "--seed", "1", "--format", "json")
    written, _ = make("word-search", words_file, "--directions", "s,E", *options)
    steps = {
        (cells[1][0] - cells[0][0], cells[1][1] - cells[0][1])
        for cells in (placed["cells"] for placed in json.loads(written)["placements"])
    }
    assert steps <= {(1, 0), (0, 1)}
    written, _ = make("word-search", words_file, "--shape", "heart", *options)
    assert None in json.loads(written)["grid"][0]
    written, _ = make("word-search", words_file, "--message", "OVOJETAJNA", *options)
    document = json.loads(written)
    used = {tuple(cell) for placed in document["placements"] for cell in placed["cells"]}
    left = [
        letter
        for row, letters in enumerate(document["grid"])
        for col, letter in enumerate(letters)
        if (row, col) not in used
    ]
    assert "".join(left) == "OVOJETAJNA"


@pytest.mark.parametrize("kind", KINDS)
def test_so_many_words_are_chosen_and_the_same_with_the_same_seed(kind, words_file):
    options = ("--count", "3", "--language", "hr", "--seed", "5", "--format", "json")
    first, _ = make(kind, words_file, *options)
    assert len(json.loads(first)["placements"]) == 3
    assert make(kind, words_file, *options)[0] == first


def test_nothing_is_written_if_a_required_word_does_not_fit(words_file, tmp_path):
    path = tmp_path / "a.txt"
    options = ("--language", "hr", "--size", "6", "-o", str(path))
    with pytest.raises(SystemExit, match="words are in the puzzle, so nothing was written"):
        make("word-search", words_file, "--require-all", *options)
    assert not path.exists()
    make("word-search", words_file, *options)  # the control
    assert path.exists()


def test_a_line_of_several_words_is_said_to_be_one_phrase(tmp_path):
    path = tmp_path / "words"
    path.write_text("cat dog bird\n", encoding="utf-8")
    assert "“cat dog bird” is a phrase" in make("word-search", path)[1]


def test_the_help_comes_at_once_with_examples_and_without_django():
    """Neither numpy nor Numba is loaded for it, which take most of the time of a puzzle."""
    program = (
        "import sys\nfrom osmosmjerka.__main__ import main\n"
        "try: main(['make-puzzle', '--help'])\nexcept SystemExit: pass\n"
        "print(*({'django', 'numpy', 'numba', 'icu', 'uharfbuzz'} & sys.modules.keys()))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    *lines, loaded = done.stdout.splitlines()
    assert lines[0].startswith("usage: osmosmjerka make-puzzle ")
    assert "  osmosmjerka make-puzzle word-search cat dog horse" in lines
    assert "--settings" not in done.stdout and loaded == ""


@pytest.mark.parametrize("command", [["manage.py"], ["-m", "osmosmjerka"]], ids=" ".join)
def test_as_a_program_it_reads_a_pipe_and_tells_errors_by_its_exit_code(command):
    command = [sys.executable, *command, "make_puzzle", "finder", "-", "--format", "json"]

    made = subprocess.run(command, input=WORDS.encode(), capture_output=True)
    failed = subprocess.run(command, input=b"", capture_output=True)

    assert made.returncode == 0
    assert len(json.loads(made.stdout)["placements"]) == 5
    assert b"Seed: " in made.stderr
    assert failed.returncode == 1
    assert failed.stdout == b""
    assert "“-” cannot be read" in failed.stderr.decode() and b"Traceback" not in failed.stderr


def test_versions_go_into_files_with_letters_and_have_the_same_words(words_file, tmp_path):
    options = ("--language", "hr", "--seed", "1", "--versions", "3")
    make("word-search", words_file, *options, "-o", str(tmp_path / "a.json"))

    documents = [json.loads((tmp_path / f"a-{letter}.json").read_text("utf-8")) for letter in "ABC"]
    assert len({json.dumps(one["grid"]) for one in documents}) == 3
    assert len({frozenset(word["word"] for word in one["placements"]) for one in documents}) == 1
    assert not (tmp_path / "a.json").exists()


def test_versions_of_a_text_follow_each_other_and_those_of_a_picture_need_names(words_file):
    written, _ = make("word-search", words_file, "--versions", "2", "--title", "Test")
    assert "Test A\n" in written.decode() and "Test B\n" in written.decode()
    with pytest.raises(SystemExit, match="Name them with -o"):
        make("word-search", words_file, "--versions", "2", "--format", "png")


def test_a_word_without_a_place_is_named_with_its_line(words_file):
    _, told = make("word-search", words_file, "--language", "hr", "--size", "6", "--seed", "1")
    assert re.search(r"Not placed: “ljubičica”: .*\(line 4\)", told)


def test_words_in_one_argument_are_told_to_be_no_file():
    with pytest.raises(SystemExit, match="two words or more, each an argument of its own"):
        make("word-search", ["cat dog horse"])
