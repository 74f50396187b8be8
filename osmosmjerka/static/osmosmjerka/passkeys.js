// Passkeys: the browser's dialog creates or uses one; the server sends challenges and verifies.

const BUFFERS = new Set(["challenge", "id"]);

function bytes(encoded) {
  const plain = atob(encoded.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
}

function text(buffer) {
  const plain = String.fromCharCode(...new Uint8Array(buffer));
  return btoa(plain).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

// Convert the server's JSON: decode the values that the browser needs as bytes.
function unpacked(value) {
  if (Array.isArray(value)) return value.map(unpacked);
  if (value === null || typeof value !== "object") return value;
  const parts = Object.entries(value).map(([name, part]) => [name, unpackedPart(name, part)]);
  return Object.fromEntries(parts);
}

function unpackedPart(name, part) {
  if (name === "rp") return part; // rp.id is a name, not bytes
  if (BUFFERS.has(name) && typeof part === "string") return bytes(part);
  return unpacked(part);
}

function packed(credential) {
  const { response } = credential;
  const sent = {};
  for (const name of [
    "clientDataJSON",
    "attestationObject",
    "authenticatorData",
    "signature",
    "userHandle",
  ]) {
    if (response[name]) sent[name] = text(response[name]);
  }
  return {
    id: credential.id,
    rawId: text(credential.rawId),
    type: credential.type,
    clientExtensionResults: credential.getClientExtensionResults(),
    response: sent,
  };
}

async function post(address, body, token) {
  const answer = await fetch(address, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-CSRFToken": token },
    body: JSON.stringify(body),
  });
  const told = await answer.json().catch(() => ({}));
  if (!answer.ok) {
    const refused = gettext("The server did not accept this. Reload the page and try again.");
    throw new Error(told.detail || refused);
  }
  return told;
}

// Closing the browser's dialog is a change of mind, not an error.
const isGivenUp = (error) => error.name === "NotAllowedError" || error.name === "AbortError";

function reason(error) {
  if (isGivenUp(error)) return gettext("The passkey was not confirmed. Nothing was changed.");
  if (error.name === "InvalidStateError") {
    return gettext("This device already has a passkey for your account.");
  }
  return error.message;
}

async function attempt(form, action) {
  const said = form.querySelector("[data-passkey-said]");
  const button = form.querySelector("button");
  said.hidden = true;
  button.disabled = true;
  try {
    const told = await action(form.elements.csrfmiddlewaretoken.value);
    location.assign(told.next);
  } catch (error) {
    said.textContent = reason(error);
    said.hidden = false;
    button.disabled = false;
  }
}

function logIn(form) {
  return attempt(form, async (token) => {
    const publicKey = unpacked(await post(form.dataset.options, {}, token));
    const credential = await navigator.credentials.get({ publicKey });
    return post(
      form.dataset.answer,
      { credential: packed(credential), next: form.dataset.next },
      token,
    );
  });
}

function add(form) {
  return attempt(form, async (token) => {
    const { name, password } = form.elements;
    const publicKey = unpacked(
      await post(form.dataset.options, { password: password.value }, token),
    );
    const credential = await navigator.credentials.create({ publicKey });
    return post(form.dataset.answer, { credential: packed(credential), name: name.value }, token);
  });
}

for (const form of document.querySelectorAll("[data-passkey]")) {
  if (!window.PublicKeyCredential) continue; // an old browser, or no HTTPS
  form.hidden = false;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (form.dataset.passkey === "login") logIn(form);
    else add(form);
  });
}
for (const hint of document.querySelectorAll("[data-passkey-absent]")) {
  hint.hidden = Boolean(window.PublicKeyCredential);
}
