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
const everyRow = [...toolPermissions, ...consoleToolPermissions];

it.each(everyRow)("$name requires $scope, $role, event role $event", ({ name, group, scope, role, event }) => {
  const tool = everyTool.find((candidate) => candidate.name === name);
  expect(tool).toMatchObject({ group, scope, role });
  expect(tool?.event ?? null).toBe(event);
  expect(Object.keys(tool?.input.shape ?? {}).includes("event_id")).toBe(event !== null);
});

const { tools: prepared } = prepareTools(everyTool, ["*"]);

it.each(everyRow)("$name has the annotations of a tool that $effect", ({ name, effect, fetches }) => {
  const wire = JSON.parse(prepared.find(({ tool }) => tool.name === name)?.wire ?? "{}");
  expect(wire.annotations).toEqual({
    readOnlyHint: effect === "reads",
    destructiveHint: effect === "overwrites",
    idempotentHint: true,
    openWorldHint: fetches,
  });
  expect("dry_run" in wire.inputSchema.properties).toBe(effect !== "reads");
});
