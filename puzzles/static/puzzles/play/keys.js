// On-screen keys from the language's alphabet: for phones, and for letters that a keyboard lacks.

import { h, icon } from "./dom.js";

/** The direction in which an arrow key moves: 1 forwards, -1 backwards, 0 for any other key. */
export function walk(name, direction) {
  const ahead = direction === "rtl" ? "ArrowLeft" : "ArrowRight";
  const back = direction === "rtl" ? "ArrowRight" : "ArrowLeft";
  return { [ahead]: 1, ArrowDown: 1, [back]: -1, ArrowUp: -1 }[name] ?? 0;
}

export function onScreenKeys(alphabet, { language, direction, onType, onBackspace, onTurn }) {
  const keys = [
    ...alphabet.map((letter) =>
      h(
        "button",
        { type: "button", class: "key", lang: language, onclick: () => onType(letter) },
        letter,
      ),
    ),
    h(
      "button",
      {
        type: "button",
        class: "key key--wide",
        "aria-label": gettext("Switch direction"),
        onclick: onTurn,
      },
      icon("turn"),
    ),
    h(
      "button",
      {
        type: "button",
        class: "key key--wide",
        "aria-label": gettext("Delete letter"),
        onclick: onBackspace,
      },
      icon("backspace"),
    ),
  ];
  const element = h(
    "div",
    { class: "keys", role: "toolbar", "aria-label": gettext("Letters"), dir: direction },
    keys,
  );
  // One tab stop; arrows move between the keys.
  const stop = (key) =>
    keys.forEach((other) => {
      other.tabIndex = other === key ? 0 : -1;
    });
  stop(keys[0]);
  element.addEventListener("keydown", (event) => {
    const by = walk(event.key, direction);
    if (!by) return;
    event.preventDefault();
    const next = keys[(keys.indexOf(document.activeElement) + by + keys.length) % keys.length];
    stop(next);
    next.focus();
  });
  // A press must not take the focus away from the cell that is being filled.
  element.addEventListener("pointerdown", (event) => event.preventDefault());
  return element;
}
