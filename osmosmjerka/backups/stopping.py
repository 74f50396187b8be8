"""A command that is asked to stop removes what it has half written."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def stopped_orderly() -> Iterator[None]:
    """Let SIGTERM end the block like Ctrl-C does, with its clean-up."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, lambda *_signal: sys.exit(143))
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
