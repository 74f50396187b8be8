import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";

import { CrosswordModel } from "../../puzzles/static/puzzles/play/crossword-model.js";
import { Alphabet } from "../../puzzles/static/puzzles/play/tiles.js";
import { Typing } from "../../puzzles/static/puzzles/play/typing.js";

const GAJ = "A B C Č Ć D DŽ Đ E F G H I J K L LJ M N NJ O P R S Š T U V Z Ž".split(" ");
const SEAMS = [
  "n(?<=(?<!\\p{L})in)(?=j(?:ek|ic))",
  "n(?<=(?<!\\p{L})kon)(?=ju[gn])",
  "d(?<=(?<!\\p{L})(?:na|o|po|pre)d)(?=ž(?!ak))",
];
const croatian = new Alphabet(GAJ, "hr", { digraphs: ["DŽ", "LJ", "NJ"], seams: SEAMS });
const german = new Alphabet([..."ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÜẞ"], "de");

let model, typing;

/** One word across, and "abc" down from its second cell. Letters: "_" for none. */
function begin(alphabet, length, letters = "") {
  const cols = length.reduce((a, b) => a + b);
  const row = Array(cols).fill("");
  const below = row.map((_, c) => (c === 1 ? "" : null));
  model = new CrosswordModel({
    puzzle: { rows: 3, cols, grid: [row, below, below] },
    items: [
      { id: 1, number: 1, direction: "across", start: [0, 0], length },
      { id: 2, number: 2, direction: "down", start: [0, 1], length: [3] },
    ],
    draft: Object.fromEntries(
      letters
        .split(" ")
        .map((letter, c) => [`0,${c}`, letter])
        .filter(([, letter]) => letter && letter !== "_"),
    ),
  });
  typing = new Typing(model, alphabet);
}

const across = () => model.slot(1);
const row = () =>
  model
    .pattern(across())
    .map((letter) => letter || "_")
    .join(" ");

/** Press a key for each character; "<" deletes. */
function press(keys) {
  for (const character of keys) {
    if (character === "<") typing.erase();
    else typing.type(character);
  }
  return row();
}

describe("keys", () => {
  test("fill cells by the rules of cutting, again with each key", () => {
    begin(croatian, [9]);
    assert.equal(press("inje"), "I NJ E _ _ _ _ _ _");
    assert.deepEqual(model.cursor, [0, 3]);
    assert.equal(press("k"), "I N J E K _ _ _ _");
    assert.deepEqual(model.cursor, [0, 5]);
  });

  test("are cut so that solved letters fit", () => {
    begin(croatian, [5], "_ _ J _ _");
    model.locked.add("0,2");
    assert.equal(press("anja"), "A N J A _");
    begin(croatian, [5], "_ _ _ _ _");
    assert.equal(press("anja"), "A NJ A _ _");
  });

  test("are cut so that they fill the word with the letters behind them", () => {
    begin(croatian, [11], "_ _ _ _ U G A C I J A");
    assert.equal(press("konj"), "K O N J U G A C I J A");
  });

  test("do not fill a word by a wrong cut", () => {
    begin(croatian, [5]);
    assert.equal(press("ljilj"), "LJ I LJ _ _");
  });

  test("begin anew after a move", () => {
    begin(croatian, [4]);
    press("n");
    typing.end();
    assert.equal(press("j"), "N J _ _");
  });

  test("without room go over the last letter", () => {
    begin(croatian, [4]);
    assert.equal(press("listx"), "L I S X");
    assert.equal(press("yz"), "L I S Z");
  });

  test("that are no letters do nothing", () => {
    begin(croatian, [3]);
    assert.deepEqual(typing.type("´ "), []);
    assert.equal(row(), "_ _ _");
  });

  test("for a mark complete the letter at the cursor, or the one before", () => {
    begin(new Alphabet([], "hi"), [3], "_ त _");
    model.goTo([0, 1], "across");
    assert.equal(press("ि"), "_ ति _");
    begin(new Alphabet([], "hi"), [3], "क _ _");
    model.goTo([0, 1], "across");
    assert.equal(press("ि"), "कि _ _");
    begin(new Alphabet([], "hi"), [3]);
    assert.equal(press("ि"), "_ _ _");
  });

  test("come back as they were under a cut that became shorter", () => {
    begin(croatian, [4], "_ _ _ X");
    assert.equal(press("odž"), "O D Ž X");
    assert.equal(press("ak"), "O DŽ A K");
  });

  test("write two s for one ß where the word needs it", () => {
    begin(german, [6]);
    assert.equal(press("strass"), "S T R A S S");
    assert.equal(press("e"), "S T R A ẞ E");
    begin(german, [5]);
    assert.equal(press("küsse"), "K Ü S S E");
  });
});

describe("syllables that are spelt", () => {
  const hindi = new Alphabet(["अ", "इ", "ई", "क्", "ख्", "ब्", "ल्", "त्", "स्"], "hi");

  test("change with each key of theirs", () => {
    begin(hindi, [5]);
    assert.equal(press("ब"), "ब् अ _ _ _");
    assert.equal(press("ि"), "ब् इ _ _ _");
    assert.equal(press("ल"), "ब् इ ल् अ _");
    assert.equal(press("्"), "ब् इ ल् _ _");
    assert.equal(press("ली"), "ब् इ ल् ल् ई");
  });

  test("lose a letter and get another", () => {
    begin(hindi, [2]);
    assert.equal(press("बि<"), "ब् _");
    assert.equal(press("ी"), "ब् ई");
  });

  test("end in a consonant where there is no more room", () => {
    begin(hindi, [3]);
    assert.equal(press("सत"), "स् अ त्");
    assert.equal(typing.isSettled(across()), false);
    assert.equal(press("तत"), "स् अ त्");
  });

  test("come whole from an input method: Korean", () => {
    begin(new Alphabet(["ㄱ", "ㄷ", "ㅏ"], "ko"), [6]);
    typing.type("닭");
    typing.type("이");
    assert.equal(row(), "ㄷ ㅏ ㄹ ㄱ ㅇ ㅣ");
    assert.equal(typing.isSettled(across()), true);
  });
});

describe("deleting", () => {
  test("takes the letter typed last, and joins what comes together", () => {
    begin(croatian, [4]);
    assert.equal(press("lk<"), "L _ _ _");
    assert.equal(press("j"), "LJ _ _ _");
    assert.equal(press("<"), "_ _ _ _");
  });

  test("takes what was typed over and not what comes next", () => {
    begin(croatian, [3], "A B C");
    assert.equal(press("x<"), "_ B C");
    assert.deepEqual(model.cursor, [0, 0]);
  });

  test("goes back over letters of an earlier run", () => {
    begin(croatian, [3], "A B _");
    model.goTo([0, 2], "across");
    assert.equal(press("<"), "A _ _");
    assert.equal(press("<"), "_ _ _");
  });
});

function isSettled(alphabet, size, keys) {
  begin(alphabet, [size]);
  press(keys);
  return typing.isSettled(across());
}

describe("a word is settled", () => {
  test("when no key can change it any more", () => {
    assert.equal(isSettled(croatian, 3, "kon"), false);
    assert.equal(isSettled(croatian, 3, "konj"), true);
    assert.equal(isSettled(croatian, 9, "injekcija"), true);
    assert.equal(isSettled(croatian, 4, "odža"), false); // odžak
    assert.equal(isSettled(german, 6, "strass"), false);
    assert.equal(isSettled(german, 6, "strasse"), true);
  });

  test("when the student moves on", () => {
    assert.equal(isSettled(croatian, 3, "kon"), false);
    typing.end();
    assert.equal(typing.isSettled(across()), true);
  });

  test("at once with a key on screen, which is a whole letter", () => {
    begin(croatian, [3]);
    press("ko");
    typing.type("n", true);
    assert.equal(typing.isSettled(across()), true);
  });

  test("and so is a word that crosses it, once its letter is certain", () => {
    begin(croatian, [9]);
    const down = model.slot(2);
    press("il");
    assert.equal(typing.isSettled(down), false); // LJ
    press("a");
    assert.equal(typing.isSettled(down), true);
    begin(croatian, [9]);
    press("inje");
    assert.equal(typing.isSettled(model.slot(2)), false); // N or NJ
    press("kcija");
    assert.equal(typing.isSettled(model.slot(2)), true);
  });
});

function answer(alphabet, length, text) {
  begin(alphabet, length);
  const letters = typing.answer(across(), text);
  return letters && letters.map(([, letter]) => letter).join(" ");
}

describe("an answer beside its clue", () => {
  test("is cut so that it fills the word", () => {
    assert.equal(answer(croatian, [9], "injekcija"), "I N J E K C I J A");
    assert.equal(answer(croatian, [3], "konj"), "K O NJ");
    assert.equal(answer(german, [6], "STRASSE"), "S T R A ẞ E");
    assert.equal(answer(croatian, [4, 9], "dati injekciju"), "D A T I I N J E K C I J U");
    assert.equal(answer(croatian, [3, 5], "dan jedan"), "D A N J E D A N");
  });

  test("is refused with too few or too many letters", () => {
    assert.equal(answer(croatian, [9], "injekci"), null);
    assert.equal(answer(croatian, [3], "konja"), null);
  });
});

describe("changes", () => {
  beforeEach(() => begin(croatian, [4]));

  test("are taken back one by one, and made again", () => {
    press("lja<");
    assert.deepEqual(
      [1, 2, 3, 4].map(() => typing.undo() && row()),
      ["LJ A _ _", "LJ _ _ _", "L _ _ _", "_ _ _ _"],
    );
    assert.deepEqual(typing.undo(), []);
    assert.deepEqual(model.cursor, [0, 0]);
    assert.deepEqual(
      [1, 2, 3, 4].map(() => typing.redo() && row()),
      ["L _ _ _", "LJ _ _ _", "LJ A _ _", "LJ _ _ _"],
    );
    assert.deepEqual(typing.redo(), []);
  });

  test("cannot be made again after another change", () => {
    press("ab");
    typing.undo();
    press("c");
    assert.deepEqual(typing.redo(), []);
    assert.equal(row(), "A C _ _");
  });

  test("leave letters alone that were shown or solved since", () => {
    press("ab");
    typing.write([[[0, 0], "X"]], true);
    model.locked.add("0,1");
    assert.deepEqual(typing.undo(), []);
    assert.equal(row(), "X B _ _");
    assert.deepEqual(model.cursor, [0, 2]);
  });

  test("of which nothing is left are passed over", () => {
    press("ab");
    model.locked.add("0,1");
    typing.undo();
    assert.equal(row(), "_ B _ _");
  });

  test("of a whole answer are one", () => {
    typing.write(typing.answer(across(), "list"));
    assert.equal(row(), "L I S T");
    typing.undo();
    assert.equal(row(), "_ _ _ _");
  });
});
