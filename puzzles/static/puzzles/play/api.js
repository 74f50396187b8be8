// The only module that sends requests to the server.

const PATIENCE = 15_000;

/** The server is unreachable or asks to retry later: everything still has to be sent. */
export class Unreachable extends Error {
  /** @param {number} seconds at least, until the next try, if the server says so */
  constructor(message = "", seconds = 0) {
    super(message);
    this.seconds = seconds;
  }
}

/** The student is logged out, or someone else is logged in: attempts are kept until they return. */
export class SignedOut extends Error {}

/** Too many wrong answers: attempts are kept and sent again after some seconds. */
export class SlowDown extends Error {
  constructor(message, seconds) {
    super(message);
    this.seconds = seconds;
  }
}

/** The server understood and refused; the message is for the student. */
export class Refused extends Error {
  constructor(status, code, message) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

function cookie(name) {
  const found = document.cookie.split("; ").find((pair) => pair.startsWith(`${name}=`));
  return found ? decodeURIComponent(found.slice(name.length + 1)) : "";
}

/**
 * The cookie comes first: a page that was kept on the device has a token from another day. The page
 * contains it in case the cookie is hidden from scripts.
 */
function csrfToken() {
  return (
    cookie("__Host-csrftoken") || // over HTTPS
    cookie("csrftoken") ||
    document.querySelector("input[name=csrfmiddlewaretoken]")?.value
  );
}

export function newAttemptId() {
  if (crypto.randomUUID) return crypto.randomUUID();
  // randomUUID is missing on plain HTTP (a school's network): build the same format instead.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

export class Api {
  #base;
  #player;

  constructor(stateUrl, player) {
    this.#base = stateUrl;
    this.#player = player;
  }

  async #send(path, method = "GET", body = undefined, keepalive = false) {
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(), PATIENCE);
    let response;
    try {
      response = await fetch(this.#base + path, {
        method,
        credentials: "same-origin",
        cache: "no-store",
        keepalive,
        signal: abort.signal,
        headers: {
          Accept: "application/json",
          // In another tab of a shared tablet someone else may have logged in.
          "X-Player": this.#player,
          ...(body === undefined ? {} : { "Content-Type": "application/json" }),
          ...(method === "GET" ? {} : { "X-CSRFToken": csrfToken() }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    } catch (error) {
      throw new Unreachable(error.message);
    } finally {
      clearTimeout(timer);
    }
    if (response.status === 401 || response.status === 403) {
      throw new SignedOut(String(response.status));
    }
    if (response.status === 429) {
      const answer = await response.json().catch(() => null);
      throw new SlowDown(
        answer?.detail ?? gettext("Please wait a moment."),
        Number(response.headers.get("Retry-After")) || 10,
      );
    }
    if (response.status === 408 || response.status >= 500) {
      const seconds = Number(response.headers.get("Retry-After")) || 0;
      throw new Unreachable(String(response.status), seconds);
    }
    if (response.status === 204) return null;
    const answer = await response.json().catch(() => null);
    if (response.ok) {
      if (answer === null) throw new Unreachable("not JSON");
      return answer;
    }
    if (response.status === 404) {
      const gone = gettext("This puzzle cannot be played any more. Perhaps it was deleted.");
      throw new Refused(404, "", gone);
    }
    // What is wrong with single values is for programmers.
    const said = answer?.errors ? null : answer?.detail;
    throw new Refused(
      response.status,
      answer?.code ?? "",
      said ?? gettext("The server did not accept this. Reload the page and try again."),
    );
  }

  /** The address and the student of attempts that have to wait. */
  get to() {
    return { state: this.#base, player: this.#player };
  }

  state() {
    return this.#send("");
  }
  attempt(attempt) {
    // The clock of a tablet may be wrong: by this the server knows how much.
    const sent_at = new Date().toISOString();
    return this.#send("attempts/", "POST", { ...attempt, sent_at });
  }
  hint(hint) {
    return this.#send("hint/", "POST", hint);
  }
  draft(cells, keepalive = false) {
    return this.#send("draft/", "PUT", { cells }, keepalive);
  }
  finish() {
    return this.#send("finish/", "POST", {});
  }
}
