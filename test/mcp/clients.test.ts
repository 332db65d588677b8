import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { beforeAll, describe, expect, it } from "vitest";
import { useService } from "../support/setup.js";

const { service, make } = useService();
let key: string;
let eventId: string;

beforeAll(async () => {
  const organization = await make.organization();
  eventId = await make.event(await make.conference(), { hosts: [organization] });
  key = await make.organizationKey(organization);
});

type Result = { isError?: boolean; structuredContent?: unknown };

type ConnectedClient = {
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(params: { name: string; arguments: Record<string, unknown> }): Promise<Result>;
  close(): Promise<void>;
  version(): string | undefined;
  instructions(): string | undefined;
};

const info = { name: "test", version: "1.0.0" };

const connect: Record<string, (key: string) => Promise<ConnectedClient>> = {
  "client 2.4 with defaults": (withKey) => connectClient(withKey, new Client(info)),
  "client 2.4, automatic negotiation": (withKey) =>
    connectClient(withKey, new Client(info, { versionNegotiation: { mode: "auto" } })),
  "client 2.4, pinned to 2026-07-28": (withKey) =>
    connectClient(withKey, new Client(info, { versionNegotiation: { mode: { pin: "2026-07-28" } } })),
};

describe.each(Object.entries(connect))("%s", (name, open) => {
  it("connects and negotiates its revision", async () => {
    const client = await open(key);
    const modern = name.includes("automatic") || name.includes("pinned");
    expect(client.version()).toBe(modern ? "2026-07-28" : "2025-11-25");
    expect(client.instructions()).toContain("commit_with");
    await client.close();
  });

  it("lists, previews, commits and replays; the client validates results against the output schema", async () => {
    const client = await open(key);
    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.name)).toContain("update_organization_profile");
    const preview = await call(client, { description: `Changed by ${name}` });
    expect(preview).toMatchObject({ dry_run: true, proposed: { description: `Changed by ${name}` } });
    const committed = await call(client, { ...preview.commit_with, reason: "a test" });
    expect(committed).toMatchObject({ dry_run: false, after: { description: `Changed by ${name}` } });
    const repeated = await call(client, { ...preview.commit_with, reason: "a test" });
    expect(repeated).toEqual(committed);
    await client.close();
  });

  it("gets tool errors as results, and an unknown tool as a protocol error", async () => {
    const client = await open(key);
    await client.listTools();
    const result = await client.callTool({ name: "update_organization_profile", arguments: { nme: "x" } });
    expect(result.isError).toBe(true);
    expect(result.structuredContent).toMatchObject({ error: { code: "invalid_input" } });
    await expect(client.callTool({ name: "no_such_tool", arguments: {} })).rejects.toThrow(
      "Unknown tool: no_such_tool",
    );
    await client.close();
  });

  it("reads an event", async () => {
    const client = await open(key);
    await client.listTools();
    const result = await client.callTool({ name: "get_event_admin_snapshot", arguments: { event_id: eventId } });
    expect(result.structuredContent).toMatchObject({ event: { id: eventId } });
    await client.close();
  });

  it("gets an error for an invalid key", async () => {
    await expect(open(`svc_mk_${"0".repeat(43)}`)).rejects.toThrow(/401|Unauthorized|Invalid or expired API key/);
  });
});

// biome-ignore lint/suspicious/noExplicitAny: tests read results of every shape.
async function call(client: ConnectedClient, args: Record<string, unknown>): Promise<any> {
  const result = await client.callTool({ name: "update_organization_profile", arguments: args });
  expect(result.isError).toBeUndefined();
  return result.structuredContent;
}

async function connectClient(withKey: string, client: Client): Promise<ConnectedClient> {
  await client.connect(new StreamableHTTPClientTransport(new URL("/api/mcp", service.url), options(withKey)));
  return {
    listTools: () => client.listTools(),
    callTool: (params) => client.callTool(params) as Promise<Result>,
    close: () => client.close(),
    version: () => client.getNegotiatedProtocolVersion(),
    instructions: () => client.getInstructions(),
  };
}

function options(withKey: string) {
  return { requestInit: { headers: { authorization: `Bearer ${withKey}` } } };
}
