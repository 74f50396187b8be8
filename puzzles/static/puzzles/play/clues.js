// The clue lists and the clue bar. Every clue has a text field that is equivalent to the grid.

import { format, h, icon, isComposing, picture, pictureToEnlarge } from "./dom.js";
import { isOpen, stateOf } from "./game.js";
import { same } from "./geometry.js";
import { speakerButton } from "./word-list.js";

const DIRECTIONS = { across: () => gettext("Across"), down: () => gettext("Down") };

/** "3 across" */
export function nameOf(slot) {
  const sentence =
    slot.direction === "across" ? gettext("%(number)s across") : gettext("%(number)s down");
  return format(sentence, { number: slot.number });
}

export class Clues {
  #game;
  #model;
  #lines = new Map();
  #bar;
  #goTo;
  #isDoubted;
  // Words whose picture failed to load.
  #unseen = new Set();

  /**
   * Hooks: choose(slot), next(by), turn(), goTo(cell), isDoubted(slot), answer(slot, text) → a
   * problem or null.
   */
  constructor(game, model, sound, live, hooks) {
    this.#game = game;
    this.#model = model;
    this.#isDoubted = hooks.isDoubted;
    const speaker = (item) =>
      speakerButton(sound, {
        url: item.clue.sound,
        term: null,
        language: game.puzzle.language,
        onfail: () => live.say(gettext("The sound could not be played.")),
      });
    this.element = h(
      "div",
      { class: "clues" },
      Object.keys(DIRECTIONS).map((direction) => {
        const slots = model.slots.filter((slot) => slot.direction === direction);
        if (!slots.length) return null;
        return h(
          "section",
          { class: "clues-part", "aria-labelledby": `clues-${direction}` },
          h("h2", { id: `clues-${direction}` }, DIRECTIONS[direction]()),
          h(
            "ol",
            { class: "clues-list" },
            slots.map((slot) => this.#line(slot, hooks, speaker, live)),
          ),
        );
      }),
    );
    const text = h("button", {
      type: "button",
      class: "clue-bar-text",
      onclick: () => hooks.turn(),
    });
    const place = h("span", { class: "clue-bar-sound" });
    const drawing = h("span", { class: "clue-picture" });
    const boxes = h("div", {
      class: "clue-boxes",
      role: "group",
      "aria-label": gettext("Letters of this word"),
      dir: game.puzzle.direction,
      hidden: true,
    });
    this.#bar = { text, place, picture: drawing, speaker, boxes };
    this.#goTo = hooks.goTo;
    const bar = h(
      "div",
      { class: "clue-bar", role: "group", "aria-label": gettext("Current clue") },
      h(
        "button",
        {
          type: "button",
          class: "icon-button",
          "aria-label": gettext("Previous clue"),
          onclick: () => hooks.next(-1),
        },
        h("span", { class: "chevron chevron--back", "aria-hidden": "true" }),
      ),
      text,
      drawing,
      place,
      h(
        "button",
        {
          type: "button",
          class: "icon-button",
          "aria-label": gettext("Next clue"),
          onclick: () => hooks.next(1),
        },
        h("span", { class: "chevron", "aria-hidden": "true" }),
      ),
    );
    this.bar = h("div", { class: "clue-here" }, bar, boxes);
  }

  /** Show the word here in large squares, or not. */
  enlarge(isWanted) {
    this.#bar.boxes.hidden = !isWanted;
    if (isWanted) this.#drawBoxes();
  }

  // Reuse the squares of a word: one that is replaced under a finger loses its tap.
  #drawBoxes() {
    const { boxes } = this.#bar;
    const slot = this.#model.slotHere;
    if (!slot || boxes.hidden) return;
    if (boxes.dataset.item !== String(slot.id)) {
      boxes.dataset.item = slot.id;
      boxes.replaceChildren(
        ...slot.cells.map((cell, i) =>
          h("button", {
            type: "button",
            class: slot.breaks.includes(i) ? "clue-box clue-box--part" : "clue-box",
            lang: this.#game.puzzle.language,
            // As with the keys: the cell that is being filled keeps the focus.
            onpointerdown: (event) => event.preventDefault(),
            onclick: () => this.#goTo(cell),
          }),
        ),
      );
    }
    slot.cells.forEach((cell, i) => {
      const box = boxes.children[i];
      const letter = this.#model.letter(cell);
      const isHere = same(cell, this.#model.cursor);
      box.textContent = letter;
      box.setAttribute(
        "aria-label",
        format(gettext("Letter %(position)s: %(letter)s"), {
          position: i + 1,
          letter: letter || gettext("blank"),
        }),
      );
      if (isHere) box.setAttribute("aria-current", "true");
      else box.removeAttribute("aria-current");
      box.classList.toggle("is-solved", this.#model.isFound(cell));
      box.classList.toggle("is-shown", this.#model.isLocked(cell) && !this.#model.isFound(cell));
      if (!isHere) return;
      // Only this strip is scrolled.
      const [strip, at] = [boxes.getBoundingClientRect(), box.getBoundingClientRect()];
      if (at.left < strip.left) boxes.scrollLeft += at.left - strip.left;
      if (at.right > strip.right) boxes.scrollLeft += at.right - strip.right;
    });
    boxes.classList.toggle("is-doubted", this.#isDoubted(slot));
  }

  /** Whether a clue shows only the picture; its meaning is then for screen readers. */
  #isPictured(item) {
    return (
      this.#game.puzzle.settings.clue === "picture" &&
      Boolean(item.clue.picture) &&
      !isOpen(item) &&
      !this.#unseen.has(item.id)
    );
  }

  // If a picture fails to load, its meaning is the clue.
  #picture(item) {
    if (!this.#isPictured(item)) {
      return picture(this.#unseen.has(item.id) ? null : item.clue.picture);
    }
    return pictureToEnlarge(item.clue.picture, () => {
      this.#unseen.add(item.id);
      this.render();
    });
  }

  clueText(slot) {
    const { clue, length } = this.#game.item(slot.id);
    const text = clue.text || gettext("Listen");
    return `${text} (${length.join(", ")})`;
  }

  /** A clue as displayed: if it is a picture, its meaning is only for screen readers. */
  seenText(slot) {
    const item = this.#game.item(slot.id);
    if (!this.#isPictured(item)) return [this.clueText(slot)];
    return [
      h("span", { class: "visually-hidden" }, item.clue.text ?? ""),
      ` (${item.length.join(", ")})`,
    ];
  }

  #line(slot, hooks, speaker, live) {
    const item = this.#game.item(slot.id);
    const field = h("input", {
      class: "clue-field",
      type: "text",
      id: `answer-${slot.id}`,
      lang: this.#game.puzzle.language,
      dir: this.#game.puzzle.direction,
      autocomplete: "off",
      autocorrect: "off",
      autocapitalize: "characters",
      spellcheck: "false",
      "aria-label": format(gettext("Answer to %(name)s: %(clue)s"), {
        name: nameOf(slot),
        clue: this.clueText(slot),
      }),
      onfocus: () => hooks.choose(slot, false),
      onkeydown: (event) => event.key === "Enter" && !isComposing(event) && field.blur(),
      onchange: () => {
        const problem = hooks.answer(slot, field.value);
        if (problem) live.say(problem, "wrong");
      },
    });
    const mark = h("span", { class: "clue-mark", "aria-hidden": "true" }, icon("check"), icon("cross"));
    const said = h("span", { class: "visually-hidden" });
    const clue = h("span", { dir: "auto" });
    const note = h("p", { class: "help clue-note" });
    const line = h(
      "li",
      { class: "clue", "data-item": slot.id },
      h(
        "button",
        { type: "button", class: "clue-choose", onclick: () => hooks.choose(slot, true) },
        h("b", { class: "clue-number" }, String(slot.number)),
        h(
          "span",
          {},
          clue,
          h("span", { class: "clue-length" }, ` (${item.length.join(", ")})`),
          said,
        ),
      ),
      h("span", { class: "clue-picture" }),
      item.clue.sound ? speaker(item) : null,
      field,
      mark,
      note,
    );
    this.#lines.set(slot.id, {
      line,
      field,
      said,
      clue,
      note,
      place: line.querySelector(".clue-picture"),
    });
    return line;
  }

  #saidOf(slot, item) {
    if (item.found) return gettext("found");
    if (isOpen(item)) return gettext("revealed");
    return this.#isDoubted(slot) ? gettext("not correct yet") : "";
  }

  render() {
    const here = this.#model.slotHere;
    for (const slot of this.#model.slots) {
      const item = this.#game.item(slot.id);
      const { line, field, said, clue, note, place } = this.#lines.get(slot.id);
      const pattern = this.#model.pattern(slot);
      // A clue that is a sound may get a text later, if the student asks for it.
      clue.textContent = item.clue.text || gettext("Listen");
      clue.classList.toggle("visually-hidden", this.#isPictured(item));
      this.#draw(place, item);
      if (item.clue.text) clue.lang = item.clue.language;
      else clue.removeAttribute("lang");
      note.textContent = item.clue.note ?? "";
      note.hidden = !item.clue.note;
      line.classList.toggle("is-current", slot === here);
      line.classList.toggle("is-found", stateOf(item) === "found");
      line.classList.toggle("is-shown", stateOf(item) === "shown");
      line.classList.toggle("is-doubted", this.#isDoubted(slot));
      line.dataset.state = stateOf(item);
      const state = this.#saidOf(slot, item);
      said.textContent = state ? `, ${state}` : "";
      field.readOnly = isOpen(item) || this.#game.isFinished;
      field.placeholder = pattern.map((letter) => letter || "·").join(" ");
      if (document.activeElement !== field) {
        field.value = pattern.every(Boolean) ? pattern.join("") : "";
      }
    }
    if (!here) return;
    const item = this.#game.item(here.id);
    // The clue may be in another script than the page: its number of letters stays behind it.
    const clue = h("bdi", {}, ...this.seenText(here));
    this.#bar.text.parentElement.classList.toggle("is-doubted", this.#isDoubted(here));
    this.#drawBoxes();
    this.#bar.text.replaceChildren(h("b", {}, nameOf(here)), " ", clue);
    this.#draw(this.#bar.picture, item);
    if (this.#bar.item !== here.id) {
      this.#bar.item = here.id;
      this.#bar.place.replaceChildren(
        ...[item.clue.sound ? this.#bar.speaker(item) : null].filter(Boolean),
      );
    }
  }

  // Redraw a picture only if it changes: one that is a button keeps the focus.
  #draw(place, item) {
    const isPictured = this.#isPictured(item);
    const drawn = `${item.id} ${isPictured} ${this.#unseen.has(item.id)} ${item.clue.picture}`;
    if (place.dataset.drawn === drawn) return;
    place.dataset.drawn = drawn;
    place.classList.toggle("is-pictured", isPictured);
    place.replaceChildren(...[this.#picture(item)].filter(Boolean));
  }

  /** Scroll the list so that the current clue is visible, without scrolling the page. */
  reveal() {
    const line = this.#lines.get(this.#model.slotHere?.id)?.line;
    const list = this.element.parentElement;
    if (!line || list.scrollHeight <= list.clientHeight) return;
    const top = line.offsetTop;
    if (top < list.scrollTop || top + line.offsetHeight > list.scrollTop + list.clientHeight) {
      list.scrollTop = top - list.clientHeight / 3;
    }
  }
}
