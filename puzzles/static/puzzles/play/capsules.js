// Capsules drawn under the letters. All fills share one group's opacity, so that crossings do not
// darken the background of letters. Outlines are above all fills; numbers identify the word.

import { svg } from "./dom.js";

const WIDTH = 0.8;
const COLOURS = 12;
const NUMBER_FITS = 30; // px per cell; below this a number would cover its neighbour

/** The middle of a cell as [x, y]; column 0 is at the right in right-to-left grids. */
function centre({ cols, direction }, [r, c]) {
  return [direction === "rtl" ? cols - 1 - c + 0.5 : c + 0.5, r + 0.5];
}

/** The attributes of a horizontal rectangle around the cells of a word, rotated along the word. */
export function capsule(grid, cells) {
  const [x1, y1] = centre(grid, cells[0]);
  const [x2, y2] = centre(grid, cells.at(-1));
  const length = Math.hypot(x2 - x1, y2 - y1) + WIDTH;
  const angle = (Math.atan2(y2 - y1, x2 - x1) * 180) / Math.PI;
  const [x, y] = [(x1 + x2) / 2, (y1 + y2) / 2];
  return {
    x: x - length / 2,
    y: y - WIDTH / 2,
    width: length,
    height: WIDTH,
    rx: WIDTH / 2,
    transform: `rotate(${angle} ${x} ${y})`,
  };
}

/** The place of a word's number: at the edge of its first letter, facing away from the word. */
export function numberPlace(grid, cells) {
  const [x1, y1] = centre(grid, cells[0]);
  const [x2, y2] = centre(grid, cells.at(-1));
  const angle = Math.atan2(y1 - y2, x1 - x2) + Math.PI / 4;
  return [x1 + 0.4 * Math.cos(angle), y1 + 0.4 * Math.sin(angle)];
}

export class Capsules {
  #grid;
  #fills = svg("g", { class: "capsule-fills" });
  #outlines = svg("g", { class: "capsule-outlines" });
  #numbers = svg("g", { class: "capsule-numbers" });
  #preview = svg("g", { class: "capsule-preview" });
  #drawn = new Map();

  constructor(grid) {
    this.#grid = grid;
    this.element = svg(
      "svg",
      {
        class: "capsules",
        viewBox: `0 0 ${grid.cols} ${grid.rows}`,
        preserveAspectRatio: "none",
        "aria-hidden": "true",
        focusable: "false",
      },
      this.#fills,
      this.#outlines,
      this.#numbers,
      this.#preview,
    );
    new ResizeObserver(([entry]) => {
      this.element.classList.toggle(
        "capsules--numbered",
        entry.contentRect.width / grid.cols >= NUMBER_FITS,
      );
    }).observe(this.element);
  }

  #shape(cells, attributes) {
    return svg("rect", { ...capsule(this.#grid, cells), ...attributes });
  }

  #number(cells, number) {
    const [x, y] = numberPlace(this.#grid, cells);
    return [
      svg("circle", { cx: x, cy: y, r: 0.17 }),
      svg("text", { x, y: y + 0.075, "text-anchor": "middle", "font-size": 0.22 }, String(number)),
    ];
  }

  /** Draw an open word; from the thirteenth it is dashed, a word that was revealed is dotted. */
  add(id, cells, index, isFound = true) {
    if (this.#drawn.has(id)) return;
    const colour = `colour-${index % COLOURS}`;
    const classes = ["capsule", colour];
    if (index >= COLOURS) classes.push("capsule--dashed");
    if (!isFound) classes.push("capsule--shown");
    const outline = this.#shape(cells, { class: classes.join(" ") });
    const fill = this.#shape(cells, { class: colour });
    const number = svg("g", { class: colour }, this.#number(cells, index + 1));
    this.#fills.append(fill);
    this.#outlines.append(outline);
    this.#numbers.append(number);
    this.#drawn.set(id, { outline, fill, number });
  }

  /** Draw an answer that waits for the server. */
  addPending(id, cells) {
    if (this.#drawn.has(id)) return;
    const outline = this.#shape(cells, { class: "capsule capsule--pending" });
    this.#outlines.append(outline);
    this.#drawn.set(id, { outline });
  }

  remove(id) {
    for (const part of Object.values(this.#drawn.get(id) ?? {})) part.remove();
    this.#drawn.delete(id);
  }

  /** Highlight one word, or none. */
  emphasise(id) {
    this.element.classList.toggle("capsules--one", this.#drawn.has(id));
    for (const [other, { outline }] of this.#drawn) {
      outline.classList.toggle("is-one", other === id);
    }
  }

  preview(cells) {
    this.#preview.replaceChildren(
      ...(cells ? [this.#shape(cells, { class: "capsule-drag" })] : []),
    );
  }

  /** Draw rings around cells, for hints. */
  ring(cells) {
    const rings = cells.map((cell) => this.#shape([cell], { class: "capsule-ring" }));
    this.element.append(...rings);
    setTimeout(() => rings.forEach((ring) => ring.remove()), 6000);
  }
}
