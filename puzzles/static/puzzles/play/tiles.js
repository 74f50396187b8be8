// @ts-check
// Cut typed text into tiles by the server's rules: grapheme clusters, the digraphs that count as one
// letter, and the seams at which two letters are no digraph.

import { spelling } from "./syllables.js";

/** What fills a square, and the text that was typed for it. @typedef {{tile: string, text: string}} Piece */

const APOSTROPHES = "'‘’ʼʻ\u0060";
const APOSTROPHE = new RegExp(`[${APOSTROPHES}]`, "g");
// Letters by name, but no tiles, as on the server.
const MODIFIER = "[\\u02b9-\\u02d1\\u02ee]";
// A text with more digraphs than six is no word that anybody types.
const MOST_CUTS = 64;
// Scripts that write vowels and tones as marks, each with a key of its own: Thaana, those from
// Devanagari to Burmese, Khmer, Tai Tham, Balinese, Javanese, Ahom.
const MARKED =
  /[\u0780-\u07bf\u0900-\u109f\u1780-\u17ff\u1a20-\u1aaf\u1b00-\u1b7f\ua980-\ua9df\u{11700}-\u{1174f}]/u;
// Vowels of Thai and Lao that carry no mark.
const UNMARKED = /[ะาๅเ-ไະາເ-ໄ]$/u;
// Thai and Lao that look right but are typed in another order: a tone before its vowel, and am in
// its two parts, which the character after the second one has together.
const TONE_FIRST = /([\u0e48-\u0e4b\u0ec8-\u0ecb])([\u0e31\u0e34-\u0e3a\u0e47\u0eb1\u0eb4-\u0ebb])/g;
const SPLIT_AM =
  /([\u0e48-\u0e4b\u0ec8-\u0ecb]?)[\u0e4d\u0ecd]([\u0e48-\u0e4b\u0ec8-\u0ecb]?)([\u0e32\u0eb2])/g;
/** @type {(all: string, tone: string, other: string, aa: string) => string} */
const joinAm = (_, tone, other, aa) => tone + other + String.fromCharCode(aa.charCodeAt(0) + 1);
// Hebrew's final letters and their ordinary forms, which a crossword has in their place.
const FINALS = ["ךכ", "םמ", "ןנ", "ףפ", "ץצ"];
// Parts of Korean syllables.
const JAMO = /[\u1100-\u11ff]$/u;
// Vietnamese keyboards write the tone after its vowel, or write the vowel again with it.
const VIETNAMESE_VOWEL = /[aeiouy]$/i;

/** @type {Intl.Segmenter | undefined} */
let segmenter;

// Where a cluster of Unicode ends too early, as on the server: before a mark, and after the virama of
// a conjunct. Browsers before 2023 part the conjuncts of all these scripts.
const MARK = /^\p{M}/u;
const LINKED =
  /[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0c4d\u0ccd\u0d4d]\u200d?$|\u0dca\u200d$|\u200d\u0dca$/;
const LINKING = /^[\u0900-\u0b7f\u0c00-\u0dff]/;

/** @param {string} text @returns {string[]} */
function clusters(text) {
  // Not before it is needed: a phone takes long to make one.
  if (globalThis.Intl?.Segmenter) segmenter ??= new Intl.Segmenter();
  if (segmenter) return Array.from(segmenter.segment(text), ({ segment }) => segment);
  return text.match(/\P{M}[\p{M}\u200c\u200d]*/gu) ?? [];
}

/** @param {string} text @returns {string[]} */
export function graphemes(text) {
  /** @type {string[]} */
  const whole = [];
  for (const part of clusters(text)) {
    const last = whole.at(-1);
    if (last && (MARK.test(part) || (LINKED.test(last) && LINKING.test(part)))) {
      whole[whole.length - 1] += part;
    } else whole.push(part);
  }
  return whole;
}

/** A pattern that matches where it is asked to, or undefined. @param {string[]} patterns */
function sticky(patterns) {
  if (!patterns.length) return undefined;
  try {
    return new RegExp(patterns.join("|"), "iuy");
  } catch {
    // An old browser knows no lookbehind: there the server mends the cut.
    return undefined;
  }
}

/** @param {RegExp | undefined} pattern @param {string} text @param {number} at */
function matchAt(pattern, text, at) {
  if (!pattern) return "";
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? "";
}

/** @param {string} text */
const isLatin = (text) => /\p{sc=Latn}/u.test(text);

export class Alphabet {
  #language;
  #isTag;
  /** @type {Map<string, string>} */
  #byKey = new Map();
  #digraphs;
  #seams;
  #hasSharpS;
  #dropped;
  #spell;

  /**
   * @param {string[]} letters the alphabet in its order, as used in grids; empty if unknown
   * @param {string} language a BCP 47 tag, whose rules turn small letters into capitals
   * @param {{digraphs?: string[], seams?: string[]}} rules of the language, for all its words
   */
  constructor(letters = [], language = "und", { digraphs, seams = [] } = {}) {
    this.#language = language;
    try {
      this.#isTag = Intl.getCanonicalLocales(language).length > 0;
    } catch {
      this.#isTag = false;
    }
    this.letters = letters;
    this.#spell = spelling(letters);
    const pairs = digraphs ?? letters.filter((letter) => graphemes(letter).length > 1);
    for (const letter of [...letters, ...pairs]) this.#byKey.set(this.#key(letter), letter);
    for (const [final, ordinary] of FINALS) {
      if (this.#byKey.has(ordinary) && !this.#byKey.has(final)) this.#byKey.set(final, ordinary);
    }
    this.pairs = pairs.map((pair) => this.#key(pair)).sort((a, b) => b.length - a.length);
    this.#digraphs = sticky(
      this.pairs.map((pair) => `${pair.replace("'", APOSTROPHE.source)}(?!\\p{M})`),
    );
    this.#seams = sticky(seams);
    this.#hasSharpS = this.#byKey.has("ß");
    // An apostrophe is dropped unless it is a letter or part of one.
    const isKept = [...this.#byKey.keys()].some((known) => known.includes("'"));
    const kept = isKept ? APOSTROPHES : "";
    this.#dropped = new RegExp(
      `[^\\p{L}\\p{N}\\p{M}\\u200c\\u200d${kept}]|(?![${kept}])${MODIFIER}`,
      "gu",
    );
  }

  /** @param {string} text */
  #lower(text) {
    const composed = text.normalize("NFC");
    return this.#isTag ? composed.toLocaleLowerCase(this.#language) : composed.toLowerCase();
  }

  /** @param {string} text */
  #upper(text) {
    const composed = text.normalize("NFC");
    return this.#isTag ? composed.toLocaleUpperCase(this.#language) : composed.toUpperCase();
  }

  /** The same for all forms of a letter. @param {string} text */
  #key(text) {
    return this.#lower(text).replace(APOSTROPHE, "'");
  }

  /** @param {string} text */
  #isLetter(text) {
    return (
      this.#byKey.has(this.#key(text)) ||
      /[\p{L}\p{N}]/u.test(text.replace(new RegExp(MODIFIER, "g"), ""))
    );
  }

  /** The alphabet's form of a letter, or its capital. @param {string} text */
  tile(text) {
    const known = this.#byKey.get(this.#key(text));
    if (known) return known;
    const upper = this.#upper(text);
    return graphemes(upper).length === graphemes(text).length ? upper : text;
  }

  /** The letters of a text, without spaces and punctuation. @param {string} text */
  clean(text) {
    // NFKC splits the single characters for DŽ, LJ and NJ; NFC composes letters again.
    return text
      .replace(/[\u01c4-\u01cc\u01f1-\u01f3]/g, (c) => c.normalize("NFKC"))
      .normalize("NFC")
      .replace(SPLIT_AM, joinAm)
      .replace(TONE_FIRST, "$2$1")
      .replace(this.#dropped, "");
  }

  /** Cut a word into tiles as the server does. @param {string} word @returns {string[]} */
  tiles(word) {
    return this.cuts(word)[0].map(({ tile }) => tile);
  }

  /**
   * The ways to cut a text: first the server's, then those in which a digraph is two letters, or ss
   * is written for ß.
   *
   * @param {string} text
   * @param {string} before the letters of the same word before the text, which may make a seam
   * @param {number[]} breaks the numbers of tiles after which another word begins
   * @returns {Piece[][]}
   */
  cuts(text, before = "", breaks = []) {
    if (this.#spell) return this.#spelt(this.#spell(this.clean(text)));
    const whole = before + this.clean(text);
    /** Where each grapheme ends, by where it begins. @type {Map<number, number>} */
    const ends = new Map();
    let at = before.length;
    for (const part of graphemes(whole.slice(at))) ends.set(at, (at += part.length));
    const cuts = [];
    for (const cut of this.#ways({ text: whole, ends, breaks }, before.length, 0, 0)) {
      cuts.push(this.#pieces(cut));
      if (cuts.length === MOST_CUTS) break;
    }
    return cuts;
  }

  /**
   * @param {{text: string, ends: Map<number, number>, breaks: number[]}} whole
   * @param {number} at
   * @param {number} count of tiles before that
   * @param {number} begin where the word begins
   * @returns {Generator<string[]>}
   */
  *#ways(whole, at, count, begin) {
    const { text, ends, breaks } = whole;
    if (at >= text.length) {
      yield [];
      return;
    }
    if (breaks.includes(count)) begin = at;
    const single = text.slice(at, ends.get(at) ?? text.length);
    const digraph = matchAt(this.#digraphs, text, at);
    let sizes = [single.length];
    if (digraph) {
      // The server sees a seam by the letters of its word.
      const isSeam = matchAt(this.#seams, text.slice(begin), at - begin);
      sizes = [digraph.length, single.length];
      if (isSeam) sizes.reverse();
      else if (!this.#seams && !breaks.length) sizes.pop();
    } else if (this.#hasSharpS && /^ss/i.test(text.slice(at))) sizes.push(2);
    for (const size of sizes) {
      const piece = text.slice(at, at + size);
      const next = count + Number(this.#isLetter(piece));
      for (const rest of this.#ways(whole, at + size, next, begin)) yield [piece, ...rest];
    }
  }

  /** A consonant may stand without its own vowel at the end. @param {string[]} letters */
  #spelt(letters) {
    const cuts = [this.#pieces(letters)];
    if (letters.at(-1) === "अ") cuts.push(this.#pieces(letters.slice(0, -1)));
    return cuts;
  }

  /** @param {string[]} cut @returns {Piece[]} */
  #pieces(cut) {
    /** @type {Piece[]} */
    const pieces = [];
    for (const text of cut) {
      const last = pieces.at(-1);
      if (this.#isLetter(text)) {
        const isSharpS = text.length === 2 && /^ss$/i.test(text) && this.#hasSharpS;
        pieces.push({ tile: this.tile(isSharpS ? "ß" : text), text });
      } else if (last) {
        // An apostrophe may still become part of a letter.
        last.text += text;
      }
    }
    return pieces;
  }

  /**
   * Whether the next key may change a tile: L into LJ, त into ति.
   *
   * @param {string} tile
   * @param {string} typed what was typed for it last
   */
  mayGrow(tile, typed = tile) {
    const start = this.#key(tile);
    if (this.pairs.some((pair) => pair.length > start.length && pair.startsWith(start))) return true;
    if (start === "s" && this.#hasSharpS) return true;
    if (MARKED.test(tile)) return !UNMARKED.test(tile);
    if (JAMO.test(typed)) return [...tile.normalize("NFD")].length < 3;
    return /^vi\b/.test(this.#language) && VIETNAMESE_VOWEL.test(tile.normalize("NFD"));
  }

  /** Whether a text is in the alphabet's script, not the Latin of an input method. @param {string} text */
  isWrittenIn(text) {
    return this.letters.length > 0 && isLatin(text) === this.letters.some(isLatin);
  }
}
