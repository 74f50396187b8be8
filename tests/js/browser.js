// As much of a browser as the pure modules touch: storage, events of window and page, gettext.

import { webcrypto } from "node:crypto";

/** Timers that move by `tick` alone: no test waits for a time. */
class Clock {
  #now = 0;
  #timers = new Map();
  #last = 0;

  set(act, delay = 0) {
    this.#last += 1;
    this.#timers.set(this.#last, { at: this.#now + delay, act });
    return this.#last;
  }

  clear(id) {
    this.#timers.delete(id);
  }

  tick(milliseconds) {
    this.#now += milliseconds;
    const due = [...this.#timers].filter(([, { at }]) => at <= this.#now);
    for (const [id, { act }] of due) {
      this.#timers.delete(id);
      act();
    }
  }
}

/** Storage lists its keys as its own properties, as the browser's does. */
class Storage {
  getItem(key) {
    return Object.hasOwn(this, key) ? this[key] : null;
  }
  setItem(key, value) {
    this[key] = String(value);
  }
  removeItem(key) {
    delete this[key];
  }
}

// Node 18, which Debian 12 has, lacks these two.
globalThis.crypto ??= webcrypto;
globalThis.CustomEvent ??= class extends Event {
  constructor(name, { detail = null } = {}) {
    super(name);
    this.detail = detail;
  }
};
globalThis.gettext = (sentence) => sentence;
globalThis.interpolate = (sentence, values) =>
  sentence.replace(/%\((\w+)\)s/g, (_, name) => values[name]);

let window;
let page;
let clock;

/** Begin with an empty device and a page that nobody has opened. */
export function freshBrowser() {
  window = new EventTarget();
  page = new EventTarget();
  clock = new Clock();
  page.visibilityState = "visible";
  page.cookie = "csrftoken=t0ken";
  page.querySelector = () => null;
  globalThis.document = page;
  globalThis.addEventListener = (name, act) => window.addEventListener(name, act);
  globalThis.setTimeout = (act, delay) => clock.set(act, delay);
  globalThis.clearTimeout = (id) => clock.clear(id);
  Object.defineProperty(globalThis, "localStorage", { value: new Storage(), configurable: true });
}

/** As where a browser forbids storage: every use of it throws. */
export function forbidStorage() {
  Object.defineProperty(globalThis, "localStorage", {
    get() {
      throw new Error("SecurityError");
    },
    configurable: true,
  });
}

export const tick = (milliseconds) => clock.tick(milliseconds);
export const comeOnline = () => window.dispatchEvent(new Event("online"));
export const leavePage = () => window.dispatchEvent(new Event("pagehide"));
export const showPage = () => page.dispatchEvent(new Event("visibilitychange"));

/** Let pending promises go on until none of them has anything left to do. */
export const settled = () => new Promise((resolve) => setImmediate(resolve));
