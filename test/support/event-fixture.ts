import { randomUUID } from "node:crypto";
import sql from "sql-template-tag";
import { scopes } from "../../contract/scopes.js";
import type { KeyCaller, OrganizationCaller } from "../../src/access/caller.js";
import type { Database } from "../../src/infra/database/db.js";
import { makerOn } from "./make.js";
import { publicUrl } from "./service.js";
import { createToolRunner } from "./tool-runner.js";

/** An organization, an event that it hosts, with rows of every kind, and its owner. */
export type EventFixture = {
  organizationId: string;
  /** The conference of the event. */
  conferenceId: string;
  /** Unrelated to the event. */
  otherOrganizationId: string;
  /** Co-hosts the event. */
  cohostOrganizationId: string;
  eventId: string;
  /** By position. */
  speakerIds: [string, string, string];
  registrationIds: { pending: string; approved: string; waitlisted: string; declined: string };
  /** Not published. */
  posterId: string;
  /** By position. */
  segmentIds: [string, string, string];
  /** The owner of the organization, with every scope. */
  caller: KeyCaller & OrganizationCaller;
};

export async function createEventFixture(db: Database): Promise<EventFixture> {
  const make = makerOn(db);
  const organizationId = await make.organization("Harbour Works");
  const otherOrganizationId = await make.organization("Far Away");
  const cohostOrganizationId = await make.organization("Next Door");
  const conferenceId = await make.conference();
  const eventId = await make.event(conferenceId, { hosts: [organizationId, cohostOrganizationId] });
  const userId = await make.member(organizationId, "owner");
  const posterId = await make.poster(eventId, { published: false });
  return {
    organizationId,
    otherOrganizationId,
    cohostOrganizationId,
    conferenceId,
    eventId,
    posterId,
    ...(await insertEventRows(db, eventId)),
    caller: {
      tier: "organization",
      via: { kind: "key", keyId: randomUUID(), keyName: "test", expiresAt: null, lastUsedAt: null },
      userId,
      organizationId,
      scopes: [...scopes],
      role: "owner",
    },
  };
}

/** What tools about an organization's staff, its pictures and proposals need. Not part of the event's fixture, whose organization has one member. */
export type StaffFixture = {
  /** A key that acts for the owner. */
  apiKeyId: string;
  /** An app that the owner has connected. */
  appId: string;
  /** A link for the door of the event, which the caller has made. */
  doorLinkId: string;
  /** An owner of the organization beside the caller. */
  memberId: string;
  /** An open invitation to the organization. */
  invitationId: string;
  /** A change of the organization's colours that can be reverted. */
  recordId: string;
  /** A draft that the organization has proposed, and that was returned. */
  returnedEventId: string;
  /** The address of an image that the service stores. */
  imageUrl: string;
  /** A draft that the service drew when the event had another venue. */
  drawnPosterId: string;
};

export async function addStaff(
  db: Database,
  { organizationId, conferenceId, eventId, caller }: EventFixture,
): Promise<StaffFixture> {
  const make = makerOn(db);
  const key = await make.organizationKey(organizationId, { userId: caller.userId });
  return {
    apiKeyId: await make.keyId(key),
    appId: await make.connectedApp(organizationId, caller.userId),
    doorLinkId: await make.doorLink(eventId, organizationId, caller.userId),
    memberId: await make.member(organizationId, "owner"),
    invitationId: await make.invitation(organizationId),
    recordId: await changeColors(db, caller),
    returnedEventId: await make.proposal(conferenceId, organizationId, { returned: "Name the speakers" }),
    imageUrl: `${publicUrl}${await make.picture(40, 50)}`,
    drawnPosterId: await make.drawnPoster(eventId, { shows: { venue: "Hall Nine" }, sort_order: 1 }),
  };
}

async function changeColors(db: Database, caller: OrganizationCaller): Promise<string> {
  const colors = { brand_primary_color: "#123456" };
  return (await createToolRunner(db, { caller, eventId: "" }).commit("update_organization_branding", colors)).record_id;
}

type EventRows = Pick<EventFixture, "speakerIds" | "registrationIds" | "segmentIds">;

/** In one statement: the fixture is created once per test. */
async function insertEventRows(db: Database, eventId: string): Promise<EventRows> {
  const speakerIds: EventRows["speakerIds"] = [randomUUID(), randomUUID(), randomUUID()];
  const segmentIds: EventRows["segmentIds"] = [randomUUID(), randomUUID(), randomUUID()];
  const [pending, approved, waitlisted, declined] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  const registrationIds = { pending, approved, waitlisted, declined };
  await db.query(sql`
    with new_speakers as (
      insert into speakers (id, event_id, name, position)
      select id, ${eventId}, 'Speaker ' || n - 1, n - 1 from unnest(${speakerIds}::uuid[]) with ordinality s (id, n)
      returning id),
    new_registrations as (
      insert into registrations (id, event_id, name, email, status, previous_status)
      select value::uuid, ${eventId}, 'Guest ' || key, key || '@example.com', key,
        case key when 'declined' then 'approved' end
      from jsonb_each_text(${JSON.stringify(registrationIds)}::jsonb)),
    new_segments as (
      insert into segments (id, event_id, title, start_time, duration_minutes, position)
      select id, ${eventId}, 'Segment ' || n - 1, '2031-05-01T18:00Z'::timestamptz + (n - 1) * interval '10 minutes', 10, n - 1
      from unnest(${segmentIds}::uuid[]) with ordinality s (id, n)
      returning id)
    insert into segment_speakers (segment_id, speaker_id, event_id)
    select sg.id, sp.id, ${eventId} from new_segments sg, new_speakers sp
    where sg.id = ${segmentIds[0]} and sp.id = ${speakerIds[0]}`);
  return { speakerIds, segmentIds, registrationIds };
}
