import type { AddressInfo } from "node:net";
import { createKeyLookups } from "../../src/access/check-request.js";
import { trackLastUsed } from "../../src/access/last-used.js";
import { createServer } from "../../src/http/server.js";
import { createCompressor } from "../../src/infra/compress.js";
import { type Database, openDatabase } from "../../src/infra/database/db.js";
import { createLog } from "../../src/infra/observability/log.js";
import { createOperations } from "../../src/infra/observability/operations.js";
import { createRateLimits } from "../../src/infra/rate-limit.js";
import { addMcpEndpoint } from "../../src/mcp/endpoint.js";
import { prepareResources } from "../../src/mcp/preview-card.js";
import { preparePrompts } from "../../src/mcp/prompt-list.js";
import type { Prompt } from "../../src/mcp/prompts.js";
import { prepareTools } from "../../src/mcp/tool-list.js";
import type { ToolServices } from "../../src/registry.js";
import type { Tool } from "../../src/runner/mutation.js";
import { call } from "../support/call.js";
import { testServices } from "../support/poster-generator.js";
import { publicUrl, type Service } from "../support/service.js";
import { openServiceDatabase } from "../support/service-database.js";
import { workerDatabase } from "../support/worker-database.js";

/** The MCP endpoint without the rest of the service, with the given tools. */
export async function startEndpoint(
  tools: Tool<ToolServices>[],
  allowlist = ["*"],
  toolDatabase?: Database,
  prompts: Prompt[] = [],
): Promise<Service> {
  const log = createLog("silent");
  const serviceDb = openServiceDatabase();
  const db = openDatabase(workerDatabase.connection, { poolSize: 4, onIdleError: () => {} });
  const app = createServer({
    operations: createOperations(log, serviceDb),
    baseUrl: publicUrl,
    corsOrigins: [],
    connectionLimits: { connections: 100 },
  });
  addMcpEndpoint(app, {
    keyChecks: { lookups: createKeyLookups(serviceDb.lookups), lastUsed: trackLastUsed(serviceDb.changes, log) },
    limiter: createRateLimits(null, log).limiter("mcp", 1_000_000),
    tools: { db: toolDatabase ?? serviceDb, baseUrl: publicUrl, services: testServices(serviceDb, publicUrl) },
    list: prepareTools(tools, allowlist),
    prompts: preparePrompts(prompts),
    resources: prepareResources(),
    sources: { publicUrl, corsOrigins: [] },
    compress: createCompressor(),
  });
  await app.listen({ port: 0, host: "127.0.0.1" });
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  return {
    db,
    url,
    server: app.server,
    call: (path, options) => call(url, path, options),
    async close() {
      await app.close();
      await Promise.all([serviceDb.close(), db.close()]);
    },
  };
}
