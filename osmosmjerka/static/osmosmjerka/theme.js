// Runs before the first paint, so that the page never flashes in another theme. Therefore it is a
// classic script.
(() => {
  try {
    const theme = localStorage.getItem("osmosmjerka.theme");
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  } catch {
    // Storage may be forbidden; then the system's preference applies.
  }
})();
