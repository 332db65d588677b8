import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { createImageFetcher, type ImageFetcher, type ImageFetcherOptions } from "../../src/platform/fetch-image.js";
import { selfSigned } from "./self-signed.js";

export type Answerer = (response: ServerResponse, request: IncomingMessage) => void;

export type PictureHost = {
  port: number;
  /** The address of a path under one of the host's names. */
  url(path: string, name?: string): string;
  /** Who connected, by the address that they connected to. */
  connections: string[];
  /** A fetcher to which this host is on the public internet, by these addresses. */
  fetcher(overrides?: Partial<ImageFetcherOptions>): ImageFetcher;
  close(): Promise<void>;
};

const names = ["pictures.test", "other.test"];

/** An https server on every loopback address, with one answer for each path. */
export async function startPictureHost(answers: Record<string, Answerer>): Promise<PictureHost> {
  const { cert, key } = selfSigned(names);
  const connections: string[] = [];
  const fetchers: ImageFetcher[] = [];
  const server = createServer({ cert, key }, (request, response) => {
    const answer = answers[request.url ?? ""];
    if (answer === undefined) response.writeHead(404).end();
    else answer(response, request);
  });
  server.on("connection", (socket) => connections.push(String((socket as Socket).localAddress)));
  await new Promise<void>((resolve) => server.listen(0, "0.0.0.0", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    connections,
    url: (path, name = "pictures.test") => `https://${name}:${port}${path}`,
    fetcher(overrides = {}) {
      const made = createImageFetcher({
        resolve: async () => ["127.0.0.1"],
        isAllowedAddress: (address) => address === "127.0.0.1",
        port,
        ca: cert,
        ...overrides,
      });
      fetchers.push(made);
      return made;
    },
    async close() {
      await Promise.all(fetchers.map((fetcher) => fetcher.close()));
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function answerWith(type: string, bytes: Uint8Array): Answerer {
  return (response) => response.writeHead(200, { "content-type": type }).end(bytes);
}
