import sql from "sql-template-tag";
import { beforeEach, describe, expect, it } from "vitest";
import { createEventFixture, type EventFixture } from "../support/event-fixture.js";
import { useDatabase } from "../support/setup.js";
import { createToolRunner, reason, type ToolRunner } from "../support/tool-runner.js";

// What a commit says when somebody else was faster. Three examples that do not depend on the tool are in
// test/tools/mutation-contract.test.ts.

const { db } = useDatabase();
let fixture: EventFixture;
let tools: ToolRunner;

beforeEach(async () => {
  fixture = await createEventFixture(db);
  tools = createToolRunner(db, fixture);
});

/** A commit of what was previewed before somebody else changed something. */
async function conflictOf(tool: string, args: object, meanwhile: () => Promise<{ record_id?: string }>) {
  const { commit_with } = await tools.run(tool, args);
  const { record_id } = await meanwhile();
  const { code, message, details } = await tools.refusal(tool, { ...commit_with, reason });
  expect(code).toBe("version_conflict");
  expect(details.event).toMatchObject({ id: fixture.eventId, name: "Test Event" });
  const [said = ""] = message.split(" at ");
  expect(message).toContain(` (record ${record_id}).`);
  return { said, message, details };
}

describe("a commit about a row that somebody has removed", () => {
  it.each([
    ["update_event_speaker", "remove_event_speaker", "speaker", { bio: "New" }],
    ["update_event_segment", "remove_event_segment", "segment", { location: "Hall 2" }],
    ["remove_event_segment", "remove_event_segment", "segment", {}],
  ] as const)("%s names who did, and what", async (tool, removal, noun, fields) => {
    const [id] = noun === "speaker" ? fixture.speakerIds : fixture.segmentIds;
    const row = (name: string) => (name === "remove_event_segment" ? { segment_ids: [id] } : { [`${noun}_id`]: id });
    const { said, message, details } = await conflictOf(tool, { ...row(tool), ...fields }, () =>
      tools.commit(removal, row(removal)),
    );
    expect(said).toMatch(noun === "speaker" ? /^Test Person removed .*Speaker 0/ : /^Test Person removed .*Segment 0/);
    expect(message).toContain("The request is not possible now: No ");
    expect(message).toContain(id);
    expect(details.changed_since).toMatchObject([{ by: "Test Person", tool: removal }]);
  });

  it("is the failure itself if nobody has changed anything since the preview", async () => {
    const [speaker_id] = fixture.speakerIds;
    const { commit_with } = await tools.run("update_event_speaker", { speaker_id, bio: "New" });
    await db.query(sql`delete from speakers where id = ${speaker_id}`);
    const refusal = await tools.refusal("update_event_speaker", { ...commit_with, reason });
    expect(refusal).toMatchObject({ code: "not_found", message: expect.stringContaining(speaker_id) });
  });
});

describe("a commit about a list in which somebody has changed something", () => {
  it("names the row that was removed", async () => {
    const order = fixture.speakerIds.toReversed();
    const [speaker_id] = fixture.speakerIds;
    const [row] = await db.query<{ name: string }>(sql`select name from speakers where id = ${speaker_id}`);
    const { said } = await conflictOf("reorder_event_speakers", { speaker_ids: order }, () =>
      tools.commit("remove_event_speaker", { speaker_id }),
    );
    expect(said).toBe(`Test Person removed speaker “${row?.name}”`);
  });

  const approvePending = { action: "approve", filter: { status: "pending" }, allow_over_capacity: true };

  it("names the guest who is found now", async () => {
    const { said } = await conflictOf("batch_update_event_registrations", approvePending, () =>
      tools.commit("add_event_guest", { name: "Grace Hopper", email: "g@example.com", status: "pending" }),
    );
    expect(said).toMatch(/^Test Person added registration “Grace Hopper”/);
  });

  it("says which tool was used for a guest who is found no longer, without a name that the caller may not know", async () => {
    await db.query(sql`
      insert into registrations (event_id, name, email, status) values (${fixture.eventId}, 'Grace', 'g@example.com', 'pending')`);
    const { said } = await conflictOf("batch_update_event_registrations", approvePending, () =>
      tools.commit("decline_event_registration", { registration_id: fixture.registrationIds.pending }),
    );
    expect(said).toBe("Test Person used decline_event_registration");
  });
});

describe("a commit about fields", () => {
  it("names times as guests read them, and of a long text what differs", async () => {
    await db.query(sql`update events set timezone = 'Asia/Tokyo', description = ${"Long. ".repeat(60)}`);
    const { said, message, details } = await conflictOf(
      "update_event_details",
      { start_time: "2031-05-01T10:00:00Z", end_time: "2031-05-01T19:00:00Z", description: "Other" },
      () =>
        tools.commit("update_event_details", {
          start_time: "2031-05-01T09:00:00Z",
          description: `${"Long. ".repeat(60)}The end is new.`,
        }),
    );
    expect(said).toContain("set start_time to “2031-05-01T18:00+09:00”");
    expect(said).toMatch(/set description to “….*The end is new\.”/);
    expect(message).not.toMatch(/\d{4}-\d\d-\d\dT[\d:.]*Z/);
    expect(JSON.stringify(details.changed_since)).not.toMatch(/”[^”]*T[\d:.]*Z/);
  });
});

it("of a text that is not much longer than what is shown, the part that differs is named", async () => {
  const description = `${"A long evening. ".repeat(8)}Doors: 18:00`;
  await db.query(sql`update events set description = ${description}`);
  const { said } = await conflictOf("update_event_details", { description: "Other" }, () =>
    tools.commit("update_event_details", { description: description.replace("18:00", "19:30") }),
  );
  expect(said).toMatch(/set description to “….*Doors: 19:30”$/);
});

it("an unknown expected_version is not called a change of the state, and comes with a new preview", async () => {
  const { commit_with } = await tools.run("update_event_details", { venue: "Hall 2" });
  await tools.commit("update_event_details", { capacity: 300 });
  const { code, message, details } = await tools.refusal("update_event_details", {
    ...commit_with,
    reason,
    expected_version: "abc",
  });
  expect(code).toBe("version_conflict");
  expect(message).toMatch(/^expected_version is not one that a preview returned\. Nothing was changed\./);
  expect(details).toMatchObject({ proposed: { venue: "Hall 2" } });
  expect(details).not.toHaveProperty("changed_since");
});

it("refusals and warnings name times as guests read them", async () => {
  await db.query(sql`update events set timezone = 'Asia/Tokyo'`);
  const past = await tools.run("update_event_details", { start_time: "2001-05-01T02:00:00Z" });
  expect(past.warnings[0]).toMatchObject({
    code: "in_the_past",
    message: "start_time is in the past: 2001-05-01T11:00+09:00",
  });
  const refused = await tools.refusal("update_event_details", { end_time: "2031-05-01T02:00:00Z" });
  expect(refused.message).toBe(
    "end_time: expected a time after start_time (2031-05-02T03:00+09:00), not 2031-05-01T11:00+09:00: to move an event, send both",
  );
});
