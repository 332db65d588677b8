import { describe, expect, it } from "vitest";
import { ApiError } from "../api/api-error.ts";
import { type Preview, recordsOfPage } from "../api/tools.ts";
import { type ChangeState, changeReducer, hasNothingToChange, zoneOf } from "./change-state.ts";
import { reasonProblem } from "./reason.ts";

const preview: Preview = {
  dry_run: true,
  current: { name: "Old", venue: "Hall 1", timezone: "Europe/Lisbon" },
  proposed: { name: "New", venue: "Hall 1", timezone: "Europe/Lisbon" },
  changes: [{ path: "name", from: "Old", to: "New" }],
  warnings: [],
  commit_with: { name: "New", dry_run: false, confirm: true, idempotency_key: "key-1-key", expected_version: "v1" },
};
const committing: ChangeState = { step: "committing", preview };
const failed = (error: unknown) => changeReducer(committing, { type: "commitFailed", error });

describe("the change dialog", () => {
  it("goes from preview to commit to done", () => {
    const ready = changeReducer({ step: "previewing" }, { type: "previewed", preview });
    expect(ready.step).toBe("ready");
    expect(changeReducer(ready, { type: "commit" }).step).toBe("committing");
    expect(
      changeReducer(committing, { type: "committed", result: { dry_run: false, before: {}, after: {} } }).step,
    ).toBe("done");
  });

  it("shows on a conflict what the other person changed", () => {
    const details = { current: { ...preview.current, venue: "Hall 2" }, expected_version: "v2" };
    const state = failed(new ApiError("changed", { status: 409, code: "version_conflict", details }));
    const theirs = [{ path: "venue", from: "Hall 1", to: "Hall 2" }];
    expect(state).toMatchObject({ step: "conflict", theirs, isOwn: false });
  });

  it("knows on a conflict whether all of it was changed on this page", () => {
    recordsOfPage.add("own 1").add("own 2");
    const conflict = (...ids: string[]) => {
      const changed_since = ids.map((record_id) => ({ record_id }));
      const details = { current: preview.current, changed_since };
      return failed(new ApiError("changed", { status: 409, code: "version_conflict", details }));
    };
    expect(conflict("own 1", "own 2")).toMatchObject({ isOwn: true });
    expect(conflict("own 1", "theirs")).toMatchObject({ isOwn: false });
  });

  it("does not know whether a commit without a response happened", () => {
    expect(failed(new ApiError("gone", { status: 0, code: "network" })).step).toBe("unknown");
    expect(failed(new ApiError("proxy", { status: 502, code: "unexpected_response" })).step).toBe("unknown");
  });

  it("stays open with other errors", () => {
    const error = new ApiError("not allowed", { status: 403, code: "forbidden" });
    expect(failed(error)).toEqual({ step: "ready", preview, error });
  });

  it("takes a conflict that does not say what there is now for any other error", () => {
    const error = new ApiError("changed", { status: 409, code: "version_conflict", details: { current: null } });
    expect(failed(error)).toEqual({ step: "ready", preview, error });
    expect(failed(new ApiError("broken", { status: 500, code: "internal" })).step).toBe("ready");
  });

  it("forgets an error with the next attempt, and previews anew after a conflict", () => {
    const ready = failed(new ApiError("not allowed", { status: 403, code: "forbidden" }));
    expect(changeReducer(ready, { type: "commit" })).toEqual(committing);
    const conflict: ChangeState = { step: "conflict", preview, theirs: [], current: {}, isOwn: false };
    expect(changeReducer(conflict, { type: "preview" })).toEqual({ step: "previewing" });
    const error = new ApiError("not found", { status: 404, code: "not_found" });
    expect(changeReducer({ step: "previewing" }, { type: "previewFailed", error })).toEqual({
      step: "unavailable",
      error,
    });
  });

  it("knows a change that changes nothing", () => {
    expect([preview, { ...preview, changes: [] }].map(hasNothingToChange)).toEqual([false, true]);
  });

  it("cannot commit before the preview", () => {
    expect(changeReducer({ step: "previewing" }, { type: "commit" }).step).toBe("previewing");
  });
});

describe("a reason", () => {
  it("has 1 to 500 characters", () => {
    expect(["", "  \n", "x".repeat(501)].map((reason) => reasonProblem(reason) === undefined)).toEqual([
      false,
      false,
      false,
    ]);
    expect(reasonProblem(" a ")).toBeUndefined();
    expect(reasonProblem("x".repeat(500))).toBeUndefined();
    expect(reasonProblem("x".repeat(501))).toBe("At most 500 characters; this has 501.");
  });
});

it("finds the zone of the event", () => {
  expect(zoneOf(preview)).toBe("Europe/Lisbon");
  expect(zoneOf({ ...preview, proposed: { timezone: "Asia/Tokyo" } })).toBe("Asia/Tokyo");
  expect(zoneOf({ ...preview, proposed: { event: null } })).toBeUndefined();
  expect(zoneOf({ ...preview, proposed: { event: { timezone: "Asia/Tokyo" } } })).toBe("Asia/Tokyo");
  const event = { id: "e", name: "Opening", timezone: "Asia/Tokyo" };
  expect(zoneOf({ ...preview, proposed: {}, event })).toBe("Asia/Tokyo");
});
