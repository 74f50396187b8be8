// The quick review: letters that a keyboard lacks, and a large button that plays the word again.

import { walk } from "../play/keys.js";

const answer = document.getElementById("answer");

function writeWith(toolbar) {
  const keys = [...toolbar.querySelectorAll("button")];
  const stop = (key) => keys.forEach((other) => (other.tabIndex = other === key ? 0 : -1));
  toolbar.hidden = false;
  stop(keys[0]);
  // A press must not take the focus from the field, or a phone would fold its keyboard away.
  toolbar.addEventListener("pointerdown", (event) => event.preventDefault());
  toolbar.addEventListener("click", (event) => {
    const key = event.target.closest("button");
    if (!key) return;
    answer.setRangeText(key.textContent, answer.selectionStart, answer.selectionEnd, "end");
  });
  // One tab stop; arrows move between the keys.
  toolbar.addEventListener("keydown", (event) => {
    const by = walk(event.key, toolbar.dir);
    if (!by) return;
    event.preventDefault();
    const next = keys[(keys.indexOf(document.activeElement) + by + keys.length) % keys.length];
    stop(next);
    next.focus();
  });
}

function failed() {
  document.querySelector("[data-no-sound]")?.removeAttribute("hidden");
}

function replayWith(box) {
  const audio = box.querySelector("audio");
  const button = box.querySelector("[data-replay-button]");
  audio.addEventListener("error", failed);
  if (audio.error) failed();
  audio.controls = false;
  button.hidden = false;
  button.addEventListener("click", () => {
    audio.currentTime = 0;
    audio.play().catch(() => {}); // the "error" event has told why
  });
}

document.querySelectorAll("[data-letter-keys]").forEach(writeWith);
document.querySelectorAll("[data-replay]").forEach(replayWith);
