"""Prove that a short list cannot have more crossings. Reads and writes one line of JSON.

    echo '[[["cat", "tea", "eat"], 2]]' | python benchmarks/crossword_optimum.py [seconds a list]

Each list comes with the number of crossings that was found. The answer is "proven" if no more are
possible, a greater number if that many are possible, and "open" if time ran out.

Needs OR-tools (`pip install ortools`), which the product does not; `benchmarks.crossword
optimum` installs it in a temporary environment. The model knows words and their places but no
board, so its optimum holds for boards of any size: every two words cross at a letter that they
share, or keep apart; two words lie side by side only where other words cross them both in every
column that they share; and every word is connected through crossings.
"""

from __future__ import annotations

import json
import sys
from itertools import combinations
from typing import Any

from ortools.sat.python import cp_model

FAR = 60


def prove(words: list[str], found: int, seconds: float) -> str | int:
    """Return whether all *words* can be placed with more than *found* crossings."""
    model = cp_model.CpModel()
    number = range(len(words))
    across = [model.new_bool_var("") for _ in words]
    row = [model.new_int_var(-FAR, FAR, "") for _ in words]
    col = [model.new_int_var(-FAR, FAR, "") for _ in words]
    model.add(row[0] == 0)
    model.add(col[0] == 0)
    model.add(across[0] == 1)
    cross = {pair: model.new_bool_var("") for pair in combinations(number, 2)}

    def crossing(i: int, j: int) -> Any:
        return cross[min(i, j), max(i, j)]

    def option(*conditions: Any) -> Any:
        chosen = model.new_bool_var("")
        for condition in conditions:
            model.add(condition).only_enforce_if(chosen)
        return chosen

    for i, j in combinations(number, 2):
        both_across = model.new_bool_var("")
        model.add_multiplication_equality(both_across, [across[i], across[j]])
        both_down = model.new_bool_var("")
        model.add_multiplication_equality(both_down, [~across[i], ~across[j]])
        model.add_implication(both_across, ~cross[i, j])
        model.add_implication(both_down, ~cross[i, j])
        shared = []
        for k in number:
            if k not in (i, j):
                double = model.new_bool_var("")
                model.add_implication(double, crossing(i, k))
                model.add_implication(double, crossing(j, k))
                shared.append(double)
        for parallel, line, start in ((both_across, row, col), (both_down, col, row)):
            end_i, end_j = start[i] + len(words[i]), start[j] + len(words[j])
            first = model.new_int_var(-FAR, FAR, "")
            model.add_max_equality(first, [start[i], start[j]])
            last = model.new_int_var(-FAR, 2 * FAR, "")
            model.add_min_equality(last, [end_i, end_j])
            model.add_bool_or(
                ~parallel,
                option(line[j] - line[i] >= 2),
                option(line[j] - line[i] <= -2),
                option(start[j] >= end_i + 1),
                option(start[i] >= end_j + 1),
                option(line[j] - line[i] == 1, last - first <= sum(shared)),
                option(line[j] - line[i] == -1, last - first <= sum(shared)),
            )
        for h, v in ((i, j), (j, i)):
            mixed = model.new_bool_var("")
            model.add_multiplication_equality(mixed, [across[h], ~across[v]])
            right, down = col[v] - col[h], row[h] - row[v]
            wide, high = len(words[h]), len(words[v])
            meetings = [
                option(right == a, down == b)
                for a, x in enumerate(words[h])
                for b, y in enumerate(words[v])
                if x == y
            ]
            apart = [
                option(right <= -2),
                option(right >= wide + 1),
                option(down <= -2),
                option(down >= high + 1),
                *(option(right == a, down == b) for a in (-1, wide) for b in (-1, high)),
            ]
            model.add_bool_or(~mixed, ~cross[i, j], *meetings)
            model.add_bool_or(~mixed, cross[i, j], *apart)
    depth = [model.new_int_var(0, len(words) - 1, "") for _ in words]
    for i in number[1:]:
        parents = []
        for j in number:
            if j != i:
                parent = option(depth[i] >= depth[j] + 1)
                model.add_implication(parent, crossing(i, j))
                parents.append(parent)
        model.add_bool_or(parents)
    for i, j in combinations(number, 2):
        for k, m in combinations(number, 2):
            ring = [(i, k), (k, j), (j, m), (m, i)]
            if len({i, j, k, m}) == 4 and i < k and not can_ring(*(words[x] for x in (i, j, k, m))):
                model.add(sum(crossing(*pair) for pair in ring) <= 3)
    model.add(sum(cross.values()) > found)
    solver = cp_model.CpSolver()
    solver.parameters.max_time_in_seconds = seconds
    solver.parameters.num_workers = 2
    status = solver.solve(model)
    if status == cp_model.INFEASIBLE:
        return "proven"
    return (
        sum(solver.boolean_value(c) for c in cross.values())
        if status == cp_model.OPTIMAL
        else "open"
    )


def can_ring(one: str, two: str, left: str, right: str) -> bool:
    """Return whether *one* and *two* can both cross *left* and *right*, forming a rectangle."""

    def spans(a: str, b: str) -> set[tuple[str, str, int]]:
        pairs = ((x, y, j - i) for i, x in enumerate(a) for j, y in enumerate(a) if i != j)
        return {(x, y, gap) for x, y, gap in pairs if x in b}

    for top_left, top_right, width in spans(one, left):
        for bottom_left, bottom_right, other in spans(two, left):
            if width == other and any(
                (top_left, bottom_left, height) in spans(left, one)
                and (top_right, bottom_right, height) in spans(right, one)
                for height in range(-len(left), len(left) + 1)
                if height
            ):
                return True
    return False


if __name__ == "__main__":
    allowed = float(sys.argv[1]) if len(sys.argv) > 1 else 60.0
    print(json.dumps([prove(words, found, allowed) for words, found in json.load(sys.stdin)]))
