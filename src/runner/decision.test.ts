import { expect, it } from "vitest";
import type { Queryable } from "../infra/database/db.js";
import { ifHosted } from "./decision.js";
import type { RunnableTool, ToolCaller } from "./tool.js";

it("asks whether the event is hosted also when the read throws at once", async () => {
  const refuse = async () => {
    throw new Error("not hosted");
  };
  const tool = { event: "host", kind: "read" } as unknown as RunnableTool;
  const caller = { tier: "organization" } as unknown as ToolCaller;
  const read = () => {
    throw new Error("at once");
  };
  const id = "71724f52-eb02-8e43-9aa3-9268036ed373";
  await expect(
    ifHosted({ query: refuse } as unknown as Queryable, tool, caller, { event_id: id }, read),
  ).rejects.toThrow("not hosted");
});
