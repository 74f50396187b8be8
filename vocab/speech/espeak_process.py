"""Run eSpeak NG in a separate process, so that a text that crashes it does no other harm."""

from __future__ import annotations

import atexit
import json
import logging
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

from vocab.message import filled, message
from vocab.speech import espeak_ng
from vocab.speech.espeak_ng import EspeakFailed

_SCRIPT = Path(espeak_ng.__file__)
_LOG = logging.getLogger(__name__)
# What the process there may answer; it knows nothing of ours.
_REASONS = {
    "no library": message("The library of eSpeak NG cannot be loaded."),
    "no voices": message("eSpeak NG finds no voices in its folder."),
    "no voice": message("eSpeak NG cannot load its voice “{voice}”."),
    "error": message("eSpeak NG reports error {status} for “{text}”."),
}


class EspeakBroke(EspeakFailed):
    """The process ended, or did not answer in time, at this request."""


def _failure(answer: dict[str, Any]) -> EspeakFailed:
    _LOG.warning("eSpeak NG: %s %s", answer["error"], answer["values"])
    return EspeakFailed(filled(_REASONS[answer["error"]], **answer["values"]))


class Speaker:
    """A process with the library, started when needed and restarted after a crash.

    Threads may share it: requests are answered one after the other.
    """

    def __init__(self, *, patience: float = 20.0) -> None:
        """Wait at most *patience* seconds for an answer."""
        self._patience = patience
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._greeting: dict[str, Any] = {}

    @property
    def voices(self) -> dict[str, str]:
        """The best voice's identifier by language, such as {"hr": "zls/hr"}."""
        return dict(self._greeted()["voices"])

    @property
    def sample_rate(self) -> int:
        """Samples per second."""
        return int(self._greeted()["sample_rate"])

    def samples(self, text: str, voice: str, rate: int, max_seconds: float) -> tuple[bytes, bool]:
        """Return *text* as 16-bit mono samples, and whether they were cut at *max_seconds*.

        Raises EspeakBroke if *text* crashed the process, EspeakFailed otherwise.
        """
        answer, pcm = self._ask(text=text, voice=voice, rate=rate, max_seconds=max_seconds)
        return pcm, bool(answer["was_cut"])

    def phonemes(self, text: str, voice: str) -> str:
        """Return the phonemes of *text* in eSpeak's notation; errors are those of `samples`."""
        answer, _ = self._ask(text=text, voice=voice)
        return str(answer["phonemes"])

    def close(self) -> None:
        """End the process."""
        with self._lock:
            self._end()

    def _greeted(self) -> dict[str, Any]:
        if not self._greeting:
            with self._lock:
                self._running()
        return self._greeting

    def _ask(self, **request: Any) -> tuple[dict[str, Any], bytes]:
        line = json.dumps(request).encode() + b"\n"
        with self._lock:
            try:
                answer, pcm = self._exchange(self._running(), line)
            except EspeakBroke:
                # An earlier text may have done the damage: try a new process.
                try:
                    answer, pcm = self._exchange(self._running(), line)
                except EspeakBroke as error:
                    raise EspeakBroke(
                        message("eSpeak NG fails for “{text}”.", text=request["text"])
                    ) from error
        if "error" in answer:
            raise _failure(answer)
        return answer, pcm

    def _exchange(
        self, process: subprocess.Popen[bytes], line: bytes
    ) -> tuple[dict[str, Any], bytes]:
        """Send *line*, unless it is empty, and read one answer; end a process that fails."""
        assert process.stdin is not None and process.stdout is not None  # noqa: S101 - pipes
        guard = threading.Timer(self._patience, process.kill)
        guard.daemon = True
        guard.start()
        try:
            process.stdin.write(line)
            process.stdin.flush()
            answer = json.loads(process.stdout.readline())
            pcm = process.stdout.read(answer.get("bytes", 0))
            if len(pcm) < answer.get("bytes", 0):
                raise EOFError
        except (OSError, ValueError, EOFError) as error:
            self._end()
            raise EspeakBroke(message("eSpeak NG does not answer.")) from error
        finally:
            guard.cancel()
        return answer, pcm

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            try:
                # It ends when our end of its input closes, however we end.
                self._process = subprocess.Popen(  # noqa: S603 - our own file
                    [sys.executable, "-I", str(_SCRIPT)],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    start_new_session=True,
                )
                self._greeting, _ = self._exchange(self._process, b"")
            except (OSError, EspeakBroke) as error:
                raise EspeakFailed(message("eSpeak NG cannot be started.")) from error
            if "error" in self._greeting:
                failure = _failure(self._greeting)
                self._greeting = {}
                self._end()
                raise failure
        return self._process

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.communicate()


_making = threading.Lock()
_speaker: Speaker | None = None


def speaker() -> Speaker:
    """Return this process's speaker."""
    global _speaker
    with _making:
        if _speaker is None:
            _speaker = Speaker()
        return _speaker


def _forget() -> None:
    """Make a forked process start its own speaker: two must not share its pipes."""
    global _speaker, _making
    _speaker, _making = None, threading.Lock()


def _close() -> None:
    if _speaker is not None:
        _speaker.close()


atexit.register(_close)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
