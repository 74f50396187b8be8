"""The design system keeps its promises: contrast, colour-blindness, mirroring, no inline code."""

from __future__ import annotations

import itertools
import math
import re
from pathlib import Path

import pytest
from babel.messages.extract import extract

from vocab.models.lists import COLOURS

ROOT = Path(__file__).resolve().parents[2]
STATIC = [ROOT / f"{app}/static" for app in ("osmosmjerka", "puzzles", "vocab")]
TOKENS = ROOT / "osmosmjerka/static/osmosmjerka/tokens.css"
ALBUM = ROOT / "puzzles/static/puzzles/album/album.css"
STYLESHEETS = [path for folder in STATIC for path in folder.rglob("*.css")]
SCRIPTS = [
    path for folder in STATIC for path in folder.rglob("*.js") if path.parent.name != "vendor"
]
TEMPLATES = list((ROOT / "templates").rglob("*.html"))

# How the three common colour-blindnesses see: Machado, Oliveira and Fernandes 2009, severity 1.
SIGHTS = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}


def declarations(block):
    return dict(re.findall(r"--([\w-]+):\s*([^;]+);", block))


def in_theme(tokens, place):
    """Return the values of one theme: 0 is light, 1 is dark."""
    pair = re.compile(r"light-dark\((#\w+), (#\w+)\)")
    return {name: pair.sub(lambda found: found[place + 1], text) for name, text in tokens.items()}


CSS = TOKENS.read_text(encoding="utf-8")
STANDARD = declarations(re.search(r":root \{(.*?)\n\}", CSS, re.S)[1])
HIGH = [
    declarations(block)
    for block in re.findall(r"@media screen[^{]*\{\s*:root[^{]* \{([^{}]*)\}", CSS)
]
LIGHT, DARK = (in_theme(STANDARD, place) for place in (0, 1))
HIGHS = [
    pytest.param(in_theme(STANDARD | HIGH[0], place), id=f"{name}, high")
    for place, name in enumerate(("light", "dark"))
]
THEMES = [pytest.param(LIGHT, id="light"), pytest.param(DARK, id="dark"), *HIGHS]


def linear(colour):
    channels = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]


def luminance(colour):
    return sum(
        weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), linear(colour), strict=True)
    )


def contrast(one, other):
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def mixed(ground, colour, alpha):
    pairs = ((int(ground[i : i + 2], 16), int(colour[i : i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(a * (1 - alpha) + b * alpha):02x}" for a, b in pairs)


def oklab(colour, sight):
    r, g, b = (
        min(max(sum(m * c for m, c in zip(row, linear(colour), strict=True)), 0), 1)
        for row in SIGHTS[sight]
    )
    long = (0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b) ** (1 / 3)
    medium = (0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b) ** (1 / 3)
    short = (0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b) ** (1 / 3)
    return (
        0.2104542553 * long + 0.7936177850 * medium - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * medium + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * medium - 0.8086757660 * short,
    )


def capsules(theme):
    return [theme[f"c{index}"] for index in range(12)]


def test_both_ways_into_high_contrast_give_the_same_colours():
    assert len(HIGH) == 2
    assert HIGH[0] == HIGH[1]
    assert HIGH[0].keys() <= STANDARD.keys()


STATES = ("accent", "danger", "warning", "success", "info")
GROUNDS = [f"{state}-soft" for state in STATES] + [f"heat-{level}" for level in range(6)]


@pytest.mark.parametrize("theme", HIGHS)
def test_high_contrast_keeps_seven_to_one_for_text_and_more_for_controls(theme):
    pairs = [("on-accent", "accent"), ("on-accent", "accent-strong"), ("ink", "line")]
    pairs += [("accent-strong", "accent-soft")]
    pairs += [(text, ground) for text in ("ink", "ink-soft") for ground in GROUNDS]
    pairs += [(state, f"{state}-soft") for state in STATES]
    for ground in ("paper", "sheet"):
        pairs += [(text, ground) for text in ("ink", "ink-soft", "accent-strong", *STATES)]
    assert {pair for pair in pairs if contrast(theme[pair[0]], theme[pair[1]]) < 7} == set()
    for ground in ("paper", "sheet"):
        assert contrast(theme["control-line"], theme[ground]) >= 4.5


def test_the_standard_has_less_contrast():
    """The control of the test above."""
    assert contrast(LIGHT["ink-soft"], LIGHT["paper"]) < 7
    assert contrast(DARK["control-line"], DARK["line"]) < 4.5


@pytest.mark.parametrize("theme", THEMES)
def test_letters_keep_seven_to_one_on_every_capsule(theme):
    grounds = [mixed(theme["sheet"], c, float(theme["capsule-alpha"])) for c in capsules(theme)]
    grounds += [
        theme[f"{state}{first}"]
        for state in ("active", "right", "wrong")
        for first in ("", "-first")
    ]
    grounds += [theme["sheet"], theme["accent-soft"]]
    assert min(contrast(theme["ink"], ground) for ground in grounds) >= 7


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(
    ("text", "ground"),
    [
        ("ink", "paper"),
        ("ink-soft", "paper"),
        ("ink-soft", "sheet"),
        ("accent", "paper"),
        ("accent", "accent-soft"),
        ("on-accent", "accent"),
        ("on-accent", "accent-strong"),
        ("danger", "paper"),
        ("danger", "danger-soft"),
        ("warning", "warning-soft"),
        ("success", "success-soft"),
        ("success", "paper"),
        ("info", "info-soft"),
        ("ink", "danger-soft"),
        ("ink", "heat-0"),
        ("ink", "heat-1"),
        ("ink", "heat-2"),
        ("ink", "heat-3"),
        ("ink", "heat-4"),
    ],
)
def test_text_is_legible_on_its_ground(theme, text, ground):
    assert contrast(theme[text], theme[ground]) >= 4.5


@pytest.mark.parametrize("theme", THEMES)
def test_words_are_legible_in_the_colour_of_each_list_and_on_its_patterns(theme):
    css = ALBUM.read_text(encoding="utf-8")
    tints = [int(part) / 100 for part in re.findall(r"var\(--list\) (\d+)%, var\(--sheet\)", css)]
    marks = [int(part) / 100 for part in re.findall(r"var\(--off-list\) (\d+)%", css)]
    shades = [int(part) / 100 for part in re.findall(r"--shade: (\d+)%", css)]
    assert (len(tints), len(marks), len(shades)) == (3, 1, 2)
    for number in range(COLOURS):
        colour, off = theme[f"list-{number}"], theme["off-list"]
        full = [mixed(colour, off, shade) for shade in (0, *shades)]
        grounds = [*full, *(mixed(one, off, marks[0]) for one in full)]
        assert min(contrast(theme["on-list"], ground) for ground in grounds) >= 7
        assert min(contrast(ground, theme["sheet"]) for ground in full) >= 4.5
        tinted = [mixed(theme["sheet"], colour, tint) for tint in tints]
        assert min(contrast(theme["ink"], ground) for ground in tinted) >= 4.5


@pytest.mark.parametrize("theme", THEMES)
def test_outlines_of_capsules_and_controls_stand_out_from_the_sheet(theme):
    outlines = [*capsules(theme), theme["control-line"], theme["accent"]]
    assert min(contrast(outline, theme["sheet"]) for outline in outlines) >= 3


PARTS = ("accent", "started", "c2", "danger")  # of a bar: done, started, much help, overdue


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("part", PARTS)
def test_what_is_done_stands_out_from_the_rest_of_a_bar(theme, part):
    assert contrast(theme[part], theme["line"]) >= 3


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("sight", SIGHTS)
def test_no_two_parts_of_a_bar_look_alike_to_the_colour_blind(theme, sight):
    seen = [oklab(theme[part], sight) for part in PARTS]
    pairs = itertools.combinations(seen, 2)
    assert min(math.dist(one, other) for one, other in pairs) >= 0.06


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("sight", SIGHTS)
def test_no_two_capsules_look_alike_to_the_colour_blind(theme, sight):
    seen = [oklab(colour, sight) for colour in capsules(theme)]
    nearest = min(
        sum((a - b) ** 2 for a, b in zip(one, other, strict=True)) ** 0.5
        for one, other in itertools.combinations(seen, 2)
    )
    # 0.02 is where neighbours are only just told apart side by side.
    assert nearest >= 0.06


@pytest.mark.parametrize("path", STYLESHEETS, ids=lambda path: path.name)
def test_stylesheets_use_logical_properties_so_that_pages_can_be_mirrored(path):
    physical = r"(?:margin|padding|border)-(?:left|right|top|bottom)|text-align:\s*(?:left|right)"
    physical += r"|float:\s*(?:left|right)|(?:^|[\s;{])(?:left|right|top|bottom|width|height):"
    css = re.sub(r"/\*.*?\*/|\([^)]*\)", "", path.read_text(encoding="utf-8"), flags=re.S)
    assert re.findall(physical, css) == []


@pytest.mark.parametrize("path", STYLESHEETS, ids=lambda path: path.name)
def test_only_the_tokens_name_colours(path):
    if path == TOKENS:
        return
    css = re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.S)
    assert re.findall(r"#[0-9a-fA-F]{3,8}\b(?=[^{]*;)|\b(?:rgb|hsl)a?\(", css) == []


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: str(path.relative_to(ROOT)))
def test_templates_hold_no_inline_code_and_load_nothing_from_elsewhere(path):
    html = path.read_text(encoding="utf-8")
    assert re.findall(r"\sstyle=|<style|\son[a-z]+=|javascript:|<script(?![^>]*\ssrc=)", html) == []
    assert re.findall(r"""(?:src|href|action)=["']?(?:https?:)?//""", html) == []


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_modules_import_in_the_form_that_the_manifest_can_rewrite(path):
    script = path.read_text(encoding="utf-8")
    for statement in re.findall(r"^import\b.*$", script, re.M):
        assert re.fullmatch(r'import (?:.+ from )?"\.{1,2}/[\w./-]+\.js";', statement), statement
    assert (
        re.findall(r"\beval\(|new Function|innerHTML|document\.write|setAttribute\(\"style", script)
        == []
    )


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_every_sentence_of_a_script_is_found_for_translation(path):
    # Babel passes over calls inside template literals without a word.
    script = path.read_text(encoding="utf-8")
    written = re.findall(r"\bn?gettext\(", script)
    with path.open("rb") as file:
        found = list(extract("javascript", file, keywords={"gettext": None, "ngettext": (1, 2)}))
    assert len(found) == len(written)


def test_every_font_family_stands_with_its_licence():
    fonts = ROOT / "osmosmjerka/static/osmosmjerka/fonts"
    licences = {path.name.removesuffix("-LICENSE.txt") for path in fonts.glob("*-LICENSE.txt")}
    for font in fonts.glob("*.woff2"):
        family = max((name for name in licences if font.name.startswith(name)), key=len)
        assert "SIL Open Font License" in (fonts / f"{family}-LICENSE.txt").read_text("utf-8")
    assert sum(font.stat().st_size for font in fonts.glob("*.woff2")) < 1_500_000
