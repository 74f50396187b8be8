// What this device keeps of a begun puzzle, so that it goes on without a connection. The service
// worker keeps it, see osmosmjerka/sw.js; a site without HTTPS has none.

const workers = globalThis.navigator?.serviceWorker;

/** Let the service worker begin; browsers that forbid it play as they always did. */
export function register() {
  workers?.register("/sw.js").catch(() => {});
}

async function tell(message) {
  const { active } = (await workers?.ready) ?? {};
  active?.postMessage(message, []);
}

/** Keep a puzzle as it is now, with the files, sounds and pictures of its page. */
export async function keep({ player, stateUrl }, state) {
  await document.fonts?.ready; // they are among the files
  tell({
    player,
    page: location.pathname,
    address: stateUrl,
    state: { ...state, isKept: true },
    files: [
      ...performance.getEntriesByType("resource").map(({ name }) => name),
      ...state.items.flatMap(({ clue }) => [clue.sound, clue.picture]).filter(Boolean),
    ],
  });
}

/** The player is logged out. */
export function forget(player) {
  tell({ player, forgotten: true });
}
