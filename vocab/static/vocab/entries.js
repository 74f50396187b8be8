// Keyboard control of the table of words: arrows move between rows, Enter edits, Escape cancels,
// Alt with an arrow moves the row; after adding a word, the next empty form gets the focus.

function rows() {
  return [...document.querySelectorAll("#entry-rows > [data-entry]")];
}

document.addEventListener("keydown", (event) => {
  const form = event.target.closest("[data-entry-form]");
  if (form) {
    if (event.key === "Escape") form.querySelector("[data-cancel]").click();
    return;
  }
  const row = event.target.closest("[data-entry]");
  if (!row) return;
  const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  if (step && event.altKey) {
    row.querySelector(step < 0 ? "[data-up]" : "[data-down]")?.click();
  } else if (step) {
    const all = rows();
    const next = all[all.indexOf(row) + step];
    if (next) (next.querySelector("[data-edit]") ?? next).focus();
  } else if ((event.key === "Enter" && event.target === row) || event.key === "F2") {
    row.querySelector("[data-edit]")?.click();
  } else {
    return;
  }
  event.preventDefault();
});

// Ticks: all of a page by one box; with Shift, by mouse or keyboard, all from the last one to this.
const BOXES = "#entry-rows input[name=entries]";
let lastBox = null;
let isShift = false;

for (const name of ["keydown", "keyup", "pointerdown"]) {
  document.addEventListener(name, (event) => {
    isShift = event.shiftKey;
  }, true);
}

// Otherwise a click with Shift selects text.
document.addEventListener("mousedown", (event) => {
  if (event.shiftKey && event.target.closest("#entry-rows .check")) event.preventDefault();
});

function boxes() {
  return [...document.querySelectorAll(BOXES)];
}

function boxOfAll() {
  return document.querySelector("[data-all]");
}

document.addEventListener("change", ({ target }) => {
  if (target === boxOfAll()) {
    for (const box of boxes()) box.checked = target.checked;
  } else if (target.matches(BOXES)) {
    const all = boxes();
    const here = all.indexOf(target);
    const last = isShift ? all.indexOf(lastBox) : -1;
    if (last >= 0) {
      const range = all.slice(Math.min(here, last), Math.max(here, last) + 1);
      for (const box of range) box.checked = target.checked;
    }
    lastBox = target;
    boxOfAll().checked = all.every((box) => box.checked);
  }
});

// A box for all that was ticked while a search was on its way is about the words that it found.
document.addEventListener("htmx:afterSwap", (event) => {
  if (event.target.id !== "found" || !boxOfAll()?.checked) return;
  for (const box of boxes()) box.checked = true;
});

// A link to what is folded, such as the form for a word, opens it.
document.addEventListener("click", ({ target }) => {
  const place = target.closest('a[href^="#"]')?.hash.slice(1);
  const folded = place && document.getElementById(place);
  if (folded instanceof HTMLDetailsElement) folded.open = true;
});

document.addEventListener("htmx:afterSettle", (event) => {
  const element = event.target;
  if (element.matches?.("[data-entry-add][data-added]")) element.querySelector("input")?.focus();
  const opened = element.querySelector?.("[data-entry-form]");
  if (opened) opened.querySelector("input:not([type=hidden])")?.focus();
  else if (element.matches?.("[data-entry]")) element.querySelector("[data-edit]")?.focus();
});
