// A page that htmx asks for its changing part again and again: it rests while nobody sees it, says
// how old it is without a connection, and tells screen readers only what matters.

const news = document.querySelector("[data-lesson-news]");
const stale = document.querySelector("[data-lesson-stale]");
const moving = () => document.querySelector("[data-moving]");
let freshAt = new Date();
let known = said();

/** What there is to tell, by whom and what it is about. */
function said() {
  const lines = [...document.querySelectorAll("[data-news]")];
  return new Map(lines.map((line) => [line.dataset.news, line.dataset.said]));
}

function tellNews() {
  const now = said();
  const fresh = [...now].filter(([key]) => !known.has(key)).map(([, text]) => text);
  known = now;
  if (fresh.length) news.textContent = fresh.join(" ");
}

function isFresh() {
  freshAt = new Date();
  stale.hidden = true;
}

function isStale() {
  if (!stale.hidden) return;
  const time = freshAt.toLocaleTimeString(document.documentElement.lang, {
    hour: "numeric",
    minute: "2-digit",
  });
  stale.hidden = false;
  stale.firstElementChild.textContent = stale.dataset.lessonStale.replace("{time}", time);
}

document.addEventListener("htmx:beforeRequest", (event) => {
  if (document.hidden) event.preventDefault();
});
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) moving().dispatchEvent(new Event("refresh"));
});
document.addEventListener("htmx:beforeSwap", (event) => {
  const { xhr } = event.detail;
  // A person who has logged out meanwhile, or may not see the class any more, is told so by the page.
  const isElsewhere = new URL(xhr.responseURL).pathname !== location.pathname;
  if (isElsewhere || [403, 404].includes(xhr.status)) {
    event.detail.shouldSwap = false;
    location.reload();
  }
});
document.addEventListener("htmx:afterRequest", (event) => {
  if (event.detail.successful) isFresh();
  else isStale();
});
document.addEventListener("htmx:afterSettle", tellNews);

const fullScreen = document.querySelector("[data-full-screen]");
if (fullScreen && document.fullscreenEnabled) {
  fullScreen.hidden = false;
  fullScreen.addEventListener("click", () => document.querySelector("main").requestFullscreen());
}
