// The certified OpenID provider of npm on a free port of this computer, for tests.
//
// A test writes commands to its input, one JSON a line: what to change of `state`, {"rotate": true} for a new key, or
// {"reset": true}. Each is answered by a line of JSON. Who signs in chooses a person on a page, without a password.
import { createServer } from "node:http";
import { generateKeyPairSync, randomUUID } from "node:crypto";
import { createInterface } from "node:readline";
import { Provider } from "oidc-provider";

const STANDARD = {
  openid: ["sub"],
  profile: ["name", "given_name", "family_name"],
  email: ["email", "email_verified"],
};
const state = {};
let url, provider, answer;

function newKey() {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  return { ...privateKey.export({ format: "jwk" }), kid: randomUUID(), alg: "RS256", use: "sig" };
}

function reset() {
  state.clients = [];
  // By subject: the claims of the person. What is not a standard claim is told with the scope `openid`, as hd and tid.
  state.people = {};
  state.inToken = true; // whether the ID token has all claims, else userinfo alone has the standard ones
  state.seconds = 600; // how long an ID token is valid
  state.keys = [newKey()];
}

function build() {
  const standard = Object.values(STANDARD).flat();
  const told = Object.values(state.people).flatMap(Object.keys);
  const own = [...new Set(told)].filter((name) => !standard.includes(name));
  provider = new Provider(url, {
    clients: state.clients,
    jwks: { keys: state.keys },
    cookies: { keys: ["tests"] },
    claims: { ...STANDARD, openid: ["sub", ...own] },
    conformIdTokenClaims: !state.inToken,
    pkce: { required: () => true },
    ttl: { IdToken: state.seconds, Session: 3600, Interaction: 3600, Grant: 3600, AccessToken: 600 },
    features: { devInteractions: { enabled: false }, rpInitiatedLogout: { logoutSource } },
    interactions: { url: (ctx, interaction) => `/people/${interaction.uid}` },
    findAccount: (ctx, sub) =>
      state.people[sub] && { accountId: sub, claims: () => ({ sub, ...state.people[sub] }) },
    async loadExistingGrant(ctx) {
      // Nobody is asked what the site may know.
      const { client, session, params } = ctx.oidc;
      const grant = new ctx.oidc.provider.Grant({
        clientId: client.clientId,
        accountId: session.accountId,
      });
      grant.addOIDCScope(params.scope);
      await grant.save();
      return grant;
    },
  });
  answer = provider.callback();
}

function logoutSource(ctx, form) {
  const yes = '<button form="op.logoutForm" name="logout" value="yes">Log out</button>';
  ctx.body = page("Log out of the provider?", form + yes);
}

function page(title, body) {
  return `<!DOCTYPE html><html lang="en"><title>${title}</title><h1>${title}</h1>${body}</html>`;
}

function button(sub, name) {
  return `<button name="person" value="${sub}">${name}</button>`;
}

async function choosePerson(request, response) {
  if (request.method === "POST") {
    let body = "";
    for await (const piece of request) body += piece;
    const accountId = new URLSearchParams(body).get("person");
    const result = accountId ? { login: { accountId } } : { error: "access_denied" };
    return provider.interactionFinished(request, response, result);
  }
  const people = Object.entries(state.people).map(([sub, { name }]) => button(sub, name ?? sub));
  response.setHeader("Content-Type", "text/html; charset=utf-8");
  const form = `<form method="post">${people.join("")}${button("", "Refuse")}</form>`;
  response.end(page("Who are you?", form));
}

const server = createServer((request, response) => {
  const isPage = request.url.startsWith("/people/");
  if (!isPage) return answer(request, response);
  return choosePerson(request, response).catch((error) => {
    response.statusCode = 400;
    response.end(String(error));
  });
});
server.listen(0, "127.0.0.1", () => {
  url = `http://127.0.0.1:${server.address().port}`;
  reset();
  build();
  console.log(JSON.stringify({ url }));
});

const lines = createInterface({ input: process.stdin });
lines.on("line", (line) => {
  const { rotate, reset: again, ...changed } = JSON.parse(line);
  if (again) reset();
  if (rotate) state.keys = [newKey()];
  Object.assign(state, changed);
  let error = null;
  try {
    build();
  } catch (caught) {
    error = String(caught);
  }
  console.log(JSON.stringify({ error }));
});
lines.on("close", () => process.exit()); // the tests have ended
