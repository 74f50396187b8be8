"""Words that the glossary retired, and how to find them in what people read."""

from __future__ import annotations

import re

# Pattern of the retired word → what the glossary (docs/glossary.md) says instead.
RETIRED = {
    "en": {
        r"pupils?": "student",
        r"learners?": "student",
        r"log-ins?": "login, log in",
        r"log(?:ged|ging)?[ -]in name": "username",
        r"second steps?": "two-step verification",
        r"shown name": "display name",
        r"tries|a try|more try": "attempt",
        r"(?:the|this|each|whole|a) term|terms": "word",
        r"entry|entries": "word",
        r"(?<!container )images?(?! and compose)": "picture",
        r"audio": "sound",
        r"boards?": "grid",
        r"block ?lists?": "blocked words",
        r"tick(?:ed|s)?": "select",
        r"(?:take|takes|taken|taking|took) (?:it |them )?(?:out|back|away)": "remove, undo",
        r"anew": "again",
        r"stands": "status",
        r"eras(?:e|es|ed|ing|ure)": "delete permanently",
        r"rankings?": "leaderboard",
        r"finders?": "listen and find",
        r"dry runs?": "preview",
        r"parked": "failed",
        r"secret words?": "bonus word",
        r"(?:not|was|words?|is) met": "seen",
        r"(?:un)?pinned|banned": "included, excluded",
        r"leads? nowhere": "no longer works",
        r"spare codes?": "backup code",
        r"short review": "quick review",
        r"just play": "play for fun",
        r"make (?:a|the) (?:list|class|puzzle|crossword)": "create",
        r"give (?:it|them) to": "assign",
    },
    "hr": {
        r"natuknic\w*": "riječ, opis",
        r"pojavilo se": "viđeno",
        r"drug\w+ korak\w* prijave": "prijava u dva koraka",
        r"poj(?:am|ma|mu|mom|mova|movi|move)": "riječ",
        r"nagovještaj\w*": "pomoć",
        r"propušten[oaeih]\w*|promašen\w*": "pogrešno, netočno",
        r"[Rr]eci|[Rr]etci": "redci",
    },
    "pl": {
        r"przezwisk\w*": "pseudonim",
        r"plansz\w*": "siatka",
        r"drug\w+ kro\w+ logowania": "weryfikacja dwuetapowa",
        r"szukani[aeu]\w*": "wyszukiwanie",
        r"diagram\w*": "siatka",
        r"skoroszy\w+": "arkusz",
    },
    "de": {
        r"Nutzername\w*": "Benutzername",
        r"Learner\w*": "Schüler",
        r"Puzzles?": "Rätsel",
        r"aufgeben": "zuweisen",
        r"verfehlt\w*": "nicht gewusst",
    },
    "ar": {r"قوبلت": "سبقت رؤيتها", r"فائتة": "أخطأت فيها", r"مربعات?": "خانة"},
}

_PATTERNS = {
    language: re.compile(rf"(?<![\w/.-])(?:{'|'.join(words)})(?![\w/-])", re.IGNORECASE)
    for language, words in RETIRED.items()
    if words
}


def retired_in(text: str, language: str) -> list[str]:
    """Return the retired words that *text* holds."""
    pattern = _PATTERNS.get(language)
    return [found[0] for found in pattern.finditer(text)] if pattern else []
