// Run crossword-layout-generator on lists of words. Reads and writes one line of JSON.
const { generateLayout } = require("crossword-layout-generator");
const tasks = JSON.parse(require("fs").readFileSync(0, "utf8"));
const answers = tasks.map(({ words }) => {
  const began = process.hrtime.bigint();
  const layout = generateLayout(words.map((answer) => ({ answer, clue: answer })));
  const seconds = Number(process.hrtime.bigint() - began) / 1e9;
  const placed = layout.result
    .filter((word) => word.orientation !== "none")
    .map((word) => [word.answer, word.starty - 1, word.startx - 1, word.orientation === "down"]);
  return { placed, seconds };
});
console.log(JSON.stringify(answers));
