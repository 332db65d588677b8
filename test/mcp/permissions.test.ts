import { expect, it } from "vitest";
import { prepareTools } from "../../src/mcp/tool-list.js";
import { consoleTools, tools } from "../../src/registry.js";
import { consoleToolPermissions, toolPermissions } from "../support/tool-permissions.js";

/** Compares the declarations with the permissions written out in tool-permissions.ts. */

it("the table lists exactly the declared tools", () => {
  expect(tools.map(({ name }) => name)).toEqual(toolPermissions.map(({ name }) => name));
  expect(consoleTools.map(({ name }) => name)).toEqual(consoleToolPermissions.map(({ name }) => name));
});

const everyTool = [...tools, ...consoleTools];
const { tools: prepared } = prepareTools(everyTool, ["*"]);
const wireOf = (name: string) => JSON.parse(prepared.find(({ tool }) => tool.name === name)?.wire ?? "{}");
const everyRow = [...toolPermissions, ...consoleToolPermissions];

it.each(everyRow)("$name requires $scope, $role, event role $event", ({ name, group, scope, role, event }) => {
  const tool = everyTool.find((candidate) => candidate.name === name);
  expect(tool).toMatchObject({ group, scope, role });
  expect(tool?.event ?? null).toBe(event);
  // Elsewhere it is a filter, or found out by the tool; and two tools are about several events of the organization without it.
  const isRequired = event !== null && !["list_event_registrations", "get_event_statistics"].includes(name);
  expect(wireOf(name).inputSchema.required?.includes("event_id") ?? false).toBe(isRequired);
});

it.each(everyRow)("$name has the annotations of a tool that $effect", ({ name, effect }) => {
  const wire = wireOf(name);
  expect(wire.annotations).toEqual({
    readOnlyHint: effect === "reads",
    destructiveHint: effect === "overwrites",
    idempotentHint: true,
    // These fetch pictures.
    openWorldHint: ["generate_event_poster_draft", "redraw_event_posters", "add_event_poster"].includes(name),
  });
  expect("dry_run" in wire.inputSchema.properties).toBe(effect !== "reads");
});
