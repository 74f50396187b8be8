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

// A word selected by hand stays selected: from now on no rule selects others. It is captured
// before htmx sends the form.
function keepSelection({ target }) {
  const words = target.closest("[data-words]");
  if (!words) return;
  field("which").value = "ticked";
  field("number").value = Math.max(1, words.querySelectorAll(":checked").length);
}

form.addEventListener("change", showSettings);
form.addEventListener("change", keepSelection, { capture: true });
showSettings();
