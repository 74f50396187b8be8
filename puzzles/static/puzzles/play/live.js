// One polite live region, which also shows what just happened.

import { h } from "./dom.js";

export class Live {
  #element;
  #timer = null;
  // Only seen: each letter aloud would be too much while a word is marked.
  #spelt = h("p", { class: "spelt", dir: "auto", "aria-hidden": "true", hidden: true });

  constructor(element) {
    this.#element = element;
    element.after(this.#spelt);
  }

  /**
   * Announce a sentence, or show an element that contains it. The level "right" or "wrong" sets the
   * mark of the visible line.
   */
  say(sentence, level = "") {
    clearTimeout(this.#timer);
    // Empty it first: screen readers ignore a text that does not change.
    this.#element.textContent = "";
    this.#element.dataset.level = level;
    this.#timer = setTimeout(() => {
      this.#element.replaceChildren(sentence);
      this.spell();
    }, 40);
  }

  /** Show the letters that are being marked in the place of what was said, until there are none. */
  spell(letters = "", language = "") {
    this.#spelt.hidden = !letters;
    this.#spelt.lang = language;
    this.#spelt.textContent = letters;
  }
}
