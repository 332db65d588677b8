import { randomUUID } from "node:crypto";
import sql from "sql-template-tag";
import type { OrganizationCaller } from "../../src/access/caller.js";
import { scopes } from "../../src/access/scopes.js";
import type { Database } from "../../src/platform/db.js";
import { makerOn } from "./make.js";
import type { World } from "./tool-examples.js";

/** An organization with an event that has rows of every kind, and the owner who acts on it. */
export async function makeEventWorld(db: Database): Promise<World & { caller: OrganizationCaller }> {
  const make = makerOn(db);
  const organizationId = await make.organization("Harbour Works");
  const otherOrganizationId = await make.organization("Far Away");
  const cohostOrganizationId = await make.organization("Next Door");
  const conference = await make.conference();
  const eventId = await make.event(conference, { hosts: [organizationId, cohostOrganizationId] });
  const userId = await make.member(organizationId, "owner");
  const ids = <Name extends string>(...names: Name[]) => Object.fromEntries(names.map((name) => [name, randomUUID()]));
  const speakerIds: World["speakerIds"] = [randomUUID(), randomUUID(), randomUUID()];
  const segmentIds: World["segmentIds"] = [randomUUID(), randomUUID(), randomUUID()];
  const registrationIds = ids("pending", "approved", "waitlisted", "declined") as World["registrationIds"];
  for (const [position, id] of speakerIds.entries()) {
    await db.query(sql`
      insert into speakers (id, event_id, name, position) values (${id}, ${eventId}, ${`Speaker ${position}`}, ${position})`);
  }
  for (const [status, id] of Object.entries(registrationIds)) {
    await db.query(sql`
      insert into registrations (id, event_id, name, email, status, previous_status)
      values (${id}, ${eventId}, ${`Guest ${status}`}, ${`${status}@example.com`}, ${status},
        ${status === "declined" ? "approved" : null})`);
  }
  for (const [position, id] of segmentIds.entries()) {
    await db.query(sql`
      insert into segments (id, event_id, title, start_time, duration_minutes, position)
      values (${id}, ${eventId}, ${`Segment ${position}`}, ${`2031-05-01T18:${position}0:00Z`}, 10, ${position})`);
  }
  await db.query(sql`
    insert into segment_speakers (segment_id, speaker_id, event_id) values (${segmentIds[0]}, ${speakerIds[0]}, ${eventId})`);
  const posterId = await make.poster(eventId, { published: false });
  return {
    organizationId,
    otherOrganizationId,
    cohostOrganizationId,
    eventId,
    speakerIds,
    registrationIds,
    posterId,
    segmentIds,
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
