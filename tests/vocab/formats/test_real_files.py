"""Files as other programs write them: each gives the words that its author meant."""

import csv
import io
import json

import pytest

from tests.vocab.formats.workbooks import document, workbook
from vocab import formats

ANIMALS = [("pas", ["dog"]), ("mačka", ["cat"]), ("konj", ["horse"])]
PLAIN = [(term, texts[0]) for term, texts in ANIMALS]
NAMED = [("word", "translation"), *PLAIN]


def comma_separated(rows, delimiter=",", encoding="utf-8", **options):
    stream = io.StringIO(newline="")
    csv.writer(stream, delimiter=delimiter, **options).writerows(rows)
    return stream.getvalue().encode(encoding)


def sheet(rows):
    lines = "".join(
        "<table:table-row>"
        + "".join(f"<table:table-cell><text:p>{cell}</text:p></table:table-cell>" for cell in row)
        + '<table:table-cell table:number-columns-repeated="1022"/></table:table-row>'
        for row in rows
    )
    return document(f'<table:table table:name="Sheet1">{lines}</table:table>')


def page(rows):
    cells = ("".join(f"<td>{cell}</td>" for cell in row) for row in rows)
    return f"<html><body><table>{''.join(f'<tr>{row}</tr>' for row in cells)}</table></body>"


FILES = {
    "pandas, UTF-8": comma_separated(NAMED, lineterminator="\n"),
    "pandas with its index": comma_separated(
        [("", *NAMED[0]), *((n, *row) for n, row in enumerate(PLAIN))]
    ),
    "pandas, UTF-16": comma_separated(NAMED, encoding="utf-16"),
    "Excel in Croatian": comma_separated([("Riječ", "Prijevod"), *PLAIN], ";", "cp1250"),
    "Excel's hint": b"sep=;\r\n" + comma_separated(PLAIN, ";"),
    "LibreOffice CSV, all quoted": comma_separated(PLAIN, quoting=csv.QUOTE_ALL),
    "headed by languages": comma_separated([("Hrvatski", "Engleski"), *PLAIN], ";"),
    "workbook": workbook(NAMED),
    "workbook with a title": workbook([["Lekcija 3"], [], *NAMED], [["x"]]),
    "workbook without names": workbook(PLAIN),
    "LibreOffice spreadsheet": sheet(NAMED),
    "LibreOffice web page": page(NAMED),
    "web page without names": page(PLAIN),
    "Markdown": "| word | translation |\n|---|---|\n"
    + "".join(f"| {a} | {b} |\n" for a, b in PLAIN),
    "pandas records": json.dumps([dict(zip(NAMED[0], row, strict=True)) for row in PLAIN]),
    "Quizlet, tab and line": "\n".join(f"{a}\t{b}" for a, b in PLAIN),
    "Quizlet, comma and semicolon": ";".join(f"{a},{b}" for a, b in PLAIN),
    "Quizlet, own separators": "|||".join(f"{a}///{b}" for a, b in PLAIN),
    "word search with categories": "categories;word;translation\n"
    + "\n".join(f"Animals Pets;{a};{b}" for a, b in PLAIN),
    "word search without names": "\n".join(f"Animals Pets;{a};{b}" for a, b in PLAIN),
    "typed in three ways": "pas\tdog\nmačka – cat\nkonj = horse",
    "Anki text": "#separator:tab\n#html:true\n#deck column:3\n"
    + "\n".join(f"<b>{a}</b>\t<div>{b}</div>\tLanguages::Animals" for a, b in PLAIN),
}
TAGS = {
    "word search with categories": ["Animals", "Pets"],
    "word search without names": ["Animals", "Pets"],
    "Anki text": ["Animals"],
}


@pytest.mark.parametrize("name", FILES)
def test_a_file_gives_the_words_that_its_author_meant(name):
    parsed = formats.parse(FILES[name], languages=("hr", "en"))
    found = [(row.term, [text for texts in row.translations.values() for text in texts])
             for row in parsed.rows]  # fmt: skip
    assert found == ANIMALS
    assert [row.tags for row in parsed.rows] == [TAGS.get(name, [])] * 3
    assert not any(problem.severity == "error" for problem in parsed.problems)
