import { AjvJsonSchemaValidator } from "@modelcontextprotocol/client/validators/ajv";
import { describe, expect, it } from "vitest";
import { scopes } from "../../src/access/scopes.js";
import { prepareTools } from "../../src/mcp/tool-list.js";
import { toolsDocument } from "../../src/mcp/tools-document.js";
import { tools } from "../../src/registry.js";
import { toolGroups } from "../../src/tools/tool.js";
import { startService } from "../support/service.js";

/** The validator that clients use for results. */
const validator = new AjvJsonSchemaValidator();

const prepared = prepareTools(tools, ["*"]).tools.map(({ tool, wire }) => ({ tool, wire: JSON.parse(wire) }));

it("the whole list is smaller than 40 KB", () => {
  expect(Buffer.byteLength(JSON.stringify(prepared.map(({ wire }) => wire)))).toBeLessThan(40_000);
});

describe.each(prepared)("$tool.name", ({ tool, wire }) => {
  it("has every field that clients need", () => {
    expect(Object.keys(wire)).toEqual(["name", "title", "description", "inputSchema", "outputSchema", "annotations"]);
    expect(wire.name).toMatch(/^[a-z]+(_[a-z]+)*$/);
    expect(wire.description.length).toBeGreaterThan(20);
    expect(toolGroups).toContain(tool.group);
    expect(scopes).toContain(tool.scope);
  });

  it("has annotations", () => {
    expect(wire.annotations).toEqual({
      readOnlyHint: tool.kind === "read",
      destructiveHint: tool.kind === "mutation" && tool.destructive,
      idempotentHint: true,
      openWorldHint: tool.name === "generate_event_poster_draft",
    });
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
    if (tool.event !== undefined) expect(inputSchema.required).toContain("event_id");
    expect(JSON.stringify(inputSchema)).not.toMatch(/"pattern":"[^"]{30,}"/);
  });

  it("has an output schema that allows new fields and errors", () => {
    const validate = validator.getValidator(wire.outputSchema);
    expect(wire.outputSchema).toMatchObject({ type: "object" });
    expect(JSON.stringify(wire.outputSchema)).not.toContain('"additionalProperties":false');
    expect(validate({ error: { code: "not_found", message: "Event not found" } }).valid).toBe(true);
    expect(validate({ a_new_field: 1 }).valid).toBe(true);
    expect(validate({ error: "not an object" }).valid).toBe(false);
  });
});

it("the API description lists each tool with its scope and role, and the configured limit", async () => {
  const service = await startService({ limits: { rest: 60, ticketing: 30, mcp: 77 } });
  const { json } = await service.call("/api/svc");
  await service.close();
  expect(json.mcp).toMatchObject({
    address: `${json.base_url}/api/mcp`,
    revisions: ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26"],
    limit: { requests: 77, per: "API key" },
  });
  expect(json.limits.mcp).toEqual({ requests: 77, per: "API key", paths: "/api/mcp" });
  const described = json.mcp.groups.flatMap(({ group, tools: listed }: { group: string; tools: object[] }) =>
    listed.map((tool) => ({ group, ...tool })),
  );
  expect(described).toHaveLength(tools.length);
  for (const { name, title, group, scope, role, event, kind } of tools) {
    expect(described).toContainEqual({
      name,
      title,
      group,
      scope,
      role,
      event_role: event ?? null,
      mutation: kind === "mutation",
    });
  }
});

it("docs/tools.md has a section for each tool, with every argument", () => {
  const page = toolsDocument(tools);
  for (const { name, description, input } of tools) {
    const section = page.split(`\n### ${name}\n`)[1]?.split("\n### ")[0] ?? "";
    expect(section).toContain(description);
    for (const argument of Object.keys(input.shape)) expect(section).toContain(`| \`${argument}\` |`);
  }
});
