import json

import pytest

from tests.vocab.formats import language_names
from tests.vocab.formats.workbooks import workbook
from vocab import text_fields
from vocab.formats import delimited, parse
from vocab.formats.headers import _NAMES, ALIASES, _key, field_of, looks_like_header, spoken_in


def read(text, **options):
    parsed = delimited.parse(text, **options)
    return [(row.term, row.translations) for row in parsed.rows]


@pytest.mark.parametrize(
    "header",
    [
        "Riječ\tPrijevod\tPrimjer",
        "Reč\tPrevod\tPrimer",
        "Ријеч\tПријевод\tПримјер",
        "Реч\tПревод\tПример",
        "Beseda\tPrevod\tPrimer",
        "Słówko\tTłumaczenie\tPrzykład",
        "Slovíčko\tPřeklad\tPříklad",
        "Slovo\tPreklad\tPríklad",
        "Wort\tÜbersetzung\tBeispiel",
        "Word\tMeaning\tExample",
        "Mot\tTraduction\tExemple",
        "Parola\tTraduzione\tEsempio",
        "Palabra\tTraducción\tEjemplo",
        "Palavra\tTradução\tExemplo",
        "Woord\tVertaling\tVoorbeeld",
        "Szó\tJelentés\tPélda",
        "Cuvânt\tTraducere\tExemplu",
        "Ord\tÖversättning\tExempel",
        "Ord\tOversættelse\tEksempel",
        "Ord\tOversettelse\tEksempel",
        "Sana\tKäännös\tEsimerkki",
        "Kelime\tAnlamı\tÖrnek",
        "Λέξη\tΜετάφραση\tΠαράδειγμα",
        "Слово\tПеревод\tПример",
        "Слово\tПереклад\tПриклад",
        "Дума\tПревод\tПример",
        "الكلمة\tالترجمة\tمثال",
        "מילה\tתרגום\tדוגמה",
        "واژه\tترجمه\tمثال",
        "单词\t翻译\t例句",
        "単語\t意味\t例文",
        "단어\t뜻\t예문",
        "คำศัพท์\tคำแปล\tตัวอย่าง",
        "Từ\tNghĩa\tVí dụ",
        "शब्द\tअर्थ\tउदाहरण",
        "শব্দ\tঅনুবাদ\tউদাহরণ",
        "சொல்\tபொருள்\tஎடுத்துக்காட்டு",
        "لفظ\tترجمہ\tمثال",
        "Sõna\tTõlge\tNäide",
        "Vārds\tTulkojums\tPiemērs",
        "Žodis\tVertimas\tPavyzdys",
        "Kata\tArti\tContoh",
        "Perkataan\tMaksud\tContoh",
        "Salita\tKahulugan\tHalimbawa",
        "Neno\tMaana\tMfano",
        "Paraula\tTraducció\tExemple",
        "Palabra\tTradución\tExemplo",
        "Hitza\tItzulpena\tAdibidea",
        "Gair\tCyfieithiad\tEnghraifft",
        "Focal\tAistriúchán\tSampla",
        "Orð\tÞýðing\tDæmi",
        "Fjala\tPërkthimi\tShembull",
        "Збор\tПревод\tПример",
        "Слова\tПераклад\tПрыклад",
        "სიტყვა\tთარგმანი\tმაგალითი",
        "ԲԱՌ\tԹարգմանություն\tՕրինակ",
        "Söz\tTərcümə\tNümunə",
        "Сөз\tАударма\tМысал",
        "Soʻz\tTarjima\tMisol",
        "Үг\tОрчуулга\tЖишээ",
        "Verbum\tSignificatio\tExemplum",
        "Vorto\tTraduko\tEkzemplo",
    ],
)
def test_columns_are_known_by_their_names_in_many_languages(header):
    first, second, third = header.split("\t")
    parsed = delimited.parse(f"{header}\na\tb\tc\n")
    assert parsed.columns == {first: "term", second: "translation", third: "example"}
    turned = delimited.parse(f"{third},{second},{first}\nc,b,a\n")
    assert [(row.term, row.example) for row in turned.rows] == [("a", "c")]
    assert parsed.header_line == 1


@pytest.mark.parametrize(
    ("front", "back"),
    [
        ("Front", "Back"),
        ("Vorderseite", "Rückseite"),
        ("Recto", "Verso"),
        ("Anverso", "Reverso"),
        ("Fronte", "Retro"),
        ("Frente", "Verso"),
        ("Przód", "Tył"),
        ("Líc", "Rub"),
        ("Voorkant", "Achterkant"),
        ("Előlap", "Hátlap"),
        ("正面", "背面"),
        ("앞면", "뒷면"),
    ],
)
def test_the_sides_of_a_card_are_known(front, back):
    assert (field_of(front), field_of(back)) == ("term", "translation")


@pytest.mark.parametrize("name", text_fields.NAMES)
def test_our_own_exports_are_read_back_by_the_names_of_the_fields(name):
    parsed = delimited.parse(f"term,translation,{name}\nx,y,z\n")
    assert list(parsed.columns.values()) == ["term", "translation", name]


def test_no_name_means_two_fields():
    names = [_key(name) for names in _NAMES.values() for name in set(names.split())]
    assert len(names) == len(ALIASES)


@pytest.mark.parametrize(
    ("header", "languages", "columns"),
    [
        ("Deutsch;Hrvatski", (), ["term", "translation:hr"]),
        ("Deutsch;Hrvatski", ("de", "hr"), ["term", "translation:hr"]),
        ("Hrvatski;Deutsch", ("de", "hr"), ["translation:hr", "term"]),
        ("njemački;hrvatski", ("de", "hr"), ["term", "translation:hr"]),
        ("Español,English", (), ["term", "translation:en"]),
        ("English,Portuguese", ("en", "pt-BR"), ["term", "translation:pt-BR"]),
        ("German word,Croatian translation", (), ["term", "translation:hr"]),
        ("Wort (Deutsch),Wort (Kroatisch)", (), ["term", "translation:hr"]),
        ("Deutsch;Bedeutung", (), ["term", "translation"]),
        ("српски;енглески", (), ["term", "translation:en"]),
        ("日本語,英語", (), ["term", "translation:en"]),
        ("de;hr", ("de", "hr"), ["term", "translation:hr"]),
        ("Nr.;Deutsch;Hrvatski", (), ["extra", "term", "translation:hr"]),
        ("Level,Spanish,English", (), ["extra", "term", "translation:en"]),
        ("term,en,hint", ("hr", "en"), ["term", "translation:en", "hint"]),
        ("term,it,hint", ("hr", "en"), ["term", "extra", "hint"]),
        ("Deutsch\tHrvatski\tEnglish", ("hr", "de"), ["translation:de", "term", "translation:en"]),
    ],
)
def test_names_of_languages_are_names_of_columns(header, languages, columns):
    sign = next(sign for sign in ";,\t" if sign in header)
    cells = [sign.join(f"{letter}{n}" for n in range(len(columns))) for letter in "xy"]
    parsed = delimited.parse("\n".join([header, *cells]), languages=languages)
    assert list(parsed.columns.values()) == columns
    assert len(parsed.rows) == 2


@pytest.mark.parametrize(
    ("line", "languages"),
    [
        ("Deutsch;German", ("de", "en")),
        ("pas;dog", ("hr", "en")),
        ("es;it", ("de", "en")),
        ("de;hr", ()),
        ("riječ;word", ("hr", "en")),
        ("slika;picture", ("hr", "en")),
        ("hasło;password", ("pl", "en")),
    ],
)
def test_a_first_line_of_words_is_no_header(line, languages):
    """The control: not everything that resembles names of columns is taken from the words."""
    parsed = delimited.parse(f"{line}\nx;y\n", languages=languages)
    assert len(parsed.rows) == 2
    assert parsed.header_line == 0


def test_what_a_person_ticks_wins():
    text = "Bla;Blub\nHund;pas\nKatze;mačka"
    assert read(text, has_header=True) == [("Hund", {"": ["pas"]}), ("Katze", {"": ["mačka"]})]
    assert len(read("Wort;Übersetzung\nHund;pas", has_header=False)) == 2


@pytest.mark.parametrize("has_header", [None, True])
@pytest.mark.parametrize("names", [["Nr.", "Deutsch", "Hrvatski"], ["Nr.", "Wort", "Übersetzung"]])
def test_a_header_below_titles_is_never_a_word(names, has_header):
    rows = [["Unit 3: Tiere"], ["Klasse 6b", "Frau Horvat"], [], names, [1, "Hund", "pas"]]
    parsed = parse(workbook([*rows, [2, "Katze", "mačka"]]), has_header=has_header)
    assert [row.term for row in parsed.rows] == ["Hund", "Katze"]
    assert all(["pas"] in row.translations.values() for row in parsed.rows[:1])
    assert parsed.header_line == 4
    assert sum("above the column names" in p.sentence for p in parsed.problems) == 2


def test_a_header_of_unknown_names_below_a_title_is_found_if_a_person_says_there_is_one():
    parsed = parse(workbook([["Unit 3"], ["Foo", "Bar"], ["Hund", "pas"]]), has_header=True)
    assert [(row.term, row.translations) for row in parsed.rows] == [("Hund", {"": ["pas"]})]


def test_lingq_calls_the_translation_a_hint():
    parsed = delimited.parse("term,phrase,hint,tags,status\nperro,El perro come.,dog,animal,1\n")
    (row,) = parsed.rows
    assert (row.term, row.translations, row.example) == ("perro", {"": ["dog"]}, "El perro come.")
    assert row.tags == ["animal"]


KAHOOT = [
    "Question - max 120 characters",
    *(f"Answer {n} - max 75 characters" for n in (1, 2, 3, 4)),
    "Time limit (sec) – 5, 10, 20, 30, 60, 90, 120, or 240 secs",
    "Correct answer(s) - choose at least one",
]


def test_only_the_right_answers_of_a_quiz_are_translations():
    rows = [
        [None, "Quiz template"],
        [None, "Add questions, and at least two answers."],
        [None, *KAHOOT],
        [1, "pas", "cat", "dog", "hen", "cow", 20, "2"],
        [2, "konj", "horse", "steed", "", "", 20, "1,2"],
    ]
    parsed = parse(workbook(rows))
    assert [(row.term, row.translations[""]) for row in parsed.rows] == [
        ("pas", ["dog"]),
        ("konj", ["horse", "steed"]),
    ]
    assert "cat" not in str([row.as_json() for row in parsed.rows])
    assert any("only its right answers" in problem.sentence for problem in parsed.problems)


@pytest.mark.parametrize("right", ["2", "B", "dog"])
def test_the_right_answer_is_named_by_number_letter_or_text(right):
    text = f"Frage;Antwort 1;Antwort 2;Richtige Antwort\npas;cat;dog;{right}\n"
    assert read(text) == [("pas", {"": ["dog"]})]


@pytest.mark.parametrize(
    "text",
    [
        "categories;word;translation\nAnimals;pas;dog\nAnimals Food;kokoš;chicken\nFood;kruh;bread",
        "Animals;pas;dog\nAnimals Food;kokoš;chicken\nFood;kruh;bread",
        "pas;dog;Animals\nkokoš;chicken;Animals Food\nkruh;bread;Food",
    ],
)
def test_categories_between_spaces_are_tags(text):
    parsed = delimited.parse(text)
    assert [(row.term, row.translations, row.tags) for row in parsed.rows] == [
        ("pas", {"": ["dog"]}, ["Animals"]),
        ("kokoš", {"": ["chicken"]}, ["Animals", "Food"]),
        ("kruh", {"": ["bread"]}, ["Food"]),
    ]
    again = delimited.parse(text, **parsed.settings, columns=parsed.columns)
    assert again.rows == parsed.rows


def test_articles_that_recur_are_no_categories():
    """The control."""
    parsed = delimited.parse("der Hund;pas;1\nder Tisch;stol;2\nder Baum;stablo;3")
    assert [row.term for row in parsed.rows] == ["der Hund", "der Tisch", "der Baum"]


def test_the_line_breaks_of_a_dictionarys_source_are_breaks():
    parsed = delimited.parse("pas\tdog\\nhound\nmačka\tcat\n")
    assert [row.translations[""] for row in parsed.rows] == [["dog", "hound"], ["cat"]]


def test_a_column_that_only_counts_the_rows_is_left_out():
    parsed = delimited.parse("1\tpas\tdog\n2\tmačka\tcat\n3\tkonj\thorse")
    assert [(row.term, row.translations, row.extra) for row in parsed.rows] == [
        ("pas", {"": ["dog"]}, {}),
        ("mačka", {"": ["cat"]}, {}),
        ("konj", {"": ["horse"]}, {}),
    ]


def test_a_language_is_known_by_its_name_in_many_languages():
    for name in ("German", "Deutsch", "njemački", "niemiecki", "allemand", "немецкий", "德语"):
        assert spoken_in(name) == "de"
    assert spoken_in("Hund") == ""
    assert not looks_like_header(["Hund", "pas"])


def test_the_names_of_languages_are_those_of_the_locales():
    assert json.loads(language_names.FILE.read_bytes()) == language_names.names(), (
        f"Write it anew as its module says: {language_names.__doc__}"
    )
