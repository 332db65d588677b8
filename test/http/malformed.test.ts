import { beforeAll, describe, expect, it } from "vitest";
import { type ErrorCode, errorTable } from "../../contract/errors.js";
import { type RawReply, sendBytes } from "../support/raw.js";
import { useService } from "../support/setup.js";

/** Requests that no client library sends: the response is always a 4xx with `{"error": …}` and without internals. */

const { service, make } = useService();
let key: string;
let poster: string;

beforeAll(async () => {
  key = await make.superAdminKey();
  poster = await make.poster(await make.event(await make.conference()));
});

function expectError(reply: RawReply, status: number): string {
  expect(reply.status, reply.body).toBe(status);
  expect(reply.headers["content-type"]).toBe("application/json; charset=utf-8");
  const body = JSON.parse(reply.body);
  const { status: tableStatus } = errorTable[body.code as ErrorCode];
  expect(tableStatus).toBe(status);
  const fields = body.field === undefined ? [] : ["field"];
  expect(Object.keys(body)).toEqual(["error", "code", "request_id", ...fields]);
  expect(body.request_id).toBe(reply.headers["x-request-id"]);
  expect(reply.body).not.toMatch(/node_modules|\.ts\b|\.js\b|at \w+ \(|FST_|SyntaxError|select |svc_mk_/);
  expect(reply.body.length).toBeLessThan(500);
  return body.error;
}

const request = (line: string, ...headers: string[]) =>
  sendBytes(
    service.url,
    [`${line} HTTP/1.1`, "Host: svc.test", `Authorization: Bearer ${key}`, ...headers, "", ""].join("\r\n"),
  );

describe("malformed HTTP", () => {
  it.each([
    ["a TLS hello", Buffer.from("16030100a5010000a10303", "hex")],
    ["plain text", "hello there\r\n\r\n"],
    ["an HTTP/2 preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
    ["an unknown method", "FROB /api/svc HTTP/1.1\r\nHost: x\r\n\r\n"],
    ["an unknown version", "GET /api/svc HTTP/9.9\r\nHost: x\r\n\r\n"],
    ["a header without a name", "GET /api/svc HTTP/1.1\r\nHost: x\r\n: y\r\n\r\n"],
    ["a header with a NUL", "GET /api/svc HTTP/1.1\r\nHost: x\r\nA: \0\r\n\r\n"],
    ["a folded header", "GET /api/svc HTTP/1.1\r\nHost: x\r\n folded\r\nA : b\r\n\r\n"],
    [
      "two Content-Length headers",
      "PATCH /api/svc HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}",
    ],
    [
      "Content-Length and chunked encoding",
      "PATCH /x HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}",
    ],
    ["a negative Content-Length", "PATCH /api/svc HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n{}"],
  ])("%s is a 400", async (_name, bytes) => {
    expectError(await sendBytes(service.url, bytes), 400);
  });

  it("an invalid chunk after an accepted key is a 400", async () => {
    const reply = await request(
      `PATCH /api/svc/posters/${poster}`,
      "Content-Type: application/json",
      "Transfer-Encoding: chunked",
      "",
      "zz",
    );
    expectError(reply, 400);
  });

  it("a header section that is too large is a 431", async () => {
    expectError(await request("GET /api/svc", `X-Large: ${"a".repeat(20_000)}`), 431);
    expectError(await request(`GET /api/svc?${"a".repeat(20_000)}`), 431);
  });

  it("HTTP/1.1 without Host is a 400", async () => {
    expect(expectError(await sendBytes(service.url, "GET /api/svc HTTP/1.1\r\n\r\n"), 400)).toBe(
      "Host: expected a Host header",
    );
  });

  it("HTTP/1.0 without Host is served", async () => {
    expect((await sendBytes(service.url, "GET /api/svc HTTP/1.0\r\n\r\n")).status).toBe(200);
  });

  it("an unknown expectation is ignored", async () => {
    expect((await request("GET /api/svc/ping", "Expect: unknown")).status).toBe(200);
  });
});

describe("paths", () => {
  it.each(["/%", "/%zz", "/api/svc/posters/%", "/api/svc/posters/%ff", "/api/svc/posters/%c0%af", "/images/%e0%a4%a"])(
    "%s is a 400: invalid percent-encoding",
    async (path) => {
      expect(expectError(await request(`GET ${path}`), 400)).toBe("path: expected valid percent-encoding");
    },
  );

  it.each([
    "/api",
    "//api/svc",
    "/api//svc",
    "/API/SVC",
    "/api/svc/ping/extra",
    "/api/svc/../svc/nothing",
    "/api/svc;x=1",
    "/api%2fsvc",
    "/.env",
    "/package.json",
    `/${"a".repeat(9_000)}`,
    `/api/svc/${"a/".repeat(3_000)}`,
  ])("%.40s is a 404", async (path) => {
    expect(expectError(await request(`GET ${path}`), 404)).toBe(
      "Not found. https://svc.test/api/svc lists all endpoints",
    );
  });

  it("the 404 of /mcp says where the endpoint is", async () => {
    for (const path of ["/mcp", "/mcp/", "/mcp?x=1"]) {
      expect(expectError(await request(`POST ${path}`, "Content-Length: 0"), 404)).toBe(
        "Not found. https://svc.test/api/svc lists all endpoints; the MCP endpoint is POST https://svc.test/api/mcp",
      );
    }
  });

  it("an unknown path is a 404 with any method and any body", async () => {
    for (const method of ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "PURGE"]) {
      expectError(await request(`${method} /api/svc/nothing`), 404);
    }
    for (const type of ["application/json", "text/plain", "nonsense"]) {
      expectError(await request("POST /nothing", `Content-Type: ${type}`, "Content-Length: 2", "", "{]"), 404);
    }
  });

  it("an id of any length is a 400", async () => {
    for (const length of [1, 99, 101, 999, 1_001, 10_000]) {
      expectError(await request(`GET /api/svc/posters/${"a".repeat(length)}`), 400);
    }
  });

  it("a trailing slash is ignored", async () => {
    for (const path of ["/api/svc/", "/api/svc/ping/", `/api/svc/posters/${poster}/`]) {
      expect((await request(`GET ${path}`)).status).toBe(200);
    }
  });
});

describe("queries", () => {
  it.each([
    "limit=%zz",
    "limit=%00",
    "cursor=%ff",
    "cursor[]=x&limit=0",
    "event_id[a]=1&event_id=x",
    "published=true;published=false",
    `event_id=${"a".repeat(5_000)}`,
    `cursor=${"a".repeat(5_000)}`,
    "event_id='%20or%201=1--",
  ])("%.40s is a 400", async (query) => {
    expectError(await request(`GET /api/svc/posters?${query}`), 400);
  });

  it.each(["", "?", "&&&", "=", "%", "a=%", "?limit=0"])("%j has no known parameter and is ignored", async (query) => {
    expect((await request(`GET /api/svc/ping?${query}`)).status).toBe(200);
  });
});
