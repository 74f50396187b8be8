// The size of letters in their squares. One that is drawn too wide is drawn smaller; how many
// characters it has does not matter: स्ते has four and is hardly wider than म.

// In ems; a square is 1.6 wide.
const ROOM = 1.4;

// Element → its letter; letter → its width in ems.
const drawn = new Map();
const widths = new Map();
let pen = null;

function width(letter) {
  if (!pen) {
    pen = document.createElement("canvas").getContext("2d");
    const family = getComputedStyle(document.documentElement).getPropertyValue("--letters");
    pen.font = `600 100px ${family}`;
    // A font that arrives later may be wider.
    document.fonts.addEventListener("loadingdone", () => {
      widths.clear();
      for (const [element, each] of drawn) size(element, each);
    });
  }
  if (!widths.has(letter)) widths.set(letter, pen.measureText(letter).width / 100);
  return widths.get(letter);
}

function size(element, letter) {
  const scale = letter ? ROOM / width(letter) : 1;
  if (scale < 1) element.style.setProperty("--fit", scale.toFixed(2));
  else element.style.removeProperty("--fit");
}

/** Draw a letter as large as the others, or as its square allows. */
export function sizeLetter(element, letter) {
  if (drawn.get(element) === letter) return;
  drawn.set(element, letter);
  size(element, letter);
}
