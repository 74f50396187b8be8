// Show only the settings of the selected kind. Without scripts all are shown, and still work.
const kinds = document.querySelectorAll("input[name=kind]");

function showChosen() {
  const chosen = document.querySelector("input[name=kind]:checked");
  for (const group of document.querySelectorAll("[data-kind]")) {
    group.hidden = !chosen || group.dataset.kind !== chosen.value;
  }
}

for (const kind of kinds) kind.addEventListener("change", showChosen);
showChosen();
