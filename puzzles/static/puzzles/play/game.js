// A student's session at one puzzle: the state received from the server, and what is sent back.

import { newAttemptId, Refused } from "./api.js";
import { Outbox } from "./outbox.js";

/** Whether a word is open: found, revealed by a hint, or revealed because the game is over. */
export const isOpen = (item) => item.found || item.revealed;

/** The state of a word's line: "found", "shown", or "open", which means still to be found. */
export function stateOf(item) {
  if (item.found) return "found";
  return item.revealed ? "shown" : "open";
}

/**
 * Events: "answer" {attempt, answer}, "refused" {attempt, error}, "queued" {attempt}, "status"
 * {waiting, reason}, "change" after any change of the state, "saved" after letters were saved,
 * "finish" once when the last word is found.
 */
export class Game extends EventTarget {
  #api;
  #outbox;
  #hints = new Map();
  #since = performance.now();

  /** Whether the server keeps letters that were typed but not sent as an answer. */
  keepsDrafts = true;

  constructor(state, api) {
    super();
    this.state = state;
    this.#api = api;
    this.#outbox = new Outbox(
      state.session.id,
      (attempt) => api.attempt({ session: state.session.id, ...attempt }),
      api.to,
    );
    this.#outbox.addEventListener("answer", ({ detail }) => this.#apply(detail));
    this.#outbox.addEventListener("refused", ({ detail }) => this.#refused(detail));
    this.#outbox.addEventListener("status", ({ detail }) => this.#emit("status", detail));
  }

  get puzzle() {
    return this.state.puzzle;
  }
  get items() {
    return this.state.items;
  }
  get isFinished() {
    return this.state.session.state === "finished";
  }
  item(id) {
    return this.items.find((item) => item.id === id);
  }

  /** Send what an earlier visit could not. */
  resume() {
    for (const attempt of this.#outbox.attempts) this.#emit("queued", { attempt });
    this.flush();
  }

  flush() {
    this.#outbox.flush();
  }

  async attempt({ item = null, cells = null, tiles = null }) {
    const latency = Math.round(performance.now() - this.#since);
    this.#since = performance.now();
    const result = await this.#outbox.submit({ item, cells, tiles, latency_ms: latency });
    if (result.queued) this.#emit("queued", { attempt: result.queued });
    return result;
  }

  async hint(item, kind, cell = null) {
    // The same id until it is answered: asked again after a lost response, it counts once.
    const key = JSON.stringify([item, kind, cell]);
    const attempt = this.#hints.get(key) ?? newAttemptId();
    this.#hints.set(key, attempt);
    const hint = await this.#api.hint({ attempt, item, kind, cell });
    this.#hints.delete(key);
    this.#take(hint);
    return hint;
  }

  async finish() {
    this.#replace(await this.#api.finish());
  }

  async refresh() {
    this.#replace(await this.#api.state());
  }

  /** Take words as others have changed them. */
  update(items) {
    for (const item of items) this.#set(item);
    this.state.found = this.items.filter((item) => item.found).length;
    this.state.total = this.items.length;
    this.#emit("change");
  }

  /** In a class game: all look for this word now. */
  ask(id) {
    this.#emit("asked", { item: id });
  }

  /** In a class game: ask for help, which is not counted against anybody. */
  async help(hint) {
    this.#take(await this.#api.hint(hint));
  }

  async saveDraft(cells, keepalive) {
    if (!this.keepsDrafts) throw new Error("Letters stay on this device.");
    await this.#api.draft(cells, keepalive);
    // The server has them now, and so does what is kept of the state.
    this.state.draft = { ...this.state.draft, ...cells };
    this.#emit("saved");
  }

  #emit(name, detail = null) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  #replace(state) {
    const before = this.isFinished;
    this.state = state;
    this.#emit("change");
    if (!before && this.isFinished) this.#emit("finish");
  }

  #apply({ attempt, answer }) {
    this.#take(answer, () => this.#emit("answer", { attempt, answer }));
  }

  // Common to an answer and a hint: the word as it is now, and the progress of the game.
  #take(answer, then = () => {}) {
    if (answer.item) this.#set(answer.item);
    answer.summary?.bonus?.forEach((item) => this.#set(item)); // those that were missed
    this.state.found = answer.found;
    this.state.total = answer.total;
    this.state.bonus_left = answer.bonus_left;
    then();
    const ended = answer.finished && !this.isFinished;
    if (answer.finished) {
      this.state.session.state = "finished";
      this.state.summary = answer.summary ?? this.state.summary;
    }
    this.#emit("change");
    if (ended) this.#emit("finish");
  }

  #set(item) {
    const at = this.items.findIndex((one) => one.id === item.id);
    if (at >= 0) this.items[at] = item;
    else this.items.push(item); // a bonus word, of which nothing was known
  }

  #refused({ attempt, error }) {
    this.#emit("refused", { attempt, error });
    // Finished on another device: show that end here too.
    if (error instanceof Refused && error.code === "session_finished") {
      this.refresh().catch(() => {});
    }
  }
}
