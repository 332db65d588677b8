import { expect, it } from "vitest";
import type { ActivityRecord } from "../../../../contract/console/organization.ts";
import { actorOf, wayOf } from "./record-data.ts";

const record = (fields: Partial<ActivityRecord>): ActivityRecord => ({
  id: "r",
  at: "2030-01-01T00:00:00Z",
  tool: "t",
  via: "console",
  door_link: null,
  own: true,
  organization: null,
  event: null,
  user: null,
  api_key: null,
  app: null,
  operator: null,
  reason: null,
  warnings: [],
  outcome: null,
  effect: "changed",
  changes: [],
  changes_in_all: 0,
  reverts: null,
  reverted_by: null,
  parts: null,
  action: null,
  about: { subjects: [], in_all: 0 },
  undone: null,
  revertible: false,
  kept_tables: null,
  unchanged: false,
  hosting: null,
  cancelled: false,
  ...fields,
});
const harbour = { id: "o", slug: "harbour", name: "Harbour Works" };
const ana = { id: "u", name: "Ana", email: "ana@example.com" };

it.each<[Partial<ActivityRecord>, string, string]>([
  [{ user: ana }, "Ana", "in the console"],
  [{ user: ana, via: "key", api_key: { id: "k", name: "Poster bot" } }, "Ana", "with the key “Poster bot”"],
  [{ via: "key", api_key: { id: "k", name: "Poster bot" } }, "Poster bot", "with the key “Poster bot”"],
  [{ via: "command_line", operator: "root" }, "root", "as operator, at the command line"],
  [{ own: false, organization: harbour }, "Harbour Works", "in the console"],
  [{ own: false, via: "command_line" }, "The platform", "at the command line"],
  [{ own: false }, "Someone else", "in the console"],
  [{ own: false, user: ana, organization: harbour, via: "key" }, "Harbour Works", "with a key"],
  [{ via: "key", api_key: { id: "k", name: null }, organization: harbour }, "Harbour Works", "with a key"],
  [{ via: "command_line", operator: "root", user: ana }, "root", "as operator, at the command line"],
  [{}, "The platform", "in the console"],
  [{ user: { ...ana, name: null, email: null } }, "Someone who was removed", "in the console"],
])("%j", (fields, actor, way) => {
  expect([actorOf(record(fields)), wayOf(record(fields))]).toEqual([actor, way]);
});
