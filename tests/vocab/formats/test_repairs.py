"""Pastes as PDF, Word and textbooks give them: read right, or right after one repair."""

import csv
from pathlib import Path

import pytest

from vocab.formats import delimited, repairs
from vocab.formats.rows import FormatError, Problem
from vocab.imports.pasting import parse_pasted
from vocab.text.playing import playing_forms, rules_worth_having

ROOT = Path(__file__).parents[3]
GERMAN = [("der Hund", "dog"), ("die Katze", "cat"), ("das Pferd", "horse")]
BARE = [("Hund", "dog"), ("Katze", "cat"), ("Pferd", "horse")]
PLAYED = ["Hund", "Katze", "Pferd"]


def pasted(text, languages=("de", "en"), repair=None):
    return parse_pasted(text, languages=languages, repair=repair)


def pairs(parsed):
    return [
        (row.term, *(texts[0] for texts in row.translations.values() if texts))
        for row in parsed.rows
    ]


def offers(parsed):
    return [name for problem in parsed.problems for name in problem.repairs]


def played(parsed, language="de"):
    rules = rules_worth_having((row.term for row in parsed.rows), language)
    return [playing_forms(row.term, language, rules)[0] for row in parsed.rows]


def lines_of(words, form):
    return "\n".join(form.format(*pair) for pair in words)


# What is pasted, the repair that it needs, and the pairs that it gives.
PASTES = {
    "tabs": ("der Hund\tdog\ndie Katze\tcat\ndas Pferd\thorse", "", GERMAN),
    "commas": ("der Hund, dog\ndie Katze, cat\ndas Pferd, horse", "", GERMAN),
    "dashes": ("der Hund – dog\ndie Katze - cat\ndas Pferd — horse", "", GERMAN),
    "minus signs": ("der Hund − dog\ndie Katze − cat\ndas Pferd − horse", "", GERMAN),
    "minus signs without spaces": ("Hund−dog\nKatze−cat\nPferd−horse", "", BARE),
    "numbers": ("1. der Hund – dog\n2. die Katze – cat\n3. das Pferd – horse", "", GERMAN),
    "bullets": ("• der Hund: dog\n• die Katze: cat\n• das Pferd: horse", "", GERMAN),
    "Excel numbers": ("1\tder Hund\tdog\n2\tdie Katze\tcat\n3\tdas Pferd\thorse", "", GERMAN),
    "Quizlet": ("der Hund,dog;die Katze,cat;das Pferd,horse", "", GERMAN),
    "Windows": ("der Hund\tdog \r\ndie Katze\tcat\r\n das Pferd\thorse\t\r\n", "", GERMAN),
    "low quotes": ("„der Hund“ – „dog“\n„die Katze“ – „cat“\n„das Pferd“ – „horse“", "", GERMAN),
    "aligned columns": (
        "der Hund         dog\ndie Katze        cat\ndas Pferd        horse",
        "",
        GERMAN,
    ),
    "lines of dots": (
        "der Hund ........ dog\ndie Katze ...... cat\ndas Pferd ...... horse",
        "",
        GERMAN,
    ),
    "hyphens": ("Hund-dog\nKatze-cat\nPferd-horse", "split-hyphen", BARE),
    "alternate lines": (
        "der Hund\ndog\ndie Katze\ncat\ndas Pferd\nhorse",
        "join",
        GERMAN,
    ),
    "two halves": ("der Hund\ndie Katze\ndas Pferd\ndog\ncat\nhorse", "join-halves", GERMAN),
    "English first": ("dog\tder Hund\ncat\tdie Katze\nhorse\tdas Pferd", "swap", GERMAN),
    "single spaces": ("der Hund dog\ndie Katze cat\ndas Pferd horse", "split-last", GERMAN),
    "bullets, tabs and dashes": (
        "1. der Hund\tdog\n2. die Katze – cat\n• das Pferd\thorse",
        "",
        GERMAN,
    ),
    "a textbook's page": (
        "Lektion 3 · Tiere\nder Hund [hʊnt]    dog\ndie Katze [ˈkatsə]    cat\n47\n"
        "das Pferd [pfeːɐ̯t]    ho-\nrse",
        "",
        GERMAN,
    ),
}


@pytest.mark.parametrize("name", PASTES)
def test_what_is_pasted_is_read_right_or_right_after_one_repair(name):
    text, repair, expected = PASTES[name]
    parsed = pasted(text)
    assert offers(parsed)[:1] == [repair][: bool(repair)]
    if repair:
        assert pairs(parsed) != expected  # the control
        parsed = pasted(text, repair=repair)
    assert pairs(parsed) == expected
    assert played(parsed) == PLAYED
    assert offers(parsed) == []
    assert len(parsed.problems) <= 2


@pytest.mark.parametrize(
    "form",
    ["{} m (-e)\t{}", "{} m. (-e) - {}", "{}, m (-n)\t{}", "{} (m)\t{}", "{} (m, -e) = {}",
     "{}, m\t{}", "{} m -e\t{}", "{} [f]\t{}", "{}, -n\t{}"],
)  # fmt: skip
def test_gender_and_plural_are_not_played(form):
    assert played(pasted(lines_of(BARE, form))) == PLAYED


@pytest.mark.parametrize(
    "form",
    ["„{}“\t{}", "„{}” = „{}”", "»{}« – {}", "«{}» – «{}»", "« {} » : {}", "“{}”, “{}”",
     "‚{}‘ – ‚{}‘", "‘{}’;{}", "'{}' - '{}'", '"{}" "{}"', '"{}" - "{}"', '„{}" - "{}"',
     "「{}」：「{}」", "『{}』\t{}", "›{}‹ = {}", "„{}“ {}„{}“".replace("{}„", "„", 1)],
)  # fmt: skip
def test_quotes_around_words_are_left_out_and_come_back(form):
    text = lines_of(GERMAN, form)
    parsed = pasted(text)
    assert pairs(parsed) == GERMAN
    assert parsed.settings["repair"] == "quotes"
    assert "".join(row.term for row in pasted(text, repair="").rows) != "".join(
        row.term for row in parsed.rows
    )


def test_a_few_quotes_are_left_in_until_somebody_removes_them():
    text = "„Hund“ – dog\nKatze – cat\nPferd – horse\nKuh – „cow“\nMaus – mouse"
    assert offers(pasted(text)) == ["quotes"]
    assert pasted(text).rows[0].term == "„Hund“"
    assert pairs(pasted(text, repair="quotes"))[::3] == [("Hund", "dog"), ("Kuh", "cow")]


@pytest.mark.parametrize(
    "form",
    ["{n}) {} – {}", "({n}) {}\t{}", "{n}.{} – {}", "{a}. {}\t{}", "{a}) {} = {}", "{A}. {} – {}",
     "{n}.\t{}\t{}", "1.{n} {} – {}", "{R}. {} = {}", "・{} – {}", "\uf0b7\t{} – {}",
     "◦ {}\t{}", "►{} - {}"],
)  # fmt: skip
def test_numbers_and_bullets_are_left_out(form):
    text = "\n".join(
        form.format(*pair, n=number, a="abc"[number - 1], A="ABC"[number - 1], R="I" * number)
        for number, pair in enumerate(GERMAN, 1)
    )
    assert pairs(pasted(text)) == GERMAN


@pytest.mark.parametrize(
    ("text", "languages", "expected"),
    [
        ("１．犬　dog\n２．猫　cat", ("ja", "en"), [("犬", "dog"), ("猫", "cat")]),
        ("犬　　dog\n猫　　cat", ("ja", "en"), [("犬", "dog"), ("猫", "cat")]),
        ("①犬：dog\n②猫：cat", ("ja", "en"), [("犬", "dog"), ("猫", "cat")]),
        ("학교　学校\n개　狗", ("ko", "zh"), [("학교", "学校"), ("개", "狗")]),
        ("٢. قطة - cat\n٣. كلب - dog", ("ar", "en"), [("قطة", "cat"), ("كلب", "dog")]),
        ("قطة    cat\nكلب    dog", ("ar", "en"), [("قطة", "cat"), ("كلب", "dog")]),
        ("белый медведь polar bear\nкот cat", ("ru", "en"),
         [("белый медведь", "polar bear"), ("кот", "cat")]),
        ("«קטה» – cat\n«כלב» – dog", ("he", "en"), [("קטה", "cat"), ("כלב", "dog")]),
        ("the dog-der Hund\nthe cat-die Katze", ("en", "de"),
         [("the dog", "der Hund"), ("the cat", "die Katze")]),
        ("dog [dɒɡ] der Hund\ncat [kæt] die Katze\nto go – gehen", ("en", "de"),
         [("dog", "der Hund"), ("cat", "die Katze"), ("to go", "gehen")]),
        ("der Hund         dog\nder Krankenwagen ambulance\ndas Pferd        horse\n"
         "die Katze        cat or\n                 kitten", ("de", "en"),
         [("der Hund", "dog"), ("der Krankenwagen", "ambulance"), ("das Pferd", "horse"),
          ("die Katze", "cat or kitten")]),
    ],
)  # fmt: skip
def test_other_scripts_and_forms_are_read_right(text, languages, expected):
    assert pairs(pasted(text, languages)) == expected


@pytest.mark.parametrize(
    ("text", "languages", "repair"),
    [
        ("pas\ndog\nmačka\ncat\nkonj\nhorse", ("hr", "en"), "join"),
        ("1. Hund\ndog\n2. Katze\ncat\n3. Pferd\nhorse", ("de", "en"), "join"),
        ("кот\ncat\nпёс\ndog", ("ru", "en"), "join"),
        ("chat\ncat\n\nchien\ndog\n\nvache\ncow", ("", ""), "join"),
        ("Hund dog\nKatze cat\nPferd horse\nKuh cow", ("de", "en"), "split-last"),
        ("pas dog\nmačka cat\nkonj horse\nkuća house\nškola school", ("hr", "en"), "split-last"),
        ("dog\tpas\ncat\tmačka\nhorse\tkonj\nhouse\tkuća", ("hr", "en"), "swap"),
        ("dog\tкот\ncat\tпёс", ("ru", "en"), "swap"),
        ("dog\tكلب\ncat\tقطة", ("ar", "en"), "swap"),
    ],
)
def test_a_repair_is_offered_for_other_languages(text, languages, repair):
    parsed = pasted(text, languages)
    assert offers(parsed) == [repair]
    repaired = pasted(text, languages, repair)
    assert offers(repaired) == []
    assert all(row.translations for row in repaired.rows)


def test_a_word_that_ends_with_a_hyphen_stays_a_word():
    parsed = pasted("ver-\nder Hund – dog\ndie Katze – cat")
    assert [row.term for row in parsed.rows] == ["ver-", "der Hund", "die Katze"]
    parted = pasted("der Ele-\nfant – elephant\ndie Katze – cat")
    assert pairs(parted) == [("der Elefant", "elephant"), ("die Katze", "cat")]


def test_both_ends_are_offered_where_they_differ():
    text = "Hund guard dog\nKatze house cat\nPferd race horse\nMaus field mouse"
    assert offers(pasted(text)) == ["split-last", "split-first"]
    assert pairs(pasted(text, repair="split-first"))[0] == ("Hund", "guard dog")


def test_repairs_follow_one_another_and_lines_keep_their_numbers():
    text = "dog\nder Hund\n\ncat\ndie Katze\n"
    parsed = pasted(text, repair="join swap")
    assert [(row.line, row.term) for row in parsed.rows] == [(1, "der Hund"), (4, "die Katze")]
    again = delimited.parse(text, **parsed.settings, languages=["de", "en"])
    assert pairs(again) == pairs(parsed)


@pytest.mark.parametrize("name", PASTES)
def test_the_settings_shown_read_the_same_again(name):
    text, repair, _ = PASTES[name]
    parsed = delimited.parse(text, repair=repair or None, languages=["de", "en"])
    again = delimited.parse(text, **parsed.settings, languages=["de", "en"])
    assert pairs(again) == pairs(parsed)


def test_an_unknown_repair_is_refused_by_name():
    with pytest.raises(FormatError, match="no repair “mend”"):
        pasted("a\tb", repair="mend")


def test_a_separator_that_somebody_chose_is_no_offer_of_repairs():
    text = "der Hund\ndog\ndie Katze\ncat"
    parsed = parse_pasted(text, delimiter=",", repair="join", languages=("de", "en"))
    assert [row.term for row in parsed.rows] == text.split("\n")


def test_one_thing_is_one_warning_with_the_numbers_of_its_lines():
    lines = [f"Wort{number}\tword{number}" for number in range(20)]
    lines[3::2] = [f"Wort{number}" for number in range(3, 20, 2)]
    (problem,) = pasted("\n".join(lines)).problems
    assert problem.line == 4
    assert problem.sentence == (
        "“Wort3” has no translation. The same in lines 6, 8, 10, 12, 14 and 3 more."
    )
    assert Problem.from_json(problem.as_json()) == problem


def everyday():
    for file in sorted((ROOT / "tests/data/everyday").glob("*.txt")):
        yield file.read_text(encoding="utf-8"), (file.stem, "en")
    for file in sorted((ROOT / "tests/data").glob("finder-*.txt")):
        own = file.stem.rpartition("-")[2]
        yield file.read_text(encoding="utf-8"), (own, "de" if own == "en" else "en")
    for file in sorted((ROOT / "puzzles/demo").glob("*.tsv")):
        yield file.read_text(encoding="utf-8"), tuple(file.stem.split("-")[-2:])
    samples = ROOT / "vocab/samples/first-words.tsv"
    table = list(csv.reader(samples.read_text(encoding="utf-8").splitlines(), delimiter="\t"))
    columns = {column[0]: column[1:] for column in zip(*table, strict=True)}
    for language, words in columns.items():
        other = "de" if language == "en" else "en"
        yield "\n".join(words), (language, other)
        lines = map("\t".join, zip(words, columns[other], strict=True))
        yield "\n".join(lines), (language, other)


def test_ordinary_lists_get_no_offer_and_lose_no_line():
    found = []
    for text, languages in everyday():
        parsed = pasted(text, languages)
        if offers(parsed) or "repair" in parsed.settings:
            found.append((text[:40], languages, parsed.problems))
        assert len(parsed.rows) == sum(bool(line.strip()) for line in text.split("\n")), text[:40]
    assert found == []


@pytest.mark.parametrize(
    "text",
    [
        "good morning\ngood evening\nthank you\nsee you later\nice cream\nhot dog",
        "der Hund\ndie Katze\ndas Pferd\ndie Kuh\ndas Schwein\ndie Maus",
        "T-Shirt\nE-Mail\nMake-up\nX-Beine",
        "Faust – Drama\n„Der Erlkönig“ – Ballade\nNathan – Drama\nDie Räuber – Drama",
        "un-\nver-\nzer-\nbe-",
        "1\n2\n3\n4",
        "Unit 1\nUnit 2\nUnit 3",
        "die Bank (Park)\ndas Schloss (Tür)\nder Hahn (Wasser)",
        "Hund\nKatze\nPferd\nKuh\nSchwein\nMaus",
    ],
)
@pytest.mark.parametrize("languages", [("de", "en"), ("de", "hr"), ("", "")])
def test_lists_without_translations_get_no_offer(text, languages):
    """The control."""
    parsed = pasted(text, languages)
    assert offers(parsed) == []
    assert len(parsed.rows) == len(text.split("\n"))


def test_every_repair_is_made_by_some_paste_above():
    made = {repair for _, repair, _ in PASTES.values()} | {"quotes", "split-script", "split-first"}
    assert made - {""} == set(repairs.REPAIRS)
