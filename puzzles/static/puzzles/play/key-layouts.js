// @ts-check
// Where people look for the letters: the rows of the keyboards of their languages, as on phones.

const QWERTY = "QWERTYUIOP ASDFGHJKL ZXCVBNM";
const QWERTZ = "QWERTZUIOP ASDFGHJKL YXCVBNM";
const AZERTY = "AZERTYUIOP QSDFGHJKLM WXCVBN";
const GAJ = "QWERTZUIOPŠĐ ASDFGHJKLČĆ YXCVBNMŽ";
const NORTH = "QWERTYUIOPÅ ASDFGHJKLÖÄ ZXCVBNM";
const VUK = "ЉЊЕРТЗУИОПШ АСДФГХЈКЛЧЋ ЏЦВБНМЂЖ";
const HEBREW = "קראטוןםפ שדגכעיחלךף זסבהנמצתץ";
// Languages, and their rows. The letters of an alphabet that are in none follow in rows of their own.
/** @type {[string, string][]} */
const LAYOUTS = [
  ["af ca cy en fil ga gd gl haw id it la lt lv ms mt nl pl sw tl uz vi", QWERTY],
  ["cs lb sk", QWERTZ],
  ["br fr", AZERTY],
  ["bs cnr hr sh sl sr-Latn", GAJ],
  ["bs-Cyrl cnr-Cyrl sr", VUK],
  ["fi sv", NORTH],
  ["nb nn no", "QWERTYUIOPÅ ASDFGHJKLØÆ ZXCVBNM"],
  ["da fo", "QWERTYUIOPÅÐ ASDFGHJKLÆØ ZXCVBNM"],
  ["et", "QWERTYUIOPÜÕ ASDFGHJKLÖÄ ZXCVBNM"],
  ["de", "QWERTZUIOPÜ ASDFGHJKLÖÄ YXCVBNMẞ"],
  ["hu", "QWERTZUIOPŐ ASDFGHJKLÉÁ YXCVBNM"],
  ["sq", "QWERTZUIOPÇ ASDFGHJKLË YXCVBNM"],
  ["es eu", "QWERTYUIOP ASDFGHJKLÑ ZXCVBNM"],
  ["pt", "QWERTYUIOP ASDFGHJKLÇ ZXCVBNM"],
  ["is", "QWERTYUIOPÐ ASDFGHJKLÆ ZXCVBNMÞÖ"],
  ["ro", "QWERTYUIOPĂÎ ASDFGHJKLȘȚ ZXCVBNMÂ"],
  ["tr", "QWERTYUIOPĞÜ ASDFGHJKLŞİ ZXCVBNMÖÇ"],
  ["az", "QÜERTYUİOPÖĞ ASDFGHJKLIƏ ZXCVBNMÇŞ"],
  ["eo", "ŜĜERTŬUIOP ASDFGHJKL ZĈCVBNM"],
  ["el", "ΕΡΤΥΘΙΟΠ ΑΣΔΦΓΗΞΚΛ ΖΧΨΩΒΝΜ"],
  ["ru", "ЙЦУКЕНГШЩЗХЪ ФЫВАПРОЛДЖЭ ЯЧСМИТЬБЮЁ"],
  ["be", "ЙЦУКЕНГШЎЗХ ФЫВАПРОЛДЖЭ ЯЧСМІТЬБЮЁ"],
  ["uk", "ЙЦУКЕНГШЩЗХЇ ФІВАПРОЛДЖЄ ЯЧСМИТЬБЮҐ"],
  ["kk", "ЙЦУКЕНГШЩЗХЪ ФЫВАПРОЛДЖЭ ЯЧСМИТЬБЮЁ ӘІҢҒҮҰҚӨҺ"],
  ["mn", "ФЦУЖЭНГШҮЗКЪ ЙЫБӨАХРОЛДП ЯЧЁСМИТЬВЮЕЩ"],
  ["mk", "ЉЊЕРТЅУИОПШЃ АСДФГХЈКЛЧЌ ЗЏЦВБНМЖ"],
  ["bg", "ЯВЕРТЪУИОПШЩ АСДФГХЙКЛЧ ЗЬЦЖБНМЮ"],
  ["he yi", HEBREW],
  ["ar", "ضصثقفغعهخحج شسيبلاتنمكط ذئءؤرىةوزظد آأإ"],
  ["fa", "ضصثقفغعهخحج شسیبلاتنمکگ ظطژزرذدپوچآ"],
];

/** @type {Map<string, string>} */
const rowsOf = new Map(
  LAYOUTS.flatMap(([languages, rows]) =>
    languages.split(" ").map((language) => /** @type {[string, string]} */ ([language, rows])),
  ),
);

// As many as a phone can show as targets for fingers.
const LONGEST = 12;

/** The layout of a language, in its script if it has several, or undefined. @param {string} language */
function layout(language) {
  const [base, ...parts] = language.split("-");
  const script = parts.find((part) => part.length === 4);
  return rowsOf.get(`${base}-${script}`) ?? rowsOf.get(base);
}

/** @param {string[]} letters @param {number} length @returns {string[][]} */
function inRows(letters, length) {
  // As even as possible: no single letter in the last row.
  const count = Math.ceil(letters.length / length);
  const each = Math.ceil(letters.length / count);
  return Array.from({ length: count }, (_, i) => letters.slice(i * each, (i + 1) * each));
}

/**
 * The letters of an alphabet in rows, as on the language's keyboard, or in their own order if none
 * is usual. Each letter is in one row.
 *
 * @param {string[]} letters
 * @param {string} language a BCP 47 tag
 * @returns {string[][]}
 */
export function keyRows(letters, language) {
  if (!letters.length) return [];
  const known = layout(language)?.split(" ") ?? [];
  const rows = known.map((row) => Array.from(row).filter((letter) => letters.includes(letter)));
  const placed = rows.flat();
  // A layout in another script than the letters says nothing about them.
  if (placed.length * 2 < letters.length) return inRows(letters, letters.length > 40 ? 10 : 9);
  const left = letters.filter((letter) => !placed.includes(letter));
  const last = /** @type {string[]} */ (rows.at(-1));
  // Two squares are left for the keys that are no letters.
  if (last.length + left.length + 2 <= LONGEST - 1) last.push(...left);
  else if (left.length) rows.push(...inRows(left, LONGEST - 2));
  return rows.filter((row) => row.length);
}
