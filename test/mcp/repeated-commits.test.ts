import sql from "sql-template-tag";
import { beforeEach, expect, it } from "vitest";
import { tools } from "../../src/registry.js";
import { createEventFixture, type EventFixture } from "../support/event-fixture.js";
import { useService } from "../support/setup.js";
import { callTool } from "./messages.js";
import { startEndpoint } from "./start-endpoint.js";

// A repeated commit gets the first result, also from a caller who has lost the tool since.

const { service, make } = useService(() => startEndpoint(tools));
let fixture: EventFixture;
let userId: string;
let key: string;

beforeEach(async () => {
  fixture = await createEventFixture(service.db);
  userId = await make.member(fixture.organizationId, "admin");
  key = await make.organizationKey(fixture.organizationId, { userId });
});

const name = "update_event_details";

async function commitOnce() {
  const preview = await callTool(service, key, name, { event_id: fixture.eventId, venue: "Hall 2" });
  const commit = { ...preview.result.structuredContent.commit_with, reason: "a test" };
  const { result } = await callTool(service, key, name, commit);
  return { commit, record_id: result.structuredContent.record_id as string };
}

it("after the user lost the role, and not for another member who never had the tool", async () => {
  const { commit, record_id } = await commitOnce();
  await service.db.query(sql`update members set role = 'member' where user_id = ${userId}`);
  const { result } = await callTool(service, key, name, commit);
  expect(result).toMatchObject({ _meta: { replayed: true }, structuredContent: { record_id, dry_run: false } });
  for (const changed of [{ venue: "Hall 3" }, { dry_run: true }, { idempotency_key: "another-key" }]) {
    const { error } = await callTool(service, key, name, { ...commit, ...changed });
    expect(error).toMatchObject({ code: -32602, message: `Unknown tool: ${name}` });
  }
  const other = await make.organizationKey(fixture.organizationId, { role: "member" });
  expect((await callTool(service, other, name, commit)).error).toMatchObject({ message: `Unknown tool: ${name}` });
});
