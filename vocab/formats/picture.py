"""Encode an uploaded picture again: small, upright, and nothing but pixels."""

from __future__ import annotations

import io

from vocab.formats.media import MAX_PIXELS, check_image, kind_of
from vocab.formats.rows import FormatError, message

# The width on a phone at two pixels per point.
LONGEST_SIDE = 1024
SUFFIX = ".webp"
# A photo (JPEG) is decoded at reduced size, anything else in full: this many pixels take a second.
_MAX_DECODED = 16_000_000


def encoded_anew(data: bytes, name: str) -> bytes:
    """Return a PNG, JPEG, GIF or WebP as a WebP of at most 1024 pixels per side.

    The location and any other metadata are dropped; of an animation, the first frame is kept.
    Raises `FormatError`. Decodes an untrusted file: see `sandbox.shrink_untrusted`.
    """
    from PIL import Image, ImageOps

    kind = kind_of(data)
    most = MAX_PIXELS if kind and kind.suffix == ".jpg" else _MAX_DECODED
    if kind is None or kind.what != "image" or not check_image(data, kind, name, most=most):
        raise FormatError(
            message("“{name}” is not a PNG, JPEG, GIF or WebP picture."), name=name[:80]
        )
    try:
        with Image.open(io.BytesIO(data), formats=["PNG", "JPEG", "GIF", "WEBP"]) as source:
            source.draft(
                "RGB", (2 * LONGEST_SIDE, 2 * LONGEST_SIDE)
            )  # a large photo, decoded at reduced size
            source.thumbnail((LONGEST_SIDE, LONGEST_SIDE), reducing_gap=2)
            upright = ImageOps.exif_transpose(source)
            is_clear = "A" in upright.getbands() or "transparency" in upright.info
            plain = upright.convert("RGBA" if is_clear else "RGB")
            plain.info.clear()
            out = io.BytesIO()
            plain.save(out, "WEBP", quality=80)
    except MemoryError:
        raise
    except Exception as error:  # Pillow raises dozens of types for a damaged file
        text = message("The picture “{name}” is damaged and cannot be read.")
        raise FormatError(text, name=name[:80]) from error
    return out.getvalue()
