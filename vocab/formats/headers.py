"""Column names in many languages: the field, and the language, that a header means."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from unicodedata import normalize

from babel import Locale

from vocab.formats.quiz import is_quiz
from vocab.text import KNOWN_LANGUAGES
from vocab.text.languages import primary

# The names of each field; spaces are underscores. English first, then by language.
_NAMES: dict[str, str] = {
    "id": "id guid uid key entry_id",
    "term": "term terms word words front headword vocabulary expression lemma phrase question"
    " source target_word vocab"
    " riječ riječi pojam izraz prednja_strana pitanje"  # hr
    " reč reči pojmovi ријеч ријечи реч речи појам израз"  # bs, sr
    " лице"  # sr, of a card
    " beseda besede geslo vprašanje spredaj"  # sl
    " słowo słówko słówka wyraz wyrazy hasło pojęcie przód pytanie"  # pl
    " slovo slova slovíčko slovíčka výraz pojem líc otázka"  # cs
    " predná_strana"  # sk
    " wort wörter vokabel vokabeln begriff begriffe ausdruck vorderseite frage stichwort"  # de
    " mot mots terme vocabulaire recto"  # fr
    " parola parole termine vocabolo fronte domanda"  # it
    " palabra palabras término vocablo anverso pregunta expresión frente"  # es
    " palavra palavras termo vocábulo pergunta"  # pt
    " woord woorden begrip voorkant vraag uitdrukking"  # nl
    " szó szavak kifejezés előlap kérdés"  # hu
    " cuvânt cuvinte termen față întrebare"  # ro
    " ord orden glosa glosor framsida fråga"  # sv
    " gloser forside spørgsmål spørsmål begreb begrep"  # da, no
    " sana sanat etupuoli kysymys"  # fi
    " kelime kelimeler sözcük ön_yüz ön soru"  # tr
    " λέξη λέξεις όρος ερώτηση μπροστά"  # el
    " слово слова термин выражение вопрос"  # ru
    " термін вираз запитання питання лицьова_сторона передня_сторона"  # uk
    " дума думи израз въпрос лицева_част"  # bg
    " كلمة الكلمة كلمات الكلمات مفردة المفردات سؤال المصطلح أمام"  # ar
    " מילה מילים מונח שאלה חזית קדמי"  # he
    " کلمه کلمات واژه واژگان سوال"  # fa
    " 单词 單字 單詞 词 詞 词语 詞語 生词 生詞 词汇 詞彙 正面 问题"  # zh
    " 単語 言葉 語彙 語 表面 表 問題"  # ja
    " 단어 낱말 어휘 앞면 질문",  # ko
    "translation": "translation translations definition definitions back meaning meanings answer"
    " gloss correct_answer"
    " prijevod prijevodi značenje definicija stražnja_strana poleđina odgovor"  # hr
    " prevod prevodi значење превод преводи пријевод дефиниција наличје"  # bs, sr
    " pomen zadaj"  # sl
    " tłumaczenie tłumaczenia znaczenie odpowiedź tył"  # pl
    " překlad překlady význam definice rub odpověď"  # cs
    " preklad preklady definícia odpoveď zadná_strana"  # sk
    " übersetzung übersetzungen bedeutung bedeutungen rückseite antwort"  # de
    " traduction traductions sens signification définition verso réponse"  # fr
    " traduzione traduzioni significato definizione retro risposta"  # it
    " traducción traducciones significado definición reverso respuesta"  # es
    " tradução traduções definição resposta"  # pt
    " vertaling vertalingen betekenis definitie achterkant antwoord"  # nl
    " fordítás fordítások jelentés hátlap válasz"  # hu
    " traducere traduceri semnificație înțeles definiție spate răspuns"  # ro
    " översättning översättningar betydelse baksida svar"  # sv
    " oversættelse oversættelser oversettelse oversettelser betydning bagside bakside"  # da, no
    " käännös käännökset merkitys takapuoli kääntöpuoli vastaus"  # fi
    " çeviri anlam anlamı tanım arka_yüz arka geri cevap tercüme"  # tr
    " μετάφραση μεταφράσεις σημασία ορισμός απάντηση πίσω"  # el
    " перевод переводы значение определение ответ"  # ru
    " переклад переклади значення визначення відповідь зворотна_сторона"  # uk
    " дефиниция отговор гръб"  # bg
    " ترجمة الترجمة معنى المعنى تعريف جواب إجابة خلف"  # ar
    " תרגום תרגומים משמעות פירוש הגדרה תשובה גב אחורי"  # he
    " ترجمه معنی تعریف پاسخ"  # fa
    " 翻译 翻譯 释义 釋義 意思 含义 译文 解释 背面 答案"  # zh
    " 訳 翻訳 意味 和訳 裏面 裏 答え"  # ja
    " 번역 뜻 의미 해석 뒷면 답",  # ko
    "playing_form": "playing_form",
    "pronunciation": "pronunciation ipa reading transcription phonetic pinyin romaji"
    " izgovor izgovorjava изговор wymowa výslovnost výslovnosť aussprache lautschrift"
    " prononciation pronuncia pronunciación pronúncia uitspraak kiejtés pronunție uttal udtale"
    " uttale ääntäminen telaffuz okunuş προφορά произношение транскрипция вимова транскрипція"
    " произношение نطق النطق לשון הגייה تلفظ 发音 發音 拼音 読み 読み方 発音 발음",
    "part_of_speech": "part_of_speech pos word_class word_type vrsta_riječi vrsta_reči врста_речи"
    " врста_ријечи besedna_vrsta część_mowy slovní_druh slovný_druh wortart"
    " nature_du_mot classe_grammaticale catégorie_grammaticale parte_del_discorso"
    " categoría_gramatical classe_gramatical woordsoort szófaj parte_de_vorbire ordklass"
    " ordklasse sanaluokka sözcük_türü μέρος_του_λόγου часть_речи частина_мови"
    " част_на_речта نوع_الكلمة חלק_דיבור נוع_کلمه 词性 詞性 品詞 품사",
    "example": "example examples example_sentence sentence context primjer primjeri rečenica"
    " primer primeri пример примери примјер примјери реченица primer_stavka stavek"
    " przykład przykłady zdanie"
    " příklad příklady věta príklad príklady veta beispiel beispiele beispielsatz satz"
    " exemple exemples esempio esempi frase ejemplo ejemplos oración exemplo exemplos"
    " voorbeeld voorbeelden voorbeeldzin zin példa példák példamondat mondat exemplu exemple"
    " propoziție exempel exempelmening mening eksempel eksempler sætning setning esimerkki"
    " esimerkit lause örnek örnekler cümle örnek_cümle παράδειγμα παραδείγματα πρόταση"
    " примеры предложение приклад приклади речення изречение مثال أمثلة جملة דוגמה דוגמא"
    " דוגמאות משפט مثال‌ها جمله 例句 例子 例文 예문 예",
    "example_translation": "example_translation sentence_translation example_meaning"
    " prijevod_primjera prijevod_rečenice prevod_primera превод_примера prevod_primera"
    " tłumaczenie_przykładu tłumaczenie_zdania překlad_příkladu překlad_věty preklad_príkladu"
    " übersetzung_des_beispiels beispielübersetzung satzübersetzung"
    " traduction_de_l'exemple traduzione_dell'esempio traducción_del_ejemplo"
    " tradução_do_exemplo vertaling_van_het_voorbeeld перевод_примера переклад_прикладу",
    "hint": "hint hints clue natuknica pomoć namig подсказка pomoc podpowiedź wskazówka nápověda"
    " nápoveda hinweis tipp indice suggerimento pista dica aanwijzing"
    " segítség indiciu ledtråd vihje ipucu υπόδειξη підказка تلميح רמז راهنمایی 提示 ヒント 힌트",
    "note": "note notes comment comments remark remarks back_extra extra_notes rückseite_extra"
    " verso_extra reverso_extra retro_extra tył_dodatkowy rub_extra poleđina_ekstra hátlap_extra"
    " verso_adițional baksida_extra bagside_extra kääntöpuolen_lisäteksti дополнение_оборота"
    " додатково إضافي_خلفي תוספת_אחורית 背面额外 裏面の追加情報 dodatno_na_zadnji_strani"
    " bilješka bilješke"
    " napomena napomene beleška напомена белешка opomba opombe notatka notatki uwaga uwagi"
    " poznámka poznámky anmerkung anmerkungen bemerkung bemerkungen notiz notizen kommentar"
    " remarque remarques commentaire nota notas osservazioni comentario comentarios observación"
    " comentário observação opmerking opmerkingen notitie megjegyzés megjegyzések notă notițe"
    " anteckning anteckningar anmärkning bemærkning bemærkninger merknad merknader notat"
    " huomautus muistiinpano açıklama notlar σημείωση σημειώσεις примечание заметка заметки"
    " примітка нотатка нотатки бележка бележки ملاحظة ملاحظات הערה הערות یادداشت 备注 備註"
    " 笔记 備考 メモ ノート 메모 비고",
    "image": "image picture img photo slika слика fotografija obraz obrazek zdjęcie obrázek bild"
    " foto immagine imagen imagem afbeelding plaatje kép imagine billede bilde kuva resim görsel"
    " εικόνα картинка изображение рисунок зображення снимка صورة תמונה تصویر"
    " 图片 圖片 画像 이미지 그림",
    "audio": "audio sound recording zvuk звук snimka zvok nagranie dźwięk nahrávka ton tonaufnahme"
    " hörbeispiel son enregistrement suono sonido áudio som geluid hang sunet ljud lyd ääni ses"
    " ήχος аудио аудіо صوت الصوت שמע צליל صدا 音频 音頻 音声 소리 음성",
    "tags": "tags tag labels label categories category topic oznake oznaka kategorija kategorije"
    " tema ознаке категорија категорије kategoria kategorie tagi etykiety"
    " etykieta temat štítky štítek kategórie schlagwörter schlagwort kategorien thema"
    " étiquettes étiquette catégorie catégories thème categoria categorie etichette etiquetas"
    " etiqueta categoría categorías categorias címkék címke kategória kategóriák"
    " etichete etichetă taggar etiketter kategorier tunnisteet kategoriat aihe etiketler etiket"
    " kategoriler ετικέτες κατηγορία κατηγορίες теги метки метка категория категории мітки"
    " категорія категорії етикети وسوم وسم فئة فئات תגיות תגית קטגוריה برچسب برچسب‌ها دسته"
    " 标签 標籤 分类 分類 タグ カテゴリ 태그 분류",
    "language": "language lang jezik језик język jazyk sprache langue lingua idioma taal"
    " nyelv limbă språk sprog kieli dil γλώσσα язык мова език لغة שפה زبان 语言 語言 言語 언어",
}
# What a column without a known name is not, wherever it stands: the words.
_COUNTED_NAMES = """
# № nr no num number numero número numéro nummer numer lp l_p lfd_nr broj br rb r_br redni_broj
redni_br poř p_č poradie číslo sorszám sıra номер 番号 序号 編號 번호
level levels lesson unit chapter page section week frequency rank status stage score
lekcija lekcja lektion leçon lección lezione razina poziom stufe niveau nivel livello
уровень урок рівень
"""
_COUNTED = frozenset(_COUNTED_NAMES.split())

# A field's name with its language; a longer text is no name, and is slow to match.
_LONGEST_HEADER = 120
_LONGEST_LANGUAGE = 60
_WORD_GAP = re.compile(r"[\s_.\-]+")
_NUMBER = re.compile(r"_\d+$")
_LANGUAGE = re.compile(r"(.+?)[\s_]*[\s_(\[]\s*([A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*)\s*[)\]]?")
_BRACKETS = re.compile(r"\s*[(\[（]([^()\[\]（）]*)[)\]）]\s*")
# The word “language” beside a language's name.
_SUCH_A_WORD = frozenset(
    ("language", "jezik", "język", "jazyk", "sprache", "langue", "lingua", "мова", "язык", "език")
)

# Whose names of languages are known: as in the column names above.
_LOCALES = (
    *("en", "hr", "bs", "sr", "sr_Latn", "sl", "pl", "cs", "sk", "de", "fr", "it", "es", "pt"),
    *("nl", "hu", "ro", "sv", "da", "nb", "fi", "tr", "el", "ru", "uk", "bg", "ar", "he", "fa"),
    *("zh", "zh_Hant", "ja", "ko"),
)
# What people call some languages, beside the names in these locales.
_ALSO_CALLED = {
    "zh": "mandarin 中文 汉语 漢語 国语 國語",
    "en": "英文 anglicky angleško british_english american_english",
    "de": "德文 německy nemecky nemško",
    "fr": "法文 francouzsky",
    "es": "castellano castilian 西班牙文 španělsky",
    "ja": "日文",
    "ko": "韩文 韓文",
    "fa": "farsi",
    "cs": "česky tschechisch",
    "sk": "slovensky",
    "hr": "chorvatsky hrvaško",
    "ru": "rusky",
    "cnr": "crnogorski црногорски montenegrin montenegrinisch czarnogórski",
    "no": "norsk norwegian norwegisch norveški norweski",
    # Their own names; the file of a language is not read for one name.
    "be": "беларуская",
    "ca": "català",
    "et": "eesti",
    "eu": "euskara",
    "ga": "gaeilge",
    "gl": "galego",
    "hi": "हिन्दी",
    "is": "íslenska",
    "lt": "lietuvių",
    "lv": "latviešu",
    "mk": "македонски",
    "sq": "shqip",
    "th": "ไทย",
    "vi": "tiếng_việt",
}


def _key(header: str) -> str:
    """Return a header without case, accents' spelling, and differences in its gaps."""
    return _WORD_GAP.sub("_", normalize("NFC", header).strip().casefold()).strip("_:*")


ALIASES = {_key(alias): field for field, aliases in _NAMES.items() for alias in aliases.split()}


def field_of(header: str) -> str | None:
    """Return the field that a header names, in any case and by its aliases, or None.

    `Translation (de)`, `translation_de`, `translation:de`, `German translation` and `German` are
    all `translation:de`; `translation 2` is one more column of translations.
    """
    if len(header) > _LONGEST_HEADER:
        return None
    name = _key(header)
    if field := ALIASES.get(name):
        return field
    if ALIASES.get(_NUMBER.sub("", name)) == "translation":
        return "translation"
    before, colon, tag = header.partition(":")
    if colon and tag.strip():
        return f"translation:{tag.strip()}" if _is_translation(before) else None
    if (match := _LANGUAGE.fullmatch(header.strip())) and _is_translation(match[1]):
        return f"translation:{match[2]}"
    if len(name) > _LONGEST_LANGUAGE or name.isdigit():
        return None
    named, language = _field_and_language(header)
    if named and named != "translation":
        return named
    return f"translation:{language}" if language else None


def _is_translation(name: str) -> bool:
    return ALIASES.get(_key(name)) == "translation"


def _field_and_language(header: str) -> tuple[str, str]:
    """Return the field and the language of `German word`, `Wort (Deutsch)` or `German`."""
    names = _names_of_languages()
    if language := names.get(_key(header)):
        return "", language
    if match := _BRACKETS.search(header):
        outside = _key(header[: match.start()] + " " + header[match.end() :])
        field, inside = ALIASES.get(outside, ""), names.get(_key(match[1]), "")
        if inside and field:
            return field, inside
        # As in `Deutsch (Singular)` or `English (US)`.
        return field, names.get(outside, "")
    words = [_without_ending(word, names) for word in _key(header).split("_")]
    for place in range(1, len(words)):
        one, other = "_".join(words[:place]), "_".join(words[place:])
        for spoken, rest in ((one, other), (other, one)):
            if language := names.get(spoken):
                if rest in _SUCH_A_WORD:
                    return "", language
                if rest in ALIASES:
                    return ALIASES[rest], language
    return "", ""


def _without_ending(word: str, names: Mapping[str, str]) -> str:
    """Return the German name of a language in an adjective: `deutsch` in `deutsches`."""
    return word[:-2] if word.endswith("es") and word[:-2] in names else word


def spoken_in(header: str, *, codes: bool = False) -> str:
    """Return the language that a header names, as `German word` does; with *codes* also `de`."""
    if len(header) > _LONGEST_LANGUAGE:
        return ""
    if language := _field_and_language(header)[1]:
        return language
    code = header.strip().replace("_", "-").casefold().partition("-")[0]
    return code if codes and code in _known() else ""


def is_counted(header: str) -> bool:
    """Return whether a header names numbers of rows, levels or lessons, which are no words."""
    name = _key(header)
    return name in _COUNTED or _NUMBER.sub("", name) in _COUNTED


@lru_cache(maxsize=1)
def _known() -> Collection[str]:
    return frozenset(tag.partition("-")[0] for tag in KNOWN_LANGUAGES)


@lru_cache(maxsize=1)
def _names_of_languages() -> Mapping[str, str]:
    """Return the languages that lists can be in, by their names in many languages.

    Read only when a header is not known otherwise: it takes a tenth of a second.
    """
    found = {
        _key(name): language for language, names in _ALSO_CALLED.items() for name in names.split()
    }
    tags = sorted(_known())
    for locale in _LOCALES:
        names = Locale.parse(locale).languages
        for tag in tags:
            if name := names.get(tag):
                found.setdefault(_key(name), tag)
    return found


def fields_of(cells: Sequence[str]) -> set[str]:
    """Return the distinct fields that a first line would name."""
    return {field.partition(":")[0] for cell in cells if (field := field_of(cell))}


def looks_like_header(cells: Sequence[str], languages: Sequence[str] = ()) -> bool:
    """Return whether a first line names columns.

    It does if it names the words and another field, or two languages, or a language and a field,
    or is only the name of the words. *languages* are those of the list, whose codes are then names.
    """
    texts = [cell for cell in cells if cell.strip()]
    if not texts or any(len(text) > _LONGEST_HEADER for text in texts):
        return False
    own = {primary(tag) for tag in languages}
    fields, spoken = set(), set()
    for text in texts:
        # A code is also a word, so it counts only if it is that of the list.
        language = spoken_in(text)
        code = "" if language else spoken_in(text, codes=True)
        if language or code in own:
            spoken.add(language or code)
        if (field := field_of(text)) and not (language and field == f"translation:{language}"):
            fields.add(field.partition(":")[0])
    if "term" in fields and (len(fields | spoken) > 1 or len(cells) == 1):
        return True
    return len(spoken) > 1 or bool(spoken and "translation" in fields) or is_quiz(cells)
