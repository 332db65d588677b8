import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { type LinkedEvent, type RunningProxy, startProxy } from "./proxy.js";
import { httpResponse, type RecordingUpstream, startRecordingUpstream } from "./recording-upstream.js";

export let proxy: RunningProxy;
/** The same with short timeouts. */
export let shortTimeoutProxy: RunningProxy;
export let upstream: RecordingUpstream;
export let organization: string;
export let key: string;
export let event: LinkedEvent;

export const mebibyte = 1024 * 1024;
export const connections = 5;
export const longTimeoutMs = 20_000;

/** Starts the proxies and the upstream for the tests of a file; helpers are shared between files, so each file calls it. */
export function useUpstream(): void {
  beforeAll(async () => {
    upstream = await startRecordingUpstream();
    proxy = await startProxy(upstream.url, {
      tuning: {
        connections,
        responseTimeoutMs: longTimeoutMs,
        idleTimeoutMs: longTimeoutMs,
        callTimeoutMs: longTimeoutMs,
      },
    });
    shortTimeoutProxy = await startProxy(upstream.url, {
      tuning: { connections, responseTimeoutMs: 400, idleTimeoutMs: 200, callTimeoutMs: 600 },
    });
    organization = await proxy.make.organization();
    key = await proxy.make.organizationKey(organization);
    event = await proxy.linkedEvent([organization]);
  });

  beforeEach(() => {
    upstream.received.length = 0;
    upstream.respondWith(() => httpResponse(200, {}));
  });

  afterAll(async () => {
    await proxy.close();
    await shortTimeoutProxy.close();
    await upstream.close();
  });
}

export const read = (path = "event/get?id=", through = proxy) => through.call(`${path}${event.id}`, { key });
export const write = (through = proxy) =>
  through.call("event/add-guests", {
    key,
    method: "POST",
    body: { event_id: event.id, guests: [{ email: "a@example.com" }] },
  });

export type Download = { status: number; bytes: number; complete: boolean };

/** Reads a response body until its end, or until the proxy closes the connection. */
export async function download(through = proxy): Promise<Download> {
  const response = await fetch(`${through.url}/api/ticketing/event/get?id=${event.id}`, {
    headers: { authorization: `Bearer ${key}` },
  });
  const result = { status: response.status, bytes: 0, complete: false };
  const reader = response.body?.getReader();
  try {
    for (let next = await reader?.read(); next?.value !== undefined; next = await reader?.read()) {
      result.bytes += next.value.length;
    }
    result.complete = true;
  } catch (error) {
    // Thrown by fetch if the connection closes mid-response.
    if (!(error instanceof TypeError)) throw error;
  }
  return result;
}

/** A read over a separate socket; nothing reads the response unless the test does. */
export function openCall(through = proxy): Socket {
  const socket = connect(Number(new URL(through.url).port), "127.0.0.1");
  socket.on("error", () => {});
  socket.write(
    `GET /api/ticketing/event/get?id=${event.id} HTTP/1.1\r\nhost: svc\r\nauthorization: Bearer ${key}\r\n\r\n`,
  );
  return socket;
}

/** Waits until a value has stopped changing. */
export async function untilStable(value: () => number): Promise<void> {
  for (let last = -1; last !== value(); ) {
    last = value();
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
}
