// Behaviour of all pages: theme, menus, dialogs, confirmations, copying, toasts.

const THEME_KEY = "osmosmjerka.theme";

export function toast(text, level = "info") {
  let region = document.querySelector(".toasts");
  if (!region) {
    region = document.createElement("div");
    region.className = "toasts";
    region.setAttribute("role", "status");
    document.body.append(region);
  }
  const message = document.createElement("p");
  message.className = `message message--${level}`;
  const words = document.createElement("span");
  words.textContent = text;
  message.append(words);
  region.append(message);
  setTimeout(() => message.remove(), 6000);
}

function showTheme(theme) {
  for (const button of document.querySelectorAll("[data-theme-choice]")) {
    button.setAttribute("aria-pressed", String(button.dataset.themeChoice === theme));
  }
}

function chooseTheme(theme) {
  const root = document.documentElement;
  if (theme === "system") delete root.dataset.theme;
  else root.dataset.theme = theme;
  try {
    if (theme === "system") localStorage.removeItem(THEME_KEY);
    else localStorage.setItem(THEME_KEY, theme);
  } catch {
    // If storage is forbidden, the choice is not saved; the page still changes.
  }
  showTheme(theme);
}

function closeMenus(except = null) {
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    if (menu !== except) menu.open = false;
  }
}

async function copy(button) {
  const value = button.dataset.copy;
  const source = value.startsWith("#") ? document.querySelector(value) : null;
  const text = source ? (source.value ?? source.textContent).trim() : value;
  try {
    await navigator.clipboard.writeText(text);
    toast(gettext("Copied."), "success");
  } catch {
    source?.select?.();
    toast(
      gettext("The browser did not allow copying. Select the text and copy it yourself."),
      "warning",
    );
  }
}

// A dialog that confirms any form; after a yes, the form is submitted again.
function confirmThenSubmit(form, submitter, question) {
  const dialog = document.createElement("dialog");
  dialog.className = "dialog";
  const text = document.createElement("p");
  text.id = "confirm-text";
  text.textContent = question;
  dialog.setAttribute("aria-labelledby", text.id);
  const actions = document.createElement("div");
  actions.className = "dialog-actions";
  const no = document.createElement("button");
  no.type = "button";
  no.className = "button";
  no.textContent = gettext("Cancel");
  no.addEventListener("click", () => dialog.close());
  const yes = document.createElement("button");
  yes.type = "button";
  yes.className = "button button--danger";
  yes.textContent = submitter?.textContent.trim() || gettext("Continue");
  yes.addEventListener("click", () => {
    form.dataset.confirmed = "yes";
    dialog.close();
    form.requestSubmit(submitter);
    delete form.dataset.confirmed; // a form that downloads a file stays, and is asked about again
  });
  actions.append(no, yes);
  dialog.append(text, actions);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

document.addEventListener("click", (event) => {
  const target = event.target;
  // A way to a place of the page has led there.
  closeMenus(target.closest('a[href^="#"]') ? null : target.closest("details.menu"));
  const theme = target.closest("[data-theme-choice]");
  if (theme) chooseTheme(theme.dataset.themeChoice);
  const opener = target.closest("[data-open-dialog]");
  if (opener) document.getElementById(opener.dataset.openDialog)?.showModal();
  if (target.closest("[data-close-dialog]")) target.closest("dialog")?.close();
  const copier = target.closest("[data-copy]");
  if (copier) copy(copier);
  const dismiss = target.closest("[data-dismiss]");
  if (dismiss) dismiss.closest(".message")?.remove();
  if (target.closest("[data-print]")) window.print();
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  const open = document.querySelector("details.menu[open]");
  if (!open) return;
  open.open = false;
  open.querySelector("summary")?.focus();
});

document.addEventListener("change", (event) => {
  const changed = event.target;
  const group = changed.closest("[data-selected-together]") ?? changed.form;
  const all = group?.querySelector("[data-select-all]");
  if (all) {
    const boxes = [...group.querySelectorAll(`[name="${all.dataset.selectAll}"]`)];
    if (changed === all) for (const box of boxes) box.checked = all.checked;
    else if (boxes.includes(changed)) all.checked = boxes.every((box) => box.checked);
  }
  if (changed.matches("[data-submit-on-change]")) changed.form.requestSubmit();
});

document.addEventListener(
  "submit",
  (event) => {
    const form = event.target;
    const question = event.submitter?.dataset.confirm || form.dataset.confirm;
    if (!question || form.dataset.confirmed) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    confirmThenSubmit(form, event.submitter, question);
  },
  true,
);

// Without a connection, a form would lead to the browser's own page, and what was typed be lost. Who
// leaves a shared device is logged out all the same: the service worker does that.
document.addEventListener("submit", (event) => {
  const { target: form } = event;
  if (navigator.onLine || event.defaultPrevented || form.method !== "post") return;
  if (new URL(form.action).pathname === "/logout/") return;
  event.preventDefault();
  toast(gettext("You are offline. Nothing is lost: send it again when the connection is back."), "warning");
});

// A button whose action takes a while shows that it works, and is not pressed twice.
document.addEventListener("submit", (event) => {
  const { target: form, submitter } = event;
  if (event.defaultPrevented || !submitter || form.method !== "post" || "download" in form.dataset) return;
  if (submitter.hasAttribute("aria-busy")) event.preventDefault();
  submitter.setAttribute("aria-busy", "true");
});

// The page comes back from the browser's memory as it was left.
addEventListener("pageshow", (event) => {
  if (!event.persisted) return;
  for (const busy of document.querySelectorAll("button[aria-busy]")) busy.removeAttribute("aria-busy");
});

// A form that is sent by itself, also when it comes with a part of the page.
document.addEventListener("htmx:load", () => {
  document.querySelector("form[data-submit-now]")?.requestSubmit();
});

for (const field of document.querySelectorAll("[data-time-zone]")) {
  field.value = Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";
}

for (const part of document.querySelectorAll("[data-share]")) {
  part.style.setProperty("--share", part.dataset.share);
}

showTheme(document.documentElement.dataset.theme || "system");
