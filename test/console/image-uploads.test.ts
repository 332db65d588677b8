import { deflateSync } from "node:zlib";
import sharp from "sharp";
import sql from "sql-template-tag";
import { beforeAll, describe, expect, it } from "vitest";
import { pictureLimits, pictureSizes } from "../../contract/pictures.js";
import type { Reply } from "../support/call.js";
import { createEventFixture, type EventFixture } from "../support/event-fixture.js";
import { useService } from "../support/setup.js";
import { startConsole } from "./support.js";

/** Pictures that people upload: who may, what is stored of them, and how they are served. */

const { service, db, make } = useService(() => startConsole({}, { consoleLimit: 100_000 }));
let fixture: EventFixture;
let owner: string;

beforeAll(async () => {
  fixture = await createEventFixture(db);
  owner = await service.signIn(fixture.caller.userId);
});

type Sent = { cookie?: string; query?: string; organization?: string; headers?: Record<string, string> };

function upload(bytes: Buffer | string, { cookie = owner, query = "use=photo", organization, headers }: Sent = {}) {
  const path = `organizations/${organization ?? fixture.organizationId}/images?${query}`;
  return service.post(path, cookie, bytes, { headers: { "content-type": "image/png", ...headers } });
}

/** A picture with a structure, so that its pixels can be compared. */
function picture(width = 60, height = 40) {
  const svg = `<svg width="${width}" height="${height}" xmlns="http://www.w3.org/2000/svg"><rect width="${width}" height="${height}" fill="#c02020"/><rect width="${width / 2}" height="${height / 2}" fill="#2040c0"/></svg>`;
  return sharp(Buffer.from(svg));
}

async function stored(reply: Reply): Promise<Buffer> {
  expect(reply.status, reply.text).toBe(201);
  const [image] = await db.query<{ bytes: Buffer }>(
    sql`select bytes from images where hash = ${/[0-9a-f]{64}/.exec(reply.json.url)?.[0]}`,
  );
  return image?.bytes ?? Buffer.alloc(0);
}

describe("a picture", () => {
  it.each(["png", "jpeg", "webp"] as const)("as %s is stored as WebP and served by its URL", async (format) => {
    const reply = await upload(await picture().toFormat(format).toBuffer());
    expect(reply.status, reply.text).toBe(201);
    const { url, width, height, size } = reply.json;
    expect({ width, height }).toEqual({ width: 60, height: 40 });
    expect(url).toMatch(/^https:\/\/svc\.test\/images\/[0-9a-f]{64}\.webp$/);
    const image = await fetch(service.url + new URL(url).pathname);
    expect(image.headers.get("content-type")).toBe("image/webp");
    expect(image.headers.get("x-content-type-options")).toBe("nosniff");
    expect((await image.arrayBuffer()).byteLength).toBe(size);
  });

  it("is scaled down to what it is used for", async () => {
    const large = await picture(4_000, 2_000).png().toBuffer();
    for (const [use, { width }] of Object.entries(pictureSizes)) {
      if (use === "banner") continue;
      const { status, json, text } = await upload(large, { query: `use=${use}` });
      expect(status, text).toBe(201);
      expect(json, use).toMatchObject({ width, height: width / 2 });
    }
  });

  it("as a poster is a JPEG, which every platform takes, on white", async () => {
    const clear = await sharp({ create: { width: 20, height: 20, channels: 4, background: "#00000000" } })
      .png()
      .toBuffer();
    const reply = await upload(clear, { query: "use=poster" });
    expect(reply.json.url).toMatch(/\.jpg$/);
    const { data } = await sharp(await stored(reply))
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect([...data.subarray(0, 3)]).toEqual([255, 255, 255]);
  });

  it("is turned as its camera was held, and says no longer where it was taken", async () => {
    const sent = await picture()
      .jpeg()
      .withMetadata({ orientation: 6 })
      .withExifMerge({ IFD3: { GPSLatitude: "38/1 42/1 0/1", GPSLatitudeRef: "N" } })
      .toBuffer();
    expect(await sharp(sent).metadata()).toMatchObject({ orientation: 6, exif: expect.any(Buffer) });
    const reply = await upload(sent);
    expect(reply.json).toMatchObject({ width: 40, height: 60 });
    const { exif, xmp, orientation } = await sharp(await stored(reply)).metadata();
    expect({ exif, xmp, orientation }).toEqual({ exif: undefined, xmp: undefined, orientation: undefined });
  });

  it("keeps nothing of what follows it in the file", async () => {
    const page = "<html><script>alert(1)</script></html>";
    const reply = await upload(Buffer.concat([await picture().png().toBuffer(), Buffer.from(page)]));
    expect((await stored(reply)).includes("<script>")).toBe(false);
  });

  it("can be uploaded again, and counts once", async () => {
    const bytes = await picture(33, 44).png().toBuffer();
    const first = await upload(bytes);
    const again = await upload(bytes);
    expect(again.json).toEqual(first.json);
  });
});

const notPictures: [string, () => Promise<Buffer> | Buffer][] = [
  ["HTML", () => Buffer.from("<!doctype html><title>A page</title>")],
  ["SVG", () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
  ["GIF", () => picture().gif().toBuffer()],
  ["text", () => Buffer.from("hello")],
  ["nothing", () => Buffer.alloc(0)],
];

describe("a file that is no picture", () => {
  it.each(notPictures)("%s", async (_, make) => {
    const { status, json } = await upload(await make());
    expect(status).toBe(400);
    expect(json).toMatchObject({
      field: "body",
      error: "The file is not a PNG, JPEG or WebP image. Nothing was stored",
    });
  });

  it.each(["png", "jpeg", "webp"] as const)("a damaged %s", async (format) => {
    const whole = await picture(300, 200).toFormat(format).toBuffer();
    const { status, json } = await upload(whole.subarray(0, whole.length / 2));
    expect(status).toBe(400);
    expect(json.error).toBe("The file cannot be decoded: it may be damaged. Nothing was stored");
  });

  it("a few bytes that decode to 400 million pixels", async () => {
    const started = process.cpuUsage();
    const bomb = blackPng(20_000, 20_000);
    expect(bomb.length).toBeLessThan(100_000);
    const { status, json } = await upload(bomb);
    expect(status).toBe(400);
    expect(json.error).toBe("The file has more than 25 megapixels. Nothing was stored");
    const { user, system } = process.cpuUsage(started);
    expect((user + system) / 1_000_000).toBeLessThan(5);
  });

  it("of another type than pictures is not read", async () => {
    const { status, json } = await upload("{}", { headers: { "content-type": "application/json" } });
    expect(status).toBe(415);
    expect(json.error).toBe("Content-Type: expected one of image/png, image/jpeg, image/webp");
  });

  it.each([
    ["announced", (bytes: Buffer) => bytes],
    ["found while it is read", (bytes: Buffer) => new Blob([bytes]).stream()],
  ])("too large, %s", async (_, body) => {
    const response = await fetch(
      `${service.url}/api/console/organizations/${fixture.organizationId}/images?use=photo`,
      {
        method: "POST",
        headers: { origin: service.url, cookie: owner, "content-type": "image/png" },
        body: body(Buffer.alloc(pictureLimits.bytes + 1)),
        duplex: "half",
      } as RequestInit,
    );
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ error: "body: expected at most 10000000 bytes" });
  });
});

describe("who may upload", () => {
  const bytes = () => picture(8, 8).png().toBuffer();

  it.each([
    ["member", "logo", 403],
    ["member", "photo", 403],
    ["member", "poster", 403],
    ["admin", "logo", 403],
    ["admin", "photo", 201],
    ["admin", "tile", 201],
    ["admin", "poster", 201],
    ["owner", "logo", 201],
  ] as const)("%s, a %s: %i", async (role, use, expected) => {
    const cookie = await service.signIn(await make.member(fixture.organizationId, role));
    expect((await upload(await bytes(), { cookie, query: `use=${use}` })).status).toBe(expected);
  });

  it("nobody for another organization, or for an event that theirs does not host", async () => {
    expect((await upload(await bytes(), { organization: fixture.otherOrganizationId })).status).toBe(404);
    const event = await make.event(await make.conference(), { hosts: [fixture.otherOrganizationId] });
    const reply = await upload(await bytes(), { query: `use=tile&event=${event}` });
    expect(reply.status).toBe(403);
    expect((await upload(await bytes(), { query: `use=tile&event=${fixture.eventId}` })).status).toBe(201);
  });

  it("a banner, administrators of the platform only", async () => {
    const path = "admin/images?use=banner";
    const administrator = await make.platformAdministrator();
    const headers = { "content-type": "image/png" };
    expect((await upload(await bytes(), { query: "use=banner" })).status).toBe(400);
    expect((await service.post(path, owner, await bytes(), { headers })).status).toBe(403);
    const cookie = await service.signIn(administrator);
    const reply = await service.post(path, cookie, await bytes(), { headers });
    expect(reply.status, reply.text).toBe(201);
    const { url } = reply.json;
    const change = { conference_id: fixture.conferenceId, banner_thumbnail_url: url };
    const committed = await service.administer(cookie, "update_conference", change);
    expect(committed.json.after.banner_thumbnail_url).toBe(url);
    const [stored] = await db.query(
      sql`select banner_thumbnail_url as banner from conferences where id = ${fixture.conferenceId}`,
    );
    expect(stored).toEqual({ banner: new URL(url).pathname });
  });

  it("the tile of any event, administrators of the platform, in the quota of its host", async () => {
    const administrator = await make.platformAdministrator();
    const cookie = await service.signIn(administrator);
    const headers = { "content-type": "image/png" };
    const event = await make.event(await make.conference(), { hosts: [fixture.otherOrganizationId], status: "draft" });
    const send = async (query: string, by = cookie) =>
      service.post(`admin/images?${query}`, by, await picture(21, 22).png().toBuffer(), { headers });
    for (const query of ["use=tile", `use=banner&event=${event}`, "use=logo", `use=tile&event=${"x".repeat(36)}`]) {
      expect((await send(query)).status, query).toBe(400);
    }
    expect((await send(`use=tile&event=${fixture.organizationId}`)).status).toBe(404);
    expect((await send(`use=tile&event=${event}`, owner)).status).toBe(403);
    const reply = await send(`use=tile&event=${event}`);
    expect(reply.status, reply.text).toBe(201);
    const { url } = reply.json;
    const uploads = await db.query(sql`
      select organization_id, uploaded_by from image_uploads where hash = ${/[0-9a-f]{64}/.exec(url)?.[0]}`);
    expect(uploads).toEqual([{ organization_id: fixture.otherOrganizationId, uploaded_by: administrator }]);
    const committed = await service.administer(cookie, "update_event", { event_id: event, tile_image_url: url });
    expect(committed.json.after.tile_image_url).toBe(url);
    const [stored] = await db.query(sql`select tile_image_url as tile from events where id = ${event}`);
    expect(stored).toEqual({ tile: new URL(url).pathname });
    const gone = { event_id: event, tile_image_url: url.replace(/[0-9a-f]{64}/, "0".repeat(64)) };
    expect((await service.post("admin/tools/update_event", cookie, gone)).status).toBe(409);
  });
});

/** A PNG of one colour whose lines compress to nearly nothing. */
function blackPng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([1, 0], 8);
  const lines = Buffer.alloc((1 + width / 8) * height);
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    pngChunk("IHDR", header),
    pngChunk("IDAT", deflateSync(lines, { level: 9 })),
    pngChunk("IEND", Buffer.alloc(0)),
  ]);
}

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

function crc32(bytes: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}
