import sql from "sql-template-tag";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Make, makerOn } from "../support/make.js";
import { sendBytes } from "../support/raw.js";
import { type CallOptions, type Service, startService } from "../support/service.js";

/** What a PATCH of a poster takes and what it refuses; what it does is in patch-poster.test.ts. */

let service: Service;
let make: Make;
let key: string;
let event: string;
let poster: string;

beforeAll(async () => {
  service = await startService();
  make = makerOn(service.db);
  key = await make.superAdminKey();
  event = await make.event(await make.conference());
});
beforeEach(async () => {
  poster = await make.poster(event);
});
afterAll(() => service.close());

const patch = (body: unknown, options: CallOptions = {}) =>
  service.call(`/api/svc/posters/${poster}`, { key, method: "PATCH", body, ...options });

const patchUrls = (posted_urls: unknown) => patch({ posted_urls });

const storedUrls = async (): Promise<Record<string, string> | null> =>
  (await service.call(`/api/svc/posters/${poster}`, { key })).json.posted_urls;

const records = () => service.db.query(sql`select from mutation_records where request->>'poster_id' = ${poster}`);

const url = (name: string) => `https://social.example.com/${name}`;

describe("a body that is not a patch is a 400 that says why", () => {
  it.each<[string, unknown, RegExp]>([
    ["no field", {}, /^posted_urls: is required/],
    ["a null map", { posted_urls: null }, /^posted_urls: expected an object/],
    ["a text", { posted_urls: "https://x.example" }, /^posted_urls: expected an object/],
    ["a list", { posted_urls: ["https://x.example"] }, /^posted_urls: expected an object/],
    ["a number", { posted_urls: 1 }, /^posted_urls: expected an object/],
    ["a number as link", { posted_urls: { x: 1 } }, /^posted_urls\.x: expected an absolute http or https URL/],
    ["an object as link", { posted_urls: { x: {} } }, /^posted_urls\.x: expected an absolute/],
    ["a list as link", { posted_urls: { x: ["https://x.example"] } }, /^posted_urls\.x: expected an absolute/],
    ["false as link", { posted_urls: { x: false } }, /^posted_urls\.x: expected an absolute/],
    ["another field", { posted_urls: {}, title: "New" }, /^title: unknown field$/],
    ["other fields", { posted_urls: {}, published: true, id: 1 }, /^published: unknown field; id: unknown field$/],
    ["only another field", { published: true }, /posted_urls: is required.*published: unknown field/],
    ["a JSON list", [], /^body: expected a JSON object$/],
    ["JSON null", "null", /^body: expected a JSON object$/],
    ["a JSON text", '"posted_urls"', /^body: expected a JSON object$/],
    ["a JSON number", "1", /^body: expected a JSON object$/],
    ["nothing", "", /^body: expected a JSON object/],
    ["not JSON", "{posted_urls: {}}", /^body: expected valid JSON/],
    ["half a JSON", '{"posted_urls": {', /^body: expected valid JSON/],
    ["two documents", "{}{}", /^body: expected valid JSON/],
  ])("%s", async (_name, body, text) => {
    const reply = await patch(body);
    expect(reply.status).toBe(400);
    expect(reply.json.error).toMatch(text);
    expect(await storedUrls()).toBeNull();
    expect(await records()).toEqual([]);
  });

  it("without a content type or a body", async () => {
    const reply = await patch(undefined);
    expect(reply.status).toBe(400);
    expect(reply.json.error).toBe("body: expected a JSON object");
  });

  it("not in UTF-8", async () => {
    const body = Buffer.concat([Buffer.from('{"posted_urls":{"caf'), Buffer.from([0xe9]), Buffer.from('":null}}')]);
    const head = `PATCH /api/svc/posters/${poster} HTTP/1.1\r\nHost: svc\r\nAuthorization: Bearer ${key}\r\n`;
    const length = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
    const reply = await sendBytes(service.url, Buffer.concat([Buffer.from(head + length), body]));
    expect(reply.status).toBe(400);
    expect(JSON.parse(reply.body)).toEqual({ error: "body: expected UTF-8" });
  });

  it("names several mistakes at once, and an endless name only by its beginning", async () => {
    const reply = await patchUrls({ x: "ftp://x.example", "y z": "nothing", ["n".repeat(20_000)]: url("1") });
    expect(reply.json.error).toMatch(/posted_urls\.x: .*; posted_urls\."y z": .*; posted_urls\.nnn/);
    expect(reply.text.length).toBeLessThan(1_000);
  });
});

describe("platform names", () => {
  it.each([
    "x",
    "a".repeat(64),
    "😀".repeat(64),
    "Инстаграм",
    "a b",
    "0",
    "-1",
    "toString",
    "hasOwnProperty",
    "valueOf",
    "\u00a0\u200b\ufeff",
    'quote"and\\slash',
    "'; drop table posters; --",
  ])("%j is kept as it is", async (name) => {
    const reply = await patchUrls({ [name]: url("1") });
    expect(reply.status, reply.text).toBe(200);
    expect(await storedUrls()).toEqual({ [name]: url("1") });
    expect((await patchUrls({ [name]: null })).json.posted_urls).toEqual({});
  });

  it.each([
    "",
    "a".repeat(65),
    "😀".repeat(65),
    "a\nb",
    "\t",
    "a\u0000",
    "\u007f",
    "\u0085",
    "\ud800",
    "a\udc00b",
    "\udc00\ud800",
  ])("%j is refused", async (name) => {
    const reply = await patchUrls({ [name]: url("1") });
    expect(reply.status).toBe(400);
    expect(reply.json.error).toMatch(/^posted_urls.*: expected a platform name of 1 to 64 characters/);
    expect(await storedUrls()).toBeNull();
  });

  it.each(["__proto__", "constructor", "prototype"])("%s is reserved, with a link and with null", async (name) => {
    for (const value of [`"${url("1")}"`, "null", '{"polluted": 1}', '{"prototype": {"polluted": 1}}']) {
      const reply = await patch(`{"posted_urls": {"${name}": ${value}}}`);
      expect(reply.status).toBe(400);
    }
    expect((await patch(`{"posted_urls": {}, "${name}": {}}`)).status).toBe(400);
    expect((await patch('{"posted_urls": {"\\u005f_proto__": null}}')).status).toBe(400);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});

describe("links", () => {
  const long = (length: number) =>
    `https://social.example.com/${"a".repeat(length - "https://social.example.com/".length)}`;

  it.each([
    "http://x.example",
    "HTTPS://X.EXAMPLE/Path?q=1#part",
    "https://x.example:8443/a%20b",
    "https://192.0.2.1/",
    "https://[2001:db8::1]/",
    "https://bücher.example/straße",
    "https://user:password@x.example/",
    long(2048),
  ])("%s is kept as it is", async (link) => {
    const reply = await patchUrls({ x: link });
    expect(reply.status, reply.text).toBe(200);
    expect(await storedUrls()).toEqual({ x: link });
  });

  it.each([
    "",
    "x.example",
    "/posts/1",
    "//x.example/1",
    "ftp://x.example/1",
    "javascript:alert(1)",
    "JaVaScRiPt://x.example/%0aalert(1)",
    "data:text/html,hello",
    "file:///etc/passwd",
    "mailto:someone@example.com",
    "https:",
    "https://",
    "https:///x.example",
    "https:x.example",
    "https:\\\\x.example",
    "https://x.example/a b",
    " https://x.example",
    "https://x.example\n",
    "ht\ntps://x.example",
    "https://x.example/\t",
    "https://x.example/\u0000",
    "https://x.example/\u2028",
    "https://x.example/\ud800",
    "https://exa mple/",
    "https://x.example:99999/",
    "https://[::1/",
    "https://%/",
    long(2049),
  ])("%j is refused", async (link) => {
    const reply = await patchUrls({ x: link });
    expect(reply.status).toBe(400);
    expect(reply.json.error).toBe(
      "posted_urls.x: expected an absolute http or https URL of at most 2048 characters, or null to remove it",
    );
    expect(await storedUrls()).toBeNull();
  });
});

describe("sizes", () => {
  const platforms = (from: number, to: number, value: string | null = url("1")) =>
    Object.fromEntries(Array.from({ length: to - from }, (_, i) => [`platform-${from + i}`, value]));

  it("50 platforms fit, 51 do not, however they come together", async () => {
    expect((await patchUrls(platforms(0, 51))).status).toBe(400);
    expect((await patchUrls(platforms(0, 50))).status).toBe(200);
    const reply = await patchUrls({ "one more": url("1") });
    expect(reply.status).toBe(400);
    expect(reply.json.error).toMatch(/^posted_urls: a poster keeps links of at most 50 platforms, this would make 51/);
    expect(Object.keys((await storedUrls()) ?? {})).toHaveLength(50);
    expect((await patchUrls({ "one more": url("1"), "platform-0": null })).status).toBe(200);
    expect((await patchUrls(platforms(0, 200, null))).json.posted_urls).toEqual({ "one more": url("1") });
  });

  it("a body of 64 KiB is read, one byte more is a 413, with and without a length", async () => {
    const padded = (bytes: number) => '{"posted_urls": {}}'.padEnd(bytes);
    expect((await patch(padded(65_536))).status).toBe(200);
    const tooLarge = await patch(padded(65_537));
    expect(tooLarge.status).toBe(413);
    expect(tooLarge.json).toEqual({ error: "body: expected at most 65536 bytes" });
    const chunked = await sendBytes(
      service.url,
      `PATCH /api/svc/posters/${poster} HTTP/1.1\r\nHost: svc\r\nAuthorization: Bearer ${key}\r\n` +
        `Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n10001\r\n${padded(65_537)}\r\n0\r\n\r\n`,
    );
    expect(chunked.status).toBe(413);
    expect(JSON.parse(chunked.body)).toEqual(tooLarge.json);
  });
});

describe("content types", () => {
  const body = JSON.stringify({ posted_urls: { x: url("1") } });

  it.each(["application/json", "application/json; charset=utf-8", "Application/JSON;charset=UTF-8"])(
    "%s is read",
    async (type) => {
      expect((await patch(body, { headers: { "content-type": type } })).status).toBe(200);
    },
  );

  it.each([
    "text/plain",
    "text/json",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/xml",
    "json",
    ";",
  ])("%s is a 415", async (type) => {
    const reply = await patch(body, { headers: { "content-type": type } });
    expect(reply.status).toBe(415);
    expect(reply.json).toEqual({ error: "Content-Type: expected application/json" });
  });
});
