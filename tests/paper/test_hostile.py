"""Hostile texts are drawn as text: nothing is read, sent or started."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PROGRAM = """
import io, sys
from dataclasses import replace
from PIL import Image
from puzzles.exports import FORMATS
from tests.puzzles.exports.puzzles import KINDS, puzzle

HOSTILE = [
    "<svg href=file:///etc/passwd><image xlink:href='http://127.0.0.1:9/x.png'/></svg>",
    "&xxe; <!DOCTYPE a [<!ENTITY xxe SYSTEM 'file:///etc/passwd'>]>",
    "/Type /Catalog endstream endobj (((( <<<< >>>> %PDF-1.7 trailer",
    "(/etc/passwd) run \\\\\\\\ ) Tj ET Q /XObject Do",
    "a\\x00b\\x0b\\x1b\\x7f\\ud800\\ufffe c",
    "\\u202e\\u202d\\u2066\\u2067\\u2068" * 100 + "lta" + "\\u2069\\u202c" * 100,
    "{nb} **bold** [link](file:///etc/passwd)",
    "z\\u0301" + "\\u0301" * 500,
    "W" * 5000,
    "\\u0628" * 5000,
]
picture = io.BytesIO()
Image.new("RGB", (40, 40), "red").save(picture, "JPEG")

def draw(text):
    for kind in KINDS[:1] if len(text) > 500 else KINDS[::2]:
        data = puzzle(kind, "hr", [("krokodil", text), ("\\u017eaba", "frog")], title=text)
        placed = (replace(data.placements[0], picture=picture.getvalue()), data.placements[1])
        for each in (data, replace(data, placements=placed)):
            FORMATS["svg"].write(each, key=True)
            FORMATS["pdf"].write(each, key=True)
    if "<image" in text or len(text) < 5:
        FORMATS["png"].write(data, key=True)

draw("\\u0628 z\\u0301")  # fonts and modules are loaded

seen = []
is_watched = False
def watch(event, arguments):
    if is_watched and event.split(".")[0] in {"open", "socket", "subprocess", "os", "urllib"}:
        seen.append(f"{event} {arguments[:1]}")
sys.addaudithook(watch)

is_watched = True
for text in HOSTILE:
    draw(text)
assert seen == [], seen
open("/etc/passwd").close()  # the control
assert [event for event in seen if "passwd" in event], "nothing was watched"
"""


def test_hostile_texts_read_and_send_nothing():
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], cwd=ROOT, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
