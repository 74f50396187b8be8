/** Text to search in: without case and accents. */
export function search(text) {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}
