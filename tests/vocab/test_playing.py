"""What is played of the terms of schoolbooks."""

import pytest

from vocab.text import german_plurals
from vocab.text.playing import RULES, playing_forms, rules_worth_having

AS_WRITTEN = {
    "de": {
        "der Hund": ["Hund"],
        "das Auto/der Wagen": ["Auto", "Wagen"],
        "die Bank (Park)": ["Bank"],
        "gehen, ging, gegangen": ["gehen", "ging", "gegangen"],
        "die Schule, -n": ["Schule"],
        "das Haus, ¨-er": ["Haus"],
        "der Vater, ¨": ["Vater"],
        "die Frau -en": ["Frau"],
        "der Stuhl, -ü-e": ["Stuhl"],
        "die Milch, o. Pl.": ["Milch"],
        "das Obst, nur Sg.": ["Obst"],
        "kein Problem": ["kein Problem"],
        "aus|steigen": ["aussteigen"],
        "(sich) freuen": ["freuen"],
        "Freund(in)": ["Freund", "Freundin"],
        "der/die Angestellte": ["Angestellte"],
        "der Freund / die Freundin": ["Freund", "Freundin"],
        "der Arzt, die Ärztin, der Doktor": ["Arzt", "Ärztin", "Doktor"],
        "jdn. fragen": ["fragen"],
        "die Eltern, Pl.": ["Eltern"],
        "interessieren (sich) für + Akk.": ["interessieren für"],
        "Guten Tag, wie geht es Ihnen?": ["Guten Tag, wie geht es Ihnen?"],
        "1,5 Liter": ["1,5 Liter"],
        "Denise": ["Denise"],
        "der Apfel, Äpfel": ["Apfel"],
        "Apfel, Äpfel": ["Apfel"],
        "das Haus / die Häuser": ["Haus"],
        "die Lehrerin, Lehrerinnen": ["Lehrerin"],
        "Auto, Wagen": ["Auto", "Wagen"],
        "das Auto, Autos, der Wagen, die Wagen": ["Auto", "Wagen"],
        "der Freund, die Freundin, Freundinnen": ["Freund", "Freundin"],
        "essen, Essen": ["essen", "Essen"],
        "sich waschen": ["waschen"],
        "waschen, sich": ["waschen"],
        "gehen, ging, ist gegangen": ["gehen"],
        "essen, isst, aß, hat gegessen": ["essen"],
        "Er sagt, dass sie Hunger hat": ["Er sagt, dass sie Hunger hat"],
        "die": ["die"],
        "(die)": ["(die)"],
    },
    "en": {
        "to go": ["go"],
        "go, went, gone": ["go", "went", "gone"],
        "colo(u)r": ["color", "colour"],
        "atop": ["atop"],
        "mouse, pl. mice": ["mouse"],
        "please, place": ["please", "place"],
        "tomorrow": ["tomorrow"],
    },
    "fr": {
        "l'eau": ["eau"],
        "l’été": ["été"],
        "un/une élève": ["élève"],
        "heureux, -euse": ["heureux"],
        "les ciseaux, m. pl.": ["ciseaux"],
        "s'il vous plaît": ["s'il vous plaît"],
    },
    "es": {"el/la estudiante": ["estudiante"], "amigo/a": ["amigo"], "bonito/-a": ["bonito"]},
    "it": {"l'acqua": ["acqua"], "bello/a": ["bello"], "gli occhi": ["occhi"]},
    "el": {"η θάλασσα": ["θάλασσα"]},
    "hu": {"az alma": ["alma"]},
    "ru": {"делать/сделать": ["делать", "сделать"]},
    "ja": {
        "食べる（たべる）": ["食べる"],
        "本(ほん)": ["本"],
        "行く、来る": ["行く", "来る"],
        "行きます・いきます": ["行きます"],
        "名前　なまえ": ["名前"],
        "大きい⇔小さい": ["大きい"],
        "コーヒー": ["コーヒー"],
    },
    "ar": {
        "بيت، منزل": ["بيت", "منزل"],
        "كتاب (كتب)": ["كتاب"],
        "الكتاب": ["كتاب"],
        "كِتاب ج كُتُب": ["كِتاب"],
        "كتاب (ج) كتب": ["كتاب"],
        "كتاب ج. كتب": ["كتاب"],
        "جمل": ["جمل"],
        "مَدْرَسَة ج. مَدارِس": ["مَدْرَسَة"],
        "جَديد (م) جَديدَة": ["جَديد"],
        "مُعَلِّم/ـة": ["مُعَلِّم"],
        "ألم": ["ألم"],
        "الله": ["الله"],
        "اَلْكِتَاب": ["كِتَاب"],
    },
    "he": {
        "תַּלְמִיד/ה": ["תַּלְמִיד"],
        "שֻׁלְחָן ז. שולחנות": ["שֻׁלְחָן"],
        "זמן": ["זמן"],
        "בית, ז.": ["בית"],
    },
    "cs": {
        "moře, s.": ["moře"],
        "číst + 4. p.": ["číst"],
        "pes, psa m": ["pes"],
        "táta, otec": ["táta", "otec"],
        "s sebou": ["s sebou"],
    },
    "la": {"rex, regis m.": ["rex"], "amo, amare, amavi, amatum": ["amo"]},
    "nl": {"gaan, ging, is gegaan": ["gaan"], "zich wassen": ["wassen"]},
    "hr": {"otac, tata": ["otac", "tata"], "ići (na)": ["ići"]},
}


@pytest.mark.parametrize(
    ("language", "term", "forms"),
    [
        (language, term, forms)
        for language, terms in AS_WRITTEN.items()
        for term, forms in terms.items()
    ],
)
def test_what_is_played_of_a_term(language, term, forms):
    assert list(playing_forms(term, language, RULES)) == forms


@pytest.mark.parametrize(
    ("rules", "form"),
    [
        ([], "der Hund, -e (Tier)"),
        (["articles"], "Hund, -e (Tier)"),
        (["brackets"], "der Hund, -e"),
        (["notes", "brackets"], "der Hund"),
        (["notes", "brackets", "articles"], "Hund"),
    ],
)
def test_each_rule_leaves_out_its_own_part(rules, form):
    assert playing_forms("der Hund, -e (Tier)", "de", rules) == (form,)


PLURALS = """
Apfel Äpfel, Hund Hunde, Auto Autos, Haus Häuser, Frau Frauen, Hose Hosen, Lehrer Lehrer,
Mutter Mütter, Wald Wälder, Saal Säle, Bus Busse, Ergebnis Ergebnisse, Lehrerin Lehrerinnen,
Museum Museen, Konto Konten, Firma Firmen, Thema Themata, Praktikum Praktika, Basis Basen,
Rhythmus Rhythmen, Material Materialien, Atlas Atlanten, Lexikon Lexika, Kartoffel Kartoffeln,
Tochter Töchter, Termin Termine, Apfelbaum Apfelbäume
"""
OTHER_WORDS = """
Auto Wagen, Freund Freundin, Arzt Ärztin, Oma Opa, Cousin Cousine, Hund Köter, Haus Maus,
Bett Brett, Junge Mädchen, Lehrer Lehrerin, Kunde Kundin, Stadt Staat, Tisch Tischler,
essen Essen, Haus hausen
"""


@pytest.mark.parametrize("pair", PLURALS.split(","))
def test_a_german_plural_is_known_by_its_form(pair):
    noun, plural = pair.split()
    assert german_plurals.is_plural(noun, plural)
    assert german_plurals.is_plural(f"das {noun}", f"die {plural}")
    assert not german_plurals.is_plural(noun, f"der {plural}")


@pytest.mark.parametrize("pair", OTHER_WORDS.split(","))
def test_another_german_word_is_no_plural(pair):
    assert not german_plurals.is_plural(*pair.split())


def test_a_plural_is_no_second_answer_where_only_alternatives_are_left_out():
    assert playing_forms("der Apfel, Äpfel", "de", ["alternatives"]) == ("der Apfel",)
    assert playing_forms("Apfel, Äpfel", "nl", RULES) == ("Apfel", "Äpfel")  # the control


def test_articles_are_those_of_the_language():
    assert playing_forms("die Katze", "hr", RULES) == ("die Katze",)
    assert playing_forms("a dog", "pl", RULES) == ("a dog",)


def test_rules_are_suggested_where_they_change_something():
    assert rules_worth_having(["pas", "mačka", "kuća"], "hr") == []
    assert rules_worth_having(["der Hund", "die Katze"], "de") == ["articles"]
    assert rules_worth_having(["der Hund, -e", "die Bank (Park)"], "de") == [
        "articles",
        "brackets",
        "notes",
        "alternatives",
    ]
    words = [f"word{number}" for number in range(100)]
    assert rules_worth_having([*words, "the Beatles"], "en") == []
    assert rules_worth_having([*words, "Beatles (band)"], "en") == ["brackets"]


@pytest.mark.parametrize("term", ["", "   ", "()", "/", "(", ") (", "—", "😀", "a" * 300, "((a)b"])
def test_there_is_always_a_form(term):
    assert len(playing_forms(term, "de", RULES)) >= 1
