import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";

import { freshBrowser, tick } from "./browser.js";
import {
  Api,
  newAttemptId,
  Refused,
  SignedOut,
  SlowDown,
  Unreachable,
} from "../../puzzles/static/puzzles/play/api.js";

let asked;
const api = new Api("/api/play/7/", "ana");

function serve(status, body, headers = {}) {
  globalThis.fetch = async (url, options) => {
    asked.push({ url, ...options });
    const text = typeof body === "string" ? body : JSON.stringify(body);
    return new Response(status === 204 ? null : text, { status, headers });
  };
}

beforeEach(() => {
  freshBrowser();
  asked = [];
});

test("an attempt goes to its session as the player of this page, with the token", async () => {
  serve(200, { outcome: "found" });
  assert.deepEqual(await api.attempt({ item: 1 }), { outcome: "found" });
  const [{ url, method, body, headers }] = asked;
  assert.deepEqual([url, method], ["/api/play/7/attempts/", "POST"]);
  const { sent_at, ...sent } = JSON.parse(body);
  assert.deepEqual(sent, { item: 1 });
  assert.ok(Math.abs(Date.now() - Date.parse(sent_at)) < 60_000);
  assert.equal(headers["X-Player"], "ana");
  assert.equal(headers["X-CSRFToken"], "t0ken");
});

test("the cookie's token counts, not that of a page which was kept for days", async () => {
  document.querySelector = () => ({ value: "of-another-day" });
  serve(200, {});
  await api.attempt({ item: 1 });
  assert.equal(asked[0].headers["X-CSRFToken"], "t0ken");
  document.cookie = "";
  await api.attempt({ item: 1 });
  assert.equal(asked[1].headers["X-CSRFToken"], "of-another-day");
});

test("asking for the state sends neither a body nor the token", async () => {
  serve(200, { items: [] });
  await api.state();
  assert.equal("body" in asked[0], false);
  assert.equal("X-CSRFToken" in asked[0].headers, false);
});

describe("what went wrong is told apart", () => {
  for (const [what, status, body, kind] of [
    ["a server that is being restarted", 503, "<h1>503</h1>", Unreachable],
    ["a proxy that answers in its place", 502, "", Unreachable],
    ["a request that took too long", 408, "", Unreachable],
    ["a page where JSON was due", 200, "<html>", Unreachable],
    ["a session that ended", 401, {}, SignedOut],
    ["somebody else who logged in", 403, {}, SignedOut],
    ["too many wrong attempts", 429, { detail: "Wait." }, SlowDown],
    ["a puzzle that is over", 409, { code: "session_finished", detail: "Over." }, Refused],
  ]) {
    test(what, async () => {
      serve(status, body);
      await assert.rejects(api.attempt({}), kind);
    });
  }

  test("no connection", async () => {
    globalThis.fetch = async () => {
      throw new TypeError("Failed to fetch");
    };
    await assert.rejects(api.state(), Unreachable);
  });

  test("a server that never answers is given up", async () => {
    globalThis.fetch = (_, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason));
      });
    const asking = assert.rejects(api.state(), Unreachable);
    tick(15_000);
    await asking;
  });
});

test("a refusal brings the server's sentence and its code", async () => {
  serve(409, { code: "session_finished", detail: "It is over." });
  const refusal = await api.attempt({}).catch((error) => error);
  assert.deepEqual([refusal.code, refusal.message], ["session_finished", "It is over."]);
});

test("what only a programmer understands is not read to the student", async () => {
  serve(400, { code: "invalid", detail: "cells: Not a valid list.", errors: [{}] });
  const refusal = await api.attempt({}).catch((error) => error);
  assert.equal(refusal.message, "The server did not accept this. Reload the page and try again.");
});

test("who must wait learns how long", async () => {
  serve(429, { detail: "Wait." }, { "Retry-After": "33" });
  assert.equal((await api.attempt({}).catch((error) => error)).seconds, 33);
  serve(429, "");
  assert.equal((await api.attempt({}).catch((error) => error)).seconds, 10);
});

test("a server that has too much to do says when to try again", async () => {
  serve(503, { detail: "Busy." }, { "Retry-After": "7" });
  assert.equal((await api.attempt({}).catch((error) => error)).seconds, 7);
  serve(503, "");
  assert.equal((await api.attempt({}).catch((error) => error)).seconds, 0);
});

test("an id is made where an insecure page offers no randomUUID", () => {
  const { crypto } = globalThis;
  const UUID4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
  assert.match(newAttemptId(), UUID4);
  Object.defineProperty(globalThis, "crypto", {
    value: { getRandomValues: (bytes) => crypto.getRandomValues(bytes) },
    configurable: true,
  });
  try {
    const ids = Array.from({ length: 100 }, newAttemptId);
    for (const id of ids) assert.match(id, UUID4);
    assert.equal(new Set(ids).size, 100);
  } finally {
    Object.defineProperty(globalThis, "crypto", { value: crypto, configurable: true });
  }
});
