import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { DoorGuest } from "../../../../../contract/console/guests.ts";
import { doorApi } from "./door-api.ts";
import { DoorQueue } from "./door-queue.ts";
import { memoryDatabase } from "./memory-database.ts";

const bea = { id: "g1", name: "Bea" } as DoorGuest;

/** What the service answers to the requests, in order; then it checks the guest in. */
let answers: (() => Response)[];
let sent: ("preview" | "commit" | "read")[];

const json = (status: number, body: object, headers: Record<string, string> = {}) =>
  Response.json(body, { status, headers });
const refusal = (status: number, code: string, headers?: Record<string, string>) => () =>
  json(status, { error: `refused with ${status}`, code }, headers);
const noConnection = () => {
  throw new TypeError("fetch failed");
};
const previewed = () =>
  json(200, { current: { registration: { checked_in: false } }, commit_with: { expected_version: "v1" } });

function answer(address: string, body: { dry_run?: boolean }): Response {
  const isCommit = body.dry_run === false;
  sent.push(address.includes("get_event_registration_details") ? "read" : isCommit ? "commit" : "preview");
  const given = answers.shift();
  if (given !== undefined) return given();
  return isCommit ? json(200, { dry_run: false, before: {}, after: {} }) : previewed();
}

beforeEach(() => {
  answers = [];
  sent = [];
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  vi.stubGlobal("fetch", async (address: string, { body }: { body: string }) => answer(address, JSON.parse(body)));
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** Checks the guest in at the door, with these answers. */
async function checkIn(...given: (() => Response)[]) {
  answers = given;
  const database = memoryDatabase();
  const queue = new DoorQueue({
    api: doorApi("o", "e"),
    database,
    event: "e",
    person: () => ({ id: "1", name: "Dora" }),
    zone: () => "UTC",
    now: () => Date.now(),
    onSent: async () => {},
    onChange: () => {},
  });
  const drain = vi.spyOn(queue, "drain");
  await queue.add(bea, true);
  await drain.mock.results[0]?.value;
  drain.mockClear();
  /** Whether the queue is sent after this pause, and not before. */
  const isSentAfter = async (pauseMs: number) => {
    vi.advanceTimersByTime(pauseMs - 1);
    if (drain.mock.calls.length > 0) return false;
    vi.advanceTimersByTime(1);
    await drain.mock.results[0]?.value;
    return drain.mock.calls.length > 0;
  };
  return { queue, isSentAfter, stored: () => database.readQueue("e") };
}

describe.each([
  ["no connection", "offline", noConnection],
  ["401", "signed_out", refusal(401, "unauthorized")],
  ["429", "offline", refusal(429, "rate_limited")],
  ["500", "offline", refusal(500, "internal")],
  ["503", "offline", refusal(503, "unavailable")],
] as const)("%s", (_status, connection, failed) => {
  it.each([
    ["preview", [failed], ["preview"], ["preview", "preview", "commit"]],
    ["commit", [previewed, failed], ["preview", "commit"], ["preview", "commit", "commit"]],
  ])("to a %s keeps the check-in and sends it again", async (_request, given, before, after) => {
    const { queue, isSentAfter, stored } = await checkIn(...given);
    expect(sent).toEqual(before);
    expect(queue.state()).toMatchObject({ waiting: 1, conflicts: [], connection });
    expect(await stored()).toMatchObject([{ guest: { name: "Bea" }, checkedIn: true }]);
    expect(await isSentAfter(4000)).toBe(true);
    expect(sent).toEqual(after);
    expect(queue.state()).toMatchObject({ waiting: 0, conflicts: [], connection: "online" });
    expect(await stored()).toEqual([]);
  });
});

describe.each([
  [400, "invalid_input"],
  [403, "forbidden"],
  [404, "not_found"],
  [409, "conflict"],
])("%s", (status, code) => {
  it.each([
    ["preview", [refusal(status, code)]],
    ["commit", [previewed, refusal(status, code)]],
  ])("to a %s refuses the check-in and reports it", async (_request, given) => {
    const { queue, isSentAfter, stored } = await checkIn(...given);
    expect(queue.state()).toMatchObject({
      waiting: 0,
      recent: [],
      connection: "online",
      conflicts: [{ kind: "refused", name: "Bea", message: `refused with ${status}` }],
    });
    expect(await stored()).toEqual([]);
    expect(await isSentAfter(3_600_000)).toBe(false);
  });
});

it.each([
  [429, "rate_limited", "1", 1000],
  [429, "rate_limited", "37", 37_000],
  [503, "unavailable", "12", 12_000],
])("pauses after %s %s as long as Retry-After: %s says", async (status, code, seconds, pauseMs) => {
  const { queue, isSentAfter } = await checkIn(refusal(status, code, { "retry-after": seconds }));
  expect(queue.state().waiting).toBe(1);
  expect(await isSentAfter(pauseMs)).toBe(true);
  expect(queue.state().waiting).toBe(0);
});

it("waits as often as the service asks for it", async () => {
  const busy = (seconds: string) => refusal(429, "rate_limited", { "retry-after": seconds });
  const { queue, isSentAfter } = await checkIn(busy("5"), previewed, busy("9"));
  expect(await isSentAfter(5000)).toBe(true);
  expect(queue.state().waiting).toBe(1);
  vi.mocked(queue.drain).mockClear();
  expect(await isSentAfter(9000)).toBe(true);
  expect(sent).toEqual(["preview", "preview", "commit", "commit"]);
  expect(queue.state().waiting).toBe(0);
});

it.each([
  ["429", refusal(429, "rate_limited")],
  ["no connection", noConnection],
])("keeps a duplicate until it is known who was first: %s", async (_status, failed) => {
  const isThere = () =>
    json(200, { current: { registration: { checked_in: true } }, commit_with: { expected_version: "v1" } });
  const arrival = () =>
    json(200, {
      registration: { checked_in_at: "2031-05-01T18:02:00.000Z" },
      history: [{ to: "checked in", user: { name: "Ana" } }],
    });
  const { queue, isSentAfter } = await checkIn(isThere, failed, isThere, arrival);
  expect(queue.state()).toMatchObject({ waiting: 1, conflicts: [] });
  expect(await isSentAfter(4000)).toBe(true);
  expect(sent).toEqual(["preview", "read", "preview", "read"]);
  expect(queue.state().conflicts).toMatchObject([
    { kind: "duplicate", arrivedAt: "2031-05-01T18:02:00.000Z", by: "Ana" },
  ]);
});

it("tries again with a new preview when the guest was changed meanwhile, and gives up after five times", async () => {
  const changed = refusal(409, "version_conflict");
  const { queue } = await checkIn(...Array(5).fill([previewed, changed]).flat());
  expect(sent.filter((request) => request === "commit")).toHaveLength(5);
  expect(queue.state().conflicts).toMatchObject([
    { kind: "refused", message: "Other people keep changing this guest. Try again." },
  ]);
});
