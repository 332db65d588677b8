import sql from "sql-template-tag";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { CallOptions } from "../support/call.js";
import { errorBody } from "../support/error-body.js";
import { sendBytes } from "../support/raw.js";
import { useService } from "../support/setup.js";

/** Validation of the PATCH of a poster; its effects are tested in patch-poster.test.ts. */

const { service, db, make } = useService();
let key: string;
let event: string;
let poster: string;

beforeAll(async () => {
  key = await make.superAdminKey();
  event = await make.event(await make.conference());
});
beforeEach(async () => {
  poster = await make.poster(event);
});

const patch = (body: unknown, options: CallOptions = {}) =>
  service.call(`/api/svc/posters/${poster}`, { key, method: "PATCH", body, ...options });

const patchUrls = (posted_urls: unknown) => patch({ posted_urls });

const storedUrls = async (): Promise<Record<string, string> | null> =>
  (await service.call(`/api/svc/posters/${poster}`, { key })).json.posted_urls;

const records = () => db.query(sql`select from mutation_records where request->>'poster_id' = ${poster}`);

const url = (name: string) => `https://social.example.com/${name}`;

describe("an invalid body is a 400 that names the problem", () => {
  it.each<[string, unknown, RegExp]>([
    ["no field", {}, /^posted_urls: is required/],
    ["a null map", { posted_urls: null }, /^posted_urls: expected an object/],
    ["a string", { posted_urls: "https://x.example" }, /^posted_urls: expected an object/],
    ["an array", { posted_urls: ["https://x.example"] }, /^posted_urls: expected an object/],
    ["a number", { posted_urls: 1 }, /^posted_urls: expected an object/],
    ["a number as a link", { posted_urls: { x: 1 } }, /^posted_urls\.x: expected an absolute http or https URL/],
    ["an object as a link", { posted_urls: { x: {} } }, /^posted_urls\.x: expected an absolute/],
    ["an array as a link", { posted_urls: { x: ["https://x.example"] } }, /^posted_urls\.x: expected an absolute/],
    ["false as a link", { posted_urls: { x: false } }, /^posted_urls\.x: expected an absolute/],
    ["only another field", { published: true }, /^posted_urls: is required/],
    [
      "one platform in two spellings",
      { posted_urls: { Instagram: url("1"), " instagram ": url("2") } },
      /^posted_urls\." instagram ": expected each platform once/,
    ],
    ["a JSON array", [], /^body: expected a JSON object$/],
    ["JSON null", "null", /^body: expected a JSON object$/],
    ["a JSON string", '"posted_urls"', /^body: expected a JSON object$/],
    ["a JSON number", "1", /^body: expected a JSON object$/],
    ["an empty body", "", /^body: expected a JSON object/],
    ["invalid JSON", "{posted_urls: {}}", /^body: invalid JSON at line 1, column 2: expected a key/],
    ["truncated JSON", '{"posted_urls": {', /^body: invalid JSON at line 1, column 18: the text ends/],
    ["two JSON documents", "{}{}", /^body: invalid JSON at line 1, column 3: expected the end/],
    [
      "a repeated key",
      `{"posted_urls": {"x": "${url("1")}", "\\u0078": "${url("2")}"}}`,
      /^body: invalid JSON at line 1, column 55: expected each key once, but "x" is repeated$/,
    ],
  ])("%s", async (_name, body, text) => {
    const reply = await patch(body);
    expect(reply.status).toBe(400);
    expect(reply.json.error).toMatch(text);
    expect(await storedUrls()).toBeNull();
    expect(await records()).toEqual([]);
  });

  it("no content type and no body", async () => {
    const reply = await patch(undefined);
    expect(reply.status).toBe(400);
    expect(reply.json.error).toBe("body: expected a JSON object");
  });

  it("invalid UTF-8", async () => {
    const body = Buffer.concat([Buffer.from('{"posted_urls":{"caf'), Buffer.from([0xe9]), Buffer.from('":null}}')]);
    const head = `PATCH /api/svc/posters/${poster} HTTP/1.1\r\nHost: svc\r\nAuthorization: Bearer ${key}\r\n`;
    const length = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
    const reply = await sendBytes(service.url, Buffer.concat([Buffer.from(head + length), body]));
    expect(reply.status).toBe(400);
    expect(JSON.parse(reply.body)).toEqual(errorBody("invalid_input", "body: expected UTF-8", "body"));
  });

  it("lists several problems at once, and truncates a long name", async () => {
    const reply = await patchUrls({ x: "ftp://x.example", "y z": "nothing", ["n".repeat(20_000)]: url("1") });
    expect(reply.json.error).toMatch(/posted_urls\.x: .*; posted_urls\."y z": .*; posted_urls\.nnn/);
    expect(reply.text.length).toBeLessThan(1_000);
  });
});

describe("fields other than posted_urls", () => {
  it("are ignored and named, so that a whole poster can be sent back", async () => {
    const { json: before } = await service.call(`/api/svc/posters/${poster}`, { key });
    const sent = { ...before, title: "Another", published: !before.published, posted_urls: { x: url("1") } };
    const reply = await patch(sent);
    expect(reply.status, reply.text).toBe(200);
    expect(reply.json).toEqual({ ...before, posted_urls: { x: url("1") } });
    const others = Object.keys(before).filter((name) => name !== "posted_urls");
    expect(reply.headers.get("x-ignored-fields")).toBe(others.slice(0, 10).join(", "));
  });

  it("are named percent-encoded, at most ten of them", async () => {
    const many = Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`a\r\nb ${index}`, 1]));
    const { headers } = await patch({ ...many, posted_urls: {} });
    expect(headers.get("x-ignored-fields")).toMatch(/^a%0D%0Ab%200, (a%0D%0Ab%20\d, ){9}\.\.\.$/);
    expect((await patchUrls({})).headers.get("x-ignored-fields")).toBeNull();
  });
});

describe("platform names", () => {
  it("are stored as they are given", async () => {
    const names = [
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
      "می\u200cخواهم",
      'quote"and\\slash',
      "'; drop table posters; --",
    ];
    const posted = Object.fromEntries(names.map((name) => [name, url("1")]));
    const reply = await patchUrls(posted);
    expect(reply.status, reply.text).toBe(200);
    expect(await storedUrls()).toEqual(posted);
    expect((await patchUrls(Object.fromEntries(names.map((name) => [name, null])))).json.posted_urls).toBeNull();
  });

  it("are compared without case and surrounding spaces, and the newest spelling is kept", async () => {
    await patchUrls({ instagram: url("1"), ВКонтакте: url("2"), x: url("3") });
    const { json } = await patchUrls({ "  Instagram ": url("4"), вконтакте: url("5") });
    expect(json.posted_urls).toEqual({ Instagram: url("4"), вконтакте: url("5"), x: url("3") });
    expect((await patchUrls({ INSTAGRAM: null, " X": null })).json.posted_urls).toEqual({ вконтакте: url("5") });
  });

  it("are compared and stored in NFC, however their letters are composed", async () => {
    await patchUrls({ "Cafe\u0301": url("1") });
    expect(await storedUrls()).toEqual({ "Caf\u00e9": url("1") });
    expect((await patchUrls({ "caf\u00e9": url("2") })).json.posted_urls).toEqual({ "caf\u00e9": url("2") });
    expect((await patchUrls({ "caf\u00e9": url("3"), "cafe\u0301": url("4") })).status).toBe(400);
    expect((await patchUrls({ "CAFE\u0301": null })).json.posted_urls).toBeNull();
  });

  it("count as changed when only the spelling changes", async () => {
    await patchUrls({ linkedin: url("1") });
    expect((await patchUrls({ LinkedIn: url("1") })).json.posted_urls).toEqual({ LinkedIn: url("1") });
    expect(await records()).toHaveLength(2);
  });

  it("of other lengths, or with control characters, are refused", async () => {
    for (const name of [
      "",
      "a".repeat(65),
      "😀".repeat(65),
      "a\nb",
      " ",
      "\t",
      "a\u0000",
      "\u007f",
      "\u0085",
      "\ud800",
      "a\udc00b",
      "\udc00\ud800",
    ]) {
      const reply = await patchUrls({ [name]: url("1") });
      expect(reply.status, name).toBe(400);
      expect(reply.json.error, name).toMatch(/^posted_urls.*: expected a platform name of 1 to 64 characters/);
    }
    expect(await storedUrls()).toBeNull();
  });

  it("that cannot be seen are not added, only removed", async () => {
    const names = ["\u200b\ufeff\u200b", "x\u202e", "x\u200b", "\u2066x\u2069", "\u3164"];
    for (const name of names) {
      const reply = await patchUrls({ [name]: url("1") });
      expect(reply.status).toBe(400);
      expect(reply.json.error).toMatch(/^posted_urls.*: expected a platform name that can be seen/);
    }
    const old = JSON.stringify(Object.fromEntries(names.map((name) => [name, url("1")])));
    await db.query(sql`update posters set posted_urls = ${old} where id = ${poster}`);
    for (const name of names) expect((await patchUrls({ [name]: null })).status).toBe(200);
    expect(await storedUrls()).toBeNull();
  });

  it.each(["__proto__", "constructor", "prototype", "Constructor "])(
    "%s is reserved, for a link and for null",
    async (name) => {
      for (const value of [`"${url("1")}"`, "null", '{"polluted": 1}', '{"prototype": {"polluted": 1}}']) {
        const reply = await patch(`{"posted_urls": {"${name}": ${value}}}`);
        expect(reply.status).toBe(400);
        expect(reply.json.error).toMatch(/this one is reserved|expected no key named __proto__/);
      }
      const beside = await patch(`{"posted_urls": {}, "${name}": {}}`);
      expect(beside.status).toBe(name === "__proto__" ? 400 : 200);
      expect((await patch('{"posted_urls": {"\\u005f_proto__": null}}')).status).toBe(400);
      expect(({} as Record<string, unknown>).polluted).toBeUndefined();
      expect(await storedUrls()).toBeNull();
      expect(await records()).toEqual([]);
    },
  );
});

describe("links", () => {
  const long = (length: number) =>
    `https://social.example.com/${"a".repeat(length - "https://social.example.com/".length)}`;

  it("are stored as they are given", async () => {
    const posted = Object.fromEntries(
      [
        "http://x.example",
        "HTTPS://X.EXAMPLE/Path?q=1#part",
        "https://x.example:8443/a%20b",
        "https://192.0.2.1/",
        "https://[2001:db8::1]/",
        "https://bücher.example/straße",
        long(2048),
      ].map((link, index) => [`platform ${index}`, link]),
    );
    const reply = await patchUrls(posted);
    expect(reply.status, reply.text).toBe(200);
    expect(await storedUrls()).toEqual(posted);
  });

  it("of other schemes, without a host, with a password or too long are refused", async () => {
    for (const link of [
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
      "https://user:password@x.example/",
      "https://user@x.example/",
      "https://:password@x.example/",
      long(2049),
    ]) {
      const reply = await patchUrls({ x: link });
      expect(reply.status, link).toBe(400);
      expect(reply.json.error, link).toBe(
        "posted_urls.x: expected an absolute http or https URL of at most 2048 characters, without a user name or password, or null to remove it",
      );
    }
    expect(await storedUrls()).toBeNull();
  });
});

describe("sizes", () => {
  const platforms = (from: number, to: number, value: string | null = url("1")) =>
    Object.fromEntries(Array.from({ length: to - from }, (_, i) => [`platform-${from + i}`, value]));

  it("50 platforms are allowed, 51 are not, in one request or several", async () => {
    expect((await patchUrls(platforms(0, 51))).status).toBe(400);
    expect((await patchUrls(platforms(0, 50))).status).toBe(200);
    const reply = await patchUrls({ "one more": url("1") });
    expect(reply.status).toBe(400);
    expect(reply.json.error).toMatch(/^posted_urls: a poster keeps links of at most 50 platforms, this would make 51/);
    expect(Object.keys((await storedUrls()) ?? {})).toHaveLength(50);
    expect((await patchUrls({ "one more": url("1"), "platform-0": null })).status).toBe(200);
    expect((await patchUrls(platforms(0, 200, null))).json.posted_urls).toEqual({ "one more": url("1") });
  });

  it("a body of 64 KiB is accepted, one byte more is a 413, with and without Content-Length", async () => {
    const padded = (bytes: number) => '{"posted_urls": {}}'.padEnd(bytes);
    expect((await patch(padded(65_536))).status).toBe(200);
    const tooLarge = await patch(padded(65_537));
    expect(tooLarge.status).toBe(413);
    expect(tooLarge.json).toEqual(errorBody("too_large", "body: expected at most 65536 bytes", "body"));
    const chunked = await sendBytes(
      service.url,
      `PATCH /api/svc/posters/${poster} HTTP/1.1\r\nHost: svc\r\nAuthorization: Bearer ${key}\r\n` +
        `Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n10001\r\n${padded(65_537)}\r\n0\r\n\r\n`,
    );
    expect(chunked.status).toBe(413);
    expect(JSON.parse(chunked.body)).toEqual({ ...tooLarge.json, request_id: expect.any(String) });
  });
});

describe("content types", () => {
  const body = JSON.stringify({ posted_urls: { x: url("1") } });

  it.each([
    "application/json",
    "application/json; charset=utf-8",
    "Application/JSON;charset=UTF-8",
    "application/merge-patch+json",
    "Application/Merge-Patch+JSON; charset=utf-8",
  ])("%s is accepted", async (type) => {
    expect((await patch(body, { headers: { "content-type": type } })).status).toBe(200);
  });

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
    expect(reply.json).toEqual(
      errorBody("unsupported_media_type", "Content-Type: expected application/json", "Content-Type"),
    );
  });
});
