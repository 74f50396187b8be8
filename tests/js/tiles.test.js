import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { Alphabet } from "../../puzzles/static/puzzles/play/tiles.js";

const GAJ = "A B C Č Ć D DŽ Đ E F G H I J K L LJ M N NJ O P R S Š T U V Z Ž".split(" ");
const croatian = new Alphabet(GAJ, "hr");
const unknown = new Alphabet([], "und");
const written = (cut) => cut.map(({ tile }) => tile).join(" ");

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
  });

  test("passes over spaces and punctuation", () => {
    assert.deepEqual(croatian.tiles("no, da – ne!"), ["N", "O", "D", "A", "N", "E"]);
  });
});

describe("seams", () => {
  // The rule and its pattern are the server's: in-jekcija.
  const seams = ["n(?<=(?<!\\p{L})in)(?=j(?:ek|ic))"];
  const rules = new Alphabet(GAJ, "hr", { digraphs: ["DŽ", "LJ", "NJ"], seams });

  test("part two letters as soon as the word shows them", () => {
    assert.deepEqual(rules.tiles("inj"), ["I", "NJ"]);
    assert.deepEqual(rules.tiles("injek"), ["I", "N", "J", "E", "K"]);
    assert.deepEqual(rules.tiles("činjek"), ["Č", "I", "NJ", "E", "K"]);
  });

  test("leave the other cut as a possibility", () => {
    assert.deepEqual(rules.cuts("injek").map(written), ["I N J E K", "I NJ E K"]);
    assert.deepEqual(rules.cuts("konj").map(written), ["K O NJ", "K O N J"]);
    assert.deepEqual(croatian.cuts("konj").map(written), ["K O NJ"]);
  });

  test("are seen by the letters before, and by those of one word alone", () => {
    assert.equal(written(rules.cuts("njek", "I")[0]), "N J E K");
    assert.equal(written(rules.cuts("satinjek", "", [3])[0]), "S A T I N J E K");
    assert.equal(written(rules.cuts("satinjek")[0]), "S A T I NJ E K");
  });

  test("are passed over where a browser cannot read their patterns", () => {
    const old = new Alphabet(GAJ, "hr", { seams: ["(?<"] });
    assert.deepEqual(old.tiles("injek"), ["I", "NJ", "E", "K"]);
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

  test("may write ß as ss, which is two letters unless the squares say otherwise", () => {
    const cuts = new Alphabet(["S", "ẞ"], "de").cuts("küss");
    assert.deepEqual(
      cuts.map((cut) => cut.map(({ tile }) => tile).join("")),
      ["KÜSS", "KÜẞ"],
    );
  });

  test("come about in a language that the browser does not know", () => {
    assert.deepEqual(new Alphabet([], "not a tag").tiles("abc"), ["A", "B", "C"]);
  });
});

describe("apostrophes", () => {
  test("are part of a letter or dropped", () => {
    const breton = new Alphabet(["C", "C'H", "CH", "H"], "br");
    assert.deepEqual(breton.tiles("c'h"), ["C'H"]);
    assert.deepEqual(breton.tiles("C’H"), ["C'H"]);
    assert.deepEqual(breton.tiles("ch"), ["CH"]);
    assert.deepEqual(unknown.tiles("l'eau"), ["L", "E", "A", "U"]);
  });

  test("and accents alone are no letters", () => {
    assert.deepEqual(unknown.tiles("´ˇ~^¨`"), []);
  });
});

describe("syllables that are spelt", () => {
  test("have a tile for each letter: Korean", () => {
    const korean = new Alphabet(["ㄱ", "ㄴ", "ㅏ"], "ko");
    assert.deepEqual(korean.tiles("닭"), ["ㄷ", "ㅏ", "ㄹ", "ㄱ"]);
    assert.deepEqual(korean.tiles("있다"), ["ㅇ", "ㅣ", "ㅆ", "ㄷ", "ㅏ"]);
    assert.deepEqual(korean.tiles("ㄷㅏㄹㄱ"), korean.tiles("닭"));
    assert.deepEqual(korean.tiles("왜"), ["ㅇ", "ㅙ"]);
  });

  test("have a tile for each letter: Hindi", () => {
    const hindi = new Alphabet(["अ", "क्", "ख्"], "hi");
    assert.deepEqual(hindi.tiles("बिल्ली"), ["ब्", "इ", "ल्", "ल्", "ई"]);
    assert.deepEqual(hindi.tiles("ब्इल्ल्ई"), hindi.tiles("बिल्ली"));
    assert.deepEqual(hindi.tiles("घर"), ["घ्", "अ", "र्", "अ"]);
    assert.deepEqual(hindi.tiles("लड़की"), ["ल्", "अ", "ड़्", "अ", "क्", "ई"]);
    assert.deepEqual(hindi.cuts("त").map(written), ["त् अ", "त्"]);
  });

  test("stay whole in other lists", () => {
    assert.deepEqual(new Alphabet(["가", "나"], "ko").tiles("닭"), ["닭"]);
    assert.deepEqual(new Alphabet(["क", "का"], "hi").tiles("बिल्ली"), ["बि", "ल्ली"]);
  });
});

describe("other scripts", () => {
  test("keep what a reader of Hindi sees as one letter together", () => {
    assert.deepEqual(unknown.tiles("किताब"), ["कि", "ता", "ब"]);
  });

  test("keep every mark with its letter, and the consonants of a conjunct together", () => {
    assert.deepEqual(unknown.tiles("ကျောင်းသား"), ["ကျော", "င်း", "သား"]);
    assert.deepEqual(unknown.tiles("විද්\u200dයාව"), ["වි", "ද්\u200dයා", "ව"]);
    assert.deepEqual(unknown.tiles("ಅಕ್ಷರ"), ["ಅ", "ಕ್ಷ", "ರ"]);
  });

  test("let letters grow that take marks, and no others", () => {
    for (const letter of ["त", "त्", "ति", "ร", "พี", "ກ", "က", "ᨠ", "𑜀"]) {
      assert.ok(unknown.mayGrow(letter), letter);
    }
    for (const letter of ["า", "เ", "A", "ا", "א", "か", "火"]) {
      assert.ok(!unknown.mayGrow(letter), letter);
    }
  });

  test("put Thai and Lao marks in the order of spelling", () => {
    assert.deepEqual(unknown.tiles("ນ\u0ec9\u0eb3"), unknown.tiles("ນ\u0ecd\u0ec9\u0eb2"));
    assert.deepEqual(unknown.tiles("น\u0e49\u0e33"), unknown.tiles("น\u0e49\u0e4d\u0e32"));
    assert.deepEqual(unknown.tiles("ที\u0e48"), unknown.tiles("ท\u0e48ี"));
    assert.deepEqual(unknown.tiles("น\u0e49\u0e33"), unknown.tiles("น\u0e4d\u0e49\u0e32"));
    assert.deepEqual(unknown.tiles("ค\u0e33"), unknown.tiles("ค\u0e4d\u0e32"));
  });

  test("let a Korean syllable grow that is typed in parts, until it ends in a consonant", () => {
    assert.equal(unknown.mayGrow("하", "\u1161"), true);
    assert.equal(unknown.mayGrow("한", "\u11ab"), false);
    assert.equal(unknown.mayGrow("하"), false); // composed by an input method
  });

  test("cut Arabic and Hebrew in the order of reading", () => {
    assert.deepEqual(unknown.tiles("قطة"), ["ق", "ط", "ة"]);
    assert.deepEqual(unknown.tiles("שלום"), ["ש", "ל", "ו", "ם"]);
  });

  test("have the ordinary form of a final letter where the keys have no final letters", () => {
    const keys = "א ב ג ד ה ו ז ח ט י כ ל מ נ ס ע פ צ ק ר ש ת".split(" ");
    assert.deepEqual(new Alphabet(keys, "he").tiles("שלום"), ["ש", "ל", "ו", "מ"]);
    assert.deepEqual(new Alphabet([...keys, "ם"], "he").tiles("שלום"), ["ש", "ל", "ו", "ם"]);
  });

  test("keep a mark with its letter even where no single character has both", () => {
    assert.deepEqual(unknown.tiles("r\u0303a"), ["R\u0303", "A"]);
  });

  test("count a letter beyond the first 65,536 characters once", () => {
    assert.deepEqual(unknown.tiles("𞤀𞤁").length, 2);
  });
});
