// @ts-check
// Syllables of Korean and of Devanagari as the letters of which they are made, for lists that give
// each of them a square, like the server: 닭 is ㄷㅏㄹㄱ, बि is ब्इ.

const INITIALS = "ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ";
const VOWELS = "ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ";
const FINALS =
  "ㄱ ㄲ ㄱㅅ ㄴ ㄴㅈ ㄴㅎ ㄷ ㄹ ㄹㄱ ㄹㅁ ㄹㅂ ㄹㅅ ㄹㅌ ㄹㅍ ㄹㅎ ㅁ ㅂ ㅂㅅ ㅅ ㅆ ㅇ ㅈ ㅊ ㅋ ㅌ ㅍ ㅎ".split(" ");

const SIGNS = "ािीुूृॄॢॣॅॆेैॉॊोौ";
const VOWELS_OF_SIGNS = "आइईउऊऋॠऌॡऍऎएऐऑऒओऔ";
const CONSONANT = "[\\u0915-\\u0939\\u0978-\\u097f]\\u093c?";
const SYLLABLE = new RegExp(`(${CONSONANT})(\\u094d?)([${SIGNS}]?)`, "gu");
const LETTER = new RegExp(`${CONSONANT}\\u094d|.`, "gsu");

/** @param {string} text */
function asJamo(text) {
  return text.normalize("NFD").replace(/[\u1100-\u1112\u1161-\u1175\u11a8-\u11c2]/g, (part) => {
    const code = part.charCodeAt(0);
    if (code < 0x1161) return INITIALS[code - 0x1100];
    return code < 0x11a8 ? VOWELS[code - 0x1161] : FINALS[code - 0x11a8];
  });
}

/** @param {string} text */
function asVarnas(text) {
  return text
    .replace(/[\u200c\u200d]/g, "")
    .replace(SYLLABLE, (_, consonant, virama, sign) => {
      if (sign) return `${consonant}\u094d${VOWELS_OF_SIGNS[SIGNS.indexOf(sign)]}`;
      return `${consonant}\u094d${virama ? "" : "अ"}`;
    });
}

/**
 * How a list spells its syllables, by the letters of its keyboard: a function that returns them, or
 * null if they stay whole.
 *
 * @param {string[]} letters
 * @returns {((text: string) => string[]) | null}
 */
export function spelling(letters) {
  if (letters.includes("ㄱ")) return (text) => [...asJamo(text)];
  if (letters.includes("क्")) return (text) => asVarnas(text).match(LETTER) ?? [];
  return null;
}
