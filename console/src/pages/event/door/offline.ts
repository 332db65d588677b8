import { addressOf } from "../../../api/client.ts";
import { scanWorkerUrl } from "./frame-reader.ts";

/** Shared with door-worker.js, which serves from it what the network does not. */
const cacheName = "door";

/**
 * Makes the door start without a connection: keeps the page and everything that it has loaded. Nothing is kept of a newer
 * version than the one that runs, because its other parts are unknown here.
 */
export async function keepForOffline(): Promise<void> {
  if (!("serviceWorker" in navigator) || !("caches" in globalThis)) return;
  await navigator.serviceWorker.register("/door-worker.js", { scope: "/" });
  const page = await fetch(location.pathname, { headers: { accept: "text/html" } });
  const html = await page.clone().text();
  const entry = document.querySelector<HTMLScriptElement>('script[type="module"]')?.getAttribute("src");
  if (!page.ok || entry === undefined || entry === null || !html.includes(entry)) return;
  const cache = await caches.open(cacheName);
  const wanted = assetsInUse();
  const kept = await cache.keys();
  for (const request of kept) {
    const { pathname } = new URL(request.url);
    if (pathname.startsWith("/assets/") && !wanted.has(pathname)) await cache.delete(request);
  }
  const known = new Set(kept.map(({ url }) => new URL(url).pathname));
  await cache.addAll([...wanted].filter((path) => !known.has(path)));
  await cache.put(location.pathname, page);
}

function assetsInUse(): Set<string> {
  const loaded = performance.getEntriesByType("resource").map(({ name }) => name);
  const linked = [...document.querySelectorAll<HTMLScriptElement | HTMLLinkElement>("script[src], link[href]")].map(
    (element) => ("src" in element ? element.src : element.href),
  );
  const paths = [...loaded, ...linked, new URL(scanWorkerUrl, location.href).href]
    .map((address) => new URL(address, location.href))
    .filter(({ origin }) => origin === location.origin)
    .map(({ pathname }) => pathname);
  return new Set(paths.filter((path) => path.startsWith("/assets/")));
}

/** Lets the browser offer to install the door of this event. */
export function linkManifest(organization: string, event: string): () => void {
  const link = document.createElement("link");
  link.rel = "manifest";
  link.crossOrigin = "use-credentials";
  link.href = addressOf("doorManifest", { organization, event });
  document.head.append(link);
  return () => link.remove();
}
