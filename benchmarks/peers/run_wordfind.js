// Run wordfind (https://github.com/bunkat/wordfind, MIT) for benchmarks/word_search.py.
//
//   node run_wordfind.js [PATH_OF_wordfind.js] < jobs.json > results.json
//
// A job is {words, side, milliseconds}: restart until the time is over (once, if it is 0) and keep
// the grid that shares most letters. Without the original file, the rule of its newPuzzle is used:
// longest first, each word at random among the places of greatest overlap in eight directions; a
// word that fits nowhere ends the attempt.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(import.meta.url); // the original is a CommonJS module

const STEPS = [[0, 1], [1, 0], [1, 1], [1, -1], [0, -1], [-1, 0], [-1, -1], [-1, 1]];
const original = process.argv[2] ? require(process.argv[2]).wordfind : null;

function byRule(words, side) {
  const grid = Array.from({ length: side }, () => Array(side).fill(""));
  const placed = [];
  for (const word of [...words].sort((a, b) => b.length - a.length)) {
    let best = 0;
    let places = [];
    for (const [down, right] of STEPS) {
      const reach = word.length - 1;
      for (let r = Math.max(0, -down * reach); r < side - Math.max(0, down * reach); r++) {
        for (let c = Math.max(0, -right * reach); c < side - Math.max(0, right * reach); c++) {
          let overlap = 0;
          for (let i = 0; i < word.length; i++) {
            const there = grid[r + i * down][c + i * right];
            if (there === word[i]) overlap++;
            else if (there !== "") { overlap = -1; break; }
          }
          if (overlap > best) { best = overlap; places = []; }
          if (overlap === best) places.push([r, c, down, right]);
        }
      }
    }
    if (!places.length) return null;
    const [r, c, down, right] = places[Math.floor(Math.random() * places.length)];
    const cells = [...word].map((_, i) => [r + i * down, c + i * right]);
    cells.forEach(([y, x], i) => { grid[y][x] = word[i]; });
    placed.push({ word, cells });
  }
  return placed;
}

function byOriginal(words, side) {
  const grid = original.newPuzzle(words, { height: side, width: side, maxAttempts: 1, fillBlanks: false });
  if (grid.length !== side) return null;
  return original.solve(grid, words).found.map(({ word, x, y, orientation }) => ({
    word,
    cells: [...word].map((_, i) => {
      const at = original.orientations[orientation](x, y, i);
      return [at.y, at.x];
    }),
  }));
}

// Letters on cells where words of two lines meet; overlaps within one line do not count.
function shared(placed) {
  const lines = new Map();
  for (const { cells } of placed) {
    const [down, right] = [cells[1][0] - cells[0][0], cells[1][1] - cells[0][1]];
    const axis = down < 0 || (down === 0 && right < 0) ? [-down, -right] : [down, right];
    for (const cell of cells) {
      const key = cell.join();
      if (!lines.has(key)) lines.set(key, new Set());
      lines.get(key).add(axis.join());
    }
  }
  let count = 0;
  for (const axes of lines.values()) if (axes.size > 1) count += axes.size;
  return count;
}

function run({ words, side, milliseconds }) {
  const began = process.hrtime.bigint();
  const elapsed = () => Number(process.hrtime.bigint() - began) / 1e6;
  let best = null;
  let attempts = 0;
  let failures = 0;
  do {
    const placed = (original ? byOriginal : byRule)(words, side);
    attempts++;
    if (!placed) failures++;
    else if (!best || shared(placed) > shared(best)) best = placed;
  } while (elapsed() < milliseconds);
  return { placed: best || [], milliseconds: elapsed(), attempts, failures };
}

const jobs = JSON.parse(readFileSync(0, "utf8"));
for (const job of jobs.slice(0, 5)) run({ ...job, milliseconds: 20 }); // let V8 compile it
process.stdout.write(JSON.stringify(jobs.map(run)));
