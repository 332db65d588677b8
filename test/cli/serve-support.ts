import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { call, type Reply } from "../support/call.js";

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
