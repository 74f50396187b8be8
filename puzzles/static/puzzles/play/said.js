// What is said of a word that is open, with its meaning if it has one.

import { format } from "./dom.js";
import { isOpen } from "./game.js";

const meaningOf = (item) => item.translations.join(" · ");

/** "Found kuća: house. 3 of 12." */
export function foundSentence(item, { found, total }) {
  const values = { word: item.term, meaning: meaningOf(item), found, total };
  const sentence = values.meaning
    ? gettext("Found %(word)s: %(meaning)s. %(found)s of %(total)s.")
    : gettext("Found %(word)s. %(found)s of %(total)s.");
  return format(sentence, values);
}

/** "A bonus word! kuća: house" */
export const bonusSentence = (item) =>
  format(gettext("A bonus word! %(word)s"), { word: withMeaning(item) });

/** "kuća: house" */
export const withMeaning = (item) => [item.term, meaningOf(item)].filter(Boolean).join(": ");

/**
 * Why so many letters can be none of the words, or null: the lengths of those still to be found are
 * told beside them, unless it is for the ear to find that out.
 */
export function whyNoWord(items, count) {
  const left = items.filter((item) => !isOpen(item));
  const lengths = left.map((item) => item.length.reduce((sum, part) => sum + part, 0));
  if (!left.length || lengths.some((length) => !length || length === count)) return null;
  return format(
    ngettext("No word left has %(count)s letter.", "No word left has %(count)s letters.", count),
    { count },
  );
}
