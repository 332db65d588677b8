import { afterEach, expect, it, vi } from "vitest";
import { keepForOffline } from "./offline.ts";

const origin = "https://events.example";

afterEach(() => void vi.unstubAllGlobals());

/** Paths that are kept after the door of event 2 was opened, with the entry that the page names. */
async function keptAfter(kept: string[], entryOnPage: string): Promise<string[]> {
  const paths = new Set(kept);
  const cache = {
    keys: async () => [...paths].map((path) => ({ url: origin + path })),
    delete: async ({ url }: { url: string }) => paths.delete(new URL(url).pathname),
    addAll: async (added: string[]) => added.forEach((path) => void paths.add(path)),
    put: async (path: string) => void paths.add(path),
  };
  const entry = { src: `${origin}/assets/main-2.js`, getAttribute: () => "/assets/main-2.js" };
  vi.stubGlobal("navigator", { serviceWorker: { register: async () => ({}) } });
  vi.stubGlobal("caches", { open: async () => cache });
  vi.stubGlobal("location", new URL(`${origin}/o/1/events/2/door`));
  vi.stubGlobal("document", { querySelector: () => entry, querySelectorAll: () => [entry] });
  vi.stubGlobal("performance", { getEntriesByType: () => [{ name: `${origin}/assets/door-2.js` }] });
  vi.stubGlobal("fetch", async () => new Response(`<script type="module" src="${entryOnPage}"></script>`));
  await keepForOffline();
  return [...paths].filter((path) => !path.includes("scan-worker")).sort();
}

it("keeps the page of this door and its assets, and of others their pages", async () => {
  expect(
    await keptAfter(["/o/1/events/9/door", "/assets/main-1.js", "/assets/door-2.js"], "/assets/main-2.js"),
  ).toEqual(["/assets/door-2.js", "/assets/main-2.js", "/o/1/events/2/door", "/o/1/events/9/door"]);
});

it("changes nothing where the service has a newer version than the one that runs", async () => {
  expect(await keptAfter(["/assets/main-1.js"], "/assets/main-3.js")).toEqual(["/assets/main-1.js"]);
});
