import { beforeAll, describe, expect, it } from "vitest";
import { readResultText } from "../support/read-result-text.js";
import { startService } from "../support/service.js";
import { useService } from "../support/setup.js";
import { type Headers, legacy, modern, modernHeaders, modernMeta, post } from "./messages.js";

const limits = { rest: 1_000_000, ticketing: 1_000_000, mcp: 1_000_000 };

const { service, make } = useService(() => startService({ limits }));
let key: string;

beforeAll(async () => {
  key = await make.organizationKey(await make.organization());
});

const send = (body: unknown, headers?: Headers) => post(service, key, body, headers);

describe("2026-07-28", () => {
  it("server/discover returns versions, capabilities and server info", async () => {
    const { status, json, headers } = await send(modern("server/discover"), modernHeaders("server/discover"));
    expect(status).toBe(200);
    expect(headers.get("content-type")).toMatch(/^application\/json/);
    expect(headers.get("mcp-session-id")).toBeNull();
    expect(json).toEqual({
      jsonrpc: "2.0",
      id: 1,
      result: {
        resultType: "complete",
        supportedVersions: ["2026-07-28"],
        capabilities: { tools: {}, prompts: {}, resources: {}, completions: {} },
        instructions: expect.stringContaining("commit_with"),
        ttlMs: expect.any(Number),
        cacheScope: "private",
        _meta: { "io.modelcontextprotocol/serverInfo": expect.objectContaining({ name: "event-platform" }) },
      },
    });
  });

  it("tools/list is one page in a fixed order, not for shared caches", async () => {
    const list = () => send(modern("tools/list"), modernHeaders("tools/list"));
    const { json } = await list();
    expect(json.result).toMatchObject({ resultType: "complete", cacheScope: "private", ttlMs: expect.any(Number) });
    expect(json.result.nextCursor).toBeUndefined();
    expect((await list()).json).toEqual(json);
  });

  it("tools/call returns structured content and the same as text", async () => {
    const name = "update_organization_profile";
    const body = modern("tools/call", { name, arguments: { name: "Renamed" } });
    const { json } = await send(body, modernHeaders("tools/call", name));
    const { resultType, structuredContent, content, isError } = json.result;
    expect(resultType).toBe("complete");
    expect(isError).toBeUndefined();
    expect(structuredContent).toMatchObject({ dry_run: true, proposed: { name: "Renamed" } });
    expect(content).toEqual([{ type: "text", text: expect.any(String) }]);
    const { dry_run, commit_with, warnings, untrusted_text } = structuredContent;
    const changes = [{ what: "name", from: structuredContent.current.name, to: "Renamed" }];
    expect(readResultText(content[0].text)).toEqual({ untrusted_text, dry_run, changes, warnings, commit_with });
  });

  const { "io.modelcontextprotocol/clientInfo": _, ...withoutClient } = modernMeta;
  const { "io.modelcontextprotocol/clientCapabilities": __, ...withoutCapabilities } = modernMeta;
  const { "io.modelcontextprotocol/protocolVersion": ___, ...withoutVersion } = modernMeta;

  it("clientInfo is optional", async () => {
    const body = modern("tools/list", {}, withoutClient);
    expect((await send(body, modernHeaders("tools/list"))).status).toBe(200);
  });

  it.each([
    ["capabilities", withoutCapabilities],
    ["version", withoutVersion],
    ["version as a number", { ...modernMeta, "io.modelcontextprotocol/protocolVersion": 1 }],
    ["capabilities as an array", { ...modernMeta, "io.modelcontextprotocol/clientCapabilities": [] }],
  ])("an invalid _meta is a 400 with -32602: %s", async (_name, meta) => {
    const { status, json } = await send(modern("tools/list", {}, meta), modernHeaders("tools/list"));
    expect(status).toBe(400);
    expect(json).toMatchObject({ id: 1, error: { code: -32602 } });
  });

  it("a request without _meta but with the header of the newer revision is a 400 with -32602", async () => {
    for (const body of [legacy("tools/list"), legacy("tools/list", {}), legacy("initialize", {})]) {
      const { status, json } = await send(body, { "mcp-protocol-version": "2026-07-28" });
      expect(status).toBe(400);
      expect(json).toMatchObject({ id: 1, error: { code: -32602 } });
    }
  });

  it.each([
    ["version missing", { "mcp-method": "tools/call", "mcp-name": "some_tool" }],
    ["version differs", { ...modernHeaders("tools/call", "some_tool"), "mcp-protocol-version": "2025-11-25" }],
    ["method missing", { "mcp-protocol-version": "2026-07-28", "mcp-name": "some_tool" }],
    ["method differs", modernHeaders("tools/list", "some_tool")],
    ["method in other case", modernHeaders("TOOLS/CALL", "some_tool")],
    ["name missing", modernHeaders("tools/call")],
    ["name differs", modernHeaders("tools/call", "other_tool")],
    ["name in base64 differs", modernHeaders("tools/call", "=?base64?b3RoZXI=?=")],
    ["name in broken base64", modernHeaders("tools/call", "=?base64?c29tZV90b29s!?=")],
    ["name in base64 without padding", modernHeaders("tools/call", "=?base64?c29tZV90b29?=")],
  ])("headers that differ from the body are a 400 with -32020: %s", async (_name, headers) => {
    const { status, json } = await send(modern("tools/call", { name: "some_tool" }), headers);
    expect(status).toBe(400);
    expect(json).toMatchObject({
      id: 1,
      error: { code: -32020, message: expect.stringMatching(/^Header mismatch: /) },
    });
  });

  it.each([
    ["some_tool", "=?base64?c29tZV90b29s?="],
    ["größe", `=?base64?${Buffer.from("größe").toString("base64")}?=`],
    ["some_tool", "  some_tool  "],
  ])("Mcp-Name may be encoded: %s", async (name, header) => {
    const { status, json } = await send(modern("tools/call", { name }), modernHeaders("tools/call", header));
    expect(status).toBe(200);
    expect(json.error).toEqual({ code: -32602, message: `Unknown tool: ${name}` });
  });

  it("an unknown version is a 400 with -32022, if the headers match the body", async () => {
    const meta = { ...modernMeta, "io.modelcontextprotocol/protocolVersion": "1900-01-01" };
    const body = modern("tools/list", {}, meta);
    const matching = await send(body, {
      "mcp-protocol-version": "1900-01-01",
      "mcp-method": "tools/list",
    });
    expect(matching.status).toBe(400);
    expect(matching.json).toEqual({
      jsonrpc: "2.0",
      id: 1,
      error: {
        code: -32022,
        message: "Unsupported protocol version",
        data: { supported: ["2026-07-28"], requested: "1900-01-01" },
      },
    });
    const mismatched = await send(body, modernHeaders("tools/list"));
    expect(mismatched.json.error.code).toBe(-32020);
  });

  it.each([
    "initialize",
    "ping",
    "logging/setLevel",
    "resources/subscribe",
    "subscriptions/listen",
    "toString",
    "__proto__",
  ])("%s is unknown: 404 with -32601", async (method) => {
    const { status, json } = await send(modern(method), modernHeaders(method));
    expect(status).toBe(404);
    expect(json).toMatchObject({ id: 1, error: { code: -32601 } });
  });
});

describe("revisions with initialize", () => {
  it.each([
    ["2025-11-25", "2025-11-25"],
    ["2025-06-18", "2025-06-18"],
    ["2025-03-26", "2025-03-26"],
    ["2024-11-05", "2025-11-25"],
    ["2026-07-28", "2025-11-25"],
    [undefined, "2025-11-25"],
  ])("initialize with %s negotiates %s", async (requested, negotiated) => {
    const params = { protocolVersion: requested, capabilities: {}, clientInfo: { name: "test", version: "1" } };
    const { status, json, headers } = await send(legacy("initialize", params));
    expect(status).toBe(200);
    expect(headers.get("mcp-session-id")).toBeNull();
    expect(json.result).toEqual({
      protocolVersion: negotiated,
      capabilities: { tools: {}, prompts: {}, resources: {}, completions: {} },
      serverInfo: expect.objectContaining({ name: "event-platform", version: expect.any(String) }),
      instructions: expect.any(String),
    });
  });

  it.each(["2025-11-25", "2025-06-18", "2025-03-26", undefined])(
    "lists and calls without initialize, header %s",
    async (version) => {
      const headers: Record<string, string> = version === undefined ? {} : { "mcp-protocol-version": version };
      const list = await send(legacy("tools/list"), { ...headers, "mcp-session-id": "unknown" });
      expect(list.status).toBe(200);
      expect(list.headers.get("mcp-session-id")).toBeNull();
      expect(Object.keys(list.json.result)).toEqual(["tools"]);
      const call = await send(legacy("tools/call", { name: "no_such_tool" }), headers);
      expect(call.status).toBe(200);
      expect(call.json.error).toEqual({ code: -32602, message: "Unknown tool: no_such_tool" });
    },
  );

  it("ping returns an empty object; an unknown method is a 200 with -32601", async () => {
    expect((await send(legacy("ping"))).json).toEqual({ jsonrpc: "2.0", id: 1, result: {} });
    for (const method of ["resources/subscribe", "server/discover", "constructor"]) {
      const { status, json } = await send(legacy(method));
      expect(status).toBe(200);
      expect(json).toMatchObject({ id: 1, error: { code: -32601 } });
    }
  });

  it("an unsupported version in the header is rejected with a list of the supported ones", async () => {
    const { status, json } = await send(legacy("ping"), { "mcp-protocol-version": "2024-11-05" });
    expect(status).toBe(400);
    const supported = ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26"];
    expect(json.error).toEqual({
      code: -32022,
      message: `MCP-Protocol-Version: "2024-11-05" is not supported; use one of ${supported.join(", ")}`,
      data: { supported, requested: "2024-11-05" },
    });
  });

  it.each(["text", 7, -1, 0, ""])("the id %j is returned unchanged", async (id) => {
    expect((await send(legacy("ping", undefined, id))).json.id).toBe(id);
  });

  it("an unknown cursor is rejected", async () => {
    const { json } = await send(legacy("tools/list", { cursor: "unknown" }));
    expect(json.error.code).toBe(-32602);
  });
});

describe("messages", () => {
  it.each([
    ["notifications/initialized", {}],
    ["notifications/cancelled", modernHeaders("notifications/cancelled")],
  ])("%s is a 202 without a body", async (method, headers) => {
    const { status, text } = await send({ jsonrpc: "2.0", method }, headers);
    expect(status).toBe(202);
    expect(text).toBe("");
  });

  it.each([
    ["an empty batch", [], null],
    ["a batch of 21", Array(21).fill(legacy("ping")), null],
    ["a batch with initialize", [legacy("ping"), legacy("initialize", { protocolVersion: "2025-03-26" })], null],
    ["a string", '"ping"', null],
    ["null", "null", null],
    ["no version", { id: 1, method: "ping" }, 1],
    ["an old version", { jsonrpc: "1.0", id: 1, method: "ping" }, 1],
    ["no method", { jsonrpc: "2.0", id: 5 }, 5],
    ["a response", { jsonrpc: "2.0", id: 5, result: {} }, 5],
    ["a method that is not a string", { jsonrpc: "2.0", id: "a", method: 1 }, "a"],
    ["params that are an array", { jsonrpc: "2.0", id: 1, method: "ping", params: [] }, 1],
    ["an id that is null", { jsonrpc: "2.0", id: null, method: "ping" }, null],
    ["an id with a fraction", { jsonrpc: "2.0", id: 1.5, method: "ping" }, null],
    ["an id that is not a safe integer", '{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}', null],
    ["a request without an id", { jsonrpc: "2.0", method: "tools/list" }, null],
  ])("%s is a 400 with -32600", async (_name, body, id) => {
    const { status, json } = await send(body);
    expect(status).toBe(400);
    expect(json.error.code).toBe(-32600);
    expect(json.id).toBe(id);
  });

  describe("in a batch, which 2025-03-26 has", () => {
    const named = { "mcp-protocol-version": "2025-03-26" };
    const notification = { jsonrpc: "2.0", method: "notifications/initialized" };

    it.each([[{}], [named]])("are answered each by itself, in their order: %j", async (headers) => {
      const unknown = { jsonrpc: "2.0", id: "b", method: "nothing" };
      const call = legacy("tools/call", { name: "get_organization_admin_snapshot", arguments: {} }, 7);
      const { status, json } = await send([call, notification, unknown, 1, legacy("ping", {}, "c")], headers);
      expect(status).toBe(200);
      expect(json.map(({ id }: { id: unknown }) => id)).toEqual([7, "b", null, "c"]);
      expect(json[0].result.structuredContent.organization).toBeDefined();
      expect(json[1].error.code).toBe(-32601);
      expect(json[2].error.code).toBe(-32600);
      expect(json[3]).toEqual({ jsonrpc: "2.0", id: "c", result: {} });
    });

    it("are a 202 if none of them expects a response", async () => {
      const { status, text } = await send([notification, notification]);
      expect([status, text]).toEqual([202, ""]);
    });

    it("count against the rate limit each", async () => {
      const remaining = async (body: object) => Number((await send(body)).headers.get("x-ratelimit-remaining"));
      const before = await remaining(legacy("ping"));
      expect(await remaining(Array(20).fill(legacy("ping")))).toBe(before - 20);
    });

    it("are refused by themselves from where the limit is reached, and those before keep their responses", async () => {
      const limited = await startService({ limits: { ...limits, mcp: 3 } });
      const batch = [1, 2, 3, 4].map((id) => legacy("ping", {}, id));
      const { status, json } = await post(limited, key, [...batch.slice(0, 3), notification, ...batch.slice(3)]);
      await limited.close();
      expect(status).toBe(200);
      expect(json.slice(0, 3).map(({ result }: { result: unknown }) => result)).toEqual([{}, {}, {}]);
      expect(json.slice(3)).toEqual([
        { jsonrpc: "2.0", id: 4, error: expect.objectContaining({ code: 429, data: expect.any(Object) }) },
      ]);
    });

    it.each(["2025-06-18", "2025-11-25", "2026-07-28"])("are refused in %s, which has none", async (version) => {
      const { status, json } = await send([legacy("ping")], { "mcp-protocol-version": version });
      expect(status).toBe(400);
      expect(json).toMatchObject({ id: null, error: { code: -32600, message: expect.stringContaining("2025-03-26") } });
    });
  });

  it.each(["{", "", "[1,", '{"jsonrpc":"2.0","__proto__":{}}'])("%j is a 400 with -32700", async (body) => {
    const { status, json } = await send(body);
    expect(status).toBe(400);
    expect(json).toMatchObject({ jsonrpc: "2.0", error: { code: -32700 } });
  });

  it.each([undefined, "*/*", "application/json", "text/event-stream", "text/html"])(
    "Accept: %s gets JSON",
    async (accept) => {
      const headers: Record<string, string> = accept === undefined ? {} : { accept };
      const { status, headers: received } = await send(legacy("ping"), headers);
      expect(status).toBe(200);
      expect(received.get("content-type")).toMatch(/^application\/json/);
    },
  );
});
