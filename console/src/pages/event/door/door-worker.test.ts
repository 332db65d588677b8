import { readFileSync } from "node:fs";
import { runInNewContext } from "node:vm";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

const script = readFileSync(new URL("../../../../public/door-worker.js", import.meta.url), "utf8");
const origin = "https://events.example";
const door = `${origin}/o/1/events/2/door`;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** What the worker responds, or undefined where it leaves a request to the browser. */
function respond(
  request: { url: string; method?: string; mode?: string },
  { kept, network }: { kept: string[]; network: () => Promise<string> },
): Promise<string> | undefined {
  let handle: (event: object) => void = () => {};
  const cache = { match: async (path: string) => (kept.includes(path) ? `kept ${path}` : undefined) };
  const addEventListener = (name: string, listener: typeof handle) => {
    if (name === "fetch") handle = listener;
  };
  const self = { addEventListener, skipWaiting() {}, clients: {} };
  const globals = { self, caches: { open: async () => cache }, fetch: network, location: { origin }, URL, setTimeout };
  runInNewContext(script, globals);
  let response: Promise<string> | undefined;
  const respondWith = (given: Promise<string>) => {
    response = given;
  };
  handle({ request: { method: "GET", mode: "navigate", ...request }, respondWith });
  return response;
}

const path = new URL(door).pathname;
const online = async () => "network";
const offline = () => Promise.reject(new TypeError("fetch failed"));
const silent = () => new Promise<string>(() => {});

it("the door is opened from the network, and from what was kept where that fails or does not answer", async () => {
  expect(await respond({ url: door }, { kept: [path], network: online })).toBe("network");
  expect(await respond({ url: door }, { kept: [path], network: offline })).toBe(`kept ${path}`);
  const slow = respond({ url: door }, { kept: [path], network: silent });
  await vi.advanceTimersByTimeAsync(4_000);
  expect(await slow).toBe(`kept ${path}`);
  await expect(respond({ url: door }, { kept: [], network: offline })).rejects.toThrow("fetch failed");
});

it("assets that were kept are not asked for", async () => {
  const asset = { url: `${origin}/assets/door-1.js`, mode: "cors" };
  expect(await respond(asset, { kept: ["/assets/door-1.js"], network: offline })).toBe("kept /assets/door-1.js");
  expect(await respond(asset, { kept: [], network: online })).toBe("network");
});

it.each([
  [{ url: door, method: "POST" }],
  [{ url: "https://elsewhere.example/o/1/events/2/door" }],
  [{ url: `${origin}/o/1/events/2/guests` }],
  [{ url: `${origin}/api/console/session`, mode: "cors" }],
])("other requests are left to the browser: %o", (request) => {
  expect(respond(request, { kept: [path], network: online })).toBeUndefined();
});
