"""Rosters of all languages: names of columns, orders of names, and surnames that are not kept."""

import pytest
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import SimpleUploadedFile

from osmosmjerka.accounts.classrooms.roster import parse_file, parse_roster
from osmosmjerka.accounts.models import User
from tests.accounts.classrooms.helpers import add_names, confirm, open_preview

# Given name and surname, as a table of each language heads them.
HEADERS = {
    "en": ("First name", "Last name"), "hr": ("Ime", "Prezime"), "bs": ("Ime", "Prezime"),
    "sr": ("Име", "Презиме"), "sl": ("Ime", "Priimek"), "pl": ("Imię", "Nazwisko"),
    "cs": ("Jméno", "Příjmení"), "sk": ("Meno", "Priezvisko"), "de": ("Vorname", "Nachname"),
    "fr": ("Prénom", "Nom"), "it": ("Nome", "Cognome"), "es": ("Nombre", "Apellidos"),
    "pt": ("Nome", "Apelido"), "nl": ("Voornaam", "Achternaam"), "hu": ("Keresztnév", "Vezetéknév"),
    "ro": ("Prenume", "Nume"), "sv": ("Förnamn", "Efternamn"), "da": ("Fornavn", "Efternavn"),
    "nb": ("Fornavn", "Etternavn"), "fi": ("Etunimi", "Sukunimi"), "tr": ("Adı", "Soyadı"),
    "el": ("Όνομα", "Επώνυμο"), "ru": ("Имя", "Фамилия"), "uk": ("Ім’я", "Прізвище"),
    "bg": ("Име", "Фамилия"), "ar": ("الاسم الأول", "اسم العائلة"), "he": ("שם פרטי", "שם משפחה"),
    "fa": ("نام", "نام خانوادگی"), "zh": ("名", "姓"), "ja": ("名前", "苗字"), "ko": ("이름", "성"),
    "th": ("ชื่อ", "นามสกุล"), "vi": ("Tên", "Họ"), "hi": ("नाम", "उपनाम"),
    "et": ("Eesnimi", "Perekonnanimi"), "lv": ("Vārds", "Uzvārds"), "lt": ("Vardas", "Pavardė"),
    "id": ("Nama depan", "Nama belakang"), "ms": ("Nama", "Nama keluarga"),
    "fil": ("Pangalan", "Apelyido"), "sw": ("Jina la kwanza", "Jina la ukoo"),
    "ca": ("Nom", "Cognoms"), "eu": ("Izena", "Abizenak"), "gl": ("Nome", "Apelidos"),
    "cy": ("Enw cyntaf", "Cyfenw"), "ga": ("Ainm", "Sloinne"), "sq": ("Emri", "Mbiemri"),
    "mk": ("Име", "Презиме"), "is": ("Eiginnafn", "Kenninafn"), "bn": ("প্রথম নাম", "পদবি"),
    "ta": ("முதல் பெயர்", "கடைசி பெயர்"), "ur": ("پہلا نام", "خاندانی نام"),
    "ka": ("სახელი", "გვარი"), "hy": ("Անուն", "Ազգանուն"), "la": ("Praenomen", "Nomen"),
    "eo": ("Antaŭnomo", "Familia nomo"), "mn": ("Нэр", "Овог"), "kk": ("Аты", "Тегі"),
    "az": ("Ad", "Soyad"),
}  # fmt: skip


@pytest.mark.parametrize("language", HEADERS)
def test_names_of_columns_are_known(language):
    given, family = HEADERS[language]
    for text in (
        f"{given};{family};E-mail\nAna;Horvat;a@x.example\n",
        f"Nr.;{family.upper()};{given.upper()}\n1;Horvat;Ana\n",
    ):
        assert parse_roster(text).names == ["Ana H."]
        assert parse_roster(text, shorten=False).names == ["Ana Horvat"]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Name;Vorname\nHorvat;Ana", "Ana Horvat"),
        ("Name;Surname\nAna;Horvat", "Ana Horvat"),
        ("Full name;First name\nAna Horvat;Ana", "Ana Horvat"),
        ("Nom;Prénom\nHorvat;Ana", "Ana Horvat"),
        ("Nom;Cognoms\nAna;Horvat", "Ana Horvat"),
        ("Nom;Classe\nAna Horvat;6b", "Ana Horvat"),
        ("Име;Презиме;Фамилия\nАна;Иванова;Хорват", "Ана Хорват"),
        ("Име;Презиме\nАна;Хорват", "Ана Хорват"),
        ("Apellidos, Nombre\n“Kos”\n", "“Kos”"),
        ('Apellidos, Nombre\n"Horvat, Ana"', "Ana Horvat"),
        ("Segundo apellido;Nombre;Primer apellido\nKos;Ana;Horvat", "Ana Horvat"),
        ("Nr.;Foo;Bar;Geb.\n1;Horvat;Ana;01.02.2013\n2;Kos;Ivo;03.04.2013", "Ana Horvat"),
        ("Schüler;Klasse\nHorvat, Ana;6b", "Ana Horvat"),
        ("Rolle;Name\nLehrkraft;Tea Tomić\nSchülerin;Ana Horvat", "Ana Horvat"),
        ("Polno ime (FULL_NAME),Vloga (USER_TYPE)\nAna Horvat,LEARNER\nB,ADMIN", "Ana Horvat"),
        ("givenName,familyName,enabledUser\nIvo,Kos,false\nAna,Horvat,true", "Ana Horvat"),
        ("Prezime,Ime,Test\nHorvat,Ana,9\nBodovi,,10\nProsjek,,8", "Ana Horvat"),
    ],
)
def test_other_columns_decide_what_a_name_means(text, name):
    assert parse_roster(text, shorten=False).names[0] == name


# What surrounds the names: (text, names in full).
SURROUNDED = [
    ("sep=;\nFirst name;Surname\nAna;Horvat", ["Ana Horvat"]),
    ('"sep=,"\nIme,Prezime\nAna,Horvat', ["Ana Horvat"]),
    ("Razred 6b\n\nIme i prezime\nAna Horvat", ["Ana Horvat"]),
    ("Klasse 6b, Raum 5\nVorname;Nachname\nAna;Horvat\nIvo;Kos", ["Ana Horvat", "Ivo Kos"]),
    ('Name;Class\n"Ana Horvat;5\nIvo Kos;5', ["Ana Horvat", "Ivo Kos"]),
    ('Name;Class\n"Ana Horvat;5\n"Ivo Kos;5\nMia;5', ["Ana Horvat", "Ivo Kos", "Mia"]),
    ("Ana Horvat, Ivo Kos, Mia Babić", ["Ana Horvat", "Ivo Kos", "Mia Babić"]),
    ("Ana Horvat; Ivo Kos", ["Ana Horvat", "Ivo Kos"]),
    ("Horvat, Ana; Kos, Ivo", ["Ana Horvat", "Ivo Kos"]),
    ("Ana, Ivo, Mia", ["Ana", "Ivo", "Mia"]),
    ("李小明，王小芳", ["李小明", "王小芳"]),
    ("Ana Horvat <ana@x.example>; Ivo Kos <ivo@x.example>", ["Ana Horvat", "Ivo Kos"]),
    ("Ana Horvat (ana@x.example)\nivo@x.example", ["Ana Horvat"]),
    ("ana@x.example;ivo@x.example", []),
    ("Ana Horvat 12.03.2013\nIvo Kos, 1.1.2013", ["Ana Horvat", "Ivo Kos"]),
    ("Ana Horvat (geb. 12.03.2013)\nIvo Kos *2013", ["Ana Horvat", "Ivo Kos"]),
    ("Ana Horvat, rođ. 12. 3. 2013.\nIvo Kos ur. 2013-04-05 r.", ["Ana Horvat", "Ivo Kos"]),
    ("Ana Horvat 12 March 2013\nIvo Kos, March 12, 2013", ["Ana Horvat", "Ivo Kos"]),
    ("Name;x\nAna Horvat 12.03.2013;1\nIvo Kos (2013);2", ["Ana Horvat", "Ivo Kos"]),
    ("Ana Horvat 6b\nIvo Kos (6.b)\nLuka 2", ["Ana Horvat", "Ivo Kos", "Luka 2"]),
]


@pytest.mark.parametrize(("text", "names"), SURROUNDED)
def test_only_names_are_read(text, names):
    assert parse_roster(text, shorten=False).names == names


@pytest.mark.parametrize(
    "header", ["username", "E-Mail-Adresse", "Benutzername;Klasse", "رقم;الصف"]
)
def test_a_table_without_names_is_refused(header):
    with pytest.raises(ValidationError, match="No column with names was found in this table"):
        parse_roster(f"{header}\njdoe;x\njmontoya;y")


# (text, surname, what is kept of the name)
SHORTENED = [
    ("García López, Inés", "García López", "Inés G."),
    ("Inés García López", "García López", "Inés L."),
    ("Apellidos;Nombre\nGarcía López;Inés María", "García López", "Inés María G."),
    ("Ana Kos Horvat (6b)", "Kos Horvat", "Ana H."),
    ("von Berg, Anna", "Berg", "Anna B."),
    ("DUPONT Chloé", "DUPONT", "Chloé D."),
    ("Chloé DE LA TOUR", "DE LA TOUR", "Chloé D."),
    ("عبد الله حداد", "حداد", "عبد الله ح."),
    ("Név;x\nNagy Anna;1", "Nagy", "Anna N."),
    ("Nagy Anna\nKiss Béla\nSzűcs Éva", "Nagy", "Anna N."),
    ("Kowalski Jan\nNowak Ola", "Kowalski", "Jan K."),
    ("Иванова Анна Петровна", "Иванова", "Анна Петровна И."),
    ("Nguyễn Văn An", "Nguyễn", "Văn An N."),
    ("李小明", "李", "小明"),
    ("欧阳娜娜", "欧阳", "娜娜"),
    ("佐藤 花子", "佐藤", "花子"),
    ("김민수", "김", "민수"),
    ("남궁 민수", "남궁", "민수"),
    ("姓;名;ふりがな\n佐藤;花子;さとうはなこ", "佐藤", "花子"),
    ("Nom et prénom;x\nDupont Chloé;1", "Dupont", "Chloé D."),
]


@pytest.mark.parametrize(("text", "surname", "kept"), SHORTENED)
def test_no_surname_is_kept_in_full(text, surname, kept):
    assert parse_roster(text).names[0] == kept
    assert not {*surname.split()} & {*kept.split()}
    whole = parse_roster(text, shorten=False).names[0]  # the control
    assert surname in whole


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("Nachname;x\nMüller;1", "This line contains only a surname"),
        ("Prezime;Ime\nHorvat;", "This line contains only a surname"),
        ("氏名;x\n佐藤花子;1", "The surname cannot be told"),
        ("たなか花子", "The surname cannot be told"),
    ],
)
def test_a_surname_that_cannot_be_shortened_is_not_kept(text, problem):
    read = parse_roster(text)
    assert read.names == []
    assert problem in read.problems[0].problem
    assert parse_roster(text, shorten=False).names  # the control


@pytest.mark.parametrize(
    ("text", "order", "name"),
    [
        ("Horvat Ana", "", "Horvat A."),
        ("Horvat Ana", "family", "Ana H."),
        ("Nagy Anna\nKiss Béla", "given", "Nagy A."),
        ("Horvat;Ana\nKos;Ivo", "", "Ana H."),
        ("Ana;Horvat\nIvo;Kos", "given", "Ana H."),
        ("Ime;Prezime\nAna;Horvat", "family", "Ana H."),
    ],
)
def test_the_order_of_names_can_be_chosen(text, order, name):
    assert parse_roster(text, order=order).names[0] == name


@pytest.mark.parametrize(
    ("text", "warning"),
    [
        ("Nagy Anna\nKiss Béla", "Surnames seem to come first"),
        ("Horvat;Ana\nKos;Ivo", "The columns have no names"),
        ("Jina\nAna\nMia", "seems to contain column names: Jina"),
        ("Kos;Jina\nHorvat;Ana", "seems to contain column names: Kos, Jina"),
        ("Ana Horvat\nIvo Kos", ""),
        ("Pol\nAna", ""),
        ("Ime;Prezime\nAna;Horvat", ""),
    ],
)
def test_what_was_guessed_is_said(text, warning):
    found = parse_roster(text).warnings
    assert len(found) == bool(warning)
    assert all(warning in sentence for sentence in found)


@pytest.mark.parametrize(
    ("page", "name"),
    [
        ("cp1252", "Michèle Lefèvre"),
        ("cp1254", "Ayşe Yıldız"),
        ("cp1251", "Олена Шевченко"),
        ("cp1256", "ليلى حداد"),
        ("iso-8859-2", "Željka Šarić"),
        ("cp1253", "Μαρία Παππά"),
    ],
)
def test_a_roster_in_a_code_page_is_read_and_warned_of(page, name):
    read = parse_file(f"name;class\n{name};6b\n".encode(page), shorten=False)
    assert read.names == [name]
    assert name.split()[0] in read.warnings[0]
    assert not parse_file(f"{name}\n".encode()).warnings  # the control: Unicode


def test_a_teacher_sees_what_was_guessed_and_chooses_another_encoding(sign_in, teacher, classroom):
    own = sign_in(teacher)

    def upload(**chosen):
        file = SimpleUploadedFile("names.csv", "name;x\nЗнайка Рот;1\n".encode("koi8-r"))
        return open_preview(own, classroom, {"file": file, **chosen})

    guessed = upload()
    assert "does not say which encoding it uses" in guessed.content.decode()
    wrong = upload(encoding="cp1251")
    assert "Знайка" not in wrong.content.decode()
    right = upload(encoding="koi8-r")
    assert "Знайка Рот" in right.content.decode()
    assert "does not say which encoding it uses" not in right.content.decode()
    assert "does not match this encoding" in upload(encoding="utf-8").content.decode()
    confirm(own, right)
    assert User.objects.filter(display_name="Знайка Рот").exists()


def test_the_order_is_chosen_on_the_page(sign_in, teacher, classroom):
    add_names(
        sign_in(teacher), classroom, {"names": "Horvat Ana", "shorten": "on", "order": "family"}
    )
    assert User.objects.filter(display_name="Ana H.").exists()


@pytest.mark.timeout(60)  # a second; what takes the square of a line takes hours
@pytest.mark.parametrize("cell", ["(" * 1_800, " (" * 900, " 1" * 900, "1 a " * 500, "a" * 1_800])
def test_long_lines_are_read_quickly(cell):
    read = parse_roster(f"Ana{cell}x 2013\n" * 100)
    assert len(read.lines) == 100
