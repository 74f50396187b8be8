"""What is inside the shape of a grid, by no code of the generators."""


def inside(grid):
    """Return the cells of the shape."""
    return {(r, c) for r, row in enumerate(grid) for c, tile in enumerate(row) if tile is not None}


def is_connected(cells):
    """Return whether each cell is reached from each other over the sides of cells."""
    reached, edge = set(), [min(cells)]
    while edge:
        row, col = cell = edge.pop()
        if cell in cells and cell not in reached:
            reached.add(cell)
            edge += [(row + 1, col), (row - 1, col), (row, col + 1), (row, col - 1)]
    return reached == cells
