"""Read an untrusted file in a separate process, with limits on time, memory and writing."""

from __future__ import annotations

import json
import logging
import math
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from vocab.formats.rows import FormatError, Parsed, message, messages
from vocab.message import sentence_of

MAX_FILE = 300_000_000
_LOG = logging.getLogger(__name__)
_PACKAGES = Path(__file__).resolve().parents[2]
_CHILD = Path(__file__).with_name("_child.py")
# Python and Windows need these to find their libraries; nothing else is passed on.
_ENVIRONMENT = ("PATH", "LD_LIBRARY_PATH", "SYSTEMROOT")


def parse_untrusted(
    source: bytes | str | Path,
    *,
    format: str | None = None,
    columns: Mapping[str, str] | None = None,
    languages: Sequence[str] = (),
    media_folder: Path | None = None,
    seconds: float = 20,
    megabytes: int = 256,
    **options: Any,
) -> Parsed:
    """Run `vocab.formats.parse` in a subprocess with limited resources.

    The subprocess writes only to a temporary folder, opens no connections and starts no programs.
    On systems without resource limits (Windows), only its time is limited. Media are moved to
    *media_folder*. Raises `FormatError`, also if a limit is reached.
    """
    with tempfile.TemporaryDirectory(prefix="vocabulary-") as name:
        folder = Path(name).resolve()
        request = {
            "format": format,
            "columns": dict(columns) if columns is not None else None,
            "languages": list(languages),
            "options": options,
            "megabytes": megabytes,
            "seconds": seconds,
            "is_text": isinstance(source, str),
            "keeps_media": media_folder is not None,
            "file": str(_as_file(source, folder)),
        }
        answer = _ask(request, folder)
        parsed = Parsed.from_json(answer)
        for used, path in parsed.media.items():
            # Take only the name from the answer, so that only files of the folder are moved.
            inside = folder / "media" / path.name
            if media_folder is None or inside.is_symlink() or not inside.is_file():
                raise FormatError(message("The file could not be read."))
            target = media_folder / path.name
            target.write_bytes(inside.read_bytes())
            parsed.media[used] = target
        return parsed


def shrink_untrusted(data: bytes, name: str, *, seconds: float = 10, megabytes: int = 512) -> bytes:
    """Run `vocab.formats.picture.encoded_anew` in such a subprocess."""
    with tempfile.TemporaryDirectory(prefix="picture-") as temporary:
        folder = Path(temporary).resolve()
        request = {
            "picture": name,
            "file": str(_as_file(data, folder)),
            "megabytes": megabytes,
            "seconds": seconds,
        }
        made = folder / "media" / str(_ask(request, folder)["made"])
        if made.is_symlink() or made.parent != folder / "media" or not made.is_file():
            raise FormatError(message("The file could not be read."))
        return made.read_bytes()


def _as_file(source: bytes | str | Path, folder: Path) -> Path:
    if isinstance(source, Path):
        path = source.resolve()
    else:
        path = folder / "input"
        path.write_bytes(source.encode(errors="replace") if isinstance(source, str) else source)
    if path.stat().st_size > MAX_FILE:
        raise FormatError(message("The file is larger than {most} MB."), most=MAX_FILE // 1_000_000)
    return path


def _ask(request: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """Run the subprocess and return its answer; `FormatError` if it refuses or crashes."""
    (folder / "media").mkdir()
    environment = {name: os.environ[name] for name in _ENVIRONMENT if name in os.environ}
    with (folder / "request").open("w", encoding="utf-8") as stream:
        json.dump(request, stream)
    try:
        with (folder / "errors").open("wb") as errors:
            done = subprocess.run(  # noqa: S603 - our own script, no shell
                [sys.executable, "-I", "-X", "utf8", str(_CHILD), str(_PACKAGES), str(folder)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=errors,
                cwd=folder,
                env=environment,
                timeout=request["seconds"],
                check=False,
            )
    except subprocess.TimeoutExpired:
        raise FormatError(
            messages(
                "Reading the file was stopped because it took longer than {count} second.",
                "Reading the file was stopped because it took longer than {count} seconds.",
                math.ceil(request["seconds"]),
            )
        ) from None
    try:
        answer: dict[str, Any] = json.loads((folder / "answer").read_bytes())
    except (OSError, ValueError):
        said = (folder / "errors").read_bytes()[-4000:].decode("utf-8", "replace")
        _LOG.error("Reading a file ended with code %s: %s", done.returncode, said)
        raise FormatError(
            message("The file is damaged (error code {code})."), code=done.returncode
        ) from None
    if answer.get("error") == "memory":
        raise FormatError(
            message(
                "Reading the file was stopped because it needs more than {megabytes} MB of memory."
            ),
            megabytes=request["megabytes"],
        )
    if "error" in answer:
        sentence = sentence_of(answer["error"])
        if reason := sentence.values.get("reason"):
            # A library's words, in English: people are told what is damaged, the log how.
            _LOG.warning("A file could not be read: %s (%s)", sentence, reason)
        raise FormatError(sentence)
    return answer
