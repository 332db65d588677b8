import sql from "sql-template-tag";
import { beforeEach, describe, expect, it } from "vitest";
import { warningCodes } from "../../contract/warnings.js";
import { factsNow } from "../../src/modules/posters/store.js";
import { createEventFixture, type EventFixture } from "../support/event-fixture.js";
import { useDatabase } from "../support/setup.js";
import { createToolRunner, type ToolRunner } from "../support/tool-runner.js";

// The event of the fixture is on 1 May 2031 from 18:00 to 20:00 UTC, 19:00 to 21:00 in Lisbon. Its segments are from 18:00,
// ten minutes each; the first speaker is in the first.

const { db } = useDatabase();
let fixture: EventFixture;
let tools: ToolRunner;
const seen = new Set<string>();

type Warning = { code: string; message: string; path?: string };

beforeEach(async () => {
  fixture = await createEventFixture(db);
  tools = createToolRunner(db, fixture);
});

/** What the preview warns of, after a commit, which must warn of the same and record it. */
async function warningsOf(tool: string, args: object): Promise<Warning[]> {
  const { preview, warnings = [], record_id } = await tools.commit(tool, args);
  expect(warnings).toEqual(preview.warnings);
  const [record] = await db.query<{ result: { warnings?: Warning[] } }>(
    sql`select result from mutation_records where id = ${record_id}`,
  );
  expect(record?.result.warnings ?? []).toEqual(warnings);
  for (const { code } of warnings) seen.add(code);
  return warnings;
}

const at = (clock: string) => `2031-05-01T${clock}:00Z`;

describe("segments", () => {
  const create = (start: string, fields: object = {}) =>
    warningsOf("create_event_segment", { title: "Talk", duration_minutes: 10, start_time: at(start), ...fields });

  it("between the others are no reason to warn", async () => {
    expect(await create("18:30")).toEqual([]);
    expect(await warningsOf("create_event_segment", { title: "Last", duration_minutes: 10 })).toEqual([]);
  });

  it("outside of the event are one warning, in local times", async () => {
    expect(await create("19:55")).toEqual([
      {
        code: "outside_event",
        message: "“Talk” ends after the event (21:00), at 21:05. Set end_time with update_event_details",
      },
    ]);
    const [moved] = await warningsOf("update_event_segment", { shift_all_minutes: 100 });
    expect(moved?.message).toContain("2 of 4 segments end after the event (21:00); the last at 22:45. ");
    await warningsOf("update_event_segment", { shift_all_minutes: -100 });
    expect(await create("17:00", { title: "Early" })).toMatchObject([{ code: "outside_event" }]);
  });

  it("that overlap are named, with a speaker who is in both", async () => {
    expect(await create("18:05", { speaker_ids: [fixture.speakerIds[0]] })).toEqual([
      { code: "segments_overlap", message: "“Segment 0” and “Talk” overlap by 5 minutes" },
      { code: "segments_overlap", message: "“Talk” and “Segment 1” overlap by 5 minutes" },
      { code: "speaker_double_booked", message: "Speaker 0 is in “Segment 0” and “Talk” at the same time" },
    ]);
    // Only what the change does, not what was so before.
    expect(await create("19:00", { title: "Later" })).toEqual([]);
  });

  it("are compared where they will be, also when they are moved or reordered", async () => {
    const [first, second, third] = fixture.segmentIds;
    const moved = await warningsOf("update_event_segment", { segment_id: third, start_time: at("18:05") });
    expect(moved.map(({ code }) => code)).toEqual(["segments_overlap", "segments_overlap"]);
    const renamed = await warningsOf("update_event_segment", { segment_id: third, title: "Renamed" });
    expect(renamed).toEqual([]);
    const long = await warningsOf("update_event_segment", { segment_id: second, duration_minutes: 115 });
    expect(long.map(({ code }) => code)).toContain("outside_event");
    expect(
      (await warningsOf("reorder_event_segments", { segment_ids: [second, first, third] })).map(({ code }) => code),
    ).toEqual(["outside_event"]);
  });

  it("are listed up to five of a kind", async () => {
    await db.query(sql`
      insert into segments (event_id, title, start_time, duration_minutes, position)
      select ${fixture.eventId}, 'Parallel ' || n, '2031-05-01T19:00Z', 10, 10 + n from generate_series(1, 9) n`);
    const warnings = await create("19:00");
    expect(warnings).toHaveLength(6);
    expect(warnings.at(-1)).toEqual({ code: "segments_overlap", message: "and 4 more like these" });
  });

  it("in the past", async () => {
    expect(await create("18:30", { start_time: "2020-01-01T18:00:00Z" })).toMatchObject([
      { code: "outside_event" },
      { code: "in_the_past", message: "“Talk” is in the past" },
    ]);
  });
});

describe("a run of show", () => {
  it("is published with its problems, or empty", async () => {
    const publish = (published: boolean) => warningsOf("set_event_run_of_show_publication", { published });
    expect(await publish(true)).toEqual([]);
    expect(await publish(false)).toEqual([]);
    await db.query(sql`update segments set start_time = '2031-05-01T18:00Z' where event_id = ${fixture.eventId}`);
    expect((await publish(true)).map(({ code }) => code)).toEqual(Array(3).fill("segments_overlap"));
    await publish(false);
    await db.query(sql`delete from segments where event_id = ${fixture.eventId}`);
    expect(await publish(true)).toEqual([{ code: "run_of_show_empty", message: "The run of show has no segments" }]);
  });
});

describe("an event", () => {
  const update = (fields: object) => warningsOf("update_event_details", fields);

  it("that is moved away from its segments", async () => {
    const moved = await update({ start_time: at("18:15"), end_time: at("20:15") });
    expect(moved).toMatchObject([
      {
        code: "outside_event",
        message: expect.stringContaining("2 of 3 segments begin before the event (19:15); the first at 19:00. "),
      },
    ]);
    expect(await update({ venue: "Hall 2" })).toEqual([]);
  });

  it("in the past, or longer than events are", async () => {
    await db.query(sql`delete from segments where event_id = ${fixture.eventId}`);
    expect(await update({ start_time: "2020-05-01T18:00:00Z" })).toMatchObject([
      { code: "in_the_past", path: "start_time" },
      { code: "unusual_duration", path: "end_time", message: "The event lasts 4017 days" },
      { code: "duration_changed", message: expect.stringContaining("lasts 4017.1 days instead of 0.1: ") },
    ]);
    expect(await update({ start_time: at("17:00"), end_time: at("20:00") })).toEqual([]);
  });

  it("whose start moves without its end", async () => {
    await db.query(sql`delete from segments where event_id = ${fixture.eventId}`);
    expect(await update({ start_time: at("19:30") })).toEqual([
      {
        code: "duration_changed",
        message: "The event now lasts 30 minutes instead of 120: send end_time too to move it",
        path: "end_time",
      },
    ]);
    expect(await update({ start_time: at("19:30"), venue: "Hall 2" })).toEqual([]);
    expect(await update({ end_time: at("21:00") })).toEqual([]);
    expect(await update({ start_time: at("20:00"), end_time: at("20:45") })).toEqual([]);
  });

  it("with fewer seats than approved guests", async () => {
    expect(await update({ capacity: 0 })).toEqual([
      {
        code: "below_approved",
        message: "More guests are approved (1) than the new capacity (0). They stay approved",
        path: "capacity",
      },
    ]);
    expect(await update({ capacity: 1 })).toEqual([]);
    expect(await update({ capacity: null })).toEqual([]);
  });

  it("that is handed over cannot be taken back", async () => {
    const organization_id = fixture.cohostOrganizationId;
    expect(await warningsOf("set_event_primary_host", { organization_id })).toMatchObject([
      { code: "cannot_take_back", message: expect.stringContaining("only Next Door can hand the event back") },
    ]);
  });
});

describe("a poster", () => {
  it("that was posted and is unpublished", async () => {
    const publish = (published: boolean) =>
      warningsOf("set_event_poster_publication", { poster_id: fixture.posterId, published });
    await publish(true);
    expect(await publish(false)).toEqual([]);
    await publish(true);
    const posted = { x: "https://x.example/1", instagram: "https://instagram.example/1" };
    await db.query(sql`update posters set posted_urls = ${JSON.stringify(posted)} where id = ${fixture.posterId}`);
    expect(await publish(false)).toEqual([
      {
        code: "poster_was_posted",
        message: "The poster was posted on instagram, x: what was posted stays there",
        path: "poster.published",
      },
    ]);
  });
});

describe("published posters that show what a change replaces", () => {
  /** As if the poster had been drawn from the event as it is now. */
  const draw = (fields: { published: boolean }) =>
    db.query(sql`
      update posters p set title = 'Line-up', published = ${fields.published}, drawn_from = ${factsNow}
      from events e where e.id = p.event_id and p.id = ${fixture.posterId}`);

  const old = (parts: string) => [
    {
      code: "poster_stale",
      message: `A published poster shows the old ${parts}: “Line-up”. Redraw them, or unpublish them`,
    },
  ];

  it.each([
    [{ name: "Another name" }, "name"],
    [{ end_time: at("20:30") }, "time"],
    [{ venue: "Hall 2", end_time: at("20:30") }, "time, place"],
    [{ timezone: "Europe/Paris" }, "time"],
  ])("of the event: %j", async (fields, parts) => {
    await draw({ published: true });
    expect(await warningsOf("update_event_details", fields)).toEqual(old(parts));
  });

  it("of its speakers", async () => {
    await draw({ published: true });
    const [renamed, removed] = fixture.speakerIds;
    const rename = (name: string) => warningsOf("update_event_speaker", { speaker_id: renamed, name });
    expect(await rename("Ada")).toEqual(old("speakers"));
    expect(await rename("Speaker 0")).toEqual([]);
    expect(await warningsOf("update_event_speaker", { speaker_id: renamed, title: "Analyst" })).toEqual([]);
    expect(await warningsOf("remove_event_speaker", { speaker_id: removed })).toEqual(old("speakers"));
  });

  it("but not those that showed another old thing before, are no longer wrong, or are not published", async () => {
    await draw({ published: true });
    expect(await warningsOf("update_event_details", { venue: "Hall 2" })).toEqual(old("place"));
    expect(await warningsOf("update_event_details", { capacity: 300 })).toEqual([]);
    expect(await warningsOf("update_event_details", { name: "Another name" })).toEqual(old("name"));
    await draw({ published: false });
    expect(await warningsOf("update_event_details", { venue: "Hall 3" })).toEqual([]);
    expect(await warningsOf("set_event_poster_publication", { poster_id: fixture.posterId, published: true })).toEqual([
      {
        code: "poster_stale",
        message: "The poster shows an old place. Redraw it first, or publish it as it is",
        path: "poster.published",
      },
    ]);
  });

  it("are those whose metadata names the speaker, where it is not recorded what they show", async () => {
    const [renamed, named, unnamed] = fixture.speakerIds;
    const metadata = { speakers: [{ name: "speaker 0 " }, { id: named }, "Nobody"] };
    await db.query(sql`
      update posters set title = 'Line-up', published = true, drawn_from = null, metadata = ${JSON.stringify(metadata)}
      where id = ${fixture.posterId}`);
    expect(await warningsOf("update_event_speaker", { speaker_id: unnamed, name: "Ada" })).toEqual([]);
    expect(await warningsOf("remove_event_speaker", { speaker_id: unnamed })).toEqual([]);
    expect(await warningsOf("update_event_speaker", { speaker_id: renamed, name: "Grace" })).toEqual(old("speakers"));
    expect(await warningsOf("remove_event_speaker", { speaker_id: renamed })).toEqual([]);
    expect(await warningsOf("remove_event_speaker", { speaker_id: named })).toEqual(old("speakers"));
    expect(await warningsOf("update_event_details", { name: "Another name" })).toEqual([]);
    const marked = await tools.run("get_event_asset_workspace");
    expect(marked.posters).toMatchObject([{ id: fixture.posterId, stale: [] }]);
  });

  it("are counted, and some are named", async () => {
    await draw({ published: true });
    await db.query(sql`
      insert into posters (event_id, image_url, title, published, sort_order, drawn_from)
      select event_id, image_url, n || repeat('x', 100), true, 100 + n, drawn_from
      from posters, generate_series(1, 24) n where id = ${fixture.posterId}
      union all select event_id, image_url, title, true, 200, drawn_from from posters where id = ${fixture.posterId}`);
    const [warning] = await warningsOf("update_event_details", { venue: "Hall 2" });
    expect(warning?.message).toMatch(
      /^26 published posters show the old place: “Line-up” \(2\), “1x{59}…”, “2x{59}…”, “3x{59}…”, “4x{59}…” and 20 more\. /,
    );
  });
});

describe("pictures", () => {
  it.each([
    ["http://pictures.example/a.png", "is not an https URL"],
    ["https://pictures.example/a.svg", "is not a PNG, JPEG or WebP image"],
    ["https://pictures.example:8443/a.png", "uses a port other than 443"],
    ["https://10.0.0.7/a.png", "is not a public address"],
    ["https://[::1]/a.png", "is not a public address"],
  ])("%s: the address %s", async (photo_url, problem) => {
    const warning = { code: "unusable_image", message: expect.stringContaining(problem) };
    const path = "speaker.photo_url";
    expect(await warningsOf("add_event_speaker", { name: "Ada", photo_url })).toEqual([{ ...warning, path }]);
  });

  it("of speakers that are changed, and logos", async () => {
    const url = "http://pictures.example/a.png";
    const [speaker_id] = fixture.speakerIds;
    expect(await warningsOf("update_event_speaker", { speaker_id, photo_url: url })).toMatchObject([
      { code: "unusable_image", path: "speaker.photo_url" },
    ]);
    expect(await warningsOf("set_organization_logo_urls", { logo_dark_url: url })).toMatchObject([
      { code: "unusable_image", path: "logo_dark_url" },
    ]);
  });

  it("that posters can use, or that are cleared", async () => {
    const photos = ["https://pictures.example/photo", "https://pictures.example/a.JPG?size=2", null];
    for (const photo_url of photos) {
      expect(await warningsOf("add_event_speaker", { name: `Ada ${photo_url}`, photo_url })).toEqual([]);
    }
  });
});

// The event of the fixture has one poster.
it.each([
  [100, "1 poster was left out: a copy has at most 100. Add it yourself"],
  [105, "6 posters were left out: a copy has at most 100. Add them yourself"],
])("a copy of an event with %d more posters", async (count, message) => {
  await db.query(sql`
    insert into posters (event_id, image_url) select ${fixture.eventId}, 'https://images.example.com/1.png'
    from generate_series(1, ${count}::int)`);
  expect(await warningsOf("duplicate_event", { start_time: "2031-06-01T18:00:00Z" })).toEqual([
    { code: "not_copied", message },
  ]);
});

it("an event that is cancelled, with guests and links", async () => {
  await db.query(sql`
    update posters set posted_urls = '{"x": "https://x.example/1"}' where id = ${fixture.posterId}`);
  expect(await warningsOf("cancel_event", {})).toEqual([
    {
      code: "guests_not_told",
      message: "Guests are not notified: 1 approved, 1 pending, 1 waitlisted. Their addresses stay in the guest list",
    },
    {
      code: "links_stay",
      message: "Posts stay where people see them: 1 on x. Remove them there",
    },
  ]);
});

it("a second speaker of the same name", async () => {
  expect(await warningsOf("add_event_speaker", { name: "SPEAKER 1" })).toEqual([
    { code: "duplicate", message: "The event has a speaker of this name already: SPEAKER 1", path: "speaker.name" },
  ]);
});

it("nothing to change is nothing to warn of", async () => {
  const photo_url = "http://pictures.example/a.png";
  const [speaker_id] = fixture.speakerIds;
  await warningsOf("update_event_speaker", { speaker_id, photo_url });
  expect(await warningsOf("update_event_speaker", { speaker_id, photo_url })).toEqual([]);
});

it("every code is among these, or of a tool of the console", () => {
  const ofPeople = ["address_unverified", "door_links_end", "invitations_withdrawn", "offers_withdrawn"];
  const ofTheConsole = ["acts_for_other", "apps_disconnected", "keys_revoked", "over_capacity", ...ofPeople];
  expect([...seen, ...ofTheConsole].sort()).toEqual(Object.keys(warningCodes).sort());
});
