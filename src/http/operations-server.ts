import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Metrics } from "../infra/observability/metrics.js";
import { type Health, healthPaths } from "./health.js";

export type OperationsSources = { metrics: Pick<Metrics, "text">; readiness: Health };

export type OperationsServer = { url: string; close(): Promise<void> };

/** Serves metrics and health on an address of its own, so that metrics are never public by accident. */
export async function startOperationsServer(
  { metrics, readiness }: OperationsSources,
  address: { host: string; port: number },
): Promise<OperationsServer> {
  const server = createServer((request, response) => {
    respond(request.url ?? "", response).catch(() => send(response, 500, "text/plain", "internal error\n"));
  });
  async function respond(path: string, response: ServerResponse): Promise<void> {
    if (path === "/metrics") {
      const { contentType, body } = await metrics.text();
      return send(response, 200, contentType, body);
    }
    const health = Object.hasOwn(healthPaths, path) ? healthPaths[path] : undefined;
    if (health === undefined) return send(response, 404, "text/plain", "expected /metrics, /livez or /readyz\n");
    const { status, body } = await health(readiness);
    send(response, status, "application/json", body);
  }
  server.maxConnections = 64;
  await once(server.listen(address.port, address.host), "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${address.host.includes(":") ? `[${address.host}]` : address.host}:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function send(response: ServerResponse, status: number, contentType: string, body: string): void {
  response.writeHead(status, { "content-type": contentType, "content-length": Buffer.byteLength(body) }).end(body);
}
