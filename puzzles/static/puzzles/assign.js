// The form of a new assignment. Without scripts all settings are shown, and still work.

const form = document.querySelector("form.assign");
const field = (name) => form.querySelector(`[name=${name}]`);

// Show only the settings of the selected type.
function showSettings() {
  const chosen = form.querySelector("[name=kind]:checked");
  for (const group of form.querySelectorAll("[data-kind]")) {
    group.hidden = !chosen || group.dataset.kind !== chosen.value;
  }
}

// Show a setting only for the value of another to which it belongs: data-only-for="shape=letter".
function showBelonging() {
  for (const input of form.querySelectorAll("[data-only-for]")) {
    const [name, value] = input.dataset.onlyFor.split("=");
    const other = field(`"${input.name.replace(/[^-]+$/, name)}"`);
    input.closest(".field").hidden = other.value !== value;
  }
  // With one attempt, that one counts.
  form.querySelector("[data-if-several]").hidden = Number(field("attempts").value) < 2;
}

// A word selected by hand stays selected: from now on no rule selects others. It is captured
// before htmx sends the form.
function keepSelection({ target }) {
  const words = target.closest("[data-words]");
  if (!words) return;
  field("which").value = "ticked";
  field("is_all").checked = false;
  field("number").value = Math.max(1, words.querySelectorAll(":checked").length);
}

// The puzzles of a path have the same words for all.
function chooseSameWords({ target }) {
  if (target.name === "kind" && target.value === "path") field("is_adaptive").checked = false;
}

// Either all words, or so many.
function keepNumberOrAll({ target }) {
  if (target.name === "is_all") field("number").value = "";
  if (target.name === "number") field("is_all").checked = !target.value;
}

// What was typed while an answer was under way is not in that answer: it is kept, and sent next.
const typed = new Map();

function fieldsTyped(part) {
  return [...typed.keys()].map((id) => part.querySelector(`#${CSS.escape(id)}`)).filter(Boolean);
}

function keepTyped({ detail }) {
  for (const fresh of fieldsTyped(detail.fragment)) fresh.value = typed.get(fresh.id);
  for (const fresh of detail.fragment.querySelectorAll("details[id]")) {
    fresh.open ||= document.getElementById(fresh.id)?.open ?? false;
  }
}

// The field is a new one, for which a browser tells no change when it is left.
function sendTyped({ detail }) {
  for (const fresh of fieldsTyped(detail.elt)) {
    fresh.dispatchEvent(new Event("change", { bubbles: true }));
  }
}

function isChanged(input) {
  if (input.type === "radio") return input.checked && !input.defaultChecked;
  if (input.type === "checkbox") return input.checked !== input.defaultChecked;
  if (input.options) {
    const usual = [...input.options].find((one) => one.defaultSelected) ?? input.options[0];
    return Boolean(usual) && !usual.selected;
  }
  return "defaultValue" in input && input.value !== input.defaultValue;
}

// What was set before htmx had come, or is kept by the browser over a reload, is sent now.
function sendChanged() {
  for (const input of [...form.elements].filter(isChanged)) {
    input.dispatchEvent(new Event("change", { bubbles: true }));
  }
}

form.addEventListener("input", ({ target }) => {
  if (target.id) typed.set(target.id, target.value);
});
form.addEventListener("htmx:oobBeforeSwap", keepTyped);
form.addEventListener("htmx:load", sendTyped);
form.addEventListener("htmx:configRequest", () => typed.clear());
document.addEventListener("htmx:load", sendChanged, { once: true });
form.addEventListener("change", showSettings);
form.addEventListener("change", showBelonging);
form.addEventListener("change", keepSelection, { capture: true });
form.addEventListener("change", chooseSameWords, { capture: true });
form.addEventListener("change", keepNumberOrAll, { capture: true });
showSettings();
showBelonging();
