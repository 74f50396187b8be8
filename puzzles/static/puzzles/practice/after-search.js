// The questions after a word search, in its summary. The server asks and judges; this shows the next
// question, and what an answer changes in the summary, without leaving the page.

import { parsed } from "../play/dom.js";
import { writeWith } from "./letter-keys.js";

/** What a form would send, with the button that was pressed. */
function sent(form, button) {
  const data = new FormData(form);
  if (button?.name) data.append(button.name, button.value);
  return data;
}

/** What is new as the server renders it, or null if nothing more is asked. Throws without it. */
async function next(form, button, player) {
  const reply = await fetch(form.action, {
    method: form.method,
    body: form.method === "post" ? sent(form, button) : undefined,
    cache: "no-store",
    headers: { "X-Player": player }, // someone else may have logged in in another tab
  });
  if (reply.status === 204) return null;
  const fresh = parsed(await reply.text());
  if (!reply.ok || !fresh.querySelector("[data-after-search]")) throw new Error(String(reply.status));
  return fresh;
}

/**
 * Let a student answer in the summary; *fail* is told when the server cannot be reached, and
 * *whenAsked* when nothing is asked any more.
 */
export function askIn(dialog, { player, fail, whenAsked }) {
  const section = dialog.querySelector("[data-after-search]");
  if (!section) return;
  const wire = () => section.querySelectorAll("[data-letter-keys]").forEach(writeWith);
  wire();
  section.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (section.hasAttribute("aria-busy")) return;
    section.setAttribute("aria-busy", "true");
    try {
      const fresh = await next(event.target, event.submitter, player);
      section.hidden = !fresh;
      if (!fresh) section.replaceChildren();
      // The parts stay, so that a screen reader hears the verdict, which is a live region.
      for (const part of fresh?.querySelectorAll("[data-part]") ?? []) {
        const shown = dialog.querySelector(`[data-part="${part.dataset.part}"]`);
        shown.replaceChildren(...part.childNodes);
      }
      wire();
      if (!section.querySelector("form")) whenAsked();
      (section.querySelector("[autofocus]") ?? dialog.querySelector("[autofocus]")).focus();
    } catch {
      fail();
    } finally {
      section.removeAttribute("aria-busy");
    }
  });
}
