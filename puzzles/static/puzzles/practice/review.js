// The quick review: letters that a keyboard lacks, and a large button that plays the word again.

import { writeWith } from "./letter-keys.js";

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
