// Word search: words in eight directions under capsules, beside a list of meanings.

import { Capsules } from "./capsules.js";
import { coordinates } from "./coordinates.js";
import { h } from "./dom.js";
import { hinted, LetterGrid } from "./grid.js";
import { shake } from "./motion.js";
import { play } from "./page.js";
import { foundSentence, whyNoWord } from "./said.js";
import { Selection } from "./selection.js";
import { WordList } from "./word-list.js";

const THREE_LINES = 132; // px

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

  const draw = () => {
    game.items.forEach(
      (item, index) => item.cells && capsules.add(item.id, item.cells, index, item.found),
    );
    grid.describeAll(game.items);
  };

  const selection = new Selection(grid, {
    live,
    whyNot: (cells) => whyNoWord(game.items, cells.length),
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
        whyNoWord(game.items, attempt.cells.length) ??
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
    live.say(foundSentence(item, answer), "right");
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
    h("section", { class: "board-side", "aria-label": gettext("Puzzle") }, board, typed),
    h("section", { class: "words", "aria-label": gettext("Words to find") }, list.element),
  );
  draw();
  // On a phone the list ends where the screen does, if it begins on it.
  new ResizeObserver(() => {
    const top = list.element.getBoundingClientRect().top + scrollY;
    const isInView = innerHeight - top >= THREE_LINES;
    list.element.style.setProperty("--top", isInView ? `${top}px` : "0px");
  }).observe(document.body);

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
