"""The decorator for all compiled functions of the generators, and a cache that is never stale."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from pathlib import Path

import numba


def drop_stale_cache(folder: Path) -> None:
    """Delete the compiled code below *folder* if any of its sources is newer.

    Numba checks only a function's own file, but also compiles into it the functions that it calls
    from other files.
    """
    changed = max(source.stat().st_mtime for source in folder.rglob("*.py"))
    for index in folder.rglob("__pycache__/*.nbi"):
        with suppress(FileNotFoundError):  # another process that starts now was faster
            if index.stat().st_mtime < changed:
                index.unlink()


drop_stale_cache(Path(__file__).parent)

# Arrays are created in Python and outlive the call; no compiled function creates one, so none needs
# reference counting. With Numba's reference counting the search took seven times as long.
kernel = partial(numba.njit, cache=True, nogil=True, _nrt=False)()
