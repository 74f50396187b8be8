// Lines on a grid. A cell is [row, column], counted from 0 at the first row and the reading side.

export const EIGHT = [
  [0, 1],
  [1, 1],
  [1, 0],
  [1, -1],
  [0, -1],
  [-1, -1],
  [-1, 0],
  [-1, 1],
];
export const ROW = [
  [0, 1],
  [0, -1],
];
export const FORWARDS = [[0, 1]];

export const key = (cell) => `${cell[0]},${cell[1]}`;
export const same = (a, b) => a[0] === b[0] && a[1] === b[1];

/** The cells from first to last, or null where they do not lie along one of the directions. */
export function line(first, last, directions = EIGHT) {
  if (same(first, last)) return [first];
  const rows = last[0] - first[0];
  const cols = last[1] - first[1];
  const steps = Math.max(Math.abs(rows), Math.abs(cols));
  const step = [rows / steps, cols / steps];
  if (!directions.some((direction) => same(direction, step))) return null;
  return Array.from({ length: steps + 1 }, (_, i) => [
    first[0] + i * step[0],
    first[1] + i * step[1],
  ]);
}

/** The last cell of the line from first that is nearest to the vector (in cells, fractions allowed). */
export function snap(first, [rows, cols], { height, width, directions = EIGHT }) {
  let best = null;
  for (const [dr, dc] of directions) {
    const along = (rows * dr + cols * dc) / Math.hypot(dr, dc);
    if (best === null || along > best.along) best = { along, dr, dc };
  }
  let steps = Math.max(0, Math.round(best.along / Math.hypot(best.dr, best.dc)));
  const room = (at, step, size) => (step > 0 ? size - 1 - at : step < 0 ? at : Infinity);
  steps = Math.min(steps, room(first[0], best.dr, height), room(first[1], best.dc, width));
  return [first[0] + steps * best.dr, first[1] + steps * best.dc];
}

/** A column's letters: A … Z, AA … */
export function columnName(index) {
  let name = "";
  for (let n = index + 1; n > 0; n = Math.floor((n - 1) / 26)) {
    name = String.fromCharCode(65 + ((n - 1) % 26)) + name;
  }
  return name;
}

/** Read "C5 C9" (also c5-c9) as two cells; null where it is not two cells. */
export function parseCells(text) {
  const match = /^\s*([a-z]{1,2})\s*(\d{1,2})[\s,;:–-]*([a-z]{1,2})\s*(\d{1,2})\s*$/i.exec(text);
  if (!match) return null;
  const column = (letters) =>
    [...letters.toUpperCase()].reduce((n, l) => n * 26 + l.charCodeAt(0) - 64, 0) - 1;
  return [
    [Number(match[2]) - 1, column(match[1])],
    [Number(match[4]) - 1, column(match[3])],
  ];
}
