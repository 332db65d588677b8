import { type AgentClient, connectAgent, type Figures, figuresOf, type Received } from "../agent-client.js";
import type { Goal, Task, TaskContext } from "./task.js";

export type TaskKeys = {
  service: string;
  /** A key of the organization, with all scopes. */
  key: string;
  /** A key of another organization, for tasks that take two. */
  partnerKey?: string | undefined;
};

/** How a task ended. Without a problem, its outcome was checked and its changes were undone. */
export type TaskOutcome = Figures & {
  id: string;
  title: string;
  goal: Goal;
  /** Each response by itself. */
  traffic: Received[];
  problem: string | undefined;
};

/** Carries out a task, checks it, and undoes what it changed. */
export async function runTask(task: Task, keys: TaskKeys, say: (text: string) => void): Promise<TaskOutcome> {
  const { service, key, partnerKey } = keys;
  const { countsListOf } = task;
  const clients = await Promise.all([
    connectAgent({ service, key, listsTools: countsListOf !== undefined, tools: countsListOf ?? [] }),
    connectAgent({ service, key, listsTools: false }),
    ...(partnerKey === undefined ? [] : [connectAgent({ service, key: partnerKey, listsTools: false })]),
  ]);
  const [agent, checker, partner] = clients as [AgentClient, AgentClient, AgentClient | undefined];
  if (countsListOf === undefined) agent.traffic.splice(0);
  const records: string[] = [];
  let problem: string | undefined;
  try {
    await task.run(contextOf(service, { agent, checker, partner, say }, records));
  } catch (error) {
    problem = messageOf(error);
  }
  try {
    for (const record_id of records.toReversed())
      await checker.change("revert_change", { record_id }, "End of the task");
  } catch (error) {
    problem ??= `undoing: ${messageOf(error)}`;
  } finally {
    for (const client of clients) await client.close();
  }
  const { id, title, goal } = task;
  return { id, title, goal, ...figuresOf(agent.traffic), traffic: agent.traffic, problem };
}

/** `records` gets the ids of what is changed, in order. */
function contextOf(
  service: string,
  clients: Pick<TaskContext, "agent" | "checker" | "partner" | "say">,
  records: string[],
): TaskContext {
  const changeWith = (client: AgentClient): TaskContext["change"] => {
    return async (name, args, reason) => {
      const { preview, committed } = await client.change(name, args, reason);
      if (committed === undefined) throw new Error(`${name}: there is nothing to change`);
      records.push(committed.record_id);
      return { preview, committed };
    };
  };
  return {
    ...clients,
    change: changeWith(clients.agent),
    async readImage(url) {
      const response = await fetch(new URL(new URL(url).pathname, service));
      await response.arrayBuffer();
      return { status: response.status, type: response.headers.get("content-type") };
    },
    undo: (recordIds) => void records.push(...recordIds),
    prepare: async (name, args) => (await changeWith(clients.checker)(name, args, "For the example")).committed,
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Whether a task did what was asked, within its goal. */
export function isMet({ problem, goal, calls, received, text }: Omit<TaskOutcome, "traffic">): boolean {
  const { calls: mostCalls = calls, bytes = received, textBytes = text } = goal;
  return problem === undefined && calls <= mostCalls && received <= bytes && text <= textBytes;
}
