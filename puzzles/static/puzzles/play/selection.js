// Three equal ways to select a word: drag; tap the first and last letter; use the keyboard.

import { format } from "./dom.js";
import { EIGHT, line, same, snap } from "./geometry.js";
import { Loupe } from "./loupe.js";
import { canScroll, Swipe } from "./swipe.js";

const LARGE = 36; // px: the least square whose letter is seen beside a finger

/**
 * onPreview(cells | null) while selecting; onSelect(cells) when selected; live for what is said and
 * spelt; directions() returns the allowed directions; canStart() may refuse (and say why);
 * whyNot(cells) says why a finger's drag can be no word, or returns null.
 */
export class Selection {
  #grid;
  #hooks;
  #drag = null;
  #anchor = null;
  // A finger's gesture that may be meant for the page, where that is higher than the window.
  #swipe = null;
  #loupe = new Loupe();

  constructor(
    grid,
    {
      onPreview,
      onSelect,
      live,
      directions = () => EIGHT,
      canStart = () => true,
      whyNot = () => null,
    },
  ) {
    this.#grid = grid;
    this.#hooks = { onPreview, onSelect, live, directions, canStart, whyNot };
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
    this.#swipe = null;
    this.#preview(null);
  }

  #say(text, level) {
    this.#hooks.live.say(text, level);
  }

  /** Show cells as marked, and spell them; to a finger that hides them, above it. */
  #preview(cells, event = null) {
    this.#hooks.onPreview(cells);
    const { language } = this.#grid;
    const letters = (cells ?? []).map((cell) => this.#grid.letter(cell) ?? "·").join(" ");
    this.#hooks.live.spell(cells?.length > 1 ? letters : "", language);
    const isHidden = event?.pointerType === "touch" && this.#grid.cellSize < LARGE;
    if (isHidden && letters) this.#loupe.show(letters, event, this.#grid);
    else this.#loupe.hide();
  }

  /** Select by typed cells; return null or an explanation. */
  choose(first, last) {
    if (!this.#grid.has(first) || !this.#grid.has(last)) return gettext("That square is outside the grid.");
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
    this.#loupe.hide();
    if (cells.every((cell) => this.#grid.has(cell))) {
      this.#hooks.onSelect(cells);
      return;
    }
    this.#preview(null);
    this.#say(gettext("Words stay inside the shape of the grid."), "wrong");
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
    this.#preview([cell]);
    this.#say(
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
    if (!this.#grid.has(cell)) return;
    // The focus follows the pointer, but its ring is only for the keyboard.
    this.#grid.element.classList.add("is-pointing");
    this.#grid.focusCell(cell);
    this.#grid.element.setPointerCapture(event.pointerId);
    this.#swipe = event.pointerType === "touch" && canScroll() ? new Swipe(event) : null;
    if (!this.#anchor && !this.#hooks.canStart()) return;
    this.#drag = { first: cell, last: cell };
    if (!this.#anchor) this.#preview([cell], event);
  }

  #move(event) {
    if (!event.isPrimary) return;
    this.#swipe?.move(event);
    if (this.#swipe?.isScrolling) {
      this.#leave();
      return;
    }
    const { exact } = this.#grid.point(event);
    if (this.#drag) {
      const last = this.#snapped(this.#drag.first, exact);
      if (same(last, this.#drag.last)) return;
      this.#drag.last = last;
      this.#preview(this.#line(this.#drag.first, last), event);
    } else if (this.#anchor && event.pointerType === "mouse") {
      this.#preview(this.#line(this.#anchor, this.#snapped(this.#anchor, exact)));
    }
  }

  /** Mark nothing; a first letter that was tapped before stays. */
  #leave() {
    if (!this.#drag) return;
    this.#drag = null;
    this.#preview(this.#anchor && [this.#anchor]);
  }

  #up(event) {
    if (!event.isPrimary) return;
    const swipe = this.#swipe;
    this.#swipe = null;
    swipe?.end();
    if (!this.#drag) return;
    const { first, last } = this.#drag;
    if (same(first, last)) {
      this.#drag = null;
      this.#loupe.hide();
      this.#tap(first);
      return;
    }
    const cells = this.#line(first, last);
    const reason = swipe?.isFlick(event)
      ? gettext("That was a swipe. To mark a word, drag more slowly.")
      : event.pointerType === "touch" && this.#hooks.whyNot(cells);
    if (!reason) {
      this.#commit(cells);
      return;
    }
    this.#leave();
    this.#say(reason, "wrong");
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
      this.#say([this.#crooked(), gettext("This is now the first letter.")].join(" "));
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
      if (this.#anchor) this.#preview(this.#line(this.#anchor, to) ?? [this.#anchor]);
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      const cell = this.#grid.focus;
      if (!this.#anchor) {
        if (this.#hooks.canStart()) this.#setAnchor(cell);
      } else if (same(this.#anchor, cell)) {
        this.cancel();
        this.#say(gettext("Cancelled."));
      } else {
        this.#close(cell);
      }
    } else if (event.key === "Escape" && (this.#anchor || this.#drag)) {
      event.preventDefault();
      this.cancel();
      this.#say(gettext("Cancelled."));
    }
  }
}
