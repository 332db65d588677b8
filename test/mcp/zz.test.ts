import { it } from "vitest";
import { prepareTools } from "../../src/mcp/tool-list.js";
import { tools } from "../../src/registry.js";

it("s", () => {
  const l = prepareTools(tools, ["*"]);
  let t = 0;
  for (const { tool, wire } of l.tools) {
    const w = JSON.parse(wire);
    t += wire.length;
    console.log(tool.name, wire.length, JSON.stringify(w.inputSchema).length, JSON.stringify(w.outputSchema).length);
  }
  console.log(t);
  for (const n of process.env.N?.split(",") ?? [])
    console.log(JSON.stringify(JSON.parse(l.tools.find((x) => x.tool.name === n)!.wire)));
});
