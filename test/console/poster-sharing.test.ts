import { crc32 } from "node:zlib";
import sql from "sql-template-tag";
import { beforeEach, describe, expect, it } from "vitest";
import { archivedPosters } from "../../src/modules/posters/picture-archive.js";
import { createEventFixture, type EventFixture } from "../support/event-fixture.js";
import { useService } from "../support/setup.js";
import { startConsole } from "./support.js";

// What people do by hand that posting agents do with keys: take the pictures along, and note where they were posted.

const { service, make } = useService(startConsole);
let fixture: EventFixture;
let cookie: string;

beforeEach(async () => {
  fixture = await createEventFixture(service.db);
  cookie = await service.signIn(fixture.caller.userId);
});

type StoredFile = { name: string; bytes: Buffer };

/** The files of an archive, by its directory; each has the checksum that it says. */
function filesOf(archive: Buffer): StoredFile[] {
  const end = archive.length - 22;
  expect(archive.readUInt32LE(end)).toBe(0x06054b50);
  let at = archive.readUInt32LE(end + 16);
  return Array.from({ length: archive.readUInt16LE(end + 10) }, () => {
    const [checksum, size, nameLength] = [
      ...[archive.readUInt32LE(at + 16), archive.readUInt32LE(at + 24), archive.readUInt16LE(at + 28)],
    ] as [number, number, number];
    const start = archive.readUInt32LE(at + 42) + 30 + nameLength;
    const name = archive.toString("utf8", at + 46, at + 46 + nameLength);
    const bytes = archive.subarray(start, start + size);
    expect(crc32(bytes)).toBe(checksum);
    at += 46 + nameLength;
    return { name, bytes };
  });
}

const fetchArchive = (event: string, session = cookie, organization = fixture.organizationId) =>
  fetch(`${service.url}/api/console/organizations/${organization}/events/${event}/pictures.zip`, {
    headers: { cookie: session },
  });

describe("the pictures of an event", () => {
  it("are one archive under readable names, drafts apart, with a list of what is elsewhere", async () => {
    const image = await make.image();
    await service.db.query(sql`delete from posters where event_id = ${fixture.eventId}`);
    await service.db.query(sql`
      insert into posters (event_id, image_url, title, published, metadata, sort_order)
      values (${fixture.eventId}, ${`/images/${image}`}, 'Pier: São Bento', true, '{"format": "square"}', 1),
        (${fixture.eventId}, ${`/images/${image}`}, null, false, '{}', 2),
        (${fixture.eventId}, 'https://pictures.example/a.png', 'Elsewhere', true, '{}', 3)`);
    const response = await fetchArchive(fixture.eventId);
    expect(response.headers.get("content-type")).toBe("application/zip");
    expect(response.headers.get("content-disposition")).toBe('attachment; filename="posters-test-event.zip"');
    const files = filesOf(Buffer.from(await response.arrayBuffer()));
    expect(files.map(({ name }) => name)).toEqual([
      ...["01 Pier São Bento – square.png", "drafts/02 Test Event.png", "not included.txt"],
    ]);
    const stored = await fetch(`${service.url}/images/${image}`);
    expect(files[0]?.bytes).toEqual(Buffer.from(await stored.arrayBuffer()));
    expect(files[2]?.bytes.toString()).toBe("03 Elsewhere.png: https://pictures.example/a.png\n");
  });

  it("are at most as many as an archive has", async () => {
    const image = await make.image();
    await service.db.query(sql`
      insert into posters (event_id, image_url, published)
      select ${fixture.eventId}, ${`/images/${image}`}, true from generate_series(1, ${archivedPosters}::int)`);
    const files = filesOf(Buffer.from(await (await fetchArchive(fixture.eventId)).arrayBuffer()));
    expect(files.length).toBeLessThanOrEqual(archivedPosters + 1);
    expect(files.at(-1)?.bytes.toString()).toContain(
      `An archive has at most ${archivedPosters} posters: there are more.`,
    );
  });

  it("are for organizations that host it", async () => {
    const { otherOrganizationId } = fixture;
    const stranger = await service.signIn(await make.member(otherOrganizationId, "owner"));
    expect((await fetchArchive(fixture.eventId, stranger, otherOrganizationId)).status).toBe(403);
  });
});

describe("links of posts", () => {
  const set = (posted_urls: Record<string, string | null>, session = cookie) =>
    service.change(fixture.organizationId, session, "set_event_poster_links", {
      event_id: fixture.eventId,
      poster_id: fixture.posterId,
      posted_urls,
    });
  const storedLinks = async () => {
    const [row] = await service.db.query<{ urls: Record<string, string> | null }>(
      sql`select posted_urls as urls from posters where id = ${fixture.posterId}`,
    );
    return row?.urls ?? null;
  };
  const publish = () => service.db.query(sql`update posters set published = true where id = ${fixture.posterId}`);
  const mine = "https://www.linkedin.com/posts/harbour-1";

  it("are noted, replaced and removed by people, and that is undone like every change", async () => {
    await publish();
    await service.db.query(
      sql`update posters set posted_urls = '{"X": "https://x.com/1"}' where id = ${fixture.posterId}`,
    );
    const noted = await set({ LinkedIn: mine });
    expect(noted.status, noted.text).toBe(200);
    expect(await storedLinks()).toEqual({ X: "https://x.com/1", LinkedIn: mine });
    const removed = await set({ x: null });
    expect(await storedLinks()).toEqual({ LinkedIn: mine });
    const undone = await service.change(fixture.organizationId, cookie, "revert_change", {
      record_id: removed.json.record_id,
    });
    expect(undone.status, undone.text).toBe(200);
    expect(await storedLinks()).toEqual({ X: "https://x.com/1", LinkedIn: mine });
  });

  it.each([
    ["no address", { LinkedIn: "not an address" }],
    ["a script", { LinkedIn: "javascript:alert(1)" }],
    ["a password", { LinkedIn: "https://me:secret@example.com/1" }],
  ])("are refused with %s", async (_, urls) => {
    await publish();
    expect((await set(urls)).status).toBe(400);
    expect(await storedLinks()).toBeNull();
  });
});
