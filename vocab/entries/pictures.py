"""Pictures and sound files of entries: check, store and serve them."""

from __future__ import annotations

import io

from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from PIL import Image

from osmosmjerka.accounts.models import User
from osmosmjerka.web.views import kept_file
from vocab.formats.media import kind_of
from vocab.formats.picture import SUFFIX
from vocab.formats.rows import FormatError
from vocab.formats.sandbox import shrink_untrusted
from vocab.models import BulkEdit, Entry
from vocab.rows import convert
from vocab.sentences import said

# A photo from a phone has 2 to 8 MB.
MAX_BYTES = 15 * 1024 * 1024
# The longer side of a printed picture: 400 dots on 25 mm.
MOST_DOTS = 400


def keep_picture(*, entry: Entry, data: bytes, name: str) -> Entry:
    """Check an uploaded picture, encode it again and show it with *entry*.

    Raises ValidationError if it is not a picture, is too large, or is meant to exhaust memory.
    """
    if len(data) > MAX_BYTES:
        raise ValidationError(
            _("The file is larger than %(limit)s MB.") % {"limit": MAX_BYTES // 2**20}
        )
    try:
        made = shrink_untrusted(data, name)
    except FormatError as error:
        raise ValidationError(said(error)) from error
    return _show(entry, convert.store(made, SUFFIX))


@transaction.atomic
def remove_picture(*, entry: Entry, person: User) -> Entry:
    """Remove the picture of *entry*; for 30 days the list's recent changes bring it back."""
    if entry.image:
        BulkEdit.objects.create(
            vocabulary_list=entry.vocabulary_list,
            created_by=person,
            action=BulkEdit.Action.PICTURE,
            count=1,
            undo={"entry": entry.pk, "image": entry.image.name},
        )
    return _show(entry, "")


def return_picture(edit: BulkEdit) -> int:
    """Give an entry the picture back that *edit* removed, unless it has a new one: 1, or 0."""
    entry = Entry.objects.filter(pk=edit.undo["entry"], image="").first()
    if entry is None:
        return 0
    _show(entry, edit.undo["image"])
    return 1


@transaction.atomic
def _show(entry: Entry, stored: str) -> Entry:
    # Read again under a lock: a colleague may have changed `extra`, which is written as a whole.
    entry.extra = Entry.everything.select_for_update().get(pk=entry.pk).extra
    entry.image = stored
    entry.extra.pop("image", None)  # a file name from an import without the file
    entry.save(update_fields=["image", "extra", "updated_at"])
    return entry


def for_print(entry: Entry, *, most_dots: int = MOST_DOTS) -> bytes | None:
    """Return the picture of *entry* as a small JPEG, which every program can draw, or None.

    Its longer side has at most *most_dots*.
    """
    if not entry.image:
        return None
    try:
        with entry.image.open("rb") as stream, Image.open(stream) as source:
            source.thumbnail((most_dots, most_dots))
            picture = source.convert("RGBA")
    except OSError:
        return None  # the file is gone
    sheet = Image.new("RGB", picture.size, "white")
    sheet.paste(picture, mask=picture)
    made = io.BytesIO()
    sheet.save(made, "JPEG", quality=85)
    return made.getvalue()


def file_response(request: HttpRequest, entry: Entry, name: str) -> HttpResponse:
    """Return the "image" or "audio" file of *entry*; 404 if there is none.

    The content type comes from the first bytes; only pictures and sounds are served.
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
