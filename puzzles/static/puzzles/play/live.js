// One polite live region, which also shows what just happened.

export class Live {
  #element;
  #timer = null;

  constructor(element) {
    this.#element = element;
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
    this.#timer = setTimeout(() => this.#element.replaceChildren(sentence), 40);
  }
}
