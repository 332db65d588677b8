import { z } from "zod";
import type { AnyInput, RunnableTool } from "./tool.js";

/**
 * The tool as it runs with these arguments. One whose `event_id` is optional is about all events of the organization if a call
 * names none, and then there is no event to check.
 */
export function toolForCall<Called extends RunnableTool>(tool: Called, args: AnyInput): Called {
  if (args.event_id !== undefined || !hasOptionalEvent(tool)) return tool;
  const { event: _, ...withoutEvent } = tool;
  return withoutEvent as Called;
}

export function hasOptionalEvent({ event, input }: RunnableTool): boolean {
  return event !== undefined && input.shape.event_id instanceof z.ZodOptional;
}
