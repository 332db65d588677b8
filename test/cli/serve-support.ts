import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { type Agent, type IncomingMessage, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll } from "vitest";
import { call, type Reply } from "../support/call.js";
import { withoutSandbox } from "../support/embedded.js";
import { createPostgresDatabase } from "../support/postgres.js";

/** Creates directories that are removed after the tests of the file. */
export function useDataDirs(): () => Promise<string> {
  const folders: string[] = [];
  afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));
  return async () => {
    const folder = await mkdtemp(join(tmpdir(), "svc-test-"));
    folders.push(folder);
    return folder;
  };
}

/** Environment variables of a service on an empty database: on the server of DATABASE_URL if set, otherwise embedded. */
export function useServeEnvironment(): Record<string, string> {
  const env: Record<string, string> = {};
  const createDataDir = useDataDirs();
  beforeAll(async () => {
    Object.assign(env, { DATA_DIR: await createDataDir(), ...withoutSandbox });
    if (!process.env.DATABASE_URL) return;
    const database = await createPostgresDatabase();
    Object.assign(env, database.env);
    return database.remove;
  });
  return env;
}

/** Starts a PATCH of a poster and sends only part of its body. */
export async function startSlowPatch(url: string, key: string, agent: Agent | false = false) {
  const body = JSON.stringify({ posted_urls: { x: "https://social.example.com/1" } });
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json", "content-length": body.length };
  const outgoing = request(url, { method: "PATCH", headers, agent });
  const responded = once(outgoing, "response") as Promise<[IncomingMessage]>;
  outgoing.write(body.slice(0, 10));
  await once(outgoing, "socket");
  // There is no way to observe that the service has read the headers.
  await sleep(300);
  return {
    status: responded.then(
      ([response]) => response.resume().statusCode,
      ({ code }: NodeJS.ErrnoException) => code,
    ),
    finish: () => outgoing.end(body.slice(10)),
  };
}

type TicketedEvent = { event: string; get(url: string, path: string): Promise<Reply> };

/** An event of the demo that is linked to the sandbox, and reads of it through the proxy. */
export async function findTicketedEvent(url: string, key: string): Promise<TicketedEvent> {
  for (const conference of (await call(url, "/api/svc/conferences", { key })).json.items) {
    const { items } = (await call(url, `/api/svc/conferences/${conference.id}/events`, { key })).json;
    const event = items.find((item: { luma_url: string | null }) => item.luma_url !== null)?.id;
    if (event === undefined) continue;
    return { event, get: (base, path) => call(base, `/api/ticketing/${path}event_id=${event}`, { key }) };
  }
  throw new Error("the demo has no ticketed event for this key");
}
