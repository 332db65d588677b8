// Starts the door without a connection, from what pages/event/door/offline.ts has kept. Every other request goes to the network
// as if this file did not exist.
const cacheName = "door";
const networkMs = 4000;

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  if (request.mode === "navigate" && url.pathname.endsWith("/door")) event.respondWith(page(request, url.pathname));
  else if (url.pathname.startsWith("/assets/")) event.respondWith(asset(request, url.pathname));
});

/** The network first, because it may have a newer version; not for long, because somebody waits at the door. */
async function page(request, path) {
  const kept = await (await caches.open(cacheName)).match(path, { ignoreVary: true });
  if (kept === undefined) return fetch(request);
  try {
    return await Promise.race([
      fetch(request),
      new Promise((_, reject) => setTimeout(() => reject(new Error("slow")), networkMs)),
    ]);
  } catch {
    return kept;
  }
}

/** Assets never change under the same name. */
async function asset(request, path) {
  const kept = await (await caches.open(cacheName)).match(path, { ignoreVary: true });
  return kept ?? fetch(request);
}
