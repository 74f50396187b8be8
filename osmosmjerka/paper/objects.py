"""The objects of a PDF file (ISO 32000-1, chapter 7): written in compressed streams.

Python's values stand for PDF's: dict and list, int, float and bool, `Name` for names, str for text,
bytes for binary strings, `Ref` for references.
"""

from __future__ import annotations

import hashlib
import zlib
from dataclasses import dataclass, field
from typing import Any


class Name(str):
    """A name, without its slash."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Ref:
    """A reference to an object of the file."""

    number: int


@dataclass(frozen=True, slots=True)
class Stream:
    """Data with a dictionary. It is compressed, unless the dictionary names a filter."""

    data: bytes = field(repr=False)
    about: dict[str, Any] = field(default_factory=dict)

    def written(self) -> bytes:
        about, data = self.about, self.data
        if "Filter" not in about:
            about, data = {**about, "Filter": Name("FlateDecode")}, zlib.compress(data)
        return b"%s\nstream\n%s\nendstream" % (written({**about, "Length": len(data)}), data)


class File:
    """A PDF file under construction."""

    def __init__(self) -> None:
        self._objects: list[Any] = []

    def reserve(self) -> Ref:
        """Return the reference to an object that is set later."""
        self._objects.append(None)
        return Ref(len(self._objects))

    def set(self, ref: Ref, value: Any) -> None:
        self._objects[ref.number - 1] = value

    def add(self, value: Any) -> Ref:
        ref = self.reserve()
        self.set(ref, value)
        return ref

    def write(self, *, root: Ref, info: Ref) -> bytes:
        """Return the file. Equal objects make equal files."""
        out = bytearray(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
        numbers, packed = self._pack()
        places: list[tuple[int, int, int]] = [(0, 0, 65535)]  # of object 0, which is free
        inside = {number: index for index, number in enumerate(numbers)}
        for number, value in enumerate([*self._objects, packed], start=1):
            if number in inside:
                places.append((2, len(self._objects) + 1, inside[number]))
            else:
                places.append((1, len(out), 0))
                out += b"%d 0 obj\n%s\nendobj\n" % (number, written(value))
        start = len(out)
        places.append((1, start, 0))
        identity = hashlib.sha256(out).digest()[:16]
        table = Stream(
            b"".join(
                kind.to_bytes(1, "big") + place.to_bytes(4, "big") + index.to_bytes(2, "big")
                for kind, place, index in places
            ),
            {
                "Type": Name("XRef"),
                "Size": len(places),
                "W": [1, 4, 2],
                "Root": root,
                "Info": info,
                "ID": [identity, identity],
            },
        )
        out += b"%d 0 obj\n%s\nendobj\n" % (len(places) - 1, written(table))
        out += b"startxref\n%d\n%%%%EOF\n" % start
        return bytes(out)

    def _pack(self) -> tuple[list[int], Stream]:
        """Put all objects but streams into one; return their numbers and it."""
        numbers, index, body = [], bytearray(), bytearray()
        for number, value in enumerate(self._objects, start=1):
            if not isinstance(value, Stream):
                numbers.append(number)
                index += b"%d %d " % (number, len(body))
                body += written(value) + b"\n"
        about = {"Type": Name("ObjStm"), "N": len(numbers), "First": len(index)}
        return numbers, Stream(bytes(index + body), about)


def written(value: Any) -> bytes:
    """Return a value as PDF writes it."""
    match value:
        case Stream():
            return value.written()
        case Name():
            return b"/" + value.encode("ascii")
        case Ref():
            return b"%d 0 R" % value.number
        case bool():
            return b"true" if value else b"false"
        case int() | float():
            return number(value).encode()
        case str():
            return written(b"\xfe\xff" + value.encode("utf-16-be", "replace"))
        case bytes():
            return b"<%s>" % value.hex().encode()
        case list() | tuple():
            return b"[%s]" % b" ".join(map(written, value))
        case dict():
            pairs = (written(Name(key)) + b" " + written(each) for key, each in value.items())
            return b"<<%s>>" % b" ".join(pairs)
    raise TypeError(f"PDF has nothing for {value!r}.")


def number(value: float) -> str:
    """Return a number with at most three decimals, as PDF and its content streams write it."""
    # Adding zero turns -0.0 to 0.0.
    return f"{round(value, 3) + 0.0:.3f}".rstrip("0").rstrip(".")
