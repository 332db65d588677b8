import { expect, it } from "vitest";
import type { Json, ToolScope } from "../api/tools.ts";
import { comparablePaths } from "./comparable-paths.ts";

const organization = { organization: "o-1" };

const pathsOf = (args: Json, path: string, scope: ToolScope = organization) => comparablePaths(scope, args, [{ path }]);

it("compares the same field of the same thing, however the arguments are ordered and whatever they set", () => {
  expect(pathsOf({ event_id: "e-1", poster_id: "p-1" }, "poster.title")).toEqual(
    pathsOf({ poster_id: "p-1", title: "Pier", event_id: "e-1" }, "poster.title"),
  );
  expect(pathsOf({ event_id: "e-1", speaker_ids: ["s-1", "s-2"] }, "speakers")).toEqual(
    pathsOf({ event_id: "e-1", speaker_ids: ["s-2", "s-1"] }, "speakers"),
  );
  expect(pathsOf({ event_id: "e-1", ticketing_event_id: "evt-1" }, "ticketing_event_id")).toEqual(
    pathsOf({ event_id: "e-1", ticketing_event_id: null }, "ticketing_event_id"),
  );
});

it("compares rows of lists, whichever change they are a part of", () => {
  expect(pathsOf({ event_id: "e-1", segment_id: "s-1" }, "segments[s-2].start_time")).toEqual(
    pathsOf({ event_id: "e-1", segment_ids: ["s-2", "s-1"] }, "segments[s-2].start_time"),
  );
});

it.each<[string, Json, ToolScope]>([
  ["another guest", { event_id: "e-1", registration_id: "r-2" }, organization],
  ["another event", { event_id: "e-2", registration_id: "r-1" }, organization],
  ["another organization", { event_id: "e-1", registration_id: "r-1" }, { organization: "o-2" }],
  ["the platform", { event_id: "e-1", registration_id: "r-1" }, "platform"],
])("does not take the field of %s for the same", (_, args, scope) => {
  const path = "registration.status";
  expect(pathsOf(args, path, scope)).not.toEqual(pathsOf({ event_id: "e-1", registration_id: "r-1" }, path));
});
