import { expect } from "vitest";
import type { ToolRunner } from "./tool-runner.js";

/** Every call is refused as invalid, with a message that contains the text. Refusals change nothing, so they share an event. */
export async function expectRefused(tools: ToolRunner, tool: string, cases: [args: object, text: string][]) {
  for (const [args, text] of cases) {
    const { code, message } = await tools.refusal(tool, args);
    const about = JSON.stringify(args).slice(0, 200);
    expect({ about, code, message }).toEqual({ about, code: "invalid_input", message: expect.stringContaining(text) });
  }
}
