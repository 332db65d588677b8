import { createHash } from "node:crypto";
import sharp from "sharp";
import sql from "sql-template-tag";
import type { Database } from "../../src/infra/database/db.js";
import { type Image, imagePath, imageStore } from "../../src/modules/images/store.js";
import { makerOn } from "./make.js";

/** An organization as it may look on a weekday morning: events in two conferences, posters of all formats, guests, keys. */
export type DashboardFixture = {
  organizationId: string;
  slug: string;
  ownerId: string;
  conferenceIds: string[];
  /** The first is in the first conference, and has the most guests. */
  eventIds: string[];
  posterIds: string[];
};

const names = [
  "Opening night at the harbour",
  "Workshop: durable queues in practice, from the first message to the millionth and what happens in between",
  "لقاء مطوري الويب في لشبونة",
  "Founders' breakfast",
];
const formats = { portrait: [1080, 1350], square: [1080, 1080], story: [1080, 1920], landscape: [1200, 630] } as const;

export async function createDashboardFixture(db: Database): Promise<DashboardFixture> {
  const make = makerOn(db);
  const organizationId = await make.organization("Harbour Works");
  const ownerId = await make.member(organizationId, "owner");
  const slug = `harbour-${organizationId.slice(0, 8)}`;
  await db.query(sql`update organizations set slug = ${slug} where id = ${organizationId}`);
  await db.query(sql`update users set name = 'Ana Silva' where id = ${ownerId}`);
  const conferenceIds = [await make.conference(), await make.conference({ start_date: "2031-09-01" })];
  const eventIds: string[] = [];
  for (const [index, name] of names.entries()) {
    const id = await make.event(conferenceIds[index % 2] ?? "", { hosts: [organizationId] });
    await db.query(sql`
      update events set name = ${name}, venue = 'Pier 4', capacity = 120, timezone = ${index % 2 === 0 ? "Europe/Lisbon" : "Asia/Tokyo"},
        start_time = now() + ${3 + index * 9} * interval '1 day', end_time = now() + ${3 + index * 9} * interval '1 day' + interval '3 hours'
      where id = ${id}`);
    await db.query(sql`
      insert into registrations (event_id, name, email, status)
      select ${id}, 'Guest ' || n, 'guest' || n || '@example.com', case when n % 4 = 0 then 'pending' else 'approved' end
      from generate_series(1, ${12 - index * 3}::int) n`);
    eventIds.push(id);
  }
  const posterIds = await addPosters(db, eventIds);
  await make.organizationKey(organizationId, { userId: ownerId });
  await db.query(sql`
    update api_keys set name = 'Poster bot', created_at = now() - interval '84 days', expires_at = now() + interval '6 days'
    where organization_id = ${organizationId}`);
  return { organizationId, slug, ownerId, conferenceIds, eventIds, posterIds };
}

async function addPosters(db: Database, eventIds: string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const [index, [format, [width, height]]] of [...Object.entries(formats), ...Object.entries(formats)].entries()) {
    const image = await drawPoster(db, width, height, index * 45);
    const [row] = await db.query<{ id: string }>(sql`
      insert into posters (event_id, image_url, thumbnail_url, title, published, metadata, created_at)
      values (${eventIds[index % eventIds.length]}, ${image}, ${image}, ${`${format} no. ${index + 1}`}, ${index % 4 !== 3},
        ${JSON.stringify({ width, height, format, alt_text: `A ${format} poster` })}, now() - ${index} * interval '1 hour')
      returning id`);
    ids.push(row?.id ?? "");
  }
  const links = (n: number) => ({
    x: `https://x.com/harbour/status/100${n}`,
    linkedin: `https://www.linkedin.com/posts/harbour-${n}`,
    instagram: `https://www.instagram.com/p/harbour${n}`,
  });
  for (const n of [0, 1]) {
    await db.query(sql`update posters set posted_urls = ${JSON.stringify(links(n))} where id = ${ids[n + 4]}`);
  }
  return ids;
}

async function drawPoster(db: Database, width: number, height: number, hue: number): Promise<string> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <rect width="100%" height="100%" fill="hsl(${hue} 60% 40%)"/><circle cx="70%" cy="30%" r="28%" fill="hsl(${hue + 60} 80% 60%)"/></svg>`;
  const bytes = await sharp(Buffer.from(svg)).resize(320).png().toBuffer();
  const image: Image = { hash: createHash("sha256").update(bytes).digest("hex"), contentType: "image/png", bytes };
  await imageStore(db).save([image]);
  return imagePath(image);
}
