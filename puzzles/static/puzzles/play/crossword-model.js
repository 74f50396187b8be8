// What a crossword's page knows, without any element: slots, letters typed, cursor, direction.

import { key, same } from "./geometry.js";

const STEP = { across: [0, 1], down: [1, 0] };
const other = (direction) => (direction === "across" ? "down" : "across");

export class CrosswordModel {
  cursor = [0, 0];
  direction = "across";
  letters = new Map(); // "r,c" → tile
  locked = new Set(); // cells of solved words

  constructor({ puzzle, items, draft }) {
    Object.assign(this, { rows: puzzle.rows, cols: puzzle.cols, grid: puzzle.grid });
    this.slots = items.map((item) => ({
      id: item.id,
      number: item.number,
      direction: item.direction,
      cells: this.#run(item),
    }));
    const order = (slot) => (slot.direction === "across" ? 0 : 1e6) + slot.number;
    this.slots.sort((a, b) => order(a) - order(b));
    this.byCell = new Map();
    for (const slot of this.slots) {
      for (const cell of slot.cells)
        this.byCell.set(key(cell), { ...this.byCell.get(key(cell)), [slot.direction]: slot });
    }
    for (const [cell, letter] of Object.entries(draft ?? {}))
      if (letter) this.letters.set(cell, letter);
    for (const item of items) this.take(item);
    const first = this.slots[0];
    if (first) [this.cursor, this.direction] = [first.cells[0], first.direction];
  }

  // A slot's cells: from its start on, one a tile.
  #run({ start, direction, length }) {
    const size = length.reduce((sum, n) => sum + n, 0);
    return Array.from({ length: size }, (_, i) => [
      start[0] + i * STEP[direction][0],
      start[1] + i * STEP[direction][1],
    ]);
  }

  /** Take over an open word: its letters stand and are locked. */
  take({ id, tiles }) {
    if (!tiles) return;
    this.slot(id).cells.forEach((cell, i) => {
      this.letters.set(key(cell), tiles[i]);
      this.locked.add(key(cell));
    });
  }

  slot(id) {
    return this.slots.find((slot) => slot.id === id);
  }
  isUsed([r, c]) {
    return this.grid[r]?.[c] !== null && this.grid[r]?.[c] !== undefined;
  }
  letter(cell) {
    return this.letters.get(key(cell)) ?? "";
  }
  isLocked(cell) {
    return this.locked.has(key(cell));
  }
  pattern(slot) {
    return slot.cells.map((cell) => this.letter(cell));
  }
  isFull(slot) {
    return this.pattern(slot).every(Boolean);
  }

  /** The slot at the cursor, in its direction where there is one. */
  get slotHere() {
    const here = this.byCell.get(key(this.cursor)) ?? {};
    return here[this.direction] ?? here[other(this.direction)] ?? null;
  }

  slotsAt(cell) {
    return Object.values(this.byCell.get(key(cell)) ?? {});
  }

  /** Write a letter; false where the cell is locked. */
  set(cell, letter) {
    if (this.isLocked(cell)) return false;
    if (letter) this.letters.set(key(cell), letter);
    else this.letters.delete(key(cell));
    return true;
  }

  goTo(cell, direction = this.direction) {
    if (!this.isUsed(cell)) return;
    this.cursor = cell;
    this.direction = direction;
    const slot = this.slotHere;
    if (slot) this.direction = slot.direction;
  }

  turn() {
    const crossing = this.byCell.get(key(this.cursor))?.[other(this.direction)];
    if (crossing) this.direction = other(this.direction);
    return Boolean(crossing);
  }

  /** The next used cell from the cursor along a step, over gaps; the cursor where there is none. */
  along([dr, dc]) {
    let [r, c] = this.cursor;
    do {
      r += dr;
      c += dc;
      if (this.isUsed([r, c])) return [r, c];
    } while (r >= 0 && c >= 0 && r < this.rows && c < this.cols);
    return this.cursor;
  }

  /** Move within the slot; false at its end. */
  step(by) {
    const slot = this.slotHere;
    const at = slot.cells.findIndex((cell) => same(cell, this.cursor));
    const next = slot.cells[at + by];
    if (next) this.cursor = next;
    return Boolean(next);
  }

  /** The clue after (or before) the present one. */
  nextSlot(by) {
    const at = this.slots.indexOf(this.slotHere);
    const slot = this.slots[(at + by + this.slots.length) % this.slots.length];
    this.enter(slot);
    return slot;
  }

  enter(slot) {
    this.direction = slot.direction;
    // The first cell, filled or not: whoever knows a word writes all of it.
    this.cursor = slot.cells[0];
  }

  get ends() {
    const used = [];
    for (let r = 0; r < this.rows; r++)
      for (let c = 0; c < this.cols; c++) if (this.isUsed([r, c])) used.push([r, c]);
    return [used[0], used.at(-1)];
  }
}
