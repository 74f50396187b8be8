import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { freshBrowser, settled } from "./browser.js";
import { Refused, Unreachable } from "../../puzzles/static/puzzles/play/api.js";
import { Game, isOpen, stateOf } from "../../puzzles/static/puzzles/play/game.js";

const item = (id, more = {}) => ({ id, found: false, revealed: false, ...more });

let api;
let game;
let heard;

beforeEach(() => {
  freshBrowser();
  api = {
    to: { state: "/api/play/7/", player: "ana" },
    sent: [],
    async attempt(attempt) {
      api.sent.push(attempt);
      return { outcome: "found", item: item(1, { found: true }), found: 1, total: 2 };
    },
    state: async () => ({ ...state(), session: { id: 7, state: "finished" } }),
  };
  game = new Game(state(), api);
  heard = [];
  for (const name of ["answer", "refused", "queued", "change", "finish"]) {
    game.addEventListener(name, () => heard.push(name));
  }
});

function state() {
  return {
    session: { id: 7, state: "open" },
    puzzle: {},
    items: [item(1), item(2)],
    found: 0,
    total: 2,
  };
}

test("a find opens the word, and the page is told before it draws anew", async () => {
  await game.attempt({ cells: [[0, 0]] });
  assert.equal(isOpen(game.item(1)), true);
  assert.equal(isOpen(game.item(2)), false);
  assert.equal(game.state.found, 1);
  assert.deepEqual(heard, ["answer", "change"]);
});

test("every attempt names its session and how long the player thought", async () => {
  await game.attempt({ cells: [[0, 0]] });
  const [{ session, latency_ms: latency }] = api.sent;
  assert.equal(session, 7);
  assert.ok(Number.isInteger(latency) && latency >= 0);
});

test("the last word ends the game, once", async () => {
  api.attempt = async () => ({
    outcome: "found",
    item: item(2, { found: true }),
    found: 2,
    total: 2,
    finished: true,
    summary: { seconds: 60 },
  });
  await game.attempt({ cells: [[0, 0]] });
  await game.attempt({ cells: [[0, 0]] });
  assert.equal(game.isFinished, true);
  assert.equal(game.isFinished, true);
  assert.deepEqual(game.state.summary, { seconds: 60 });
  assert.equal(heard.filter((name) => name === "finish").length, 1);
});

test("a game that ended on another device ends here too", async () => {
  api.attempt = async () => {
    throw new Refused(409, "session_finished", "It is over.");
  };
  await game.attempt({ cells: [[0, 0]] });
  await settled();
  assert.deepEqual(heard, ["refused", "change", "finish"]);
});

test("what waits from an earlier visit is shown as waiting when the page opens", async () => {
  api.attempt = async () => {
    throw new Unreachable();
  };
  await game.attempt({ cells: [[0, 0]] });
  const later = new Game(state(), api);
  const queued = [];
  later.addEventListener("queued", ({ detail }) => queued.push(detail.attempt.cells));
  later.resume();
  assert.deepEqual(queued, [[[0, 0]]]);
});

test("a hint that is asked for again after a lost response has the same id", async () => {
  const asked = [];
  api.hint = async (hint) => {
    asked.push(hint);
    if (asked.length === 1) throw new Unreachable();
    return { item: item(1), found: 0, total: 2 };
  };
  await assert.rejects(game.hint(1, "first_cell"), Unreachable);
  await game.hint(1, "first_cell");
  await game.hint(1, "first_cell");
  const [lost, again, another] = asked.map((hint) => hint.attempt);
  assert.equal(lost, again);
  assert.notEqual(again, another);
});

test("a word is found, shown, or open", () => {
  assert.equal(stateOf(item(1, { found: true, revealed: true })), "found");
  assert.equal(stateOf(item(1, { revealed: true })), "shown");
  assert.equal(stateOf(item(1)), "open");
});

test("letters that the server has are in the state that is kept", async () => {
  api.draft = async () => null;
  game.state.draft = { "0,0": "A" };
  game.addEventListener("saved", () => heard.push("saved"));
  await game.saveDraft({ "0,1": "B" }, false);
  assert.deepEqual(game.state.draft, { "0,0": "A", "0,1": "B" });
  assert.deepEqual(heard, ["saved"]);
});
