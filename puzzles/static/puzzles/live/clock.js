// @ts-check
// The time that is left, counted on the device from what the server said: its own clock may be wrong.

/** @param {number} seconds */
const shown = (seconds) => {
  const left = Math.max(0, Math.ceil(seconds));
  return `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
};

export class Clock {
  /** @type {number | null} */
  #endsAt = null;
  #isStopped = false;
  #left = 0;

  constructor() {
    setInterval(() => this.#show(), 500);
  }

  /**
   * Show so many seconds, and count them down unless the game is paused.
   *
   * @param {number | null} seconds
   * @param {boolean} isStopped
   */
  set(seconds, isStopped) {
    this.#isStopped = isStopped;
    this.#left = seconds ?? 0;
    this.#endsAt = seconds === null ? null : performance.now() + seconds * 1000;
    this.#show();
  }

  #show() {
    const place = document.querySelector("[data-clock]");
    if (!(place instanceof HTMLElement)) return;
    place.hidden = this.#endsAt === null;
    if (this.#endsAt === null) return;
    const left = this.#isStopped ? this.#left : (this.#endsAt - performance.now()) / 1000;
    const text = shown(left);
    if (place.textContent !== text) place.textContent = text;
  }
}
