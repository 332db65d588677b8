import { readFileSync } from "node:fs";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { beforeAll, describe, expect, it } from "vitest";
import { tools } from "../../src/registry.js";
import { readResultText } from "../support/read-result-text.js";
import { useService } from "../support/setup.js";
import { toolPermissions } from "../support/tool-permissions.js";
import { type Headers, legacy, modern, modernHeaders, modernMeta, post } from "./messages.js";

// MCP Apps (SEP-1865): the preview card, and who is told about it.

const { service, make } = useService();
const capabilities = { extensions: { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html;profile=mcp-app"] } } };
const cardUri = "ui://event-platform/preview-card";
const withCard = { ui: { resourceUri: cardUri } };
const changing = toolPermissions.filter(({ effect }) => effect !== "reads").map(({ name }) => name);

let key: string;
let eventId: string;

beforeAll(async () => {
  const organization = await make.organization();
  eventId = await make.event(await make.conference(), { hosts: [organization] });
  key = await make.organizationKey(organization);
});

const initialize = (declared: object) =>
  post(service, key, legacy("initialize", { protocolVersion: "2025-11-25", capabilities: declared }));

type Send = (method: string, params?: Record<string, unknown>, name?: string) => ReturnType<typeof post>;

const metaWith = (declared: unknown) => ({ ...modernMeta, "io.modelcontextprotocol/clientCapabilities": declared });

const sendModern: Send = (method, params, name) =>
  post(service, key, modern(method, params, metaWith(capabilities)), modernHeaders(method, name));

/** A session of a client that shows views. */
const sendLegacy: Send = async (method, params) => {
  const session = (await initialize(capabilities)).headers.get("mcp-session-id") ?? "";
  return post(service, key, legacy(method, params), { "mcp-session-id": session });
};

const eras: [string, Send][] = [
  ["2026-07-28", sendModern],
  ["a session of 2025-11-25", sendLegacy],
];

describe.each(eras)("a client that shows views, %s", (era, send) => {
  it("finds the card on every tool that changes something, and on no other", async () => {
    const { json } = await send("tools/list");
    const listed: { name: string; _meta: object }[] = json.result.tools;
    expect(listed.filter(({ _meta }) => "ui" in _meta).map(({ name }) => name)).toEqual(changing);
    for (const { _meta } of listed.filter(({ name }) => changing.includes(name))) expect(_meta).toMatchObject(withCard);
    expect(listed).toHaveLength(tools.length);
  });

  it("gets the same tools otherwise", async () => {
    const [shown, plain] = [await send("tools/list"), await post(service, key, legacy("tools/list"))];
    const withoutCard = shown.json.result.tools.map(
      ({ _meta: { ui, ...meta }, ...tool }: { _meta: { ui?: object } }) => ({
        ...tool,
        _meta: meta,
      }),
    );
    expect(withoutCard).toEqual(plain.json.result.tools);
  });

  it("lists and reads the page", async () => {
    const meta = { ui: { csp: { connectDomains: [], resourceDomains: [] }, prefersBorder: true } };
    const { resources } = (await send("resources/list")).json.result;
    expect(resources).toEqual([
      {
        uri: cardUri,
        name: "preview-card",
        title: "Preview of a change",
        description: expect.any(String),
        mimeType: "text/html;profile=mcp-app",
        _meta: meta,
      },
    ]);
    const { contents } = (await send("resources/read", { uri: cardUri }, cardUri)).json.result;
    expect(contents).toEqual([{ uri: cardUri, mimeType: "text/html;profile=mcp-app", text: builtPage(), _meta: meta }]);
    expect((await send("resources/templates/list")).json.result.resourceTemplates).toEqual([]);
  });

  it("gets the protocol's error for another resource", async () => {
    const uri = "ui://event-platform/other";
    const { status, json } = await send("resources/read", { uri }, uri);
    expect(status).toBe(200);
    const code = era === "2026-07-28" ? -32602 : -32002;
    expect(json.error).toEqual({ code, message: `Resource not found: ${uri}`, data: { uri } });
    expect((await send("resources/read", {})).json.error).toMatchObject({ code: -32602 });
  });

  it("is told what a change is about, in text too; a reading tool says nothing of it", async () => {
    const name = "update_event_details";
    const { json } = await send("tools/call", { name, arguments: { event_id: eventId, venue: "Hall 2" } }, name);
    const { structuredContent, content } = json.result;
    expect(structuredContent.about).toEqual({
      tool: "update_event_details",
      title: "Update an event's details",
    });
    expect(structuredContent.event).toEqual({ id: eventId, name: "Test Event", timezone: "Europe/Lisbon" });
    expect(readResultText(content[0].text)).toMatchObject({ about: structuredContent.about });
    const profile = "update_organization_profile";
    const changed = await send("tools/call", { name: profile, arguments: { description: "New" } }, profile);
    expect(changed.json.result.structuredContent.about).toEqual({
      tool: profile,
      title: "Update the organization's profile",
    });
    const read = "get_event_admin_snapshot";
    const snapshot = await send("tools/call", { name: read, arguments: { event_id: eventId } }, read);
    expect(snapshot.json.result.structuredContent).not.toHaveProperty("about");
  });
});

describe("greetings", () => {
  const plain = { tools: {}, prompts: {}, resources: {}, completions: {} };
  const declared = { ...plain, ...capabilities };

  it("declare the extension to clients that show views only", async () => {
    expect((await sendModern("server/discover")).json.result).toMatchObject({
      capabilities: declared,
      cacheScope: "private",
    });
    const shown = await initialize(capabilities);
    expect(shown.json.result.capabilities).toEqual(declared);
    expect(shown.headers.get("mcp-session-id")).toMatch(/^ui-[0-9a-f-]{36}$/);
  });

  it.each([
    ["none", {}],
    ["another extension", { extensions: { "io.example/other": {} } }],
    ["no type", { extensions: { "io.modelcontextprotocol/ui": {} } }],
    ["another type", { extensions: { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html"] } } }],
    ["a wrong shape", { extensions: [], "io.modelcontextprotocol/ui": null }],
  ])("of clients that do not are as without the extension: %s", async (_name, given) => {
    const [greeting, without] = [await initialize(given), await initialize({})];
    expect(greeting.text).toBe(without.text);
    expect(greeting.headers.get("mcp-session-id")).toBeNull();
    expect(greeting.json.result.capabilities).toEqual(plain);
    const headers = modernHeaders("tools/list");
    const [list, plainList] = [
      await post(service, key, modern("tools/list", {}, metaWith(given)), headers),
      await post(service, key, modern("tools/list"), headers),
    ];
    expect(list.text).toBe(plainList.text);
    expect(list.text).not.toContain('"ui":');
  });
});

describe("without the extension", () => {
  it.each([{}, { "mcp-session-id": "unknown" }, { "mcp-session-id": "0b6c" }] as Headers[])(
    "a session that says nothing changes nothing: %j",
    async (headers) => {
      const list = await post(service, key, legacy("tools/list"), headers);
      expect(list.text).toBe((await post(service, key, legacy("tools/list"))).text);
      expect(list.text).not.toContain("ui://");
      const call = legacy("tools/call", {
        name: "update_event_details",
        arguments: { event_id: eventId, venue: "Hall 2" },
      });
      expect((await post(service, key, call, headers)).json.result.structuredContent).not.toHaveProperty("about");
    },
  );

  it("any session that says it gets the list with the card: it grants nothing", async () => {
    const { text } = await post(service, key, legacy("tools/list"), { "mcp-session-id": "ui-made-up" });
    expect(text).toContain(cardUri);
  });

  it("Mcp-Name repeats the uri of a resource", async () => {
    const body = modern("resources/read", { uri: cardUri });
    const { status, json } = await post(service, key, body, modernHeaders("resources/read", "ui://other"));
    expect(status).toBe(400);
    expect(json.error.code).toBe(-32020);
  });
});

it("the page is under 40 KB, loads nothing and allows nothing else to", () => {
  const page = builtPage();
  expect(Buffer.byteLength(page)).toBeLessThan(40_000);
  expect(page).toMatch(/^<!doctype html>/);
  expect(page).toMatch(
    /content="default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+'; img-src data:/,
  );
  expect(page.match(/https?:\/\/[^"'`\s]+/g)).toEqual(["http://www.w3.org/2000/svg"]);
  expect(page).not.toMatch(/<(?:link|img|iframe|object)\b|\ssrc=|@import|url\(|innerHTML|insertAdjacentHTML|\beval\(/);
});

describe("official clients that show views", () => {
  it.each(["2025-11-25", "2026-07-28"])(
    "client 2.4 in %s finds and reads the card, previews, commits and is told of mistakes",
    async (revision) => {
      const mode = revision === "2026-07-28" ? ({ pin: revision } as const) : ("legacy" as const);
      const client = new Client({ name: "test", version: "1" }, { capabilities, versionNegotiation: { mode } });
      const transport = new StreamableHTTPClientTransport(new URL("/api/mcp", service.url), authorized());
      await client.connect(transport);
      expect(client.getNegotiatedProtocolVersion()).toBe(revision);
      expect(client.getServerCapabilities()).toMatchObject({ resources: {}, ...capabilities });
      const { tools: listed } = await client.listTools();
      expect(listed.find(({ name }) => name === "add_event_speaker")?._meta).toMatchObject(withCard);
      const { contents } = await client.readResource({ uri: cardUri });
      expect(contents[0]).toMatchObject({ uri: cardUri, text: builtPage() });
      await expect(client.readResource({ uri: "ui://none" })).rejects.toThrow(/not found/i);
      // The client compares what a tool returns with its output schema.
      const call = (args: object) => client.callTool({ name: "update_organization_profile", arguments: { ...args } });
      const preview = (await call({ description: `By ${revision}` })).structuredContent as { commit_with: object };
      const commit = { ...preview.commit_with, reason: "a test" };
      const committed = await call(commit);
      expect(committed.structuredContent).toMatchObject({ dry_run: false, after: { description: `By ${revision}` } });
      expect((await call(commit)).structuredContent).toEqual(committed.structuredContent);
      expect(await call({ nme: "x" })).toMatchObject({ isError: true });
      await expect(client.callTool({ name: "no_such_tool", arguments: {} })).rejects.toThrow(
        "Unknown tool: no_such_tool",
      );
      if (revision === "2025-11-25") await transport.terminateSession();
      await client.close();
    },
  );

  const authorized = () => ({ requestInit: { headers: { authorization: `Bearer ${key}` } } });
});

const builtPage = () => readFileSync(new URL("../../dist/preview-card.html", import.meta.url), "utf8");
