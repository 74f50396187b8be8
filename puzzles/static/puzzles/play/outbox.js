// @ts-check
// Attempts wait here until the server has answered. They survive a reload, stay in order, and have
// an id that makes it harmless to send them twice: two tabs may share one outbox.

import { newAttemptId, Refused, SignedOut, SlowDown, Unreachable } from "./api.js";
import { memory } from "./memory.js";

/** What is posted: its id, and the cells or letters of the student's answer. */
/** @typedef {{attempt: string, [name: string]: unknown}} Attempt */
/** The address of attempts, and the student. @typedef {{state: string, player: string}} To */
/** @typedef {{answer?: any, error?: Error, queued?: Attempt, message?: string}} Result */

// Seconds until the next retry; the last one is repeated.
const RETRY = [2, 4, 8, 15, 30];
const NAME = "outbox.";

/** @param {string} key @returns {{to?: To, attempts?: Attempt[]}} */
function stored(key) {
  try {
    return JSON.parse(memory.get(key) ?? "null") ?? {};
  } catch {
    return {};
  }
}

/**
 * The attempts of one student that wait on this device: their sessions and addresses.
 *
 * @param {string} player
 */
export function waitingOf(player) {
  return memory
    .keys(NAME)
    .map((key) => ({ session: key.slice(NAME.length), to: stored(key).to }))
    .filter(({ to }) => to?.player === player);
}

/**
 * Events: "answer" {attempt, answer}, "refused" {attempt, error}, "status" {waiting, reason} where
 * the reason is "", "offline", "busy", "signed-out" or "slow-down", with the server's message.
 */
export class Outbox extends EventTarget {
  #key;
  #send;
  #to;
  #busy = false;
  #failures = 0;

  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /** Callbacks of this page that wait for an answer, by attempt. @type {Map<string, Function>} */
  #waiting = new Map();

  /**
   * @param {string | number} session
   * @param {(attempt: Attempt) => Promise<any>} send
   * @param {To} to stored with the attempts, so that any page of the student can send them
   */
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

  /** The waiting attempts, the oldest first. @returns {Attempt[]} */
  get attempts() {
    return stored(this.#key).attempts ?? [];
  }

  /**
   * Change the attempts, reading them again first because another tab may have changed them.
   *
   * @param {(attempts: Attempt[]) => Attempt[]} change
   */
  #change(change) {
    const attempts = change(this.attempts);
    if (attempts.length) memory.set(this.#key, JSON.stringify({ to: this.#to, attempts }));
    else memory.remove(this.#key);
  }

  /**
   * Post an attempt. Resolves with {answer}, {error}, or {queued: attempt, message} if it has to
   * wait.
   *
   * @param {Record<string, unknown>} payload
   * @returns {Promise<Result>}
   */
  submit(payload) {
    // Sent perhaps days later: the answer counts for the day on which it was given.
    const answered_at = new Date().toISOString();
    const attempt = { attempt: newAttemptId(), answered_at, ...payload };
    this.#change((attempts) => [...attempts, attempt]);
    return new Promise((resolve) => {
      this.#waiting.set(attempt.attempt, resolve);
      this.flush();
    });
  }

  /** Send the waiting attempts, unless they are being sent. */
  flush() {
    clearTimeout(this.#timer);
    if (!this.#busy) this.#run();
  }

  /** @param {Attempt} attempt @param {Result} result */
  #settle(attempt, result) {
    this.#waiting.get(attempt.attempt)?.(result);
    this.#waiting.delete(attempt.attempt);
  }

  /** @param {Attempt} attempt */
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
        else if (error instanceof SignedOut) this.#pause("signed-out");
        else this.#pause(error.seconds ? "busy" : "offline", this.#patience(error));
        return;
      }
      this.#failures = 0;
      this.#remove(attempt);
      this.dispatchEvent(new CustomEvent("answer", { detail: { attempt, answer } }));
      this.#settle(attempt, { answer });
    }
    // Before anything else can run: an attempt that arrives now must start the next round.
    this.#busy = false;
    // If another tab sent an attempt, it got the answer; nothing here may wait forever.
    for (const [id, resolve] of this.#waiting) {
      this.#waiting.delete(id);
      resolve({});
    }
    this.#status("");
  }

  /** The seconds until the next retry: longer each time, and no less than the server asks for. */
  #patience(error) {
    const usual = RETRY[Math.min(this.#failures, RETRY.length - 1)];
    return error instanceof Unreachable ? Math.max(usual, error.seconds) : usual;
  }

  /**
   * @param {"offline" | "busy" | "signed-out" | "slow-down"} reason
   * @param {number} seconds
   * @param {string} message
   */
  #pause(reason, seconds = this.#patience(), message = "") {
    for (const attempt of this.attempts) this.#settle(attempt, { queued: attempt, message });
    this.#status(reason, message);
    this.#failures += 1;
    this.#timer = setTimeout(() => this.flush(), seconds * 1000);
  }

  /** @param {string} reason @param {string} message */
  #status(reason, message = "") {
    this.dispatchEvent(
      new CustomEvent("status", { detail: { waiting: this.attempts.length, reason, message } }),
    );
  }
}
