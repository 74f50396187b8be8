// A clock for matching, off unless the student switches it on. This device remembers the best time
// of each student, list and number of pairs; nobody else's is shown.

import { format } from "../play/dom.js";
import { memory } from "../play/memory.js";

const shown = (seconds) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;

export class Clock {
  #root;
  #said;
  #begun = null;
  // A board that was begun before, as on another device, took longer than this page knows.
  #isWhole;
  #timer;

  /** *said* is where the end says what the best time is. */
  constructor(root, said, isWhole) {
    this.#root = root;
    this.#said = said;
    this.#isWhole = isWhole;
    root.hidden = false;
    this.#switch.addEventListener("click", () => this.#toggle());
    this.#show();
  }

  get #switch() {
    return this.#root.querySelector("button");
  }

  get #isOn() {
    return memory.get("clock") === "on";
  }

  get #seconds() {
    return this.#begun === null ? 0 : Math.round((Date.now() - this.#begun) / 1000);
  }

  #toggle() {
    memory.set("clock", this.#isOn ? "off" : "on");
    this.#show();
  }

  #show() {
    this.#switch.setAttribute("aria-pressed", String(this.#isOn));
    const time = this.#root.querySelector("[data-time]");
    time.textContent = this.#isOn && this.#isWhole ? shown(this.#seconds) : "";
  }

  /** Begin with the first tile that is chosen, also while the clock is not shown. */
  begin() {
    if (this.#begun !== null) return;
    this.#begun = Date.now();
    this.#timer = setInterval(() => this.#show(), 1000);
  }

  /** Say the time of a board that is over beside the best one, if the clock is on. */
  end() {
    clearInterval(this.#timer);
    this.#show();
    if (!this.#isOn || !this.#isWhole) return;
    const key = `best.${this.#root.dataset.clock}`;
    const best = Number(memory.get(key) ?? Number.POSITIVE_INFINITY);
    const isBest = this.#seconds < best;
    if (isBest) memory.set(key, String(this.#seconds));
    const times = { time: shown(this.#seconds), best: shown(best) };
    this.#said.textContent = isBest
      ? format(gettext("%(time)s is your best time."), times)
      : format(gettext("Your best time is %(best)s."), times);
  }
}
