"""The playing form of a term: the part of what a schoolbook writes that is played.

Schoolbooks write “der Hund”, “die Schule, -n”, “(sich) freuen”, “das Auto/der Wagen”. A list says
by its rules what of that is left out of the grid:

- `articles`: the articles of the language before a noun, and what stands before a verb in the same
  way: the mark of an infinitive (English to, Swedish att) or a reflexive pronoun. “der Hund” is
  HUND, “sich waschen” is WASCHEN.
- `brackets`: what stands in brackets: “die Bank (Park)” is DIEBANK. A bracket inside a word is
  optional, so that both are right: “Freund(in)” is FREUND or FREUNDIN.
- `notes`: endings after a hyphen, marks of number and gender, plurals and principal parts that are
  marked as such, and abbreviations for what a verb is used with: “die Schule, -n” is DIESCHULE,
  “child, pl. children” is CHILD, “jdn. fragen” is FRAGEN, “aus|steigen” is AUSSTEIGEN. A German
  plural needs no mark: “der Apfel, Äpfel” is DERAPFEL.
- `alternatives`: what “/”, “;” or “,” separate: the first is played, the others are right too.

If a rule would leave no letter, the term stays as it was before that rule.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import lru_cache
from typing import Literal, get_args

import regex

from vocab.text import german_plurals
from vocab.text.languages import primary
from vocab.text.normal import normal_form
from vocab.text.readings import without_readings

Rule = Literal["articles", "brackets", "notes", "alternatives"]
RULES: tuple[Rule, ...] = get_args(Rule)

# A few articles may belong to their terms (“a lot”, “the Beatles”); a rule for them is suggested if
# it changes this share of a list. The others are suggested for a single term.
_WORTH_A_RULE = {"articles": 0.05}

_ARTICLES: dict[str, str] = {
    "ca": "el la els les un una uns unes l' en na",
    "cy": "y yr 'r",
    "da": "en et den det de at",
    "de": "der die das den dem des ein eine einen einem einer eines sich",
    "el": "ο η το οι τα τον την του της ένας μία μια ένα",
    "en": "the a an to",
    "eo": "la",
    "es": "el la los las lo un una unos unas",
    "eu": "bat",
    "fr": "le la les l' un une des du d' de la se",
    "ga": "an na",
    "gl": "o a os as un unha uns unhas",
    "hu": "a az egy",
    "is": "að",
    "it": "il lo la i gli le l' un uno una un'",
    "lb": "den d' déi dat eng en",
    "mt": "il- l- is- it- in- ir- id- ix- iz-",
    "nb": "en ei et den det de å",
    "nl": "de het een 't zich",
    "nn": "ein ei eit den det dei å",
    "no": "en ei et den det de å",
    "pt": "o a os as um uma uns umas",
    "ro": "un o a niște",
    "sq": "një",
    "sv": "en ett den det de att",
}
# In words as short as “الله”, it belongs to the word.
_JOINED_ARTICLES = {"ar": r"^ا\p{M}*ل\p{M}*(?=(?:\p{L}\p{M}*){3})"}
# What of a verb's use or a noun's form schoolbooks abbreviate, without the full stop.
_ABBREVIATIONS: dict[str, str] = {
    "de": "jdn jdm jds jd jmdn jmdm etw pl sg akk dat gen nom sing plur",
    "en": "sb sth smb smth pl sg adj adv",
    "es": "algn alg pl sg",
    "fr": "qn qc qqn qqch pl sg inv",
    "it": "qn qc qcn qcs pl sg inv",
    "nl": "iem iets mv ev",
    "pl": "ktoś coś lm lp",
    "pt": "alg pl sg",
    "hr": "mn jd",
    "": "pl sg m f n mf mpl fpl nt masc fem neut",
}
# Genders that are abbreviated otherwise; such a letter may also be a word: Czech “s” is “with”.
_GENDERS = {"cs": "s ž", "sk": "s ž", "he": "ז נ", "pl": "r ż", "ru": "м ж с", "uk": "ч ж с"}

_OPEN, _CLOSE = r"[(\[{（［【〔〈]", r"[)\]}）］】〕〉]"
_BRACKETS = regex.compile(rf"{_OPEN}([^()\[\]{{}}（）［］【】〔〕〈〉]*){_CLOSE}")
# Inside a word: a letter right before it, or right after it. Where words are not separated by
# spaces, brackets hold readings and explanations.
_ALPHABETIC = r"[\p{Latin}\p{Greek}\p{Cyrillic}\p{Armenian}]"
_OPTIONAL = rf"{_OPEN}({_ALPHABETIC}[\p{{L}}\p{{M}}]*){_CLOSE}"
_INSIDE = regex.compile(rf"(?<={_ALPHABETIC}){_OPTIONAL}|{_OPTIONAL}(?={_ALPHABETIC})")
_HAS_LETTER = regex.compile(r"[\p{L}\p{N}]")
_SEPARATOR = regex.compile(r"\s*[/／;；、،؛]\s*|\s*[,，](?!\p{N})\s*")
# “-n”, “¨-er”, “~s”, “-euse”: an ending, which schoolbooks put after a comma, a slash or a space.
_ENDING = regex.compile(
    r"(?:(?<=\S)\s*[,;/]\s*|\s+)(?:[-–‑~¨⸚̈\"]+\s?(?:-?\p{L}{0,6}){1,2}|[-–‑~]\p{M}*)(?=$|[\s,;/])"
)
# “amigo/a”, “תלמיד/ה”: an ending without a hyphen, unless it is an article (“el coche/el carro”) or
# the word in short (“אבא/אב”); in Arabic it may begin with a tatweel.
_SLASHED_ENDING = regex.compile(
    r"(?P<word>(?:\p{L}\p{M}*){3,})/"
    r"(?P<ending>(?:[\p{Latin}\p{Greek}\p{Cyrillic}\p{Armenian}\p{Hebrew}\p{Arabic}]\p{M}*){1,2})"
    r"(?![\p{L}\p{M}'’])(?P<follows>(?=\s+\p{L}))?|/ـ\S+"
)
# “o. Pl.”, “nur Sg.”: has no plural, or no singular.
_ONLY_NUMBER = regex.compile(
    r"(?:\s*,)?\s+(?:o|ohne|nur|kein|only|no|bez|samo|tylko)\.?\s+(?:pl|sg|mn|lm|lp)\b\.?$", regex.I
)
# “mouse, pl. mice”, “człowiek, lm. ludzie”, “كتاب (ج) كتب”, “جديد (م) جديدة”: the plural or the
# feminine is written out.
_PLURAL = regex.compile(
    r"\s*[,;/]\s*(?:pl|plur|plural|mn|mv|lm|мн|πληθ|çoğ|tsz)[.:]\s*\p{L}.*$"
    r"|\s+\(?[جم][.:)]+\s+\p{L}.*$|\s+ج\s+\p{L}.*$|\s+\(?[זנ][.:׳')]+\s+\p{L}.*$",
    regex.I,
)
# “gehen, ging, ist gegangen”, “rex, regis”: forms that are learned with a word, told from synonyms
# by the verb of the perfect, or because the language's dictionaries always print them.
_PRINCIPAL_PARTS = {
    "de": r"^((?:sich\s)?[\p{L}|]+(?:\s\(?sich\)?)?),.*\b(?:ist|hat)\s\p{L}+$",
    "la": r"^(\p{L}+),.*$",
    "nl": r"^((?:zich\s)?\p{L}+),.*\b(?:is|heeft)\s\p{L}+$",
}
# “pes, psa m”: an inflected form and the gender.
_INFLECTED = regex.compile(r",\s*[\p{L}\p{M}-]+\s+(?:m|f|n|ž|s|м|ж|с|ср)\.?$")
# “Hund m (-e)”: the gender before the ending in brackets.
_GENDER_BEFORE_BRACKET = regex.compile(
    rf"(?:\s*,)?\s+(?:m|f|n|nt|mf|ž|ż|r|м|ж|с)\b\.?(?=\s*{_OPEN}[^()\[\]]*{_CLOSE}\s*$)"
)
# “名前　なまえ”, “行きます・いきます”: how kanji are read. “大きい⇔小さい”: the opposite.
_READING = regex.compile(r"^([^・\s]*\p{Han}[^・\s]*)[・\s]+[\p{Hiragana}\p{Katakana}ー]+$")
_OPPOSITE = regex.compile(r"\s*[⇔↔⟷≠]\s*\S.*$")
# “waschen, sich”: the pronoun comes after the verb in an alphabetical list.
_LAST_PRONOUN = regex.compile(r",\s*(?:sich|zich|se)$", regex.I)
_CASE_NOTE = regex.compile(r"\s*\+\s*(?:\d\.\s*)?\p{L}+\.?")
# Catalan l·l is a spelling.
_SYLLABLES = regex.compile(r"(?<=\p{L})(?!(?<=l)·l)[|·‧•](?=\p{L})", regex.I)
# A sentence may have commas: it ends like one, or has so many words between them.
_END_OF_SENTENCE = regex.compile(r"[.?!…。？！؟]$")
_LONG_PART = 4
_ANY_SEPARATOR = regex.compile(r"(\s*[,;/]\s*)")


def playing_forms(term: str, language: str, rules: Collection[str]) -> tuple[str, ...]:
    """Return the right forms of *term*; the first is the one that is played.

    *language* is a BCP-47 tag, *rules* are some of `RULES`. There is always a form; without rules
    it is *term* in its normal form.
    """
    return _forms(term, primary(language), frozenset(rules))


def rules_worth_having(terms: Iterable[str], language: str) -> list[Rule]:
    """Return the rules to suggest for a list: those that change what is played of some terms."""
    terms = list(terms)
    worth: list[Rule] = []
    for rule in RULES:
        as_written = ((normal_form(term),) for term in terms)
        forms = (playing_forms(term, language, [rule]) for term in terms)
        changed = sum(form != whole for form, whole in zip(forms, as_written, strict=True))
        if changed and changed >= _WORTH_A_RULE.get(rule, 0) * len(terms):
            worth.append(rule)
    return worth


@lru_cache(maxsize=4096)
def _forms(term: str, language: str, rules: frozenset[str]) -> tuple[str, ...]:
    whole = normal_form(term)
    forms = [whole]
    if "notes" in rules:  # before brackets: “كتاب (ج) كتب”
        forms = _each(forms, lambda form: [_without_other_forms(form, language)])
    if "brackets" in rules:
        forms = _each(forms, lambda form: _without_brackets(without_readings(form)))
    if "notes" in rules:
        forms = _each(forms, lambda form: [_without_notes(form, language)])
    if "alternatives" in rules:
        forms = _each(forms, lambda form: _alternatives(form, language))
        if "notes" in rules:  # “jdn. fragen / jdn. bitten”
            forms = _each(forms, lambda form: [_without_notes(form, language)])
    if "articles" in rules:
        forms = _each(forms, lambda form: [_without_articles(form, language)])
    return tuple(dict.fromkeys(forms)) or (whole,)


def _each(forms: Sequence[str], change: Callable[[str], Sequence[str]]) -> list[str]:
    """Change each form; one of which no letter would be left stays as it was."""
    result: list[str] = []
    for form in forms:
        changed = [tidy for one in change(form) if _HAS_LETTER.search(tidy := _tidy(one))]
        result += changed or [form]
    return result


def _tidy(form: str) -> str:
    return normal_form(form).strip(" ,;/")


def _without_brackets(form: str) -> list[str]:
    if inside := _INSIDE.search(form):
        optional = inside[1] or inside[2]
        with_it = form[: inside.start()] + optional + form[inside.end() :]
        without = form[: inside.start()] + form[inside.end() :]
        return [_BRACKETS.sub(" ", without), _BRACKETS.sub(" ", with_it)]
    return [_BRACKETS.sub(" ", form)]


def _without_other_forms(form: str, language: str) -> str:
    parts = _PRINCIPAL_PARTS.get(language)
    form = regex.sub(parts, r"\1", form) if parts else form
    form = _READING.sub(r"\1", _OPPOSITE.sub("", _GENDER_BEFORE_BRACKET.sub("", form)))
    form = _without_plurals(form) if language == "de" else form
    return _LAST_PRONOUN.sub("", _INFLECTED.sub("", _PLURAL.sub("", form)))


def _without_plurals(form: str) -> str:
    """Leave out each plural that follows its German noun."""
    noun, *others = _ANY_SEPARATOR.split(form)
    kept = [noun]
    for separator, part in zip(others[::2], others[1::2], strict=True):
        if not german_plurals.is_plural(noun, part):
            kept += [separator, part]
            noun = part
    return "".join(kept)


def _without_notes(form: str, language: str) -> str:
    form = _SYLLABLES.sub("", form)
    form = _ONLY_NUMBER.sub("", _CASE_NOTE.sub("", form))
    form = _ENDING.sub("", form)
    articles, noun = articles_of(form, language)

    def without_ending(found: regex.Match[str]) -> str:
        word, ending = found["word"] or "", found["ending"] or ""
        is_article = found["follows"] is not None and _is_articles(ending, language)
        return found[0] if is_article or is_in_short(ending, word) else word

    return _abbreviations(language).sub("", articles + _SLASHED_ENDING.sub(without_ending, noun))


def is_in_short(ending: str, word: str) -> bool:
    """Return whether what follows a word's slash is the same word in short, and no ending of it."""
    return len(ending) > 1 and word.startswith(ending)


def _alternatives(form: str, language: str) -> list[str]:
    # Plurals are no answers, even where notes are played; nor are endings, which have a hyphen.
    form = _without_plurals(form) if language == "de" else form
    parts = [part for part in _SEPARATOR.split(form) if part and part[0] not in "-–‑~¨"]
    if _END_OF_SENTENCE.search(form) or any(len(part.split()) >= _LONG_PART for part in parts):
        return [form]
    # “el/la estudiante”: both articles are of what follows.
    if any(_is_articles(part, language) for part in parts[:-1]):
        return [form]
    return parts


def _is_articles(text: str, language: str) -> bool:
    return text.strip().casefold() in _ARTICLES.get(language, "").split()


def _without_articles(form: str, language: str) -> str:
    return articles_of(form, language)[1]


def articles_of(form: str, language: str) -> tuple[str, str]:
    """Part *form* into the articles before it, as they are written, and the rest."""
    pattern = _articles(primary(language))
    found = pattern.match(form) if pattern else None
    return (found[0], form[found.end() :]) if found else ("", form)


@lru_cache(maxsize=64)
def _articles(language: str) -> regex.Pattern[str] | None:
    if language in _JOINED_ARTICLES:
        return regex.compile(_JOINED_ARTICLES[language])
    words = _ARTICLES.get(language, "").split()
    if not words:
        return None
    elided = [regex.escape(word).replace("'", "['’]") for word in words if word[-1] in "'-"]
    others = [regex.escape(word).replace("'", "['’]") for word in words if word[-1] not in "'-"]
    one = rf"(?:{'|'.join(others)})" if others else r"(?!)"
    several = rf"{one}(?:\s*[/,]\s*{one})*\s+"
    return regex.compile(
        rf"^(?:{several}|(?:{'|'.join(elided) or '(?!)'})\s*)(?=\S)", regex.IGNORECASE
    )


@lru_cache(maxsize=64)
def _abbreviations(language: str) -> regex.Pattern[str]:
    """Match these abbreviations where nothing else can be meant.

    Those of one letter, and those of every language, only stand after the word: “les ciseaux, m.
    pl.”; the others also before it: “jdn. fragen”.
    """
    own = "|".join(_ABBREVIATIONS.get(language, "").split()) or "(?!)"
    common = "|".join([*_ABBREVIATIONS[""].split(), *_GENDERS.get(language, "").split()])
    return regex.compile(
        rf"^(?:(?:{own})\b\.?(?:\s*/\s*(?:{own})\b\.?)*\s+)"
        rf"|(?:\s+(?:{own})\b\.?(?:\s*/\s*(?:{own})\b\.?)*)+$"
        rf"|(?:\s*,)?(?:\s+(?:{common})\b(?:\.|(?=\s*,|\s*$)))+$",
        regex.IGNORECASE,
    )
