// @ts-check
// Lines on a grid. A cell is [row, column], counted from 0 at the top and where reading begins.

/** @typedef {[row: number, column: number]} Cell */
/** @typedef {[rows: number, columns: number]} Step */

/** The eight directions in which a word can run. @type {Step[]} */

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
/** Both directions in a row. @type {Step[]} */
export const ROW = [
  [0, 1],
  [0, -1],
];
/** Only the reading direction. @type {Step[]} */
export const FORWARDS = [[0, 1]];

/** The key of a cell in a map. @param {Cell} cell */
export const key = (cell) => `${cell[0]},${cell[1]}`;

/** Whether two cells, or two steps, are the same. @param {Cell} a @param {Cell} b */
export const same = (a, b) => a[0] === b[0] && a[1] === b[1];

/**
 * The cells from first to last, or null if they are not along one of the directions.
 *
 * @param {Cell} first
 * @param {Cell} last
 * @returns {Cell[] | null}
 */
export function line(first, last, directions = EIGHT) {
  if (same(first, last)) return [first];
  const rows = last[0] - first[0];
  const cols = last[1] - first[1];
  const steps = Math.max(Math.abs(rows), Math.abs(cols));
  /** @type {Step} */
  const step = [rows / steps, cols / steps];
  if (!directions.some((direction) => same(direction, step))) return null;
  return Array.from({ length: steps + 1 }, (_, i) => [
    first[0] + i * step[0],
    first[1] + i * step[1],
  ]);
}

/**
 * The number of steps from an index to the edge.
 *
 * @param {number} at
 * @param {number} step
 * @param {number} size
 */
function room(at, step, size) {
  if (step > 0) return size - 1 - at;
  return step < 0 ? at : Infinity;
}

/**
 * The last cell of the line from first that is nearest to the vector (in cells, also fractions).
 * The line ends at the edge of the grid.
 *
 * @param {Cell} first
 * @param {Step} vector
 * @param {{height: number, width: number, directions?: Step[]}} grid
 * @returns {Cell}
 */
export function snap(first, [rows, cols], { height, width, directions = EIGHT }) {
  /** The length of the vector along a direction. @param {Step} step */
  const along = ([dr, dc]) => (rows * dr + cols * dc) / Math.hypot(dr, dc);
  const best = directions.reduce((one, other) => (along(other) > along(one) ? other : one));
  const [dr, dc] = best;
  let steps = Math.max(0, Math.round(along(best) / Math.hypot(dr, dc)));
  steps = Math.min(steps, room(first[0], dr, height), room(first[1], dc, width));
  return [first[0] + steps * dr, first[1] + steps * dc];
}

/** A column's letters: A … Z, AA … @param {number} index */
export function columnName(index) {
  let name = "";
  for (let n = index + 1; n > 0; n = Math.floor((n - 1) / 26)) {
    name = String.fromCharCode(65 + ((n - 1) % 26)) + name;
  }
  return name;
}

/** The inverse of columnName. @param {string} letters */
function column(letters) {
  return [...letters.toUpperCase()].reduce((n, l) => n * 26 + l.charCodeAt(0) - 64, 0) - 1;
}

/**
 * Parse "C5 C9" (also c5-c9) as two cells; null if it is not two cells.
 *
 * @param {string} text
 * @returns {[Cell, Cell] | null}
 */
export function parseCells(text) {
  const match = /^\s*([a-z]{1,2})\s*(\d{1,2})[\s,;:–-]*([a-z]{1,2})\s*(\d{1,2})\s*$/i.exec(text);
  if (!match) return null;
  return [
    [Number(match[2]) - 1, column(match[1])],
    [Number(match[4]) - 1, column(match[3])],
  ];
}
