// Three equal ways to select a word: drag; tap the first and last letter; use the keyboard.

import { format } from "./dom.js";
import { EIGHT, line, same, snap } from "./geometry.js";

/**
 * onPreview(cells | null) while selecting; onSelect(cells) when selected; say(text) for the live
 * region; directions() returns the allowed directions; canStart() may refuse (and say why).
 */
export class Selection {
  #grid;
  #hooks;
  #drag = null;
  #anchor = null;

  constructor(grid, { onPreview, onSelect, say, directions = () => EIGHT, canStart = () => true }) {
    this.#grid = grid;
    this.#hooks = { onPreview, onSelect, say, directions, canStart };
    const board = grid.element;
    board.addEventListener("pointerdown", (event) => this.#down(event));
    board.addEventListener("pointermove", (event) => this.#move(event));
    board.addEventListener("pointerup", (event) => this.#up(event));
    board.addEventListener("pointercancel", () => this.cancel());
    // A fast drag must not start a fling, because the browser swallows the tap that follows one.
    board.addEventListener("touchstart", (event) => event.preventDefault(), { passive: false });
    // Screen readers and voice control press a cell without a pointer.
    board.addEventListener(
      "click",
      (event) => event.detail === 0 && this.#press(grid.at(event.target)),
    );
    board.addEventListener("keydown", (event) => this.#keydown(event));
    board.addEventListener("contextmenu", (event) => this.#drag && event.preventDefault());
  }

  cancel() {
    this.#drag = null;
    this.#anchor = null;
    this.#hooks.onPreview(null);
  }

  /** Select by typed cells; return null or an explanation. */
  choose(first, last) {
    const inside = ([r, c]) => r >= 0 && c >= 0 && r < this.#grid.rows && c < this.#grid.cols;
    if (!inside(first) || !inside(last)) return gettext("That square is outside the grid.");
    const cells = this.#line(first, last);
    if (!cells) return this.#crooked();
    if (this.#hooks.canStart()) this.#commit(cells);
    return null;
  }

  #line(first, last) {
    return line(first, last, this.#hooks.directions());
  }

  #crooked() {
    return this.#hooks.directions().length < 8
      ? gettext("The last letter must be in the same row, in the reading direction.")
      : gettext("The two letters are not in a straight line.");
  }

  #commit(cells) {
    this.#drag = null;
    this.#anchor = null;
    this.#hooks.onSelect(cells);
  }

  #snapped(first, exact) {
    const vector = [exact[0] - first[0], exact[1] - first[1]];
    return snap(first, vector, {
      height: this.#grid.rows,
      width: this.#grid.cols,
      directions: this.#hooks.directions(),
    });
  }

  #setAnchor(cell) {
    this.#anchor = cell;
    this.#hooks.onPreview([cell]);
    this.#hooks.say(
      format(gettext("First letter: %(cell)s. Now select the last letter."), {
        cell: this.#grid.describe(cell),
      }),
    );
  }

  // ---- pointer ----

  #down(event) {
    if (!event.isPrimary || event.button !== 0) return;
    event.preventDefault();
    const { cell } = this.#grid.point(event);
    // The focus follows the pointer, but its ring is only for the keyboard.
    this.#grid.element.classList.add("is-pointing");
    this.#grid.focusCell(cell);
    if (!this.#anchor && !this.#hooks.canStart()) return;
    this.#grid.element.setPointerCapture(event.pointerId);
    this.#drag = { first: cell, last: cell };
    if (!this.#anchor) this.#hooks.onPreview([cell]);
  }

  #move(event) {
    if (!event.isPrimary) return;
    const { exact } = this.#grid.point(event);
    if (this.#drag) {
      const last = this.#snapped(this.#drag.first, exact);
      if (same(last, this.#drag.last)) return;
      this.#drag.last = last;
      this.#hooks.onPreview(this.#line(this.#drag.first, last));
    } else if (this.#anchor && event.pointerType === "mouse") {
      this.#hooks.onPreview(this.#line(this.#anchor, this.#snapped(this.#anchor, exact)));
    }
  }

  #up(event) {
    if (!this.#drag || !event.isPrimary) return;
    const { first, last } = this.#drag;
    this.#drag = null;
    if (!same(first, last)) this.#commit(this.#line(first, last));
    else this.#tap(first);
  }

  #press(cell) {
    if (cell && (this.#anchor || this.#hooks.canStart())) this.#tap(cell);
  }

  #tap(cell) {
    if (!this.#anchor) this.#setAnchor(cell);
    else if (same(this.#anchor, cell)) this.cancel();
    else this.#close(cell);
  }

  #close(cell) {
    const cells = this.#line(this.#anchor, cell);
    if (cells) this.#commit(cells);
    else {
      this.#setAnchor(cell);
      this.#hooks.say([this.#crooked(), gettext("This is now the first letter.")].join(" "));
    }
  }

  // ---- keyboard ----

  #keydown(event) {
    this.#grid.element.classList.remove("is-pointing");
    const to = this.#grid.destination(event);
    if (to) {
      event.preventDefault();
      if (event.shiftKey && !this.#anchor) {
        if (!this.#hooks.canStart()) return;
        this.#anchor = this.#grid.focus;
      }
      this.#grid.focusCell(to);
      if (this.#anchor) this.#hooks.onPreview(this.#line(this.#anchor, to) ?? [this.#anchor]);
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      const cell = this.#grid.focus;
      if (!this.#anchor) {
        if (this.#hooks.canStart()) this.#setAnchor(cell);
      } else if (same(this.#anchor, cell)) {
        this.cancel();
        this.#hooks.say(gettext("Cancelled."));
      } else {
        this.#close(cell);
      }
    } else if (event.key === "Escape" && (this.#anchor || this.#drag)) {
      event.preventDefault();
      this.cancel();
      this.#hooks.say(gettext("Cancelled."));
    }
  }
}
