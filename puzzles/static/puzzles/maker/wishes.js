// The words of a search: filtered by typing, and either included or excluded, not both.

import { search } from "./folded.js";

const box = document.querySelector("[data-wishes]");
const filter = box.querySelector("[data-wishes-filter]");
const count = box.querySelector("[data-wishes-count]");
const lines = [...box.querySelectorAll("[data-wish]")].map((line) => ({
  line,
  text: search(line.textContent),
}));

const ticked = (name) => box.querySelectorAll(`input[name=${name}]:checked`).length;

function tell() {
  const sentence = gettext("%(pinned)s included, %(banned)s excluded.");
  count.textContent = interpolate(
    sentence,
    { pinned: ticked("pinned"), banned: ticked("banned") },
    true,
  );
}

filter.hidden = lines.length < 12;
filter.addEventListener("input", () => {
  const wanted = search(filter.value.trim());
  for (const { line, text } of lines) line.hidden = !text.includes(wanted);
});
// Enter would start the search.
filter.addEventListener("keydown", (event) => {
  if (event.key === "Enter") event.preventDefault();
});
box.addEventListener("change", ({ target }) => {
  if (!target.matches("[type=checkbox]")) return;
  const other = target
    .closest("[data-wish]")
    .querySelector(`input[type=checkbox]:not([name=${target.name}])`);
  if (target.checked) other.checked = false;
  tell();
});
tell();
