import { randomUUID } from "node:crypto";
import sql from "sql-template-tag";
import type { Queryable } from "../../src/platform/database/db.js";
import { makerOn } from "../support/make.js";

export type FixtureSegment = {
  title: string;
  /** UTC, on the day of the event. */
  at: string;
  minutes: number;
  kind?: string;
  location?: string;
  notes?: string;
  /** Indexes of speakers. */
  speakers?: number[];
};

export const eventDay = "2031-05-01";

/** An event from 17:00 to 20:00 UTC, 18:00 to 21:00 in Lisbon, with two speakers and the given segments. */
export async function createRunOfShow(db: Queryable, segments: FixtureSegment[]) {
  const make = makerOn(db);
  const organizationId = await make.organization("Harbour Works");
  const eventId = await make.event(await make.conference(), {
    start_time: `${eventDay}T17:00:00Z`,
    hosts: [organizationId],
  });
  await db.query(
    sql`update events set name = 'Harbour Sessions', end_time = ${`${eventDay}T20:00:00Z`} where id = ${eventId}`,
  );
  const speakerIds = [randomUUID(), randomUUID()];
  await db.query(sql`
    insert into speakers (id, event_id, name, position) values
      (${speakerIds[0]}, ${eventId}, 'Ana Silva', 0), (${speakerIds[1]}, ${eventId}, 'Tunde Adebayo', 1)`);
  for (const [position, segment] of segments.entries()) {
    const id = randomUUID();
    await db.query(sql`
      insert into segments (id, event_id, title, kind, start_time, duration_minutes, location, notes, position)
      values (${id}, ${eventId}, ${segment.title}, ${segment.kind ?? "talk"}, ${`${eventDay}T${segment.at}:00Z`},
        ${segment.minutes}, ${segment.location ?? null}, ${segment.notes ?? null}, ${position})`);
    for (const index of segment.speakers ?? []) {
      await db.query(sql`
        insert into segment_speakers (segment_id, speaker_id, event_id) values (${id}, ${speakerIds[index]}, ${eventId})`);
    }
  }
  const path = `/o/${organizationId}/events/${eventId}/run-of-show`;
  return { organizationId, eventId, speakerIds, path, ownerId: await make.member(organizationId, "owner") };
}
