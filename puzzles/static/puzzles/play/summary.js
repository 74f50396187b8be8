// The summary: what was learned, how long it took, what to practise next.

import { format, h, picture } from "./dom.js";
import { isCalm } from "./motion.js";
import { speakerButton } from "./word-list.js";

// A hint does not take all praise.
const ENOUGH_TO_CELEBRATE = 0.75;

function say(number, unit) {
  const { lang } = document.documentElement;
  return number.toLocaleString(lang, { style: "unit", unit, unitDisplay: "short" });
}

function duration(seconds) {
  const minutes = Math.floor(seconds / 60);
  const rest = Math.round(seconds % 60);
  if (!minutes) return say(rest, "second");
  return rest ? `${say(minutes, "minute")} ${say(rest, "second")}` : say(minutes, "minute");
}

function words(entries, puzzle, sound) {
  return h(
    "ul",
    { class: "summary-words" },
    entries.map((entry) =>
      h(
        "li",
        {},
        picture(entry.picture),
        h(
          "span",
          {},
          h("b", { class: "term", lang: puzzle.language, dir: "auto" }, entry.term),
          " ",
          h(
            "span",
            { class: "muted", lang: puzzle.translation_language, dir: "auto" },
            (entry.translations ?? []).join(" · "),
          ),
          entry.hints ? " " : null,
          entry.hints
            ? h("small", { class: "muted summary-help" }, gettext("with a hint"))
            : null,
        ),
        speakerButton(sound, { url: entry.sound, term: entry.term, language: puzzle.language }),
      ),
    ),
  );
}

/** A form with which the server starts another attempt and loads the page again. */
function again({ url, left }) {
  const token = document.querySelector("input[name=csrfmiddlewaretoken]").value;
  const label = format(
    ngettext("Play again (%(count)s attempt left)", "Play again (%(count)s attempts left)", left),
    { count: left },
  );
  return h(
    "form",
    { method: "post", action: url },
    h("input", { type: "hidden", name: "csrfmiddlewaretoken", value: token }),
    h("button", { type: "submit", class: "button" }, label),
  );
}

function celebrate(layer) {
  if (isCalm()) return;
  for (let i = 0; i < 28; i++) {
    const piece = h("i", { class: `confetti colour-${i % 12}`, "aria-hidden": "true" });
    piece.style.setProperty("--x", String(Math.random()));
    layer.append(piece);
    const turn = 180 + Math.random() * 540;
    const fall = piece.animate(
      [
        { transform: "translateY(-10vh) rotate(0deg)", opacity: 1 },
        { transform: `translateY(105vh) rotate(${turn}deg)`, opacity: 0.7 },
      ],
      {
        duration: 1400 + Math.random() * 1000,
        delay: Math.random() * 350,
        easing: "cubic-bezier(.3,.2,.6,1)",
        fill: "backwards",
      },
    );
    fall.finished.then(
      () => piece.remove(),
      () => piece.remove(),
    );
  }
}

/** What to do next comes before the words: on a phone these fill more than a screen. */
function actions(summary, page) {
  return h(
    "div",
    { class: "dialog-actions" },
    page.nextUrl
      ? h(
          "a",
          { class: "button button--primary", href: page.nextUrl, autofocus: true },
          page.nextLabel || gettext("Continue"),
        )
      : null,
    page.newUrl
      ? h("button", { class: "button", form: "finder-settings" }, gettext("New puzzle"))
      : null,
    summary.again ? again(summary.again) : null,
    h(
      "button",
      { type: "button", class: "button", "data-close-dialog": true },
      gettext("View the puzzle"),
    ),
  );
}

export function showSummary(game, sound, page, isNew) {
  document.querySelector("dialog.summary")?.remove();
  const { summary, puzzle, found, total } = game.state;
  if (!summary) return;
  const learned = summary.learned ?? [];
  // What was found with help is among the found words, with a remark.
  const isLearned = new Set(learned.map((entry) => entry.term));
  const practise = (summary.practise ?? []).filter((entry) => !isLearned.has(entry.term));
  const dialog = h(
    "dialog",
    { class: "dialog summary", "aria-labelledby": "summary-title" },
    h(
      "header",
      { class: "summary-head" },
      h(
        "h2",
        { id: "summary-title" },
        found === total ? gettext("All words found") : gettext("Finished"),
      ),
      summary.message ? h("p", {}, summary.message) : null,
    ),
    h(
      "dl",
      { class: "facts" },
      h(
        "div",
        {},
        h("dt", {}, gettext("Words")),
        h("dd", {}, format(gettext("%(found)s of %(total)s"), { found, total })),
      ),
      h("div", {}, h("dt", {}, gettext("Time")), h("dd", {}, duration(summary.seconds))),
    ),
    actions(summary, page),
    learned.length
      ? h(
          "section",
          { class: "stack stack--tight" },
          h("h3", {}, gettext("Words you found")),
          words(learned, puzzle, sound),
        )
      : null,
    practise.length
      ? h(
          "section",
          { class: "stack stack--tight" },
          h("h3", {}, gettext("Practise next")),
          words(practise, puzzle, sound),
        )
      : null,
  );
  document.body.append(dialog);
  dialog.showModal();
  if (isNew && found >= ENOUGH_TO_CELEBRATE * total) celebrate(dialog);
}
