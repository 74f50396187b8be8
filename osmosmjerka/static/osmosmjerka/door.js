// A tap on a name, then on a picture, brings what is tapped next into view: a class has thirty
// names.

const form = document.querySelector("[data-picture-form]");
let isTapped = false; // arrow keys choose whatever they pass, and must not be carried off

form?.addEventListener("pointerdown", () => {
  isTapped = true;
});
form?.addEventListener("keydown", () => {
  isTapped = false;
});
form?.addEventListener("change", (event) => {
  if (isTapped) {
    event.target.closest("fieldset").nextElementSibling?.scrollIntoView({ block: "center" });
  }
});
