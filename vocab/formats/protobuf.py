"""Decode protocol buffers as far as Anki's packages need: a message's fields, in order."""

from __future__ import annotations

from collections.abc import Iterator


def fields(data: bytes) -> Iterator[tuple[int, int | bytes]]:
    """Yield each field's (number, value); raise ValueError if *data* is cut off or damaged.

    A value is an int, or the bytes of a text or a nested message; the encoding does not tell which
    (protobuf.dev, "Encoding").
    """
    place = 0
    while place < len(data):
        key, place = _varint(data, place)
        number, wire = key >> 3, key & 7
        value: int | bytes
        if wire == 0:
            value, place = _varint(data, place)
        else:
            if wire == 2:
                size, place = _varint(data, place)
            elif wire in (1, 5):
                size = 8 if wire == 1 else 4
            else:
                raise ValueError(f"unknown wire type {wire}")
            value = data[place : place + size]
            if len(value) != size:
                raise ValueError("a field is cut off")
            place += size
        yield number, value


def _varint(data: bytes, place: int) -> tuple[int, int]:
    value = shift = 0
    while shift < 70:
        if place >= len(data):
            raise ValueError("a number is cut off")
        byte = data[place]
        place += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, place
        shift += 7
    raise ValueError("a number is too long")
