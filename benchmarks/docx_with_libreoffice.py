"""Check worksheets to edit (DOCX) with LibreOffice: convert them to PDF and read that.

    python benchmarks/docx_with_libreoffice.py [--folder FOLDER]

Needs the program `soffice` (Debian: libreoffice-writer-nogui), which is never a dependency of the
product. With --folder, the documents and their PDFs stay there to be looked at. Exits with status 1
if a letter of a grid or a word is lost, or a key is not on a page of its own.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from unicodedata import normalize

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

import pypdfium2  # noqa: E402

from puzzles.exports import FORMATS, PuzzleData  # noqa: E402
from tests.puzzles.exports.puzzles import KINDS, WORDS, puzzle  # noqa: E402


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path)
    folder = parser.parse_args().folder
    with tempfile.TemporaryDirectory() as temporary:
        sys.exit(check(folder or Path(temporary)))


def check(folder: Path) -> int:
    """Write and convert all documents; print each fault; return 1 if there is any."""
    folder.mkdir(exist_ok=True)
    made: dict[Path, PuzzleData] = {}
    start = time.perf_counter()
    for language in WORDS:
        for kind in KINDS:
            data = puzzle(kind, language)
            path = folder / f"{kind}-{language}.docx"
            path.write_bytes(FORMATS["docx"].write(data, key=True))
            made[path] = data
    took = (time.perf_counter() - start) / len(made)
    # Let it find our fonts for print, so that every script has shapes.
    (folder / "fonts").symlink_to(ROOT / "osmosmjerka" / "paper" / "fonts")
    subprocess.run(
        ["soffice", "--headless", "--convert-to", "pdf", "--outdir", folder, *made],
        check=True,
        capture_output=True,
        env={**os.environ, "XDG_DATA_HOME": str(folder.resolve())},
    )
    faults = [fault for path, data in made.items() for fault in faults_of(path, data)]
    print(*faults, sep="\n")
    print(f"{len(made)} documents, {len(faults)} faults, {1000 * took:.0f} ms to write each")
    return 1 if faults else 0


def faults_of(path: Path, data: PuzzleData) -> list[str]:
    """Return what LibreOffice's PDF of the document lacks."""
    with pypdfium2.PdfDocument(path.with_suffix(".pdf")) as document:
        pages = [page.get_textpage().get_text_range() for page in document]
    if len(pages) != 2:
        return [f"{path.name}: {len(pages)} pages"]
    sheet, key = map(counted, pages)
    letters = counted("".join(tile or "" for row in data.grid for tile in row))
    words = counted("".join(placed.word for placed in data.placements))
    faults = []
    if not data.hides_letters and letters - sheet:
        faults.append(f"{path.name}: the grid lacks {dict(letters - sheet)}")
    if (letters + words) - key:
        faults.append(f"{path.name}: the key lacks {dict((letters + words) - key)}")
    return faults


def counted(text: str) -> Counter[str]:
    """Count the characters, each in the parts that a font may draw it with."""
    return Counter("".join(normalize("NFKD", text).split()))


if __name__ == "__main__":
    main()
