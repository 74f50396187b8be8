// A file dropped anywhere on the page is selected and read at once.

import "./send-once.js";

const input = document.querySelector("input[type=file]");
const zone = document.querySelector("[data-drop]");

if (input && zone) {
  input.addEventListener("change", () => {
    if (input.files.length) input.form.requestSubmit();
  });
  document.addEventListener("dragover", (event) => {
    event.preventDefault();
    zone.classList.add("drop-zone--over");
  });
  document.addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) zone.classList.remove("drop-zone--over");
  });
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    zone.classList.remove("drop-zone--over");
    if (!event.dataTransfer.files.length) return;
    input.files = event.dataTransfer.files;
    input.form.requestSubmit();
  });
}
