import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";

export type KeyAddingProxy = { url: string; close(): void };

/** Forwards requests unchanged except for an added key, for programs that cannot send one. */
export async function startKeyAddingProxy(target: string, key: string): Promise<KeyAddingProxy> {
  const { hostname, port } = new URL(target);
  const server = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${key}` };
    const forwarded = request({ hostname, port, method: incoming.method, path: incoming.url, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    forwarded.on("error", () => outgoing.destroy());
    incoming.pipe(forwarded);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
