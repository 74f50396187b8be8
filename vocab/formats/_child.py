"""The process that reads an untrusted file: first set limits, then run the parser.

`sandbox.py` runs it as a script. Arguments: the folder that contains our packages, and the only
folder to which it may write.
"""

from __future__ import annotations

import json
import math
import os
import sys
from pathlib import Path
from typing import Any

# Audit events of system access; the other events that Python raises are harmless.
_FORBIDDEN = (
    "ctypes.",
    "os.chmod",
    "os.exec",
    "os.fork",
    "os.kill",
    "os.link",
    "os.posix_spawn",
    "os.remove",
    "os.rename",
    "os.rmdir",
    "os.spawn",
    "os.symlink",
    "os.system",
    "os.truncate",
    "shutil.",
    "socket.",
    "subprocess.",
)
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


def limit(seconds: float, megabytes: int) -> None:
    """Limit this process's memory, processor time, open files and size of written files."""
    try:
        import resource
    except ImportError:  # Windows: only the parent's timeout applies
        return
    for what, most in (
        (resource.RLIMIT_AS, megabytes << 20),
        (resource.RLIMIT_CPU, math.ceil(seconds) + 1),
        (resource.RLIMIT_FSIZE, megabytes << 20),
        (resource.RLIMIT_NOFILE, 64),
        (resource.RLIMIT_CORE, 0),
    ):
        _, hard = resource.getrlimit(what)
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(what, (most, most))


def forbid(folder: Path) -> None:
    """Forbid this process to write outside *folder*, open connections or start programs."""
    inside = str(folder) + os.sep

    def look(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open":
            path, _, flags = arguments
            if not isinstance(path, int) and flags & _WRITING:
                where = os.path.realpath(os.fsdecode(path))
                if not where.startswith(inside):
                    raise PermissionError("this process writes into its own folder only")
        elif event.startswith(_FORBIDDEN):
            raise PermissionError(f"this process may not call {event}")

    sys.addaudithook(look)


def answer(request: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Return the parsed file, or why it cannot be read."""
    from vocab.formats import FormatError, parse
    from vocab.message import tree_of

    file = Path(request["file"])
    try:
        if "picture" in request:
            return _picture(file, request["picture"], folder / "media" / "picture")
        parsed = parse(
            file.read_bytes().decode() if request["is_text"] else file,
            format=request["format"],
            columns=request["columns"],
            languages=request.get("languages", ()),
            media_folder=folder / "media" if request["keeps_media"] else None,
            **request["options"],
        )
        return parsed.as_json()
    except FormatError as error:
        return {"error": tree_of(error.sentence)}
    except MemoryError:
        return {"error": "memory"}


def _picture(file: Path, name: str, made: Path) -> dict[str, Any]:
    from vocab.formats.picture import encoded_anew

    made.write_bytes(encoded_anew(file.read_bytes(), name))
    return {"made": made.name}


def main() -> None:
    """Read `request` in the folder and write `answer` next to it."""
    packages, folder = sys.argv[1], Path(sys.argv[2])
    request = json.loads((folder / "request").read_bytes())
    sys.path.append(packages)
    if "picture" not in request:
        # openpyxl tries to import these; they cost time and memory, and no list needs them.
        sys.modules.update(dict.fromkeys(("numpy", "lxml", "PIL")))  # type: ignore[arg-type]
    limit(request["seconds"], request["megabytes"])
    forbid(folder)
    with (folder / "answer").open("w", encoding="utf-8") as stream:
        json.dump(answer(request, folder), stream, ensure_ascii=False)


if __name__ == "__main__":
    main()
