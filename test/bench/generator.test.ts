import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { generateLoad, prepareLoad } from "../../bench/support/generator.js";
import { planRequest, type RequestPlan } from "../../bench/support/request-plan.js";

let close = async () => {};
afterEach(() => close());

type Seen = { url: string; key: string | undefined; port: number | undefined; body: string };

/** A server that responds as told, and what it has seen. */
async function startServer(respond: (request: IncomingMessage) => { status: number; body: string }) {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    const { url = "", socket, headers } = request;
    seen.push({ url, key: headers.authorization, port: socket.remotePort, body });
    const { status, body: sent } = respond(request);
    response.writeHead(status, { "content-length": Buffer.byteLength(sent) }).end(sent);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { seen, port: (server.address() as AddressInfo).port };
}

const ok = () => ({ status: 200, body: "x".repeat(200_000) });

async function generate(port: number, requests: RequestPlan[], { connections = 4, milliseconds = 150 } = {}) {
  return generateLoad(prepareLoad({ port, connections, requests }), milliseconds);
}

describe("the load generator", () => {
  it("counts the responses that it received", async () => {
    const { port, seen } = await startServer(ok);
    const load = await generate(port, [planRequest({ path: "/page" })]);
    expect(load.completed).toBe(seen.length);
    expect(load.completed).toBeGreaterThan(0);
    expect(load.completed - load.requests).toBeLessThanOrEqual(4);
    expect(load.p50Ms).toBeGreaterThan(0);
  });

  it("uses variants in turn and sends kinds of requests in their shares", async () => {
    const { port, seen } = await startServer(({ method }) => ({ status: method === "PATCH" ? 201 : 200, body: "" }));
    const variants = ["a", "b", "c"].map((key) => ({ key }));
    await generate(port, [
      planRequest({ path: "/page", headers: { authorization: "{key}" }, variants, share: 0.75 }),
      planRequest({ method: "PATCH", path: "/{n}", body: { id: "{uuid}" }, status: 201, share: 0.25 }),
    ]);
    const pages = seen.filter(({ url }) => url === "/page");
    const patches = seen.filter(({ url }) => url !== "/page");
    expect(Math.abs(pages.length - 3 * patches.length)).toBeLessThanOrEqual(4);
    expect(new Set(patches.map(({ url }) => url)).size).toBe(patches.length);
    expect(new Set(patches.map(({ body }) => body)).size).toBe(patches.length);
    const counts = variants.map(({ key }) => pages.filter((page) => page.key === key).length);
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(4);
  });

  it("lets each connection repeat variants of its own in order, also over several rounds", async () => {
    const { port, seen } = await startServer(() => ({ status: 200, body: "" }));
    const variants = ["a1", "a2", "b1", "b2"].map((name) => ({ name }));
    const load = prepareLoad({
      port,
      connections: 2,
      requests: [planRequest({ path: "/{name}", variants, variantsPerConnection: 2 })],
    });
    for (let round = 0; round < 3; round += 1) await generateLoad(load, 30);
    for (const owner of ["a", "b"]) {
      const urls = seen.map(({ url }) => url).filter((url) => url.startsWith(`/${owner}`));
      expect(urls).toEqual(urls.map((_, place) => `/${owner}${1 + (place % 2)}`));
      expect(urls.length).toBeGreaterThan(0);
    }
  });

  it("fails at an unexpected status, with the body", async () => {
    const { port } = await startServer(() => ({ status: 503, body: "too busy" }));
    await expect(generate(port, [planRequest({ path: "/page" })])).rejects.toThrow(
      "GET /page HTTP/1.1: expected 200, but got 503: too busy",
    );
  });

  it("fails at a body that lacks what it must contain", async () => {
    const { port } = await startServer(() => ({ status: 200, body: '{"isError":true}' }));
    await expect(generate(port, [planRequest({ path: "/call", contains: '"record_id"' })])).rejects.toThrow(
      'expected 200 with "record_id", but got 200: {"isError":true}',
    );
  });
});
