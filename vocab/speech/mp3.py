"""MP3: encode samples, check that bytes are whole frames, hide their size."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import lameenc

from vocab.message import message
from vocab.speech.engine import NotASound

BITRATE = 48  # kbit/s; mono speech needs no more

# ISO/IEC 11172-3 and 13818-3, layer III: kbit/s by the header's index, and samples per second.
_KBITS_MPEG1 = (0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320)
_KBITS_MPEG2 = (0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160)
_RATES = {3: (44100, 48000, 32000), 2: (22050, 24000, 16000), 0: (11025, 12000, 8000)}
_LAYER_III = 1

_PADDING_OWNER = b"osmosmjerka\0"


@dataclass(frozen=True, slots=True)
class Frames:
    """The audio of an MP3 without its tags, and its length."""

    data: bytes
    seconds: float


def encoded(pcm: bytes, sample_rate: int, *, output_rate: int | None = None) -> bytes:
    """Return little-endian 16-bit mono samples as an MP3.

    They are at *sample_rate* Hz, and resampled to *output_rate* if it is given.
    """
    lame: Any = lameenc.Encoder()
    lame.silence()
    lame.set_channels(1)
    lame.set_in_sample_rate(sample_rate)
    if output_rate is not None:
        lame.set_out_sample_rate(output_rate)
    lame.set_bit_rate(BITRATE)
    lame.set_quality(5)
    return bytes(lame.encode(pcm) + lame.flush())


def checked(data: bytes) -> Frames:
    """Return the frames of *data*, which must be whole layer-III frames from end to end.

    ID3 tags at either end are dropped. Raises NotASound for anything else: a page of HTML, no
    bytes, a file that ends within a frame.
    """
    start = _behind_id3v2(data)
    end = len(data) - 128 if data[-128:].startswith(b"TAG") else len(data)
    position, seconds = start, 0.0
    while position < end:
        length, duration = _frame(data, position)
        if position + length > end:
            raise NotASound(message("The MP3 file is incomplete."))
        position += length
        seconds += duration
    if seconds == 0:
        raise NotASound(message("The MP3 file is empty."))
    return Frames(data[start:end], seconds)


def padded(mp3: bytes, block: int) -> bytes:
    """Return *mp3* padded to a multiple of *block* bytes, so that its size reveals little.

    The padding is a private frame (PRIV) in an ID3v2.4 tag, which players skip. Raises NotASound if
    *mp3* is not an MP3.
    """
    frames = checked(mp3).data
    tag_header, frame_header = 10, 10
    fixed = tag_header + frame_header + len(_PADDING_OWNER)
    filling = -(fixed + len(frames)) % block
    body = _PADDING_OWNER + bytes(filling)
    frame = b"PRIV" + _syncsafe(len(body)) + b"\0\0" + body
    return b"ID3\x04\0\0" + _syncsafe(len(frame)) + frame + frames


def _frame(data: bytes, position: int) -> tuple[int, float]:
    """Return the length in bytes and in seconds of the frame at *position*."""
    header = int.from_bytes(data[position : position + 4].ljust(4, b"\0"))
    version, layer = header >> 19 & 3, header >> 17 & 3
    bitrate_index, rate_index = header >> 12 & 15, header >> 10 & 3
    is_frame = header >> 21 == 0x7FF and version in _RATES and layer == _LAYER_III
    if not is_frame or bitrate_index in (0, 15) or rate_index == 3:
        raise NotASound(
            message("This is not a valid MP3 file (error at byte {position}).", position=position)
        )
    rate = _RATES[version][rate_index]
    samples = 1152 if version == 3 else 576
    kbits = (_KBITS_MPEG1 if version == 3 else _KBITS_MPEG2)[bitrate_index]
    has_padding_byte = header >> 9 & 1
    return samples // 8 * kbits * 1000 // rate + has_padding_byte, samples / rate


def _behind_id3v2(data: bytes) -> int:
    if not data.startswith(b"ID3") or len(data) < 10:
        return 0
    size = 0
    for byte in data[6:10]:
        size = size << 7 | byte & 0x7F
    return min(10 + size, len(data))


def _syncsafe(number: int) -> bytes:
    """Return *number* in the four 7-bit bytes that ID3v2 uses for sizes."""
    return bytes(number >> shift & 0x7F for shift in (21, 14, 7, 0))
