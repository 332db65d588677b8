import { beforeEach, expect, it } from "vitest";
import type { DoorGuest } from "../../../../../contract/console/guests.ts";
import type { Guest } from "../../../../../contract/schema/registrations.ts";
import { queryClient } from "../../../api/query-client.ts";
import { applyChanges, listKey } from "./use-guests.ts";

beforeEach(() => queryClient.clear());

const before: Guest = {
  id: "ana",
  name: "Ana",
  email: "ana@example.com",
  status: "pending",
  ticket_type: null,
  registered_at: "2031-05-01T18:00:00.000Z",
  checked_in_at: null,
};
const now: DoorGuest = {
  id: "ana",
  name: "Ana Silva",
  email: "silva@example.com",
  status: "approved",
  ticket_type: "Speaker",
  checked_in_at: "2031-05-02T18:00:00.000Z",
  code_hash: "hash",
};
const bea: Guest = { ...before, id: "bea" };

/** A list that was scrolled through as far as this, and what becomes of it. */
function listWith(pages: number, event = "event") {
  const queryKey = [...listKey("organization", event), { status: "pending" }];
  const page = { items: [bea, before], pagination: { has_more: false, next_cursor: null } };
  const data = { pages: Array(pages).fill(page), pageParams: Array(pages).fill(null) };
  queryClient.setQueryData(queryKey, data);
  return {
    isReadAgain: () => queryClient.getQueryState(queryKey)?.isInvalidated,
    last: () => queryClient.getQueryData<typeof data>(queryKey)?.pages.at(-1).items,
  };
}

const apply = (items: DoorGuest[], reload = false) => applyChanges(listKey("organization", "event"), { items, reload });

it("reads a short list again after a change, and no list of another event", () => {
  const [list, other] = [listWith(2), listWith(2, "other")];
  apply([now]);
  expect([list.isReadAgain(), other.isReadAgain()]).toEqual([true, false]);
});

it("replaces in a long list the guests who changed", () => {
  const list = listWith(3);
  apply([now]);
  const { code_hash: _, ...shown } = now;
  expect(list.last()).toEqual([bea, { ...shown, registered_at: before.registered_at }]);
  expect(list.isReadAgain()).toBe(false);
});

it("reads a long list again where too much has changed to be listed", () => {
  const list = listWith(3);
  apply([], true);
  expect(list.isReadAgain()).toBe(true);
});

it("reads nothing again where nothing has changed", () => {
  const list = listWith(1);
  apply([]);
  expect(list.isReadAgain()).toBe(false);
});
