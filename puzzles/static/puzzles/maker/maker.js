// The running search: polls its state, draws the best results, and lets the teacher choose.

import { toast } from "../../osmosmjerka/app.js";
import { format, h } from "../play/dom.js";
import { letters, picture } from "./picture.js";

const PAUSE = 600; // ms between two requests
const AFTER_FAILURE = 3000;
const BETWEEN_WORDS = 5000; // ms; a screen reader does not announce every better crossword

const root = document.querySelector("[data-maker]");
const part = (name) => root.querySelector(`[data-${name}]`);
const url = root.dataset.stateUrl;

let state = null;
let chosen = null; // the number of the displayed candidate; null follows the best
let timer = null;
let asked = 0; // a response to an earlier request must not overwrite a later one

class Told extends Error {}

async function send(path = "", method = "GET", body = undefined) {
  const response = await fetch(url + path, {
    method,
    credentials: "same-origin",
    cache: "no-store",
    headers: {
      Accept: "application/json",
      ...(body ? { "Content-Type": "application/json" } : {}),
      ...(method === "GET"
        ? {}
        : { "X-CSRFToken": root.querySelector("[name=csrfmiddlewaretoken]").value }),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  if (response.status === 204) return null;
  const answer = await response.json().catch(() => null);
  if (response.ok && answer) return answer;
  throw new Told(answer?.detail || gettext("The server did not answer. Try again."));
}

// ---- words ----

const number = (value, digits = 0) =>
  value.toLocaleString(document.documentElement.lang, {
    maximumFractionDigits: digits,
    minimumFractionDigits: digits,
  });
const percent = (value) =>
  value.toLocaleString(document.documentElement.lang, { style: "percent" });
// In a sentence the unit is written out: an abbreviation's full stop would meet the sentence's.
const seconds = (value, unitDisplay = "short") =>
  value.toLocaleString(document.documentElement.lang, {
    style: "unit",
    unit: "second",
    unitDisplay,
    maximumFractionDigits: 1,
  });

function nameOf(candidate) {
  return format(gettext("Crossword %(number)s"), { number: candidate.number });
}

function described(candidate) {
  const { words, crossings, rows, cols } = candidate;
  return format(
    // Translators: %(words)s is “12 words”, %(crossings)s is “9 crossings”.
    gettext("%(words)s, %(crossings)s, %(rows)s × %(cols)s squares"),
    {
      words: format(ngettext("%(words)s word", "%(words)s words", words), { words }),
      crossings: format(
        ngettext("%(crossings)s crossing", "%(crossings)s crossings", crossings),
        { crossings },
      ),
      rows,
      cols,
    },
  );
}

function status() {
  if (state.state === "failed") return gettext("The search found no crossword.");
  const best = state.candidates[0];
  const found = best ? described(best) : gettext("nothing yet");
  const values = { found, spent: seconds(state.spent, "long") };
  if (state.is_stopping) return format(gettext("Stopping. Best so far: %(found)s."), values);
  if (state.state === "stopped") {
    return format(gettext("Stopped after %(spent)s. Best: %(found)s."), values);
  }
  if (state.state === "over") {
    return format(gettext("Searched for %(spent)s. Best: %(found)s."), values);
  }
  if (state.is_waiting) {
    return format(gettext("Waiting to start. Best so far: %(found)s."), values);
  }
  return format(gettext("Searching. Best so far: %(found)s."), values);
}

const fact = (term, value) => h("div", {}, h("dt", {}, term), h("dd", {}, value));

function facts(candidate) {
  return h(
    "dl",
    { class: "facts" },
    fact(
      gettext("Words"),
      format(gettext("%(words)s of %(wanted)s"), {
        words: candidate.words,
        wanted: Math.max(candidate.words, state.wanted),
      }),
    ),
    fact(gettext("Crossings"), number(candidate.crossings)),
    fact(gettext("Crossings per word"), number(candidate.crossings / candidate.words, 2)),
    fact(gettext("Density"), percent(candidate.density)),
    fact(gettext("Size"), `${candidate.rows} × ${candidate.cols}`),
    fact(gettext("Found after"), seconds(candidate.seconds)),
  );
}

let said = 0;

function say(words, isLast) {
  part("status").textContent = words;
  const now = performance.now();
  if (!isLast && now - said < BETWEEN_WORDS) return;
  said = now;
  part("said").textContent = words;
}

// ---- pictures ----

const look = (label, more) => ({
  direction: state.direction,
  language: state.language,
  label,
  ...more,
});

function solution(candidate, more = {}) {
  return picture(
    candidate,
    look(
      format(gettext("%(name)s, the solution: %(figures)s"), {
        name: nameOf(candidate),
        figures: described(candidate),
      }),
      more,
    ),
  );
}

function emptySquares(candidate) {
  return picture(
    candidate,
    look(format(gettext("%(name)s, empty grid with numbers"), { name: nameOf(candidate) }), {
      solution: false,
    }),
  );
}

function figure(caption, drawing) {
  return h("figure", { class: "maker-figure" }, drawing, h("figcaption", {}, caption));
}

function missing(candidate) {
  if (!candidate.missing.length) return null;
  return h(
    "p",
    { class: "message message--warning" },
    h(
      "span",
      {},
      format(gettext("No room for these words you wanted to include: %(words)s."), {
        words: candidate.missing.join(" · "),
      }),
    ),
  );
}

// ---- display ----

const isKept = (candidate) => state.kept.includes(candidate.number);
const shown = () =>
  state.candidates.find((one) => one.number === chosen) ?? state.candidates[0] ?? null;
let drawn = null;

function showShown() {
  const candidate = shown();
  part("take").disabled = !candidate;
  if (!candidate) return;
  const name = `${candidate.number}`;
  if (part("shown").dataset.number === name) return;
  part("shown").dataset.number = name;
  part("shown").replaceChildren(
    h(
      "div",
      { class: "maker-figures" },
      figure(gettext("Solution"), solution(candidate, { before: drawn })),
      figure(gettext("Empty grid"), emptySquares(candidate)),
    ),
    facts(candidate),
    ...[missing(candidate)].filter(Boolean),
  );
  drawn = letters(candidate);
}

function showCompared() {
  const kept = state.candidates.filter(isKept);
  part("compared-section").hidden = kept.length < 2;
  const names = kept.map((candidate) => candidate.number).join();
  if (part("compared").dataset.numbers === names) return;
  part("compared").dataset.numbers = names;
  part("compared").replaceChildren(
    ...kept.map((candidate) =>
      h(
        "article",
        { class: "card maker-card" },
        h("h3", {}, nameOf(candidate)),
        solution(candidate),
        facts(candidate),
        ...[missing(candidate)].filter(Boolean),
        h("footer", { class: "card-foot" }, takeButton(candidate)),
      ),
    ),
  );
}

function takeButton(candidate) {
  const label = format(gettext("Use crossword %(number)s"), { number: candidate.number });
  return h(
    "button",
    {
      type: "button",
      class: "button button--small",
      "aria-label": label,
      onclick: () => take(candidate),
    },
    // Translators: verb, on a button: use this crossword.
    gettext("Use"),
  );
}

const cards = new Map(); // number → its line

function card(candidate) {
  const lookAt = h(
    "button",
    {
      type: "button",
      class: "maker-look",
      "aria-label": format(gettext("View crossword %(number)s: %(figures)s"), {
        number: candidate.number,
        figures: described(candidate),
      }),
      onclick: () => choose(candidate),
    },
    solution(candidate, { numbers: false }),
  );
  const keep = h(
    "button",
    {
      type: "button",
      class: "button button--small",
      "aria-label": format(gettext("Keep crossword %(number)s"), { number: candidate.number }),
      onclick: () => act("keep/", { candidate: candidate.number, is_kept: !isKept(candidate) }),
    },
    gettext("Keep"),
  );
  const taken = h("a", { class: "badge badge--success", hidden: true }, gettext("Used"));
  const element = h(
    "li",
    { class: "card maker-card", "data-number": candidate.number },
    lookAt,
    h(
      "p",
      {},
      h("b", {}, nameOf(candidate)),
      h("br", {}),
      h("span", { class: "muted small" }, described(candidate)),
    ),
    h("footer", { class: "card-foot" }, takeButton(candidate), keep, taken),
  );
  return { element, lookAt, keep, taken };
}

function showCandidates() {
  part("candidates-section").hidden = !state.candidates.length;
  const list = part("candidates");
  const numbers = new Set(state.candidates.map((candidate) => candidate.number));
  for (const [name, { element }] of cards) {
    if (numbers.has(name)) continue;
    element.remove();
    cards.delete(name);
  }
  state.candidates.forEach((candidate, index) => {
    if (!cards.has(candidate.number)) cards.set(candidate.number, card(candidate));
    const { element, lookAt, keep, taken } = cards.get(candidate.number);
    // Move it only if necessary: a button that is moved loses the focus.
    if (list.children[index] !== element) list.insertBefore(element, list.children[index] ?? null);
    lookAt.setAttribute("aria-pressed", String(candidate === shown()));
    keep.setAttribute("aria-pressed", String(isKept(candidate)));
    // Translators: on a button: keep this crossword although better ones are found.
    keep.textContent = isKept(candidate) ? gettext("Kept") : gettext("Keep");
    const code = state.taken[candidate.number];
    taken.hidden = !code;
    if (code) taken.href = root.dataset.puzzleUrl.replace("CODE", code);
  });
}

function show() {
  const isGoingOn = state.state === "searching";
  const words = status();
  if (part("status").textContent !== words) say(words, !isGoingOn);
  part("progress").max = state.seconds;
  part("progress").value = isGoingOn ? state.spent : state.seconds;
  part("stop").hidden = !isGoingOn;
  part("stop").disabled = state.is_stopping;
  part("go-on").hidden = isGoingOn || state.state === "failed";
  part("problem").hidden = !state.reason;
  part("problem").textContent = state.reason;
  showShown();
  showCandidates();
  showCompared();
}

// ---- actions ----

function takeOver(answer) {
  state = { ...answer, candidates: answer.candidates ?? state?.candidates ?? [] };
  show();
}

async function ask() {
  clearTimeout(timer);
  asked += 1;
  const mine = asked;
  let pause = PAUSE;
  try {
    const answer = await send(state ? `?version=${state.version}` : "");
    if (mine === asked) takeOver(answer);
  } catch (error) {
    if (mine === asked) {
      say(
        error instanceof Told
          ? error.message
          : gettext("Connection lost. The search continues."),
        true,
      );
    }
    pause = AFTER_FAILURE;
  }
  if (mine === asked && (!state || state.state === "searching")) timer = setTimeout(ask, pause);
}

async function act(path, body = undefined) {
  try {
    const answer = await send(path, "POST", body ?? {});
    asked += 1; // responses to earlier requests are outdated
    takeOver(answer);
  } catch (error) {
    toast(
      error instanceof Told ? error.message : gettext("Connection lost. Try again."),
      "error",
    );
  }
  ask();
}

function choose(candidate) {
  chosen = candidate.number;
  show();
  part("shown").scrollIntoView({ block: "nearest" });
}

async function take(candidate) {
  try {
    const puzzle = await send("take/", "POST", { candidate: candidate.number });
    location.assign(root.dataset.puzzleUrl.replace("CODE", puzzle.code));
  } catch (error) {
    toast(
      error instanceof Told ? error.message : gettext("Connection lost. Try again."),
      "error",
    );
    ask();
  }
}

part("take").addEventListener("click", () => shown() && take(shown()));
part("stop").addEventListener("click", () => act("stop/"));
part("go-on").addEventListener("click", () => act("go-on/"));
document.querySelector("[data-discard]").addEventListener("click", async () => {
  clearTimeout(timer);
  asked += 1;
  try {
    await send("", "DELETE");
    location.assign(root.dataset.listUrl);
  } catch (error) {
    toast(error.message, "error");
    ask();
  }
});
ask();
