"""Check a crossword from what is printed: the grid and the list. Shares no code with the engine."""

from __future__ import annotations

from itertools import pairwise


def runs_of(grid):
    """Return every run of two or more tiles as (direction, cells), across and down."""
    rows, cols = len(grid), len(grid[0])
    lines = [("across", [(r, c) for c in range(cols)]) for r in range(rows)]
    lines += [("down", [(r, c) for r in range(rows)]) for c in range(cols)]
    found = []
    for direction, line in lines:
        run = []
        for cell in [*line, None]:
            if cell is not None and grid[cell[0]][cell[1]] is not None:
                run.append(cell)
                continue
            if len(run) > 1:
                found.append((direction, tuple(run)))
            run = []
    return found


def pieces_of(cells):
    """Return how many connected pieces *cells* form."""
    left, pieces = set(cells), 0
    while left:
        pieces += 1
        heap = [left.pop()]
        while heap:
            r, c = heap.pop()
            for cell in ((r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)):
                if cell in left:
                    left.remove(cell)
                    heap.append(cell)
    return pieces


def corners_met(cells):
    """Return the cells that touch a cell of another piece at a corner."""
    cells, piece_of = set(cells), {}
    for cell in sorted(cells):
        heap = [cell] if cell not in piece_of else []
        while heap:
            r, c = heap.pop()
            piece_of[r, c] = cell
            near = ((r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1))
            heap += [other for other in near if other in cells and other not in piece_of]
    return [
        (r, c)
        for r, c in sorted(cells)
        for other in ((r + 1, c - 1), (r + 1, c + 1))
        if other in cells and piece_of[other] != piece_of[r, c]
    ]


def faults(puzzle, words, cut, islands=False, **wishes):
    """Return what is wrong with *puzzle* as sentences. *cut* turns a word into its tiles.

    With *islands* it may be in several pieces that do not touch, not even at a corner. *wishes* are
    those of `wish_faults`.
    """
    grid, wrong = puzzle.grid, []
    if len({len(row) for row in grid}) != 1:
        return ["the rows differ in length"]
    filled = [
        (r, c) for r, row in enumerate(grid) for c, tile in enumerate(row) if tile is not None
    ]
    if not islands and pieces_of(filled) != 1:
        wrong.append(f"{pieces_of(filled)} pieces")
    if islands:
        wrong += [f"two islands meet at {cell}" for cell in corners_met(filled)]
    placed = {}
    for p in puzzle.placements:
        if p.word not in words:
            wrong.append(f"{p.word} is not in the list")
        spelled = [grid[r][c] for r, c in p.cells]
        if spelled != list(cut(p.word)):
            wrong.append(f"{p.word} is spelled {spelled}")
        steps = {(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(p.cells)}
        if steps != {(0, 1) if p.direction == "across" else (1, 0)}:
            wrong.append(f"{p.word} does not run {p.direction}")
        if (p.direction, p.cells) in placed:
            wrong.append(f"{p.word} lies on another word")
        placed[p.direction, p.cells] = p
    if set(placed) != set(runs_of(grid)):
        wrong.append(f"runs and words differ: {set(placed) ^ set(runs_of(grid))}")
    spellings = [tuple(cut(p.word)) for p in puzzle.placements]
    if len(set(spellings)) != len(spellings):
        wrong.append("a word is used twice")
    accounted = sorted([p.word for p in puzzle.placements] + [u.word for u in puzzle.unplaced])
    if accounted != sorted(words):
        wrong.append(f"not every word is accounted for: {accounted} of {sorted(words)}")
    if any(not u.reason.strip() for u in puzzle.unplaced):
        wrong.append("a word is left out without a reason")
    return wrong + numbering_faults(puzzle) + wish_faults(puzzle, cut, **wishes)


def wish_faults(
    puzzle, cut, *, size=(None, None), walls=(), touching=True, symmetric=False, banned=()
):
    """Check what was wished for: size, walls, words side by side, symmetry, excluded words."""
    grid, wrong = puzzle.grid, []
    for wanted, given, name in zip(
        size, (len(grid), len(grid[0])), ("rows", "columns"), strict=True
    ):
        if wanted not in (None, given):
            wrong.append(f"{given} {name}, not {wanted}")
    used = {(r, c) for r, row in enumerate(grid) for c, tile in enumerate(row) if tile is not None}
    wrong += [f"there is a letter on the wall {wall}" for wall in walls if wall in used]
    if symmetric and used != {(len(grid) - 1 - r, len(grid[0]) - 1 - c) for r, c in used}:
        wrong.append("it looks different after half a turn")
    if not touching:
        together = {
            frozenset(pair) for p in puzzle.placements for pair in pairwise(p.cells)
        }  # neighbours that follow each other in a word
        wrong += [
            f"words touch at {cell} and {other}"
            for cell in used
            for other in ((cell[0] + 1, cell[1]), (cell[0], cell[1] + 1))
            if other in used and frozenset((cell, other)) not in together
        ]
        squares = [(r, c) for r, c in used if {(r + 1, c), (r, c + 1), (r + 1, c + 1)} <= used]
        wrong += [f"words lie side by side at {square}" for square in squares]
    never = {tuple(cut(word)) for word in banned}
    wrong += [f"{p.word} is banned" for p in puzzle.placements if tuple(cut(p.word)) in never]
    return wrong


def numbering_faults(puzzle):
    """Check the numbers against the rule: row by row, a number where a word begins."""
    wrong, number, expected = [], 0, {}
    begins = {(direction, cells[0]) for direction, cells in runs_of(puzzle.grid)}
    for r, row in enumerate(puzzle.grid):
        for c in range(len(row)):
            if ("across", (r, c)) in begins or ("down", (r, c)) in begins:
                number += 1
                expected[r, c] = number
    for p in puzzle.placements:
        if p.number != expected.get(p.cells[0]):
            wrong.append(f"{p.word} has number {p.number}, not {expected.get(p.cells[0])}")
    order = [(p.number, p.direction == "down") for p in puzzle.placements]
    if order != sorted(order):
        wrong.append("the words are not in the order of their numbers, across before down")
    return wrong
