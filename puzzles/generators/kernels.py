"""The decorator for all compiled functions of the generators, and a cache that is never stale."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import numba
from numba.core.caching import (
    CompileResultCacheImpl,
    FunctionCache,
    InTreeCacheLocator,
    UserProvidedCacheLocator,
    UserWideCacheLocator,
)
from numba.core.compiler import Compiler

log = logging.getLogger(__name__)

FOLDER = Path(__file__).parent


@cache
def stamp(folder: Path) -> bytes:
    """Return a hash of all sources below *folder*.

    Numba checks only a function's own file, but also compiles into it the functions that it calls
    from other files.
    """
    sources = sorted(folder.rglob("*.py"))
    return hashlib.sha256(b"\0".join(source.read_bytes() for source in sources)).digest()


class _WholeStamp:
    def get_source_stamp(self) -> bytes:
        return stamp(FOLDER)


class Installed(_WholeStamp, InTreeCacheLocator):
    """Beside the sources, where an installation compiled them, though nobody may write there now.

    Numba itself uses only a folder that it may write to. In a container with a read-only file
    system, or a service that may write to its data alone, each process would compile everything
    again.
    """

    def ensure_cache_path(self) -> None:
        try:
            super().ensure_cache_path()  # type: ignore[no-untyped-call]
        except OSError:
            folder = Path(self.get_cache_path())  # type: ignore[no-untyped-call]
            if not any(folder.glob("*.nbi")):
                raise


class _Chosen(_WholeStamp, UserProvidedCacheLocator):
    """In the folder of NUMBA_CACHE_DIR."""


class _Home(_WholeStamp, UserWideCacheLocator):
    """In the home of the user."""


class _Place(CompileResultCacheImpl):
    _locator_classes = [_Chosen, Installed, _Home]


class KernelCache(FunctionCache):
    """Compiled code on the disk; what cannot be stored is compiled again by the next process."""

    _impl_class = _Place

    def save_overload(self, sig: Any, data: Any) -> None:
        with suppress(OSError):
            super().save_overload(sig, data)  # type: ignore[no-untyped-call]


# Arrays are created in Python and outlive the call; no compiled function creates one, so none needs
# reference counting. With Numba's reference counting the search took seven times as long.
_OPTIONS: dict[str, Any] = {"nogil": True, "_nrt": False}


def kernel(function: Callable[..., Any], **options: Any) -> Any:
    """Compile *function* when it is first called, or load what was compiled before."""
    dispatcher: Any = numba.njit(**_OPTIONS, **options)(function)
    try:
        dispatcher._cache = KernelCache(function)  # type: ignore[no-untyped-call]
    except RuntimeError:  # neither the package's folder nor the user's can be written
        log.warning(
            "%s is compiled anew in every process, which takes seconds: no folder for compiled"
            " code can be written. Set NUMBA_CACHE_DIR to one that can.",
            function.__qualname__,
        )
    return dispatcher


class _Disjoint(Compiler):
    def define_pipelines(self) -> Any:
        self.state.flags.noalias = True
        return super().define_pipelines()  # type: ignore[no-untyped-call]


def disjoint_kernel(function: Callable[..., Any]) -> Any:
    """Compile *function*, which writes to none of its arrays what it reads from another.

    Only with this promise does LLVM work on several items of such short arrays at once.
    """
    return kernel(function, pipeline_class=_Disjoint)


def part(function: Callable[..., Any]) -> Any:
    """Compile *function* into each kernel that calls it.

    A call passes every array of a board and a lexicon, a hundred numbers: more than the work of a
    small function.
    """
    return kernel(function, inline="always")
