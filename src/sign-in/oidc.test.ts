import { afterEach, expect, it, vi } from "vitest";
import { oidcCookie, readOidcCookie } from "./oidc.js";

afterEach(() => vi.useRealTimers());

it("is good for ten minutes, whatever the browser keeps", async () => {
  const deriveKey = async () => Buffer.alloc(32);
  const state = { state: "s", nonce: "n", verifier: "v", returnTo: "/" };
  vi.useFakeTimers({ toFake: ["Date"], now: 0 });
  const [header] = (await oidcCookie(deriveKey, state, true)).split(";");
  vi.setSystemTime(600_000 - 1);
  expect(await readOidcCookie(deriveKey, header)).toMatchObject(state);
  vi.setSystemTime(600_000);
  expect(await readOidcCookie(deriveKey, header)).toBeUndefined();
});
