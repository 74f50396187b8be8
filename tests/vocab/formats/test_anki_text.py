import pytest
from hypothesis import given

from tests.vocab.formats.lists import ROUND_TRIPS, lists, same_in_anki
from vocab.formats import anki_text
from vocab.formats.rows import FormatError


@ROUND_TRIPS
@given(lists)
def test_a_list_comes_back_from_ankis_text_as_it_was(rows):
    parsed = anki_text.parse(anki_text.write(rows, name="Deck"))
    assert [same_in_anki(row) for row in parsed.rows] == [same_in_anki(row) for row in rows]
    assert parsed.problems == []
    assert parsed.about == {"deck": "Deck"}


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
