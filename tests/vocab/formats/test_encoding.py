"""Lists in old code pages. The words are everyday ones, with the letters in which pages differ."""

import random

import pytest

from osmosmjerka.i18n.code_pages import guess_page
from vocab import formats
from vocab.formats import columns, delimited

CENTRAL = {
    "Croatian": "kuća riječ čovjek noć učiti mačka voće ključ đak svjećica večer žena šuma"
    " sreća cvijeće točka ponoć čaj djevojčica đurđica pčela rođak ljubičica kćerka braća",
    "Slovene": "hiša človek noč učiti mačka ključ večer žena šola sreča roža točka čaj deček"
    " pomoč oči sonce miška črn otročiček peč tekoč začetek čebela",
    "Bosnian and Serbian": "kuća đevrek čaršija rođendan ćilim ćup dođi međa anđeo ručak",
    "Polish": "książka ręka dziękuję język będę łóżko żaba świat źródło pięć piętro zwierzęta"
    " mężczyzna dziewczyna szkoła chłopiec źle kość ćma być gęś żółty śnieg wąż koń słońce",
    "Czech": "řeka tři moře dům stůl město věc kůň růže dítě čtyři děkuji přítel loď teď člověk"
    " kuře ďábel oheň dřevo země růžový hořký pepř můj domů květina",
    "Slovak": "dievča čaj ďakujem kôň loď vŕba stĺp dĺžka ľudia stoličká učiteľ kľúč mačka deň"
    " večera čerešňa ťava posteľ chlieb veľký",
    "Hungarian": "nő idő erdő szőlő hűtő gyűrű fű mű tű könyv szép bőr felhő repülő betű főnök",
    "Romanian": "casă mamă copil școală apă pâine fată masă săptămână noapte bună țară după"
    " câine mănânc pădure",
}
WESTERN = {
    "French": "père mère frère très élève forêt tête être fête même fenêtre cœur sœur œil œuf"
    " garçon où déjà voilà à problème rivière lumière première août sûr goût naïf maïs hôtel"
    " pêche arrêt vêtement règle lièvre fidèle collège",
    "German": "Straße Mädchen schön über Tür hören Größe Löffel Käse Bücher Fuß Äpfel",
    "Spanish": "niño mañana español año señor pequeño corazón ¿qué? ¿dónde? baño montaña"
    " muñeca otoño España",
    "Italian": "città caffè più perché così lunedì martedì può però università è già virtù tè"
    " gioventù lì libertà papà farò",
    "Portuguese": "pão irmão não mãe avião português você três corações lições irmã maçã amanhã"
    " limões chão coração mês inglês",
    "Danish": "brød øl grøn køkken smør dør bjørn sø æble læse være næse træ mælk båd år gå"
    " blå små åben rød søster",
    "Norwegian": "brød grønn kjøkken smør dør bjørn sjø eple lese være nese tre melk båt år gå",
    "Swedish": "år gå båt blå små öppen röd syster ägg äpple kött måne språk två åtta",
    "Dutch": "één naïef egoïst ruïne Oekraïne poëzie coördinatie geïnteresseerd café",
    "Catalan": "nen què però això també català cafè nació",
}


@pytest.mark.parametrize("language", CENTRAL)
def test_a_central_european_list_is_read_as_cp1250(language):
    words = CENTRAL[language].replace("ș", "ş").replace("ț", "ţ")
    data = "\n".join(f"{word}\tword" for word in words.split()).encode("cp1250")
    parsed = delimited.parse(data)
    assert parsed.settings["encoding"] == "cp1250"
    assert [row.term for row in parsed.rows] == words.split()


@pytest.mark.parametrize("language", WESTERN)
def test_a_western_european_list_is_read_as_cp1252(language):
    words = WESTERN[language]
    data = "\n".join(f"{word}\tword" for word in words.split()).encode("cp1252")
    parsed = delimited.parse(data)
    assert parsed.settings["encoding"] == "cp1252"
    assert [row.term for row in parsed.rows] == words.split()


def test_a_few_words_are_most_often_enough():
    """Three words of any language; where both pages read the same letters, either is right.

    Without a look at the neighbours of each letter, it is nine of ten.
    """
    rng = random.Random(3)
    right = total = 0
    for page, languages in (("cp1250", CENTRAL), ("cp1252", WESTERN)):
        for words in languages.values():
            words = words.replace("ș", "ş").replace("ț", "ţ").split()
            for _ in range(50):
                data = "\n".join(rng.sample(words, 3)).encode(page)
                guess = guess_page(data)
                right += data.decode(guess, "replace") == data.decode(page)
                total += 1
    assert right / total > 0.98


# Everyday words and names, by language, with the code pages in which they come.
PAGES = {
    "ru": ("cp1251 koi8-r iso-8859-5 cp866", "собака кошка библиотека слово Анна учитель школа"),
    "uk": ("cp1251 koi8-u mac-cyrillic", "собака їжа Олена Шевченко учень школа ключ"),
    "ar": ("cp1256 iso-8859-6", "كلب مكتبة ليلى حداد مدرسة"),
    "he": ("cp1255 iso-8859-8", "כלב ספרייה דנה לוי תלמיד"),
    "el": ("cp1253 iso-8859-7", "σκύλος βιβλιοθήκη Μαρία Άννα"),
    "tr": ("cp1254 iso-8859-9", "ağaç ışık Ayşe Yıldız İrem Çağlar"),
    "lt": ("cp1257 iso-8859-13", "šuo ąžuolas žodis ėjimas vardas"),
    "lv": ("cp1257 iso-8859-13", "vārds suns ķirsis Jānis ģimene"),
    "th": ("cp874", "หมา แมว โรงเรียน หนังสือ"),
    "ja": ("shift_jis euc-jp", "犬 図書館 ねこ 学校 たなか"),
    "ko": ("euc-kr", "개 도서관 학교 김민수"),
    "zh": ("gb18030", "狗 图书馆 学校 李小明"),
    "zh-Hant": ("big5", "狗 圖書館 學校 陳小明"),
    "pl": ("cp1250 iso-8859-2 cp852", "książka Łukasz żółty świat"),
    "hr": ("cp1250 iso-8859-2 cp852", "žaba riječ šuma Đurđica kuća"),
    "hu": ("cp1250 iso-8859-2", "nő szőlő Erzsébet gyűrű könyv"),
    "fr": ("cp1252 iso-8859-1 mac-roman cp850", "père élève Chloé garçon fenêtre"),
    "de": ("cp1252 mac-roman cp850", "Müller Straße schön Käse"),
}
CASES = [(tag, page) for tag, (pages, _words) in PAGES.items() for page in pages.split()]


def read(data, languages, **settings):
    parsed = formats.parse(data, languages=languages, **settings)
    return [row.term for row in parsed.rows], [str(problem.sentence) for problem in parsed.problems]


@pytest.mark.parametrize(("tag", "page"), CASES)
def test_a_list_is_read_in_a_page_of_its_language_and_this_is_said(tag, page):
    words = PAGES[tag][1].split()
    data = "\n".join(f"{word}\tdog" for word in words).encode(page)
    terms, problems = read(data, [tag, "en"])
    assert terms == words
    assert any("does not say which encoding it uses" in problem for problem in problems)
    _words, problems = read("\n".join(words).encode(), [tag, "en"])  # the control: Unicode
    assert not any("encoding" in problem for problem in problems)


def test_the_only_other_letter_may_be_at_the_end():
    data = b"pas\tdog\n" * 30_000 + "mačka\tcat\n".encode("cp1250")
    terms, problems = read(data, ["hr"])
    assert terms[-1] == "mačka"
    assert "mačka" in problems[0]


def test_vietnamese_marks_are_put_on_their_letters():
    data = b"ch\xf3\tdog\ntr\xfd\xf5\xccng ho\xf2c\tschool"
    assert read(data, ["vi"])[0] == ["chó", "trường học"]


def test_whatever_the_list_no_guess_is_silent():
    """12 pages by 12 languages: a list of another language than the file's is warned of, too."""
    tags = [tag for tag in PAGES if len(tag) == 2][:12]
    pages = dict.fromkeys(page for _tag, page in CASES)
    silent = [
        (tag, page, of)
        for of, page in CASES[:24]
        for tag in tags
        if not read("\n".join(PAGES[of][1].split()).encode(page), [tag])[1]
    ]
    assert (len(tags), len(pages) >= 12, silent) == (12, True, [])


@pytest.mark.parametrize("name", ["windows-1251", "CP1251", "koi8-r", "cp1252"])
def test_a_page_that_is_chosen_is_used_without_a_warning(name):
    data = "собака\tdog".encode("cp1251")
    words, problems = read(data, ["ru"], encoding=name)
    assert (words == ["собака"]) == ("1251" in name)
    assert not any("encoding" in problem for problem in problems)


def test_a_web_page_says_its_encoding():
    page = '<meta charset="windows-1251"><table><tr><td>собака<td>dog</table>'
    assert read(page.encode("cp1251"), ["ru"]) == (["собака"], [])


def test_columns_are_counted_before_anybody_looks_at_them(monkeypatch):
    def looks(*_asked):
        raise AssertionError

    monkeypatch.setattr(columns, "looks_like_header", looks)
    for delimiter in "\t;,":
        line = delimiter.join(f"Wort {number}" for number in range(4_000))
        with pytest.raises(formats.FormatError, match="at most 200"):
            formats.parse(f"{line}\n{line}\n")
    with pytest.raises(AssertionError):  # the control
        formats.parse("Wort\tword\nHund\tdog")
