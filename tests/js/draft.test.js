import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { comeOnline, forbidStorage, freshBrowser, leavePage, settled, tick } from "./browser.js";
import { Draft } from "../../puzzles/static/puzzles/play/draft.js";

let saved;
let isOffline;

function open() {
  return new Draft(7, async (cells, keepalive) => {
    if (isOffline) throw new Error("offline");
    saved.push({ cells, keepalive });
  });
}

beforeEach(() => {
  freshBrowser();
  saved = [];
  isOffline = false;
});

test("letters typed quickly are sent together, a moment after the last", async () => {
  const draft = open();
  draft.set("0,0", "L");
  tick(700);
  draft.set("0,1", "A");
  tick(700);
  assert.deepEqual(saved, []);
  tick(100);
  await settled();
  assert.deepEqual(saved, [{ cells: { "0,0": "L", "0,1": "A" }, keepalive: false }]);
  assert.deepEqual(draft.unsent, {});
});

test("letters outlive a reload and are sent by the next page", async () => {
  isOffline = true;
  open().set("0,0", "NJ");
  isOffline = false;
  assert.deepEqual(open().unsent, { "0,0": "NJ" });
  tick(800);
  await settled();
  assert.deepEqual(saved[0].cells, { "0,0": "NJ" });
});

test("letters typed last are sent while the page goes away", async () => {
  open().set("0,0", "L");
  leavePage();
  await settled();
  assert.deepEqual(saved, [{ cells: { "0,0": "L" }, keepalive: true }]);
});

test("what could not be sent is sent with the next, or when the connection is back", async () => {
  isOffline = true;
  const draft = open();
  draft.set("0,0", "L");
  tick(800);
  await settled();
  draft.set("0,1", "");
  isOffline = false;
  comeOnline();
  await settled();
  assert.deepEqual(saved[0].cells, { "0,0": "L", "0,1": "" });
});

test("a letter that is changed while it is being sent is sent again", async () => {
  const draft = open();
  draft.set("0,0", "L");
  const sending = draft.send();
  draft.set("0,0", "LJ");
  await sending;
  assert.deepEqual(draft.unsent, { "0,0": "LJ" });
  tick(800);
  await settled();
  assert.deepEqual(saved.at(-1).cells, { "0,0": "LJ" });
});

test("nothing is sent where nothing was typed", async () => {
  open();
  leavePage();
  comeOnline();
  await settled();
  assert.deepEqual(saved, []);
});

test("storage with nonsense, or none at all, loses no letter of this page", async () => {
  localStorage.setItem("osmosmjerka.draft.7", "{not json");
  assert.deepEqual(open().unsent, {});
  forbidStorage();
  open().set("0,0", "L");
  assert.deepEqual(open().unsent, { "0,0": "L" });
});
