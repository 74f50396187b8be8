// Typing the first and last cell: an alternative to drawing a line.

import { h } from "./dom.js";
import { columnName, parseCells } from "./geometry.js";

export function coordinates({ board, grid, choose, say }) {
  const input = h("input", {
    class: "input",
    id: "cells-typed",
    name: "cells",
    autocomplete: "off",
    autocapitalize: "characters",
    spellcheck: "false",
    placeholder: "C5 C9",
    "aria-describedby": "cells-help",
    dir: "ltr",
  });
  // For who has a switch and no keyboard, and for a thumb: each press writes one part.
  const write = (text) => () => {
    input.value = `${input.value}${/[0-9]$/.test(input.value) && /[A-Z]/.test(text) ? " " : ""}${text}`;
  };
  const parts = (label, names) =>
    h(
      "div",
      { class: "coordinates-parts", role: "group", "aria-label": label },
      names.map((name) => h("button", { type: "button", class: "key", onclick: write(name) }, name)),
    );
  const clear = h(
    "button",
    {
      type: "button",
      class: "button",
      onclick: () => {
        input.value = "";
      },
    },
    gettext("Clear"),
  );
  const form = h(
    "form",
    {
      class: "coordinates-form",
      onsubmit: (event) => {
        event.preventDefault();
        const cells = parseCells(input.value);
        const problem = cells
          ? choose(...cells)
          : gettext("Enter two squares, each as a column letter and a row number: C5 C9.");
        if (problem) say(problem, "wrong");
        else input.value = "";
        input.focus();
      },
    },
    h("label", { class: "label", for: "cells-typed" }, gettext("First and last square")),
    h(
      "div",
      { class: "search-field" },
      input,
      h("button", { class: "button" }, gettext("Select")),
      clear,
    ),
    parts(gettext("Columns"), Array.from({ length: grid.cols }, (_, i) => columnName(i))),
    parts(gettext("Rows"), Array.from({ length: grid.rows }, (_, i) => String(i + 1))),
    h(
      "p",
      { class: "help", id: "cells-help" },
      gettext("For each square, the column letter and row number shown at the edge of the grid."),
    ),
  );
  const details = h(
    "details",
    { class: "coordinates" },
    h("summary", {}, gettext("Type the squares instead")),
    form,
  );
  details.addEventListener("toggle", () => board.toggleAttribute("data-rulers", details.open));
  return details;
}
