import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import { type LinkedEvent, type RunningProxy, startProxy } from "./proxy.js";
import { httpResponse, type RecordingUpstream, startRecordingUpstream } from "./recording-upstream.js";

/** Setup for a client with a valid key that tries to reach events which its organization does not host. */

export let proxy: RunningProxy;
export let upstream: RecordingUpstream;
export let key: string;
export let mine: LinkedEvent;
export let theirs: LinkedEvent;
export const myTicketType = "ett-mine";
export const theirTicketType = "ett-theirs";

beforeAll(async () => {
  upstream = await startRecordingUpstream((request) => {
    if (!request.path.endsWith("/ticket-types/list")) return httpResponse(200, {});
    const eventId = request.query.find(([name]) => name === "event_id")?.[1];
    return httpResponse(200, { ticket_types: [{ id: eventId === mine.ticketingId ? myTicketType : theirTicketType }] });
  });
  proxy = await startProxy(upstream.url);
  const organization = await proxy.make.organization();
  key = await proxy.make.organizationKey(organization);
  mine = await proxy.linkedEvent([organization]);
  theirs = await proxy.linkedEvent([await proxy.make.organization()]);
});

beforeEach(() => {
  upstream.received.length = 0;
});

afterAll(async () => {
  await proxy.close();
  await upstream.close();
});

/** No request to the platform contains their ids, in any encoding. */
export function expectNothingOfTheirs(): void {
  for (const { raw } of upstream.received) {
    const text = decodeURIComponent(raw.replace(/%(?![0-9a-f]{2})/gi, "%25"));
    for (const secret of [theirs.id, theirs.ticketingId, theirTicketType]) {
      expect(text.toLowerCase()).not.toContain(secret.toLowerCase());
    }
  }
}

export const fill = (text: string) =>
  text
    .replaceAll("MINE", mine.id)
    .replaceAll("THEIRS", theirs.id)
    .replaceAll("MYEVT", mine.ticketingId)
    .replaceAll("THEIREVT", theirs.ticketingId)
    .replaceAll("MYTYPE", myTicketType)
    .replaceAll("THEIRTYPE", theirTicketType);
