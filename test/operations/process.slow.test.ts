import { once } from "node:events";
import { Agent, get, type IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import { useServeEnvironment } from "../cli/serve-support.js";
import { call } from "../support/call.js";
import { fastStart, type Running, startCommand } from "../support/svc.js";
import { until } from "../support/until.js";

type Operated = Running & { operationsUrl: string };

const env = useServeEnvironment();

/** Throws or rejects when it gets a signal, as a bug would. */
const planted = `
  process.on("SIGUSR2", () => { throw new Error("planted for guest@example.com") });
  process.on("SIGPROF", () => { Promise.reject(new Error("planted rejection")) });`;

async function serve(more: Record<string, string> = {}): Promise<Operated> {
  const running = await startCommand(
    ["serve", "--no-demo", "--port", "0", "--json"],
    { ...env, OPERATIONS_PORT: "0", ...more },
    [...fastStart, "--import", `data:text/javascript,${encodeURIComponent(planted)}`],
  );
  return { ...running, operationsUrl: running.ready.operations_url };
}

const dropped = async ({ operationsUrl }: Operated) =>
  Number(/^svc_log_lines_dropped_total (\d+)/m.exec((await call(operationsUrl, "/metrics")).text)?.[1]);

/** Each request is a log line of about 300 bytes. Fails if one is not answered. */
async function sendRequests({ ready }: Operated, count: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 10 });
  const send = async () => {
    const outgoing = get(`${ready.url}/unknown`, { agent, headers: { "x-request-id": "x".repeat(64) } });
    const [response] = (await once(outgoing, "response")) as [IncomingMessage];
    expect(response.statusCode).toBe(404);
    await once(response.resume(), "end");
  };
  await Promise.all(Array.from({ length: count }, send));
  agent.destroy();
}

describe("a log that nobody reads", () => {
  it("does not stop requests; lines are dropped, counted and reported; SIGTERM still stops the process", async () => {
    const server = await serve();
    server.child.stderr?.pause();
    let sent = 0;
    // Until the pipe and the buffer of 1 MiB are full.
    for (; (await dropped(server)) === 0; sent += 1_000) await sendRequests(server, 1_000);
    const lost = await dropped(server);
    server.child.stderr?.resume();
    await until(() => server.output().stderr.includes('"dropped":'));
    const lines = server.output().stderr.split("\n");
    expect(JSON.parse(lines.find((line) => line.includes('"dropped":')) ?? "")).toMatchObject({ dropped: lost });
    expect(lines.filter((line) => line.includes('"route":"unmatched"')).length + lost).toBe(sent);
    server.child.stderr?.pause();
    await sendRequests(server, 1_200);
    server.child.kill("SIGTERM");
    await until(() => server.child.exitCode !== null);
    expect(server.child.exitCode).toBe(0);
    server.child.stderr?.resume();
  });
});

describe("a crash", () => {
  it.each([
    ["SIGUSR2", "uncaughtException", "planted for [redacted]"],
    ["SIGPROF", "unhandledRejection", "planted rejection"],
  ] as const)("by %s is one JSON line, and the process exits with 1", async (signal, origin, message) => {
    const server = await serve();
    expect(await server.stop(signal)).toBe(1);
    const line = server.output().stderr.trim().split("\n").at(-1) ?? "";
    expect(JSON.parse(line)).toMatchObject({ level: 60, msg: `crashed: ${origin}`, err: { type: "Error", message } });
  });

  it("ends a process whose log nobody reads", async () => {
    const server = await serve();
    server.child.stderr?.pause();
    await sendRequests(server, 1_200);
    server.child.kill("SIGUSR2");
    await until(() => server.child.exitCode !== null);
    expect(server.child.exitCode).toBe(1);
    server.child.stderr?.resume();
  });
});
