import type { AddressInfo } from "node:net";
import { createServer, type Socket } from "node:net";

export type Received = {
  method: string;
  /** The request target, byte for byte. */
  target: string;
  path: string;
  query: [string, string][];
  headers: [string, string][];
  body: string;
  raw: string;
};

/** What the upstream does with a request: send bytes, or take over the socket. */
export type Behaviour = (request: Received, socket: Socket) => string | Buffer | undefined;

export type Recorder = {
  url: string;
  received: Received[];
  /** Connections that are open now, and all that ever were. */
  open: Set<Socket>;
  connections: number;
  behave(behaviour: Behaviour): void;
  close(): Promise<void>;
};

/** An upstream on raw sockets: it writes down every byte that reaches it and believes nothing about what was meant. */
export async function startRecorder(initial: Behaviour = () => httpAnswer(200, {})): Promise<Recorder> {
  let behaviour = initial;
  const open = new Set<Socket>();
  const recorder: Recorder = {
    url: "",
    received: [],
    open,
    connections: 0,
    behave(next) {
      behaviour = next;
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
    let waiting = "";
    socket.setEncoding("latin1").on("data", (text: string) => {
      waiting += text;
      for (let request = takeRequest(waiting); request !== undefined; request = takeRequest(waiting)) {
        waiting = waiting.slice(request.raw.length);
        recorder.received.push(request);
        const answer = behaviour(request, socket);
        if (answer !== undefined) socket.write(answer);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  recorder.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return recorder;
}

export function httpAnswer(status: number, body: unknown, headers: Record<string, string> = {}): Buffer {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
  const lines = Object.entries({
    "content-type": "application/json",
    "content-length": String(bytes.length),
    ...headers,
  });
  const head = `HTTP/1.1 ${status} Whatever\r\n${lines.map(([name, value]) => `${name}: ${value}`).join("\r\n")}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head, "latin1"), bytes]);
}

function takeRequest(text: string): Received | undefined {
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
