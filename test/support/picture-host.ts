import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { createImageFetcher, type ImageFetcher } from "../../src/infra/fetch-image.js";
import type { PublicFetchOptions } from "../../src/infra/public-fetch.js";
import { selfSigned } from "./self-signed.js";

export type RequestHandler = (response: ServerResponse, request: IncomingMessage) => void;

export type PictureHost = {
  port: number;
  /** What clients must trust. */
  certificate: string;
  /** The URL of a path, by default under the host's first name. */
  url(path: string, name?: string): string;
  /** The local address of each accepted connection. */
  connections: string[];
  /** A fetcher that accepts this host as public. */
  fetcher(overrides?: Partial<PublicFetchOptions>): ImageFetcher;
  close(): Promise<void>;
};

const names = ["pictures.test", "other.test"];

/** An https server on every loopback address, with one handler per path. */
export async function startPictureHost(handlers: Record<string, RequestHandler>): Promise<PictureHost> {
  const { cert, key } = selfSigned(names);
  const connections: string[] = [];
  const fetchers: ImageFetcher[] = [];
  const server = createServer({ cert, key }, (request, response) => {
    const handle = handlers[request.url ?? ""];
    if (handle === undefined) response.writeHead(404).end();
    else handle(response, request);
  });
  server.on("connection", (socket) => connections.push(String((socket as Socket).localAddress)));
  await new Promise<void>((resolve) => server.listen(0, "0.0.0.0", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    certificate: cert,
    connections,
    url: (path, name = "pictures.test") => `https://${name}:${port}${path}`,
    fetcher(overrides = {}) {
      const fetcher = createImageFetcher({
        resolve: async () => ["127.0.0.1"],
        isAllowedAddress: (address) => address === "127.0.0.1",
        port,
        ca: cert,
        ...overrides,
      });
      fetchers.push(fetcher);
      return fetcher;
    },
    async close() {
      await Promise.all(fetchers.map((fetcher) => fetcher.close()));
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function respondWith(type: string, bytes: Uint8Array): RequestHandler {
  return (response) => response.writeHead(200, { "content-type": type }).end(bytes);
}
