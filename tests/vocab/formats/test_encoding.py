"""The words are everyday ones, with the letters in which the two code pages differ."""

import random

import pytest

from osmosmjerka.code_pages import guess_page
from vocab.formats import delimited

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
    """Ten words of any language; where both pages read the same letters, either is right."""
    rng = random.Random(3)
    right = total = 0
    for page, languages in (("cp1250", CENTRAL), ("cp1252", WESTERN)):
        for words in languages.values():
            words = words.replace("ș", "ş").replace("ț", "ţ").split()
            for _ in range(50):
                data = "\n".join(rng.sample(words, min(10, len(words)))).encode(page)
                guess = guess_page(data)
                right += data.decode(guess, "replace") == data.decode(page)
                total += 1
    assert right / total > 0.98
