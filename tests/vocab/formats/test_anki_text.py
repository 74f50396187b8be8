import pytest
from hypothesis import given

from tests.vocab.formats.lists import ROUND_TRIPS, lists, same_in_anki
from vocab.formats import anki_text
from vocab.formats.rows import FormatError, Row


@ROUND_TRIPS
@given(lists)
def test_a_list_comes_back_from_ankis_text_as_it_was(rows):
    parsed = anki_text.parse(anki_text.write(rows, name="Deck"))
    assert [same_in_anki(row) for row in parsed.rows] == [same_in_anki(row) for row in rows]
    assert parsed.problems == []
    assert parsed.about == {"deck": "Deck"}


def test_anki_takes_no_note_for_tags():
    lines = anki_text.write([Row(term="pas", translations={"": ["dog"]}, note="two words")])
    _html, columns, tags, _word = lines.decode().splitlines()[1:]
    assert tags == f"#tags column:{columns.split(':')[1].split(chr(9)).index('tags') + 1}"


def test_a_full_export_of_anki_is_read_with_every_column():
    parsed = anki_text.parse(
        "#separator:tab\n#html:true\n#guid column:1\n#notetype column:2\n#deck column:3\n"
        "#tags column:6\n"
        'a1b2\tBasic\tSchool::Croatian\t<b>pas</b> [sound:pas.mp3]\t"dog<br>&quot;hound&quot;'
        '&nbsp;!"\tanimals chapter::1\n'
        "# a remark\n"
        'c3\tBasic\tSchool\tmačka<img src="my%20cat.png">\t<div>cat</div><div>kitty</div>\t\n'
    )
    assert parsed.columns["guid"] == "id"
    pas, macka = parsed.rows
    assert (pas.line, pas.id, pas.term, pas.audio) == (7, "a1b2", "pas", "pas.mp3")
    assert pas.translations == {"": ["dog", '"hound" !']}
    assert pas.tags == ["Croatian", "animals", "chapter::1"]
    assert pas.extra == {"notetype": "Basic"}
    assert (macka.term, macka.image) == ("mačka", "my cat.png")
    assert macka.translations == {"": ["cat", "kitty"]}


# As Anki 26.09 exports notes of three types: lines of types with fewer fields are filled up.
SEVERAL_TYPES = (
    "#separator:tab\n#html:true\n#guid column:1\n#notetype column:2\n#deck column:3\n"
    "#tags column:8\n"
    "l)!NZ)D:({\tBasic\tSchool\tpas\tdog\t\t\tanimals\n"
    "jPqOhXnC-C\tCloze\tSchool\tDer {{c1::Hund}} bellt.\textra\t\t\t\n"
    "rP_KD>YF|%\tVocabulary\tSchool::German\tBaum\tbaʊm\ttree\tEin großer Baum.\t\n"
    "E-kzPG_,Je\tBasic\tSchool\tmačka\tcat\t\t\tanimals\n"
)


def test_notes_of_several_types_are_read_each_by_the_columns_of_its_type():
    columns = {
        "Vocabulary: column 5": "pronunciation",
        "Vocabulary: column 6": "translation",
        "Vocabulary: column 7": "example",
    }
    parsed = anki_text.parse(SEVERAL_TYPES, columns=columns)
    pas, hund, baum, macka = parsed.rows
    assert [row.line for row in parsed.rows] == [7, 8, 9, 10]
    assert [(row.term, row.translations) for row in (pas, macka)] == [
        ("pas", {"": ["dog"]}),
        ("mačka", {"": ["cat"]}),
    ]
    assert (hund.term, hund.example, hund.note) == ("Hund", "Der Hund bellt.", "extra")
    assert (baum.term, baum.pronunciation, baum.translations) == ("Baum", "baʊm", {"": ["tree"]})
    assert (baum.example, baum.tags) == ("Ein großer Baum.", ["German"])
    assert [row.extra for row in parsed.rows] == [
        {"notetype": kind} for kind in ("Basic", "Cloze", "Vocabulary", "Basic")
    ]
    assert "Basic: column 6" not in parsed.columns
    assert {problem.severity for problem in parsed.problems} == {"warning"}
    assert len(parsed.problems) == 1  # that gaps are words
    assert anki_text.parse(SEVERAL_TYPES, columns=parsed.columns).rows == parsed.rows


def test_a_note_type_can_be_left_out():
    whole = anki_text.parse(SEVERAL_TYPES)
    skipped = {name: "ignore" for name in whole.columns if name.startswith("Vocabulary: ")}
    parsed = anki_text.parse(SEVERAL_TYPES, columns=skipped)
    assert [row.term for row in parsed.rows] == ["pas", "Hund", "mačka"]
    assert parsed.columns.keys() == whole.columns.keys()
    assert len(parsed.problems) == 1


def test_the_headers_are_matched_in_any_case_and_tags_reach_every_note():
    parsed = anki_text.parse(
        "#Separator:Semicolon\n#HTML:false\n#Tags:one two\n#Columns:Back;Front;Where\n#Deck:D\n"
        "<dog>;pas;p. 3\ncat;mačka;\n"
    )
    assert [(r.term, r.translations[""], r.tags) for r in parsed.rows] == [
        ("pas", ["<dog>"], ["one", "two"]),
        ("mačka", ["cat"], ["one", "two"]),
    ]
    assert parsed.rows[0].extra == {"Where": "p. 3"}
    assert parsed.settings == {"delimiter": ";", "html": False}
    assert parsed.about == {"deck": "D"}


def test_scripts_never_reach_a_text_and_second_sounds_are_kept():
    parsed = anki_text.parse(
        "#html:true\n#separator:pipe\n#columns:Front|Back\n"
        "<script>alert(1)</script>pas[sound:a.mp3][sound:b.mp3]|<!-- x -->dog<style>b{}</style>\n"
    )
    (row,) = parsed.rows
    assert (row.term, row.translations, row.audio) == ("pas", {"": ["dog"]}, "a.mp3")
    assert row.extra == {"sound 2": "b.mp3"}


def test_a_file_of_headers_only_is_refused():
    with pytest.raises(FormatError, match="no notes"):
        anki_text.parse("#separator:tab\n#html:true\n")


def test_a_gap_is_a_word_and_its_sentence_the_example():
    parsed = anki_text.parse(
        "#separator:tab\n#html:true\n#guid column:1\n"
        "g1\tDie {{c1::Maus::animal}} frisst {{c2::<b>Käse</b>}}.\tLektion 3\n"
        "g2\tpas\tdog\n"
    )
    assert [(r.id, r.term, r.example, r.hint, r.note) for r in parsed.rows] == [
        ("g1-1", "Maus", "Die Maus frisst Käse.", "animal", "Lektion 3"),
        ("g1-2", "Käse", "Die Maus frisst Käse.", "", "Lektion 3"),
        ("g2", "pas", "", "", ""),
    ]
    assert parsed.rows[2].translations == {"": ["dog"]}
    assert parsed.rows[0].translations == {}


def test_decks_below_the_top_deck_are_tags():
    parsed = anki_text.parse(
        "#separator:tab\n#html:false\n#deck column:3\n"
        "pas\tdog\tSchool::Animals::Pets\nkuća\thouse\tSchool::Home\nx\ty\tSchool\n"
    )
    assert [row.tags for row in parsed.rows] == [["Animals::Pets"], ["Home"], []]


def test_notes_that_hide_parts_of_a_picture_are_refused_with_a_sentence():
    with pytest.raises(FormatError, match="hides parts of a picture"):
        anki_text.parse(
            "#separator:tab\n#html:true\n{{c1::image-occlusion:rect:left=.1}}\t<img src='a.png'>\n"
        )
