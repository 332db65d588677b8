// Runs before the first paint, so that a chosen theme does not flash. theme.ts writes what is read here.
(() => {
  try {
    const theme = localStorage.getItem("theme");
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  } catch {
    // Storage can be blocked: the system's theme applies.
  }
})();
