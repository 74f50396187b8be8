// The service worker: a puzzle that was begun goes on without a connection.
//
// Pages always come from the server if it answers. What is kept for a student is in one cache, whose
// name has the id of its player: the pages of puzzles, their states, files, sounds and pictures. The
// server names in each page the player to whom it belongs (X-Player), and every other player's cache
// is deleted as soon as such a page arrives. Only pages that say so (X-Keep) are kept. Answers never
// are: those that wait for the server are in the page's own storage (puzzles/play/outbox.js).
//
// osmosmjerka/offline.py puts a line before this script that defines VERSION.

const SHELL = `shell-${VERSION}`; // the offline page and its files
const PLAYER = "player-";
const NOBODY = "nobody"; // to whom pages belong that are no student's
const LEFT = "left"; // "Not me" that was pressed without a connection
const LOG_OUT = "/logout/";
const OFFLINE = "/offline/";
const SEEN = "/seen"; // when the server last answered this player

const PATIENCE = 4000; // ms, if there is a copy
const AS_LONG_AS_A_SESSION = 12 * 60 * 60 * 1000;
const AWAY = [502, 503, 504]; // the server is being restarted, or busy

const STATE = /^\/api\/play\/[^/]+\/$/;
const MEDIA = /^\/api\/play\/[^/]+\/(sound|picture)\//;
const FILE = /^\/(static|script-texts)\/.*\.[0-9a-f]{12}\.\w+$/; // never another content
const NAMED_FILE = /(?:src|href)="(\/(?:static|script-texts)\/[^"]+)"/g;
const TOKEN = /name="csrfmiddlewaretoken" value="(\w+)"/;
const PLAYED = /^\/(play|practise)\/|^\/assignments\/\d+\/play\/$/;

// Changes of what is kept, one after another: what was removed must not come back.
let last = Promise.resolve();
function inOrder(change) {
  const done = last.then(change);
  last = done.catch(() => {});
  return done;
}

/** The answer, or an error if none comes in time; 0: any time. */
function within(milliseconds, answer) {
  if (!milliseconds) return answer;
  const late = new Promise((_, reject) => {
    setTimeout(() => reject(new Error("late")), milliseconds);
  });
  return Promise.race([answer, late]);
}

// ---- what is kept ----

// Grows when somebody leaves. An answer that was asked for before must not bring them back.
let departures = 0;

/** Remove what is kept for all players, or for all but one. */
async function removePlayers(except = "") {
  const names = (await caches.keys()).filter((name) => name.startsWith(PLAYER));
  const others = names.filter((name) => name !== PLAYER + except);
  if (others.length || !except) departures += 1;
  await Promise.all(others.map((name) => caches.delete(name)));
}

async function cacheOf(player) {
  const name = PLAYER + player;
  return (await caches.has(name)) ? caches.open(name) : null;
}

/** The cache of the one player of this device, unless they have not been seen for too long. */
async function keptCache() {
  const names = (await caches.keys()).filter((name) => name.startsWith(PLAYER));
  if (names.length !== 1) return null;
  const cache = await caches.open(names[0]);
  const seen = Number(await (await cache.match(SEEN))?.text());
  if (Date.now() - seen < AS_LONG_AS_A_SESSION) return cache;
  await caches.delete(names[0]);
  return null;
}

/**
 * Learn from a page who plays here now, and keep it if it is one to be kept. It was asked for when
 * there had been so many *departures*.
 */
async function learn(path, answer, before) {
  const player = answer.headers.get("X-Player");
  if (!player) return; // not from our server, or in a state in which it knows nobody
  if (before !== departures) return; // too late: perhaps its player has left meanwhile
  await removePlayers(player);
  if (player === NOBODY) return;
  if (answer.ok && answer.headers.has("X-Keep")) {
    const cache = await caches.open(PLAYER + player);
    await cache.put(path, answer);
    await cache.put(SEEN, new Response(String(Date.now())));
  } else {
    const cache = await cacheOf(player);
    await cache?.put(SEEN, new Response(String(Date.now())));
    if (answer.status < 500) await cache?.delete(path); // the puzzle is not there any more
  }
  const offline = await (await caches.open(SHELL)).match(OFFLINE);
  const language = answer.headers.get("Content-Language");
  if (language && offline?.headers.get("Content-Language") !== language) await prepare();
}

/** Keep what a page of a puzzle says of itself. */
async function keep({ player, page, address, state }) {
  if (await caches.has(LEFT)) return;
  if (!(await (await cacheOf(player))?.match(page))) {
    // The page was loaded before this worker was there.
    const before = departures;
    const answer = await within(PATIENCE, fetch(page));
    if (answer.headers.get("X-Player") !== player) return;
    await learn(page, answer, before);
  }
  await (await cacheOf(player))?.put(
    address,
    new Response(JSON.stringify(state), { headers: { "Content-Type": "application/json" } }),
  );
}

const asked = new Set();

/** Fetch what a puzzle needs, one after another: at nine o'clock a whole class opens one. */
async function fill(player, files) {
  for (const address of files) {
    const { pathname } = new URL(address, location.origin);
    const isMedia = MEDIA.test(pathname);
    if (asked.has(address) || !(isMedia || FILE.test(pathname))) continue;
    asked.add(address);
    try {
      const cacheName = PLAYER + player;
      if (!(await caches.has(cacheName))) continue;
      if (await caches.match(address, { cacheName, ignoreVary: true })) continue;
      // The server refuses it if somebody else is logged in meanwhile.
      const answer = await fetch(address, isMedia ? { headers: { "X-Player": player } } : {});
      if (answer.status !== 200) continue;
      await inOrder(async () => (await cacheOf(player))?.put(address, answer));
    } catch {
      // The next message asks for it again.
    } finally {
      asked.delete(address);
    }
  }
}

// ---- answers ----

async function file(request) {
  return (await caches.match(request.url, { ignoreVary: true })) ?? fetch(request);
}

/** A sound or a picture, whole or the part that is asked for: Apple's devices ask for parts. */
async function media(request) {
  const kept = await caches.match(request.url, { ignoreVary: true });
  if (!kept) return fetch(request);
  const part = /^bytes=(\d+)-(\d*)$/.exec(request.headers.get("Range") ?? "");
  if (!part) return kept;
  const whole = await kept.blob();
  const first = Number(part[1]);
  const end = part[2] ? Math.min(Number(part[2]), whole.size - 1) : whole.size - 1;
  if (first > end) {
    return new Response(null, { status: 416, headers: { "Content-Range": `bytes */${whole.size}` } });
  }
  return new Response(whole.slice(first, end + 1), {
    status: 206,
    headers: {
      "Content-Type": kept.headers.get("Content-Type"),
      "Content-Length": String(end - first + 1),
      "Content-Range": `bytes ${first}-${end}/${whole.size}`,
      "Accept-Ranges": "bytes",
    },
  });
}

async function stateOfPuzzle(event) {
  const { request } = event;
  const player = request.headers.get("X-Player");
  const cacheName = PLAYER + player;
  const kept = await caches.match(request.url, { cacheName, ignoreVary: true });
  const coming = fetch(request);
  // Also if it comes too late to be shown.
  const heard = coming.then(({ status }) =>
    status === 401 || status === 403 ? inOrder(() => forget(player)) : undefined,
  );
  event.waitUntil(heard.catch(() => {}));
  try {
    const answer = await within(kept && PATIENCE, coming);
    if (kept && AWAY.includes(answer.status)) return kept;
    await heard;
    return answer;
  } catch (error) {
    if (kept) return kept;
    throw error;
  }
}

function forget(player) {
  departures += 1;
  return caches.delete(PLAYER + player);
}

async function offlinePage() {
  await inOrder(keptCache); // it lists what is kept: nothing that is too old
  return (await caches.match(OFFLINE)) ?? Response.error();
}

async function openPage(event) {
  const { request } = event;
  const path = new URL(request.url).pathname;
  let kept;
  try {
    const left = await inOrder(logOutLater);
    if (left && (path === "/" || path === OFFLINE)) return Response.redirect(left, 303);
    kept = await (await inOrder(keptCache))?.match(path, { ignoreVary: true });
    const before = departures;
    const coming = fetch(request);
    // Also from a page that comes too late to be shown.
    const learnt = coming.then((answer) => {
      // Only what is read may be copied: the unread copy of a download would fill the memory.
      const copy = answer.headers.has("X-Keep") ? answer.clone() : answer;
      return inOrder(() => learn(path, copy, before));
    });
    event.waitUntil(learnt.catch(() => {}));
    const answer = await within(kept && PATIENCE, coming);
    return kept && AWAY.includes(answer.status) ? kept : answer;
  } catch {
    return kept ?? offlinePage();
  }
}

/** Send what starts something; without a connection it cannot. */
async function start(request) {
  try {
    return await fetch(request);
  } catch {
    return Response.redirect(OFFLINE, 303);
  }
}

/**
 * "Not me": first of all nothing is kept any more. Without a connection the server is told later,
 * before it is asked for any other page: whoever takes the tablet then is nobody yet.
 */
async function logOut(request) {
  const form = await request.clone().text();
  await inOrder(removePlayers);
  try {
    const answer = await fetch(request);
    if (answer.status < 500) return answer;
  } catch {
    // told later
  }
  await inOrder(async () => (await caches.open(LEFT)).put(LOG_OUT, new Response(form)));
  return Response.redirect(OFFLINE, 303);
}

/** Tell the server now; return where it leads, or undefined if there was nothing to tell. */
async function logOutLater() {
  if (!(await caches.has(LEFT))) return undefined;
  const kept = await (await caches.open(LEFT)).match(LOG_OUT);
  const form = new URLSearchParams(await kept.text());
  const page = await within(PATIENCE, fetch("/"));
  // The token of that day may be no good any more.
  const [, token] = TOKEN.exec(await page.text()) ?? [];
  if (token) form.set("csrfmiddlewaretoken", token);
  const request = new Request(LOG_OUT, { method: "POST", body: form });
  const answer = await within(PATIENCE, fetch(request));
  if (page.status >= 500 || answer.status >= 500) throw new Error("not yet");
  await removePlayers();
  await caches.delete(LEFT);
  return answer.ok ? answer.url : "/";
}

// ---- events ----

/** Keep the offline page in the language of whoever is logged in, and its files. */
async function prepare() {
  const answer = await within(PATIENCE, fetch(OFFLINE));
  if (!answer.ok) throw new Error(String(answer.status));
  const page = await answer.clone().text();
  const shell = await caches.open(SHELL);
  await shell.addAll(new Set(Array.from(page.matchAll(NAMED_FILE), ([, name]) => name)));
  await shell.put(OFFLINE, answer);
}

addEventListener("install", (event) => {
  // Pages and scripts have no versions that must fit this one: it may begin at once.
  skipWaiting();
  event.waitUntil(prepare());
});

/** Take the pages over, and remove what the version before needed. */
async function begin() {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith("shell-") && name !== SHELL);
  await Promise.all(old.map((name) => caches.delete(name)));
  await clients.claim();
}

addEventListener("activate", (event) => event.waitUntil(begin()));

// From pages of this site only: a worker gets no others.
addEventListener("message", (event) => {
  const { player, forgotten, files } = event.data;
  if (forgotten) event.waitUntil(inOrder(() => forget(player)));
  else event.waitUntil(inOrder(() => keep(event.data)).then(() => fill(player, files)));
});

addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== location.origin) return;
  if (request.mode === "navigate") {
    if (request.method === "GET") event.respondWith(openPage(event));
    else if (pathname === LOG_OUT) event.respondWith(logOut(request));
    else if (PLAYED.test(pathname)) event.respondWith(start(request));
  } else if (request.method !== "GET") return;
  else if (FILE.test(pathname)) event.respondWith(file(request));
  else if (MEDIA.test(pathname)) event.respondWith(media(request));
  else if (STATE.test(pathname) && request.headers.has("X-Player")) {
    event.respondWith(stateOfPuzzle(event));
  }
});
