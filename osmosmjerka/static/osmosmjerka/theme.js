// Runs before the first paint, so that a chosen theme never flashes. A classic script for that
// reason.
(() => {
  try {
    const theme = localStorage.getItem("osmosmjerka.theme");
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  } catch {
    // Storage may be forbidden; the system's preference then holds.
  }
})();
