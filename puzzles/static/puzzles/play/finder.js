// Listen and find: hear a word, find it in a row.

import { coordinates } from "./coordinates.js";
import { format, h, icon, inRoom } from "./dom.js";
import { isOpen, stateOf } from "./game.js";
import { FORWARDS, ROW } from "./geometry.js";
import { hinted, LetterGrid } from "./grid.js";
import { memory } from "./memory.js";
import { shake } from "./motion.js";
import { play } from "./page.js";
import { foundSentence, whyNoWord, withMeaning } from "./said.js";
import { Selection } from "./selection.js";

const STATES = ["active", "right", "shown", "wrong"];

function paint(grid, cells, state) {
  cells.forEach((cell, i) => {
    const element = grid.cell(cell);
    for (const other of STATES) element.classList.remove(`is-${other}`, `is-${other}-first`);
    element.classList.remove("is-run-start", "is-run-end");
    if (!state) return;
    element.classList.add(`is-${state}`);
    if (i === 0) element.classList.add(`is-${state}-first`);
  });
  if (!state) return;
  const inOrder = [...cells].sort((a, b) => a[1] - b[1]);
  grid.cell(inOrder[0]).classList.add("is-run-start");
  grid.cell(inOrder.at(-1)).classList.add("is-run-end");
}

function step(label, name, act) {
  return h("button", { type: "button", class: "finder-step", onclick: act }, icon(name), label);
}

/** The text of a word; on a phone a long one is smaller, lest its last letter stand alone. */
function term(lang, text) {
  const size = [...text].length > 7 ? " finder-long" : "";
  return h("b", { class: `term${size}`, lang, dir: "auto" }, text);
}

function mountFinder({ game, stage, live, sound, explain, page }) {
  const { settings } = game.puzzle;
  const grid = new LetterGrid(
    game.puzzle,
    gettext("Letters. Select the first and the last letter of the word in its row."),
  );
  grid.element.classList.add("grid--rows");
  const board = h("div", { class: "board" }, h("div", { class: "board-sheet" }, grid.element));

  let active = null; // the word to find
  let shown = null; // the cells of the current selection, or of the last wrong one
  const wrong = new Set();
  const silent = new Set(); // words whose sound failed
  const waiting = new Set(); // words whose answer waits on this device

  const settle = () => {
    if (shown) paint(grid, shown, null);
    shown = null;
    const open = game.items.filter((item) => isOpen(item) && item.cells);
    // What is found is painted last: it stays so where a word that was shown has the same squares.
    for (const item of open.sort((one, other) => one.found - other.found)) {
      paint(grid, item.cells, markOf(item));
    }
    grid.describeAll(game.items);
  };
  const show = (cells, state) => {
    settle();
    if (!cells) return;
    shown = cells;
    paint(grid, cells, state);
  };

  const words = h("ul", { class: "finder-words", "aria-label": gettext("Words") });
  // Reuse the element of each button: one that is replaced under a finger loses its tap.
  const buttons = new Map();
  const render = () => {
    // A hint may have shown it.
    if (active && isOpen(game.item(active))) active = null;
    game.items.forEach((item, index) => {
      const fresh = button(item, index);
      const kept = buttons.get(item.id);
      if (kept) {
        for (const { name, value } of fresh.attributes) kept.setAttribute(name, value);
        kept.replaceChildren(...fresh.childNodes);
      } else {
        buttons.set(item.id, fresh);
        words.append(h("li", {}, fresh));
      }
    });
    ask();
  };

  // ---- what is asked, and the buttons for it: below the grid, under the thumb ----
  const asked = h("p", { class: "finder-asked" });
  const listen = h("button", { type: "button", class: "finder-listen", onclick: hear });
  const slow = step(gettext("Slow"), "slow", () => active && pronounce(game.item(active), true));
  const previous = step(gettext("Previous"), "previous", () => go(-1));
  const next = step(gettext("Next"), "next", () => go(1));
  const player = h(
    "div",
    { class: "finder-player", role: "group", "aria-label": gettext("Word") },
    asked,
    previous,
    slow,
    listen,
    next,
  );

  function ask() {
    const item = active ? game.item(active) : null;
    const sentence = format(gettext("Word %(number)s of %(total)s"), {
      number: game.items.indexOf(item) + 1,
      total: game.items.length,
    });
    const text = item && !isOpen(item) && isRead(item) ? item.clue.text : "";
    asked.replaceChildren(
      item ? sentence : "",
      text ? h("b", { lang: item.clue.language, dir: "auto" }, text) : "",
    );
    const label = item || !game.items.some(isOpen) ? gettext("Listen") : gettext("Next word");
    listen.replaceChildren(icon(sound.on ? "speaker" : "muted"), label);
    player.hidden = game.isFinished;
    slow.disabled = !item || !isHeard(item);
    previous.disabled = !item;
    next.disabled = !item;
  }

  /** Play the word again; without one, go on to the next that is not found. */
  function hear() {
    const item = active ? game.item(active) : nextOpen();
    if (!item) return;
    if (active) pronounce(item);
    else choose(item.id);
  }

  /** Choose the next or the previous word that is not found. */
  function go(by) {
    const items = game.items;
    const at = items.findIndex((item) => item.id === active);
    const start = at < 0 && by < 0 ? 0 : at;
    for (let offset = 1; offset <= items.length; offset += 1) {
      const item = items.at((start + by * offset + items.length) % items.length);
      if (!isOpen(item)) {
        choose(item.id);
        return;
      }
    }
  }

  const isHeard = (item) => item.clue.sound && !silent.has(item.id) && sound.on;

  // In a class game, a player may ask for the text of a word that is heard.
  const isRead = (item) => item.clue.text && (!isHeard(item) || "isLive" in page);

  /** Why the text of a word is shown. */
  const why = (item) =>
    silent.has(item.id)
      ? gettext("The sound could not be played.")
      : item.clue.note || gettext("No sound, so the text is shown.");

  function markOf(item) {
    if (isOpen(item)) return stateOf(item) === "found" ? "right" : "shown";
    if (wrong.has(item.id)) return "wrong";
    return item.id === active ? "active" : "";
  }

  function button(item, index) {
    const open = isOpen(item);
    const state = markOf(item);
    const number = index + 1;
    let content;
    if (open) {
      content = [
        term(game.puzzle.language, item.term),
        h(
          "small",
          { lang: game.puzzle.translation_language, dir: "auto" },
          item.translations.join(" · "),
        ),
      ];
    } else if (isRead(item)) {
      content = [
        term(item.clue.language, item.clue.text),
        h("small", {}, why(item)),
      ];
    } else if (!isHeard(item)) {
      content = [
        h("b", {}, "?"),
        icon("muted"),
        h(
          "span",
          { class: "visually-hidden" },
          silent.has(item.id)
            ? gettext("The sound could not be played.")
            : gettext("Sound is off."),
        ),
      ];
    } else {
      content = [h("b", { "aria-hidden": "true" }, "?")];
    }
    if (!open && waiting.has(item.id)) {
      content.push(h("small", {}, gettext("Saved")));
    }
    const says = {
      // Translators: the state of a word, read aloud after it.
      right: gettext("found"),
      shown: gettext("revealed"),
      wrong: gettext("not correct, try again"),
      active: gettext("selected"),
      "": gettext("not found yet"),
    }[state];
    return h(
      "button",
      {
        type: "button",
        class: `finder-word${state ? ` is-${state}` : ""}`,
        "data-item": item.id,
        "data-state": state || "open",
        "aria-pressed": String(item.id === active),
        onclick: () => choose(item.id),
      },
      h(
        "span",
        { class: "finder-number" },
        h("span", { class: "visually-hidden" }, gettext("Word"), " "),
        String(number),
      ),
      h("span", { class: "finder-text" }, content),
      state === "right" ? icon("check") : null,
      h("span", { class: "visually-hidden" }, `, ${says}`),
    );
  }

  function refocus(id) {
    words.querySelector(`[data-item="${CSS.escape(id)}"]`)?.focus();
  }

  async function pronounce(item, isSlow = false) {
    if (isHeard(item)) {
      // Without a connection there may be the usual sound only.
      if (isSlow && (await sound.play(item.clue.slow_sound))) return;
      if (await sound.play(item.clue.sound)) return;
      silent.add(item.id);
    }
    // The server sends the text of a word without sound, and records that it was read.
    if (!item.clue.text) {
      await game.hint(item.id, "text").catch((error) => live.say(explain(error), "wrong"));
    }
    const now = game.item(item.id);
    if (sound.on && now.clue.text) sound.speak(now.clue.text, now.clue.language);
    if (!isOpen(now) && now.clue.text) {
      live.say([now.clue.text, why(now)].join(". "));
    }
    render();
  }

  async function choose(id, byPlayer = true) {
    const item = game.item(id);
    const hadFocus = words.contains(document.activeElement);
    if (!isOpen(item) && !game.isFinished) {
      active = id;
      wrong.delete(id);
      selection.cancel();
    }
    render();
    if (byPlayer && hadFocus) refocus(id);
    live.say(
      isOpen(item)
        ? withMeaning(item)
        : format(gettext("Word %(number)s selected. Find it in a row."), {
            number: game.items.indexOf(item) + 1,
          }),
    );
    const isSaidElsewhere = !byPlayer && "isQuiet" in page;
    if (!isOpen(item) && !isSaidElsewhere) await pronounce(item);
    else if (isSaidElsewhere) render();
    else if (!(await sound.play(item.clue.sound))) sound.speak(item.term, game.puzzle.language);
  }

  const nextOpen = () => {
    const at = game.items.findIndex((item) => item.id === active);
    const order = [...game.items.slice(at + 1), ...game.items.slice(0, at + 1)];
    const open = order.filter((item) => !isOpen(item));
    return open.find((item) => !waiting.has(item.id)) ?? open[0] ?? null;
  };

  const selection = new Selection(grid, {
    live,
    whyNot: (cells) => {
      const item = game.item(active);
      return item && whyNoWord([item], cells.length);
    },
    directions: () => (settings.forwards_only ? FORWARDS : ROW),
    canStart: () => {
      if (game.isFinished) return false;
      if (active && !isOpen(game.item(active))) {
        if (wrong.delete(active)) render();
        return true;
      }
      live.say(
        format(gettext("Press “%(button)s” to hear which word to find."), {
          button: listen.textContent,
        }),
        "wrong",
      );
      return false;
    },
    onPreview: (cells) => show(cells, "active"),
    onSelect: async (cells) => {
      show(cells, "active");
      const { queued, message } = await game.attempt({ item: active, cells });
      if (queued) live.say(message || gettext("Saved on this device until you are online again."));
    },
  });

  game.addEventListener("queued", ({ detail }) => {
    waiting.add(detail.attempt.item);
    render();
  });
  game.addEventListener("refused", ({ detail }) => {
    waiting.delete(detail.attempt.item);
    render();
  });
  game.addEventListener("answer", ({ detail: { attempt, answer } }) => {
    const id = attempt.item;
    waiting.delete(id);
    if (answer.outcome === "wrong") {
      wrong.add(id);
      show(attempt.cells, "wrong");
      sound.chime("wrong");
      shake(board);
      live.say(
        answer.message ||
          gettext("Not this one. Try again, or press the button to hear the word again."),
        "wrong",
      );
    } else if (answer.item) {
      const { item } = answer;
      const isTwin = item.id !== id; // another word that sounds the same: keep the chosen one
      wrong.delete(id);
      settle();
      sound.chime("right");
      live.say(isTwin ? answer.message : foundSentence(item, answer), "right");
      const following = active === id && auto.checked && !isTwin ? nextOpen() : null;
      if (active === id && !isTwin) active = null;
      // Leave a moment for the chime before the next word.
      if (following && !answer.finished) {
        setTimeout(() => active === null && choose(following.id, false), 900);
      }
    }
  });
  game.addEventListener("asked", ({ detail }) => choose(detail.item, false));
  game.addEventListener("change", () => {
    if (!shown || game.isFinished) settle();
    render();
    renew.disabled = !game.isFinished;
  });
  sound.addEventListener("change", render);

  // ---- controls ----
  const radio = (value, label) =>
    h(
      "label",
      {},
      h("input", {
        type: "radio",
        name: "difficulty",
        value,
        checked: settings.difficulty === value || (value === "easy" && !settings.difficulty),
      }),
      label,
    );
  const auto = h("input", {
    type: "checkbox",
    checked: memory.get("finder.auto") === "on",
    onchange: () => memory.set("finder.auto", auto.checked ? "on" : "off"),
  });
  const renew = h(
    "button",
    {
      class: "button button--primary finder-new",
      form: "finder-settings",
      disabled: !game.isFinished,
    },
    gettext("New puzzle"),
  );
  const token = document.querySelector("input[name=csrfmiddlewaretoken]")?.value ?? "";
  const controls = h(
    "form",
    {
      class: "finder-controls",
      id: "finder-settings",
      method: "post",
      action: page.newUrl || "",
      "aria-label": gettext("Settings"),
    },
    h("input", { type: "hidden", name: "csrfmiddlewaretoken", value: token }),
    h(
      "fieldset",
      { class: "finder-difficulty" },
      h("legend", {}, gettext("Difficulty")),
      h(
        "div",
        { class: "segments" },
        radio("easy", gettext("Easy")),
        radio("hard", gettext("Hard")),
      ),
    ),
    h(
      "label",
      { class: "check" },
      h("input", {
        type: "checkbox",
        name: "forwards_only",
        checked: settings.forwards_only !== false,
      }),
      gettext("Forwards only"),
    ),
    h("label", { class: "check" }, auto, gettext("Play automatically")),
    h(
      "p",
      { class: "help" },
      gettext("Difficulty and direction apply to the next puzzle."),
    ),
  );

  const typed = coordinates({
    board,
    grid,
    choose: (first, last) => selection.choose(first, last),
    say: (text, level) => live.say(text, level),
  });
  // On a phone, what is asked and where it is found must be in one view: settings are folded.
  const settingsBox = h(
    "details",
    { class: "finder-settings", open: matchMedia("(min-width: 56rem)").matches },
    h("summary", {}, gettext("Settings")),
    controls,
  );
  stage.append(
    h(
      "section",
      { class: "board-side", "aria-label": gettext("Puzzle") },
      // Who goes from control to control hears a word before the squares in which to find it.
      player,
      inRoom(board),
    ),
    h(
      "section",
      { class: "words", "aria-label": gettext("Words to find") },
      page.newUrl ? renew : null,
      words,
      settingsBox,
      typed,
    ),
  );
  settle();
  render();
  // In a class game the time runs: nothing covers the grid.
  if (!("isLive" in page) && game.state.attempts_made > 1) {
    tellAttempts(game.state.attempts_made, game.state.session.id);
  }

  const hint = async (kind) => {
    const item = active ? game.item(active) : nextOpen();
    if (!item || isOpen(item)) return;
    if (!active) await choose(item.id); // whose beginning is shown is the word to find
    const answer = await game.hint(item.id, kind);
    for (const cell of answer.cells) {
      const element = grid.cell(cell);
      element.classList.add("is-hinted");
      setTimeout(() => element.classList.remove("is-hinted"), 6000);
    }
    grid.focusCell(answer.cells[0]);
    live.say(hinted(grid, answer.cells));
  };
  return {
    first: gettext("Press Listen. Then find the word in a row."),
    hints: [
      { label: gettext("Show where the word begins"), act: () => hint("first_cell") },
      { label: gettext("Show the whole word"), act: () => hint("word") },
    ],
  };
}

function tellAttempts(count, session) {
  if (memory.get("finder.told") === session) return;
  const dialog = h(
    "dialog",
    {
      class: "dialog",
      "aria-labelledby": "attempts-title",
      onclose: () => memory.set("finder.told", session),
    },
    h("h2", { id: "attempts-title" }, gettext("Created after several rounds")),
    h(
      "p",
      {},
      format(
        ngettext(
          "This grid took %(count)s round to create. Everything is fine, and you can play.",
          "This grid took %(count)s rounds to create. Everything is fine, and you can play.",
          count,
        ),
        { count },
      ),
    ),
    h(
      "div",
      { class: "dialog-actions" },
      h(
        "button",
        {
          type: "button",
          class: "button button--primary",
          "data-close-dialog": true,
          autofocus: true,
        },
        gettext("OK"),
      ),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
}

play(mountFinder);
