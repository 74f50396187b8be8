// A crossword as a picture: its solution, or its empty squares with their numbers.

import { svg } from "../play/dom.js";
import { isCalm } from "../play/motion.js";

const CELL = 10;

/** The cells with letters: "r,c" → letter. */
export function letters(candidate) {
  const found = new Map();
  candidate.grid.forEach((row, r) =>
    row.forEach((tile, c) => tile && found.set(`${r},${c}`, tile)),
  );
  return found;
}

/**
 * Draw a candidate. Without letters it is the sheet for students. *before* contains the letters of
 * the previous picture: new letters fade in. Column 0 is at the right in RTL scripts.
 */
export function picture(
  candidate,
  { direction, language, label, solution = true, numbers = true, before = null },
) {
  const { rows, cols } = candidate;
  const x = (c) => (direction === "rtl" ? cols - 1 - c : c) * CELL;
  const box = svg("svg", {
    class: "crossword-picture",
    viewBox: `-0.5 -0.5 ${cols * CELL + 1} ${rows * CELL + 1}`,
    role: "img",
    "aria-label": label,
    lang: language,
  });
  for (const [place, tile] of letters(candidate)) {
    const [r, c] = place.split(",").map(Number);
    const square = svg("rect", {
      class: "square",
      x: x(c),
      y: r * CELL,
      width: CELL,
      height: CELL,
    });
    box.append(square);
    if (!solution) continue;
    const size = ([...tile].length > 1 ? 0.8 : 1) * (numbers ? 5.6 : 6.2);
    const letter = svg(
      "text",
      { class: "tile", x: x(c) + CELL / 2, y: r * CELL + (numbers ? 8.2 : 7.3), "font-size": size },
      tile,
    );
    box.append(letter);
    if (before && before.get(place) !== tile && !isCalm()) {
      letter.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 400, easing: "ease-out" });
    }
  }
  if (!numbers) return box;
  for (const {
    number,
    start: [r, c],
  } of candidate.placements) {
    const at = direction === "rtl" ? x(c) + CELL - 0.7 : x(c) + 0.7;
    box.append(
      svg(
        "text",
        {
          class: "square-number",
          x: at,
          y: r * CELL + 2.9,
          "font-size": 2.7,
          "text-anchor": direction === "rtl" ? "end" : "start",
        },
        String(number),
      ),
    );
  }
  return box;
}
