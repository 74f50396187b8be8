"""The secrets printed on login cards, and the keyed hashes that recognise them.

A token has 160 random bits, so a fast hash is enough: nobody guesses it, and a slow hash would keep
a class waiting at nine o'clock. Words (32 bits) and pictures (16 bits) are short enough for young
students and are therefore valid only with a name, protected by accounts.auth.lockout.
"""

from __future__ import annotations

import secrets
import unicodedata
from collections.abc import Container
from functools import cache
from pathlib import Path

from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _

# The pictures that the youngest students tap, and their names for screen readers.
PICTURES = {
    # Translators: the names of the pictures that a child taps to log in.
    "apple": _("apple"), "ball": _("ball"), "bell": _("bell"), "boat": _("boat"),
    "cloud": _("cloud"), "cup": _("cup"), "fish": _("fish"), "flag": _("flag"),
    "flower": _("flower"), "heart": _("heart"), "house": _("house"), "kite": _("kite"),
    "moon": _("moon"), "star": _("star"), "sun": _("sun"), "tree": _("tree"),
}  # fmt: skip
PICTURES_A_CARD = 4
WORDS_A_CARD = 4

# For each language 256 short, concrete words that are mostly spelled as they sound.
WORDS_IN = {
    path.stem: tuple(path.read_text(encoding="utf-8").split())
    for path in sorted((Path(__file__).parent / "card_words").glob("*.txt"))
}


# Unicode treats ø, ł and đ as separate letters; Arabic and Persian use different code points for
# some of the same letters.
_ALIKE = str.maketrans({
    "ł": "l", "đ": "d", "ð": "d", "ø": "o", "ħ": "h", "æ": "ae", "œ": "oe", "ı": "i",
    "ة": "ه", "ى": "ي", "ی": "ي", "ک": "ك", "ء": "", "ـ": "",
})  # fmt: skip


def new_token() -> str:
    """Return 160 random bits, for a QR code or a link."""
    return secrets.token_urlsafe(20)


def new_words(language: str = "en") -> str:
    """Return four words, 32 bits, in *language* if there are words for it, else in English."""
    words = WORDS_IN.get(language, WORDS_IN["en"])
    return " ".join(secrets.choice(words) for _index in range(WORDS_A_CARD))


def new_pictures() -> tuple[str, ...]:
    """Return four names of pictures, 16 bits."""
    return tuple(secrets.choice(list(PICTURES)) for _index in range(PICTURES_A_CARD))


def new_username(language: str = "en") -> str:
    """Return a username, made of words in *language*, that reveals nothing about its owner.

    It can be typed on any keyboard: words lose their accents, and are English if the language uses
    another script.
    """
    words = _typed_words(language) or _typed_words("en")
    one, other = secrets.choice(words), secrets.choice(words)
    return f"{one}-{other}-{secrets.randbelow(9000) + 1000}"


def not_on_cards(words: str) -> list[str]:
    """Return what was typed that is a word of no card, in any language: it is misspelled.

    It is empty unless there are as many words as on a card, since words may be typed without
    spaces. The words of cards are public, so this tells nothing about anybody's card.
    """
    typed = words.split()
    if len(typed) != WORDS_A_CARD:
        return []
    return [word for word in typed if folded(word) not in _all_words()]


@cache
def _all_words() -> frozenset[str]:
    return frozenset(folded(word) for words in WORDS_IN.values() for word in words)


@cache
def _typed_words(language: str) -> tuple[str, ...]:
    words = map(folded, WORDS_IN.get(language, ()))
    return tuple(word for word in words if word.isascii())


def visible(name: str) -> str:
    """Return a display name without invisible characters and without direction overrides.

    Joiners stay: in some scripts they are part of the spelling, and they hold emoji together.
    """
    seen = (
        letter
        for letter in name
        if letter in "\u200c\u200d" or unicodedata.category(letter) not in {"Cc", "Cf", "Cs"}
    )
    return "".join(seen).strip()


def folded(text: str) -> str:
    """Return a typed name or code without case, spaces and accents, which are easy to get wrong.

    Letters that a keyboard lacks, or that are often confused, count as the same.
    """
    plain = unicodedata.normalize("NFKD", text.casefold()).translate(_ALIKE)
    return "".join(letter for letter in plain if letter.isalnum())


def free_name(name: str, taken: Container[str]) -> str:
    """Return a student's display name, with a number behind it if its folded text is *taken*."""
    shown, number = name, 2
    while folded(shown) in taken:
        shown = f"{name[:75]} {number}"
        number += 1
    return shown


def keyed_hash(purpose: str, secret: str) -> str:
    """Return the hash that is stored for *secret*; guessing needs the site's key."""
    return salted_hmac(f"osmosmjerka.{purpose}", secret, algorithm="sha256").hexdigest()


def name_on_device(person_pk: int) -> str:
    """Return an id that pages store with a person's data, so as not to send it as another's."""
    return keyed_hash("device", str(person_pk))[:32]


def hash_of_token(token: str) -> str:
    return keyed_hash("card.token", token)


def hash_of_words(person_pk: int, words: str) -> str:
    return keyed_hash("card.words", f"{person_pk}:{folded(words)}")


def hash_of_pictures(person_pk: int, pictures: tuple[str, ...]) -> str:
    return keyed_hash("card.pictures", f"{person_pk}:{','.join(pictures)}")
