// Reads [[language, alphabet, rules, text], …] as JSON and writes how each text is cut as it is typed.

import { readFileSync } from "node:fs";

import { Alphabet } from "../../puzzles/static/puzzles/play/tiles.js";

const cases = JSON.parse(readFileSync(0, "utf8"));
const cut = cases.map(([language, letters, rules, text]) =>
  new Alphabet(letters, language, rules).tiles(text),
);
process.stdout.write(JSON.stringify(cut));
