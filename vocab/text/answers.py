"""What is right as a typed answer to a term of a schoolbook, and how an answer relates to it.

A term says in several short ways what is right. Besides its playing forms (`vocab.text.playing`):

- both genders: “el/la profesor/a” is “el profesor” and “la profesora”, “Student/in” is “Student”
  and “Studentin”;
- the other article of the gender: “ein Hund” for “der Hund”, “l'œuf” for “un œuf”;
- abbreviations in full: “jemanden fragen” for “jdn. fragen”;
- the reading of kanji: “ねこ” for “猫（ねこ）”.

Several alternatives may be typed at once, if all of them are right.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from functools import lru_cache

import regex

from vocab.text.comparison import Accents, Comparison, compare
from vocab.text.languages import primary
from vocab.text.normal import match_key, normal_form
from vocab.text.playing import articles_of, is_in_short, playing_forms
from vocab.text.readings import reading_of

# The articles of each gender and number, separated by "|".
_GENDERS: dict[str, str] = {
    "ca": "el un l'|la una l'|els uns|les unes",
    "cy": "y yr",
    "da": "en den|et det",
    "de": "der ein|die eine|das ein|den einen|dem einem|des eines",
    "el": "ο ένας|η μία μια|το ένα",
    "en": "the a an",
    "es": "el un|la una|los unos|las unas",
    "fr": "le un du l' de_l'|la une de_la l' de_l'|les des",
    "gl": "o un|a unha|os uns|as unhas",
    "hu": "a az egy",
    "it": "il un|lo un uno l'|la una un' l'|i dei|gli degli|le delle",
    "nb": "en den|ei den|et det",
    "nl": "de een|het een 't",
    "nn": "ein den|ei den|eit det",
    "no": "en den|ei den|et det",
    "pt": "o um|a uma|os uns|as umas",
    "sv": "en den|ett det",
}
# Abbreviations of schoolbooks in full; several full forms are separated by "|".
_IN_FULL: dict[str, dict[str, str]] = {
    "de": {
        **dict.fromkeys(["jdn", "jmdn", "jn"], "jemanden"),
        **dict.fromkeys(["jdm", "jmdm", "jm"], "jemandem"),
        **dict.fromkeys(["jds", "jmds"], "jemandes"),
        **dict.fromkeys(["jd", "jmd"], "jemand"),
        "etw": "etwas",
    },
    "en": {
        **dict.fromkeys(["sb", "smb"], "somebody|someone"),
        **dict.fromkeys(["sth", "smth"], "something"),
    },
    "es": {"algn": "alguien", "alg": "algo|alguien"},
    "fr": {
        **dict.fromkeys(["qn", "qqn"], "quelqu'un"),
        **dict.fromkeys(["qc", "qch", "qqch"], "quelque chose"),
    },
    "it": {**dict.fromkeys(["qn", "qcn"], "qualcuno"), **dict.fromkeys(["qc", "qcs"], "qualcosa")},
    "nl": {"iem": "iemand"},
    "pt": {"alg": "alguém|algo"},
}
_WORD = regex.compile(r"\b(\p{L}+)\b\.?")
# Where an ending after a comma is the feminine; elsewhere it is a plural.
_COMMA_IS_GENDER = frozenset(["ca", "es", "fr", "gl", "it", "pt"])
_PLURALS = frozenset(["s", "x", "es", "aux", "eaux", "i", "ões", "ães", "ais", "éis", "óis"])
_GERMAN_FEMININE = frozenset(["in", "innen"])
_VOWELS = "aeiouyáéíóúàèìòùâêîôûäöåαεηιουωάέήίόύώаеиоуыэюяі"
# Which articles lose their vowel before another one (and before a silent h).
_ELIDED = frozenset(["de_la", "du", "el", "la", "le", "lo"])
_BEGINS_WITH_VOWEL = regex.compile(rf"[{_VOWELS}ëïœæ]", regex.I)
_ELIDES = regex.compile(rf"[{_VOWELS}ëïœæh]", regex.I)


@lru_cache(maxsize=4096)
def right_answers(term: str, language: str, rules: frozenset[str]) -> tuple[str, ...]:
    """Return all right answers to *term*, the played form first.

    *language* is a BCP-47 tag, *rules* are those of `vocab.text.playing`. Where the articles are
    not played, an answer may have them or not.
    """
    found = dict.fromkeys(playing_forms(term, language, rules))
    for one in (term, *_in_full(term, language)):
        for form in (one, *_of_both_genders(one, language)):
            found |= dict.fromkeys(playing_forms(form, language, rules))
            for whole in playing_forms(form, language, rules - {"articles"}):
                found[whole] = None
                found |= dict.fromkeys(_with_other_articles(whole, language))
    if _placeholders(term, language):
        found[normal_form(term)] = None
    if reading := reading_of(term):
        found[reading] = None
    # A whole term may be typed, but its notes are no letters: “Hunde” is not “Hund, -e”.
    return tuple(
        found | dict.fromkeys(playing_forms(term, language, rules & {"notes", "alternatives"}))
    )


def compare_answer(
    term: str,
    typed: str,
    *,
    language: str,
    rules: Collection[str] = (),
    others: Collection[str] = (),
    accents: Accents = "strict",
    digraphs: bool = True,
) -> Comparison:
    """Compare a typed answer with the right answer to *term* that is nearest to it.

    *others* are further right answers. Where articles are played, an answer is right without one,
    but is told so (`is_article_slip`); with an article of another gender, it is almost right.
    """
    if match_key(term, language) == match_key(typed, language):
        return compare(term, term, language=language, digraphs=digraphs)
    rules, typed = frozenset(rules), normal_form(typed)
    forms = tuple(dict.fromkeys((*others, *right_answers(term, language, rules))))

    def closest(given: str, among: Collection[str] = forms) -> Comparison:
        found = (
            compare(form, given, language=language, accents=accents, digraphs=digraphs)
            for form in among
        )
        return max(found, key=closeness)

    best = closest(typed)
    if closeness(best) == _RIGHT:
        return best
    parts = playing_forms(typed, language, (rules | {"brackets", "notes"}) - {"articles"})
    names_another = _placeholders(typed, language) - _placeholders(term, language)
    if parts != (typed,) and not (_placeholders(term, language) and names_another):
        best = max(best, min(map(closest, parts), key=closeness), key=closeness)
    if best.is_right:
        return best
    given_article, given_noun = articles_of(typed, language)
    without = closest(given_noun, [articles_of(form, language)[1] for form in forms])
    if not without.is_right:
        return best
    if not any(articles_of(form, language)[0] for form in forms):
        return without
    if given_article:
        return replace(best, is_near_miss=True, is_article_slip=True)
    return replace(without, is_article_slip=True)


def closeness(comparison: Comparison) -> tuple[bool, ...]:
    """Return a key that is the greater, the closer the answer is to the word."""
    return (
        comparison.is_right and not comparison.is_accent_slip,
        comparison.is_right,
        comparison.is_accent_slip,
        comparison.is_one_letter_off,
        comparison.is_near_miss,
    )


_RIGHT = (True, True, False, False, False)


def _in_full(term: str, language: str) -> Iterator[str]:
    """Yield *term* with its abbreviations in full, once for each of the full forms."""
    known = _IN_FULL.get(primary(language), {})
    found = _placeholders(term, language)
    for number in range(max((len(known[one].split("|")) for one in found), default=0)):

        def full(word: regex.Match[str], number: int = number) -> str:
            forms = known.get(word[1].casefold(), word[0]).split("|")
            return forms[min(number, len(forms) - 1)]

        yield _WORD.sub(full, term)


def _placeholders(text: str, language: str) -> set[str]:
    """Return the abbreviations by which *text* says somebody or something."""
    known = _IN_FULL.get(primary(language), {})
    return known.keys() & {word[1].casefold() for word in _WORD.finditer(text)}


def _of_both_genders(term: str, language: str) -> list[str]:
    """Return what a term with two articles or a second ending stands for, the masculine first."""
    written, noun = articles_of(term, language)
    articles = [one for one in regex.split(r"\s*[/,]\s*", written.strip()) if one]
    found = _ENDING_OF_GENDER.fullmatch(noun)
    if found is None or not _is_feminine(found, primary(language)):
        return [f"{article} {noun}" for article in articles] if len(articles) > 1 else []
    masculine, feminine = found["word"], list(_feminines(found["word"], found["ending"]))
    if len(articles) == 1:
        ways = [f"{articles[0]} {masculine}"]
        all_articles = _GENDERS.get(primary(language), "").replace("|", " ").split()
        return ways + [f"{article} {form}" for article in all_articles for form in feminine]
    if articles:
        return [f"{articles[0]} {masculine}", *(f"{articles[1]} {form}" for form in feminine)]
    return [masculine, *feminine]


_ENDING_OF_GENDER = regex.compile(
    r"(?P<word>[\p{L}\p{M}]{3,})\s?"
    r"(?:(?P<by>/|,\s*(?=[-–‑])|\((?=[^)]*\)$))(?P<dash>[-–‑]?)(?P<ending>[\p{L}\p{M}]{1,6})\)?)"
)


def _is_feminine(found: regex.Match[str], language: str) -> bool:
    if is_in_short(found["ending"], found["word"]):
        return False
    if language == "de":
        return found["ending"].casefold() in _GERMAN_FEMININE
    if found["by"].startswith(","):
        return language in _COMMA_IS_GENDER and found["ending"].casefold() not in _PLURALS
    return bool(found["dash"]) or len(found["ending"]) <= 2


def _feminines(word: str, ending: str) -> Iterator[str]:
    """Yield the ways in which an ending may go with a word; only one of them is a word at all."""
    yield word + ending
    if word[-1] in _VOWELS:
        yield word[:-1] + ending
    elif len(ending) < 3:
        yield word[:-2] + ending  # μεγάλος/-η, novus/-a
    # heureux, -euse; acteur, -trice
    at = word.rfind(ending[0], max(1, len(word) - 4))
    if len(ending) > 2 and at > 0:
        yield word[:at] + ending


def _with_other_articles(form: str, language: str) -> Iterator[str]:
    """Yield *form* with the other articles of its gender."""
    written, noun = articles_of(form, language)
    article = written.strip().casefold().replace("’", "'").replace(" ", "_")
    for group in _GENDERS.get(primary(language), "").split("|"):
        for other in group.split() if article in group.split() else ():
            if other.endswith("'"):
                if _ELIDES.match(noun):
                    yield f"{other.replace('_', ' ')}{noun}"
            elif not ("'" in group and other in _ELIDED and _BEGINS_WITH_VOWEL.match(noun)):
                yield f"{other.replace('_', ' ')} {noun}"
