import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { keyRows } from "../../puzzles/static/puzzles/play/key-layouts.js";

const letters = (text) => Array.from(text.replaceAll(" ", ""));
const shown = (rows) => rows.map((row) => row.join(""));
const LATIN = letters("ABCDEFGHIJKLMNOPQRSTUVWXYZ");
const GAJ = "A B C Č Ć D DŽ Đ E F G H I J K L LJ M N NJ O P R S Š T U V Z Ž".split(" ");

describe("the keys of a language", () => {
  test("are where its keyboards have them", () => {
    assert.deepEqual(shown(keyRows(LATIN, "en")), ["QWERTYUIOP", "ASDFGHJKL", "ZXCVBNM"]);
    assert.equal(shown(keyRows(LATIN, "fr"))[0], "AZERTYUIOP");
    assert.deepEqual(shown(keyRows([...LATIN, "Ä", "Ö", "Ü", "ẞ"], "de-AT")), [
      "QWERTZUIOPÜ",
      "ASDFGHJKLÖÄ",
      "YXCVBNMẞ",
    ]);
    const russian = letters("АБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯ");
    assert.equal(shown(keyRows(russian, "ru"))[0], "ЙЦУКЕНГШЩЗХЪ");
    assert.equal(shown(keyRows(letters("ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩ"), "el"))[1], "ΑΣΔΦΓΗΞΚΛ");
  });

  test("leave out what the alphabet lacks, and have its digraphs in the last row", () => {
    assert.deepEqual(keyRows(GAJ, "hr"), [
      ["E", "R", "T", "Z", "U", "I", "O", "P", "Š", "Đ"],
      ["A", "S", "D", "F", "G", "H", "J", "K", "L", "Č", "Ć"],
      ["C", "V", "B", "N", "M", "Ž", "DŽ", "LJ", "NJ"],
    ]);
  });

  test("have letters without a usual place in rows of their own", () => {
    const polish = letters("AĄBCĆDEĘFGHIJKLŁMNŃOÓPRSŚTUWYZŹŻ");
    assert.deepEqual(shown(keyRows(polish, "pl")).slice(1), ["ASDFGHJKL", "ZCBNM", "ĄĆĘŁŃÓŚŹŻ"]);
  });

  test("follow the script, whatever the language is mostly written in", () => {
    assert.equal(shown(keyRows(GAJ, "sr-Latn"))[0], "ERTZUIOPŠĐ");
    const vuk = letters("АБВГДЂЕЖЗИЈКЛЉМНЊОПРСТЋУФХЦЧЏШ");
    assert.equal(shown(keyRows(vuk, "sr"))[0], "ЉЊЕРТЗУИОПШ");
    assert.equal(shown(keyRows(vuk, "sr-Cyrl-ME"))[0], "ЉЊЕРТЗУИОПШ");
    // A layout in another script than the letters is none.
    assert.equal(keyRows(vuk, "hr").flat().join(""), vuk.join(""));
  });

  test("are in the alphabet's own order for an unknown language, in even rows", () => {
    assert.deepEqual(
      keyRows(LATIN, "xx").map((row) => row.length),
      [9, 9, 8],
    );
    assert.deepEqual(keyRows(LATIN, "xx").flat(), LATIN);
    assert.deepEqual(keyRows([], "en"), []);
  });
});
