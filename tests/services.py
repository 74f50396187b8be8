"""What a test needs beside Python: skipped visibly where it is absent, an error in CI."""

import os
import shutil
import socket
import time

import pytest


def find_chromium():
    """Return the path of a Chromium that can be driven, or None."""
    # The first draws no window and takes half the time.
    for name in ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"):
        if path := shutil.which(name):
            return path
    return None


def is_listening(port, host="127.0.0.1"):
    try:
        with socket.create_connection((host, port), timeout=1):
            return True
    except OSError:
        return False


def wait_until(is_so, seconds=150):
    """Wait until *is_so* answers with something; return that. What never comes fails the test."""
    ends = time.monotonic() + seconds
    while not (answer := is_so()):
        assert time.monotonic() < ends, f"it did not happen in {seconds} s"
        time.sleep(0.02)
    return answer


def missing(what):
    """Skip the test because *what* is absent; in CI, where everything can be had, fail."""
    reason = f"{what} is not here"
    if os.environ.get("CI"):
        pytest.fail(f"{reason}, and in CI nothing is skipped")
    pytest.skip(reason)
