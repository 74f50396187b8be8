// Matching: one of each column is chosen, in either order; the server says whether they are a pair.

import { toast } from "../../osmosmjerka/app.js";
import { format } from "../play/dom.js";
import { Live } from "../play/live.js";
import { Sound } from "../play/sound.js";
import { Clock } from "./clock.js";

const board = document.querySelector("[data-match]");
const live = new Live(board.querySelector("[data-said]"));
const sound = new Sound();
const tiles = [...board.querySelectorAll(".tile")];
const columnOf = (tile) => tile.closest(".match-column");
const chosenIn = (name) => tiles.find((tile) => name in tile.dataset && isChosen(tile));
const isChosen = (tile) => tile.getAttribute("aria-pressed") === "true";
const choose = (tile, chosen) => tile.setAttribute("aria-pressed", String(chosen));
const said = (tile) => tile.textContent.trim().replace(/\s+/g, " ");
const FREE = ".tile:not(:disabled, [data-asked])";
const clock = new Clock(
  board.querySelector("[data-clock]"),
  board.querySelector("[data-best]"),
  tiles.every((tile) => !tile.disabled),
);
let asking = Promise.resolve();

async function ask(word, meaning) {
  const form = new FormData();
  for (const field of board.querySelectorAll("input")) form.set(field.name, field.value);
  form.set("word", word.dataset.word);
  form.set("meaning", meaning.dataset.meaning);
  const reply = await fetch(location.pathname, { method: "POST", body: form });
  // Logged out, or the words may not be asked any more: the page itself says so.
  if (reply.redirected || reply.status === 404) location.reload();
  if (!reply.ok || reply.redirected) throw new Error(String(reply.status));
  return reply.json();
}

function showProgress({ done, label }) {
  const bar = document.querySelector("progress");
  bar.value = done;
  bar.setAttribute("aria-label", label);
  document.querySelector(".progress-label").textContent = label;
}

function matched(word, meaning, judged) {
  const pair = { word: said(word), meaning: said(meaning) };
  live.say(format(gettext("Correct: %(word)s – %(meaning)s"), pair), "right");
  sound.chime(judged.left ? "right" : "done");
  const last = [word, meaning].find((tile) => tile === document.activeElement);
  word.disabled = meaning.disabled = true;
  showProgress(judged);
  if (!judged.left) clock.end();
  const next = board.querySelector("[data-next]");
  next.hidden = judged.left > 0;
  if (!next.hidden) next.querySelector("a").focus();
  // A disabled button loses the focus. The next pair begins in the other column.
  else if (last) columnOf(last === word ? meaning : word).querySelector(FREE)?.focus();
}

function refused(word, meaning) {
  live.say(gettext("Not a pair. Try again."), "wrong");
  sound.chime("wrong");
  word.dataset.wrong = meaning.dataset.wrong = "";
}

async function judge(word, meaning) {
  try {
    const judged = await ask(word, meaning);
    if (judged.is_right) matched(word, meaning, judged);
    else refused(word, meaning);
  } catch {
    toast(gettext("This could not be sent. Try again in a moment."), "warning");
  } finally {
    for (const tile of [word, meaning]) delete tile.dataset.asked;
  }
}

board.addEventListener("click", (event) => {
  const tile = event.target.closest(".tile");
  if (!tile || "asked" in tile.dataset) return;
  clock.begin();
  if (tile.dataset.sound) sound.play(tile.dataset.sound);
  for (const other of tiles) delete other.dataset.wrong;
  // A sound that is pressed again is heard again, and stays chosen.
  const isFree = !isChosen(tile) || "sound" in tile.dataset;
  for (const other of columnOf(tile).querySelectorAll(".tile")) choose(other, false);
  choose(tile, isFree);
  const [word, meaning] = [chosenIn("word"), chosenIn("meaning")];
  if (!word || !meaning) return;
  for (const one of [word, meaning]) {
    choose(one, false);
    one.dataset.asked = "";
  }
  // One after the other, while the next pair may be chosen.
  asking = asking.then(() => judge(word, meaning));
});
