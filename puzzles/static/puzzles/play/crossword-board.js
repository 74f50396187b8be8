// The crossword's cells: each is a text field, so that all keyboards, voice and input methods work.

import { format, h, isComposing } from "./dom.js";
import { key, same } from "./geometry.js";
import { arrow } from "./grid.js";
import { sizeLetter } from "./letter-size.js";

// Languages whose letters are composed of several keystrokes: wait until the composition ends.
const COMPOSED = /^(ja|zh|ko|yue|vi)\b/;

export class CrosswordBoard {
  #model;
  #hooks;
  #inputs = new Map();
  #language;
  // The cell in which an input method is composing a letter.
  #composing = null;

  /**
   * Hooks: onType(text), onMove(), onEnter() → whether it was for an answer, onBackspace(),
   * onDelete(), onUndo(), onRedo(), takesAtOnce(text), clueOf(slot) for labels, isDoubted(slot).
   */
  constructor(model, { language, direction }, hooks) {
    this.#model = model;
    this.#hooks = hooks;
    this.#language = language;
    this.direction = direction;
    const numbers = new Map();
    for (const slot of model.slots) numbers.set(key(slot.cells[0]), slot.number);
    const rows = [];
    for (let r = 0; r < model.rows; r++) {
      const cells = [];
      for (let c = 0; c < model.cols; c++) cells.push(this.#cell([r, c], numbers.get(`${r},${c}`)));
      rows.push(h("div", { class: "grid-row", role: "row" }, cells));
    }
    this.element = h(
      "div",
      {
        class: "grid grid--crossword",
        role: "grid",
        dir: direction,
        "data-grid": true,
        "aria-label": gettext("Crossword"),
      },
      rows,
    );
    this.element.addEventListener("keydown", (event) => this.#keydown(event));
    this.render();
  }

  #cell(cell, number) {
    const [r, c] = cell;
    if (!this.#model.isUsed(cell)) {
      return h("div", { class: "cell cell--unused", role: "gridcell", "aria-disabled": "true" });
    }
    const input = h("input", {
      class: "letter",
      type: "text",
      tabindex: -1,
      lang: this.#language,
      dir: "auto",
      autocomplete: "off",
      autocorrect: "off",
      autocapitalize: "characters",
      spellcheck: "false",
      enterkeyhint: "next",
      "data-row": r,
      "data-col": c,
      onfocus: () => {
        if (!same(this.#model.cursor, cell)) this.#hooks.onMove(() => this.#model.goTo(cell));
        input.select();
      },
      onpointerdown: (event) => {
        // A second press on the same cell changes the direction.
        if (document.activeElement !== input) return;
        event.preventDefault();
        this.#hooks.onMove(() => this.#model.turn());
      },
      oninput: (event) => this.#input(input, cell, event),
      oncompositionstart: () => {
        this.#composing = input;
      },
      oncompositionend: () => {
        const isTaken = this.#composing !== input;
        this.#composing = null;
        if (!isTaken) this.#take(input, cell, true);
        this.#show(cell);
      },
    });
    this.#inputs.set(key(cell), input);
    return h(
      "div",
      { class: "cell", role: "gridcell" },
      number ? h("span", { class: "cell-number", "aria-hidden": "true" }, String(number)) : null,
      input,
    );
  }

  #input(input, cell, event) {
    if (event.isComposing) {
      // Phone keyboards also compose plain words: take each letter at once if it is complete, which
      // an accent alone (a dead key) or the Latin letters of an input method are not.
      const letters = input.value.replace(/[\p{Lm}\p{sc=Inherited}]/gu, "");
      if (COMPOSED.test(this.#language) || !/[\p{L}\p{M}\p{N}]/u.test(letters)) return;
      if (!this.#hooks.takesAtOnce(letters)) return;
      this.#composing = null;
    }
    // What one key typed is known, wherever a click has left the caret in the cell.
    if (event.inputType === "insertText" && event.data && !event.isComposing) {
      this.#hooks.onType(event.data);
      this.#show(cell);
    } else this.#take(input, cell, event.isComposing);
  }

  #take(input, cell, isComposed) {
    let before = this.#model.letter(cell);
    let text = input.value;
    // The cell holds a capital; an input method may still know the small letter that it composed.
    if (isComposed && text.toLowerCase().startsWith(before.toLowerCase())) {
      before = text.slice(0, before.length);
    }
    if (text !== before && before && text.startsWith(before)) text = text.slice(before.length);
    if (!text) this.#hooks.onDelete();
    else this.#hooks.onType(text);
    this.#show(cell);
  }

  #keydown(event) {
    if (isComposing(event) || event.altKey) return;
    if (event.ctrlKey || event.metaKey) {
      const name = event.key.toLowerCase();
      const act =
        name === "y" || (name === "z" && event.shiftKey)
          ? this.#hooks.onRedo
          : name === "z" && this.#hooks.onUndo;
      if (act) {
        event.preventDefault();
        act();
        return;
      }
      if (event.metaKey || !["Home", "End"].includes(event.key)) return;
    }
    if (event.key === "Enter" && this.#hooks.onEnter()) {
      event.preventDefault();
      return;
    }
    const model = this.#model;
    const step = arrow(event.key, this.direction);
    const slot = model.slotHere;
    let move = null;
    if (step && event.shiftKey) {
      move = () =>
        model.nextSlot(
          ["ArrowDown", this.direction === "rtl" ? "ArrowLeft" : "ArrowRight"].includes(event.key)
            ? 1
            : -1,
        );
    } else if (step) move = () => model.goTo(model.along(step));
    else if (event.key === " " && model.isBetweenParts) {
      event.preventDefault(); // the space of a phrase, which has no square
    } else if (event.key === " " || event.key === "Enter") move = () => model.turn();
    else if (event.key === "Home") {
      move = () => model.goTo(event.ctrlKey ? model.ends[0] : slot.cells[0]);
    } else if (event.key === "End") {
      move = () => model.goTo(event.ctrlKey ? model.ends[1] : slot.cells.at(-1));
    }
    if (move) {
      event.preventDefault();
      this.#hooks.onMove(move);
    } else if (event.key === "Backspace") {
      event.preventDefault();
      this.#hooks.onBackspace();
    } else if (event.key === "Delete") {
      event.preventDefault();
      this.#hooks.onDelete();
    }
  }

  #show(cell) {
    const input = this.#inputs.get(key(cell));
    const letter = this.#model.letter(cell);
    // A change would end the composition.
    if (input === this.#composing) return;
    if (input.value !== letter) input.value = letter;
    sizeLetter(input, letter);
  }

  /** Update the elements from the model; mark the cells of answers that are not submitted yet. */
  render(waiting = []) {
    const model = this.#model;
    const slot = model.slotHere;
    const isWaiting = new Set(waiting.map(key));
    const inSlot = new Set(slot?.cells.map(key));
    for (const [name, input] of this.#inputs) {
      const cell = name.split(",").map(Number);
      const box = input.parentElement;
      this.#show(cell);
      // A solved cell still accepts keys, so that a word can be typed through it.
      input.setAttribute("aria-readonly", String(model.isLocked(cell)));
      box.classList.toggle("is-solved", model.isFound(cell));
      box.classList.toggle("is-shown", model.isLocked(cell) && !model.isFound(cell));
      box.classList.toggle("is-in-slot", inSlot.has(name));
      box.classList.toggle("is-cursor", same(cell, model.cursor));
      box.classList.toggle("is-waiting", isWaiting.has(name));
      box.classList.toggle("is-doubted", model.slotsAt(cell).some(this.#hooks.isDoubted));
      box.setAttribute("aria-selected", String(inSlot.has(name)));
      input.tabIndex = same(cell, model.cursor) ? 0 : -1;
      input.setAttribute("aria-label", this.#label(cell));
    }
    const cursor = this.#inputs.get(key(model.cursor));
    if (this.element.contains(document.activeElement) && document.activeElement !== cursor) {
      cursor?.focus();
    }
    if (document.activeElement === cursor && cursor !== this.#composing) cursor.select();
  }

  // "3 across, raven, letter 2 of 6, pattern K blank O": what a screen reader says at a cell.
  #label(cell) {
    const model = this.#model;
    const slots = model.slotsAt(cell);
    const slot = slots.find((s) => s.direction === model.direction) ?? slots[0];
    // Translators: read aloud: a square without a letter.
    const blank = gettext("blank");
    const values = {
      clue: this.#hooks.clueOf(slot),
      position: slot.cells.findIndex((other) => same(other, cell)) + 1,
      length: slot.cells.length,
      letter: model.letter(cell) || blank,
      pattern: model
        .pattern(slot)
        .map((letter) => letter || blank)
        .join(" "),
    };
    const label = format(
      // Translators: read aloud; %(letter)s is the letter in the square or “blank”, %(pattern)s
      // the word so far.
      gettext("%(letter)s, %(clue)s, letter %(position)s of %(length)s, pattern %(pattern)s"),
      values,
    );
    if (this.#hooks.isDoubted(slot)) return [label, gettext("not correct yet")].join(", ");
    if (!model.isLocked(cell)) return label;
    return [label, model.isFound(cell) ? gettext("correct") : gettext("revealed")].join(", ");
  }

  focus() {
    this.#inputs.get(key(this.#model.cursor))?.focus();
  }

  /** Mark letters that a check found wrong, until they are changed. */
  mark(cells, wrong) {
    for (const cell of cells) {
      const input = this.#inputs.get(key(cell));
      input?.parentElement.classList.toggle("is-wrong", wrong);
      if (wrong) input?.setAttribute("aria-invalid", "true");
      else input?.removeAttribute("aria-invalid");
    }
  }

  /** The cells that are marked so. */
  get marked() {
    return [...this.#inputs]
      .filter(([, input]) => input.parentElement.classList.contains("is-wrong"))
      .map(([name]) => name.split(",").map(Number));
  }

  /** Where cells are on the screen. */
  box(cells) {
    const boxes = cells.map((cell) => this.#inputs.get(key(cell)).getBoundingClientRect());
    return {
      top: Math.min(...boxes.map(({ top }) => top)),
      bottom: Math.max(...boxes.map(({ bottom }) => bottom)),
    };
  }

  /** Suppress the device's keyboard while the page's own keys are shown. */
  useOwnKeys(own) {
    for (const input of this.#inputs.values()) {
      if (own) input.setAttribute("inputmode", "none");
      else input.removeAttribute("inputmode");
    }
  }
}
