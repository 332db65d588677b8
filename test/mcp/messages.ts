import type { Reply } from "../support/call.js";
import type { Service } from "../support/service.js";

export type Headers = Record<string, string>;

type Params = Record<string, unknown>;

/** A request of 2025-11-25 or earlier: plain JSON-RPC. */
export function legacy(method: string, params?: Params, id: unknown = 1): Params {
  return { jsonrpc: "2.0", id, method, ...(params === undefined ? {} : { params }) };
}

export const modernMeta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** A request of 2026-07-28, with its metadata in `_meta`. */
export function modern(method: string, params: Params = {}, meta: Params = modernMeta): Params {
  return legacy(method, { ...params, _meta: meta });
}

export function modernHeaders(method: string, name?: string): Headers {
  return {
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": method,
    ...(name === undefined ? {} : { "mcp-name": name }),
  };
}

export function post(service: Service, key: string | undefined, body: unknown, headers: Headers = {}): Promise<Reply> {
  return service.call("/api/mcp", { method: "POST", body, headers, ...(key === undefined ? {} : { key }) });
}

export async function listNames(service: Service, key: string): Promise<string[]> {
  const { json } = await post(service, key, legacy("tools/list"));
  return json.result.tools.map(({ name }: { name: string }) => name);
}

export async function callTool(service: Service, key: string, name: string, args: Params = {}): Promise<Reply["json"]> {
  return (await post(service, key, legacy("tools/call", { name, arguments: args }))).json;
}
