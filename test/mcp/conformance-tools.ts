import { z } from "zod";
import { ServiceError } from "../../src/platform/errors.js";
import type { Tool } from "../../src/tools/mutation.js";
import { defineRead } from "../../src/tools/tool.js";

/** Tools that the conformance suites call by name, within what tools of this service can do. */
export const conformanceTools: Tool[] = [
  conformanceTool("test_simple_text", async () => ({ text: "This is a simple text response for testing." })),
  conformanceTool("test_error_handling", async () => {
    throw new ServiceError("conflict", "This tool intentionally returns an error for testing");
  }),
  conformanceTool("test_logging_tool", async () => ({ text: "Nothing is logged to the client." })),
  conformanceTool("test_streaming_elicitation", async () => ({ text: "Nothing is asked of the client." })),
];

function conformanceTool(name: string, read: () => Promise<{ text: string }>): Tool {
  return defineRead({
    name,
    title: name,
    group: "organization",
    description: "Called by the conformance suites.",
    scope: "org:read",
    role: "member",
    input: z.object({}),
    output: z.object({ text: z.string() }),
    read,
  });
}
