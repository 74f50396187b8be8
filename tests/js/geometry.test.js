import assert from "node:assert/strict";
import { describe, test } from "node:test";

import {
  columnName,
  EIGHT,
  FORWARDS,
  line,
  parseCells,
  ROW,
  snap,
} from "../../puzzles/static/puzzles/play/geometry.js";

const BOARD = { height: 10, width: 10 };

describe("a line of squares", () => {
  test("runs in each of the eight directions, both ends included", () => {
    for (const [dr, dc] of EIGHT) {
      const cells = line([5, 5], [5 + 3 * dr, 5 + 3 * dc]);
      assert.deepEqual(
        cells,
        [0, 1, 2, 3].map((n) => [5 + n * dr, 5 + n * dc]),
      );
    }
  });

  test("is one square where it ends where it begins", () => {
    assert.deepEqual(line([2, 3], [2, 3]), [[2, 3]]);
  });

  test("is none where the two squares are not straight", () => {
    assert.equal(line([0, 0], [1, 2]), null);
    assert.equal(line([4, 4], [0, 3]), null);
  });

  test("keeps to a row, and to the direction of reading, where the puzzle does", () => {
    assert.equal(line([0, 0], [3, 0], ROW), null);
    assert.equal(line([0, 4], [0, 1], ROW).length, 4);
    assert.equal(line([0, 4], [0, 1], FORWARDS), null);
    assert.equal(line([0, 1], [0, 4], FORWARDS).length, 4);
  });
});

describe("a drag", () => {
  test("that wavers snaps to the nearest of eight directions", () => {
    for (const [dr, dc] of EIGHT) {
      const wavering = [3 * dr + 0.3 * dc, 3 * dc - 0.3 * dr]; // about 6 degrees off
      assert.deepEqual(snap([4, 4], wavering, BOARD), [4 + 3 * dr, 4 + 3 * dc]);
    }
  });

  test("ends at the edge of the grid, whatever the direction", () => {
    assert.deepEqual(snap([2, 7], [40, 40], BOARD), [4, 9]);
    assert.deepEqual(snap([2, 7], [-40, -40], BOARD), [0, 5]);
    assert.deepEqual(snap([2, 7], [0, 40], BOARD), [2, 9]);
    assert.deepEqual(snap([2, 7], [40, 0], BOARD), [9, 7]);
  });

  test("against the only direction that is allowed stays at the first letter", () => {
    assert.deepEqual(snap([3, 5], [0, -4], { ...BOARD, directions: FORWARDS }), [3, 5]);
    assert.deepEqual(snap([3, 5], [0, -4], { ...BOARD, directions: ROW }), [3, 1]);
  });

  test("always ends on a square to which there is a line", () => {
    for (let degrees = 0; degrees < 360; degrees += 7) {
      const angle = (degrees * Math.PI) / 180;
      const last = snap([4, 4], [3.4 * Math.sin(angle), 3.4 * Math.cos(angle)], BOARD);
      assert.notEqual(line([4, 4], last), null, `${degrees}°`);
    }
  });
});

describe("squares that are typed", () => {
  test("are read however they are written", () => {
    const cells = [
      [4, 2],
      [8, 2],
    ];
    for (const text of ["C5 C9", "c5 c9", "C5-C9", "C5–C9", " c 5, c 9 ", "C5C9", "C5:C9"]) {
      assert.deepEqual(parseCells(text), cells, text);
    }
  });

  test("are nothing where there are not two of them", () => {
    for (const text of ["", "C5", "5C 9C", "C5 C9 C12", "C5 C", "ć5 c9", "C123 C1"]) {
      assert.equal(parseCells(text), null, text);
    }
  });

  test("use the names that stand at the columns, beyond Z too", () => {
    assert.deepEqual([0, 25, 26, 51, 52].map(columnName), ["A", "Z", "AA", "AZ", "BA"]);
    for (let column = 0; column < 100; column += 1) {
      const name = columnName(column);
      assert.deepEqual(parseCells(`${name}1 ${name}2`), [
        [0, column],
        [1, column],
      ]);
    }
  });
});
