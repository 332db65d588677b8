import { expect, it } from "vitest";
import type { HistoryEntry } from "../../../../../contract/schema/registrations.ts";
import { actorOf, describeEntry } from "./history-words.ts";

const entry: HistoryEntry = {
  at: "2031-05-01T18:00:00.000Z",
  tool: "approve_event_registration",
  from: "pending",
  to: "approved",
  reason: null,
  user: null,
  key: null,
  organization: null,
};
const user = { name: "Ana Silva", email: "ana@example.com" };

it.each([
  [{}, "From pending to approved"],
  [{ from: null }, "Added, approved"],
  [{ from: null, to: null }, "Added, state unknown"],
  [{ from: "approved" }, "Stayed approved"],
  [{ to: null }, "From pending to unknown"],
])("says what changed: %o", (change, words) => {
  expect(describeEntry({ ...entry, ...change })).toBe(words);
});

it.each([
  [{ user }, "Ana Silva"],
  [{ user, organization: "Harbour Works" }, "Ana Silva"],
  [{ user, key: "Import" }, "Ana Silva with the key “Import”"],
  [{ key: "Import", organization: "Harbour Works" }, "Key “Import”"],
  [{ organization: "Harbour Works" }, "Harbour Works"],
  [{}, "The platform"],
])("says who changed it: %o", (change, words) => {
  expect(actorOf({ ...entry, ...change })).toBe(words);
});
