// The student's home page also sends answers that had to wait on this device: students without a
// connection may close the puzzle and never open it again.

import { Api } from "./api.js";
import { register } from "./kept.js";
import { Outbox, waitingOf } from "./outbox.js";

register();
const { player } = document.querySelector("[data-player]").dataset;
for (const { session, to } of waitingOf(player)) {
  const api = new Api(to.state, player);
  new Outbox(session, (attempt) => api.attempt({ session, ...attempt }), to).flush();
}
