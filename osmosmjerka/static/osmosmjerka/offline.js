// The page that a device shows without a connection: what can be played, and back when the line is.

const EVERY = 5000; // ms

const list = document.querySelector("[data-begun]");
const STATE = /^\/api\/play\/[^/]+\/$/;

/** The begun puzzles that are kept on this device. */
async function begun() {
  const found = [];
  for (const name of await caches.keys()) {
    if (!name.startsWith("player-")) continue;
    const cache = await caches.open(name);
    const requests = await cache.keys();
    const pages = new Set(requests.map(({ url }) => new URL(url).pathname));
    for (const request of requests) {
      const { pathname } = new URL(request.url);
      const page = pathname.replace(/^\/api/, "");
      if (!STATE.test(pathname) || !pages.has(page)) continue;
      const state = await (await cache.match(request)).json();
      if (state.session.state !== "finished") found.push({ page, ...state });
    }
  }
  return found;
}

function line({ page, puzzle, found, total }) {
  const link = document.createElement("a");
  link.className = "button button--block";
  link.href = page;
  const title = document.createElement("bdi");
  title.textContent = puzzle.title;
  const progress = document.createElement("small");
  progress.textContent = [
    puzzle.subtitle,
    list.dataset.progress.replace("{solved}", found).replace("{total}", total),
  ].join(" · ");
  const item = document.createElement("li");
  link.append(title);
  item.append(link, progress);
  return item;
}

async function showBegun() {
  if (!globalThis.caches) return;
  const lines = (await begun()).map(line);
  list.querySelector("ul").replaceChildren(...lines);
  list.hidden = !lines.length;
}

const isOwnAddress = location.pathname === "/offline/";

function goOn() {
  location.replace(isOwnAddress ? "/" : location.href);
}

async function look() {
  try {
    if ((await fetch("/healthz", { cache: "no-store" })).ok) goOn();
  } catch {
    // still without
  }
}

document.querySelector("[data-again]").addEventListener("click", (event) => {
  event.preventDefault();
  goOn();
});
addEventListener("online", look);
setInterval(look, EVERY);
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") look();
});
showBegun();
