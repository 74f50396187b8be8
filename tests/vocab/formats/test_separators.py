import pytest

from vocab.formats import delimited
from vocab.formats.rows import FormatError, Parsed


def pairs(parsed):
    return [(row.term, row.translations.get("", [])) for row in parsed.rows]


def told(parsed):
    return [(problem.line, problem.sentence) for problem in parsed.problems]


MIXED = (
    "der Hund\tpas\n"
    "der Stuhl = stolac\n"
    "die Katze ; mačka\n"
    "die Maus – miš\n"
    "das Pferd - konj\n"
    "die Ziege: koza\n"
    "das Schwein,svinja\n"
    "das Schaf\tovca\n"
    "die Kuh\tkrava\n"
    "der Esel\tmagarac\n"
    "die Ente\tpatka\n"
    "die Gans\tguska\n"
)


def test_each_line_of_a_paste_is_split_by_the_separator_it_has():
    parsed = delimited.parse(MIXED)
    assert pairs(parsed)[:7] == [
        ("der Hund", ["pas"]),
        ("der Stuhl", ["stolac"]),
        ("die Katze", ["mačka"]),
        ("die Maus", ["miš"]),
        ("das Pferd", ["konj"]),
        ("die Ziege", ["koza"]),
        ("das Schwein", ["svinja"]),
    ]
    assert all(row.translations for row in parsed.rows)
    assert parsed.separators == {"\t": 6, " = ": 1, " ; ": 1, " – ": 1, " - ": 1, ": ": 1, ",": 1}


def test_a_line_that_is_split_otherwise_says_so():
    parsed = delimited.parse(MIXED)
    assert {problem.severity for problem in parsed.problems} == {"warning"}
    assert told(parsed) == [
        (
            0,
            "Unlike most lines, lines 2, 3, 4, 5, 6 and 1 more were split at "
            "“=”; “;”; “–”; “-”; “:”; “,”.",
        )
    ]
    one = delimited.parse("der Hund\tpas\ndie Katze\tmačka\ndie Maus = miš")
    assert told(one) == [(3, "Unlike most lines, line 3 was split at “=”.")]


def test_a_list_split_in_one_way_needs_no_warning():
    """The control."""
    parsed = delimited.parse("der Hund\tpas\ndie Katze\tmačka")
    assert parsed.problems == []
    assert parsed.separators == {"\t": 2}
    assert "mixed" not in parsed.settings


def test_no_separator_has_to_be_that_of_most_lines():
    parsed = delimited.parse("der Hund\tpas\ndie Katze ; mačka\ndie Maus = miš\ndas Pferd – konj")
    assert pairs(parsed) == [
        ("der Hund", ["pas"]),
        ("die Katze", ["mačka"]),
        ("die Maus", ["miš"]),
        ("das Pferd", ["konj"]),
    ]


@pytest.mark.parametrize(
    ("line", "count"),
    [
        ("Hund, Katze, Maus, Pferd, Kuh", 5),
        ("Hund,Katze,Maus", 3),
        ("犬、猫、鳥", 3),
        ("كلب، قطة، حصان", 3),
    ],
)
def test_a_single_line_of_words_is_that_many_words(line, count):
    parsed = delimited.parse(line)
    assert len(parsed.rows) == count
    assert all(not row.translations for row in parsed.rows)
    assert f"{count} words" in parsed.problems[0].sentence
    again = delimited.parse(line, **parsed.settings)
    assert pairs(again) == pairs(parsed)


def test_a_single_pair_and_a_single_line_with_names_of_columns_are_no_enumeration():
    """The control."""
    assert pairs(delimited.parse("Hund, dog")) == [("Hund", ["dog"])]
    assert delimited.parse("term,translation,note\npas,dog,x").rows[0].note == "x"


@pytest.mark.parametrize(
    "text",
    [
        "pas,dog;mačka,cat;konj,horse",
        "pas,dog;\nmačka,cat;\nkonj,horse;\n",
        "pas///dog|||mačka///cat|||konj///horse",
        "pas::dog\nmačka::cat\nkonj::horse",
        "pas\tdog;mačka\tcat;konj\thorse",
        "pas##dog\r\n\r\nmačka##cat\r\n\r\nkonj##horse",
    ],
)
def test_both_separators_of_quizlet_are_recognised_if_they_are_sure(text):
    parsed = delimited.parse(text)
    assert pairs(parsed) == [("pas", ["dog"]), ("mačka", ["cat"]), ("konj", ["horse"])]
    assert pairs(delimited.parse(text, **parsed.settings)) == pairs(parsed)


@pytest.mark.parametrize(
    "text",
    [
        "pas,dog;hound\nmačka,cat",
        "pas;dog, hound",
        "pas,dog,http://x.org/1\nmačka,cat,http://x.org/2",
    ],
)
def test_what_only_resembles_quizlets_separators_is_read_as_a_table(text):
    """The control."""
    parsed = delimited.parse(text)
    assert parsed.rows[0].term == "pas"
    assert parsed.rows[0].translations[""][0].startswith("dog")
    assert len(parsed.rows) == len(text.split("\n"))


def test_separators_given_by_hand_always_win():
    text = "pas,dog;mačka,cat"
    assert pairs(delimited.parse(text, delimiter=";")) == [("pas,dog", ["mačka,cat"])]
    parsed = delimited.parse("a = b\nc\td", delimiter="\t")
    assert [row.term for row in parsed.rows] == ["a = b", "c"]


@pytest.mark.parametrize(
    "text",
    [
        "pas\tdog\n(a domestic animal)\nmačka\tcat",
        "pas\tdog,\nhound\nmačka\tcat",
        "pas\t1. dog\n2. hound\nmačka\tcat",
    ],
)
def test_a_definition_of_several_lines_stays_with_its_word(text):
    parsed = delimited.parse(text)
    assert [row.term for row in parsed.rows] == ["pas", "mačka"]
    assert "\n" in "".join(parsed.rows[0].translations[""])
    assert told(parsed)[0] == (2, "This line was added to the translation above it.")


def test_definitions_of_several_lines_between_empty_lines_are_kept_whole():
    parsed = delimited.parse("pas\tdog\na domestic animal\n\nmačka\tcat\n\nkonj\thorse\n")
    assert pairs(parsed) == [
        ("pas", ["dog\na domestic animal"]),
        ("mačka", ["cat"]),
        ("konj", ["horse"]),
    ]


def test_a_line_that_is_only_a_word_is_pointed_out_among_pairs():
    parsed = delimited.parse("pas\tdog\nmačka\nkonj\thorse")
    assert [row.term for row in parsed.rows] == ["pas", "mačka", "konj"]
    assert told(parsed) == [(2, "“mačka” has no translation.")]
    assert delimited.parse("pas\nmačka\nkonj").problems == []


def test_no_word_silently_contains_a_separator_with_spaces_around_it():
    by_hand = delimited.parse("der Stuhl = stolac\nx\ty", delimiter="\t")
    assert (1, "The word “der Stuhl = stolac” contains “=”. Check whether it should be split.") in (
        told(by_hand)
    )
    one_column = delimited.parse("Hund\nKatze\nMaus – miš\nPferd")
    assert pairs(one_column)[2] == ("Maus", ["miš"])
    assert told(one_column)[0][0] == 3


def test_reading_a_mixed_text_again_with_the_settings_shown_gives_the_same():
    parsed = delimited.parse(MIXED)
    again = delimited.parse(MIXED, **parsed.settings, columns=parsed.columns)
    assert again == parsed
    assert Parsed.from_json(again.as_json()) == parsed


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("<table><tr><td>pas</td><td>dog</td></tr></table>", "web page"),
        ('[{"word": "pas"}]', "JSON"),
        ('{"pas": "dog"}', "JSON"),
        ("{\\rtf1 pas}", "formatted document"),
    ],
)
def test_markup_and_data_are_never_taken_as_words(text, reason):
    with pytest.raises(FormatError, match=reason):
        delimited.parse(text)
    assert delimited.parse("[der] Hund\tpas").rows[0].term == "[der] Hund"


def test_commas_within_the_words_of_a_mixed_paste_separate_nothing():
    text = "\n".join(
        [
            "der Hund, -e\tpas",
            "die Katze, -n\tmačka",
            "das Brot, -e = kruh",
            "die Schule, -n ; škola",
            "schön – lijep",
            "gehen, ging, ist gegangen\tići",
            "schnell\tbrz",
        ]
    )
    parsed = delimited.parse(text)
    assert [(row.term, row.translations[""]) for row in parsed.rows] == [
        ("der Hund, -e", ["pas"]),
        ("die Katze, -n", ["mačka"]),
        ("das Brot, -e", ["kruh"]),
        ("die Schule, -n", ["škola"]),
        ("schön", ["lijep"]),
        ("gehen, ging, ist gegangen", ["ići"]),
        ("schnell", ["brz"]),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # One word that has no translation yet does not turn the commas into separators.
        (
            "der Hund, -e = pas\ndie Maus, Mäuse = miš\ndas Ei, -er = jaje\nder Igel, -",
            [("der Hund, -e", "pas"), ("die Maus, Mäuse", "miš"), ("das Ei, -er", "jaje"),
             ("der Igel, -", "")],
        ),
        ("der Hund, -e = pas\ndie Giraffe, -n", [("der Hund, -e", "pas"), ("die Giraffe, -n", "")]),
        ("der Hund, -e\ndie Giraffe, -n", [("der Hund, -e", ""), ("die Giraffe, -n", "")]),
        ("der Hund, -e; pas\ndie Kuh, ¨-e; krava",
         [("der Hund, -e", "pas"), ("die Kuh, ¨-e", "krava")]),
        (
            "\n".join([f"die Maus{n}, Mäuse{n} = miš" for n in range(12)] + ["der Igel, Igel"]),
            [*((f"die Maus{n}, Mäuse{n}", "miš") for n in range(12)), ("der Igel", "Igel")],
        ),
        # The controls: tables whose translations have such signs in them.
        ("frost, -5 degrees\npas, dog", [("frost", "-5 degrees"), ("pas", "dog")]),
        ("pas, dog = an animal\nkuća, house\nmačka, cat",
         [("pas", "dog = an animal"), ("kuća", "house"), ("mačka", "cat")]),
    ],
)  # fmt: skip
def test_plurals_after_a_comma_belong_to_the_word(text, expected):
    rows = delimited.parse(text).rows
    assert [(row.term, "".join(row.translations.get("", []))) for row in rows] == expected


def test_a_sign_of_the_words_may_be_repeated_between_cards():
    parsed = delimited.parse(
        "der Hund, -e -- pas;;;die Katze, -n -- mačka;;;das Ei, -er -- jaje;;;"
    )
    assert [(row.term, row.translations[""]) for row in parsed.rows] == [
        ("der Hund, -e", ["pas"]),
        ("die Katze, -n", ["mačka"]),
        ("das Ei, -er", ["jaje"]),
    ]


@pytest.mark.parametrize(
    "separator",
    ["：", "；", "｜", "＝", "=", "–", "—", "→", "->", "=>", "、", "\u00a0–\u00a0", "\u00a0- ",
     " —\u202f", "\u3000=\u3000", "\u2009:\u2009", "\u00a0: "],
)  # fmt: skip
def test_other_signs_between_word_and_translation_separate_them(separator):
    text = "".join(
        f"{word}{separator}{meaning}\n" for word, meaning in (("Hund", "dog"), ("Katze", "cat"))
    )
    assert pairs(delimited.parse(text)) == [("Hund", ["dog"]), ("Katze", ["cat"])]


@pytest.mark.parametrize(
    "text",
    ["Paris–Dakar\nRallye\nHund", "1914–1918\n1939–1945", "犬、猫\n鳥\n魚、貝", "x=1\nHund\nKatze"],
)
def test_signs_within_a_few_words_or_numbers_separate_nothing(text):
    """The control."""
    assert [row.term for row in delimited.parse(text).rows] == text.split("\n")


@pytest.mark.parametrize("text", [",,,", ";;\n;;", "：：", "==\n==", "|||"])
def test_separators_without_words_are_no_list(text):
    with pytest.raises(FormatError, match=r"no text to read|no word"):
        parsed = delimited.parse(text)
        raise FormatError(parsed.problems[0].sentence)


@pytest.mark.parametrize(
    "text",
    [
        "Hund\tdog; hound;Katze\tcat;Maus\tmouse",
        "Hund - dog;Katze - cat; kitty;Maus - mouse",
        "Hund: dog; hound; tyke;Katze: cat;Maus: mouse;Kuh: cow",
    ],
)
def test_a_separator_of_rows_within_a_translation_loses_no_word(text):
    parsed = delimited.parse(text)
    assert [row.term for row in parsed.rows][:3] == ["Hund", "Katze", "Maus"]
    assert "was added to the translation before it" in str(parsed.problems[0].sentence)
    assert all(";" not in translation for _, texts in pairs(parsed) for translation in texts)
