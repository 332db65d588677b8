import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request as send } from "node:http";
import type { AddressInfo } from "node:net";

export type Passing = { method: string; path: string; authorization: string | undefined; atMs: number };
export type Reply = { status: number; headers?: Record<string, string>; body?: string };

export type Tap = {
  /** Answers in the other side's place, cuts the line, or lets the request through. */
  before?: (passing: Passing) => Promise<Reply | "cut" | undefined> | Reply | "cut" | undefined;
  /** Runs when the other side has answered and the client has not heard of it yet; may change the headers. */
  after?: (passing: Passing, headers: IncomingHttpHeaders) => Promise<void> | void;
};

export type TappedProxy = { url: string; seen: Passing[]; close(): Promise<void> };

/** Stands between a client and a server, on a port of its own, and interferes at chosen moments. */
export async function startTappedProxy(target: string, tap: Tap = {}): Promise<TappedProxy> {
  const seen: Passing[] = [];
  const server = createServer(async (request, response) => {
    const { method = "", url = "", headers } = request;
    const passing: Passing = { method, path: url, authorization: headers.authorization, atMs: Date.now() };
    seen.push(passing);
    const body = await collect(request);
    const instead = await tap.before?.(passing);
    if (instead === "cut") return void request.socket.destroy();
    if (instead !== undefined) {
      response.writeHead(instead.status, { "content-type": "application/json", ...instead.headers }).end(instead.body);
      return;
    }
    try {
      const answer = await forward(target, request, body);
      const bytes = await collect(answer);
      await tap.after?.(passing, answer.headers);
      response.writeHead(answer.statusCode ?? 500, answer.headers).end(bytes);
    } catch {
      response.destroy();
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

async function forward(
  target: string,
  { method, url, headers }: IncomingMessage,
  body: Buffer,
): Promise<IncomingMessage> {
  const outgoing = send(target + url, { method, headers, agent: false });
  outgoing.end(body);
  const [answer] = (await once(outgoing, "response")) as [IncomingMessage];
  return answer;
}

async function collect(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}
