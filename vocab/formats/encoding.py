"""Detect a text file's encoding: Unicode if it is, else the likelier of two code pages."""

from __future__ import annotations

import codecs
import re

from vocab.formats.rows import FormatError, Setting, message

# The choices that override the guess, by their Python names.
ENCODINGS = (
    "utf-8",
    "utf-16",
    "cp1250",
    "cp1252",
    "cp1251",
    "cp1253",
    "cp1254",
    "cp1255",
    "cp1256",
    "cp1257",
    "iso-8859-1",
    "iso-8859-2",
    "iso-8859-15",
    "cp852",
    "mac-roman",
    "shift_jis",
    "euc-kr",
    "gb18030",
    "big5",
)

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# The number of bytes used to choose a code page.
_SAMPLE = 200_000


def decode(data: bytes, encoding: str | None = None) -> tuple[str, str]:
    """Return the text without its byte-order mark, and the encoding, guessed if not given.

    Raises `FormatError` that names the first line the encoding cannot read.
    """
    encoding = (encoding or guess(data)).lower()
    if encoding not in ENCODINGS:
        raise FormatError(message("The encoding “{name}” is not supported."), name=encoding)
    name = encoding
    if encoding == "utf-16" and not data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        name = _order_of_utf16(data)
    try:
        text = data.decode(name)
    except UnicodeDecodeError as error:
        before = data[: error.start].decode(name, "replace")
        line = before.count("\n") + 1 if "\n" in before else before.count("\r") + 1
        raise FormatError(
            message("Line {line} does not match the encoding {name}. Choose another encoding."),
            line=line,
            name=encoding,
        ) from None
    return text.removeprefix("\ufeff"), encoding


def text_of(
    data: bytes | str, encoding: str | None, stated: str | None = None
) -> tuple[str, dict[str, Setting]]:
    """Return the text of a file, or what was pasted, and the settings that read a file so.

    *stated* is what a file says of itself; without it the encoding is guessed if not given.
    """
    if isinstance(data, str):
        return data.removeprefix("\ufeff"), {}
    text, encoding = decode(data, encoding or stated)
    return text, {"encoding": encoding}


def guess(data: bytes) -> str:
    """Return the encoding: by its mark, as UTF-16 by its zeros, as UTF-8 if valid, else a page."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return encoding
    start = data[:_SAMPLE]
    if start.count(0) * 4 > len(start):
        return "utf-16"
    try:
        data.decode("utf-8")
        return "utf-8"
    except UnicodeDecodeError:
        return guess_code_page(data[:_SAMPLE])


def _order_of_utf16(data: bytes) -> str:
    """Return the byte order: in most texts more high bytes than low bytes are zero."""
    return "utf-16-be" if data[0::2].count(0) > data[1::2].count(0) else "utf-16-le"


# Written as cp1252 reads them. V and C are a vowel and a consonant that both pages share, < and >
# the beginning and the end of a word.
_CLASSES = {"V": "[aeiouyáéíóúýäöüâôîë]", "C": "[bcdfghjklmnpqrstvwxzšžçß]"}


def _pattern(contexts: str) -> re.Pattern[str]:
    """Compile contexts such as `C.è.C`: the letters before, the letter, the letters after."""
    parts = []
    for context in contexts.split():
        before, letter, behind = (_CLASSES.get(part, part) for part in context.split("."))
        left = r"(?<!\w)" if before == "<" else f"(?<={before})" if before else ""
        right = r"(?!\w)" if behind == ">" else f"(?={behind})" if behind else ""
        parts.append(left + letter + right)
    return re.compile("|".join(parts))


# Signs in the Western page and letters in the Central one: ą ł ż ź ş ľ Ą Ł Ż beside a letter.
_SURELY_CENTRAL = re.compile(
    r"(?<=[^\W\d])[¹³¿ºª¾¼¥£¯](?=[^\W\d])|(?<=[^\W\d_])[¹³¿¾](?!\w)|(?<!\w)[³£¯¾](?=[^\W\d])|ÿ(?=\w)"
)
_CENTRAL = _pattern(
    r"""
    V.è.V V.è.> <.è.V C.è.V [aeou].è.C <.è.[lmrtv] V.æ.V V.æ.> <.æ.V <.æ.[mw] [ê¹œnj].æ.
    k.æ. V.ø. C.ø.V <.ø.V p.ø.> .ê.[bckdgpszjńñ¿] .ê.> i.ê.t .ñ.C .ñ.> .œ.[^ui] .ð. .þ.
    .ã.[^oe] .ã.> .õ.[^e] .õ.> [fghjkny].û. .û.[nvzrg] [^d].û.> .ù.\w .ì.\w [bmnptv].ì.>
    [aeoáéù].ò.> .ò.C <.ï. V.ï.> V.ï.[kt] C.à.C C.å.[žš]
    """
)
_WESTERN = _pattern(
    r"""
    C.è.C [bcdfghjlpqstvz].è.> <.è.> i.è.[cmrstv] é.è.C C.æ.C <.æ.[bglnr] [rtln].æ.> C.ø.C
    <.ø.C [bcdfghjklmnqrstvz].ø.> <.ø.> [bfmrtvu].ê.[tmlvrpn] <.ê.t [rmul].ê.s c.ê.> .ñ.V
    .œ.[ui] .ã.[oe] [hç].ã.> .õ.e [oasdrml].û.[trlc] [io].ù.> [sltd].ì.> [iu].ò.> C.ò.>
    [aeou].ï.[nsflrvmd] C.à.> <.à. V.à. .å. <.¿.V <.¿.[cdhpq]
    """
)


def guess_code_page(data: bytes) -> str:
    """Return "cp1250" (Central European) or "cp1252" (Western); the latter if both read alike.

    The two differ in about thirty letters. Each is judged by its neighbours: the byte that is è or
    č is between consonants in French (père) and beside a vowel in Croatian (kuča, riječ).
    """
    text = data.decode("cp1252", "replace").lower()
    # Bytes used by only one of the pages: ť and Ź, ƒ and ˆ.
    central = 3 * sum(map(data.count, (b"\x8d", b"\x8f", b"\x9d")))
    western = 3 * sum(map(data.count, (b"\x83", b"\x88", b"\x98")))
    central += 3 * len(_SURELY_CENTRAL.findall(text)) + len(_CENTRAL.findall(text))
    western += len(_WESTERN.findall(text))
    return "cp1250" if central > western else "cp1252"
