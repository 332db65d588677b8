import { randomUUID } from "node:crypto";
import { Agent, type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { fastStart, type Running, startCommand } from "./svc.js";
import { until } from "./until.js";

export type RunningWorkers = Running & {
  url: string;
  operationsUrl: string;
  /** The lines of its log; fails if one is not complete. */
  lines(): LogLine[];
};

// biome-ignore lint/suspicious/noExplicitAny: lines have fields of every type.
export type LogLine = Record<string, any>;

/** Starts `svc serve --workers COUNT` with an operations port. `planted` is code that runs first in every process. */
export async function startWorkers(
  count: number,
  env: Record<string, string>,
  planted?: string,
): Promise<RunningWorkers> {
  const importing = planted === undefined ? [] : ["--import", `data:text/javascript,${encodeURIComponent(planted)}`];
  const running = await startCommand(
    ["serve", "--port", "0", "--workers", String(count), "--json"],
    { OPERATIONS_PORT: "0", REST_LIMIT: "1000000", ...env },
    [...fastStart, ...importing],
  );
  const { url, operations_url: operationsUrl } = running.ready;
  const lines = () =>
    running
      .output()
      .stderr.split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line) as LogLine);
  return { ...running, url, operationsUrl, lines };
}

export type SendOptions = { key?: string; method?: string; body?: unknown; headers?: Record<string, string> };

/** One request on a connection of the agent. It takes at most 20 s. */
export async function send(
  agent: Agent | false,
  url: string,
  path: string,
  { key, method = "GET", body, headers = {} }: SendOptions = {},
): Promise<{ status: number; headers: IncomingMessage["headers"]; json: LogLine }> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const outgoing = request(`${url}${path}`, {
      agent,
      method,
      timeout: 20_000,
      headers: {
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
    });
    outgoing.once("response", resolve);
    outgoing.once("timeout", () => outgoing.destroy(new Error("no response within 20 s")));
    outgoing.once("error", reject);
    outgoing.end(body === undefined ? undefined : JSON.stringify(body));
  });
  const received = await text(response);
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    json: received === "" ? {} : JSON.parse(received),
  };
}

/** The status of a GET, on a new connection unless there is an agent, or the code of the error. */
export async function statusOf(url: string, path: string, agent: Agent | false = false): Promise<number | string> {
  try {
    return (await send(agent, url, path)).status;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error);
  }
}

/** An agent with one connection to each of the workers, by process id. */
export async function connectToEach({ url, lines }: RunningWorkers, count: number): Promise<Map<number, Agent>> {
  const agents = new Map<number, Agent>();
  while (agents.size < count) {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const id = randomUUID();
    await send(agent, url, "/api/svc", { headers: { "x-request-id": id } });
    const { pid } = await until(() => lines().find(({ request_id }) => request_id === id));
    if (agents.has(pid)) agent.destroy();
    else agents.set(pid, agent);
  }
  return agents;
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
