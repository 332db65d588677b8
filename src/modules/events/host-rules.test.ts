import { describe, expect, it } from "vitest";
import { addCohost, maximumHosts, removeCohost, setPrimaryHost } from "./host-rules.js";
import type { Host } from "./host-store.js";

const named = (id: string) => ({ id, name: `The ${id}`, slug: id });
const host = (id: string): Host => ({ ...named(id), role: "host" });
const cohost = (id: string): Host => ({ ...named(id), role: "co_host" });

const hosts = [host("a"), cohost("b"), cohost("c")];

describe("addCohost", () => {
  it("adds behind the others", () => {
    expect(addCohost({ organization: named("d"), hosts }).hosts).toEqual([...hosts, cohost("d")]);
  });

  it("leaves a co-host as it is", () => {
    expect(addCohost({ organization: named("b"), hosts }).hosts).toEqual(hosts);
  });

  it("refuses the host", () => {
    expect(() => addCohost({ organization: named("a"), hosts })).toThrow("The a is already the host of this event");
  });

  it("stops where an answer would become too long", () => {
    const many = [host("a"), ...Array.from({ length: maximumHosts - 1 }, (_, index) => cohost(`c${index}`))];
    expect(() => addCohost({ organization: named("z"), hosts: many })).toThrow("at most 100 hosts");
    expect(addCohost({ organization: named("c5"), hosts: many }).hosts).toEqual(many);
  });
});

describe("removeCohost", () => {
  it("removes a co-host, and nothing where there is none", () => {
    expect(removeCohost({ organization: named("b"), hosts }).hosts).toEqual([host("a"), cohost("c")]);
    expect(removeCohost({ organization: named("z"), hosts }).hosts).toEqual(hosts);
  });

  it("refuses the host and names the way out", () => {
    expect(() => removeCohost({ organization: named("a"), hosts })).toThrow("set_event_primary_host");
  });
});

describe("setPrimaryHost", () => {
  it.each([
    ["a co-host", "c", [host("c"), cohost("a"), cohost("b")]],
    ["an organization from outside", "z", [host("z"), cohost("a"), cohost("b"), cohost("c")]],
    ["the host itself", "a", hosts],
  ])("makes %s the only host", (_, id, expected) => {
    expect(setPrimaryHost({ organization: named(id), hosts }).hosts).toEqual(expected);
  });
});
