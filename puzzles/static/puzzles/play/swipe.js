// @ts-check
// A swipe that is meant for the page, though the finger begins on a grid that takes all touches.

import { isCalm } from "./motion.js";

/** @typedef {{clientX: number, clientY: number, timeStamp: number}} Point */

// Who marks a word puts the finger down and then draws; a swipe is fast from its first pixels.
const DECIDED = 20; // px
const SWIPE = 0.6; // px per ms, over the first pixels
const FLICK = 1.2; // px per ms, over a whole gesture that marks nothing
const ROLLS_ON = 250; // ms

export class Swipe {
  #start;
  #last;
  #isDecided = false;
  #speed = 0;

  /** Whether the page follows the finger. */
  isScrolling = false;

  /** @param {Point} point */
  constructor(point) {
    this.#start = this.#last = point;
  }

  /** @param {Point} point @param {Point} from */
  #from(point, from) {
    const [x, y] = [point.clientX - from.clientX, point.clientY - from.clientY];
    return { x, y, far: Math.hypot(x, y), ms: Math.max(1, point.timeStamp - from.timeStamp) };
  }

  /** Take the finger's next place. @param {Point} point */
  move(point) {
    if (!this.#isDecided) {
      const { x, y, far, ms } = this.#from(point, this.#start);
      if (far < DECIDED) return;
      this.#isDecided = true;
      this.isScrolling = far / ms >= SWIPE && Math.abs(y) > 2 * Math.abs(x) && canScrollBy(-y);
    }
    if (!this.isScrolling) return;
    const { y, ms } = this.#from(point, this.#last);
    this.#speed = y / ms;
    this.#last = point;
    scrollBy({ top: -y, behavior: "instant" });
  }

  /** The finger is lifted: the page rolls on for a moment. */
  end() {
    if (this.isScrolling && !isCalm()) {
      scrollBy({ top: -this.#speed * ROLLS_ON, behavior: "smooth" });
    }
  }

  /** Whether the whole gesture was too fast for marking. @param {Point} point */
  isFlick(point) {
    const { far, ms } = this.#from(point, this.#start);
    return far / ms >= FLICK;
  }
}

/** Whether the page is higher than the window. */
export function canScroll() {
  return canScrollBy(1) || canScrollBy(-1);
}

/** Whether it is so in a direction. @param {number} by */
function canScrollBy(by) {
  const { scrollTop, scrollHeight, clientHeight } = document.documentElement;
  return by > 0 ? scrollTop + clientHeight < scrollHeight - 1 : scrollTop > 0;
}
