import type { McpReference } from "../processes/mcp-sdk.js";
import { baseData, connections } from "../support/base.js";
import { connectApp, findOrganizationCaller } from "../support/caller.js";
import { benchKey } from "../support/dataset.js";
import { hostedEvents } from "../support/dataset-queries.js";
import { loadOn, type Side, type Target } from "../support/load.js";
import { callMcp, mcpRequest } from "../support/mcp-call.js";
import { type BenchProcess, startProcess } from "../support/process.js";
import { planRequest } from "../support/request-plan.js";
import { type Bench, compareSides, type RowGroup } from "../support/row.js";
import { type Service, startService } from "../support/service.js";

const readTool = "get_event_host_snapshot";
const officialPackage = "the official package's server";

/** What the protocol costs: against its cheapest request, and against the official package. */
export const mcpRows: RowGroup = [
  {
    id: "tools-list",
    name: "MCP tools/list",
    reference: "MCP ping",
    goal: { atLeast: 0.5 },
    async run(bench) {
      const { service, key } = await setUp(bench);
      return compareSides(bench, listTools(service, key), onMethod(service, key, "ping", {}, '"result":{}'));
    },
  },
  {
    id: "tools-list-package",
    name: "MCP tools/list",
    reference: officialPackage,
    goal: { atLeast: 5 },
    async run(bench) {
      const { service, key } = await setUp(bench);
      return compareSides(bench, listTools(service, key), listTools(await officialServer(bench), key));
    },
  },
  {
    id: "read-tool-package",
    name: `MCP ${readTool}`,
    reference: officialPackage,
    goal: { atLeast: 3 },
    async run(bench) {
      const { service, key, eventId } = await setUp(bench);
      const call = { name: readTool, arguments: { event_id: eventId } };
      const read = (target: Target) => onMethod(target, key, "tools/call", call, '"hosts":[{"organization_id"');
      return compareSides(bench, read(service), read(await officialServer(bench)));
    },
  },
  {
    id: "read-tool-app",
    name: `MCP ${readTool} with the token of a connected app`,
    reference: "the same with a key",
    goal: { atLeast: 0.9 },
    async run(bench) {
      const { service, databaseUrl, key, eventId } = await setUp(bench);
      const call = { name: readTool, arguments: { event_id: eventId } };
      const read = (secret: string) => onMethod(service, secret, "tools/call", call, '"hosts":[{"organization_id"');
      return compareSides(bench, read(await connectApp(databaseUrl, key)), read(key));
    },
  },
];

type Setup = { service: Service; databaseUrl: string; key: string; eventId: string };

/** A service, and an organization with one key and an event. */
function setUp(bench: Bench): Promise<Setup> {
  return bench.once("MCP", async () => {
    const { databaseUrl, keyCount } = await baseData(bench);
    const [hosted] = await hostedEvents(databaseUrl, 1);
    if (hosted === undefined) throw new Error("no organization hosts an event");
    const key = benchKey(keyCount + hosted.organization);
    return { service: await startService(databaseUrl), databaseUrl, key, eventId: hosted.event };
  });
}

function officialServer(bench: Bench): Promise<BenchProcess> {
  return bench.once("official server", async () => {
    const { databaseUrl, key, service } = await setUp(bench);
    const caller = await findOrganizationCaller(databaseUrl, key);
    const { tools } = await callMcp<Pick<McpReference, "tools">>(service.url, key, "tools/list");
    // As many connections as the service has by default.
    const configuration: McpReference = { databaseUrl, connections: 10, key, caller, tools };
    return startProcess("mcp-sdk", configuration);
  });
}

function listTools(target: Target, key: string): Side {
  return onMethod(target, key, "tools/list", {}, `"name":"${readTool}"`);
}

function onMethod(
  target: Target,
  key: string,
  method: string,
  params: Record<string, unknown>,
  contains: string,
): Side {
  return loadOn(target, connections, [planRequest(mcpRequest(method, params, { contains, variants: [{ key }] }))]);
}
