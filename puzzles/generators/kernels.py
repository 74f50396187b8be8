"""The decorator for all compiled functions of the generators."""

from __future__ import annotations

import logging
from typing import Any

import numba

log = logging.getLogger(__name__)

# Arrays are created in Python and outlive the call; no compiled function creates one, so none needs
# reference counting. With Numba's reference counting the search took seven times as long.
_OPTIONS: dict[str, Any] = {"nogil": True, "_nrt": False}


def kernel(function: Any) -> Any:
    """Compile *function* at its first call, and keep what was compiled for later processes."""
    try:
        return numba.njit(cache=True, **_OPTIONS)(function)
    except RuntimeError:  # neither the package's folder nor the user's can be written
        log.warning(
            "%s is compiled anew in every process, which takes seconds: no folder for compiled"
            " code can be written. Set NUMBA_CACHE_DIR to one that can.",
            function.__qualname__,
        )
        return numba.njit(**_OPTIONS)(function)
