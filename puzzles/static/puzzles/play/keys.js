// On-screen keys from the language's alphabet: for phones, and for letters that a keyboard lacks.

import { h, icon } from "./dom.js";
import { keyRows } from "./key-layouts.js";
import { sizeLetter } from "./letter-size.js";
import { walk } from "./walk.js";

// The most keys in a row with those that are no letters.
const ROOM_FOR = 12;

function control(name, label, onclick) {
  return h(
    "button",
    { type: "button", class: "key key--wide", "aria-label": label, onclick },
    icon(name),
  );
}

export function onScreenKeys(alphabet, { language, direction, onType, onBackspace, onTurn }) {
  const letterKey = (letter) => {
    const attributes = { type: "button", class: "key", lang: language };
    const button = h("button", { ...attributes, onclick: () => onType(letter) }, letter);
    sizeLetter(button, letter);
    return button;
  };
  const rows = keyRows(alphabet, language).map((row) => row.map(letterKey));
  const controls = [
    control("turn", gettext("Switch direction"), onTurn),
    control("backspace", gettext("Delete letter"), onBackspace),
  ];
  // Beside the letters of the last row, as on a phone, if there is room.
  if (rows.at(-1)?.length > ROOM_FOR - controls.length) rows.push([]);
  const last = rows.at(-1);
  last?.unshift(controls[0]);
  last?.push(controls[1]);
  const element = h(
    "div",
    { class: "keys", role: "group", "aria-label": gettext("Letters"), dir: direction },
    rows.map((keys) => h("div", { class: "keys-row" }, keys)),
  );
  // Each is a tab stop, for those who have only one key or switch; arrows are faster.
  const keys = rows.flat();
  element.addEventListener("keydown", (event) => {
    const by = walk(event.key, direction);
    if (!by) return;
    event.preventDefault();
    keys[(keys.indexOf(document.activeElement) + by + keys.length) % keys.length].focus();
  });
  // With one switch the next letter is looked for from the first key on.
  element.addEventListener("click", ({ detail }) => detail === 0 && keys[0].focus());
  // A press must not take the focus away from the cell that is being filled.
  element.addEventListener("pointerdown", (event) => event.preventDefault());
  return element;
}
