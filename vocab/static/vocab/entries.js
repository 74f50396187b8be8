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

document.addEventListener("change", (event) => {
  if (!event.target.matches("[data-all]")) return;
  for (const box of document.querySelectorAll("#entry-rows input[name=entries]")) {
    box.checked = event.target.checked;
  }
});

document.addEventListener("htmx:afterSettle", (event) => {
  const element = event.target;
  if (element.matches?.("[data-entry-add][data-added]")) element.querySelector("input")?.focus();
  const opened = element.querySelector?.("[data-entry-form]");
  if (opened) opened.querySelector("input:not([type=hidden])")?.focus();
  else if (element.matches?.("[data-entry]")) element.querySelector("[data-edit]")?.focus();
});
