import { expect, it } from "vitest";
import type { DashboardEvent } from "../../../../contract/console/organization.ts";
import { groupByConference } from "./event-groups.ts";

const event = (id: string, conference: string) => ({ id, conference: { id: conference } }) as DashboardEvent;

it("groups events by conference, in the order of the list", () => {
  const events = [event("a", "web"), event("b", "web"), event("c", "data"), event("d", "data")];
  expect(
    groupByConference(events).map(({ conference, events }) => [conference.id, events.map(({ id }) => id)]),
  ).toEqual([
    ["web", ["a", "b"]],
    ["data", ["c", "d"]],
  ]);
  expect(groupByConference([])).toEqual([]);
});
