"""Pictures and sound files of entries: taken in, kept, handed out."""

from __future__ import annotations

import io

from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from PIL import Image

from osmosmjerka.http import kept_file
from vocab.formats.media import kind_of
from vocab.formats.picture import SUFFIX
from vocab.formats.rows import FormatError
from vocab.formats.sandbox import shrink_untrusted
from vocab.models import Entry
from vocab.rows import convert
from vocab.sentences import said

# A photo of a phone has 2 to 8 MB.
MAX_BYTES = 15 * 1024 * 1024
# The side of a picture on paper: 400 dots on 25 mm.
MOST_DOTS = 400


def keep_picture(*, entry: Entry, data: bytes, name: str) -> Entry:
    """Check an uploaded picture, encode it anew and show it with *entry* from now on.

    Raises ValidationError for what is no picture, or one meant to exhaust memory.
    """
    try:
        made = shrink_untrusted(data, name)
    except FormatError as error:
        raise ValidationError(said(error)) from error
    return _show(entry, convert.store(made, SUFFIX))


def remove_picture(*, entry: Entry) -> Entry:
    """Show no picture with *entry*; the daily purge takes the file if nothing else shows it."""
    return _show(entry, "")


def _show(entry: Entry, stored: str) -> Entry:
    entry.image = stored
    entry.extra.pop("image", None)  # a name without its file, from an import
    entry.save(update_fields=["image", "extra", "updated_at"])
    return entry


def for_print(entry: Entry) -> bytes | None:
    """Return the picture of *entry* as a small JPEG, which every program can draw, or None."""
    if not entry.image:
        return None
    try:
        with entry.image.open("rb") as stream, Image.open(stream) as source:
            source.thumbnail((MOST_DOTS, MOST_DOTS))
            picture = source.convert("RGBA")
    except OSError:
        return None  # the file is gone
    sheet = Image.new("RGB", picture.size, "white")
    sheet.paste(picture, mask=picture)
    made = io.BytesIO()
    sheet.save(made, "JPEG", quality=85)
    return made.getvalue()


def file_response(request: HttpRequest, entry: Entry, name: str) -> HttpResponse:
    """Return the "image" or "audio" file of *entry*; 404 where there is none.

    What it is, its first bytes tell: only pictures and sounds leave, as such.
    """
    file = getattr(entry, name)
    if not file:
        raise Http404
    try:
        with file.open("rb") as stream:
            data = stream.read()
    except FileNotFoundError:
        raise Http404 from None
    kind = kind_of(data)
    if kind is None or kind.what != name:
        raise Http404
    return kept_file(request, data, kind.mime)
