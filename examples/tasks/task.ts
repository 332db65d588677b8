import { isDeepStrictEqual } from "node:util";
import type { AgentClient, Arguments, Result } from "../agent-client.js";

/** What a task may take. Bytes are those of the responses to its calls as received. */
export type Goal = { calls?: number; bytes?: number };

export type Task = {
  id: string;
  title: string;
  goal: Goal;
  run(context: TaskContext): Promise<void>;
};

export type TaskContext = {
  /** Does the task; its calls are counted. */
  agent: AgentClient;
  /** Sets the scene, checks the outcome and cleans up, with the same key; its calls are not counted. */
  checker: AgentClient;
  /** The agent of another organization, for what takes two; undefined without its key. */
  partner: AgentClient | undefined;
  /** Previews and commits with the agent. What it changes is undone when the task has ended. */
  change(name: string, args: Arguments, reason: string): Promise<{ preview: Result; committed: Result }>;
  /** The same with the checker, which is not counted. */
  prepare(name: string, args: Arguments): Promise<Result>;
  /** What the agent would tell the person who asked. */
  say(text: string): void;
};

/** Finds the one event whose name has these words: the first call of most tasks. */
export async function findEvent(agent: AgentClient, event_name: string): Promise<Result> {
  const { events, message } = await agent.call("get_organization_admin_snapshot", { event_name });
  const [event] = events;
  if (event === undefined) throw new Error(`no event is named “${event_name}”: ${message ?? "is the demo data loaded?"}`);
  return event;
}

export function expectEqual(what: string, actual: unknown, expected: unknown): void {
  if (isDeepStrictEqual(actual, expected)) return;
  throw new Error(`${what}: expected ${JSON.stringify(expected)}, found ${JSON.stringify(actual)}`);
}
