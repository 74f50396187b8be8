"""ZIP files that say a member is small which is not, and what is held in memory to read them."""

import io
import struct
import tracemalloc
import zipfile

import pytest
from django.core.exceptions import ValidationError

SIZE = 30_000_000


def understated(name, files=(), way=zipfile.ZIP_DEFLATED):
    """Return a ZIP file with a member of 30 MB that it says has 1000 bytes."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for other, content in dict(files).items():
            archive.writestr(other, content)
        archive.writestr(name, b"sourcedId\n".ljust(SIZE), way)
    told, says = (struct.pack("<L", number) for number in (SIZE, 1000))
    assert made.getvalue().count(told) == 2
    data = made.getvalue().replace(told, says)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:  # the control
        held, _refused = most_memory(archive.read, name)
    assert held > SIZE
    return data


def most_memory(read, *arguments):
    """Return how many bytes are held at most until something is refused, and why it is."""
    tracemalloc.start()
    try:
        with pytest.raises((ValidationError, ValueError, zipfile.BadZipFile)) as refused:
            read(*arguments)
        return tracemalloc.get_traced_memory()[1], str(refused.value)
    finally:
        tracemalloc.stop()
