import { expect, it } from "vitest";
import { snippetsFor } from "./snippets.ts";

const codeOf = (id: string) =>
  snippetsFor("https://svc.test", "svc_mk_1", "organization").find((snippet) => snippet.id === id)?.code ?? "";

it("has MCP clients for organizations only", () => {
  const ids = (tier: "organization" | "platform") => snippetsFor("https://svc.test", "key", tier).map(({ id }) => id);
  expect(ids("organization")).toEqual(["curl", "claude-code", "cursor", "vs-code", "posting-agent"]);
  expect(ids("platform")).toEqual(["curl", "posting-agent"]);
});

it.each([
  ["curl", 'curl https://svc.test/api/svc/ping \\\n  -H "Authorization: Bearer svc_mk_1"'],
  [
    "claude-code",
    'claude mcp add --transport http event-platform https://svc.test/api/mcp \\\n  --header "Authorization: Bearer svc_mk_1"',
  ],
  ["posting-agent", "SVC_KEY=svc_mk_1 npm run posting-agent -- https://svc.test --max 5"],
])("has the address and the key in the command %s", (id, command) => {
  expect(codeOf(id)).toBe(command);
});

it("has the address and the key in files of editors", () => {
  const server = { url: "https://svc.test/api/mcp", headers: { Authorization: "Bearer svc_mk_1" } };
  expect(JSON.parse(codeOf("cursor"))).toEqual({ mcpServers: { "event-platform": server } });
  expect(JSON.parse(codeOf("vs-code"))).toEqual({ servers: { "event-platform": { type: "http", ...server } } });
});
