// Typing the first and last cell: an alternative to drawing a line.

import { h } from "./dom.js";
import { parseCells } from "./geometry.js";

export function coordinates({ board, choose, say }) {
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
    h("div", { class: "search-field" }, input, h("button", { class: "button" }, gettext("Select"))),
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
