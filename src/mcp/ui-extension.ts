import { randomUUID } from "node:crypto";

/** MCP Apps (SEP-1865): hosts show a page of the server, a view, next to the results of a tool. */
export const uiExtension = "io.modelcontextprotocol/ui";

export const viewMimeType = "text/html;profile=mcp-app";

/** Whether the capabilities of a client include views. */
export function declaresUi(capabilities: unknown): boolean {
  const mimeTypes = field(field(field(capabilities, "extensions"), uiExtension), "mimeTypes");
  return Array.isArray(mimeTypes) && mimeTypes.includes(viewMimeType);
}

/**
 * Revisions with `initialize` declare capabilities once per session, and this service keeps none: the id says itself that
 * the client has declared views. It grants nothing, so anyone may make one up.
 */
export function newUiSession(): string {
  return sessionPrefix + randomUUID();
}

export function isUiSession(id: string | string[] | undefined): boolean {
  return typeof id === "string" && id.startsWith(sessionPrefix);
}

const sessionPrefix = "ui-";

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}
