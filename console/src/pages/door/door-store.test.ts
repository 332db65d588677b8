import { expect, it } from "vitest";
import type { GuestChanges } from "../guests/guests-api.ts";
import type { DoorApi, DoorPage } from "./door-api.ts";
import { DoorStore } from "./door-store.ts";
import type { DoorGuest } from "./door-types.ts";
import { memoryDatabase } from "./memory-database.ts";

const guest = (id: string) =>
  ({ id, name: id, email: `${id}@example.com`, status: "approved", code_hash: id }) as DoorGuest;

it("asks for the changes since the first page of a list was read, not the last", async () => {
  const now = new Date().toISOString();
  const event = { id: "event", timezone: "UTC" } as DoorPage["event"];
  const pages: Record<string, Pick<DoorPage, "as_of" | "items" | "next_cursor">> = {
    first: { as_of: "2031-05-01T18:00:00.000Z", items: [guest("ada")], next_cursor: "second" },
    second: { as_of: "2031-05-01T18:00:05.000Z", items: [guest("bea")], next_cursor: null },
  };
  const asked: string[] = [];
  const api = {
    readPage: async (cursor) => ({ event, now, ...pages[cursor ?? "first"] }) as DoorPage,
    async readChanges(since) {
      asked.push(since);
      return { event, now, reload: false, as_of: now, items: [] } as unknown as GuestChanges;
    },
  } as Pick<DoorApi, "readPage" | "readChanges"> as DoorApi;
  const person = () => ({ id: "person", name: "Dora Keeper" });
  const store = new DoorStore({ api, database: memoryDatabase(), event: "event", person });
  await store.start();
  await store.refresh();
  expect(store.snapshot()).toMatchObject({ known: 2, isComplete: true });
  await store.refresh();
  expect(asked).toEqual(["2031-05-01T18:00:00.000Z"]);
});
