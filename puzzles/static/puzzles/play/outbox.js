// Attempts wait here until the server has answered. They outlive a reload, keep their order, and
// carry an id that makes sending them twice harmless: two tabs may share one outbox.

import { memory } from "./dom.js";
import { newAttemptId, Refused, SignedOut, SlowDown } from "./api.js";

const RETRY = [2, 4, 8, 15, 30];
const NAME = "outbox.";

function stored(key) {
  try {
    return JSON.parse(memory.get(key)) ?? {};
  } catch {
    return {};
  }
}

/** What waits on this device as one player's: the sessions, and where their attempts go. */
export function waitingOf(player) {
  return memory
    .keys(NAME)
    .map((key) => ({ session: key.slice(NAME.length), to: stored(key).to }))
    .filter(({ to }) => to?.player === player);
}

/**
 * Events: "answer" {attempt, answer}, "refused" {attempt, error}, "status" {waiting, reason} where
 * the reason is "", "offline", "signed-out" or "slow-down", which comes with the server's message.
 */
export class Outbox extends EventTarget {
  #key;
  #send;
  #to;
  #busy = false;
  #failures = 0;
  #timer = null;
  #waiting = new Map();

  /** to: {state, player}, kept with what waits, so that any page of the player can send it. */
  constructor(session, send, to) {
    super();
    this.#key = NAME + session;
    this.#send = send;
    this.#to = to;
    addEventListener("online", () => this.flush());
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible") this.flush();
    });
  }

  get attempts() {
    return stored(this.#key).attempts ?? [];
  }

  // Read anew before each change, because another tab may have changed it.
  #change(change) {
    const attempts = change(this.attempts);
    if (attempts.length) memory.set(this.#key, JSON.stringify({ to: this.#to, attempts }));
    else memory.remove(this.#key);
  }

  /** Post an attempt. Resolves with {answer}, {error}, or {queued: attempt, message} when it has to wait. */
  submit(payload) {
    const attempt = { attempt: newAttemptId(), ...payload };
    this.#change((attempts) => [...attempts, attempt]);
    return new Promise((resolve) => {
      this.#waiting.set(attempt.attempt, resolve);
      this.flush();
    });
  }

  flush() {
    clearTimeout(this.#timer);
    if (!this.#busy) this.#run();
  }

  #settle(attempt, result) {
    this.#waiting.get(attempt.attempt)?.(result);
    this.#waiting.delete(attempt.attempt);
  }

  #remove(attempt) {
    this.#change((attempts) => attempts.filter((other) => other.attempt !== attempt.attempt));
  }

  async #run() {
    this.#busy = true;
    for (let attempt = this.attempts[0]; attempt; attempt = this.attempts[0]) {
      let answer;
      try {
        answer = await this.#send(attempt);
      } catch (error) {
        if (error instanceof Refused) {
          this.#remove(attempt);
          this.dispatchEvent(new CustomEvent("refused", { detail: { attempt, error } }));
          this.#settle(attempt, { error });
          continue;
        }
        this.#busy = false;
        if (error instanceof SlowDown) this.#pause("slow-down", error.seconds, error.message);
        else this.#pause(error instanceof SignedOut ? "signed-out" : "offline");
        return;
      }
      this.#failures = 0;
      this.#remove(attempt);
      this.dispatchEvent(new CustomEvent("answer", { detail: { attempt, answer } }));
      this.#settle(attempt, { answer });
    }
    // Before anything else can run: an attempt that arrives now must start the next round.
    this.#busy = false;
    // What another tab sent for us has its answer there; nobody here may wait for ever.
    for (const [id, resolve] of this.#waiting) {
      this.#waiting.delete(id);
      resolve({});
    }
    this.#status("");
  }

  #pause(reason, seconds = RETRY[Math.min(this.#failures, RETRY.length - 1)], message = "") {
    for (const attempt of this.attempts) this.#settle(attempt, { queued: attempt, message });
    this.#status(reason, message);
    this.#failures += 1;
    this.#timer = setTimeout(() => this.flush(), seconds * 1000);
  }

  #status(reason, message = "") {
    this.dispatchEvent(
      new CustomEvent("status", { detail: { waiting: this.attempts.length, reason, message } }),
    );
  }
}
