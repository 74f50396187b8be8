/* The map of students and words: one tab stop, arrows move, the line above describes the cell.
   Without this script every number is still there. */

const map = document.querySelector("[data-map]");
const line = document.querySelector("[data-map-line]");

function tell(cell) {
  const row = cell.parentElement;
  const student = map.tHead.rows[0].cells[cell.cellIndex].textContent;
  const word = row.cells[0].textContent;
  const [right, asked, helped] = (cell.dataset.n || "").split("/");
  const level = map.dataset.levels.split("|")[Number(cell.textContent)];
  const text = asked ? map.dataset.text : map.dataset.none;
  const values = { student, word, level, right, asked, helped };
  line.textContent = text.replace(/\{(\w+)\}/g, (_all, name) => values[name].trim());
}

function go(from, down, across) {
  const rows = map.tBodies[0].rows;
  const row = rows[from.parentElement.sectionRowIndex + down];
  const next = row?.cells[from.cellIndex + across];
  if (next?.tagName !== "TD") return;
  from.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}

const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

if (map) {
  const first = map.querySelector("tbody td");
  if (first) first.tabIndex = 0;
  map.addEventListener("focusin", (event) => event.target.tagName === "TD" && tell(event.target));
  map.addEventListener("pointerover", (event) => {
    if (event.target.tagName === "TD") tell(event.target);
  });
  map.addEventListener("click", (event) => {
    if (event.target.tagName !== "TD") return;
    map.querySelector("td[tabindex='0']").tabIndex = -1;
    event.target.tabIndex = 0;
    event.target.focus();
  });
  map.addEventListener("keydown", (event) => {
    const step = STEPS[event.key];
    if (!step || event.target.tagName !== "TD") return;
    event.preventDefault();
    const isMirrored = document.documentElement.dir === "rtl";
    go(event.target, step[0], isMirrored ? -step[1] : step[1]);
  });
}
