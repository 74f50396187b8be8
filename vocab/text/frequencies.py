"""Letter frequencies, so that the filling of a grid looks like the language."""

from __future__ import annotations

from functools import lru_cache
from types import MappingProxyType

from vocab.text.alphabets import alphabet, table_key

# Per ten thousand letters of running text. English, French, German, Spanish, Portuguese, Italian,
# Dutch and Swedish: Wikipedia, "Letter frequency", and the corpora it names. Russian: the Russian
# National Corpus, after Lyashevskaya and Sharov's frequency dictionary (2009).
_IN_TEXT: dict[str, str] = {
    "de": (
        "A651 B189 C306 D508 E1740 F166 G301 H476 I755 J27 K121 L344 M253 N978 O251 P79 Q2 R700 "
        "S727 T615 U435 V67 W189 X3 Y4 Z113 Ä58 Ö44 Ü100 ẞ31"
    ),
    "en": (
        "A820 B150 C280 D430 E1270 F220 G200 H610 I700 J15 K77 L400 M240 N670 O750 P190 Q10 R600 "
        "S630 T910 U280 V98 W240 X15 Y200 Z7"
    ),
    "es": (
        "A1253 B142 C468 D586 E1368 F69 G101 H70 I625 J44 K1 L497 M315 N671 Ñ31 O868 P251 Q88 "
        "R687 S798 T463 U393 V90 W2 X22 Y90 Z52"
    ),
    "fr": (
        "A764 B90 C326 D367 E1472 F107 G87 H74 I753 J55 K5 L546 M297 N710 O538 P302 Q136 R655 "
        "S795 T724 U631 V163 W11 X39 Y31 Z14"
    ),
    "it": (
        "A1174 B92 C450 D373 E1179 F95 G164 H154 I1128 L651 M251 N688 O983 P305 Q51 R637 S498 "
        "T562 U301 V210 Z49"
    ),
    "nl": (
        "A749 B158 C124 D593 E1891 F81 G340 H238 I650 J146 K225 L357 M221 N1003 O606 P157 Q1 R641 "
        "S373 T679 U199 V285 W152 X4 Y4 Z139"
    ),
    "pt": (
        "A1463 B104 C388 D499 E1257 F102 G130 H128 I618 J40 K2 L278 M474 N505 O1073 P252 Q120 "
        "R653 S781 T474 U463 V167 W1 X21 Y1 Z47"
    ),
    "ru": (
        "А801 Б159 В454 Г170 Д298 Е845 Ё4 Ж94 З165 И735 Й121 К349 Л440 М321 Н670 О1097 П281 Р473 "
        "С547 Т626 У262 Ф26 Х97 Ц48 Ч144 Ш73 Щ36 Ъ4 Ы190 Ь174 Э32 Ю64 Я201"
    ),
    "sv": (
        "A930 B130 C130 D450 E990 F200 G330 H210 I510 J70 K320 L520 M350 N880 O410 P170 Q1 R830 "
        "S630 T870 U180 V240 W3 X10 Y60 Z2 Å160 Ä210 Ö150"
    ),
}

# Tiles in the bag of the language's edition of Scrabble: Wikipedia, "Scrabble letter
# distributions". They follow the language's words, with the rarest letters rounded up.
_CROATIAN_BAG = (
    "A11 B1 C1 Č1 Ć1 D3 DŽ1 Đ1 E9 F1 G2 H1 I10 J4 K3 L2 LJ1 M3 N6 NJ1 O9 P3 R5 S5 Š1 T5 U4 V3 Z2 Ž1"
)
_IN_A_BAG: dict[str, str] = {
    "bg": (
        "А9 Б3 В4 Г3 Д4 Е8 Ж2 З2 И8 Й1 К3 Л3 М4 Н4 О9 П4 Р4 С4 Т5 У3 Ф1 Х1 Ц1 Ч2 Ш1 Щ1 Ъ2 Ь1 Ю1 Я2"
    ),
    "bs": _CROATIAN_BAG,
    "cnr": _CROATIAN_BAG,
    "cs": (
        "A5 Á2 B2 C3 Č1 D3 Ď1 E5 É2 Ě2 F1 G1 H3 I4 Í3 J2 K3 L3 M3 N5 Ň1 O6 Ó1 P3 R3 Ř2 S4 Š2 "
        "T4 Ť1 U3 Ú1 Ů1 V4 X1 Y2 Ý2 Z2 Ž1"
    ),
    "cy": (
        "A10 B2 C2 CH1 D6 DD4 E8 F3 FF2 G3 NG1 H2 I7 J1 L3 LL1 M2 N8 O6 P1 R7 RH1 S3 T2 TH2 U3 "
        "W5 Y7"
    ),
    "da": ("A7 B4 C2 D5 E9 F3 G3 H2 I4 J2 K4 L5 M3 N6 O5 P2 R6 S5 T5 U3 V3 X1 Y2 Z1 Æ2 Ø2 Å2"),
    "el": "Α12 Β1 Γ2 Δ2 Ε8 Ζ1 Η7 Θ1 Ι8 Κ4 Λ3 Μ3 Ν6 Ξ1 Ο9 Π4 Ρ5 Σ7 Τ8 Υ4 Φ1 Χ1 Ψ1 Ω3",
    "fi": "A10 B1 C1 D1 E8 F1 G1 H2 I10 J2 K5 L5 M3 N9 O5 P2 R2 S7 T9 U4 V2 Y2 Ä5 Ö1",
    "hr": _CROATIAN_BAG,
    "hu": (
        "A6 Á4 B3 C1 CS1 D3 E6 É3 F2 G3 GY2 H2 I3 Í1 J2 K6 L4 LY1 M3 N4 NY1 O3 Ó3 Ö2 Ő1 P2 R4 "
        "S3 SZ2 T5 TY1 U2 Ú1 Ü2 Ű1 V2 Z2 ZS1"
    ),
    "nb": "A7 B3 C1 D5 E9 F4 G4 H3 I5 J2 K4 L5 M3 N6 O4 P2 R6 S6 T6 U3 V3 W1 Y1 Æ1 Ø2 Å2",
    "pl": (
        "A9 Ą1 B2 C3 Ć1 D3 E7 Ę1 F1 G2 H2 I8 J2 K3 L3 Ł2 M3 N5 Ń1 O6 Ó1 P3 R4 S4 Ś1 T3 U2 W4 Y4 "
        "Z5 Ź1 Ż1"
    ),
    "sk": (
        "A9 Á1 Ä1 B2 C1 Č1 D3 Ď1 E8 É1 F1 G1 H1 I5 Í1 J2 K3 L3 Ĺ1 Ľ1 M4 N5 Ň1 O9 Ó1 Ô1 P3 R4 Ŕ1 "
        "S4 Š1 T4 Ť1 U2 Ú1 V4 X1 Y1 Ý1 Z1 Ž1"
    ),
    "sl": "A10 B2 C1 Č1 D4 E11 F1 G2 H1 I9 J4 K3 L4 M2 N7 O8 P2 R6 S6 Š1 T4 U2 V4 Z2 Ž1",
    # Croatian's, letter for letter: the two alphabets spell the same sounds.
    "sr": (
        "А11 Б1 Ц1 Ч1 Ћ1 Д3 Џ1 Ђ1 Е9 Ф1 Г2 Х1 И10 Ј4 К3 Л2 Љ1 М3 Н6 Њ1 О9 П3 Р5 С5 Ш1 Т5 У4 "
        "В3 З2 Ж1"
    ),
    "sr-Latn": _CROATIAN_BAG,
    "tr": (
        "A12 B2 C2 Ç2 D2 E8 F1 G1 Ğ1 H1 I4 İ7 J1 K7 L7 M4 N5 O3 Ö1 P1 R6 S3 Ş2 T5 U3 Ü2 V1 Y2 Z2"
    ),
}


def letter_weights(language: str | None) -> dict[str, float] | None:
    """Return the share of each tile of the alphabet, summing to 1; None if not known.

    Letters that the source does not count get half the share of its rarest letter. The sources are
    named beside the tables: running text if figures are available, else the bags of Scrabble.
    """
    weights = _shares(table_key(language) or "")
    return dict(weights) if weights else None


@lru_cache(maxsize=64)
def _shares(key: str) -> MappingProxyType[str, float] | None:
    table = _IN_TEXT.get(key) or _IN_A_BAG.get(key)
    if not table:
        return None
    counts = {entry.rstrip("0123456789"): entry for entry in table.split()}
    known = {tile: float(entry[len(tile) :]) for tile, entry in counts.items()}
    rare = min(known.values()) / 2
    known |= {tile: rare for tile in alphabet(key) if tile not in known}
    total = sum(known.values())
    return MappingProxyType({tile: count / total for tile, count in known.items()})
