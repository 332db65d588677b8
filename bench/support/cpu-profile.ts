import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { WebSocket } from "undici";
import type { CpuProfile } from "./flame-graph.js";

/** Often enough for frames of half a percent in a few seconds. */
const samplingIntervalMicros = 250;

export async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise<void>((resolve) => server.close(() => resolve()));
  if (address === null || typeof address === "string") throw new Error("no port is free");
  return address.port;
}

/** Profiles a process that was started with `--inspect` on this port while the work runs. */
export async function profileWhile(port: number, work: () => Promise<unknown>): Promise<CpuProfile> {
  const inspector = await connect(port);
  try {
    await inspector.call("Profiler.enable");
    await inspector.call("Profiler.setSamplingInterval", { interval: samplingIntervalMicros });
    await inspector.call("Profiler.start");
    await work();
    return ((await inspector.call("Profiler.stop")) as { profile: CpuProfile }).profile;
  } finally {
    inspector.close();
  }
}

async function connect(port: number) {
  const socket = new WebSocket(await debuggerUrl(port));
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener("open", () => resolve(), { once: true });
    socket.addEventListener("error", () => reject(new Error("the inspector refuses connections")), { once: true });
  });
  const waiting = new Map<number, (message: Reply) => void>();
  socket.addEventListener("message", ({ data }) => {
    const message = JSON.parse(String(data)) as Reply;
    waiting.get(message.id)?.(message);
    waiting.delete(message.id);
  });
  let calls = 0;
  return {
    call(method: string, params: Record<string, unknown> = {}): Promise<unknown> {
      const id = ++calls;
      return new Promise((resolve, reject) => {
        waiting.set(id, ({ result, error }) => {
          if (error === undefined) resolve(result);
          else reject(new Error(`${method}: ${error.message}`));
        });
        socket.send(JSON.stringify({ id, method, params }));
      });
    },
    close: () => socket.close(),
  };
}

type Reply = { id: number; result?: unknown; error?: { message: string } };

/** The inspector listens before the service does, so one attempt would do; a busy machine may need more. */
async function debuggerUrl(port: number): Promise<string> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const response = await fetch(`http://127.0.0.1:${port}/json/list`);
      const [target] = (await response.json()) as { webSocketDebuggerUrl: string }[];
      if (target !== undefined) return target.webSocketDebuggerUrl;
    } catch (error) {
      if (attempt === 20) throw error;
    }
    await sleep(100);
  }
}
