import { createHash } from "node:crypto";
import { applySeed, parseSeed, type SandboxSeed } from "../../../src/ticketing-sandbox/seed.js";
import { type Sandbox, startSandbox } from "../../../src/ticketing-sandbox/server.js";
import { openSandboxState } from "../../../src/ticketing-sandbox/state.js";
import type { Reply } from "../../support/call.js";

export const sandboxKey = "sandbox-key-of-tests";

export type RunningSandbox = Sandbox & {
  /** Advances the sandbox's clock. */
  advance(ms: number): void;
  get(path: string, fields?: Record<string, string>, key?: string): Promise<Reply>;
  post(path: string, fields: unknown): Promise<Reply>;
  outbox(): Promise<{ to: string; kind: string; event_id: string; subject: string }[]>;
};

/** Runs the sandbox in this process, with a clock and ids that are deterministic. */
export async function startTestSandbox(
  seed: SandboxSeed,
  options: { requestsPerMinute?: number | null; file?: string; startAt?: string } = {},
): Promise<RunningSandbox> {
  const state = openSandboxState(options.file ?? null);
  let nowMs = Date.parse(options.startAt ?? "2030-01-01T12:00:00Z");
  let count = 0;
  const newId = (prefix: string) => {
    count += 1;
    return `${prefix}-${createHash("sha256").update(`new ${count}`).digest("hex").slice(0, 15)}`;
  };
  const context = { state, now: () => new Date(nowMs), newId };
  applySeed(parseSeed(JSON.stringify(seed), "seed"), context);
  const { requestsPerMinute = null } = options;
  const sandbox = await startSandbox({ ...context, port: 0, apiKey: sandboxKey, requestsPerMinute, latencyMs: 0 });
  return {
    ...sandbox,
    advance(ms) {
      nowMs += ms;
    },
    get: (path, fields = {}, key = sandboxKey) =>
      fetchJson(`${sandbox.url}/${path}?${new URLSearchParams(fields)}`, { headers: { "x-luma-api-key": key } }),
    post: (path, fields) =>
      fetchJson(`${sandbox.url}/${path}`, {
        method: "POST",
        headers: { "x-luma-api-key": sandboxKey, "content-type": "application/json" },
        body: typeof fields === "string" ? fields : JSON.stringify(fields),
      }),
    outbox: async () => (await fetchJson(sandbox.outboxUrl)).json.entries,
    async close() {
      await sandbox.close();
      state.close();
    },
  };
}

export async function fetchJson(url: string, init: RequestInit = {}): Promise<Reply> {
  const response = await fetch(url, init);
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: JSON.parse(text) };
}
