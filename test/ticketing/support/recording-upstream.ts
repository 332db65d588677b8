import type { AddressInfo } from "node:net";
import { createServer, type Socket } from "node:net";

export type ReceivedRequest = {
  method: string;
  /** The request target as received. */
  target: string;
  path: string;
  query: [string, string][];
  headers: [string, string][];
  body: string;
  raw: string;
};

/** Returns the bytes to send, or undefined if it handles the socket itself. */
export type UpstreamBehavior = (request: ReceivedRequest, socket: Socket) => string | Buffer | undefined;

export type RecordingUpstream = {
  url: string;
  received: ReceivedRequest[];
  open: Set<Socket>;
  /** The number of connections ever opened. */
  connections: number;
  respondWith(behavior: UpstreamBehavior): void;
  close(): Promise<void>;
};

/** A platform on raw sockets that records requests byte for byte. */
export async function startRecordingUpstream(
  initial: UpstreamBehavior = () => httpResponse(200, {}),
): Promise<RecordingUpstream> {
  let behavior = initial;
  const open = new Set<Socket>();
  const recorder: RecordingUpstream = {
    url: "",
    received: [],
    open,
    connections: 0,
    respondWith(next) {
      behavior = next;
    },
    close: () =>
      new Promise((resolve) => {
        for (const socket of open) socket.destroy();
        server.close(() => resolve());
      }),
  };
  const server = createServer((socket) => {
    open.add(socket);
    recorder.connections += 1;
    socket.on("error", () => {});
    socket.on("close", () => open.delete(socket));
    let pending = "";
    socket.setEncoding("latin1").on("data", (text: string) => {
      pending += text;
      for (let request = takeRequest(pending); request !== undefined; request = takeRequest(pending)) {
        pending = pending.slice(request.raw.length);
        recorder.received.push(request);
        const response = behavior(request, socket);
        if (response !== undefined) socket.write(response);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  recorder.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return recorder;
}

export function httpResponse(status: number, body: unknown, headers: Record<string, string> = {}): Buffer {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
  const lines = Object.entries({
    "content-type": "application/json",
    "content-length": String(bytes.length),
    ...headers,
  });
  const head = `HTTP/1.1 ${status} Whatever\r\n${lines.map(([name, value]) => `${name}: ${value}`).join("\r\n")}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head, "latin1"), bytes]);
}

function takeRequest(text: string): ReceivedRequest | undefined {
  const headEnd = text.indexOf("\r\n\r\n");
  if (headEnd === -1) return undefined;
  const [line = "", ...lines] = text.slice(0, headEnd).split("\r\n");
  const [method = "", target = ""] = line.split(" ");
  const headers = lines.map((header): [string, string] => {
    const colon = header.indexOf(":");
    return [header.slice(0, colon).toLowerCase(), header.slice(colon + 1).trim()];
  });
  const length = Number(headers.find(([name]) => name === "content-length")?.[1] ?? 0);
  const end = headEnd + 4 + length;
  if (text.length < end) return undefined;
  const [path = "", query = ""] = target.split("?");
  return {
    method,
    target,
    path,
    query: [...new URLSearchParams(query)],
    headers,
    body: Buffer.from(text.slice(headEnd + 4, end), "latin1").toString("utf8"),
    raw: text.slice(0, end),
  };
}
