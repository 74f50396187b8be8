// What is said of a word that is open, with its meaning if it has one.

import { format } from "./dom.js";

const meaningOf = (item) => item.translations.join(" · ");

/** "Found kuća: house. 3 of 12." */
export function foundSentence(item, { found, total }) {
  const values = { word: item.term, meaning: meaningOf(item), found, total };
  const sentence = values.meaning
    ? gettext("Found %(word)s: %(meaning)s. %(found)s of %(total)s.")
    : gettext("Found %(word)s. %(found)s of %(total)s.");
  return format(sentence, values);
}

/** "kuća: house" */
export const withMeaning = (item) => [item.term, meaningOf(item)].filter(Boolean).join(": ");
