// A player's page of a class game: asks whether the game has changed, and shows it on the board.
//
// The server says after how long to ask again. Answers go through the board's own outbox.

import { newAttemptId } from "../play/api.js";
import { format, h } from "../play/dom.js";
import { isOpen } from "../play/game.js";
import { Clock } from "./clock.js";

const JITTER = 0.15; // so that a class does not ask at the same moment
const HIDDEN = 10_000; // ms, while nobody looks
const PATIENCE = 10_000;

const place = document.querySelector("[data-live-url]");
const { liveUrl: url, mode } = place.dataset;
const clock = new Clock();
const paused = document.querySelector("[data-live-pause]");
const teams = document.querySelector("[data-live-teams]");
const ownPoints = document.querySelector("[data-live-own]");
const names = JSON.parse(document.getElementById("live-teams")?.textContent ?? "[]");

let version = 0;
let round = 0;
let after = 1000;
let timer;
let board = null; // what the page of the puzzle has built: {game, stage, live, sound, board}
let hasBegun = false;
const clues = new Map(); // of words that others answer for, by id

/** Ask once; show what has changed, and ask again later. */
async function ask() {
  clearTimeout(timer);
  try {
    const response = await fetch(`${url}?since=${version}`, {
      cache: "no-store",
      signal: AbortSignal.timeout(PATIENCE),
      headers: { Accept: "application/json" },
    });
    after = Number(response.headers.get("X-Ask-After")) || after;
    if (response.status === 200) await show(await response.json());
    else if (response.status === 404) location.reload(); // the game is closed
    else if (response.status >= 500) after = Math.min(2 * after, HIDDEN);
  } catch {
    after = Math.min(2 * after, HIDDEN); // without a connection, which the board says
  }
  const pause = document.hidden ? Math.max(after, HIDDEN) : after;
  timer = setTimeout(ask, pause * (1 - JITTER + 2 * JITTER * Math.random()));
}

async function show(told) {
  const isOther = told.state !== place.dataset.liveState;
  const isMoved = told.team !== undefined && told.team !== Number(place.dataset.liveTeam);
  // Another page: the board instead of the lobby, the end, another team, or out of the game.
  const stays = told.state === "running" || told.state === "paused";
  if ((isOther && !(stays && board)) || isMoved) {
    if (told.version !== version || isOther) location.reload();
    return;
  }
  version = told.version;
  if (!board) return;
  place.dataset.liveState = told.state;
  clock.set(told.seconds_left, told.state === "paused");
  hold(told.state === "paused");
  compare(told.teams);
  if (told.round > round + 1 && round) await board.game.refresh();
  take(told);
  if (told.round !== round) {
    round = told.round;
    const asked = told.items.findLast((item) => !isOpen(item));
    if (asked) board.game.ask(asked.id);
  }
}

/** Show the words as they are now, and who answers for those that are left. */
function take(told) {
  const { game } = board;
  for (const item of told.items) {
    clues.delete(item.id);
    // A player who asked to read a word goes on reading it.
    const known = game.item(item.id);
    if (known?.clue.text && !isOpen(item)) item.clue = known.clue;
  }
  if (told.items.length) game.update(told.items);
  if (mode !== "together") return;
  for (const item of game.items) {
    const holder = told.holders[item.id];
    if (holder && !isOpen(item)) {
      if (!clues.has(item.id)) clues.set(item.id, item.clue);
      const text = format(gettext("%(player)s has this word"), { player: holder });
      item.clue = { ...item.clue, text, language: document.documentElement.lang, picture: null };
    } else if (clues.has(item.id)) {
      item.clue = clues.get(item.id);
      clues.delete(item.id);
    }
    const line = document.querySelector(`.clue[data-item="${CSS.escape(item.id)}"]`);
    line?.classList.toggle("is-mine", holder === "");
    line?.classList.toggle("is-others", Boolean(holder));
  }
  game.update([]);
  if (!hasBegun) begin(told.holders);
  hasBegun = true;
}

/** Begin at a word of one's own: the board begins at its first word, which somebody else may have. */
function begin(holders) {
  const { model } = board.board;
  const own = (slot) => slot && holders[slot.id] === "";
  const first = model.slots.find(own);
  if (first && !own(model.slotHere)) board.board.choose(first, false);
}

/** Let nothing be done while the teacher has paused the game. */
function hold(isPaused) {
  paused.hidden = !isPaused;
  board.stage.inert = isPaused;
}

/** Say how all teams do, in the order of their numbers: nobody is the last. */
function compare(standings) {
  if (!teams || standings.length < 2) return;
  const own = Number(place.dataset.liveTeam);
  ownPoints.textContent = String(standings[own - 1].points);
  const shown = standings.filter((one) => one.players && one.number !== own);
  teams.replaceChildren(
    ...shown.map(({ number, points }) =>
      h(
        "span",
        { class: `live-score team--${number}` },
        h("span", {}, names[number - 1].name),
        " ",
        h("b", {}, String(points)),
      ),
    ),
  );
}

const button = (label, act) =>
  h("button", { type: "button", class: "menu-item", onclick: act }, label);

/** What the menu of hints offers in a game. */
function offer() {
  const menu = document.querySelector("[data-hints]");
  const { game } = board;
  const hint = async (kind, id) => {
    menu.closest("details").open = false;
    const item = id && game.item(id);
    if (!item || isOpen(item)) return;
    try {
      await game.help({ attempt: newAttemptId(), item: item.id, kind });
      ask();
    } catch (error) {
      board.live.say(error.message, "wrong");
    }
  };
  const offered = {
    together: [
      button(gettext("Pass this word on"), () => hint("pass", board.board.model?.slotHere?.id)),
    ],
    listen: [
      button(gettext("Show the word as text"), () =>
        hint("text", game.items.findLast((item) => !isOpen(item))?.id),
      ),
    ],
  }[mode];
  menu.closest("details").hidden = !offered;
  menu.replaceChildren(...(offered ?? []));
}

document.addEventListener("game", ({ detail }) => {
  board = detail;
  place.dataset.liveState = "running";
  offer();
  version = 0;
  ask();
});
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) ask();
});
addEventListener("online", ask);
if (!("stateUrl" in place.dataset)) ask(); // in the lobby there is no board
