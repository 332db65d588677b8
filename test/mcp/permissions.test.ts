import { expect, it } from "vitest";
import { prepareTools } from "../../src/mcp/tool-list.js";
import { tools } from "../../src/registry.js";
import { toolPermissions } from "../support/tool-permissions.js";

/** Compares the declarations with the permissions written out in tool-permissions.ts. */

it("the table lists exactly the declared tools", () => {
  expect(tools.map(({ name }) => name)).toEqual(toolPermissions.map(({ name }) => name));
});

it.each(toolPermissions)("$name requires $scope, $role, event role $event", ({ name, group, scope, role, event }) => {
  const tool = tools.find((candidate) => candidate.name === name);
  expect(tool).toMatchObject({ group, scope, role });
  expect(tool?.event ?? null).toBe(event);
  expect(Object.keys(tool?.input.shape ?? {}).includes("event_id")).toBe(event !== null);
});

const { tools: prepared } = prepareTools(tools, ["*"]);

it.each(toolPermissions)("$name has the annotations of a tool that $effect", ({ name, effect, fetches }) => {
  const wire = JSON.parse(prepared.find(({ tool }) => tool.name === name)?.wire ?? "{}");
  expect(wire.annotations).toEqual({
    readOnlyHint: effect === "reads",
    destructiveHint: effect === "overwrites",
    idempotentHint: true,
    openWorldHint: fetches,
  });
  expect("dry_run" in wire.inputSchema.properties).toBe(effect !== "reads");
});
