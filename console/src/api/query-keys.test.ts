import { describe, expect, it } from "vitest";
import { concerns, eventKey, organizationKey, platformKey } from "./query-keys.ts";

describe("a live change", () => {
  const scope = organizationKey("o1");
  const change = { topic: "event", id: "e1" } as const;

  it("of an event concerns its queries and the lists of the organization, not other events", () => {
    expect(concerns(change, scope, eventKey("o1", "e1", "guests"))).toBe(true);
    expect(concerns(change, scope, organizationKey("o1", "dashboard"))).toBe(true);
    expect(concerns(change, scope, eventKey("o1", "e2", "guests"))).toBe(false);
  });

  it("concerns nothing of other organizations", () => {
    expect(concerns({ topic: "all", id: null }, scope, organizationKey("o2", "dashboard"))).toBe(false);
    expect(concerns({ topic: "all", id: null }, scope, ["session"])).toBe(false);
  });

  it("of the organization concerns the session, which has its name and logo", () => {
    expect(concerns({ topic: "organization", id: "o1" }, scope, ["session"])).toBe(true);
    expect(concerns(change, scope, ["session"])).toBe(false);
  });

  it("of the organization or of everything concerns all of its queries", () => {
    expect(concerns({ topic: "organization", id: "o1" }, scope, eventKey("o1", "e2"))).toBe(true);
    expect(concerns({ topic: "all", id: null }, scope, eventKey("o1", "e2"))).toBe(true);
    expect(concerns(change, platformKey(), platformKey("events"))).toBe(true);
  });
});
