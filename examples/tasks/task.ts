import { isDeepStrictEqual } from "node:util";
import type { AgentClient, Arguments, Result } from "../agent-client.js";

/** What a task may take. Bytes are those of responses as received, or of their text, which a model may read alone. */
export type Goal = { calls?: number; bytes?: number; textBytes?: number };

export type Task = {
  id: string;
  title: string;
  goal: Goal;
  /** Set if opening the connection counts too, with the list of these tools; an empty list is all of them. */
  countsListOf?: string[];
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
  /** Undoes what these records changed, when the task has ended. */
  undo(recordIds: string[]): void;
  /** The status and type of an image, read from this service, whatever its public URL is. */
  readImage(url: string): Promise<{ status: number; type: string | null }>;
  /** What the agent would tell the person who asked. */
  say(text: string): void;
};

/** Finds the one event whose name has these words: the first call of most tasks. */
export async function findEvent(agent: AgentClient, event_name: string): Promise<Result> {
  const { events, message } = await agent.call("get_organization_admin_snapshot", { event_name });
  const [event] = events;
  if (event === undefined)
    throw new Error(`no event is named “${event_name}”: ${message ?? "is the demo data loaded?"}`);
  return event;
}

export function expectEqual(what: string, actual: unknown, expected: unknown): void {
  if (isDeepStrictEqual(actual, expected)) return;
  throw new Error(`${what}: expected ${JSON.stringify(expected)}, found ${JSON.stringify(actual)}`);
}
