// Arrow keys in a row of keys.

/** The direction in which an arrow key moves: 1 forwards, -1 backwards, 0 for any other key. */
export function walk(name, direction) {
  const ahead = direction === "rtl" ? "ArrowLeft" : "ArrowRight";
  const back = direction === "rtl" ? "ArrowRight" : "ArrowLeft";
  return { [ahead]: 1, ArrowDown: 1, [back]: -1, ArrowUp: -1 }[name] ?? 0;
}
