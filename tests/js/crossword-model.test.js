import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";

import { CrosswordModel } from "../../puzzles/static/puzzles/play/crossword-model.js";

//   0 1 2 3 4
// 0 L A B U D
// 1 J . . . O
// 2 U . . . M
// 3 T .
// 4 I C E . P A S   (two words in one row, with a gap between them)
const grid = [
  ["", "", "", "", "", null, null],
  ["", null, null, null, "", null, null],
  ["", null, null, null, "", null, null],
  ["", null, null, null, null, null, null],
  ["", "", "", null, "", "", ""],
];
const items = [
  { id: 1, number: 1, direction: "across", start: [0, 0], length: [5] },
  { id: 2, number: 1, direction: "down", start: [0, 0], length: [5] },
  { id: 3, number: 2, direction: "down", start: [0, 4], length: [1, 2] },
  { id: 4, number: 3, direction: "across", start: [4, 0], length: [3] },
  { id: 5, number: 4, direction: "across", start: [4, 4], length: [3] },
];
const state = (more = {}) => ({ puzzle: { rows: 5, cols: 7, grid }, items, ...more });

let model;
beforeEach(() => {
  model = new CrosswordModel(state());
});

test("clues come across first, then down, by number", () => {
  assert.deepEqual(
    model.slots.map(({ number, direction }) => `${number} ${direction}`),
    ["1 across", "3 across", "4 across", "1 down", "2 down"],
  );
});

test("the cursor begins at the first letter of the first clue", () => {
  assert.deepEqual(model.cursor, [0, 0]);
  assert.equal(model.slotHere.id, 1);
});

test("the cursor begins at the first clue that is still open", () => {
  const found = { tiles: ["L", "A", "B", "U", "D"], found: true };
  const shown = { tiles: ["I", "C", "E"] };
  const opened = items.map((item) => ({ ...item, ...{ 1: found, 4: shown }[item.id] }));
  assert.equal(new CrosswordModel(state({ items: opened })).slotHere.id, 5);
  const all = items.map((item) => ({ ...item, tiles: Array(5).fill("A") }));
  assert.equal(new CrosswordModel(state({ items: all })).slotHere.id, 1);
});

test("a word of two parts has as many squares as both have letters", () => {
  assert.deepEqual(model.slot(3).cells, [
    [0, 4],
    [1, 4],
    [2, 4],
  ]);
});

test("the next gap of a word is behind the cursor, and else before it", () => {
  model.set([0, 3], "U");
  model.goTo([0, 2], "across");
  assert.ok(model.toGap());
  assert.deepEqual(model.cursor, [0, 4]);
  assert.ok(model.toGap());
  assert.deepEqual(model.cursor, [0, 0]);
  for (const [c, letter] of [..."LABUD"].entries()) model.set([0, c], letter);
  assert.ok(!model.toGap());
  assert.deepEqual(model.cursor, [0, 0]);
});

describe("crossings", () => {
  test("belong to both words: a letter written in one is in the other", () => {
    model.set([0, 4], "D");
    assert.deepEqual(model.pattern(model.slot(1)), ["", "", "", "", "D"]);
    assert.deepEqual(model.pattern(model.slot(3)), ["D", "", ""]);
    assert.deepEqual(
      model.slotsAt([0, 4]).map((slot) => slot.id),
      [1, 3],
    );
  });

  test("turn the direction; elsewhere nothing turns", () => {
    assert.equal(model.turn(), true);
    assert.equal(model.slotHere.id, 2);
    model.goTo([0, 2], "across");
    assert.equal(model.turn(), false);
    assert.equal(model.direction, "across");
  });

  test("are passed along the word one is in", () => {
    model.goTo([0, 4], "down");
    assert.equal(model.slotHere.id, 3);
    model.goTo([1, 4], "across"); // no word across there
    assert.equal(model.slotHere.id, 3);
    assert.equal(model.direction, "down");
  });
});

describe("moving", () => {
  test("stops at the ends of a word", () => {
    assert.equal(model.step(-1), false);
    for (let i = 0; i < 4; i += 1) assert.equal(model.step(1), true);
    assert.equal(model.step(1), false);
    assert.deepEqual(model.cursor, [0, 4]);
  });

  test("along the grid jumps over gaps, and stays where nothing follows", () => {
    model.goTo([4, 2], "across");
    assert.deepEqual(model.along([0, 1]), [4, 4]);
    model.goTo([4, 6], "across");
    assert.deepEqual(model.along([0, 1]), [4, 6]);
    assert.deepEqual(model.along([1, 0]), [4, 6]);
  });

  test("to a square that is not used goes nowhere", () => {
    model.goTo([1, 1]);
    assert.deepEqual(model.cursor, [0, 0]);
    model.goTo([-1, 99]);
    assert.deepEqual(model.cursor, [0, 0]);
  });

  test("from clue to clue goes round in both ways", () => {
    assert.equal(model.nextSlot(-1).id, 3); // before the first is the last
    assert.deepEqual(model.cursor, [0, 4]);
    assert.equal(model.direction, "down");
    assert.equal(model.nextSlot(1).id, 1);
  });

  test("knows the first and the last square of the grid", () => {
    assert.deepEqual(model.ends, [
      [0, 0],
      [4, 6],
    ]);
  });
});

describe("letters", () => {
  test("of an open word stand and cannot be written over", () => {
    model.take({ ...items[1], tiles: ["L", "J", "U", "T", "I"] });
    assert.equal(model.letter([4, 0]), "I");
    assert.equal(model.set([0, 0], "X"), false);
    assert.equal(model.letter([0, 0]), "L");
    assert.equal(model.set([0, 1], "A"), true);
  });

  test("of an open word win over those of a draft", () => {
    const open = items.map((item) => (item.id === 4 ? { ...item, tiles: ["I", "C", "E"] } : item));
    const again = new CrosswordModel(state({ items: open, draft: { "4,0": "X", "0,1": "A" } }));
    assert.equal(again.letter([4, 0]), "I");
    assert.equal(again.letter([0, 1]), "A");
    assert.equal(again.isLocked([0, 1]), false);
  });

  test("may be digraphs, and are taken away again", () => {
    model.set([4, 1], "LJ");
    assert.deepEqual(model.pattern(model.slot(4)), ["", "LJ", ""]);
    model.set([4, 1], "");
    assert.deepEqual(model.pattern(model.slot(4)), ["", "", ""]);
  });

  test("fill a word when the last gap is filled", () => {
    ["P", "A"].forEach((letter, i) => model.set([4, 4 + i], letter));
    assert.equal(model.isFull(model.slot(5)), false);
    model.set([4, 6], "S");
    assert.equal(model.isFull(model.slot(5)), true);
  });
});
