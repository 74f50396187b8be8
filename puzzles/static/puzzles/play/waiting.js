// Answers that had to wait on this device are sent from the player's first page, too: who has no
// connection closes the puzzle and may never open it again.

import { Api } from "./api.js";
import { Outbox, waitingOf } from "./outbox.js";

const { player } = document.querySelector("[data-player]").dataset;
for (const { session, to } of waitingOf(player)) {
  const api = new Api(to.state, player);
  new Outbox(session, (attempt) => api.attempt({ session, ...attempt }), to).flush();
}
