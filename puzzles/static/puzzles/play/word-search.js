// Word search: words in eight directions under capsules, beside a list of meanings.

import { Capsules } from "./capsules.js";
import { coordinates } from "./coordinates.js";
import { format, h, inRoom } from "./dom.js";
import { hinted, LetterGrid } from "./grid.js";
import { shake } from "./motion.js";
import { play } from "./page.js";
import { bonusSentence, foundSentence, whyNoWord } from "./said.js";
import { Selection } from "./selection.js";
import { WordList } from "./word-list.js";

// As a screen reader says them.
const NAMES = {
  "→": () => gettext("right"),
  "↓": () => gettext("down"),
  "↘": () => gettext("down to the right"),
  "↙": () => gettext("down to the left"),
  "←": () => gettext("left"),
  "↑": () => gettext("up"),
  "↖": () => gettext("up to the left"),
  "↗": () => gettext("up to the right"),
};

/** In which directions words run. */
function ways(arrows) {
  if (!arrows || arrows.length === 8) return gettext("Words run in all eight directions.");
  return [
    gettext("Words run in these directions:"),
    " ",
    h("span", { "aria-hidden": "true" }, arrows.join(" ")),
    h("span", { class: "visually-hidden" }, arrows.map((arrow) => NAMES[arrow]()).join(", ")),
  ];
}

function mountWordSearch({ game, stage, live, sound }) {
  const grid = new LetterGrid(
    game.puzzle,
    gettext("Letters. Select the first and the last letter of a word."),
  );
  const capsules = new Capsules(grid);
  const board = h(
    "div",
    { class: "board" },
    h("div", { class: "board-sheet" }, capsules.element, grid.element),
  );
  const note = h("p", { class: "board-note" }, ways(game.puzzle.settings.arrows));
  const bonus = h("p", { class: "board-note" });
  const secret = h("p", { class: "board-secret", hidden: true });

  const draw = () => {
    game.items.forEach(
      (item, index) => item.cells && capsules.add(item.id, item.cells, index, item.found),
    );
    grid.describeAll(game.items);
    const left = game.isFinished ? 0 : (game.state.bonus_left ?? 0);
    bonus.hidden = !left;
    bonus.textContent = format(
      ngettext(
        "%(count)s more word is hidden but not listed. Find it before the last listed word.",
        "%(count)s more words are hidden but not listed. Find them before the last listed word.",
        left,
      ),
      { count: left },
    );
    const { hidden } = game.state.summary ?? {};
    if (!hidden || !secret.hidden) return;
    grid.light(hidden.cells);
    const text = h("bdi", { lang: game.puzzle.language }, hidden.text);
    secret.replaceChildren(gettext("The letters that are left spell:"), " ", text);
    secret.hidden = false;
  };

  // A bonus word may have any length.
  const whyNot = (count) => (game.state.bonus_left ? null : whyNoWord(game.items, count));
  const selection = new Selection(grid, {
    live,
    whyNot: (cells) => whyNot(cells.length),
    onPreview: (cells) => capsules.preview(cells),
    canStart: () => !game.isFinished,
    onSelect: async (cells) => {
      const { queued, message } = await game.attempt({ cells });
      capsules.preview(null);
      if (queued) live.say(message || gettext("Saved on this device until you are online again."));
    },
  });

  game.addEventListener(
    "queued",
    ({ detail }) =>
      detail.attempt.cells && capsules.addPending(detail.attempt.attempt, detail.attempt.cells),
  );
  game.addEventListener("answer", ({ detail: { attempt, answer } }) => {
    capsules.remove(attempt.attempt);
    if (answer.outcome === "wrong") {
      sound.chime("wrong");
      shake(board);
      const letters = attempt.cells.map((cell) => grid.letter(cell)).join("");
      const reason =
        whyNot(attempt.cells.length) ??
        (answer.message || gettext("That word is not in this list. Try again."));
      live.say(h("span", {}, h("bdi", { lang: game.puzzle.language }, letters), `: ${reason}`), "wrong");
      return;
    }
    if (answer.outcome === "already") {
      live.say(answer.message || gettext("You have already found that word."));
      return;
    }
    const { item } = answer;
    sound.chime("right");
    sound.playIfOn(item.clue.sound);
    live.say(item.bonus ? bonusSentence(item) : foundSentence(item, answer), "right");
  });
  game.addEventListener("change", draw);

  const list = new WordList({ game, sound, live, onChoose: (id) => capsules.emphasise(id) });
  const typed = coordinates({
    board,
    grid,
    choose: (first, last) => selection.choose(first, last),
    say: (text, level) => live.say(text, level),
  });
  stage.append(
    h("section", { class: "board-side", "aria-label": gettext("Puzzle") }, inRoom(board)),
    h(
      "section",
      { class: "words", "aria-label": gettext("Words to find") },
      secret,
      list.element,
      bonus,
      note,
      typed,
    ),
  );
  draw();

  const hint = async (kind) => {
    const item = list.current;
    if (!item) return;
    const answer = await game.hint(item.id, kind);
    capsules.ring(answer.cells);
    grid.focusCell(answer.cells[0]);
    live.say(hinted(grid, answer.cells));
  };
  return {
    first: gettext("Drag across a word, from its first letter to its last."),
    hints: [
      { label: gettext("Show where the word begins"), act: () => hint("first_cell") },
      { label: gettext("Show the whole word"), act: () => hint("word") },
    ],
  };
}

play(mountWordSearch);
