// Runs while the page is parsed, before the application is there.
(() => {
  // A chosen theme must not flash. theme.ts writes what is read here.
  try {
    const theme = localStorage.getItem("theme");
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  } catch {
    // Storage can be blocked: the system's theme applies.
  }
  // What the application asks for first, and the parts of the page that is opened. client.ts takes the response.
  const address = "/api/console/session";
  window.earlyResponses = {
    [address]: fetch(address, { cache: "no-cache", headers: { accept: "application/json" } }),
  };
  window.earlyResponses[address].catch(() => {});
  for (const [pattern, files] of JSON.parse(document.currentScript?.dataset.parts ?? "[]")) {
    if (!new RegExp(pattern).test(location.pathname)) continue;
    for (const href of files) {
      document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", href }));
    }
  }
})();
