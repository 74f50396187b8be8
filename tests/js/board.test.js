// What grids work out without drawing it: capsules, arrows, keys, pictures.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { letters } from "../../puzzles/static/puzzles/maker/picture.js";
import { capsule, numberPlace } from "../../puzzles/static/puzzles/play/capsules.js";
import { EIGHT } from "../../puzzles/static/puzzles/play/geometry.js";
import { arrow } from "../../puzzles/static/puzzles/play/grid.js";
import { walk } from "../../puzzles/static/puzzles/play/walk.js";

const ltr = { rows: 8, cols: 8, direction: "ltr" };
const rtl = { ...ltr, direction: "rtl" };
const near = (actual, expected) =>
  assert.ok(Math.abs(actual - expected) < 1e-9, `${actual} is not ${expected}`);

/** The two ends of a capsule's middle line, as they come to lie on the board. */
function ends({ x, y, width, height, rx, transform }) {
  const [angle, cx, cy] = transform.match(/-?\d[\d.e-]*/g).map(Number);
  const [dx, dy] = [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)];
  near(x + width / 2, cx);
  near(y + height / 2, cy);
  const half = width / 2 - rx;
  return [
    [cx - half * dx, cy - half * dy],
    [cx + half * dx, cy + half * dy],
  ];
}

describe("a capsule", () => {
  test("reaches from the middle of the first letter to that of the last, in each direction", () => {
    for (const [dr, dc] of EIGHT) {
      const [first, last] = ends(
        capsule(ltr, [
          [4, 4],
          [4 + 3 * dr, 4 + 3 * dc],
        ]),
      );
      [first, last].forEach(([x, y], i) => {
        near(x, 4.5 + 3 * i * dc);
        near(y, 4.5 + 3 * i * dr);
      });
    }
  });

  test("lies mirrored where the grid is read from right to left", () => {
    const [first, last] = ends(
      capsule(rtl, [
        [0, 0],
        [0, 2],
      ]),
    );
    near(first[0], 7.5); // column 0 is at the right
    near(last[0], 5.5);
  });

  test("around one letter is a circle", () => {
    const { width, height, rx } = capsule(ltr, [[2, 2]]);
    near(width, height);
    near(rx, width / 2);
  });

  test("bears its number at the rim of the first letter, away from the second", () => {
    for (const grid of [ltr, rtl]) {
      for (const [dr, dc] of EIGHT) {
        const [x, y] = numberPlace(grid, [
          [4, 4],
          [4 + dr, 4 + dc],
        ]);
        const [cx, cy] = grid === rtl ? [3.5, 4.5] : [4.5, 4.5];
        near(Math.hypot(x - cx, y - cy), 0.4);
        const ahead = (x - cx) * (grid === rtl ? -dc : dc) + (y - cy) * dr;
        assert.ok(ahead < 0, `${dr},${dc}`);
      }
    }
  });
});

test("an arrow goes where it points, also where columns count from the right", () => {
  assert.deepEqual(arrow("ArrowRight", "ltr"), [0, 1]);
  assert.deepEqual(arrow("ArrowLeft", "rtl"), [0, 1]);
  assert.deepEqual(arrow("ArrowRight", "rtl"), [0, -1]);
  assert.deepEqual(arrow("ArrowDown", "rtl"), [1, 0]);
  assert.equal(arrow("a", "ltr"), null);
});

test("arrows walk along the on-screen keys in the direction of reading", () => {
  assert.equal(walk("ArrowRight", "ltr"), 1);
  assert.equal(walk("ArrowRight", "rtl"), -1);
  assert.equal(walk("ArrowLeft", "rtl"), 1);
  assert.equal(walk("ArrowDown", "rtl"), 1);
  assert.equal(walk("Enter", "ltr"), 0);
});

test("a picture draws a square for each letter, and none where there is no word", () => {
  const candidate = {
    grid: [
      ["LJ", null],
      ["U", "T"],
    ],
  };
  assert.deepEqual(
    [...letters(candidate)],
    [
      ["0,0", "LJ"],
      ["1,0", "U"],
      ["1,1", "T"],
    ],
  );
});
