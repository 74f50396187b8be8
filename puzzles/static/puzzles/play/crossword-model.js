// @ts-check
// The crossword's model, without any element: slots, letters typed, cursor, direction.

import { key, same } from "./geometry.js";

/** @typedef {import("./geometry.js").Cell} Cell */
/** @typedef {import("./geometry.js").Step} Step */
/** @typedef {"across" | "down"} Direction */
/**
 * A word's place; breaks are the indexes of the cells at which its second and further parts begin.
 *
 * @typedef {{id: number | string, number: number, direction: Direction, cells: Cell[],
 *   breaks: number[]}} Slot
 */

/**
 * A word as sent by the server; length has the number of tiles of each part ("ice cream": [3, 5]),
 * tiles the letters of an open word, which was found or else revealed.
 *
 * @typedef {{id: number | string, number: number, direction: Direction, start: Cell,
 *   length: number[], tiles?: string[] | null, found?: boolean}} Item
 */

const STEP = { across: [0, 1], down: [1, 0] };

/** @type {(direction: Direction) => Direction} */
const other = (direction) => (direction === "across" ? "down" : "across");

/** @param {number[]} numbers */
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

/** Sort key: all words across come before those down. @param {Slot} slot */
const order = (slot) => (slot.direction === "across" ? 0 : 1e6) + slot.number;

export class CrosswordModel {
  /** @type {Cell} */
  cursor = [0, 0];

  /** @type {Direction} */
  direction = "across";

  /** "r,c" → tile. @type {Map<string, string>} */
  letters = new Map();

  /** The cells of open words. @type {Set<string>} */
  locked = new Set();

  /** Those of them that are in a word which was found. @type {Set<string>} */
  found = new Set();

  /** "r,c" → its words by direction. @type {Map<string, {across?: Slot, down?: Slot}>} */
  byCell = new Map();

  /**
   * A puzzle's grid has null for unused cells; a draft has letters by "r,c".
   *
   * @param {{puzzle: {rows: number, cols: number, grid: (string | null)[][]}, items: Item[],
   *   draft?: Record<string, string> | null}} state
   */
  constructor({ puzzle, items, draft }) {
    this.rows = puzzle.rows;
    this.cols = puzzle.cols;
    this.grid = puzzle.grid;
    /** @type {Slot[]} */
    this.slots = items.map((item) => ({
      id: item.id,
      number: item.number,
      direction: item.direction,
      cells: this.#run(item),
      breaks: item.length.slice(0, -1).map((_, i) => sum(item.length.slice(0, i + 1))),
    }));
    this.slots.sort((a, b) => order(a) - order(b));
    for (const slot of this.slots) {
      for (const cell of slot.cells) {
        this.byCell.set(key(cell), { ...this.byCell.get(key(cell)), [slot.direction]: slot });
      }
    }
    for (const [cell, letter] of Object.entries(draft ?? {})) {
      if (letter) this.letters.set(cell, letter);
    }
    for (const item of items) this.take(item);
    // Who goes on with a puzzle is asked what is still to be found.
    const open = new Set(items.filter(({ tiles }) => !tiles).map(({ id }) => id));
    const first = this.slots.find(({ id }) => open.has(id)) ?? this.slots[0];
    if (first) [this.cursor, this.direction] = [first.cells[0], first.direction];
  }

  /** A slot's cells, one per tile, from its start. @param {Item} item @returns {Cell[]} */
  #run({ start, direction, length }) {
    return Array.from({ length: sum(length) }, (_, i) => [
      start[0] + i * STEP[direction][0],
      start[1] + i * STEP[direction][1],
    ]);
  }

  /** Fill in an open word and lock its letters. @param {Item} item */
  take({ id, tiles, found }) {
    if (!tiles) return;
    this.slot(id)?.cells.forEach((cell, i) => {
      this.letters.set(key(cell), tiles[i]);
      this.locked.add(key(cell));
      if (found) this.found.add(key(cell));
    });
  }

  /** @param {Slot["id"]} id */
  slot(id) {
    return this.slots.find((slot) => slot.id === id);
  }

  /** @param {Cell} cell */
  isUsed([r, c]) {
    return this.grid[r]?.[c] !== null && this.grid[r]?.[c] !== undefined;
  }

  /** The letter typed or revealed, or "". @param {Cell} cell */
  letter(cell) {
    return this.letters.get(key(cell)) ?? "";
  }

  /** @param {Cell} cell */
  isLocked(cell) {
    return this.locked.has(key(cell));
  }

  /** Whether a cell is in a word that was found. @param {Cell} cell */
  isFound(cell) {
    return this.found.has(key(cell));
  }

  /** A word's letters so far, "" for each that is missing. @param {Slot} slot */
  pattern(slot) {
    return slot.cells.map((cell) => this.letter(cell));
  }

  /** @param {Slot} slot */
  isFull(slot) {
    return this.pattern(slot).every(Boolean);
  }

  /** The slot at the cursor, in its direction if there is one. @returns {Slot | null} */
  get slotHere() {
    const here = this.byCell.get(key(this.cursor)) ?? {};
    return here[this.direction] ?? here[other(this.direction)] ?? null;
  }

  /** Whether the cursor is at the second or a further word of a phrase, after a letter. */
  get isBetweenParts() {
    const slot = this.slotHere;
    const at = slot?.cells.findIndex((cell) => same(cell, this.cursor)) ?? 0;
    return slot !== null && slot.breaks.includes(at) && this.letter(slot.cells[at - 1]) !== "";
  }

  /** @param {Cell} cell @returns {Slot[]} */
  slotsAt(cell) {
    return Object.values(this.byCell.get(key(cell)) ?? {});
  }

  /**
   * Write a letter, or remove it with ""; false if the cell is locked.
   *
   * @param {Cell} cell
   * @param {string} letter
   */
  set(cell, letter) {
    if (this.isLocked(cell)) return false;
    if (letter) this.letters.set(key(cell), letter);
    else this.letters.delete(key(cell));
    return true;
  }

  /** @param {Cell} cell @param {Direction} direction */
  goTo(cell, direction = this.direction) {
    if (!this.isUsed(cell)) return;
    this.cursor = cell;
    this.direction = direction;
    const slot = this.slotHere;
    if (slot) this.direction = slot.direction;
  }

  /** Change to the crossing word; false if there is none. */
  turn() {
    const crossing = this.byCell.get(key(this.cursor))?.[other(this.direction)];
    if (crossing) this.direction = other(this.direction);
    return Boolean(crossing);
  }

  /**
   * The next used cell from the cursor along a step, across gaps; the cursor if there is none.
   *
   * @param {Step} step
   * @returns {Cell}
   */
  along([dr, dc]) {
    let [r, c] = this.cursor;
    do {
      r += dr;
      c += dc;
      if (this.isUsed([r, c])) return [r, c];
    } while (r >= 0 && c >= 0 && r < this.rows && c < this.cols);
    return this.cursor;
  }

  /** Move within the slot; false at its end. @param {number} by */
  step(by) {
    const slot = this.slotHere;
    if (!slot) return false;
    const at = slot.cells.findIndex((cell) => same(cell, this.cursor));
    const next = slot.cells[at + by];
    if (next) this.cursor = next;
    return Boolean(next);
  }

  /** Move to the next empty cell of the slot, behind its end from its start; false if it is full. */
  toGap() {
    const cells = this.slotHere?.cells ?? [];
    const at = cells.findIndex((cell) => same(cell, this.cursor));
    const gap = [...cells.slice(at + 1), ...cells.slice(0, at)].find((cell) => !this.letter(cell));
    if (gap) this.cursor = gap;
    return Boolean(gap);
  }

  /** Move to the clue after (or before) the current one. @param {number} by */
  nextSlot(by) {
    const at = this.slots.findIndex((slot) => slot === this.slotHere);
    const slot = this.slots[(at + by + this.slots.length) % this.slots.length];
    this.enter(slot);
    return slot;
  }

  /** @param {Slot} slot */
  enter(slot) {
    this.direction = slot.direction;
    // The first cell, filled or not: a student who knows a word types all of it.
    this.cursor = slot.cells[0];
  }

  /** The first and the last used cell, row by row. */
  get ends() {
    /** @type {Cell[]} */
    const used = [];
    for (let r = 0; r < this.rows; r++) {
      for (let c = 0; c < this.cols; c++) if (this.isUsed([r, c])) used.push([r, c]);
    }
    return [used[0], used.at(-1)];
  }
}
