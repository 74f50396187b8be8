// Tapping a name, or a picture, scrolls to what is tapped next: a class may have thirty names.

const form = document.querySelector("[data-picture-form]");
let isTapped = false; // arrow keys select everything they pass and must not scroll

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
