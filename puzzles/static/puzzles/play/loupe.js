// The marked letters, large, beside the grid if there is room, else above the finger that hides them.

import { h } from "./dom.js";

const ABOVE = 44; // px between the finger and the letters
const MARGIN = 4;

export class Loupe {
  #bubble = null;

  /** Show letters for a finger at a point of the screen. */
  show(letters, { clientX, clientY }, { element, language }) {
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
    const grid = element.getBoundingClientRect();
    const above = grid.top - MARGIN - height;
    const below = grid.bottom + MARGIN;
    let y = Math.max(MARGIN, clientY - ABOVE - height);
    if (above >= MARGIN) y = above;
    else if (below + height <= document.documentElement.clientHeight - MARGIN) y = below;
    bubble.style.translate = `${x}px ${y}px`;
  }

  hide() {
    this.#bubble?.remove();
    this.#bubble = null;
  }
}
