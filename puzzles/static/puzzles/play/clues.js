// The clue lists and the clue bar. Every clue has a text field with the same result as the board.

import { format, h, icon, picture } from "./dom.js";
import { isOpen } from "./game.js";
import { speakerButton } from "./word-list.js";

const DIRECTIONS = { across: () => gettext("Across"), down: () => gettext("Down") };

/** "3 across" */
export function nameOf(slot) {
  const sentence = slot.direction === "across" ? gettext("%(number)s across") : gettext("%(number)s down");
  return format(sentence, { number: slot.number });
}

export class Clues {
  #game;
  #model;
  #lines = new Map();
  #bar;

  /** Hooks: choose(slot), next(by), turn(), answer(slot, text) → a problem or null. */
  constructor(game, model, sound, live, hooks) {
    this.#game = game;
    this.#model = model;
    const speaker = (item) => speakerButton(sound, {
      url: item.clue.sound, term: null, language: game.puzzle.language,
      onfail: () => live.say(gettext("The sound could not be played.")),
    });
    this.element = h("div", { class: "clues" }, Object.keys(DIRECTIONS).map((direction) => {
      const slots = model.slots.filter((slot) => slot.direction === direction);
      if (!slots.length) return null;
      return h("section", { class: "clues-part", "aria-labelledby": `clues-${direction}` },
        h("h2", { id: `clues-${direction}` }, DIRECTIONS[direction]()),
        h("ol", { class: "clues-list" }, slots.map((slot) => this.#line(slot, hooks, speaker, live))));
    }));
    const text = h("button", { type: "button", class: "clue-bar-text", onclick: () => hooks.turn() });
    const place = h("span", { class: "clue-bar-sound" });
    this.#bar = { text, place, speaker };
    this.bar = h("div", { class: "clue-bar", role: "group", "aria-label": gettext("Present clue") },
      h("button", { type: "button", class: "icon-button", "aria-label": gettext("Previous clue"), onclick: () => hooks.next(-1) }, h("span", { class: "chevron chevron--back", "aria-hidden": "true" })),
      text, place,
      h("button", { type: "button", class: "icon-button", "aria-label": gettext("Next clue"), onclick: () => hooks.next(1) }, h("span", { class: "chevron", "aria-hidden": "true" })));
  }

  /** Whether the picture alone is shown for a clue; its meaning is then said to who cannot see. */
  #isPictured(item) {
    return this.#game.puzzle.settings.clue === "picture" && Boolean(item.clue.picture) && !isOpen(item);
  }

  clueText(slot) {
    const { clue, length } = this.#game.item(slot.id);
    const text = clue.text ?? gettext("Listen");
    return `${text} (${length.join(", ")})`;
  }

  #line(slot, hooks, speaker, live) {
    const item = this.#game.item(slot.id);
    const field = h("input", {
      class: "clue-field", type: "text", id: `answer-${slot.id}`, lang: this.#game.puzzle.language, dir: this.#game.puzzle.direction,
      autocomplete: "off", autocorrect: "off", autocapitalize: "characters", spellcheck: "false",
      "aria-label": format(gettext("Answer to %(name)s: %(clue)s"), { name: nameOf(slot), clue: this.clueText(slot) }),
      onfocus: () => hooks.choose(slot, false),
      onkeydown: (event) => event.key === "Enter" && !event.isComposing && field.blur(),
      onchange: () => {
        const problem = hooks.answer(slot, field.value);
        if (problem) live.say(problem, "wrong");
      },
    });
    const mark = h("span", { class: "clue-mark", "aria-hidden": "true" }, icon("check"));
    const said = h("span", { class: "visually-hidden" });
    const clue = h("span", { dir: "auto" });
    const note = h("p", { class: "help clue-note" });
    const line = h("li", { class: "clue", "data-item": slot.id },
      h("button", { type: "button", class: "clue-choose", onclick: () => hooks.choose(slot, true) },
        h("b", { class: "clue-number" }, String(slot.number)),
        h("span", {}, clue, h("span", { class: "clue-length" }, ` (${item.length.join(", ")})`), said)),
      picture(item.clue.picture),
      item.clue.sound ? speaker(item) : null,
      field, mark, note);
    this.#lines.set(slot.id, { line, field, said, clue, note });
    return line;
  }

  render() {
    const here = this.#model.slotHere;
    for (const slot of this.#model.slots) {
      const item = this.#game.item(slot.id);
      const { line, field, said, clue, note } = this.#lines.get(slot.id);
      const pattern = this.#model.pattern(slot);
      // A clue that is heard may be read later: by whoever asks for that.
      clue.textContent = item.clue.text ?? gettext("Listen");
      clue.classList.toggle("visually-hidden", this.#isPictured(item));
      line.classList.toggle("is-pictured", this.#isPictured(item));
      if (item.clue.text) clue.lang = item.clue.language;
      else clue.removeAttribute("lang");
      note.textContent = item.clue.note ?? "";
      note.hidden = !item.clue.note;
      line.classList.toggle("is-current", slot === here);
      line.classList.toggle("is-found", isOpen(item));
      line.dataset.state = item.found ? "found" : isOpen(item) ? "shown" : "open";
      const state = item.found ? gettext("found") : gettext("shown");
      said.textContent = isOpen(item) ? `, ${state}` : "";
      field.readOnly = isOpen(item) || this.#game.isReadOnly;
      field.placeholder = pattern.map((letter) => letter || "·").join(" ");
      if (document.activeElement !== field) field.value = pattern.every(Boolean) ? pattern.join("") : "";
    }
    if (!here) return;
    const item = this.#game.item(here.id);
    const isPictured = this.#isPictured(item);
    this.#bar.text.replaceChildren(h("b", {}, nameOf(here)), " ", h("span", { class: isPictured ? "visually-hidden" : "" }, this.clueText(here)));
    this.bar.classList.toggle("is-pictured", isPictured);
    if (this.#bar.item !== here.id) {
      this.#bar.item = here.id;
      this.#bar.place.replaceChildren(...[picture(item.clue.picture), item.clue.sound ? this.#bar.speaker(item) : null].filter(Boolean));
    }
  }

  /** Keep the present clue in sight of its own list, without moving the page. */
  reveal() {
    const line = this.#lines.get(this.#model.slotHere?.id)?.line;
    const list = this.element;
    if (!line || list.scrollHeight <= list.clientHeight) return;
    const top = line.offsetTop - list.offsetTop;
    if (top < list.scrollTop || top + line.offsetHeight > list.scrollTop + list.clientHeight) list.scrollTop = top - list.clientHeight / 3;
  }
}
