import sql from "sql-template-tag";
import { beforeAll, describe, expect, it } from "vitest";
import { createEventFixture, type EventFixture } from "../support/event-fixture.js";
import { useService } from "../support/setup.js";
import { startConsole } from "./support.js";

const { service, make } = useService(startConsole);
let fixture: EventFixture;
let member: string;
let outsider: string;

beforeAll(async () => {
  fixture = await createEventFixture(service.db);
  member = await service.signIn(await make.member(fixture.organizationId, "member"));
  outsider = await service.signIn(await make.member(fixture.otherOrganizationId, "owner"));
});

const read = (organization = fixture.organizationId, cookie: string | undefined = member) =>
  service.get(`organizations/${organization}/events/${fixture.eventId}/run-of-show`, cookie);

describe("the run of show of an event", () => {
  it("has all segments by start time and the speakers by position", async () => {
    const { status, json } = await read();
    expect(status).toBe(200);
    expect(json.published).toBe(false);
    expect(json.segments.map(({ id }: { id: string }) => id)).toEqual(fixture.segmentIds);
    expect(json.segments[0]).toEqual({
      id: fixture.segmentIds[0],
      title: "Segment 0",
      kind: "talk",
      location: null,
      notes: null,
      start_time: "2031-05-01T18:00:00.000Z",
      duration_minutes: 10,
      speaker_ids: [fixture.speakerIds[0]],
    });
    expect(json.speakers[0]).toEqual({ id: fixture.speakerIds[0], name: "Speaker 0", photo_url: null });
  });

  it("does not shorten notes, which the form edits", async () => {
    const notes = "Cue the lights. ".repeat(200);
    await service.db.query(sql`update segments set notes = ${notes} where id = ${fixture.segmentIds[1]}`);
    expect((await read()).json.segments[1].notes).toBe(notes);
  });

  it("is refused to organizations that do not host the event", async () => {
    expect((await read(fixture.otherOrganizationId, outsider)).status).toBe(403);
  });

  it("is limited to 1,000 segments", async () => {
    const other = await createEventFixture(service.db);
    await service.db.query(sql`
      insert into segments (event_id, title, start_time, duration_minutes, position)
      select ${other.eventId}, 'Imported ' || n, '2031-05-02T18:00Z'::timestamptz + n * interval '1 minute', 1, n
      from generate_series(1, 1000) n`);
    const cookie = await service.signIn(other.caller.userId);
    const { json } = await service.get(
      `organizations/${other.organizationId}/events/${other.eventId}/run-of-show`,
      cookie,
    );
    expect(json.segments).toHaveLength(1000);
  });
});
