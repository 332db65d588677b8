import { createHash, randomBytes, randomUUID } from "node:crypto";
import sharp from "sharp";
import sql from "sql-template-tag";
import type { Role } from "../../contract/roles.js";
import { type Scope, scopes } from "../../contract/scopes.js";
import { createKey } from "../../src/access/key-store.js";
import type { Queryable } from "../../src/infra/database/db.js";
import { type Image, imageOf, imagePath, imageStore } from "../../src/modules/images/store.js";
import type { PosterFacts } from "../../src/modules/posters/rules.js";
import { factsNow } from "../../src/modules/posters/store.js";

type DrawnPoster = {
  shows?: Partial<PosterFacts>;
  metadata?: Record<string, unknown>;
  published?: boolean;
  sort_order?: number;
  title?: string | null;
  posted_urls?: Record<string, string>;
};

/** Inserts rows for tests. Each test uses its own rows, so that tests can share a database. */
export function makerOn(db: Queryable) {
  const insert = async (statement: ReturnType<typeof sql>): Promise<string> => {
    const [row] = await db.query<{ id: string }>(statement);
    if (row === undefined) throw new Error("nothing was inserted");
    return row.id;
  };

  const make = {
    user: (name = "Test Person") =>
      insert(sql`insert into users (email, name) values (${`${randomUUID()}@example.com`}, ${name}) returning id`),

    platformAdministrator: (name = "Ada Min") =>
      insert(sql`
        insert into users (email, name, platform_admin) values (${`${randomUUID()}@example.com`}, ${name}, true)
        returning id`),

    organization: (name = "Test Organization") =>
      insert(sql`insert into organizations (name, slug) values (${name}, ${randomUUID()}) returning id`),

    async member(organizationId: string, role: Role = "owner"): Promise<string> {
      const userId = await make.user();
      await db.query(
        sql`insert into members (organization_id, user_id, role) values (${organizationId}, ${userId}, ${role})`,
      );
      return userId;
    },

    invitation: (organizationId: string, role: Role = "member") =>
      insert(sql`
        insert into invitations (token_hash, email, organization_id, role, invited_by, by_operator, expires_at)
        values (
          ${randomBytes(32)}, ${`${randomUUID()}@example.com`}, ${organizationId}, ${role}, 'Test Person', true,
          now() + interval '7 days')
        returning id`),

    /** An offer of an event by an owner of its host, who is made if there is none. */
    async hostOffer(eventId: string, from: string, to: string): Promise<void> {
      const [owner] = await db.query<{ user_id: string }>(
        sql`select user_id from members where organization_id = ${from} and role = 'owner' limit 1`,
      );
      const offeredBy = owner?.user_id ?? (await make.member(from));
      await db.query(sql`
        insert into host_offers (event_id, from_organization_id, to_organization_id, offered_by)
        values (${eventId}, ${from}, ${to}, ${offeredBy})`);
    },

    conference: (fields: { status?: string; start_date?: string; id?: string } = {}) =>
      insert(sql`
        insert into conferences
          (id, name, slug, short_name, description, city, start_date, end_date, timezone, status, category)
        values (
          ${fields.id ?? randomUUID()}, 'Test Conference', ${randomUUID()}, 'Test', 'A conference for tests', 'Lisbon',
          ${fields.start_date ?? "2031-05-01"}, '2031-12-31', 'Europe/Lisbon', ${fields.status ?? "published"},
          'mainline')
        returning id`),

    async event(
      conferenceId: string,
      fields: {
        name?: string;
        status?: string;
        category?: string;
        start_time?: string;
        end_time?: string;
        hosts?: string[];
        id?: string;
      } = {},
    ): Promise<string> {
      const start = fields.start_time ?? "2031-05-01T18:00:00Z";
      const id = await insert(sql`
        insert into events (id, conference_id, name, start_time, end_time, timezone, status, category)
        values (
          ${fields.id ?? randomUUID()}, ${conferenceId}, ${fields.name ?? "Test Event"}, ${start},
          coalesce(${fields.end_time ?? null}, ${start}::timestamptz + interval '2 hours'), 'Europe/Lisbon', ${fields.status ?? "published"},
          ${fields.category ?? "mainline"})
        returning id`);
      for (const [position, organizationId] of (fields.hosts ?? []).entries()) {
        await db.query(sql`
          insert into event_hosts (event_id, organization_id, role, position)
          values (${id}, ${organizationId}, ${position === 0 ? "host" : "co_host"}, ${position})`);
      }
      return id;
    },

    /** A draft that an organization proposes. */
    async proposal(
      conferenceId: string,
      organizationId: string,
      { returned, ...fields }: { returned?: string; name?: string; start_time?: string; end_time?: string } = {},
    ): Promise<string> {
      const id = await make.event(conferenceId, { ...fields, status: "draft", hosts: [organizationId] });
      const reason = returned ?? null;
      await db.query(sql`
        insert into event_proposals (event_id, organization_id, return_reason, returned_at)
        values (${id}, ${organizationId}, ${reason}, case when ${reason}::text is not null then now() end)`);
      return id;
    },

    poster: (eventId: string, fields: { published?: boolean; sort_order?: number; created_at?: string } = {}) =>
      insert(sql`
        insert into posters (event_id, image_url, title, published, sort_order, created_at)
        values (
          ${eventId}, 'https://images.example.com/poster.png', 'Test Poster', ${fields.published ?? true},
          ${fields.sort_order ?? 0}, ${fields.created_at ?? "2026-01-01T00:00:00Z"})
        returning id`),

    /** A poster as the service stores what it has drawn. `shows` is what it shows otherwise than the event is now. */
    async drawnPoster(eventId: string, fields: DrawnPoster = {}): Promise<string> {
      const { shows = {}, metadata = {}, published = false, sort_order = 0, title = "Test Event" } = fields;
      const described = {
        style: "headline",
        format: "square",
        width: 1080,
        height: 1080,
        alt_text: "As it was",
        when: "Then",
        where: "There",
        generator: { name: "event-platform poster renderer", template: "headline" },
        ...metadata,
      };
      const [image, thumbnail] = [`/images/${await make.image()}`, `/images/${await make.image()}`];
      return insert(sql`
        insert into posters (event_id, image_url, thumbnail_url, title, published, sort_order, metadata, posted_urls, drawn_from)
        select e.id, ${image}, ${thumbnail}, ${title}, ${published}, ${sort_order}, ${JSON.stringify(described)},
          ${fields.posted_urls ? JSON.stringify(fields.posted_urls) : null},
          ${factsNow}::jsonb || ${JSON.stringify(shows)}::jsonb
        from events e where e.id = ${eventId} returning id`);
    },

    /** Inserts several posters of an event and returns their ids. */
    async posters(
      eventId: string,
      rows: { published?: boolean; sort_order?: number; created_at?: string }[],
    ): Promise<string[]> {
      const inserted = await db.query<{ id: string }>(sql`
        insert into posters (event_id, image_url, published, sort_order, created_at)
        select ${eventId}, 'https://images.example.com/poster.png', coalesce((r->>'published')::boolean, true),
          coalesce((r->>'sort_order')::float8, 0), coalesce((r->>'created_at')::timestamptz, '2026-01-01T00:00:00Z')
        from jsonb_array_elements(${JSON.stringify(rows)}) r
        returning id`);
      return inserted.map(({ id }) => id);
    },

    superAdminKey: async () =>
      (await createKey(db, { tier: "super-admin", name: "test", lifetimeDays: null, createdBy: null })).key,

    conferenceKey: async (conferenceId: string) =>
      (await createKey(db, { tier: "conference", name: "test", conferenceId, lifetimeDays: null, createdBy: null }))
        .key,

    async organizationKey(
      organizationId: string,
      options: { scopes?: Scope[]; role?: Role; userId?: string } = {},
    ): Promise<string> {
      const createdBy = options.userId ?? (await make.member(organizationId, options.role));
      const key = { tier: "organization", name: "test", organizationId, lifetimeDays: 90, createdBy } as const;
      return (await createKey(db, { ...key, scopes: options.scopes ?? [...scopes] })).key;
    },
    /** An app that a member has connected. Returns its id. */
    async connectedApp(organizationId: string, userId: string, granted: Scope[] = ["org:read"]): Promise<string> {
      const [row] = await db.query<{ id: string }>(sql`
        insert into connected_apps (user_id, organization_id, client_id, name, scopes)
        values (${userId}, ${organizationId}, ${`app_${randomUUID()}`}, 'Harbour Agent', ${granted}) returning id`);
      return row?.id ?? "";
    },
    /** A link for the door of an event, that nobody can open. Returns its id. */
    async doorLink(eventId: string, organizationId: string, userId: string): Promise<string> {
      const [row] = await db.query<{ id: string }>(sql`
        insert into door_links (event_id, organization_id, created_by, name, token_hash, pin_hash)
        values (${eventId}, ${organizationId}, ${userId}, 'Side door', ${randomBytes(32)}, ${randomBytes(32)}) returning id`);
      return row?.id ?? "";
    },
    /** Stores random bytes as an image and returns its file name. */
    async image(contentType: Image["contentType"] = "image/png"): Promise<string> {
      const bytes = randomBytes(40);
      const image = { hash: createHash("sha256").update(bytes).digest("hex"), contentType, bytes };
      await imageStore(db).save([image]);
      return imagePath(image).replace("/images/", "");
    },

    /** The path of a stored image that can be decoded. */
    async picture(width: number, height: number): Promise<string> {
      const bytes = await sharp({ create: { width, height, channels: 3, background: "#204060" } })
        .png()
        .toBuffer();
      const image = imageOf({ bytes, contentType: "image/png", width, height });
      await imageStore(db).save([image]);
      return imagePath(image);
    },

    keyId: async (key: string): Promise<string> => {
      const [row] = await db.query<{ id: string }>(sql`select id from api_keys where key_hash = ${sha256(key)}`);
      if (row === undefined) throw new Error("unknown key");
      return row.id;
    },
  };
  return make;
}

function sha256(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

export type Make = ReturnType<typeof makerOn>;
