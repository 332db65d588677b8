import type { RunnableMutation, ToolState } from "./mutation.js";
import type { AnyInput, CallEvent, RunnableTool, ToolCaller } from "./tool.js";

/** One change on its way through preview or commit. */
export type ToolChange<Services> = {
  tool: RunnableMutation<Services>;
  caller: ToolCaller;
  /** The arguments without the commit arguments: what is hashed and recorded. */
  input: AnyInput;
  /** The same without `event_id`: what the tool's functions get. */
  own: AnyInput;
  baseUrl: string;
};

/** What `read` and `related` returned in one transaction. */
export type ReadState = { current: ToolState; related: unknown };

export function changeOf<Services>(
  call: Pick<ToolChange<Services>, "tool" | "caller" | "baseUrl">,
  input: AnyInput,
): ToolChange<Services> {
  return { ...call, input, own: withoutEventId(call.tool, input) };
}

/** The organization whose history a change belongs to. */
export function organizationOf<Services>({ caller, input }: ToolChange<Services>): string | null {
  if (caller.tier === "organization") return caller.organizationId;
  return typeof input.organization_id === "string" ? input.organization_id : null;
}

export function eventOf(tool: RunnableTool, input: AnyInput): CallEvent | undefined {
  return tool.event === undefined ? undefined : { id: String(input.event_id) };
}

export function withoutEventId(tool: RunnableTool, input: AnyInput): AnyInput {
  const { event_id: _, ...own } = input;
  return tool.event === undefined ? input : own;
}
