/** The form of a text for searching: without case and accents. */
export function search(text) {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}
