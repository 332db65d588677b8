import { expect } from "vitest";
import { callTool } from "../mcp/messages.js";
import type { Reply } from "../support/call.js";
import type { Service } from "../support/service.js";

type Json = Reply["json"];
type Arguments = Record<string, unknown>;

export type ToolClient = {
  /** The result of tools/call, whether it is an error or not. */
  call(name: string, args?: Arguments): Promise<Json>;
  /** The structured content of a call that must succeed. */
  run(name: string, args?: Arguments): Promise<Json>;
  /** Previews and commits, and returns the structured content of the commit. */
  commit(name: string, args?: Arguments, reason?: string): Promise<Json>;
  /** The error of a call that must fail. */
  refusal(name: string, args?: Arguments): Promise<Json>;
};

/** Calls tools over the MCP endpoint. */
export function toolClient(service: Service, key: string): ToolClient {
  const call: ToolClient["call"] = async (name, args) => {
    const { result, error } = await callTool(service, key, name, args);
    expect(error).toBeUndefined();
    return result;
  };
  const run: ToolClient["run"] = async (name, args) => {
    const result = await call(name, args);
    expect(result.isError ?? false, result.content[0].text).toBe(false);
    return result.structuredContent;
  };
  return {
    call,
    run,
    async commit(name, args, reason = "for the test") {
      const { commit_with } = await run(name, args);
      return run(name, { ...args, ...commit_with, reason });
    },
    async refusal(name, args) {
      const result = await call(name, args);
      expect(result.isError, result.content[0].text).toBe(true);
      return result.structuredContent.error;
    },
  };
}
