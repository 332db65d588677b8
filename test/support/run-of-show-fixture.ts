import { randomUUID } from "node:crypto";
import sql from "sql-template-tag";
import type { Queryable } from "../../src/infra/database/db.js";
import { makerOn } from "./make.js";

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

/** One after the other, with a pause of 10 minutes before the break. 18:00 in Lisbon is 17:00 UTC. */
export const evening: FixtureSegment[] = [
  { title: "Welcome", at: "17:00", minutes: 10, speakers: [0], location: "Stage", notes: "Thank the volunteers." },
  { title: "Keynote", at: "17:10", minutes: 30, speakers: [0] },
  { title: "Break", at: "17:50", minutes: 20, kind: "break" },
  { title: "Panel", at: "18:10", minutes: 40, speakers: [1] },
];

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

/** When segments are stored to start and how many minutes they take, by title, such as "17:50 20". Times are in UTC. */
export async function storedTimes(db: Queryable, eventId: string): Promise<Record<string, string>> {
  const rows = await db.query<{ title: string; times: string }>(sql`
    select title, to_char(start_time at time zone 'UTC', 'HH24:MI') || ' ' || duration_minutes as times
    from segments where event_id = ${eventId}`);
  return Object.fromEntries(rows.map(({ title, times }) => [title, times]));
}
