import { request } from "node:http";
import { beforeAll, describe, expect, it } from "vitest";
import { maximumCommitBytes, maximumReasonBytes } from "../../src/runner/commit-arguments.js";
import { publicUrl, startService } from "../support/service.js";
import { useService } from "../support/setup.js";
import { callTool, legacy, post } from "./messages.js";

const page = "https://app.example.com";
const limits = { rest: 1_000_000, ticketing: 1_000_000, mcp: 1_000_000 };

const { service, make } = useService(() => startService({ corsOrigins: [page], limits }));
let key: string;

beforeAll(async () => {
  key = await make.organizationKey(await make.organization());
});

describe("HTTP", () => {
  it.each(["GET", "DELETE", "PUT", "PATCH", "HEAD"])("%s is a 405 with Allow: POST, without a key", async (method) => {
    const { status, headers, json } = await service.call("/api/mcp", { method });
    expect(status).toBe(405);
    expect(headers.get("allow")).toBe("POST");
    if (method !== "HEAD")
      expect(json).toMatchObject({ jsonrpc: "2.0", error: { data: { code: "method_not_allowed" } } });
  });

  it("no key, an unknown key and another scheme are a 401, before the body is parsed", async () => {
    const metadata = 'resource_metadata="https://svc.test/.well-known/oauth-protected-resource/api/mcp"';
    const none = await post(service, undefined, "not json");
    expect(none.status).toBe(401);
    expect(none.headers.get("www-authenticate")).toBe(`Bearer realm="svc", ${metadata}`);
    expect(none.json).toEqual({
      jsonrpc: "2.0",
      id: null,
      error: { code: 401, message: "Invalid or expired API key", data: { code: "unauthorized" } },
    });
    const wrong = await post(service, `svc_mk_${"a".repeat(43)}`, "not json");
    expect(wrong.status).toBe(401);
    expect(wrong.headers.get("www-authenticate")).toBe(`Bearer realm="svc", error="invalid_token", ${metadata}`);
    expect((await post(service, undefined, legacy("ping"), { authorization: "Basic YTpi" })).status).toBe(401);
  });

  it("another content type is a 415, a body over 392 KiB a 413", async () => {
    const plain = await post(service, key, "{}", { "content-type": "text/plain" });
    expect(plain.status).toBe(415);
    expect(plain.json.error.data.code).toBe("unsupported_media_type");
    const padding = "x".repeat(392 * 1024);
    expect((await post(service, key, legacy("ping", { padding }))).status).toBe(413);
    expect((await post(service, key, legacy("ping", { padding: padding.slice(1000) }))).status).toBe(200);
    expect((await post(service, key, padding, { "content-type": "text/plain" })).status).toBe(415);
  });

  it("what a preview accepts can be committed with any reason, also escaped to ASCII", async () => {
    const organization = await make.organization();
    const eventId = await make.event(await make.conference(), { hosts: [organization] });
    const full = await make.organizationKey(organization);
    // Names in letters of four bytes: 100 guests have at most 128 KiB here.
    const guests = (length: number) =>
      Array.from({ length: 100 }, (_, n) => ({
        email: `g${n}@example.com`,
        name: "𝔄".repeat(length),
        ticket_type: "𝔄".repeat(140),
      }));
    const preview = (length: number) =>
      callTool(service, full, "add_event_guest", { event_id: eventId, guests: guests(length) });
    const sizeOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));
    const room =
      maximumCommitBytes - maximumReasonBytes - sizeOf((await preview(1)).result.structuredContent.commit_with);
    const largest = 1 + Math.floor(room / 400);
    expect(largest).toBeLessThanOrEqual(200);
    const refused = (await preview(largest + 1)).result.structuredContent.error;
    expect(refused.message).toMatch(
      /^The arguments of the commit would have up to \d+ bytes, and 131072 are the maximum/,
    );
    const { commit_with } = (await preview(largest)).result.structuredContent;
    const reason = "語".repeat(500);
    expect(sizeOf({ ...commit_with, reason })).toBeGreaterThan(maximumCommitBytes - 500);
    const call = legacy("tools/call", { name: "add_event_guest", arguments: { ...commit_with, reason } });
    const escaped = JSON.stringify(call).replace(
      /[^\x20-\x7e]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
    );
    const { json } = await post(service, full, escaped);
    expect(json.result.structuredContent).toMatchObject({ dry_run: false });
  });

  it("the rate limit is in the headers, and in the body of a 429", async () => {
    const limited = await startService({ limits: { rest: 60, ticketing: 30, mcp: 2 } });
    const mine = await make.organizationKey(await make.organization());
    const first = await post(limited, mine, legacy("ping"));
    expect(first.headers.get("x-ratelimit-limit")).toBe("2");
    expect(first.headers.get("x-ratelimit-remaining")).toBe("1");
    expect((await post(limited, mine, "[]")).headers.get("x-ratelimit-remaining")).toBe("0");
    const { status, headers, json } = await post(limited, mine, legacy("ping"));
    expect(status).toBe(429);
    expect(json.error).toMatchObject({
      code: 429,
      message: expect.stringMatching(/^Rate limit exceeded/),
      data: { code: "rate_limited", retry_after_seconds: Number(headers.get("retry-after")) },
    });
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await limited.call("/api/svc/ping", { key: mine })).status).toBe(200);
    await limited.close();
  });
});

describe("Host and Origin", () => {
  const send = (headers: Record<string, string>, method = "POST") =>
    new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
      const { port } = new URL(service.url);
      const all = { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers };
      const sent = request({ host: "127.0.0.1", port, path: "/api/mcp", method, headers: all }, (response) => {
        let body = "";
        response.setEncoding("utf8").on("data", (chunk: string) => {
          body += chunk;
        });
        response.on("end", () => resolve({ status: response.statusCode, body }));
      });
      sent.on("error", reject);
      sent.end(method === "POST" ? JSON.stringify(legacy("ping")) : undefined);
    });

  it.each([
    "svc.test",
    "svc.test:443",
    "SVC.test",
    "localhost",
    "localhost:3000",
    "127.0.0.1:9",
    "[::1]:3000",
    "[::1]",
  ])("Host %s is served", async (host) => expect((await send({ host })).status).toBe(200));

  it.each([
    "evil.example.com",
    "evil.example.com:3000",
    "localhost.evil.example.com",
    "evil@localhost",
    "localhost/x",
    "10.0.0.1",
    "::1",
  ])("Host %s is a 403, before method and key are checked", async (host) => {
    const { status, body } = await send({ host });
    expect(status).toBe(403);
    expect(JSON.parse(body)).toMatchObject({ jsonrpc: "2.0", error: { data: { code: "forbidden" } } });
    expect((await send({ host, authorization: "" }, "GET")).status).toBe(403);
  });

  it.each([publicUrl, page, "http://localhost:6274", "http://127.0.0.1:1", "http://[::1]:3000"])(
    "Origin %s is served",
    async (origin) => expect((await send({ host: "svc.test", origin })).status).toBe(200),
  );

  it.each([
    "https://evil.example.com",
    "http://svc.test",
    "https://svc.test:8443",
    "null",
    "https://localhost.evil.example.com",
    "",
  ])("Origin %j is a 403", async (origin) => expect((await send({ host: "svc.test", origin })).status).toBe(403));

  it("a preflight succeeds for configured origins only", async () => {
    const preflight = (origin: string) =>
      service.call("/api/mcp", {
        method: "OPTIONS",
        headers: {
          origin,
          "access-control-request-method": "POST",
          "access-control-request-headers": "authorization,content-type,mcp-protocol-version,mcp-method,mcp-name",
        },
      });
    const { status, headers } = await preflight(page);
    expect(status).toBe(204);
    expect(headers.get("access-control-allow-origin")).toBe(page);
    expect(headers.get("access-control-allow-methods")).toContain("POST");
    for (const name of ["authorization", "content-type", "mcp-protocol-version", "mcp-method", "mcp-name"]) {
      expect(headers.get("access-control-allow-headers")).toContain(name);
    }
    expect((await preflight("https://evil.example.com")).headers.get("access-control-allow-origin")).toBeNull();
    const called = await post(service, key, legacy("ping"), { origin: page });
    expect(called.headers.get("access-control-allow-origin")).toBe(page);
    expect(called.headers.get("access-control-expose-headers")).toContain("x-ratelimit-remaining");
  });
});
