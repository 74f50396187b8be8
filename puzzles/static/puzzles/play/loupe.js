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
    const { clientWidth, clientHeight } = document.documentElement;
    const { height } = bubble.getBoundingClientRect();
    const grid = element.getBoundingClientRect();
    const above = grid.top - MARGIN - height;
    const below = grid.bottom + MARGIN;
    let y = Math.max(MARGIN, clientY - ABOVE - height);
    if (above >= MARGIN) y = above;
    else if (below + height <= clientHeight - MARGIN) y = below;
    // Percentages are of the bubble itself, which grows if its font comes only now.
    const x = `clamp(${MARGIN}px, ${clientX}px - 50%, ${clientWidth - MARGIN}px - 100%)`;
    bubble.style.translate = `${x} ${y}px`;
  }

  hide() {
    this.#bubble?.remove();
    this.#bubble = null;
  }
}
