import { createHash } from "node:crypto";
import { afterEach, expect, it, vi } from "vitest";
import type { DoorGuest, DoorPage, GuestChanges } from "../../../../../contract/console/guests.ts";
import { ApiError } from "../../../api/api-error.ts";
import type { DoorApi } from "./door-api.ts";
import { DoorStore } from "./door-store.ts";
import type { DoorGuest as KnownGuest } from "./door-types.ts";
import { memoryDatabase } from "./memory-database.ts";

const guest = (id: string, fields: Partial<DoorGuest> = {}): DoorGuest => ({
  id,
  name: id,
  email: `${id}@example.com`,
  status: "approved",
  ticket_type: null,
  checked_in_at: null,
  code_hash: id,
  ...fields,
});

const event = { id: "event", name: "Event", timezone: "Asia/Tokyo" } as DoorPage["event"];
const time = (text: string) => `2031-05-01T${text}:00.000Z`;
const unreachable = () => Promise.reject(new ApiError("lost", { status: 0, code: "network" }));

/** A page with the whole list, and changes without any, at the time of this device. */
const pageWith = (items: DoorGuest[], fields: Partial<DoorPage> = {}): DoorPage => ({
  event,
  now: new Date().toISOString(),
  as_of: time("18:00"),
  items,
  next_cursor: null,
  ...fields,
});
const changesWith = (items: DoorGuest[], fields: Partial<GuestChanges> = {}) =>
  ({ event, now: new Date().toISOString(), as_of: time("18:30"), reload: false, items, ...fields }) as GuestChanges;

/** A service that checks everybody in, except for what is given. */
async function openStore(given: Partial<DoorApi>, database = memoryDatabase()): Promise<DoorStore> {
  const api: DoorApi = {
    readPage: async () => pageWith([]),
    readChanges: async () => changesWith([]),
    scan: async () => undefined,
    preview: async () => ({ checkedIn: false, version: "v" }),
    commit: async () => {},
    previewWalkIn: async () => ({ warnings: [], commit: async () => "new" }),
    readArrival: async () => ({ at: time("18:02"), by: "Ana" }),
    ...given,
  };
  const person = () => ({ id: "person", name: "Dora Keeper" });
  const store = new DoorStore({ api, database, event: "event", person });
  await store.start();
  return store;
}

const known = (store: DoorStore, id: string): KnownGuest => store.find(id) ?? guest("nobody");

afterEach(() => void vi.useRealTimers());
const startClock = (now: string) =>
  vi.useFakeTimers({ now: Date.parse(now), toFake: ["Date", "setTimeout", "clearTimeout"] });

it("asks for the changes since the first page of a list was read, not the last", async () => {
  const pages: Record<string, DoorPage> = {
    first: pageWith([guest("ada")], { as_of: time("18:00"), next_cursor: "second" }),
    second: pageWith([guest("bea")], { as_of: time("18:05") }),
  };
  const readChanges = vi.fn(async () => changesWith([]));
  const store = await openStore({ readPage: async (cursor) => pages[cursor ?? "first"] as DoorPage, readChanges });
  await store.refresh();
  expect(store.snapshot()).toMatchObject({ known: 2, isComplete: true });
  await store.refresh();
  await store.refresh();
  expect(readChanges.mock.calls).toEqual([[time("18:00")], [time("18:30")]]);
});

it("takes over what has changed, and keeps it on the device", async () => {
  const database = memoryDatabase();
  const changed = guest("bea", { checked_in_at: time("18:10") });
  const renamed = { ...event, name: "Renamed", timezone: "UTC" };
  const store = await openStore(
    {
      readPage: async () => pageWith([guest("ada"), guest("bea")]),
      readChanges: async () => changesWith([changed], { event: renamed }),
    },
    database,
  );
  await store.refresh();
  await store.refresh();
  expect(store.snapshot()).toMatchObject({ known: 2, checkedIn: 1, expected: 2, event: renamed });
  const reloaded = await openStore({}, database);
  expect(reloaded.snapshot()).toMatchObject({ known: 2, checkedIn: 1, isComplete: true, event: renamed });
});

it("reads everything again where too much has changed, and after a quarter of an hour", async () => {
  startClock(time("18:00"));
  const readPage = vi.fn(async () => pageWith([guest("ada")]));
  const readChanges = vi.fn(async () => changesWith([]));
  const store = await openStore({ readPage, readChanges });
  await store.refresh();
  vi.setSystemTime(time("18:15"));
  await store.refresh();
  expect([readPage.mock.calls.length, readChanges.mock.calls.length]).toEqual([1, 1]);
  vi.setSystemTime(time("18:16"));
  await store.refresh();
  expect([readPage.mock.calls.length, readChanges.mock.calls.length]).toEqual([2, 1]);
  readChanges.mockResolvedValueOnce(changesWith([], { reload: true }));
  await store.refresh();
  expect([readPage.mock.calls.length, readChanges.mock.calls.length]).toEqual([3, 2]);
});

it("forgets the guests of an event that was loaded more than three days ago, and none that wait", async () => {
  startClock(time("18:00"));
  const database = memoryDatabase();
  const store = await openStore({ readPage: async () => pageWith([guest("ada")]), preview: unreachable }, database);
  await store.refresh();
  await store.checkIn(known(store, "ada"));
  store.queue.stop();
  vi.setSystemTime("2031-05-04T17:59:00.000Z");
  expect((await openStore({}, database)).snapshot()).toMatchObject({ known: 1, waiting: 1 });
  vi.setSystemTime("2031-05-04T18:01:00.000Z");
  expect((await openStore({}, database)).snapshot()).toMatchObject({ known: 0, waiting: 1, isComplete: false });
});

it("records the time of the service, in the zone of the event, where the clock of the device is wrong", async () => {
  startClock("2031-05-01T12:00:00.000Z");
  const commit = vi.fn<DoorApi["commit"]>(async () => {});
  const store = await openStore({ readPage: async () => pageWith([guest("ada")], { now: time("18:02") }), commit });
  await store.refresh();
  await store.checkIn(known(store, "ada"));
  expect(known(store, "ada").checked_in_at).toBe(time("18:02"));
  expect(commit.mock.calls[0]?.[2].reason).toBe("Checked in at the door by Dora Keeper, 03:02");
  expect(store.snapshot().recent).toMatchObject([{ at: time("18:02") }]);
});

it("lists who is still expected by name, as many as fit", async () => {
  const items = [
    ...[guest("c", { name: "Zoë" }), guest("b", { name: "Łucja" }), guest("a", { name: "Mia" })],
    ...[guest("d", { name: "Ada", checked_in_at: time("18:00") }), guest("e", { name: "Bo", status: "waitlisted" })],
  ];
  const store = await openStore({ readPage: async () => pageWith(items) });
  await store.refresh();
  const names = (limit: number) => store.listExpected(limit).map(({ name }) => name);
  expect(names(10)).toEqual(["Łucja", "Mia", "Zoë"]);
  expect(names(2)).toEqual(["Łucja", "Mia"]);
  expect(store.snapshot()).toMatchObject({ known: 5, checkedIn: 1, expected: 4 });
});

const hashOf = (code: string) => createHash("sha256").update(code).digest().subarray(0, 12).toString("base64url");

it("knows a code without asking, however it is written", async () => {
  const scan = vi.fn(async () => undefined);
  const items = [guest("ada"), guest("bea", { code_hash: hashOf("CODE-1") })];
  const store = await openStore({ readPage: async () => pageWith(items), scan });
  await store.refresh();
  await store.scan(" code-1\n");
  expect(store.snapshot().verdict).toMatchObject({ kind: "welcome", guest: { id: "bea" }, isSent: true });
  expect(scan).not.toHaveBeenCalled();
});

it("asks for a code that it does not know, and keeps the guest", async () => {
  const scan = vi.fn<DoorApi["scan"]>(async () => guest("late", { status: "declined" }));
  const store = await openStore({ scan });
  await store.scan(" code-2 ");
  expect(scan).toHaveBeenCalledWith("CODE-2");
  expect(store.snapshot()).toMatchObject({ known: 1, verdict: { kind: "refused", title: "Declined" } });
  scan.mockResolvedValueOnce(undefined);
  await store.scan("code-3");
  expect(store.snapshot().verdict).toMatchObject({ kind: "refused", title: "Unknown code" });
  scan.mockImplementationOnce(unreachable);
  await store.scan("code-3");
  expect(store.snapshot().verdict).toMatchObject({ kind: "refused", title: "Code not on this device" });
});

/** Checks in ada at a service that refuses it, but only when it is told to answer. */
async function checkInSlowly() {
  startClock(time("18:00"));
  let answer = () => {};
  const slow = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const commit = async () => {
    await slow;
    throw new ApiError("The guest list is closed", { status: 409, code: "conflict" });
  };
  const store = await openStore({ readPage: async () => pageWith([guest("ada")]), commit });
  await store.refresh();
  return { store, checked: store.checkIn(known(store, "ada")), answer };
}

it("does not keep a guest waiting for a slow service, and says later what it answered", async () => {
  const { store, checked, answer } = await checkInSlowly();
  await vi.advanceTimersByTimeAsync(1199);
  expect(store.snapshot().verdict).toMatchObject({ kind: "checking" });
  await vi.advanceTimersByTimeAsync(1);
  expect(store.snapshot().verdict).toMatchObject({ kind: "welcome", isSent: false });
  answer();
  await checked;
  expect(store.snapshot()).toMatchObject({
    conflicts: [],
    recent: [],
    checkedIn: 0,
    verdict: { kind: "refused", title: "Not checked in", message: "The guest list is closed" },
  });
});

it("lists what a slow service refused when the next guest stands there", async () => {
  const { store, checked, answer } = await checkInSlowly();
  await vi.advanceTimersByTimeAsync(1200);
  store.dismissVerdict();
  answer();
  await checked;
  expect(store.snapshot()).toMatchObject({ verdict: undefined, conflicts: [{ kind: "refused", name: "ada" }] });
});

it("does not put the person who checked in a guest onto the verdict of the next one", async () => {
  let answer = (_arrival: { at: string; by: string }) => {};
  const readArrival = () => new Promise<{ at: string; by: string }>((resolve) => (answer = resolve));
  const items = [guest("ada", { checked_in_at: time("18:00") }), guest("bea", { status: "pending" })];
  const store = await openStore({ readPage: async () => pageWith(items), readArrival });
  await store.refresh();
  const first = store.checkIn(known(store, "ada"));
  expect(store.snapshot().verdict).toMatchObject({ kind: "duplicate", arrival: { at: time("18:00"), by: null } });
  await store.checkIn(known(store, "bea"));
  answer({ at: time("18:00"), by: "Ana" });
  await first;
  expect(store.snapshot().verdict).toMatchObject({ kind: "refused", guest: { id: "bea" } });
});

it.each([
  ["no connection", 0, "network", { failure: undefined, connection: "online" }],
  ["a session that has ended", 401, "unauthorized", { failure: undefined, connection: "signed_out" }],
  ["an event of others", 403, "forbidden", { failure: { status: 403 }, connection: "online" }],
])("goes on with the guests on the device after %s, and says what is for good", async (_what, status, code, state) => {
  const readChanges = async () => {
    throw new ApiError("no", { status, code });
  };
  const store = await openStore({ readPage: async () => pageWith([guest("ada")]), readChanges });
  await store.refresh();
  await store.refresh();
  expect(store.snapshot()).toMatchObject({ known: 1, ...state });
});

it("says that nothing could be loaded, until something is", async () => {
  let isReachable = false;
  const store = await openStore({ readPage: () => (isReachable ? Promise.resolve(pageWith([])) : unreachable()) });
  await store.refresh();
  expect(store.snapshot()).toMatchObject({ failure: { status: 0 }, isComplete: false });
  isReachable = true;
  await store.refresh();
  expect(store.snapshot()).toMatchObject({ failure: undefined, isComplete: true });
});
