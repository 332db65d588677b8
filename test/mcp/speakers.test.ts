import { randomUUID } from "node:crypto";
import sql from "sql-template-tag";
import { describe, expect, it } from "vitest";
import { createEventFixture } from "../support/event-fixture.js";
import { expectRefused } from "../support/expect-refused.js";
import { useDatabase, useEvent } from "../support/setup.js";
import { changesOf } from "../support/tool-runner.js";

const { db } = useDatabase();
const { fixture, tools } = useEvent(db);

const speakers = () =>
  db.query<{ id: string; name: string; position: number }>(
    sql`select * from speakers where event_id = ${fixture.eventId} order by position, id`,
  );

describe("add_event_speaker", () => {
  it("appends the speaker and returns its id", async () => {
    const name = "Ádá “𝕏” Łovelace 🦜";
    const result = await tools.commit("add_event_speaker", { name, role: "panelist" });
    expect(result.after.speaker).toMatchObject({ name, role: "panelist", bio: null, links: {} });
    expect(result.after.speakers.at(3)).toEqual({ id: result.after.speaker.id, name });
    expect((await speakers()).at(-1)).toMatchObject({ id: result.after.speaker.id, name, position: 3 });
  });

  it.each([
    [1, 0],
    [2, 1],
    [9, 3],
  ])("at position %i, whatever gaps an import left, and can be reverted", async (position, expected) => {
    await db.query(sql`update speakers set position = position * 10 + 5 where event_id = ${fixture.eventId}`);
    const preview = await tools.run("add_event_speaker", { name: "Grace", position });
    expect(preview.proposed.speakers[expected]).toEqual({ id: null, name: "Grace" });
    const { after, record_id } = await tools.commit("add_event_speaker", { name: "Grace", position });
    expect(after.speakers[expected]).toEqual({ id: after.speaker.id, name: "Grace" });
    const order = await speakers();
    expect(order.map((speaker) => speaker.position)).toEqual([0, 1, 2, 3]);
    expect(order.findIndex(({ name }) => name === "Grace")).toBe(expected);
    await tools.commit("revert_change", { record_id });
    expect((await speakers()).map(({ id }) => id)).toEqual(fixture.speakerIds);
  });

  it("refuses what is not valid", () =>
    expectRefused(tools, "add_event_speaker", [
      [{ name: " " }, "name: expected a string that is not blank"],
      [{ name: "A\nB" }, "name: expected one line"],
      [{ name: "A", links: { web: "ftp://x" } }, "links.web: expected an absolute http or https URL"],
      [{ name: "A", photo_url: "javascript:alert(1)" }, "photo_url: expected an absolute http or https URL"],
      [{ name: "A", role: "king" }, "role: expected one of speaker, moderator, panelist, host"],
      [{ name: "A", position: 0 }, "position: expected an integer from 1 to 200"],
      [{ name: "A", place: 1 }, "place: unknown field"],
      [{}, "name: is required: expected a string"],
    ]));

  it("allows at most 200 speakers", async () => {
    await db.query(sql`
      insert into speakers (event_id, name, position) select ${fixture.eventId}, 'S', n from generate_series(3, 199) n`);
    expect((await tools.refusal("add_event_speaker", { name: "One more" })).message).toContain("at most 200");
  });
});

describe("update_event_speaker", () => {
  it("changes and shows only the given fields", async () => {
    const [, speaker_id] = fixture.speakerIds;
    await db.query(
      sql`update speakers set bio = 'Long', photo_url = ${`/images/${"a".repeat(64)}.png`} where id = ${speaker_id}`,
    );
    const preview = await tools.run("update_event_speaker", {
      speaker_id,
      title: "CTO",
      links: { x: "https://x.test/" },
    });
    expect(preview.current).toEqual({ speaker: { id: speaker_id, name: "Speaker 1", title: null, links: {} } });
    await tools.commit("update_event_speaker", { speaker_id, title: "CTO" });
    expect((await speakers())[1]).toMatchObject({
      title: "CTO",
      links: {},
      bio: "Long",
      photo_url: `/images/${"a".repeat(64)}.png`,
    });
  });

  it("null clears a field", async () => {
    const [, speaker_id] = fixture.speakerIds;
    const photo_url = "https://images.example.com/a.png";
    const filled = { title: "CTO", company: "Acme", bio: "Long", photo_url };
    await tools.commit("update_event_speaker", { speaker_id, ...filled });
    expect((await speakers())[1]).toMatchObject(filled);
    const cleared = { title: null, company: null, bio: null, photo_url: null };
    await tools.commit("update_event_speaker", { speaker_id, ...cleared });
    expect((await speakers())[1]).toMatchObject({ name: "Speaker 1", ...cleared });
  });
});

describe("remove_event_speaker", () => {
  it("shows which segments lose the speaker, and closes the gap in positions", async () => {
    const [speaker_id] = fixture.speakerIds;
    const preview = await tools.run("remove_event_speaker", { speaker_id });
    const segment = { id: fixture.segmentIds[0], title: "Segment 0" };
    expect(preview.current.named_in_segments).toEqual([segment]);
    expect(changesOf(preview)).toContainEqual({ path: `named_in_segments[${segment.id}]`, from: segment, to: null });
    expect(preview.note).toBe("1 segment loses this speaker");
    await tools.commit("remove_event_speaker", { speaker_id });
    expect((await speakers()).map(({ name, position }) => [name, position])).toEqual([
      ["Speaker 1", 0],
      ["Speaker 2", 1],
    ]);
    const [segments] = await db.query<{ count: number }>(sql`
      select count(*) as count from segments where event_id = ${fixture.eventId}`);
    expect(segments?.count).toBe(3);
    expect((await tools.refusal("remove_event_speaker", { speaker_id })).code).toBe("not_found");
  });
});

describe("reorder_event_speakers", () => {
  it("stores the given order", async () => {
    const [first, second, third] = fixture.speakerIds;
    await tools.commit("reorder_event_speakers", { speaker_ids: [third, first, second] });
    expect((await speakers()).map(({ id, position }) => [id, position])).toEqual([
      [third, 0],
      [first, 1],
      [second, 2],
    ]);
  });

  it("requires each speaker exactly once", async () => {
    const [first, second, third] = fixture.speakerIds;
    const unknown = randomUUID();
    const error = await tools.refusal("reorder_event_speakers", { speaker_ids: [first, unknown] });
    expect(error).toMatchObject({
      code: "invalid_input",
      details: { missing: [second, third], unknown: [unknown] },
    });
    expect(error.message).toContain(`missing: ${second}, ${third}; unknown: ${unknown}`);
    const twice = await tools.refusal("reorder_event_speakers", { speaker_ids: [first, first, second, third] });
    expect(twice.message).toBe(`speaker_ids: expected each id once; repeated: ${first}`);
  });
});

describe("speakers of other events", () => {
  it("are not found", async () => {
    const other = await createEventFixture(db);
    const [speaker_id] = other.speakerIds;
    for (const name of ["update_event_speaker", "remove_event_speaker"]) {
      expect((await tools.refusal(name, { speaker_id })).code).toBe("not_found");
      expect((await tools.refusal(name, { event_id: other.eventId, speaker_id })).code).toBe("forbidden");
    }
    const speaker_ids = [...fixture.speakerIds, speaker_id];
    expect((await tools.refusal("reorder_event_speakers", { speaker_ids })).details).toMatchObject({
      unknown: [speaker_id],
    });
  });
});
