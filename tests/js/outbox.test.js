import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";

import { comeOnline, forbidStorage, freshBrowser, settled, showPage, tick } from "./browser.js";
import {
  Refused,
  SignedOut,
  SlowDown,
  Unreachable,
} from "../../puzzles/static/puzzles/play/api.js";
import { Outbox, waitingOf } from "../../puzzles/static/puzzles/play/outbox.js";

const TO = { state: "/api/play/7/", player: "ana" };

/** A server that can be cut off, and remembers what reached it. */
class Server {
  received = [];
  problem = null;

  send = async (attempt) => {
    if (this.problem) throw this.problem;
    this.received.push(attempt);
    return { outcome: "found", item: attempt.item };
  };

  get items() {
    return this.received.map(({ item }) => item);
  }
}

let server;
let outbox;
let statuses;

function open(session = 7) {
  const opened = new Outbox(session, (attempt) => server.send(attempt), TO);
  opened.addEventListener("status", ({ detail }) => statuses.push(detail));
  return opened;
}

beforeEach(() => {
  freshBrowser();
  server = new Server();
  statuses = [];
  outbox = open();
});

test("an answer comes back to whoever sent the attempt", async () => {
  const { answer } = await outbox.submit({ item: 1 });
  assert.deepEqual(answer, { outcome: "found", item: 1 });
  assert.deepEqual(outbox.attempts, []);
});

test("attempts are sent one after the other, in their order", async () => {
  let atOnce = 0;
  const { send } = server;
  server.send = async (attempt) => {
    atOnce += 1;
    assert.equal(atOnce, 1);
    await settled();
    atOnce -= 1;
    return send(attempt);
  };
  await Promise.all([1, 2, 3, 4].map((item) => outbox.submit({ item })));
  assert.deepEqual(server.items, [1, 2, 3, 4]);
});

describe("without a connection", () => {
  beforeEach(() => {
    server.problem = new Unreachable();
  });

  test("what is found waits and the player is told", async () => {
    const { queued } = await outbox.submit({ item: 1 });
    assert.equal(queued.item, 1);
    assert.deepEqual(statuses.at(-1), { waiting: 1, reason: "offline", message: "" });
  });

  test("what waits is sent in its order as soon as the connection is back", async () => {
    for (const item of [1, 2, 3]) await outbox.submit({ item });
    assert.equal(outbox.attempts.length, 3);
    server.problem = null;
    comeOnline();
    await settled();
    assert.deepEqual(server.items, [1, 2, 3]);
    assert.deepEqual(statuses.at(-1), { waiting: 0, reason: "", message: "" });
  });

  test("it is tried again by itself, ever less often", async () => {
    let tries = 0;
    server.send = async () => {
      tries += 1;
      throw new Unreachable();
    };
    await outbox.submit({ item: 1 });
    for (const [seconds, expected] of [
      [2, 2],
      [4, 3],
      [8, 4],
      [15, 5],
      [30, 6],
      [30, 7],
    ]) {
      tick(seconds * 1000 - 1);
      await settled();
      assert.equal(tries, expected - 1, `before ${seconds} s are over`);
      tick(1);
      await settled();
      assert.equal(tries, expected, `after ${seconds} s`);
    }
  });

  test("what waits outlives the page, with the same id", async () => {
    const { queued } = await outbox.submit({ item: 1 });
    server.problem = null;
    const reopened = open();
    reopened.flush();
    await settled();
    assert.deepEqual(
      server.received.map(({ attempt }) => attempt),
      [queued.attempt],
    );
  });

  test("any page of the same player knows of it, and none of another player's", async () => {
    await outbox.submit({ item: 1 });
    assert.deepEqual(waitingOf("ana"), [{ session: "7", to: TO }]);
    assert.deepEqual(waitingOf("ivo"), []);
  });

  test("it is tried again when the page is looked at once more", async () => {
    await outbox.submit({ item: 1 });
    server.problem = null;
    showPage();
    await settled();
    assert.deepEqual(server.items, [1]);
  });
});

test("an answer that was lost on its way is asked for again under the same id", async () => {
  const ids = [];
  server.send = async (attempt) => {
    ids.push(attempt.attempt);
    if (ids.length === 1) throw new Unreachable("the answer did not arrive");
    return { outcome: "found" };
  };
  await outbox.submit({ item: 1 });
  outbox.flush();
  await settled();
  assert.equal(ids.length, 2);
  assert.equal(ids[0], ids[1]);
});

test("two attempts never share an id", async () => {
  await Promise.all([outbox.submit({ item: 1 }), outbox.submit({ item: 1 })]);
  const [first, second] = server.received;
  assert.notEqual(first.attempt, second.attempt);
});

test("what the server refuses is dropped, and the next is sent", async () => {
  const refused = [];
  outbox.addEventListener("refused", ({ detail }) => refused.push(detail.attempt.item));
  const { send } = server;
  server.send = async (attempt) => {
    if (attempt.item === 1) throw new Refused(409, "session_finished", "It is over.");
    return send(attempt);
  };
  const [first, second] = await Promise.all([1, 2].map((item) => outbox.submit({ item })));
  assert.equal(first.error.message, "It is over.");
  assert.equal(second.answer.item, 2);
  assert.deepEqual(refused, [1]);
  assert.deepEqual(outbox.attempts, []);
});

test("who is logged out keeps what was found", async () => {
  server.problem = new SignedOut();
  await outbox.submit({ item: 1 });
  assert.equal(statuses.at(-1).reason, "signed-out");
  assert.equal(outbox.attempts.length, 1);
});

test("who is too fast is told to wait, and is sent on after the seconds that the server names", async () => {
  server.problem = new SlowDown("Not so fast.", 7);
  const { message } = await outbox.submit({ item: 1 });
  assert.equal(message, "Not so fast.");
  server.problem = null;
  tick(6999);
  await settled();
  assert.deepEqual(server.items, []);
  tick(1);
  await settled();
  assert.deepEqual(server.items, [1]);
});

test("what a busy server refuses is kept, and sent when it asked to try again", async () => {
  server.problem = new Unreachable("503", 7);
  const { queued } = await outbox.submit({ item: 1 });
  assert.equal(queued.item, 1);
  assert.equal(statuses.at(-1).reason, "busy");
  server.problem = null;
  tick(6999);
  await settled();
  assert.deepEqual(server.items, []);
  tick(1);
  await settled();
  assert.deepEqual(server.items, [1]);
});

test("without its word, the first retry comes sooner", async () => {
  server.problem = new Unreachable("503");
  await outbox.submit({ item: 1 });
  server.problem = null;
  tick(2000);
  await settled();
  assert.deepEqual(server.items, [1]);
});

test("two tabs share one outbox: what the other sent is not sent again", async () => {
  server.problem = new Unreachable();
  const other = open();
  await outbox.submit({ item: 1 });
  await other.submit({ item: 2 });
  server.problem = null;
  other.flush();
  await settled();
  outbox.flush();
  await settled();
  assert.deepEqual(server.items, [1, 2]);
});

test("another session's attempts stay apart", async () => {
  server.problem = new Unreachable();
  await outbox.submit({ item: 1 });
  assert.deepEqual(open(8).attempts, []);
});

test("storage that somebody else wrote nonsense into is an empty outbox", () => {
  localStorage.setItem("osmosmjerka.outbox.7", "{not json");
  assert.deepEqual(outbox.attempts, []);
  localStorage.setItem("osmosmjerka.outbox.7", "null");
  assert.deepEqual(outbox.attempts, []);
});

test("where storage is forbidden the page itself remembers", async () => {
  forbidStorage();
  server.problem = new Unreachable();
  await outbox.submit({ item: 1 });
  assert.equal(outbox.attempts.length, 1);
  server.problem = null;
  comeOnline();
  await settled();
  assert.deepEqual(server.items, [1]);
});
