// The marked letters, large and above the finger that hides them.

import { h } from "./dom.js";

const ABOVE = 44; // px between the finger and the letters
const MARGIN = 4;

export class Loupe {
  #bubble = null;

  /** Show letters above a point of the screen. */
  show(letters, { clientX, clientY }, language) {
    if (!this.#bubble) {
      this.#bubble = h("p", { class: "loupe", dir: "auto", "aria-hidden": "true" });
      document.body.append(this.#bubble);
    }
    const bubble = this.#bubble;
    bubble.lang = language;
    bubble.textContent = letters;
    const { width, height } = bubble.getBoundingClientRect();
    const most = document.documentElement.clientWidth - width - MARGIN;
    const x = Math.max(MARGIN, Math.min(clientX - width / 2, most));
    const y = Math.max(MARGIN, clientY - ABOVE - height);
    bubble.style.translate = `${x}px ${y}px`;
  }

  hide() {
    this.#bubble?.remove();
    this.#bubble = null;
  }
}
