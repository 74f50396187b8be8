// @ts-check
// What this device remembers for the student; if storage is forbidden, only on this page.

/** @type {Map<string, string>} */
const onThisPage = new Map();

export const memory = {
  /** @param {string} key @returns {string | null} */
  get(key) {
    try {
      return localStorage.getItem(`osmosmjerka.${key}`);
    } catch {
      return onThisPage.get(key) ?? null;
    }
  },

  /** @param {string} key @param {string} value */
  set(key, value) {
    try {
      localStorage.setItem(`osmosmjerka.${key}`, value);
    } catch {
      onThisPage.set(key, value);
    }
  },

  /** The keys that begin with *beginning*. @param {string} beginning */
  keys(beginning) {
    try {
      return Object.keys(localStorage)
        .filter((key) => key.startsWith(`osmosmjerka.${beginning}`))
        .map((key) => key.slice("osmosmjerka.".length));
    } catch {
      return [...onThisPage.keys()].filter((key) => key.startsWith(beginning));
    }
  },

  /** @param {string} key */
  remove(key) {
    try {
      localStorage.removeItem(`osmosmjerka.${key}`);
    } catch {
      onThisPage.delete(key);
    }
  },
};
