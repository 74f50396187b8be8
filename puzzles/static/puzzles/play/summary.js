// The summary: the server says what was learned and what comes next; this shows and speaks it.

import { askIn } from "../practice/after-search.js";
import { h, parsed } from "./dom.js";
import { isCalm } from "./motion.js";

// A hint does not take all praise.
const ENOUGH_TO_CELEBRATE = 0.75;

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
        duration: 600 + Math.random() * 250,
        delay: Math.random() * 150,
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

/** Let the capsules of the words of a game fly from their words to their places in the album. */
function fillAlbum(dialog) {
  if (isCalm()) return;
  const words = [...dialog.querySelectorAll("[data-entry]")];
  for (const [index, word] of words.entries()) {
    const place = dialog.querySelector(`[data-place="${word.dataset.entry}"]`);
    if (!place || !word.checkVisibility()) continue;
    const [from, to] = [word, place].map((one) => one.getBoundingClientRect());
    const x = from.left + from.width / 2 - to.left - to.width / 2;
    const y = from.top + from.height / 2 - to.top - to.height / 2;
    place.animate(
      [{ transform: `translate(${x}px, ${y}px) scale(1.6)`, opacity: 0.4 }, { transform: "none" }],
      {
        duration: 550,
        delay: (400 * index) / words.length,
        easing: "cubic-bezier(.3,.7,.3,1)",
        fill: "backwards",
      },
    );
  }
}

/** Return the summary as the server renders it. Throws if it cannot be had now. */
export async function fetchSummary({ summaryUrl, player }) {
  const reply = await fetch(summaryUrl, {
    cache: "no-store",
    headers: { "X-Player": player }, // someone else may have logged in in another tab
  });
  if (!reply.ok) throw new Error(String(reply.status));
  return reply.text();
}

export function showSummary(html, { game, sound, toast, player, isNew }) {
  document.querySelector("dialog.summary")?.remove();
  const dialog = h("dialog", { class: "dialog summary", "aria-labelledby": "summary-title" });
  dialog.append(...parsed(html).childNodes);
  dialog.addEventListener("click", async ({ target }) => {
    const word = target.closest("[data-term]");
    if (!word) return;
    if (await sound.play(word.dataset.sound)) return;
    if (sound.speak(word.dataset.term, word.dataset.language)) return;
    toast(
      word.dataset.sound
        ? gettext("The sound cannot be played.")
        : gettext("There is no sound for this word."),
    );
  });
  document.body.append(dialog);
  askIn(dialog, {
    player,
    whenAsked: () => isNew && fillAlbum(dialog),
    fail: () =>
      toast(
        gettext("The server cannot be reached. Check your connection and try again."),
        "error",
      ),
  });
  dialog.showModal();
  dialog.scrollTop = 0; // also where what has the focus is further down
  const { found, total } = game.state;
  if (!isNew) return;
  fillAlbum(dialog); // while questions are asked, the words are hidden: they fly afterwards
  if (found >= ENOUGH_TO_CELEBRATE * total) celebrate(dialog);
}
