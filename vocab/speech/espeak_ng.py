"""Bindings to eSpeak NG's C library by ctypes: voices, synthesis, phonemes. A child process.

Some texts make the library overrun its buffers, which ends its process: "s's's'…" of 160 letters
does. Therefore `espeak_process` runs this file as a script and communicates over pipes; it imports
none of our modules, to start quickly. Numbers and structures are those of the library's
`speak_lib.h`, version 1.52.
"""

from __future__ import annotations

import ctypes
import json
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

import espeakng_loader

NORMAL_RATE, SLOW_RATE = 160, 95  # words per minute; the library accepts 80 to 450

_SYNCHRONOUS = 2  # espeak_Initialize: samples go to a callback, calls return when finished
_DO_NOT_EXIT = 0x8000  # espeak_Initialize: report missing data instead of ending the process
_UTF_8 = 1  # espeak_Synth: neither SSML (0x10) nor [[phonemes]] (0x100) are read as markup
_RATE = 1  # espeak_SetParameter
_MARKERS = 0  # espeak_TextToPhonemes: eSpeak's own names of phonemes, in ASCII

# The library copies the name of its data folder into a buffer of 160 bytes and appends file names.
_LONGEST_DATA_PATH = 100


class EspeakFailed(Exception):
    """The library could not be started, or reported an error.

    In this process *what* is a name, for which `espeak_process` has the sentence that *values*
    fill; out there it is the sentence.
    """

    def __init__(self, what: str, **values: str | int) -> None:
        super().__init__(what)
        self.values = values

    def answer(self) -> dict[str, Any]:
        return {"error": str(self), "values": self.values}


class _Voice(ctypes.Structure):
    _fields_ = [
        ("name", ctypes.c_char_p),
        ("languages", ctypes.c_void_p),
        ("identifier", ctypes.c_char_p),
        ("gender", ctypes.c_ubyte),
        ("age", ctypes.c_ubyte),
        ("variant", ctypes.c_ubyte),
        ("xx1", ctypes.c_ubyte),
        ("score", ctypes.c_int),
        ("spare", ctypes.c_void_p),
    ]


_Callback = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.POINTER(ctypes.c_short), ctypes.c_int, ctypes.c_void_p
)


class Library:
    """The library. It has one global state per process: create one, use it from one thread."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []
        self._room = 0
        self._was_cut = False
        self._selected: tuple[str, int] | None = None
        self._c = self._load()
        self._callback = _Callback(self._receive)  # kept: the library has only its address
        data = self._short_data_path()
        self.sample_rate = self._c.espeak_Initialize(_SYNCHRONOUS, 0, data.encode(), _DO_NOT_EXIT)
        if self.sample_rate <= 0:
            raise EspeakFailed("no voices", folder=data)
        self._c.espeak_SetSynthCallback(self._callback)

    def voices(self) -> dict[str, str]:
        """Return the best voice's identifier by language, such as {"hr": "zls/hr"}."""
        best: dict[str, tuple[int, int, str]] = {}
        listed = self._c.espeak_ListVoices(None)
        index = 0
        while listed[index]:
            voice = listed[index].contents
            index += 1
            identifier = voice.identifier.decode()
            languages = list(_languages(voice.languages))
            if not _has_dictionary(identifier, languages[0][1]):
                continue
            for priority, language in languages:
                # Among equals, the plainest: "sit/cmn" before "sit/cmn-Latn-pinyin".
                rank = (priority, len(identifier), identifier)
                best[language] = min(best.get(language, rank), rank)
        return {language: identifier for language, (_, _, identifier) in best.items()}

    def samples(self, text: str, voice: str, rate: int, max_seconds: float) -> tuple[bytes, bool]:
        """Return *text* as 16-bit mono samples, and whether they were cut at *max_seconds*."""
        encoded = text.encode() + b"\0"
        self._select(voice, rate)
        self._pieces, self._was_cut = [], False
        self._room = int(max_seconds * self.sample_rate)
        status = self._c.espeak_Synth(encoded, len(encoded), 0, 1, 0, _UTF_8, None, None)
        pieces, self._pieces = self._pieces, []
        if status != 0:
            raise EspeakFailed("error", status=status, text=text)
        return b"".join(pieces), self._was_cut

    def phonemes(self, text: str, voice: str) -> str:
        """Return the phonemes of *text* in eSpeak's notation, clauses joined by a space."""
        buffer = ctypes.create_string_buffer(text.encode() + b"\0")
        position = ctypes.c_void_p(ctypes.addressof(buffer))
        clauses = []
        self._select(voice, NORMAL_RATE)
        while position.value:
            clause = self._c.espeak_TextToPhonemes(ctypes.byref(position), _UTF_8, _MARKERS)
            clauses.append(clause.decode(errors="replace"))
        return " ".join(clauses)

    def _select(self, voice: str, rate: int) -> None:
        if self._selected == (voice, rate):
            return
        self._selected = None
        if self._c.espeak_SetVoiceByName(voice.encode()) != 0:
            raise EspeakFailed("no voice", voice=voice)
        self._c.espeak_SetParameter(_RATE, rate, 0)
        self._selected = (voice, rate)

    def _receive(self, samples: Any, count: int, _: object) -> int:
        """Receive the library's samples; return 1 to stop it."""
        if count > 0 and samples:
            self._pieces.append(ctypes.string_at(samples, 2 * min(count, self._room)))
            self._was_cut = self._was_cut or count > self._room
            self._room = max(0, self._room - count)
        return int(self._was_cut)

    def _load(self) -> ctypes.CDLL:
        try:
            c = ctypes.CDLL(espeakng_loader.get_library_path())
        except OSError as error:
            raise EspeakFailed("no library", cause=str(error)) from error
        c.espeak_ListVoices.restype = ctypes.POINTER(ctypes.POINTER(_Voice))
        c.espeak_TextToPhonemes.restype = ctypes.c_char_p
        c.espeak_Synth.argtypes = [
            ctypes.c_char_p,
            ctypes.c_size_t,
            ctypes.c_uint,
            ctypes.c_int,
            ctypes.c_uint,
            ctypes.c_uint,
            ctypes.c_void_p,
            ctypes.c_void_p,
        ]
        return c

    def _short_data_path(self) -> str:
        path = Path(espeakng_loader.get_data_path())
        if len(str(path).encode()) <= _LONGEST_DATA_PATH or sys.platform == "win32":
            return str(path)
        self._folder = tempfile.TemporaryDirectory(prefix="espeak-")
        link = Path(self._folder.name) / path.name
        link.symlink_to(path)
        return str(link)


def _languages(address: int) -> Iterator[tuple[int, str]]:
    """Read pairs of a priority byte and a null-terminated string, until a priority of zero."""
    while priority := ctypes.c_ubyte.from_address(address).value:
        name = ctypes.string_at(address + 1)
        yield priority, name.decode().lower()
        address += 1 + len(name) + 1


def _has_dictionary(identifier: str, language: str) -> bool:
    """Return whether the package has the voice's dictionary; some voices come without one."""
    data = Path(espeakng_loader.get_data_path())
    description = (data / "lang" / identifier).read_text(encoding="utf-8")
    named = re.search(r"^dictionary +(\S+)", description, re.MULTILINE)
    dictionary = named[1] if named else language.partition("-")[0]
    return (data / f"{dictionary}_dict").is_file()


def serve(requests: BinaryIO, answers: BinaryIO) -> None:
    """Answer requests, one line of JSON each, until input ends; first send the voices.

    An answer is a line of JSON; if that has "bytes", this number of bytes of samples follow.
    """
    try:
        library = Library()
    except EspeakFailed as error:
        _write(answers, error.answer())
        return
    _write(answers, {"sample_rate": library.sample_rate, "voices": library.voices()})
    for line in requests:
        request = json.loads(line)
        pcm = b""
        answer: dict[str, Any]
        try:
            if "rate" in request:
                pcm, was_cut = library.samples(**request)
                answer = {"bytes": len(pcm), "was_cut": was_cut}
            else:
                answer = {"phonemes": library.phonemes(**request)}
        except EspeakFailed as error:
            answer = error.answer()
        _write(answers, answer, pcm)


def _write(answers: BinaryIO, answer: dict[str, Any], pcm: bytes = b"") -> None:
    answers.write(json.dumps(answer).encode() + b"\n" + pcm)
    answers.flush()


if __name__ == "__main__":
    serve(sys.stdin.buffer, sys.stdout.buffer)
