import { expect, it } from "vitest";
import { clientsFor, isPublicAddress } from "./clients.ts";

const codeOf = (id: string) => clientsFor("https://svc.test").find((client) => client.id === id)?.code ?? "";

it.each([
  ["claude", "https://svc.test/api/mcp"],
  ["chatgpt", "https://svc.test/api/mcp"],
  ["claude-code", "claude mcp add --transport http event-platform https://svc.test/api/mcp"],
  ["vs-code", `code --add-mcp '{"name":"event-platform","type":"http","url":"https://svc.test/api/mcp"}'`],
])("has the address for %s, and no key", (id, code) => {
  expect(codeOf(id)).toBe(code);
});

it("has the address for Cursor in a file and in a link", () => {
  const { code, install = "" } = clientsFor("https://svc.test").find(({ id }) => id === "cursor") ?? { code: "" };
  const entry = { url: "https://svc.test/api/mcp" };
  expect(JSON.parse(code)).toEqual({ mcpServers: { "event-platform": entry } });
  const { searchParams } = new URL(install);
  expect(searchParams.get("name")).toBe("event-platform");
  expect(JSON.parse(atob(searchParams.get("config") ?? ""))).toEqual(entry);
});

it.each([
  ["https://events.example.com", true],
  ["http://events.example.com", false],
  ["https://localhost:3000", false],
  ["https://192.168.1.20", false],
  ["https://[::1]:3000", false],
])("%s can be reached by the servers of others: %s", (address, isPublic) => {
  expect(isPublicAddress(address)).toBe(isPublic);
});
