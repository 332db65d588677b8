import { z } from "zod";
import { ServiceError } from "../../contract/errors.js";
import { line } from "../../contract/schema/fields.js";
import { definePrompt, type Prompt } from "../../src/mcp/prompts.js";
import type { Tool } from "../../src/runner/mutation.js";
import { defineRead } from "../../src/runner/tool.js";

/** Tools that the conformance suites call by name, within what tools of this service can do. */
export const conformanceTools: Tool[] = [
  conformanceTool("test_simple_text", async () => ({ text: "This is a simple text response for testing." })),
  conformanceTool("test_error_handling", async () => {
    throw new ServiceError("conflict", "This tool intentionally returns an error for testing");
  }),
  conformanceTool("test_logging_tool", async () => ({ text: "Nothing is logged to the client." })),
  conformanceTool("test_streaming_elicitation", async () => ({ text: "Nothing is asked of the client." })),
];

/** Prompts that the conformance suites get by name. Those with images and resources are left out: no prompt has any. */
export const conformancePrompts: Prompt[] = [
  conformancePrompt("test_simple_prompt", {}, () => "This is a simple prompt for testing."),
  conformancePrompt(
    "test_prompt_with_arguments",
    { arg1: line(100).meta({ description: "first" }), arg2: line(100).meta({ description: "second" }) },
    ({ arg1, arg2 }) => `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`,
  ),
];

function conformancePrompt(
  name: string,
  args: z.ZodRawShape,
  task: (given: Record<string, unknown>) => string,
): Prompt {
  const description = "Got by the conformance suites.";
  return definePrompt({ name, title: name, description, tools: [], arguments: args, task: (given) => [task(given)] });
}

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
