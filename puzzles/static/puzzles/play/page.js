// The play page: fetches the state, lets the puzzle's kind build its board, and sets up the bar.

import { toast } from "../../osmosmjerka/app.js";
import { Api, Refused, SignedOut, SlowDown, Unreachable } from "./api.js";
import { format, h, icon } from "./dom.js";
import { Game } from "./game.js";
import { forget, keep, register } from "./kept.js";
import { Live } from "./live.js";
import { Sound } from "./sound.js";
import { fetchSummary, showSummary } from "./summary.js";

const BEFORE_SUMMARY = 1000; // ms
const BEFORE_REFRESH = 15_000;

const main = document.querySelector("[data-state-url]");
const stage = main.querySelector("[data-stage]");
const banner = main.querySelector("[data-banner]");
const live = new Live(main.querySelector("[data-live]"));
const sound = new Sound();
const api = new Api(main.dataset.stateUrl, main.dataset.player);

function explain(error) {
  if (error instanceof Refused || error instanceof SlowDown) return error.message;
  if (error instanceof SignedOut) {
    return gettext("You have been logged out. Log in again to continue. Nothing is lost.");
  }
  return gettext("The server cannot be reached. Check your connection and try again.");
}

function showBanner({ waiting, reason, message = "", mayBeAll = false }) {
  const signedOut = gettext(
    "You have been logged out. Log in again. The words you found are saved on this device and will be sent.",
  );
  const texts = {
    offline: waiting
      ? format(
          ngettext(
            "You are offline. %(count)s answer is saved on this device and will be sent automatically.",
            "You are offline. %(count)s answers are saved on this device and will be sent automatically.",
            waiting,
          ),
          { count: waiting },
        )
      : gettext("You are offline. You can continue; what you find will be sent later."),
    busy: gettext(
      "The site is busy. Your answers are saved on this device and will be sent automatically.",
    ),
    "signed-out": signedOut,
    "slow-down": message,
  };
  // Only the server knows which of them are right.
  const end = mayBeAll && ["offline", "busy"].includes(reason)
    ? gettext("If they are all correct, the puzzle is done: you will then see your results.")
    : "";
  banner.textContent = [texts[reason], end].filter(Boolean).join(" ");
  banner.hidden = !texts[reason];
}

function wireSound() {
  const button = document.querySelector("[data-sound-toggle]");
  const show = () => {
    button.setAttribute("aria-pressed", String(sound.on));
    button.replaceChildren(icon(sound.on ? "speaker" : "muted"));
  };
  button.addEventListener("click", () => {
    sound.toggle();
    live.say(sound.on ? gettext("Sound is on.") : gettext("Sound is off."));
  });
  sound.addEventListener("change", show);
  show();
}

function wireHints(game, hints) {
  const menu = document.querySelector("[data-hints]");
  menu.replaceChildren(
    ...hints.map(({ label, act }) =>
      h(
        "button",
        {
          type: "button",
          class: "menu-item",
          onclick: async () => {
            menu.closest("details").open = false;
            try {
              await act();
            } catch (error) {
              toast(explain(error), "error");
            }
          },
        },
        label,
      ),
    ),
  );
  const show = () => {
    menu.closest("details").hidden = game.isFinished || !hints.length;
  };
  game.addEventListener("change", show);
  show();
}

function wireFinish(game) {
  const dialog = document.getElementById("finish-dialog");
  const opener = document.querySelector("[data-open-dialog=finish-dialog]");
  dialog.querySelector("[data-finish]").addEventListener("click", async () => {
    dialog.close();
    try {
      await game.finish();
    } catch (error) {
      toast(explain(error), "error");
    }
  });
  const summary = document.querySelector("[data-show-summary]");
  summary.addEventListener("click", () => showEnd(game));
  const show = () => {
    opener.hidden = game.isFinished;
    summary.hidden = !game.isFinished;
  };
  game.addEventListener("change", show);
  show();
}

const wait = (ms) => new Promise((done) => setTimeout(done, ms));

/** Show the summary of a game that is over, which has just ended if it *isNew*. */
async function showEnd(game, isNew = false) {
  try {
    // Show and play the last word first; letters still being typed must not press a button.
    const [html] = await Promise.all([
      fetchSummary(main.dataset),
      isNew ? wait(BEFORE_SUMMARY) : null,
    ]);
    if (isNew) sound.chime("done");
    showSummary(html, { game, sound, toast, player: main.dataset.player, isNew });
  } catch {
    toast(gettext("The results cannot be shown now. Try again from the menu."), "error");
  }
}

/** The progress: "6 of 12 found" with its bar, kept up to date. */
function progress(game) {
  const label = h("span", { class: "progress-label" });
  const bar = h("progress", { "aria-label": gettext("Words found") });
  const show = () => {
    const { found, total } = game.state;
    const sentence = format(gettext("%(found)s of %(total)s found"), { found: "\u0001", total });
    const [before, after] = sentence.split("\u0001");
    label.replaceChildren(before, h("b", {}, String(found)), after);
    bar.max = Math.max(total, 1);
    bar.value = found;
  };
  game.addEventListener("change", show);
  show();
  return h("div", { class: "progress" }, label, bar);
}

/** Tell the stylesheet where the game begins: from there on it has the window. */
function measure() {
  const top = main.getBoundingClientRect().top + scrollY;
  // To a game far below, as on the first page, one scrolls: it then has the whole window.
  main.style.setProperty("--top", `${top < innerHeight / 2 ? top : 0}px`);
}

function start(state, mount) {
  const game = new Game(state, api);
  const isLive = "isLive" in main.dataset;
  game.keepsDrafts = !isLive && !("isGuest" in main.dataset);
  stage.replaceChildren();
  main.dataset.kind = game.puzzle.kind;
  main.dataset.clue = game.puzzle.settings.clue ?? "";
  main.style.setProperty("--cols", game.puzzle.cols);
  main.style.setProperty("--rows", game.puzzle.rows);
  document.querySelector("[data-title]").textContent = game.puzzle.title;
  document.querySelector("[data-subtitle]").textContent = game.puzzle.subtitle ?? "";

  const above = new ResizeObserver(measure);
  for (const part of document.body.children) above.observe(part);
  measure();
  wireSound();
  main.querySelector("[data-strip]").prepend(progress(game));
  const board = mount({ game, stage, live, sound, toast, explain, page: main.dataset });
  if (!game.isFinished && !game.state.found) live.say(board.first);
  if (isLive) {
    document.dispatchEvent(new CustomEvent("game", { detail: { game, stage, live, sound, board } }));
  } else {
    wireHints(game, board.hints);
    wireFinish(game);
  }

  // What is shown may be old: it was kept on the device, or the device was without a connection.
  let isOld = Boolean(game.state.isKept);
  let later;
  const refresh = async () => {
    clearTimeout(later);
    try {
      await game.refresh();
      isOld = Boolean(game.state.isKept);
    } catch (error) {
      isOld = error instanceof Unreachable;
    }
    if (isOld) later = setTimeout(() => game.flush(), BEFORE_REFRESH);
    else showBanner({ waiting: 0, reason: "" });
  };
  game.addEventListener("status", ({ detail: { waiting, reason, message } }) => {
    const { found, total } = game.state;
    showBanner({
      waiting,
      reason: reason || (isOld ? "offline" : ""),
      message,
      mayBeAll: waiting > 0 && found + waiting >= total,
    });
    if (reason === "signed-out") forget(main.dataset.player);
    else if (reason === "offline" || reason === "busy") isOld = true;
    else if (!reason && isOld) refresh(); // after all that waited was answered
  });
  game.addEventListener("refused", ({ detail }) => {
    sound.chime("wrong");
    live.say(detail.error.message, "wrong");
  });
  game.addEventListener("finish", () => showEnd(game, true));
  // The same session may have continued in another tab or on another device.
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible" && !game.isFinished) game.refresh().catch(() => {});
  });
  addEventListener("offline", () => {
    isOld = true;
    showBanner({ waiting: 0, reason: "offline" });
  });
  if (game.isFinished) showEnd(game);
  if ("isKept" in main.dataset) {
    const save = () => keep(main.dataset, game.state);
    register();
    game.addEventListener("change", save);
    game.addEventListener("saved", save);
    save();
  }
  game.resume();
}

/** Open the puzzle on a board that *mount* builds, the only thing in which the kinds differ. */
export async function play(mount) {
  main.setAttribute("aria-busy", "true");
  try {
    start(await api.state(), mount);
  } catch (error) {
    console.error(error);
    stage.replaceChildren(
      h(
        "div",
        { class: "empty", role: "alert" },
        h("h1", {}, gettext("The puzzle could not be opened")),
        h("p", {}, explain(error)),
        h(
          "button",
          { type: "button", class: "button button--primary", onclick: () => play(mount) },
          gettext("Try again"),
        ),
      ),
    );
  } finally {
    main.removeAttribute("aria-busy");
  }
}
