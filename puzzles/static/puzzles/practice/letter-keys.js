// Letters that a keyboard may lack, as keys beside the field for an answer.

import { walk } from "../play/walk.js";

/** Show the keys of a toolbar, which write into the field that it controls. */
export function writeWith(toolbar) {
  const answer = document.getElementById(toolbar.getAttribute("aria-controls"));
  const keys = [...toolbar.querySelectorAll("button")];
  const stop = (key) => keys.forEach((other) => (other.tabIndex = other === key ? 0 : -1));
  toolbar.hidden = false;
  stop(keys[0]);
  // A press must not take the focus from the field, or a phone would fold its keyboard away.
  toolbar.addEventListener("pointerdown", (event) => event.preventDefault());
  toolbar.addEventListener("click", (event) => {
    const key = event.target.closest("button");
    if (!key) return;
    answer.setRangeText(key.textContent, answer.selectionStart, answer.selectionEnd, "end");
  });
  // One tab stop; arrows move between the keys.
  toolbar.addEventListener("keydown", (event) => {
    const by = walk(event.key, toolbar.dir);
    if (!by) return;
    event.preventDefault();
    const next = keys[(keys.indexOf(document.activeElement) + by + keys.length) % keys.length];
    stop(next);
    next.focus();
  });
}
