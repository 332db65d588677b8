import { beforeAll, beforeEach, expect } from "vitest";
import { type LinkedEvent, type RunningProxy, startProxy } from "./proxy.js";
import { httpResponse, type RecordingUpstream, startRecordingUpstream } from "./recording-upstream.js";
import { createTenant } from "./use-proxy.js";

/** A client with a valid key that tries to reach events which its organization does not host. */
export type HostileClient = {
  proxy: RunningProxy;
  upstream: RecordingUpstream;
  key: string;
  mine: LinkedEvent;
  theirs: LinkedEvent;
  /** Replaces MINE, THEIRS, THEIREVT, MYTYPE and the like with the ids that they stand for. */
  fill(text: string): string;
  /** A GET whose request target is sent as written, but for what `fill` replaces. */
  getTarget(target: string): Promise<string>;
  /** No request to the platform contains their ids, in any encoding. */
  expectNothingOfTheirs(): void;
};

export const myTicketType = "ett-mine";
export const theirTicketType = "ett-theirs";

/** Starts a proxy with two tenants before the tests, and closes it after them. What was sent is forgotten before each. */
export function useHostileClient(): HostileClient {
  const client = {} as HostileClient;
  beforeAll(async () => {
    const upstream = await startRecordingUpstream((request) => {
      if (!request.path.endsWith("/ticket-types/list")) return httpResponse(200, {});
      const eventId = request.query.find(([name]) => name === "event_id")?.[1];
      const id = eventId === client.mine.ticketingId ? myTicketType : theirTicketType;
      return httpResponse(200, { ticket_types: [{ id }] });
    });
    const proxy = await startProxy(upstream.url);
    const { key, event: mine } = await createTenant(proxy);
    const { event: theirs } = await createTenant(proxy);
    const fill = (text: string) => filled(text, mine, theirs);
    const getTarget = (target: string) =>
      proxy.raw(
        `GET ${fill(target)} HTTP/1.1\r\nhost: svc\r\nauthorization: Bearer ${key}\r\nconnection: close\r\n\r\n`,
      );
    const expectNothingOfTheirs = () => {
      for (const { raw } of upstream.received) {
        const text = decodeURIComponent(raw.replace(/%(?![0-9a-f]{2})/gi, "%25"));
        for (const secret of [theirs.id, theirs.ticketingId, theirTicketType]) {
          expect(text.toLowerCase()).not.toContain(secret.toLowerCase());
        }
      }
    };
    Object.assign(client, { proxy, upstream, key, mine, theirs, fill, getTarget, expectNothingOfTheirs });
    return async () => {
      await proxy.close();
      await upstream.close();
    };
  });
  beforeEach(() => {
    client.upstream.received.length = 0;
  });
  return client;
}

function filled(text: string, mine: LinkedEvent, theirs: LinkedEvent): string {
  return text
    .replaceAll("MINE", mine.id)
    .replaceAll("THEIRUPPERCASE", theirs.ticketingId.toUpperCase())
    .replaceAll("THEIRS", theirs.id)
    .replaceAll("THEIREVT", theirs.ticketingId)
    .replaceAll("MYTYPE", myTicketType)
    .replaceAll("THEIRTYPE", theirTicketType);
}
