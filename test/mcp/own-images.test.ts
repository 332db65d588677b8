import sql from "sql-template-tag";
import { describe, expect, it } from "vitest";
import { publicUrl } from "../support/service.js";
import { useDatabase, useEvent } from "../support/setup.js";

/** Tools are given the address of an image that the service stores itself: rows have its path, which follows PUBLIC_URL. */

const { db, make } = useDatabase();
const { tools, fixture } = useEvent(db);

const ownImage = async () => `/images/${await make.image("image/webp")}`;

const rowOf = {
  organizations: () => sql`select to_jsonb(o) as row from organizations o where id = ${fixture.organizationId}`,
  events: () => sql`select to_jsonb(e) as row from events e where id = ${fixture.eventId}`,
  speakers: () => sql`
    select to_jsonb(s) as row from speakers s where event_id = ${fixture.eventId} order by name = 'New' desc, position limit 1`,
};

async function storedValue(table: keyof typeof rowOf, column: string): Promise<string | undefined> {
  const [found] = await db.query<{ row: Record<string, string> }>(rowOf[table]());
  return found?.row[column];
}

const uses: [tool: string, table: keyof typeof rowOf, column: string, args: () => object][] = [
  ["set_organization_logo_urls", "organizations", "logo_url", () => ({})],
  ["set_organization_logo_urls", "organizations", "logo_dark_url", () => ({})],
  ["update_event_details", "events", "tile_image_url", () => ({})],
  ["add_event_speaker", "speakers", "photo_url", () => ({ name: "New" })],
  ["update_event_speaker", "speakers", "photo_url", () => ({ speaker_id: fixture.speakerIds[0] })],
];

describe.each(uses)("%s: %s.%s", (tool, table, column, args) => {
  it("refuses an image that is not stored, stores the path, shows the address, and keeps the image", async () => {
    const none = `/images/${"0".repeat(64)}.webp`;
    const { code, message } = await tools.refusal(tool, { ...args(), [column]: publicUrl + none });
    expect(code).toBe("conflict");
    expect(message).toContain(`does not store the image ${none}`);
    const path = await ownImage();
    const hash = path.slice("/images/".length, -".webp".length);
    await db.query(sql`update images set created_at = now() - interval '3 days' where hash = ${hash}`);
    const { after, preview } = await tools.commit(tool, { ...args(), [column]: publicUrl + path });
    expect(await storedValue(table, column)).toBe(path);
    expect(JSON.stringify(after)).toContain(`"${column}":"${publicUrl}${path}"`);
    expect(preview.warnings).toEqual([]);
    const [image] = await db.query(
      sql`select from images where hash = ${hash} and created_at > now() - interval '1 hour'`,
    );
    expect(image).toBeDefined();
  });
});

it("addresses of others, and of pages of the service, stay as they are", async () => {
  for (const address of [`https://other.example.com${await ownImage()}`, `${publicUrl}/images/logo.png`]) {
    await tools.commit("set_organization_logo_urls", { logo_url: address });
    expect(await storedValue("organizations", "logo_url")).toBe(address);
  }
});
