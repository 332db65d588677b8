import { beforeEach, expect, it, vi } from "vitest";
import type { DoorGuest } from "../../../../../contract/console/guests.ts";
import { ApiError } from "../../../api/api-error.ts";
import type { DoorApi } from "./door-api.ts";
import type { DoorDatabase } from "./door-database.ts";
import { DoorStore } from "./door-store.ts";
import type { DoorGuest as KnownGuest } from "./door-types.ts";
import { memoryDatabase } from "./memory-database.ts";

/** A service of a few lines: one guest list that several devices share, with versions and idempotency keys. */
function createService(names: string[]) {
  const guests = new Map<string, DoorGuest>();
  for (const name of names) {
    const status = name.startsWith("Pending") ? "pending" : "approved";
    guests.set(name, {
      id: name,
      name,
      email: `${name}@example.com`,
      status,
      ticket_type: null,
      checked_in_at: null,
      code_hash: name,
    } as DoorGuest);
  }
  const commits = new Map<string, string>();
  const service = {
    guests,
    /** What happens to the next requests, in order. */
    failures: [] as ("before" | "after" | "unauthorized" | undefined)[],
    versions: 0,
    log: [] as string[],
  };
  const fail = (when: "before" | "after") => {
    if (service.failures[0] === "unauthorized" && when === "before") {
      service.failures.shift();
      throw new ApiError("Sign in first", { status: 401, code: "unauthorized" });
    }
    if (service.failures[0] === when) {
      service.failures.shift();
      throw new ApiError("lost", { status: 0, code: "network" });
    }
    if (when === "after" && service.failures[0] === undefined) service.failures.shift();
  };
  const get = (id: string) => {
    const guest = guests.get(id);
    if (guest === undefined) throw new ApiError("No such guest", { status: 404, code: "not_found" });
    return guest;
  };
  const versionOf = (guest: DoorGuest) => `${guest.id} ${guest.checked_in_at !== null}`;
  const api: DoorApi = {
    readPage: async () => {
      fail("before");
      const items = [...guests.values()].map((guest) => ({ ...guest }));
      const event = { id: "e", name: "E", timezone: "UTC", start_time: "", end_time: "" };
      return { event, now: new Date().toISOString(), as_of: "", items, next_cursor: null };
    },
    readChanges: async () => {
      throw new ApiError("not used", { status: 500, code: "internal" });
    },
    scan: async () => undefined,
    preview: async (id) => {
      fail("before");
      const guest = get(id);
      const now = { checkedIn: guest.checked_in_at !== null, version: versionOf(guest) };
      fail("after");
      return now;
    },
    commit: async (id, checkedIn, { key, version, reason }) => {
      fail("before");
      const guest = get(id);
      const request = JSON.stringify([id, checkedIn, version, reason]);
      const known = commits.get(key);
      if (known !== undefined && known !== request)
        throw new ApiError("key", { status: 409, code: "idempotency_conflict" });
      if (known === undefined) {
        if (version !== versionOf(guest)) throw new ApiError("stale", { status: 409, code: "version_conflict" });
        commits.set(key, request);
        guests.set(id, { ...guest, checked_in_at: checkedIn ? "2031-05-01T18:02:00.000Z" : null });
        service.log.push(`${checkedIn ? "in" : "out"} ${id}`);
      }
      fail("after");
    },
    previewWalkIn: async () => ({ warnings: [], commit: async () => "new" }),
    readArrival: async (id) => ({ at: get(id).checked_in_at, by: "Ana" }),
  };
  return Object.assign(service, { api });
}

let database: DoorDatabase;
let service: ReturnType<typeof createService>;

beforeEach(() => {
  database = memoryDatabase();
  service = createService(["Bea", "Carl", "Pending Pia"]);
});

async function openDoor(on = database, person = { id: "1", name: "Dora" }, event = "e"): Promise<DoorStore> {
  const store = new DoorStore({ api: service.api, database: on, event, person: () => person });
  await store.start();
  return store;
}

async function loaded(on = database): Promise<DoorStore> {
  const store = await openDoor(on);
  await store.refresh();
  return store;
}

const guest = (store: DoorStore, name: string): KnownGuest => {
  const found = store.find(name);
  if (found === undefined) throw new Error("not loaded");
  return found;
};

const until = (expectation: () => void) => vi.waitFor(expectation, { timeout: 5000 });

/** Sends what waits now instead of after a pause. */
async function drained(store: DoorStore): Promise<void> {
  await store.queue.drain();
  await until(() => expect(store.snapshot().waiting).toBe(0));
}

it("checks in and says so when the service has it", async () => {
  const store = await loaded();
  await store.checkIn(guest(store, "Bea"));
  expect(store.snapshot().verdict).toMatchObject({ kind: "welcome", isSent: true });
  expect(store.snapshot()).toMatchObject({ waiting: 0, checkedIn: 1, expected: 2 });
  expect(service.log).toEqual(["in Bea"]);
});

it("warns of a duplicate, with the time and the person", async () => {
  const store = await loaded();
  await store.checkIn(guest(store, "Bea"));
  store.dismissVerdict();
  await store.checkIn(guest(store, "Bea"));
  await until(() =>
    expect(store.snapshot().verdict).toMatchObject({
      kind: "duplicate",
      arrival: { by: "Ana", at: expect.any(String) },
    }),
  );
  expect(service.log).toEqual(["in Bea"]);
});

it("warns when another device was faster, although this one did not know", async () => {
  const store = await loaded();
  const other = await loaded(memoryDatabase());
  await other.checkIn(guest(other, "Bea"));
  await store.checkIn(guest(store, "Bea"));
  expect(store.snapshot().verdict).toMatchObject({ kind: "duplicate", arrival: { by: "Ana" } });
  expect(store.snapshot().conflicts).toEqual([]);
});

it("refuses guests who are not approved", async () => {
  const store = await loaded();
  await store.checkIn(guest(store, "Pending Pia"));
  expect(store.snapshot().verdict).toMatchObject({ kind: "refused", title: "Not approved" });
  expect(service.log).toEqual([]);
});

it("keeps check-ins without a connection, also over a reload, and sends them in order", async () => {
  const store = await loaded();
  service.failures = Array(50).fill("before");
  await store.checkIn(guest(store, "Carl"));
  expect(store.snapshot().verdict).toMatchObject({ kind: "welcome", isSent: false });
  await store.checkIn(guest(store, "Bea"));
  expect(store.snapshot()).toMatchObject({ waiting: 2, checkedIn: 2, connection: "offline" });
  store.queue.stop();
  const reloaded = await openDoor();
  expect(reloaded.snapshot()).toMatchObject({ waiting: 2, checkedIn: 2, known: 3 });
  service.failures = [];
  await drained(reloaded);
  expect(service.log).toEqual(["in Carl", "in Bea"]);
  expect(reloaded.snapshot()).toMatchObject({ checkedIn: 2, connection: "online", conflicts: [] });
});

it("knows who was checked out and in again without a connection", async () => {
  const store = await loaded();
  await store.checkIn(guest(store, "Bea"));
  service.failures = Array(50).fill("before");
  await store.undo(guest(store, "Bea"));
  expect(store.snapshot()).toMatchObject({ waiting: 1, checkedIn: 0 });
  store.dismissVerdict();
  await store.checkIn(guest(store, "Bea"));
  expect(store.snapshot()).toMatchObject({ waiting: 2, checkedIn: 1, verdict: { kind: "welcome" } });
  store.queue.stop();
  service.failures = [];
  await drained(store);
  expect(service.log).toEqual(["in Bea", "out Bea", "in Bea"]);
});

it("does not check in twice when only the response was lost", async () => {
  const store = await loaded();
  service.failures = [undefined, "after"];
  await store.checkIn(guest(store, "Bea"));
  store.queue.stop();
  expect(store.snapshot().waiting).toBe(1);
  // Somebody else signs in on the same device.
  const reloaded = await openDoor(database, { id: "2", name: "Emil" });
  await drained(reloaded);
  expect(service.log).toEqual(["in Bea"]);
  expect(reloaded.snapshot().conflicts).toEqual([]);
});

it("reports a guest whom two devices checked in without a connection", async () => {
  const [store, other] = [await loaded(), await loaded(memoryDatabase())];
  service.failures = Array(2).fill("before");
  await store.checkIn(guest(store, "Bea"));
  store.queue.stop();
  service.failures = [];
  await other.checkIn(guest(other, "Bea"));
  await drained(store);
  expect(store.snapshot().conflicts).toMatchObject([{ kind: "duplicate", name: "Bea", by: "Ana" }]);
  await store.queue.dismiss(store.snapshot().conflicts[0]?.key ?? "");
  expect(store.snapshot().conflicts).toEqual([]);
  expect(service.log).toEqual(["in Bea"]);
});

it("never sends what was undone before it was sent", async () => {
  const store = await loaded();
  service.failures = ["before"];
  await store.checkIn(guest(store, "Bea"));
  await store.undo(guest(store, "Bea"));
  expect(store.snapshot().checkedIn).toBe(0);
  await drained(store);
  expect(service.log).toEqual([]);
});

it("takes back what was undone while its outcome was unknown", async () => {
  const store = await loaded();
  service.failures = [undefined, "after"];
  await store.checkIn(guest(store, "Bea"));
  store.queue.stop();
  await store.undo(guest(store, "Bea"));
  await drained(store);
  expect(service.log).toEqual(["in Bea", "out Bea"]);
  expect(store.snapshot().checkedIn).toBe(0);
});

it("does not check somebody out whom another device checked in", async () => {
  const [store, other] = [await loaded(), await loaded(memoryDatabase())];
  service.failures = ["before"];
  await store.checkIn(guest(store, "Bea"));
  store.queue.stop();
  await other.checkIn(guest(other, "Bea"));
  await store.undo(guest(store, "Bea"));
  await drained(store);
  expect(service.log).toEqual(["in Bea"]);
});

it("undoes a check-in that was sent", async () => {
  const store = await loaded();
  await store.checkIn(guest(store, "Bea"));
  await store.undo(guest(store, "Bea"));
  await drained(store);
  expect(service.log).toEqual(["in Bea", "out Bea"]);
  expect(store.snapshot()).toMatchObject({ checkedIn: 0, verdict: undefined, recent: [] });
});

it("keeps the queue when the session has ended, and sends it after signing in again", async () => {
  const store = await loaded();
  service.failures = ["unauthorized"];
  await store.checkIn(guest(store, "Bea"));
  store.queue.stop();
  expect(store.snapshot()).toMatchObject({ waiting: 1, connection: "signed_out" });
  const back = await openDoor();
  await drained(back);
  expect(service.log).toEqual(["in Bea"]);
});

it("shows what the service refuses, and goes on with the next", async () => {
  const store = await loaded();
  const [bea, carl] = [guest(store, "Bea"), guest(store, "Carl")];
  service.failures = Array(2).fill("before");
  await store.checkIn(bea);
  await store.checkIn(carl);
  store.queue.stop();
  service.failures = [];
  service.guests.delete("Bea");
  await drained(store);
  expect(store.snapshot().conflicts).toMatchObject([{ kind: "refused", name: "Bea", message: "No such guest" }]);
  expect(service.log).toEqual(["in Carl"]);
});

it("forgets guests who are gone when everything is read again", async () => {
  const store = await loaded();
  service.guests.delete("Carl");
  await store.refresh(true);
  expect(store.find("Carl")).toBeUndefined();
  expect((await database.readGuests("e")).map(({ name }) => name).sort()).toEqual(["Bea", "Pending Pia"]);
});

it("reads everything for somebody who asks for it while changes are read", async () => {
  const store = await loaded();
  const reads = [store.refresh(), store.refresh(true)];
  service.guests.delete("Carl");
  await Promise.all(reads);
  expect(store.find("Carl")).toBeUndefined();
});

it("offers to undo what was done last on this device, also after a reload", async () => {
  const names = Array.from({ length: 14 }, (_, index) => `Guest ${index}`);
  service = createService(names);
  const store = await loaded();
  service.failures = Array(100).fill("before");
  for (const name of names) await store.checkIn(guest(store, name));
  await store.undo(guest(store, "Guest 12"));
  store.queue.stop();
  const recent = (of: DoorStore) => of.snapshot().recent.map((entry) => entry.guest.name);
  expect(recent(store)).toEqual(["Guest 13", ...names.slice(2, 12).reverse()]);
  const reloaded = await openDoor();
  reloaded.queue.stop();
  expect(recent(reloaded)).toEqual(["Guest 13", ...names.slice(1, 12).reverse()]);
});

it("keeps what waits for the door of another event apart", async () => {
  const store = await loaded();
  service.failures = ["before"];
  await store.checkIn(guest(store, "Bea"));
  store.queue.stop();
  const [entry] = await database.readQueue("e");
  await database.updateEntry(entry?.key ?? "", { event: "other" });
  const reloaded = await openDoor();
  await drained(reloaded);
  expect(reloaded.snapshot()).toMatchObject({ waiting: 0, recent: [], checkedIn: 0 });
  expect(service.log).toEqual([]);
});

it("does not wait for a page at the door of another event", async () => {
  const held = new Map<string, Promise<unknown>>();
  const request = (name: string, send: () => Promise<void>) => {
    const turn = (held.get(name) ?? Promise.resolve()).then(send);
    held.set(name, turn);
    return turn;
  };
  vi.stubGlobal("navigator", { locks: { request } });
  try {
    const other = await openDoor(memoryDatabase(), undefined, "other");
    await other.refresh();
    let goOn = () => {};
    const { preview } = service.api;
    service.api.preview = async (...given) => {
      if (given[0] === "Carl") {
        await new Promise<void>((resolve) => {
          goOn = resolve;
        });
      }
      return preview(...given);
    };
    const slow = other.checkIn(guest(other, "Carl"));
    const store = await loaded();
    await store.checkIn(guest(store, "Bea"));
    expect(service.log).toEqual(["in Bea"]);
    goOn();
    await slow;
    expect(service.log).toEqual(["in Bea", "in Carl"]);
  } finally {
    vi.unstubAllGlobals();
  }
});

it("shows on the next load what needs a look, until somebody has looked", async () => {
  const [store, other] = [await loaded(), await loaded(memoryDatabase())];
  service.failures = ["before"];
  await store.checkIn(guest(store, "Bea"));
  store.queue.stop();
  await other.checkIn(guest(other, "Bea"));
  await drained(store);
  const reloaded = await openDoor();
  expect(reloaded.snapshot().conflicts).toMatchObject([{ name: "Bea" }]);
  await reloaded.queue.dismiss(reloaded.snapshot().conflicts[0]?.key ?? "");
  expect((await openDoor()).snapshot().conflicts).toEqual([]);
});
