// One polite live region, which is also the visible line of what just happened.

export class Live {
  #element;
  #timer = null;

  constructor(element) {
    this.#element = element;
  }

  /**
   * Say a sentence, or show an element that says it. The level "right" or "wrong" gives the visible
   * line its mark.
   */
  say(sentence, level = "") {
    clearTimeout(this.#timer);
    // Emptied first: a screen reader passes over a text that does not change.
    this.#element.textContent = "";
    this.#element.dataset.level = level;
    this.#timer = setTimeout(() => this.#element.replaceChildren(sentence), 40);
  }
}
