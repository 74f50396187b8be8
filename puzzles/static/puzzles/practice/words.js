// A student's words: a loudspeaker plays its word here. Without this, its link opens the sound.

import { toast } from "../../osmosmjerka/app.js";
import { Sound } from "../play/sound.js";

const sound = new Sound();

async function play(speaker) {
  if (!(await sound.play(speaker.getAttribute("href")))) {
    toast(gettext("The sound cannot be played."), "warning");
  }
}

for (const speaker of document.querySelectorAll("a[data-sound]")) {
  speaker.setAttribute("role", "button");
  speaker.addEventListener("click", (event) => {
    event.preventDefault();
    play(speaker);
  });
  speaker.addEventListener("keydown", (event) => {
    if (event.key !== " ") return;
    event.preventDefault();
    play(speaker);
  });
}
