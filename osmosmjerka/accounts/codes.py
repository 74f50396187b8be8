"""What is printed on a login card, and the keyed hashes by which it is known again.

A token has 160 random bits, so a fast hash is enough: nobody guesses it, and a slow hash would
keep a class waiting at nine o'clock. Words (32 bits) and pictures (16 bits) are short enough for
children and therefore only good together with a name, under the lock of accounts.auth.lockout.
"""

from __future__ import annotations

import secrets
import unicodedata
from functools import cache
from pathlib import Path

from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _

# What is tapped by the youngest, and what a screen reader calls it.
PICTURES = {
    # Translators: the names of the pictures that a child taps to log in.
    "apple": _("apple"), "ball": _("ball"), "bell": _("bell"), "boat": _("boat"),
    "cloud": _("cloud"), "cup": _("cup"), "fish": _("fish"), "flag": _("flag"),
    "flower": _("flower"), "heart": _("heart"), "house": _("house"), "kite": _("kite"),
    "moon": _("moon"), "star": _("star"), "sun": _("sun"), "tree": _("tree"),
}  # fmt: skip
PICTURES_A_CARD = 4
WORDS_A_CARD = 4

# In each language 256 short, concrete words that are spelled as they sound, more or less.
WORDS_IN = {
    path.stem: tuple(path.read_text(encoding="utf-8").split())
    for path in sorted((Path(__file__).parent / "card_words").glob("*.txt"))
}


# ø, ł and đ are letters of their own to Unicode; Arabic and Persian have some of each other's.
_ALIKE = str.maketrans({
    "ł": "l", "đ": "d", "ð": "d", "ø": "o", "ħ": "h", "æ": "ae", "œ": "oe", "ı": "i",
    "ة": "ه", "ى": "ي", "ی": "ي", "ک": "ك", "ء": "", "ـ": "",
})  # fmt: skip


def new_token() -> str:
    """Return 160 random bits, for a QR code or a link."""
    return secrets.token_urlsafe(20)


def new_words(language: str = "en") -> str:
    """Return four words, 32 bits, in the language that a child types; in English for others."""
    words = WORDS_IN.get(language, WORDS_IN["en"])
    return " ".join(secrets.choice(words) for _index in range(WORDS_A_CARD))


def new_pictures() -> tuple[str, ...]:
    """Return four names of pictures, 16 bits."""
    return tuple(secrets.choice(list(PICTURES)) for _index in range(PICTURES_A_CARD))


def new_username(language: str = "en") -> str:
    """Return a username that tells nothing of who has it, of words in *language*.

    It is typed on any keyboard: words lose their marks, and are English where the language has
    other letters.
    """
    words = _typed_words(language) or _typed_words("en")
    one, other = secrets.choice(words), secrets.choice(words)
    return f"{one}-{other}-{secrets.randbelow(9000) + 1000}"


@cache
def _typed_words(language: str) -> tuple[str, ...]:
    words = map(folded, WORDS_IN.get(language, ()))
    return tuple(word for word in words if word.isascii())


def visible(name: str) -> str:
    """Return a shown name without what nobody sees and what turns the text beside it around.

    Joiners stay: they are spelling in some scripts, and hold emoji together.
    """
    seen = (
        letter
        for letter in name
        if letter in "\u200c\u200d" or unicodedata.category(letter) not in {"Cc", "Cf", "Cs"}
    )
    return "".join(seen).strip()


def folded(text: str) -> str:
    """Return a typed name or code without what a child may get wrong: case, spaces, marks.

    Letters that a keyboard lacks, or that are often taken for each other, count as one.
    """
    plain = unicodedata.normalize("NFKD", text.casefold()).translate(_ALIKE)
    return "".join(letter for letter in plain if letter.isalnum())


def keyed_hash(purpose: str, secret: str) -> str:
    """Return the hash under which *secret* is stored; without the site's key it cannot be tried."""
    return salted_hmac(f"osmosmjerka.{purpose}", secret, algorithm="sha256").hexdigest()


def name_on_device(person_pk: int) -> str:
    """Return by what a page tells whose it is, so that nothing of it is sent as somebody else."""
    return keyed_hash("device", str(person_pk))[:32]


def hash_of_token(token: str) -> str:
    return keyed_hash("card.token", token)


def hash_of_words(person_pk: int, words: str) -> str:
    return keyed_hash("card.words", f"{person_pk}:{folded(words)}")


def hash_of_pictures(person_pk: int, pictures: tuple[str, ...]) -> str:
    return keyed_hash("card.pictures", f"{person_pk}:{','.join(pictures)}")
