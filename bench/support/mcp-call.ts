import type { RequestOptions } from "./request-plan.js";

/** The newest revision that the official package speaks, for both sides of a comparison. */
const revision = "2025-11-25";

export const mcpHeaders = {
  authorization: "Bearer {key}",
  accept: "application/json, text/event-stream",
  "mcp-protocol-version": revision,
};

/** A request of a method to /api/mcp. */
export function mcpRequest(method: string, params: Record<string, unknown>, options: Partial<RequestOptions>) {
  const body = { jsonrpc: "2.0", id: 1, method, params };
  return { method: "POST", path: "/api/mcp", headers: mcpHeaders, body, ...options } satisfies RequestOptions;
}

/** Calls a method once and returns its result. */
export async function callMcp<Result>(
  url: string,
  key: string,
  method: string,
  params: Record<string, unknown> = {},
): Promise<Result> {
  const response = await fetch(`${url}/api/mcp`, {
    method: "POST",
    headers: { ...mcpHeaders, authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  const text = await response.text();
  const { result } = JSON.parse(text) as { result?: Result & { isError?: boolean } };
  if (result === undefined || result.isError === true) throw new Error(`${method}: ${response.status} ${text}`);
  return result;
}

/** Calls a tool once and returns what it reports. */
export async function callTool<Report>(
  url: string,
  key: string,
  name: string,
  args: Record<string, unknown>,
): Promise<Report> {
  const params = { name, arguments: args };
  return (await callMcp<{ structuredContent: Report }>(url, key, "tools/call", params)).structuredContent;
}
