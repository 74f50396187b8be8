"""A form field for a picture whose dark part becomes the shape of a grid."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from puzzles.generators.errors import WordSearchError
from vocab.formats.media import kind_of
from vocab.formats.rows import FormatError
from vocab.formats.sandbox import shrink_untrusted
from vocab.sentences import said

MAX_BYTES = 2 * 1024 * 1024
LONGEST_TEXT = 1_000


class PictureShapeInput(forms.FileInput):
    """A file input that also sends the shape of the picture that was chosen before."""

    def value_from_datadict(self, data: Any, files: Any, name: str) -> Any:
        return (files or {}).get(name) or data.get(name, "")

    def value_omitted_from_data(self, data: Any, files: Any, name: str) -> bool:
        return name not in data and name not in (files or {})

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        chosen = super().render(name, None, attrs, renderer)
        if not (isinstance(value, str) and value):
            return chosen
        return format_html('<input type="hidden" name="{}" value="{}">{}', name, value, chosen)


class PictureShapeField(forms.Field):
    """A picture as the text that `masks.packed_picture` returns, or "" without one."""

    widget = PictureShapeInput({"accept": "image/png,image/jpeg"})

    def bound_data(self, data: Any, initial: Any) -> Any:
        """Return the shape of an uploaded picture, so that a form shown again sends it."""
        return getattr(data, "shape", "") if isinstance(data, UploadedFile) else data

    def clean(self, value: Any) -> str:
        """Return the text; raise ValidationError if there is no shape in it."""
        from puzzles.generators.word_search import masks

        super().clean(value)
        try:
            if isinstance(value, UploadedFile):
                value.shape = _packed(value)  # type: ignore[attr-defined]  # for bound_data
                return str(value.shape)  # type: ignore[attr-defined]
            if value:
                if not isinstance(value, str) or len(value) > LONGEST_TEXT:
                    raise ValidationError(_("Choose the picture again."))
                masks.silhouette_of_picture(value)
        except FormatError as error:
            raise ValidationError(said(error)) from error
        except WordSearchError as error:
            raise ValidationError(said(error.sentence)) from error
        return value or ""


def _packed(file: UploadedFile[Any]) -> str:
    from puzzles.generators.word_search import masks

    if (file.size or 0) > MAX_BYTES:
        raise ValidationError(_("The picture is larger than 2 MB. Choose a smaller one."))
    data = file.read()
    kind = kind_of(data)
    if kind is None or kind.suffix not in (".png", ".jpg"):
        raise ValidationError(_("Choose a picture as PNG or JPEG."))
    # Decoded by a process that may not use much memory or time; what it returns is safe.
    return masks.packed_picture(shrink_untrusted(data, file.name or ""))
