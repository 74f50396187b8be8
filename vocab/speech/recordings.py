"""A teacher's own recording: checked, decoded within limits, encoded again.

Only our own MP3 is stored: no tags, no pictures, nothing that could harm a decoder. This is the
only module that imports libsndfile (soundfile).
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from vocab.message import message, messages
from vocab.speech import mp3
from vocab.speech.engine import NotASound, Sound

if TYPE_CHECKING:
    import soundfile

MAX_BYTES = 5 * 1024 * 1024
MAX_SECONDS = 15.0
MIN_SECONDS = 0.1
OUTPUT_RATE = 24_000  # Hz, like Google's

# libsndfile reads dozens of formats; these are the ones that people record in.
_FORMATS = {"WAV", "WAVEX", "RF64", "MP3", "OGG", "FLAC"}
_BLOCK = 16_384  # samples decoded at a time
_MAX_CHANNELS = 8
_RATES = range(8_000, 192_001)


def recorded_sound(data: bytes) -> Sound:
    """Return an uploaded WAV, MP3, Ogg (Vorbis or Opus) or FLAC as a checked mono MP3.

    Raises NotASound, with a sentence for people, if it is something else, too large, too long,
    too short or silent.
    """
    if len(data) > MAX_BYTES:
        raise NotASound(
            message(
                "The recording is {size} MB; at most {most} MB is allowed. Shorten it.",
                size=round(len(data) / 2**20, 1),
                most=round(MAX_BYTES / 2**20),
            )
        )
    if not _looks_like_sound(data):
        raise NotASound(message("This sound file cannot be read. Use WAV, MP3, Ogg or FLAC."))
    # With numpy; not at the start of each process: see vocab/speech/espeak.py.
    import soundfile

    try:
        with soundfile.SoundFile(io.BytesIO(data)) as source:
            return _encoded(source)
    except (soundfile.LibsndfileError, RuntimeError, ValueError) as error:
        raise NotASound(
            message(
                "The recording is damaged and cannot be read."
                " Record it again as WAV, MP3, Ogg or FLAC."
            )
        ) from error


def _encoded(source: soundfile.SoundFile) -> Sound:
    import numpy as np

    from vocab.speech.levels import levelled

    rate = source.samplerate
    if source.format not in _FORMATS:
        raise NotASound(
            message(
                "{format} files are not supported. Use WAV, MP3, Ogg or FLAC.",
                format=source.format_info,
            )
        )
    if source.channels > _MAX_CHANNELS or rate not in _RATES:
        raise NotASound(
            messages(
                "A recording with {count} channel at {rate} Hz is not supported. Record one or "
                "two channels at 44,100 or 48,000 Hz.",
                "A recording with {count} channels at {rate} Hz is not supported. Record one or "
                "two channels at 44,100 or 48,000 Hz.",
                source.channels,
                rate=rate,
            )
        )
    pieces, length = [], 0
    # Count while decoding: the length that a file states may be wrong.
    while len(block := source.read(_BLOCK, dtype="float32", always_2d=True)):
        length += len(block)
        if length > MAX_SECONDS * rate:
            raise NotASound(
                messages(
                    "The recording is longer than {count} second. Shorten it.",
                    "The recording is longer than {count} seconds. Shorten it.",
                    round(MAX_SECONDS),
                )
            )
        pieces.append(block.mean(axis=1))
    if length < MIN_SECONDS * rate:
        raise NotASound(
            message(
                "The recording is shorter than {least} seconds. Record it again.",
                least=MIN_SECONDS,
            )
        )
    # Files of floating-point samples may contain any number, and NaN.
    samples = levelled(np.nan_to_num(np.concatenate(pieces)).clip(-1, 1), rate)
    if samples is None:
        raise NotASound(message("The recording is silent. Check your microphone and record again."))
    encoded = mp3.encoded(samples.tobytes(), rate, output_rate=OUTPUT_RATE)
    return Sound(encoded, len(samples) / rate, engine="recording", voice="")


def _looks_like_sound(data: bytes) -> bool:
    """Check the first bytes before a decoder does."""
    is_mpeg_frame = len(data) > 1 and data[0] == 0xFF and data[1] & 0xE0 == 0xE0
    is_wave = data[:4] in (b"RIFF", b"RF64") and data[8:12] == b"WAVE"
    return is_wave or is_mpeg_frame or data.startswith((b"ID3", b"OggS", b"fLaC"))
