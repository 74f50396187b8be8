// @ts-check
// What was typed, and the squares that it fills. Keys typed one after the other in a word are kept as
// text and cut anew with each key, because a later letter may show that N and J are two letters.

import { same } from "./geometry.js";
import { graphemes } from "./tiles.js";

/** @typedef {import("./geometry.js").Cell} Cell */
/** @typedef {import("./crossword-model.js").CrosswordModel} Model */
/** @typedef {import("./crossword-model.js").Slot} Slot */
/** @typedef {import("./tiles.js").Alphabet} Alphabet */
/** @typedef {import("./tiles.js").Piece} Piece */

/** A cell and the letter that it gets, "" for none. @typedef {[Cell, string]} Letter */

/**
 * Text that was typed without moving: its slot, the index of its first cell, how it is cut, and the
 * letters that its cells had before. What was typed last is "" if it cannot grow.
 *
 * @typedef {{slot: Slot, start: number, text: string, pieces: Piece[], under: string[],
 *   last: string}} Run
 */

const MOST_STEPS = 200;

export class Typing {
  #model;
  #alphabet;

  /** @type {Run | null} */
  #run = null;

  /** @typedef {{cell: Cell, from: string, to: string}} Change */
  /** @type {{changes: Change[], cursor: Cell, direction: Model["direction"]}[]} */
  #done = [];
  /** @type {{changes: Change[], cursor: Cell, direction: Model["direction"]}[]} */
  #undone = [];

  /** @param {Model} model @param {Alphabet} alphabet */
  constructor(model, alphabet) {
    this.#model = model;
    this.#alphabet = alphabet;
  }

  /** The student moved or did something else: the next key begins anew. */
  end() {
    this.#run = null;
  }

  /**
   * Fill in what was typed at the cursor. Returns the cells that have changed, as all do that write.
   *
   * @param {string} typed
   * @param {boolean} isWhole whether it is a letter that cannot grow
   * @returns {Cell[]}
   */
  type(typed, isWhole = false) {
    typed = this.#alphabet.clean(typed);
    if (!typed) return [];
    const run = this.#run ?? this.#begin(typed);
    if (!run) return [];
    const text = this.#alphabet.clean(run.text + typed);
    const pieces = this.#fit(run, text);
    if (pieces) return this.#fill({ ...run, text, last: isWhole ? "" : typed }, pieces);
    // A key that finds no room: it is typed over the last letter.
    const parts = graphemes(typed);
    if (parts.length > 1) return parts.flatMap((part) => this.type(part, isWhole));
    if (!this.#run) return [];
    this.#run = null;
    return this.type(typed, isWhole);
  }

  /** Delete the letter typed last, or the one at the cursor or before it. */
  erase() {
    const run = this.#run;
    if (run?.pieces.length) {
      const rest = run.pieces.slice(0, -1);
      const text = rest.map((piece) => piece.text).join("");
      const pieces = this.#fit(run, text) ?? rest;
      // What is deleted leaves a gap, not what was there before.
      const under = run.under.map((letter, i) => (i < pieces.length ? letter : ""));
      return this.#fill({ ...run, text, under, last: "" }, pieces);
    }
    this.end();
    const model = this.#model;
    if (!model.letter(model.cursor) || model.isLocked(model.cursor)) model.step(-1);
    return this.write([[model.cursor, ""]]);
  }

  /** Take back the last change. */
  undo() {
    return this.#turn(this.#done, this.#undone, "from");
  }

  /** Make the change again that was taken back last. */
  redo() {
    return this.#turn(this.#undone, this.#done, "to");
  }

  /**
   * Write letters that were not typed one by one. Letters that are shown as help are no change that
   * can be taken back.
   *
   * @param {Letter[]} letters
   */
  write(letters, isHelp = false) {
    this.end();
    const step = this.#write(letters);
    if (step.changes.length && !isHelp) this.#remember(step);
    return step.changes.map(({ cell }) => cell);
  }

  /**
   * The letters of a whole answer, one for each cell of its slot, or null if it does not fill it.
   *
   * @param {Slot} slot
   * @param {string} text
   * @returns {Letter[] | null}
   */
  answer(slot, text) {
    const run = { slot, start: 0, text: "", pieces: [], under: [], last: "" };
    const pieces = this.#fit(run, this.#alphabet.clean(text));
    if (pieces?.length !== slot.cells.length) return null;
    return pieces.map(({ tile }, i) => [slot.cells[i], tile]);
  }

  /** Whether no further key can change the letters of a slot. @param {Slot} slot */
  isSettled(slot) {
    const run = this.#run;
    const last = run?.pieces.at(-1);
    if (!run || !last) return true;
    const end = run.start + run.pieces.length;
    const isCut =
      this.#cuts(run, run.text).length === 1 ||
      (this.isTypedToEnd(run.slot) &&
        !this.#alphabet.letters.some((letter) => this.#fit(run, run.text + letter)));
    const growing = run.last && this.#alphabet.mayGrow(last.tile, run.last) ? end - 1 : end;
    const open = run.slot.cells.slice(isCut ? growing : run.start, end);
    return !slot.cells.some((cell) => open.some((other) => same(cell, other)));
  }

  /** Whether a slot was typed to its end. @param {Slot | null} slot */
  isTypedToEnd(slot) {
    const run = this.#run;
    return run !== null && run.slot === slot && run.start + run.pieces.length === slot.cells.length;
  }

  /** @param {string} typed @returns {Run | null} */
  #begin(typed) {
    const slot = this.#model.slotHere;
    if (!slot) return null;
    let start = slot.cells.findIndex((cell) => same(cell, this.#model.cursor));
    let text = "";
    if (/^\p{M}/u.test(typed)) {
      // A mark belongs to the letter here or, if there is none, to the one before.
      if (!this.#model.letter(slot.cells[start])) start -= 1;
      text = slot.cells[start] ? this.#model.letter(slot.cells[start]) : "";
      if (!text) return null;
    }
    const under = text ? [text] : [];
    return { slot, start, text, pieces: [], under, last: "" };
  }

  /** The ways to cut a text that begins where a run does. @param {Run} run @param {string} text */
  #cuts({ slot, start }, text) {
    const begin = Math.max(0, ...slot.breaks.filter((at) => at <= start));
    const letters = slot.cells.slice(begin, start).map((cell) => this.#model.letter(cell));
    const before = letters.slice(letters.lastIndexOf("") + 1).join("");
    const breaks = slot.breaks.filter((at) => at > start).map((at) => at - start);
    return this.#alphabet.cuts(text, before, breaks);
  }

  /**
   * How the text is cut that starts at a run's first cell: as the server would cut it, unless solved
   * letters or the number of cells say otherwise. Null if there is no room for it.
   *
   * @param {Run} run
   * @param {string} text
   * @returns {Piece[] | null}
   */
  #fit(run, text) {
    const room = run.slot.cells.length - run.start;
    const [usual, ...others] = this.#cuts(run, text);
    const cuts = [usual, ...others]
      .filter((cut) => cut.length <= room)
      .map((cut) => ({ cut, faults: this.#faults(run, cut) }))
      // Where the usual cut has no room, another one has to be right.
      .filter(({ faults }) => usual.length <= room || !faults);
    // The order of the cuts decides between equals.
    cuts.sort((a, b) => a.faults - b.faults);
    return cuts[0]?.cut ?? null;
  }

  /** How little a cut suits the letters around it. @param {Run} run @param {Piece[]} cut */
  #faults(run, cut) {
    const { slot, start, under } = run;
    const letters = slot.cells.map((cell, i) => {
      const at = i - start;
      if (at >= 0 && at < cut.length) return cut[at].tile;
      return under[at] ?? this.#model.letter(cell);
    });
    const isRefused = slot.cells.some((cell, i) => {
      if (!this.#model.isLocked(cell) || i < start || i >= start + cut.length) return false;
      const solved = this.#model.letter(cell);
      // Behind the last letter the rest of a digraph may follow.
      const isLast = i === start + cut.length - 1;
      return isLast ? !solved.startsWith(letters[i]) : solved !== letters[i];
    });
    if (!letters.every(Boolean)) return isRefused ? 5 : 1;
    const isWhole = [0, ...slot.breaks].every((begin, i) => {
      const word = letters.slice(begin, slot.breaks[i]);
      return this.#alphabet.tiles(word.join("")).join(" ") === word.join(" ");
    });
    return (isRefused ? 4 : 0) + (isWhole ? 0 : 2);
  }

  /** @param {Run} run @param {Piece[]} pieces */
  #fill(run, pieces) {
    const { slot, start } = run;
    const under = [...run.under];
    const size = Math.max(pieces.length, this.#run?.pieces.length ?? 0);
    /** @type {Letter[]} */
    const letters = slot.cells.slice(start, start + size).map((cell, i) => {
      under[i] ??= this.#model.letter(cell);
      return [cell, pieces[i]?.tile ?? under[i]];
    });
    const step = this.#write(letters);
    this.#run = { ...run, pieces, under };
    this.#model.cursor = slot.cells[Math.min(start + pieces.length, slot.cells.length - 1)];
    if (step.changes.length) this.#remember(step);
    return step.changes.map(({ cell }) => cell);
  }

  /** @param {Letter[]} letters */
  #write(letters) {
    const { cursor, direction } = this.#model;
    /** @type {Change[]} */
    const changes = [];
    for (const [cell, to] of letters) {
      const from = this.#model.letter(cell);
      if (from !== to && this.#model.set(cell, to)) changes.push({ cell, from, to });
    }
    return { changes, cursor, direction };
  }

  /** @param {(typeof this.#done)[number]} step */
  #remember(step) {
    this.#done.push(step);
    if (this.#done.length > MOST_STEPS) this.#done.shift();
    this.#undone = [];
  }

  /**
   * @param {typeof this.#done} steps
   * @param {typeof this.#done} others
   * @param {"from" | "to"} side
   * @returns {Cell[]}
   */
  #turn(steps, others, side) {
    this.end();
    const step = steps.pop();
    if (!step) return [];
    const { cursor, direction } = this.#model;
    const was = side === "from" ? "to" : "from";
    const changes = step.changes.filter(
      // Letters that have been shown or solved since then stay.
      (change) =>
        this.#model.letter(change.cell) === change[was] &&
        this.#model.set(change.cell, change[side]),
    );
    // A step of which nothing is left is passed over.
    if (!changes.length) return this.#turn(steps, others, side);
    this.#model.cursor = step.cursor;
    this.#model.direction = step.direction;
    others.push({ ...step, cursor, direction });
    return changes.map(({ cell }) => cell);
  }
}
