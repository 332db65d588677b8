import { describe, expect, it } from "vitest";
import type { Host } from "./host-store.js";
import { addCohost, decideHost, effectOfHost, maximumHosts, removeCohost, setPrimaryHost } from "./rules.js";

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

const offerTo = (id: string) => ({ to: named(id), from: named("a"), offered_at: "2031-01-01T00:00:00.000Z" });

describe("removeCohost", () => {
  const remove = (id: string, offer = null as ReturnType<typeof offerTo> | null) =>
    removeCohost({ organization: named(id), hosts, offer });

  it("removes a co-host, and nothing where there is none", () => {
    expect(remove("b").hosts).toEqual([host("a"), cohost("c")]);
    expect(remove("z").hosts).toEqual(hosts);
  });

  it("ends an offer to a co-host that is removed, and no other", () => {
    expect(remove("b", offerTo("b")).offer).toBeNull();
    expect(remove("b", offerTo("c")).offer).toEqual(offerTo("c"));
    expect(remove("z", offerTo("z")).offer).toEqual(offerTo("z"));
  });

  it("refuses the host and names the way out", () => {
    expect(() => remove("a")).toThrow("set_event_primary_host");
  });
});

describe("decideHost", () => {
  const decide = (caller: string, id: string, to: string | null, administersNamed = false) => {
    const current = { organization: named(id), hosts, offer: to === null ? null : offerTo(to) };
    const by = { organizationId: caller, administersNamed };
    const proposed = decideHost(current, by);
    return {
      host: proposed.hosts[0]?.id,
      offer: proposed.offer?.to.id ?? null,
      effect: effectOfHost(current, proposed, by) ?? "",
    };
  };

  it.each([
    [
      "a co-host takes over",
      "a",
      "b",
      null,
      { host: "b", offer: null },
      "The b becomes the host at once, because it is a",
    ],
    ["a co-host ends an offer", "a", "b", "z", { host: "b", offer: null }, "Your organization becomes a co-host"],
    ["a co-host with an offer", "a", "b", "b", { host: "b", offer: null }, "becomes the host at once"],
    ["the host offers to a stranger", "a", "z", null, { host: "a", offer: "z" }, "It will see the guests"],
    ["the host repeats its offer", "a", "z", "z", { host: "a", offer: "z" }, ""],
    ["the host offers to another", "a", "y", "z", { host: "a", offer: "y" }, "The offer to The z is withdrawn."],
    ["the host names itself", "a", "a", null, { host: "a", offer: null }, ""],
    ["the host withdraws", "a", "a", "z", { host: "a", offer: null }, "The offer to The z is withdrawn: The a stays"],
    ["a co-host accepts", "b", "b", "b", { host: "b", offer: null }, "Your organization becomes the host: it alone"],
    ["a stranger accepts", "z", "z", "z", { host: "z", offer: null }, "The a becomes a co-host"],
    ["the other declines", "z", "a", "z", { host: "a", offer: null }, "declined: The a stays the host"],
  ])("%s", (_, caller, id, to, expected, effect) => {
    const { effect: said, ...decided } = decide(caller, id, to);
    expect(decided).toEqual(expected);
    if (effect === "") expect(said).toBe("");
    else expect(said).toContain(effect);
  });

  it("does not ask whoever administers both", () => {
    expect(decide("a", "z", "b", true)).toMatchObject({
      host: "z",
      offer: null,
      effect: expect.stringContaining("at once, because you administer both"),
    });
  });

  it("refuses everybody else, and a third organization", () => {
    expect(() => decide("b", "b", null)).toThrow("not offered to your organization");
    expect(() => decide("b", "b", "c")).toThrow("not offered to your organization");
    expect(() => decide("b", "c", "b")).toThrow("name b to accept, or a to decline");
    expect(() => decide("b", "c", "b", true)).toThrow("name b to accept, or a to decline");
  });

  it("keeps to the number of hosts", () => {
    const many = [host("a"), ...Array.from({ length: maximumHosts - 1 }, (_, index) => cohost(`c${index}`))];
    const by = (organizationId: string) => ({ organizationId, administersNamed: false });
    const offering = { organization: named("z"), hosts: many, offer: null };
    expect(() => decideHost(offering, by("a"))).toThrow("at most 100 hosts");
    expect(() => decideHost({ ...offering, offer: offerTo("z") }, by("z"))).toThrow("at most 100 hosts");
    expect(decideHost({ ...offering, organization: named("c5") }, by("a")).hosts).toHaveLength(maximumHosts);
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
