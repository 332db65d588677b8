// The official package's low-level server over its streamable HTTP transport, stateless and with JSON responses. It lists
// the same tools, and runs the same read tool on the same database for a caller in a Map.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { OrganizationCaller } from "../../src/access/caller.js";
import { serverLimits } from "../../src/infra/database/database-limits.js";
import { openDatabase } from "../../src/infra/database/db.js";
import { tools } from "../../src/registry.js";
import { inputSchemaOf, parseArguments } from "../../src/runner/commit-arguments.js";
import { runTool } from "../../src/runner/run.js";
import { loadCheckPackage } from "../support/check-packages.js";
import { readConfiguration, serve } from "../support/process.js";
import { noServices } from "../support/tool-services.js";

export type McpReference = {
  databaseUrl: string;
  connections: number;
  key: string;
  caller: OrganizationCaller;
  tools: object[];
};

type Server = {
  setRequestHandler(
    schema: unknown,
    handle: (request: { params: { name: string; arguments?: unknown } }) => Promise<object>,
  ): void;
  connect(transport: Transport): Promise<void>;
  close(): Promise<void>;
};
type Transport = { handleRequest(request: IncomingMessage, response: ServerResponse): Promise<void>; close(): unknown };

const { Server } = await loadCheckPackage<{ Server: new (info: object, options: object) => Server }>(
  "@modelcontextprotocol/sdk/server/index.js",
);
const { StreamableHTTPServerTransport } = await loadCheckPackage<{
  StreamableHTTPServerTransport: new (options: object) => Transport;
}>("@modelcontextprotocol/sdk/server/streamableHttp.js");
const { CallToolRequestSchema, ListToolsRequestSchema } = await loadCheckPackage<Record<string, unknown>>(
  "@modelcontextprotocol/sdk/types.js",
);

const configuration = await readConfiguration<McpReference>();
const db = openDatabase(
  { connectionString: configuration.databaseUrl },
  // The limits of a service too, with which statements that read share connections.
  { poolSize: configuration.connections, onIdleError: () => {}, limits: serverLimits },
);
const callers = new Map([[`Bearer ${configuration.key}`, configuration.caller]]);
const dependencies = { db, baseUrl: "http://127.0.0.1", services: noServices };

await serve(async (request, response) => {
  const caller = callers.get(request.headers.authorization ?? "");
  if (caller === undefined) return void response.writeHead(401).end();
  // Without sessions, the package needs a server and a transport for every request.
  const server = createToolServer(caller);
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
  response.once("close", () => {
    void transport.close();
    void server.close();
  });
  await server.connect(transport);
  await transport.handleRequest(request, response);
});

function createToolServer(caller: OrganizationCaller): Server {
  const server = new Server({ name: "reference", version: "1.0.0" }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools: configuration.tools }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const tool = tools.find(({ name }) => name === params.name);
    if (tool === undefined) throw new Error(`unknown tool: ${params.name}`);
    const given = (params.arguments ?? {}) as Record<string, unknown>;
    const parsed = parseArguments(inputSchemaOf(tool), given);
    // The package refuses fields that are not JSON.
    const result = Object.fromEntries(Object.entries(await runTool(dependencies, { tool, caller, given, parsed })));
    return { content: [{ type: "text", text: JSON.stringify(result) }], structuredContent: result };
  });
  return server;
}
