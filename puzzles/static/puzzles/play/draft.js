// @ts-check
// Letters typed so far: saved on this device at once, on the server a moment later. A reload loses
// nothing, and letters that could not be sent are sent with the next ones.

import { memory } from "./memory.js";

// In ms, between a letter and the request.
const PAUSE = 800;

export class Draft {
  #key;
  #save;

  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /** "r,c" → letter, "" if it was removed. @type {Record<string, string>} */
  #unsent;

  /**
   * @param {string | number} session
   * @param {(cells: Record<string, string>, keepalive: boolean) => Promise<unknown>} save sends to
   *   the server; with keepalive the request outlives the page
   */
  constructor(session, save) {
    this.#key = `draft.${session}`;
    this.#save = save;
    try {
      this.#unsent = JSON.parse(memory.get(this.#key) ?? "{}");
    } catch {
      this.#unsent = {};
    }
    addEventListener("online", () => this.send());
    addEventListener("pagehide", () => this.send(true));
    if (Object.keys(this.#unsent).length) this.#later();
  }

  /** Letters that the server does not have yet; they override the server's draft. */
  get unsent() {
    return { ...this.#unsent };
  }

  /** @param {string} cell @param {string} letter */
  set(cell, letter) {
    this.#unsent[cell] = letter;
    this.#remember();
    this.#later();
  }

  #remember() {
    if (Object.keys(this.#unsent).length) memory.set(this.#key, JSON.stringify(this.#unsent));
    else memory.remove(this.#key);
  }

  #later(pause = PAUSE) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.send(), pause);
  }

  async send(keepalive = false) {
    clearTimeout(this.#timer);
    const sent = this.unsent;
    if (!Object.keys(sent).length) return;
    try {
      await this.#save(sent, keepalive);
    } catch {
      this.#later(10 * PAUSE);
      return;
    }
    // A letter that was changed in the meantime still has to be sent.
    for (const [cell, letter] of Object.entries(sent)) {
      if (this.#unsent[cell] === letter) delete this.#unsent[cell];
    }
    this.#remember();
  }
}
