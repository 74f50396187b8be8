"""Glossaries and dictionaries of other programs, as XML."""

import gzip

import pytest

from vocab import formats
from vocab.formats import FormatError

KVTML = """<?xml version="1.0"?>
<!DOCTYPE kvtml PUBLIC "kvtml2.dtd" "http://edu.kde.org/kvtml/kvtml2.dtd"><kvtml version="2.0">
<identifiers><identifier id="0"><name>English</name><locale>en</locale></identifier>
<identifier id="1"><name>German</name><locale>de</locale></identifier></identifiers>
<entries><entry id="0"><translation id="0"><text>dog</text></translation>
<translation id="1"><text>Hund</text></translation></entry></entries>
<lessons><container><name>Animals</name><entry id="0"/></container></lessons></kvtml>"""
PAUKER = (
    '<?xml version="1.0" encoding="UTF-8"?><Lesson LessonFormat="1.7"><Batch><Card>'
    "<FrontSide><Text>Hund</Text></FrontSide><ReverseSide><Text>dog</Text></ReverseSide>"
    "</Card></Batch></Lesson>"
)
TABLE = "<table><tr><td>Hund</td><td>dog</td></tr></table>"


@pytest.mark.parametrize(
    "data",
    [
        KVTML.encode(),
        b'<kvtml><e><o l="de">Hund</o><t l="en">dog</t></e></kvtml>',
        PAUKER.encode(),
        gzip.compress(PAUKER.encode()),
        PAUKER.replace("UTF-8", "UTF-16").encode("utf-16"),
        b'<?xml version="1.0"?><martif><text><body><termEntry><langSet xml:lang="en"><tig><term>dog'
        b'</term></tig></langSet><langSet xml:lang="de"><tig><term>Hund</term></tig></langSet>'
        b"</termEntry></body></text></martif>",
        b'<tbx xmlns="urn:iso:std:iso:30042:ed-2"><text><body><conceptEntry><langSec xml:lang="de">'
        b'<termSec><term>Hund</term></termSec></langSec><langSec xml:lang="en"><termSec><term>dog'
        b"</term></termSec></langSec></conceptEntry></body></text></tbx>",
        b'<?xml version="1.0"?><tmx><body><tu><tuv xml:lang="de"><seg>Hund</seg></tuv>'
        b'<tuv xml:lang="en"><seg>dog</seg></tuv></tu></body></tmx>',
        b'<lift><entry><lexical-unit><form lang="de"><text>Hund</text></form></lexical-unit>'
        b'<sense><gloss lang="en"><text>dog</text></gloss></sense></entry></lift>',
        b"<GLOSSARY><INFO><ENTRIES><ENTRY><CONCEPT>Hund</CONCEPT><DEFINITION>&lt;p&gt;dog&lt;/p&gt;"
        b"</DEFINITION></ENTRY></ENTRIES></INFO></GLOSSARY>",
        f'<?xml version="1.0"?><!DOCTYPE html><html><body>{TABLE}</body></html>'.encode(),
    ],
)
def test_a_glossary_has_its_words_in_the_lists_language(data):
    [row] = formats.parse(data, languages=["de", "en"]).rows
    assert (row.term, *row.translations.values()) == ("Hund", ["dog"])


def test_lessons_of_a_dictionary_are_tags():
    assert formats.parse(KVTML).rows[0].tags == ["Animals"]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b'<?xml version="1.0"?><Workbook/>', "“workbook”.* not a glossary"),
        (b'<?xml version="1.0"?><kvtml', "damaged"),
        (b'<?xml version="1.0"?><kvtml><entries/></kvtml>', "no words"),
        (b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c">]><tmx>&b;</tmx>', "entities"),
        (b"\x1f\x8b\x08 no gzip", "damaged"),
        (b"<svg:svg><p>x</p></svg:svg>", None),
    ],
)
def test_other_xml_is_refused_as_what_it_is_and_never_as_a_pasted_page(data, reason):
    try:
        formats.parse(data)
    except FormatError as error:
        assert "Save it as a file" not in str(error)
    if reason:
        with pytest.raises(FormatError, match=reason):
            formats.parse(data)


@pytest.mark.parametrize("name", ["deck.apkg", "Deck.COLPKG", "words.xlsx", "words.ods", "a.h5p"])
def test_a_page_about_a_package_is_not_read_in_its_place(name):
    page = b"\n<!DOCTYPE html>\n<html><body><table><tr><td>1</td><td>PK</td></tr></table>"
    with pytest.raises(FormatError, match=f"“{name}” is a web page, not the file itself"):
        formats.refuse_page(name, page)
    formats.refuse_page("words.html", page)
    formats.refuse_page(name, b"PK\x03\x04")
