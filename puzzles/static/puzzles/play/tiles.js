// @ts-check
// Split typed text into tiles: grapheme clusters, and the digraphs that an alphabet counts as one
// letter. The server decides what is correct; this only fills cells.

/** @type {Intl.Segmenter | undefined} */
let segmenter;

/** @param {string} text @returns {string[]} */
function graphemes(text) {
  // Not before it is needed: a phone takes long to make one.
  if (globalThis.Intl?.Segmenter) segmenter ??= new Intl.Segmenter();
  if (segmenter) return Array.from(segmenter.segment(text), ({ segment }) => segment);
  return text.match(/\P{M}\p{M}*/gu) ?? [];
}

export class Alphabet {
  #language;
  /** @type {Map<string, string>} */
  #byLower = new Map();
  #longest = 0; // in graphemes; counted when it is needed

  /**
   * @param {string[]} letters the alphabet in its order, as used in grids; empty if unknown
   * @param {string} language a BCP 47 tag, whose rules turn small letters into capitals
   */
  constructor(letters = [], language = "und") {
    this.#language = language;
    this.letters = letters;
    for (const letter of letters) this.#byLower.set(this.#lower(letter), letter);
  }

  /** @param {string} text */
  #lower(text) {
    try {
      return text.normalize("NFC").toLocaleLowerCase(this.#language);
    } catch {
      return text.normalize("NFC").toLowerCase(); // an unknown language tag
    }
  }

  /** The alphabet's form of a letter, or its capital. @param {string} text */
  tile(text) {
    const known = this.#byLower.get(this.#lower(text));
    if (known) return known;
    let upper;
    try {
      upper = text.normalize("NFC").toLocaleUpperCase(this.#language);
    } catch {
      upper = text.normalize("NFC").toUpperCase();
    }
    return graphemes(upper).length === graphemes(text).length ? upper : text;
  }

  /**
   * Split text into tiles, the longest digraph first; spaces and punctuation are ignored.
   *
   * @param {string} text
   * @returns {string[]}
   */
  tiles(text) {
    // NFKC splits the single characters for DŽ, LJ and NJ; NFC composes letters again.
    const parts = graphemes(
      text.replace(/[\u01c4-\u01cc\u01f1-\u01f3]/g, (c) => c.normalize("NFKC")).normalize("NFC"),
    ).filter((part) => /[\p{L}\p{N}\p{M}]/u.test(part));
    this.#longest ||= Math.max(1, ...this.letters.map((letter) => graphemes(letter).length));
    const tiles = [];
    for (let at = 0; at < parts.length;) {
      let size = Math.min(this.#longest, parts.length - at);
      while (size > 1 && !this.#byLower.has(this.#lower(parts.slice(at, at + size).join("")))) {
        size -= 1;
      }
      tiles.push(this.tile(parts.slice(at, at + size).join("")));
      at += size;
    }
    return tiles;
  }

  /**
   * The tile that two consecutive pieces form, or null: L + J, क + ि.
   *
   * @param {string} before
   * @param {string} after
   */
  merge(before, after) {
    const both = before + after;
    if (this.#byLower.has(this.#lower(both))) return this.tile(both);
    return graphemes(both).length === 1 ? this.tile(both) : null;
  }

  /** Whether a tile may still grow into a longer one, such as L into LJ. @param {string} tile */
  mayGrow(tile) {
    const start = this.#lower(tile);
    return [...this.#byLower.keys()].some(
      (letter) => letter.length > start.length && letter.startsWith(start),
    );
  }
}
