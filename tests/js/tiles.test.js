import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { Alphabet } from "../../puzzles/static/puzzles/play/tiles.js";

const GAJ = "A B C Č Ć D DŽ Đ E F G H I J K L LJ M N NJ O P R S Š T U V Z Ž".split(" ");
const croatian = new Alphabet(GAJ, "hr");
const unknown = new Alphabet([], "und");

describe("Croatian", () => {
  test("takes dž, lj and nj as one letter each", () => {
    assert.deepEqual(croatian.tiles("ljubav"), ["LJ", "U", "B", "A", "V"]);
    assert.deepEqual(croatian.tiles("džep"), ["DŽ", "E", "P"]);
    assert.deepEqual(croatian.tiles("Njemačka"), ["NJ", "E", "M", "A", "Č", "K", "A"]);
  });

  test("reads the single characters for digraphs, and letters with combining marks", () => {
    assert.deepEqual(croatian.tiles("\u01c9ubav"), croatian.tiles("ljubav")); // ǉ
    assert.deepEqual(croatian.tiles("\u01c5ep"), croatian.tiles("džep")); // ǅ
    assert.deepEqual(croatian.tiles("macka".replace("c", "c\u030c")), croatian.tiles("mačka"));
  });

  test("lets L grow into LJ, and nothing grow beyond it", () => {
    assert.equal(croatian.mayGrow("L"), true);
    assert.equal(croatian.mayGrow("d"), true);
    assert.equal(croatian.mayGrow("LJ"), false);
    assert.equal(croatian.mayGrow("A"), false);
    assert.equal(croatian.merge("L", "j"), "LJ");
    assert.equal(croatian.merge("D", "ž"), "DŽ");
    assert.equal(croatian.merge("L", "a"), null);
  });

  test("passes over spaces and punctuation", () => {
    assert.deepEqual(croatian.tiles("no, da – ne!"), ["N", "O", "D", "A", "N", "E"]);
  });
});

describe("an alphabet without digraphs", () => {
  test("takes the same letters one by one", () => {
    const english = new Alphabet([..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"], "en");
    assert.deepEqual(english.tiles("Ljubljana").slice(0, 2), ["L", "J"]);
    assert.equal(english.mayGrow("L"), false);
  });
});

describe("capitals", () => {
  test("are those of the language: Turkish i keeps its dot", () => {
    assert.deepEqual(new Alphabet([], "tr").tiles("iı"), ["İ", "I"]);
    assert.deepEqual(new Alphabet([], "en").tiles("i"), ["I"]);
  });

  test("are not taken where they would be two letters: ß stays one square", () => {
    assert.deepEqual(new Alphabet([], "de").tiles("ß"), ["ß"]);
    assert.deepEqual(new Alphabet(["ẞ"], "de").tiles("ß"), ["ẞ"]);
  });

  test("come about in a language that the browser does not know", () => {
    assert.deepEqual(new Alphabet([], "not a tag").tiles("abc"), ["A", "B", "C"]);
  });
});

describe("other scripts", () => {
  test("keep what a reader of Hindi sees as one letter together", () => {
    assert.deepEqual(unknown.tiles("किताब"), ["कि", "ता", "ब"]);
    assert.equal(unknown.merge("क", "ि"), "कि"); // typed in two strokes
    assert.equal(unknown.merge("क", "त"), null);
  });

  test("cut Arabic and Hebrew in the order of reading", () => {
    assert.deepEqual(unknown.tiles("قطة"), ["ق", "ط", "ة"]);
    assert.deepEqual(unknown.tiles("שלום"), ["ש", "ל", "ו", "ם"]);
  });

  test("keep a mark with its letter even where no single character has both", () => {
    assert.deepEqual(unknown.tiles("r\u0303a"), ["R\u0303", "A"]);
  });

  test("count a letter beyond the first 65,536 characters once", () => {
    assert.deepEqual(unknown.tiles("𞤀𞤁").length, 2);
  });
});
