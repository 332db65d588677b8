import { beforeEach, expect, it } from "vitest";
import type { KeyCaller } from "../access/caller.js";
import type { ReadPoint } from "../infra/database/read-point.js";
import { representationOf } from "../infra/representation.js";
import { type CachedResponse, createResponseCache, type ResponseCache } from "./response-cache.js";

const via = { kind: "key", keyId: "1", keyName: "test", expiresAt: null, lastUsedAt: null } as const;
const everybody: KeyCaller = { via, tier: "super-admin", userId: null };
const one: KeyCaller = { via, tier: "conference", conferenceId: "one", userId: null };
const two: KeyCaller = { via, tier: "conference", conferenceId: "two", userId: null };

let state: number;
let checks: number;
let cache: ResponseCache;

/** A database whose state is a number: what was read in an earlier one has changed. */
const lookups = {
  async findUnchanged({ readAt }: { readAt: ReadPoint }): Promise<ReadPoint | undefined> {
    checks += 1;
    return readAt.snapshot === `${state}` ? { ...readAt } : undefined;
  },
};

beforeEach(() => {
  state = 1;
  checks = 0;
  cache = createResponseCache(100_000, lookups);
});

function responseOf(body: string): CachedResponse {
  return {
    list: "events",
    scope: "",
    readAt: { server: "", snapshot: `${state}` },
    link: undefined,
    representation: representationOf({ body }),
  };
}

/** What the endpoint does, with a build that can be held up. */
async function get(caller: KeyCaller, url = "/", build = async () => responseOf(`state ${state}`)): Promise<string> {
  const use = cache.startUse(url, caller.tier === "conference" ? caller.conferenceId : caller.tier);
  const response = (await cache.find(use, caller)) ?? (await cache.read(use, caller, build));
  return String(response.representation.body);
}

const builds = () => cache.usage().builds;
const turn = () => new Promise((resolve) => setImmediate(resolve));

function signal() {
  let resolve: () => void = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

/** A build that has read when it is sent, and returns or fails when it is released. */
function heldUp(finish: (response: CachedResponse) => CachedResponse = (response) => response) {
  const { promise: sent, resolve: send } = signal();
  const { promise: released, resolve: release } = signal();
  const build = async () => {
    const response = responseOf(`state ${state}`);
    send();
    await released;
    return finish(response);
  };
  return { build, sent, release };
}

it("sends a kept response while it is unchanged, and reads it again when it has changed", async () => {
  expect([await get(one), await get(one)]).toEqual(["state 1", "state 1"]);
  expect({ builds: builds(), checks }).toEqual({ builds: 1, checks: 1 });
  state = 2;
  expect([await get(one), await get(one)]).toEqual(["state 2", "state 2"]);
  expect(builds()).toBe(2);
});

it("keeps views and URLs apart", async () => {
  for (const caller of [everybody, one, two]) {
    for (const url of ["/a", "/b"]) {
      const build = async () => responseOf(`${JSON.stringify(caller)} ${url}`);
      expect(await get(caller, url, build)).toBe(`${JSON.stringify(caller)} ${url}`);
      expect(await get(caller, url)).toBe(`${JSON.stringify(caller)} ${url}`);
    }
  }
  expect(builds()).toBe(6);
});

it("does not send a response of the view that the key had before", async () => {
  await get(one);
  expect(await cache.find(cache.startUse("/", "one"), two)).toBeUndefined();
});

it("builds once for many requests that arrive together, and for those that arrive while it is built", async () => {
  const { build, sent, release } = heldUp();
  const together = [get(one, "/", build), get(one, "/", build)];
  await sent;
  const later = get(one, "/", build);
  await turn();
  release();
  expect(await Promise.all([...together, later])).toEqual(["state 1", "state 1", "state 1"]);
  expect({ builds: builds(), checks }).toEqual({ builds: 1, checks: 1 });
});

it("does not send a build to a request that arrived after it was sent, if it is outdated", async () => {
  const { build, sent, release } = heldUp();
  const first = get(one, "/", build);
  await sent;
  state = 2;
  const later = [get(one), get(one)];
  await turn();
  release();
  expect(await Promise.all([first, ...later])).toEqual(["state 1", "state 2", "state 2"]);
  expect(builds()).toBe(2);
});

it("does not share a failure with a request that arrives later", async () => {
  const { build, sent, release } = heldUp(() => {
    throw new Error("not found");
  });
  const first = get(one, "/", build);
  await sent;
  const later = get(one);
  await turn();
  release();
  await expect(first).rejects.toThrow("not found");
  expect(await later).toBe("state 1");
});

it("reads again when validation fails", async () => {
  await get(one);
  const broken = { ...lookups, findUnchanged: () => Promise.reject(new Error("database is gone")) };
  cache = createResponseCache(100_000, broken);
  expect([await get(one), await get(one)]).toEqual(["state 1", "state 1"]);
  expect(builds()).toBe(2);
});

it("keeps at most its bytes, and no response of more than an eighth of them", async () => {
  const build = (bytes: number) => async () => responseOf("x".repeat(bytes));
  for (let i = 0; i < 100; i += 1) await get(one, `/${i}`, build(2_000));
  expect(cache.usage().bytes).toBeGreaterThan(80_000);
  expect(cache.usage().bytes).toBeLessThanOrEqual(100_000);
  const before = cache.usage().bytes;
  await get(one, "/large", build(5_000));
  await get(one, "/large", build(5_000));
  expect({ bytes: cache.usage().bytes, builds: builds() }).toEqual({ bytes: before, builds: 102 });
});
