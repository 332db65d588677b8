import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { consoleRoutes, platformTools } from "../../src/registry.js";
import { makerOn } from "../support/make.js";
import { createPlatformFixture, type PlatformFixture, platformExamples } from "./platform-examples.js";
import { type ConsoleService, startConsole } from "./support.js";

let service: ConsoleService;
let fixture: PlatformFixture;
const cookies: Record<string, string | undefined> = {};

beforeAll(async () => {
  service = await startConsole();
  fixture = await createPlatformFixture(service.db);
  const make = makerOn(service.db);
  cookies.signed_out = undefined;
  cookies.stranger = await service.signIn(await make.user());
  cookies.member = await service.signIn(fixture.personId);
  cookies.owner = await service.signIn(await make.member(fixture.organizationId, "owner"));
  cookies.platform_admin = await service.signIn(fixture.administratorId);
});
afterAll(() => service.close());

const who = ["signed_out", "stranger", "member", "owner", "platform_admin"];
const expected = [401, 403, 403, 403, 200];

const tools = [
  "create_conference",
  "update_conference",
  "set_conference_status",
  "create_organization",
  "create_event",
  "set_event_status",
  "set_event_ticketing_link",
  "set_event_host",
  "create_platform_key",
  "revoke_platform_key",
  "invite_person",
  "withdraw_invitation",
  "set_platform_admin",
  "remove_person",
];

it("lists every tool", () => {
  expect(platformTools.map(({ name }) => name)).toEqual(tools);
  for (const route of consoleRoutes) {
    expect(route.access === "platform_admin", route.path).toBe(route.path.startsWith("/api/console/admin/"));
  }
});

describe.each(tools)("%s", (tool) => {
  it.each(who.map((person, place) => [person, expected[place]] as const))("%s: %s", async (person, status) => {
    const input = platformExamples[tool]?.(fixture);
    expect((await service.post(`admin/tools/${tool}`, cookies[person], input)).status).toBe(status);
  });

  it("is no tool of an organization", async () => {
    const path = `organizations/${fixture.organizationId}/tools/${tool}`;
    const reply = await service.post(path, cookies.owner, platformExamples[tool]?.(fixture));
    expect(reply.status).not.toBe(200);
  });
});
