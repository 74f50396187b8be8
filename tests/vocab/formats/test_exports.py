"""Formats for other sites: Moodle's glossary and H5P's cards."""

from __future__ import annotations

import io
import json
import zipfile

import pytest
from defusedxml import ElementTree

from vocab import formats
from vocab.formats.rows import Row

ROWS = [
    Row(
        term="<žaba> & co",
        translations={"": ["frog", "toad"], "de": ["Frosch"]},
        example="Žaba krekeće.",
        tags=["životinje"],
        image="frog.jpg",
    ),
    Row(term="كلب\x07"),
]


def test_a_glossary_of_moodle_has_every_word_with_its_translations():
    glossary = ElementTree.fromstring(formats.write(ROWS, "moodle", name="Moj popis"))

    assert glossary.tag == "GLOSSARY"
    assert glossary.findtext("INFO/NAME") == "Moj popis"
    entries = glossary.findall("INFO/ENTRIES/ENTRY")
    assert [entry.findtext("CONCEPT") for entry in entries] == ["<žaba> & co", "كلب"]
    assert entries[0].findtext("DEFINITION") == (
        '<p>frog</p><p>toad</p><p lang="de">Frosch</p><p><em>Žaba krekeće.</em></p>'
    )
    assert entries[0].findtext("FORMAT") == "1"
    assert entries[0].findtext("CATEGORIES/CATEGORY/NAME") == "životinje"


def test_cards_of_h5p_name_the_libraries_that_the_site_must_have():
    data = formats.write(ROWS, "h5p", name="A < B")

    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.namelist() == ["h5p.json", "content/content.json"]
        package = json.loads(archive.read("h5p.json"))
        content = json.loads(archive.read("content/content.json"))
    assert package["mainLibrary"] == "H5P.Dialogcards"
    assert package["preloadedDependencies"][0] == {
        "machineName": "H5P.Dialogcards", "majorVersion": 1, "minorVersion": 9,
    }  # fmt: skip
    assert content["title"] == "<p>A &lt; B</p>"
    assert content["dialogs"][0]["text"] == "<p>&lt;žaba&gt; &amp; co</p>"
    assert '<p lang="de">Frosch</p>' in content["dialogs"][0]["answer"]
    assert data == formats.write(ROWS, "h5p", name="A < B")


@pytest.mark.parametrize("name", ["moodle", "h5p"])
def test_what_is_written_for_other_sites_comes_back(name):
    hinted = Row(term="pas", translations={"": ["dog"]}, hint="<laje> & grize", example="Pas laje.")
    parsed = formats.parse(formats.write([*ROWS, hinted], name), languages=["hr", "en", "de"])

    frog, dog, third = parsed.rows
    assert (frog.term, frog.translations) == (ROWS[0].term, ROWS[0].translations)
    assert frog.example == ROWS[0].example
    assert dog.term == "كلب"
    assert {**third.as_json(), "line": 0} == {**hinted.as_json(), "line": 0}
    assert frog.tags == (["životinje"] if name == "moodle" else [])
