import type * as current from "@modelcontextprotocol/client";
import { beforeAll, expect, it } from "vitest";
import { loadCheckPackage } from "../../bench/support/check-packages.js";
import { prompts } from "../../src/mcp/prompts.js";
import { tools } from "../../src/registry.js";
import { useService } from "../support/setup.js";

/** The official package of the first generation, which many clients still use. What is used of it has the same types. */

const { Client } = await loadCheckPackage<typeof current>("@modelcontextprotocol/sdk/client/index.js");
const { StreamableHTTPClientTransport } = await loadCheckPackage<typeof current>(
  "@modelcontextprotocol/sdk/client/streamableHttp.js",
);

const { service, make } = useService();
let key: string;
let eventId: string;

beforeAll(async () => {
  const organization = await make.organization();
  eventId = await make.event(await make.conference(), { hosts: [organization] });
  key = await make.organizationKey(organization);
});

async function connect(withKey = key, capabilities = {}) {
  const client = new Client({ name: "test", version: "1.0.0" }, { capabilities });
  const requestInit = { headers: { authorization: `Bearer ${withKey}` } };
  const transport = new StreamableHTTPClientTransport(new URL("/api/mcp", service.url), { requestInit });
  await client.connect(transport);
  return { client, transport };
}

it("connects, lists, previews, commits, replays and reads; it validates results against the output schema", async () => {
  const { client, transport } = await connect();
  expect(transport.protocolVersion).toBe("2025-11-25");
  expect(client.getInstructions()).toContain("commit_with");
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(tools.map(({ name }) => name));
  const call = async (args: Record<string, unknown>) =>
    (await client.callTool({ name: "update_organization_profile", arguments: args })).structuredContent as Record<
      string,
      unknown
    >;
  const preview = await call({ description: "Changed" });
  const commit = { ...(preview.commit_with as object), reason: "a test" };
  const committed = await call(commit);
  expect(committed).toMatchObject({ dry_run: false, after: { description: "Changed" } });
  expect(await call(commit)).toEqual(committed);
  const read = await client.callTool({ name: "get_event_admin_snapshot", arguments: { event_id: eventId } });
  expect(read.structuredContent).toMatchObject({ event: { id: eventId } });
  await client.close();
});

it("gets tool errors as results, and unknown tools and keys as errors", async () => {
  const { client } = await connect();
  const result = await client.callTool({ name: "update_organization_profile", arguments: { nme: "x" } });
  expect(result).toMatchObject({ isError: true, structuredContent: { error: { code: "invalid_input" } } });
  await expect(client.callTool({ name: "no_such_tool", arguments: {} })).rejects.toThrow("Unknown tool: no_such_tool");
  await client.close();
  await expect(connect(`svc_mk_${"0".repeat(43)}`)).rejects.toThrow(/401|Unauthorized|Invalid or expired API key/);
});

it("lists and gets prompts", async () => {
  const { client } = await connect();
  expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(prompts.map(({ name }) => name));
  const { messages } = await client.getPrompt({ name: "door_briefing", arguments: { event: "gala" } });
  expect(messages[0]?.content).toMatchObject({ type: "text", text: expect.stringContaining('"gala"') });
  await client.close();
});

it("finds the preview card, keeps its session, and ends it without an error", async () => {
  const extensions = { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html;profile=mcp-app"] } };
  const { client, transport } = await connect(key, { extensions });
  expect(transport.sessionId).toMatch(/^ui-/);
  const { resources } = await client.listResources();
  expect(resources.map(({ uri }) => uri)).toEqual(["ui://event-platform/preview-card"]);
  expect((await client.readResource({ uri: resources[0]?.uri ?? "" })).contents[0]).toMatchObject({
    text: expect.stringContaining("<!doctype html>"),
  });
  await transport.terminateSession();
  await client.close();
});
