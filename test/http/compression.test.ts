import { brotliDecompressSync, gunzipSync } from "node:zlib";
import sql from "sql-template-tag";
import { beforeAll, describe, expect, it } from "vitest";
import { createCompressor } from "../../src/infra/compress.js";
import { representationOf } from "../../src/infra/representation.js";
import { legacy } from "../mcp/messages.js";
import { useService } from "../support/setup.js";

const { service, db, make } = useService();
let key: string;
let organizationKey: string;
let image: string;
let list: string;

beforeAll(async () => {
  const organization = await make.organization();
  const conference = await make.conference();
  const event = await make.event(conference, { hosts: [organization] });
  await make.posters(event, Array(10).fill({}));
  image = await make.image();
  await db.query(sql`update images set bytes = ${Buffer.alloc(5000)} where hash = ${image.slice(0, 64)}`);
  key = await make.conferenceKey(conference);
  organizationKey = await make.organizationKey(organization);
  list = `/api/svc/events/${event}/posters`;
});

/** Node's fetch decodes bodies, so its text proves that they decode. */
const get = (path: string, acceptEncoding: string) =>
  service.call(path, { key, headers: { "accept-encoding": acceptEncoding } });

describe("JSON above 1 KB", () => {
  it.each([
    ["gzip", "gzip"],
    ["br", "br"],
    ["br", "gzip, deflate, br"],
    ["br", "*"],
    ["gzip", "br;q=0.5, gzip;q=0.8"],
    ["gzip", "GZIP ; q=0.1"],
    [null, "identity"],
    [null, "deflate, zstd"],
    [null, "gzip;q=0, br; q=0.0"],
    [null, "gzip;q=0.5, identity"],
    [null, "*;q=0"],
  ])("is sent as %s to a client that accepts %s", async (coding, accepted) => {
    const plain = await get(list, "identity");
    const reply = await get(list, accepted);
    expect(reply.headers.get("content-encoding")).toBe(coding);
    expect(reply.headers.get("vary")).toBe("Authorization, Accept-Encoding");
    expect(reply.text).toBe(plain.text);
    if (coding !== null) expect(Number(reply.headers.get("content-length"))).toBeLessThan(plain.text.length / 3);
  });

  it("has an ETag of its own for each coding, and any of them gives a 304", async () => {
    const etags = [];
    for (const coding of ["identity", "gzip", "br"]) etags.push((await get(list, coding)).headers.get("etag") ?? "");
    expect(new Set(etags).size).toBe(3);
    for (const etag of etags) {
      const reply = await service.call(list, { key, headers: { "if-none-match": etag, "accept-encoding": "gzip" } });
      expect(reply.status).toBe(304);
      expect(reply.headers.get("etag")).toBe(etag);
      expect(reply.headers.get("content-encoding")).toBeNull();
      expect(reply.headers.get("vary")).toBe("Authorization, Accept-Encoding");
    }
  });

  it("includes the API description, OpenAPI and MCP results", async () => {
    for (const path of ["/api/svc", "/openapi.json"]) {
      expect((await get(path, "gzip")).headers.get("content-encoding")).toBe("gzip");
    }
    const body = legacy("tools/list");
    const reply = await service.call("/api/mcp", {
      key: organizationKey,
      method: "POST",
      body,
      headers: { "accept-encoding": "br" },
    });
    expect(reply.headers.get("content-encoding")).toBe("br");
    expect(reply.json.result.tools.length).toBeGreaterThan(20);
  });
});

describe("what is never compressed", () => {
  it("small bodies and errors", async () => {
    for (const path of ["/api/svc/ping", "/api/svc/nothing", `${list}?limit=1`]) {
      const { headers } = await get(path, "gzip, br");
      expect(headers.get("content-encoding")).toBeNull();
      expect(headers.get("vary") ?? "").not.toContain("Accept-Encoding");
    }
  });

  it("images", async () => {
    const { headers, status } = await get(`/images/${image}`, "gzip, br");
    expect(status).toBe(200);
    expect(headers.get("content-encoding")).toBeNull();
  });
});

describe("createCompressor", () => {
  it("sends bodies as they are while it compresses as many as it may, and resumes afterwards", async () => {
    const compress = createCompressor(2);
    const body = JSON.stringify(Array.from({ length: 1000 }, (_, i) => `text ${i}`));
    const results = await Promise.all(
      ["gzip", "br", "gzip"].map((coding) => compress(representationOf({ body }), coding)),
    );
    expect(results.map(({ coding }) => coding)).toEqual(["gzip", "br", undefined]);
    expect(gunzipSync(results[0]?.body ?? "").toString()).toBe(body);
    expect(brotliDecompressSync(results[1]?.body ?? "").toString()).toBe(body);
    expect(results[2]?.body.toString()).toBe(body);
    expect((await compress(representationOf({ body }), "gzip")).coding).toBe("gzip");
  });

  it("measures bytes, not characters", async () => {
    const compress = createCompressor();
    expect((await compress(representationOf({ body: "é".repeat(512) }), "gzip")).coding).toBeUndefined();
    expect((await compress(representationOf({ body: "é".repeat(513) }), "gzip")).coding).toBe("gzip");
  });
});
