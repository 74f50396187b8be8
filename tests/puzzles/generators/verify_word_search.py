"""A judge of word searches that shares no code with their generator."""

from collections import Counter

from vocab.text import tiles

EIGHT = [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1) if (a, b) != (0, 0)]


def faults(puzzle, words, *, language=None, digraphs=True, blocklist=(), directions=EIGHT):
    """Return what is wrong with *puzzle* made from *words*, one sentence each."""
    words, found = list(words), []
    grid = puzzle.grid
    rows, cols = len(grid), len(grid[0])
    if {len(row) for row in grid} != {cols}:
        found.append("The rows are not equally long.")
    if not all(isinstance(tile, str) and tile for row in grid for tile in row):
        found.append("A cell holds nothing.")

    told = Counter(p.word for p in puzzle.placements) + Counter(u.word for u in puzzle.unplaced)
    if told != Counter(words):
        found.append(
            f"Words were lost or invented: {told - Counter(words)}, {Counter(words) - told}."
        )
    found += [f"No reason for {u.word}." for u in puzzle.unplaced if not u.reason.strip()]

    for p in (*puzzle.placements, *puzzle.echoes):
        cut = tiles(p.word, language, digraphs=digraphs)
        read = tuple(grid[r][c] for r, c in p.cells if 0 <= r < rows and 0 <= c < cols)
        if read != cut:
            found.append(f"{p.word} is {cut}, its cells read {read}.")
        steps = {(s - r, d - c) for (r, c), (s, d) in zip(p.cells, p.cells[1:], strict=False)}
        if len(steps) != 1 or not steps <= set(EIGHT):
            found.append(f"{p.word} does not run straight: {p.cells}.")

    placed = {p.word: frozenset(p.cells) for p in puzzle.placements}
    echoes = Counter((p.word, frozenset(p.cells)) for p in puzzle.echoes)
    for p in puzzle.placements:
        step = _step(p)
        is_nested = any(set(p.cells) <= cells for word, cells in placed.items() if word != p.word)
        if step not in directions and not is_nested:
            found.append(f"{p.word} runs in the direction {step}, which is not allowed.")

    lines = _lines(grid)
    for word, cells in placed.items():
        readings = _readings(lines, tiles(word, language, digraphs=digraphs))
        if cells not in readings:
            found.append(f"{word} cannot be read where it is said to be.")
        for other in readings - {cells}:
            if not any(other <= host for name, host in placed.items() if name != word):
                found.append(f"{word} can be read a second time, at {sorted(other)}.")
            elif not echoes[word, other]:
                found.append(
                    f"{word} can be read within another word at {sorted(other)}, withheld."
                )
    for word in blocklist:
        for cells in _readings(lines, tiles(word, language, digraphs=digraphs)):
            if not any(cells <= host for host in placed.values()):
                found.append(f"The blocked {word} can be read at {sorted(cells)}.")

    for i, p in enumerate(puzzle.placements):
        for q in puzzle.placements[:i]:
            a, b = set(p.cells), set(q.cells)
            if not a & b or _step(p) not in (_step(q), tuple(-x for x in _step(q))):
                continue
            if a <= b or b <= a:
                if not _contains(q, p, language, digraphs) and not _contains(
                    p, q, language, digraphs
                ):
                    found.append(f"{p.word} lies in {q.word} without need.")
            elif not any(a | b <= host for host in placed.values()):
                found.append(f"{p.word} and {q.word} overlap along one line.")
    return found


def filling(puzzle):
    """Return how often each tile stands on squares of no word."""
    used = {cell for p in puzzle.placements for cell in p.cells}
    return Counter(
        tile
        for r, row in enumerate(puzzle.grid)
        for c, tile in enumerate(row)
        if (r, c) not in used
    )


def tile_shares(words, language=None, digraphs=True):
    """Return the share of each tile in *words*."""
    counts = Counter(tile for word in words for tile in tiles(word, language, digraphs=digraphs))
    return {tile: count / sum(counts.values()) for tile, count in counts.items()}


def _contains(outer, inner, language, digraphs):
    a, b = (tiles(p.word, language, digraphs=digraphs) for p in (outer, inner))
    return any(a[i : i + len(b)] in (b, b[::-1]) for i in range(len(a) - len(b) + 1))


def _step(placement):
    (r, c), (s, d) = placement.cells[:2]
    return s - r, d - c


def _lines(grid):
    """Return the sign of each tile, and each line in one of its two ways: (cells, its signs)."""
    rows, cols = len(grid), len(grid[0])
    signs = {}
    lines = []
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        for r in range(rows):
            for c in range(cols):
                if 0 <= r - down < rows and 0 <= c - right < cols:
                    continue
                cells = [(r, c)]
                while 0 <= cells[-1][0] + down < rows and 0 <= cells[-1][1] + right < cols:
                    cells.append((cells[-1][0] + down, cells[-1][1] + right))
                text = "".join(
                    signs.setdefault(grid[i][j], chr(0xF0000 + len(signs))) for i, j in cells
                )
                lines.append((cells, text))
    return signs, lines


def _readings(lines, cut):
    """Return the sets of cells that read as *cut*, forwards or backwards."""
    signs, texts = lines
    if not cut or any(tile not in signs for tile in cut):
        return set()
    text = "".join(signs[tile] for tile in cut)
    found = set()
    for way in {text, text[::-1]}:
        for cells, line in texts:
            at = line.find(way)
            while at >= 0:
                found.add(frozenset(cells[at : at + len(cut)]))
                at = line.find(way, at + 1)
    return found
