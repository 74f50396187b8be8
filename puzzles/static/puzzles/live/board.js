// The projector's page of a class game: its sound, its clock, its keys. htmx asks for the rest.

import { Sound } from "../play/sound.js";
import { Clock } from "./clock.js";

const stale = document.querySelector("[data-live-stale]");
const sound = new Sound();
const clock = new Clock();
let said = ""; // the sound of the round that was played

const part = () => document.getElementById("live");

function show() {
  const { dataset } = part();
  const seconds = dataset.secondsLeft;
  clock.set(seconds === undefined ? null : Number(seconds), dataset.state !== "running");
  if (dataset.state === "running" && dataset.says && dataset.says !== said) say();
}

function say() {
  said = part().dataset.says;
  sound.play(said);
}

document.addEventListener("htmx:afterSettle", show);
document.addEventListener("htmx:afterRequest", (event) => {
  if (event.detail.successful) stale.hidden = true;
});
// Not when a control takes the place of a question that was on its way.
for (const failure of ["htmx:sendError", "htmx:timeout", "htmx:responseError"]) {
  document.addEventListener(failure, () => {
    stale.hidden = false;
  });
}
document.addEventListener("htmx:beforeSwap", (event) => {
  const { xhr } = event.detail;
  // The page says so if the teacher has logged out meanwhile, or the game is closed.
  const isElsewhere = new URL(xhr.responseURL).pathname !== location.pathname;
  if (isElsewhere || [403, 404].includes(xhr.status)) {
    event.detail.shouldSwap = false;
    location.reload();
  }
});
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) part().dispatchEvent(new Event("refresh"));
});
document.addEventListener("click", (event) => {
  if (event.target.closest("[data-say]")) say();
  const url = event.target.closest("[data-sound]")?.dataset.sound;
  if (url) sound.play(url);
});
document.addEventListener("keydown", (event) => {
  if (event.repeat || event.altKey || event.ctrlKey || event.metaKey) return;
  if (document.querySelector("dialog[open]")) return;
  const letter = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const key = letter === " " ? "Space" : letter;
  // A button that has the focus is pressed by the space key itself.
  if (key === "Space" && event.target.closest("input, select, a, button, summary")) return;
  const button = [...document.querySelectorAll("[data-key]")].find((one) => one.dataset.key === key);
  if (!button || button.disabled) return;
  event.preventDefault();
  button.click();
});

const fullScreen = document.querySelector("[data-full-screen]");
if (fullScreen && document.fullscreenEnabled) {
  fullScreen.hidden = false;
  fullScreen.addEventListener("click", () => document.querySelector("main").requestFullscreen());
}
show();
