import { describe, expect, it } from "vitest";
import { type Scope, scopes } from "../../contract/scopes.js";
import type { OrganizationCaller } from "../../src/access/caller.js";
import type { Era } from "../../src/mcp/protocol.js";
import { listedTools, prepareTools } from "../../src/mcp/tool-list.js";
import { tools } from "../../src/registry.js";
import { startService } from "../support/service.js";

const prepared = prepareTools(tools, ["*"]).tools.map(({ tool, wire }) => ({ tool, wire: JSON.parse(wire) }));

it("what a model reads of the list has at most 40 KB", () => {
  const read = prepared.map(({ wire: { name, description, inputSchema } }) => ({ name, description, inputSchema }));
  expect(Buffer.byteLength(JSON.stringify(read))).toBeLessThanOrEqual(40_000);
});

it("every field has one type, or is a choice of fields that do: some clients know no other schemas", () => {
  const others = (schema: Record<string, unknown>, path: string): string[] => {
    const {
      type,
      properties = {},
      items,
      additionalProperties,
      propertyNames,
      anyOf = [],
      $defs = {},
    } = schema as Parts;
    const isKnown = typeof type === "string" || ["enum", "const", "anyOf", "$ref"].some((key) => key in schema);
    const choices = anyOf.filter((part) => Object.keys(part).join() !== "required");
    const inner = [
      ...Object.entries({ ...properties, ...$defs }),
      ...choices.map((part, place) => [`(${place})`, part] as const),
    ];
    const more = [["[]", items] as const, ["*", additionalProperties] as const];
    return [
      ...(isKnown && !Array.isArray(type) ? [] : [path]),
      ...(propertyNames !== undefined && Object.keys(propertyNames).length === 0 ? [`${path} names`] : []),
      ...[...inner, ...more].flatMap(([name, part]) =>
        typeof part === "object" ? others(part as Record<string, unknown>, `${path}.${name}`) : [],
      ),
    ];
  };
  const both = (wire: {
    name: string;
    inputSchema: Record<string, unknown>;
    outputSchema: Record<string, unknown>;
  }) => [...others(wire.inputSchema, wire.name), ...others(wire.outputSchema, `${wire.name} returns`)];
  expect(prepared.flatMap(({ wire }) => both(wire))).toEqual([]);
  expect(others({ type: "object", properties: { a: { type: ["string", "null"] }, b: {} } }, "")).toEqual([".a", ".b"]);
});

type Parts = {
  type?: string | string[];
  properties?: Record<string, object>;
  items?: object;
  additionalProperties?: object | boolean;
  propertyNames?: object;
  anyOf?: object[];
  $defs?: Record<string, object>;
};

describe("the response", () => {
  const list = prepareTools(tools, ["*"]);
  const callerWith = (granted: Scope[], role: OrganizationCaller["role"] = "owner"): OrganizationCaller => ({
    via: { kind: "session", sessionId: "" },
    tier: "organization",
    organizationId: "",
    userId: "",
    scopes: granted,
    role,
  });
  const viewOf = (caller: OrganizationCaller, hostsEvents: boolean, hasOffers = false) => ({
    caller,
    hostsEvents,
    hasOffers,
  });
  const read = (...given: Parameters<typeof listedTools> extends [unknown, ...infer Rest] ? Rest : never) =>
    JSON.parse(`${listedTools(list, ...given)}1}`).result;
  const namesIn = (...given: Parameters<typeof read>) => read(...given).tools.map(({ name }: { name: string }) => name);

  it("has the tools that any set of scopes allows", () => {
    const expected = (granted: Scope[]) =>
      tools.filter(({ scope }) => [scope].flat().some((each) => granted.includes(each))).map(({ name }) => name);
    const subsets = scopes.reduce<Scope[][]>((all, scope) => all.concat(all.map((some) => some.concat(scope))), [[]]);
    for (const granted of subsets) {
      expect(namesIn("legacy", viewOf(callerWith(granted), true))).toEqual(expected(granted));
    }
  });

  it("is kept for the next request, apart for each revision and for clients that show views", () => {
    const view = viewOf(callerWith([...scopes]), true);
    expect(listedTools(list, "modern", view)).toBe(listedTools(list, "modern", viewOf(callerWith([...scopes]), true)));
    const withCards = (era: Era, showsViews: boolean) => {
      const { ttlMs, tools: listed } = read(era, view, showsViews);
      return { ttlMs, cards: listed.filter(({ _meta }: { _meta: object }) => "ui" in _meta).length };
    };
    const cards = tools.filter(({ kind }) => kind === "mutation").length;
    expect(withCards("modern", false)).toEqual({ ttlMs: 60_000, cards: 0 });
    expect(withCards("modern", true)).toEqual({ ttlMs: 60_000, cards });
    expect(withCards("legacy", true)).toEqual({ ttlMs: undefined, cards });
    expect(withCards("legacy", false)).toEqual({ ttlMs: undefined, cards: 0 });
  });

  it("is kept for at most 64 sets of tools", () => {
    for (const { name } of tools.slice(0, 40)) {
      for (const era of ["legacy", "modern"] as const) {
        listedTools(list, era, { ...viewOf(callerWith([...scopes]), true), selected: new Set([name]) });
      }
    }
    expect(list.responses.size).toBe(64);
  });
});

describe.each(prepared)("$tool.name", ({ tool, wire }) => {
  it("has every field that clients need", () => {
    const fields = ["name", "title", "description", "inputSchema", "outputSchema", "annotations", "_meta"];
    expect(Object.keys(wire)).toEqual(fields);
    expect(wire.outputSchema).toMatchObject({ type: "object", properties: { error: {} }, anyOf: expect.any(Array) });
    expect(wire.title).toBe(tool.title);
    expect(wire._meta).toEqual({ group: tool.group });
    expect(wire.name).toMatch(/^[a-z]+(_[a-z]+)*$/);
    expect(wire.description.length).toBeGreaterThan(20);
  });

  it("has an input schema without alternatives at its root, with all arguments", () => {
    const { inputSchema } = wire;
    expect(inputSchema).toMatchObject({ type: "object", additionalProperties: false, properties: {} });
    for (const keyword of ["oneOf", "anyOf", "allOf", "$ref", "$schema"])
      expect(inputSchema).not.toHaveProperty(keyword);
    const commitArguments = ["dry_run", "confirm", "reason", "idempotency_key", "expected_version"];
    expect(Object.keys(inputSchema.properties)).toEqual([
      ...Object.keys(tool.input.shape),
      ...(tool.kind === "mutation" ? commitArguments : []),
    ]);
    expect(JSON.stringify(inputSchema)).not.toMatch(/"pattern":"[^"]{30,}"/);
  });
});

it("the API description lists each tool with its scope and role, and the configured limit", async () => {
  const service = await startService({ limits: { rest: 60, ticketing: 30, mcp: 77 } });
  const { json } = await service.call("/api/svc");
  await service.close();
  expect(json.mcp).toMatchObject({
    address: `${json.base_url}/api/mcp`,
    revisions: ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26"],
    limit: { requests: 77, per: "API key or connected app" },
  });
  expect(json.limits.mcp).toEqual({ requests: 77, per: "API key or connected app", paths: "/api/mcp" });
  const described = json.mcp.groups.flatMap(({ group, tools: listed }: { group: string; tools: object[] }) =>
    listed.map((tool) => ({ group, ...tool })),
  );
  expect(described).toHaveLength(tools.length);
  for (const { name, title, group, scope, role, event, kind, addition = false } of tools) {
    expect(described).toContainEqual({
      name,
      title,
      group,
      scope: [scope].flat().join(" or "),
      role,
      event_role: event ?? null,
      addition,
      mutation: kind === "mutation",
    });
  }
});
