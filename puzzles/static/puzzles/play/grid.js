// A grid of letters with one tab stop: arrows move, Home and End go to the row's ends, with Ctrl to
// the corners. Arrows are visual: in a right-to-left grid the left arrow goes to the next column.

import { format, h } from "./dom.js";
import { columnName, key, same } from "./geometry.js";
import { sizeLetter } from "./letter-size.js";

/** The step [rows, columns] of an arrow key, or null. */
export function arrow(name, direction) {
  const ahead = direction === "rtl" ? -1 : 1;
  return (
    { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -ahead], ArrowRight: [0, ahead] }[name] ??
    null
  );
}

/** Whether a tile is in the grid: outside of its shape there is none. */
const isInside = (tile) => tile !== null && tile !== undefined;
const within = (index, size) => Math.min(Math.max(index, 0), size - 1);

export class LetterGrid {
  #cells;
  #focus;
  // "r,c" → the open words to which the cell belongs.
  #words = new Map();

  constructor({ rows, cols, grid, direction, language }, label) {
    Object.assign(this, { rows, cols, letters: grid, direction, language });
    const top = grid[0].findIndex(isInside);
    this.#focus = [0, top];
    this.#cells = grid.map((row, r) => row.map((letter, c) => this.#cell(letter, r, c)));
    this.element = h(
      "div",
      {
        class: "grid",
        role: "grid",
        "aria-label": label,
        "aria-colcount": cols,
        dir: direction,
        "data-grid": true,
      },
      this.#cells.map((row) => h("div", { class: "grid-row", role: "row" }, row)),
    );
    for (const { firstChild: letter } of this.#cells.flat()) {
      if (!letter) continue;
      letter.lang = language;
      sizeLetter(letter, letter.textContent);
    }
    this.element.addEventListener("focusin", ({ target }) => this.#moveStop(this.at(target)));
    this.describeAll();
  }

  #cell(letter, r, c) {
    if (!isInside(letter)) return h("div", { class: "cell", "aria-hidden": "true" });
    return h(
      "div",
      {
        class: "cell",
        role: "gridcell",
        tabindex: same([r, c], this.#focus) ? 0 : -1,
        "aria-colindex": c + 1,
        "data-row": r,
        "data-col": c,
        "data-column-name": r === 0 ? columnName(c) : null,
        "data-row-name": c === 0 ? r + 1 : null,
      },
      h("span", { class: "letter" }, letter),
    );
  }

  /** Whether there is a letter at a cell. */
  has([r, c]) {
    return isInside(this.letters[r]?.[c]);
  }

  get focus() {
    return this.#focus;
  }
  cell([r, c]) {
    return this.#cells[r][c];
  }
  letter([r, c]) {
    return this.letters[r][c];
  }

  /** The width of a cell in px. */
  get cellSize() {
    return this.element.clientWidth / this.cols;
  }

  /** The cell to which an element belongs, or null. */
  at(element) {
    const cell = element?.closest?.("[data-row]");
    return cell && this.element.contains(cell)
      ? [Number(cell.dataset.row), Number(cell.dataset.col)]
      : null;
  }

  /** The cell at a point of the screen and the exact place in cells; points outside are clamped. */
  point({ clientX, clientY }) {
    const box = this.element.getBoundingClientRect();
    const x = ((clientX - box.left) / box.width) * this.cols;
    const row = ((clientY - box.top) / box.height) * this.rows;
    const col = this.direction === "rtl" ? this.cols - x : x;
    return {
      exact: [row - 0.5, col - 0.5],
      cell: [within(Math.floor(row), this.rows), within(Math.floor(col), this.cols)],
    };
  }

  #moveStop(cell) {
    if (!cell) return;
    this.cell(this.#focus).tabIndex = -1;
    this.#focus = cell;
    this.cell(cell).tabIndex = 0;
  }

  focusCell(cell) {
    this.#moveStop(cell);
    this.cell(cell).focus({ preventScroll: false });
  }

  /** The cell to which a key moves the focus, or null for a key that does not move it. */
  destination(event) {
    const [r, c] = this.#focus;
    const step = arrow(event.key, this.direction);
    if (step) return this.#next([r, c], step);
    const isCorner = event.ctrlKey || event.metaKey;
    if (event.key === "Home") return this.#end(isCorner ? 0 : r, "findIndex");
    if (event.key === "End") return this.#end(isCorner ? this.rows - 1 : r, "findLastIndex");
    return null;
  }

  /** The next letter in a direction, over gaps of the shape; the same cell if there is none. */
  #next([r, c], [down, right]) {
    let to = [r + down, c + right];
    while (to[0] in this.letters && to[1] in this.letters[0] && !this.has(to)) {
      to = [to[0] + down, to[1] + right];
    }
    return this.has(to) ? to : [r, c];
  }

  #end(r, find) {
    return [r, this.letters[r][find](isInside)];
  }

  /** Set the labels of all cells, with the open words of the game. */
  describeAll(items = []) {
    this.#words.clear();
    for (const item of items) {
      for (const cell of item.cells ?? []) {
        this.#words.set(key(cell), [...(this.#words.get(key(cell)) ?? []), item]);
      }
    }
    this.#cells.forEach((row, r) =>
      row.forEach(
        (cell, c) => this.has([r, c]) && cell.setAttribute("aria-label", this.describe([r, c])),
      ),
    );
  }

  /** Light up letters one after another. */
  light(cells) {
    cells.forEach((cell, i) => {
      const letter = this.cell(cell);
      letter.style.setProperty("--turn", String(i));
      letter.classList.add("is-lit");
    });
  }

  describe([r, c]) {
    const place = format(gettext("row %(row)s, column %(column)s, %(letter)s"), {
      row: r + 1,
      column: c + 1,
      letter: this.letters[r][c],
    });
    const words = this.#words.get(key([r, c])) ?? [];
    const terms = (found) => words.filter((item) => item.found === found).map(({ term }) => term);
    const [found, shown] = [terms(true), terms(false)];
    return [
      place,
      found.length && format(gettext("found in %(words)s"), { words: found.join(", ") }),
      // Translators: a letter, read aloud; the words were shown by a hint, not found.
      shown.length && format(gettext("revealed in %(words)s"), { words: shown.join(", ") }),
    ]
      .filter(Boolean)
      .join(", ");
  }
}

/** What to say of squares that a hint shows: one is where a word begins, more are the word. */
export function hinted(grid, cells) {
  const [[row, column]] = cells;
  const word = cells.map(([r, c]) => grid.letters[r][c]).join("");
  if (cells.length > 1) return format(gettext("This is the word: %(word)s."), { word });
  return format(gettext("It begins with %(letter)s: row %(row)s, column %(column)s."), {
    letter: word,
    row: row + 1,
    column: column + 1,
  });
}
