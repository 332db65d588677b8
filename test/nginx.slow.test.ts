import { chmodSync } from "node:fs";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { connect as connectHttp2 } from "node:http2";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { consolePaths } from "../contract/console/paths.js";
import { type ErrorCode, statusOf } from "../contract/errors.js";
import { pictureLimits } from "../contract/pictures.js";
import { pagePaths } from "../src/console/pages.js";
import { randomToken } from "../src/infra/ids.js";
import { requestIdOf } from "../src/infra/observability/request-id.js";
import { jsonType } from "../src/infra/representation.js";
import { keyPrefix } from "../src/infra/secrets.js";
import { consoleRoutes } from "../src/registry.js";
import { withNginx } from "./support/needs.js";
import { type Nginx, proxyName, type Sent, send, sendPlain, sendText, startNginx } from "./support/nginx.js";
import { until } from "./support/until.js";

/** ops/nginx.conf in a real nginx: what it logs, and what it responds with where the service does not. */

/** What the processes behind nginx do, or that nginx cannot write its own files: those errors have the level `crit`. */
const states = ["up", "down", "closing", "silent", "unwritable"] as const;
type State = (typeof states)[number];

withNginx("nginx", () => {
  let service: Upstream;
  let closing: Upstream;
  let silent: Upstream;
  let nginx: Record<State, Nginx>;
  const started: Nginx[] = [];
  const start = async (...settings: Parameters<typeof startNginx>) => {
    const each = await startNginx(...settings);
    started.push(each);
    return each;
  };

  beforeAll(async () => {
    service = await startUpstream(respond);
    closing = await startUpstream((_request, response) => response.destroy());
    silent = await startUpstream(() => {});
    nginx = {
      up: await start([service.address, service.address]),
      down: await start(["127.0.0.1:1", "127.0.0.1:2"]),
      closing: await start([closing.address, closing.address]),
      silent: await start([silent.address, silent.address], "1s"),
      unwritable: await start([service.address, service.address]),
    };
    chmodSync(nginx.unwritable.bodies, 0o000);
  });

  afterAll(async () => {
    for (const each of started) await each.stop();
    for (const each of [service, closing, silent]) each?.close();
  });

  it.each(states)("logs no secret, and every request: %s", async (state) => {
    const proxy = nginx[state];
    const before = linesOf(proxy).length;
    const requests = requestsWithSecrets();
    await Promise.all(requests.map(({ secure, sent }) => (secure ? send : sendPlain)(proxy, sent)));
    await expect.poll(() => linesOf(proxy).length).toBe(before + requests.length);
    const logged = proxy.log("access") + proxy.log("error");
    // Also not a part of it.
    for (const { secret, sent } of requests) expect(logged, sent.path).not.toContain(secret.slice(-8));
    await send(proxy, { path: "/api/svc/events/1e0c5a3g-8aa8/posters?limit=1" });
    const { status, upstream_status } = await lineOf(
      proxy,
      ({ path }) => path === "/api/svc/events/1e0c5a3g-8aa8/posters",
    );
    const serves = state === "up" || state === "unwritable";
    expect(upstream_status).toMatch(serves ? /^200$/ : /^50\d(, 50\d)?$/);
    expect(status).toBe(upstream_status?.slice(-3));
  });

  it("logs errors that are not about a request", async () => {
    nginx.down.reload("unknown;");
    await expect.poll(() => nginx.down.log("error")).toContain('unknown directive "unknown"');
  });

  it("responds with the service's errors, in its form, where it cannot be asked", async () => {
    const { up, down } = nginx;
    // Without failures so far: after one, nginx does not ask a process for 2 s.
    const [fails, waits] = [
      await start([closing.address, closing.address]),
      await start([silent.address, silent.address], "1s"),
    ];
    const cases: [ErrorCode, Nginx, Sent, Record<string, string>?][] = [
      ["bad_gateway", down, { path: "/api/svc/posters" }, { "retry-after": "2" }],
      ["bad_gateway", down, { path: "/images/x.png" }, { "retry-after": "2" }],
      ["bad_gateway", fails, { path: "/api/svc" }, { "retry-after": "2" }],
      ["gateway_timeout", waits, { path: "/api/svc" }, { "retry-after": "2" }],
      ["too_large", up, { method: "POST", path: "/api/svc", body: "x".repeat(1_100_000) }],
      ["method_not_allowed", up, { method: "TRACE", path: "/api/svc" }],
      ["headers_too_large", up, { path: "/api/svc", headers: { cookie: "x".repeat(70_000) } }],
      ["headers_too_large", up, { path: `/${"x".repeat(20_000)}` }],
      ["invalid_input", up, { method: "POST", path: "/api/svc", headers: { "transfer-encoding": "unknown" } }],
      ["not_found", up, { path: "/nginx-error" }],
    ];
    for (const [code, proxy, sent, headers = {}] of cases) {
      const reply = await send(proxy, sent);
      const id = reply.headers["x-request-id"];
      expect({ ...reply, body: JSON.parse(reply.text) }, code).toMatchObject({
        status: statusOf(code),
        headers: { "content-type": jsonType, "strict-transport-security": "max-age=31536000", ...headers },
        body: { error: expect.any(String), code, request_id: id },
      });
      expect(reply.headers["retry-after"]).toBe(headers["retry-after"]);
      const line = await lineOf(proxy, (each) => each.request_id === id);
      // A request that could not be read has no path.
      const isRead = code !== "invalid_input" && code !== "headers_too_large";
      expect(line).toMatchObject({ status: String(reply.status), path: isRead ? sent.path : "/nginx-error" });
    }
    const tooLarge = await send(up, { method: "POST", path: "/api/svc", body: "x".repeat(1_100_000) });
    expect(JSON.parse(tooLarge.text)).toMatchObject({ field: "body" });
  });

  it("responds to what is not HTTP in the same form", async () => {
    const text = await sendText(nginx.up, "GET\r\n\r\n");
    const [head = "", body = ""] = text.split("\r\n\r\n");
    expect(head).toMatch(/^HTTP\/1\.1 400 /);
    expect(head).toContain(`Content-Type: ${jsonType}`);
    expect(JSON.parse(body)).toMatchObject({ code: "invalid_input" });
  });

  it("responds to MCP clients with a JSON-RPC error", async () => {
    const { status, text } = await send(nginx.down, { method: "POST", path: "/api/mcp?tools=events", body: "{}" });
    expect([status, JSON.parse(text)]).toEqual([
      502,
      { jsonrpc: "2.0", id: null, error: { code: 502, message: expect.any(String), data: { code: "bad_gateway" } } },
    ]);
  });

  it("passes the responses and errors of the service on as they are", async () => {
    const { status, text, headers } = await send(nginx.up, { path: "/refused" });
    expect([status, text, headers["retry-after"]]).toEqual([503, "refused", "7"]);
  });

  it.each([
    ["a request id of the caller", { "x-request-id": "Order-4711-retry" }],
    ["a trace", { traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01" }],
    ["both", { "x-request-id": "Order-4711", traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01" }],
    ["a ticket key as request id", { "x-request-id": "g-Ab3dE6gH9k" }],
    ["an address as request id", { "x-request-id": "ines@example.com" }],
    ["an empty trace", { traceparent: `00-${"0".repeat(32)}-00f067aa0ba902b7-01` }],
  ])("has one request id with %s: in its errors, in its log and for the service", async (_name, headers) => {
    const own = /^[0-9a-f]{32}$/;
    const chosen = requestIdOf(headers);
    const expected = Object.values(headers).some((value) => value.includes(chosen))
      ? chosen
      : expect.stringMatching(own);
    const failed = await send(nginx.down, { path: "/ids", headers });
    expect(JSON.parse(failed.text)).toMatchObject({ request_id: expected });
    const passed = await send(nginx.up, { path: "/ids", headers });
    const { "x-request-id": received } = JSON.parse(passed.text) as Record<string, string>;
    expect(received).toEqual(expected);
    await expect.poll(() => linesOf(nginx.up).at(-1)).toMatchObject({ path: "/ids", request_id: received });
  });

  it("names the client and the host to the service, whatever the client says", async () => {
    const reply = await send(nginx.up, { path: "/x", headers: { "x-forwarded-for": "203.0.113.9" } });
    expect(JSON.parse(reply.text)).toMatchObject({ "x-forwarded-for": "127.0.0.1", host: proxyName });
  });

  it("accepts addresses as long as those of previews", async () => {
    const { status } = await send(nginx.up, { path: `/images/x.png?preview=${"x".repeat(8192)}` });
    expect(status).toBe(200);
  });

  it.each(["uploadImage", "uploadAdminImage"] as const)(
    "passes on files as large as the service takes: %s",
    async (name) => {
      const [method = "", path = ""] = consolePaths[name].replace(":organization", "harbour-works").split(" ");
      const sendFile = (bytes: number) =>
        send(nginx.up, { method, path: `${path}?use=photo`, body: "x".repeat(bytes) });
      expect((await sendFile(pictureLimits.bytes)).status).toBe(200);
      const { status, text } = await sendFile(10_600_000);
      expect([status, JSON.parse(text).error]).toEqual([413, "body: expected at most 10485760 bytes"]);
    },
  );

  it("keeps images, and nothing that is private", async () => {
    const cached = async (path: string) => (await send(nginx.up, { path })).text;
    expect(await cached("/images/public.png?a")).toBe(await cached("/images/public.png?b"));
    expect(await cached("/images/private.png")).not.toBe(await cached("/images/private.png"));
    expect(await cached("/api/public.png")).not.toBe(await cached("/api/public.png"));
  });

  it("speaks HTTP/2, and redirects from HTTP", async () => {
    const session = connectHttp2(`https://127.0.0.1:${nginx.up.httpsPort}`, {
      ca: nginx.up.certificate,
      servername: proxyName,
    });
    const stream = session.request({ ":path": "/x", ":authority": proxyName });
    const [headers] = await new Promise<[Record<string, unknown>]>((resolve, reject) => {
      stream.once("response", (...args) => resolve([args[0]])).once("error", reject);
      session.once("error", reject);
    });
    session.destroy();
    expect(headers[":status"]).toBe(200);
    const { status, headers: plain } = await sendPlain(nginx.up, { path: "/sign-in?next=/o" });
    expect([status, plain.location]).toEqual([308, `https://${proxyName}/sign-in?next=/o`]);
  });
});

type Upstream = { address: string; close(): void };

async function startUpstream(handle: RequestListener): Promise<Upstream> {
  const server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

let count = 0;

/** Responds with the headers that it received, or with an image that is another one each time. */
function respond({ url = "", headers }: IncomingMessage, response: ServerResponse): void {
  if (url === "/refused") return void response.writeHead(503, { "retry-after": "7" }).end("refused");
  count += 1;
  const privacy = url.includes("private") ? "private" : "public";
  response.setHeader("cache-control", `${privacy}, max-age=31536000, immutable`);
  response.end(url.includes(".png") ? `image ${count}` : JSON.stringify(headers));
}

/** Every way in which a secret reaches the proxy, by purpose or by mistake, each with a secret of its own. */
function requestsWithSecrets(): { secure: boolean; secret: string; sent: Sent }[] {
  const links = [...pagePaths.map((path) => ({ method: "GET", path })), ...consoleRoutes].filter(({ path }) =>
    path.includes(":token"),
  );
  expect(links.length).toBeGreaterThan(4);
  const link = ({ method, path }: { method: string; path: string }) => {
    const secret = randomToken();
    return { secret, sent: { method, path: path.replace(":token", secret), body: method === "GET" ? "" : "{}" } };
  };
  const key = () => keyPrefix + randomToken();
  const ticket = () => `g-${randomToken().slice(0, 12)}`;
  const inPath = (secret: string, path: (secret: string) => string) => ({ secret, sent: { path: path(secret) } });
  const [authorization, referrer, requestId, large, tooLarge, tooLong] = [
    key(),
    randomToken(),
    ticket(),
    key(),
    key(),
    key(),
  ];
  const requests = [
    ...links.map(link),
    ...[key, ticket].flatMap((create) => [
      inPath(create(), (secret) => `/api/svc/posters/${secret}`),
      inPath(create(), (secret) => `/${secret}`),
      inPath(create(), (secret) => `/images/${secret}.png`),
      inPath(create(), (secret) => `/.well-known/acme-challenge/${secret}`),
      inPath(create(), (secret) => `/api/svc/posters?key=${secret}`),
      inPath(create(), (secret) => `/images/x.png?key=${secret}`),
      inPath(create(), (secret) => `/%61pi/${percentEncoded(secret.slice(0, 5))}${secret.slice(5)}`),
      inPath(
        create(),
        (secret) => `/api/${percentEncoded(secret.slice(0, 5)).replaceAll("%", "%25")}${secret.slice(5)}`,
      ),
    ]),
    inPath(ticket(), (secret) => `/api/ticketing/event/get-guest?event_id=evt-1&proxy_key=${secret}`),
    inPath(ticket(), (secret) => `/check-in/evt-1?pk=${secret}`),
    inPath(randomToken(), (secret) => `/api/console/sign-in/oidc/callback?code=${secret}&state=x`),
    inPath(randomToken(), (secret) => `/api/console/sign-in/oidc/callback?code=x&state=${secret}`),
    inPath(randomToken(), (secret) => `/%69nvite/${secret}`),
    inPath(randomToken(), (secret) => `//docs/../reset//${secret}`),
    // Typed by hand, in other letters than the service serves: the token is still valid.
    ...["/INVITE/", "/Reset/", "/api/Console/Invitations/"].map((path) =>
      inPath(randomToken(), (secret) => path + secret),
    ),
    inPath(randomToken(), (secret) => `/api/svc/${keyPrefix.toUpperCase()}${secret}`),
    { secret: authorization, sent: { path: "/api/svc", headers: { authorization: `Bearer ${authorization}` } } },
    { secret: referrer, sent: { path: "/sign-in", headers: { referer: `https://${proxyName}/reset/${referrer}` } } },
    { secret: requestId, sent: { path: "/api/svc", headers: { "x-request-id": requestId } } },
    { secret: large, sent: { method: "POST", path: `/api/${large}`, body: "x".repeat(200_000) } },
    { secret: tooLarge, sent: { method: "POST", path: `/api/${tooLarge}`, body: "x".repeat(1_100_000) } },
    { secret: tooLong, sent: { path: `/api/${tooLong}${"x".repeat(20_000)}` } },
  ];
  return [true, false].flatMap((secure) => requests.map((each) => ({ ...each, secure })));
}

function percentEncoded(text: string): string {
  return [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
}

type Line = Record<string, string>;

function linesOf(proxy: Nginx): Line[] {
  return proxy
    .log("access")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Line);
}

function lineOf(proxy: Nginx, matches: (line: Line) => boolean): Promise<Line> {
  return until(() => linesOf(proxy).find(matches));
}
