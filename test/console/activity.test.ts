import { beforeAll, describe, expect, it } from "vitest";
import { createEventFixture, type EventFixture } from "../support/event-fixture.js";
import { useService } from "../support/setup.js";
import { startConsole } from "./support.js";

const { service, make } = useService(startConsole);
let fixture: EventFixture;
let owner: string;
let cohost: string;

beforeAll(async () => {
  fixture = await createEventFixture(service.db);
  owner = await service.signIn(fixture.caller.userId);
  cohost = await service.signIn(await make.member(fixture.cohostOrganizationId, "owner"));
  await commit("update_event_details", { event_id: fixture.eventId, venue: "Harbour Hall" }, "Room was double booked");
  await commit("update_organization_profile", { description: "New words" }, "Spring cleaning");
});

async function commit(tool: string, args: object, reason: string) {
  const path = `organizations/${fixture.organizationId}/tools/${tool}`;
  const preview = await service.post(path, owner, args);
  const { status } = await service.post(path, owner, { ...preview.json.commit_with, reason });
  expect(status).toBe(200);
}

const list = async (query = "", cookie = owner, organization = fixture.organizationId) => {
  const { status, json } = await service.get(`organizations/${organization}/activity${query}`, cookie);
  expect(status).toBe(200);
  return json.items as Record<string, unknown>[];
};
const tools = async (query: string) => (await list(query)).map(({ tool }) => tool);

describe("the activity of an organization", () => {
  it("says who changed what, how and why, newest first", async () => {
    const items = await list();
    expect(items.map(({ tool }) => tool)).toEqual(["update_organization_profile", "update_event_details"]);
    expect(items[1]).toMatchObject({
      via: "console",
      own: true,
      reason: "Room was double booked",
      user: { id: fixture.caller.userId, name: "Test Person" },
      event: { id: fixture.eventId, name: "Test Event" },
      changes: [{ path: expect.stringContaining("venue"), from: null, to: "Harbour Hall" }],
      revertible: true,
      reverts: null,
      reverted_by: null,
      warnings: [],
    });
  });

  it("says what a change was warned of", async () => {
    const other = await createEventFixture(service.db);
    const cookie = await service.signIn(other.caller.userId);
    const path = `organizations/${other.organizationId}/tools/set_organization_logo_urls`;
    const preview = await service.post(path, cookie, { logo_url: "https://images.example/logo.svg" });
    const warnings = [expect.objectContaining({ code: "unusable_image", path: "logo_url" })];
    expect(preview.json.warnings).toEqual(warnings);
    await service.post(path, cookie, { ...preview.json.commit_with, reason: "A new logo" });
    expect(await list("", cookie, other.organizationId)).toMatchObject([{ reason: "A new logo", warnings }]);
  });

  it("is filtered", async () => {
    const details = ["update_event_details"];
    expect(await tools(`?event=${fixture.eventId}`)).toEqual(details);
    expect(await tools("?tool=update_event_details")).toEqual(details);
    expect(await tools("?text=double%20BOOKED")).toEqual(details);
    expect(await tools("?text=event%20details")).toEqual(details);
    expect(await tools("?text=%25")).toEqual([]);
    expect(await tools("?via=key")).toEqual([]);
    expect(await tools(`?person=${fixture.caller.userId}`)).toHaveLength(2);
    expect(await tools(`?since=${new Date(Date.now() + 3_600_000).toISOString()}`)).toEqual([]);
    expect((await service.get(`organizations/${fixture.organizationId}/activity?via=pigeon`, owner)).status).toBe(400);
  });

  it("shows a co-host the organization's name only, and finds nothing by what is hidden", async () => {
    const seen = (query = "") => list(query, cohost, fixture.cohostOrganizationId);
    const [record, ...rest] = await seen();
    expect(rest).toEqual([]);
    expect(record).toMatchObject({
      own: false,
      organization: { name: "Harbour Works" },
      user: null,
      reason: null,
      changes: [{ to: "Harbour Hall" }],
    });
    expect(await seen("?text=double")).toEqual([]);
    expect(await seen(`?person=${fixture.caller.userId}`)).toEqual([]);
    expect(await seen("?tool=update_event_details")).toHaveLength(1);
  });

  it("is exported as CSV with the same filters", async () => {
    const path = `/api/console/organizations/${fixture.organizationId}/activity/export?event=${fixture.eventId}`;
    const response = await fetch(service.url + path, { headers: { cookie: owner } });
    expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(response.headers.get("content-disposition")).toMatch(/^attachment; filename="activity-.+\.csv"$/);
    const [, ...lines] = (await response.text()).trimEnd().split("\r\n");
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain("Test Person,");
    expect(lines[0]).toContain(",changed the venue of Test Event,Test Event,Harbour Works,Room was double booked,");
    expect(lines[0]).toContain("venue: empty → Harbour Hall");
  });

  it("offers the people of the organization as a filter", async () => {
    const { json } = await service.get(`organizations/${fixture.organizationId}/activity/people`, owner);
    expect(json.items).toEqual([{ id: fixture.caller.userId, name: "Test Person" }]);
  });

  it("says what can be undone by whom", async () => {
    const role = (name: "member" | "admin") => make.member(fixture.organizationId, name);
    const offered = async (name: "member" | "admin") =>
      (await list("", await service.signIn(await role(name)))).map(({ tool, revertible }) => [tool, revertible]);
    expect(await offered("member")).toEqual([
      ["update_organization_profile", false],
      ["update_event_details", false],
    ]);
    expect(await offered("admin")).toEqual([
      ["update_organization_profile", false],
      ["update_event_details", true],
    ]);
    const other = { event_id: fixture.eventId, organization_id: fixture.otherOrganizationId };
    await commit("add_event_cohost", other, "More hosts");
    const added = (...reader: [string, string]) => list("?tool=add_event_cohost", ...reader);
    expect(await added(owner, fixture.organizationId)).toMatchObject([{ revertible: true }]);
    expect(await added(cohost, fixture.cohostOrganizationId)).toMatchObject([{ revertible: false }]);
  });
});
