import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request as send } from "node:http";
import type { AddressInfo } from "node:net";

export type ProxiedRequest = { method: string; path: string; authorization: string | undefined; atMs: number };
export type InjectedResponse = { status: number; headers?: Record<string, string>; body?: string };

export type Interceptor = {
  /** Runs before the request is forwarded: may respond instead of the target, or close the connection. */
  before?: (request: ProxiedRequest) => Promise<Interception> | Interception;
  /** Runs between the target's response and the client's: may change the headers. */
  after?: (request: ProxiedRequest, headers: IncomingHttpHeaders) => Promise<void> | void;
};
type Interception = InjectedResponse | "disconnect" | undefined;

export type InterceptingProxy = { url: string; requests: ProxiedRequest[]; close(): Promise<void> };

/** A proxy between a client and a server that records requests and can interfere with them. */
export async function startInterceptingProxy(
  target: string,
  interceptor: Interceptor = {},
): Promise<InterceptingProxy> {
  const requests: ProxiedRequest[] = [];
  const server = createServer(async (incoming, response) => {
    const { method = "", url = "", headers } = incoming;
    const request: ProxiedRequest = { method, path: url, authorization: headers.authorization, atMs: Date.now() };
    requests.push(request);
    const body = await collect(incoming);
    const instead = await interceptor.before?.(request);
    if (instead === "disconnect") return void incoming.socket.destroy();
    if (instead !== undefined) {
      response.writeHead(instead.status, { "content-type": "application/json", ...instead.headers }).end(instead.body);
      return;
    }
    try {
      const upstream = await forward(target, incoming, body);
      const bytes = await collect(upstream);
      await interceptor.after?.(request, upstream.headers);
      response.writeHead(upstream.statusCode ?? 500, upstream.headers).end(bytes);
    } catch {
      response.destroy();
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
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
  const [response] = (await once(outgoing, "response")) as [IncomingMessage];
  return response;
}

async function collect(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}
