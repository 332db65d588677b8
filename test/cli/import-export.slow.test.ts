import { readFile } from "node:fs/promises";
import sql from "sql-template-tag";
import { beforeEach, describe, expect, test } from "vitest";
import { importFormatPage } from "../../src/transfer/import-format-page.js";
import { transferLists } from "../../src/transfer/transfer-lists.js";
import { withPostgres } from "../support/needs.js";
import { conferenceRow, eventRow, sampleDocument, sampleIds } from "./sample-document.js";
import { useTransfer } from "./transfer-harness.js";

const { fresh, transfer } = useTransfer();
beforeEach(() => transfer.clear());

describe("a document", () => {
  test("is exported unchanged after an export and import into an empty database", async () => {
    await transfer.import(sampleDocument());
    const first = await transfer.exportText();
    await transfer.clear();
    await transfer.import(first);
    expect(await transfer.exportText()).toBe(first);
    const parsed = JSON.parse(first);
    expect(parsed.speakers.map((row: { name: string }) => row.name)).toEqual(["Zoë 🎤", 'Ada \\ "Countess"']);
    expect(parsed.segments[0].speakers).toEqual([parsed.speakers[1].id, parsed.speakers[0].id]);
    expect(parsed.events[0].hosts).toEqual([
      { organization: "beta", role: "co_host" },
      { organization: "acme", role: "host" },
    ]);
    expect(parsed.events[0].start_time).toBe("2031-05-01T17:30:00.000Z");
    expect(parsed.posters[1].metadata).toEqual({ "10": [1, 2.5, null], a: { "": "𝕏\n" } });
    expect(parsed.registrations[0]).not.toHaveProperty("previous_status");
    expect(parsed.registrations[1].previous_status).toBe("waitlisted");
    expect(first.split("\n").filter((line) => line.startsWith("    {"))).toHaveLength(14);
  });

  test("keeps integers beyond 2^53 in metadata, and counts a repetition as unchanged", async () => {
    const exact = ["9007199254740993", "-12345678901234567890", "1".repeat(300)];
    const poster = {
      ...sampleDocument().posters[1],
      metadata: { a: [...exact.map((_, i) => `#${i}`), 42], b: { c: "#0" } },
    };
    const text = JSON.stringify({ ...sampleDocument(), posters: [{ ...poster, title: '12345678901234567890 "\\' }] });
    const document = text.replaceAll(/"#(\d)"/g, (_match, i) => exact[Number(i)] ?? "");
    await transfer.import(document);
    const exported = await transfer.exportText();
    expect(exported).toContain(`"metadata":{"a": [${exact.join(", ")}, 42], "b": {"c": ${exact[0]}}}`);
    expect(JSON.parse(exported).posters[0].title).toBe('12345678901234567890 "\\');
    for (const again of [document, exported]) {
      expect((await transfer.import(again)).posters).toEqual({ added: 0, changed: 0, unchanged: 1 });
    }
    const [stored] = await fresh.db.query<{ text: string }>(sql`select metadata::text as text from posters`);
    expect(stored?.text).toContain(exact[0]);
    // A field with a type of its own still decides for itself.
    const refused = await transfer.tryImport(document.replace('"capacity":80', '"capacity":12345678901234567890'));
    expect(refused.ok ? [] : refused.problems[0]).toMatchObject({ path: "events[0].capacity" });
  });

  test("is exported with every field of the row schemas, in their order", async () => {
    await transfer.import(sampleDocument());
    const exported = await transfer.export();
    for (const { name, schema } of transferLists) {
      expect(Object.keys(exported[name].at(-1))).toEqual(Object.keys(schema.shape));
    }
  });

  test("changes nothing when it is imported again", async () => {
    expect((await transfer.import(sampleDocument())).events).toEqual({ added: 2, changed: 0, unchanged: 0 });
    const before = await transfer.exportText();
    const versions = await transfer.rowVersions();
    for (const again of [sampleDocument(), before]) {
      for (const counts of Object.values(await transfer.import(again))) {
        expect(counts).toMatchObject({ added: 0, changed: 0 });
      }
    }
    expect(await transfer.exportText()).toBe(before);
    expect(await transfer.rowVersions()).toEqual(versions);
  });

  test("may have its lists in any order, be partial and refer to stored rows", async () => {
    const { users, organizations, conferences, events, ...rest } = sampleDocument();
    await transfer.import({ conferences });
    await transfer.import({ organizations, users });
    await transfer.import({ ...rest, events });
    expect((await transfer.export()).segments).toHaveLength(1);
  });

  // Repeated, because what one import stores must disturb the plan of another at the right moment.
  test("is imported once by concurrent imports", async () => {
    await transfer.clear();
    const outcomes = await Promise.all([1, 2].map(() => transfer.tryImport(sampleDocument())));
    const added = outcomes.map((outcome) => (outcome.ok ? (outcome.lists.events?.added ?? 0) : Number.NaN));
    expect(added.sort()).toEqual([0, 2]);
    expect((await transfer.export()).posters).toHaveLength(2);
  });
});

describe("a new row", () => {
  test("takes the column defaults for omitted fields", async () => {
    const event = { event: "New Event" };
    await transfer.import({
      users: [{ email: "ann@example.com", name: "Ann" }],
      organizations: [{ name: "Acme", slug: "acme" }],
      conferences: [conferenceRow()],
      events: [eventRow()],
      posters: [{ ...event, image_url: "https://images.example/1.png" }],
      speakers: [{ ...event, name: "Ada" }],
      registrations: [{ ...event, name: "Gus", email: "gus@example.com" }],
      segments: [{ ...event, title: "Talk", start_time: "2031-05-01T18:30:00Z", duration_minutes: 30 }],
    });
    const exported = await transfer.export();
    const now = expect.stringMatching(new RegExp(`^${new Date().getUTCFullYear()}-.*Z$`));
    expect(exported.users[0]).toMatchObject({ platform_admin: false });
    expect(exported.organizations[0]).toMatchObject({ description: null, social_links: {}, members: [] });
    expect(exported.conferences[0]).toMatchObject({ banner_thumbnail_url: null, created_at: now });
    expect(exported.events[0]).toMatchObject({ run_of_show_published: false, capacity: null, created_at: now });
    expect(exported.posters[0]).toMatchObject({ published: false, sort_order: 0, metadata: {}, posted_urls: null });
    expect(exported.posters[0]).toMatchObject({ created_at: now });
    expect(exported.speakers[0]).toMatchObject({ links: {}, role: "speaker" });
    expect(exported.registrations[0]).toMatchObject({ status: "pending", answers: {}, registered_at: now });
    expect(exported.segments[0]).toMatchObject({ kind: "talk", location: null, speakers: [] });
  });
});

describe("a stored row", () => {
  beforeEach(() => transfer.import(sampleDocument()));

  test("keeps the fields that the document omits, also required ones, and its event", async () => {
    const { events } = await transfer.import({
      organizations: [{ slug: "acme", description: "New" }],
      events: [{ id: sampleIds.opening, capacity: 5 }],
      speakers: [{ id: sampleIds.zoe, company: "Acme" }],
      registrations: [{ event: "Opening", email: "gus@example.com", note: "VIP" }],
    });
    expect(events).toEqual({ added: 0, changed: 1, unchanged: 0 });
    const after = await transfer.export();
    expect(after.organizations[0]).toMatchObject({ name: "Acme", description: "New" });
    expect(after.events[0]).toMatchObject({ name: "Opening", conference: "open-web", capacity: 5, venue: "Hall A" });
    expect(after.events[0].hosts).toHaveLength(2);
    expect(after.speakers[0]).toMatchObject({ name: "Zoë 🎤", company: "Acme", event: sampleIds.opening });
    expect(after.registrations[0]).toMatchObject({ name: "Gus", note: "VIP", status: "approved" });
  });

  test("is matched by id under a new name, and by email regardless of case", async () => {
    await transfer.import({ events: [eventRow({ id: sampleIds.opening, name: "Renamed" })] });
    await transfer.import({ registrations: [{ event: "Renamed", name: "Gus", email: "GUS@example.com" }] });
    const after = await transfer.export();
    expect(after.events.map((row) => row.name)).toContain("Renamed");
    expect(after.registrations).toHaveLength(2);
    expect(after.registrations[0]).toMatchObject({ email: "GUS@example.com", status: "approved" });
  });

  test("has its members and hosts replaced by those of the document", async () => {
    const acme = { name: "Acme", slug: "acme", members: [{ email: "BO@example.com", role: "owner" }] };
    const hosts = [
      { organization: "beta", role: "host" },
      { organization: "acme", role: "co_host" },
    ];
    expect((await transfer.import({ organizations: [acme] })).organizations).toMatchObject({ changed: 1 });
    expect((await transfer.import({ events: [eventRow({ name: "Opening", hosts })] })).events).toMatchObject({
      changed: 1,
    });
    const after = await transfer.export();
    expect(after.organizations[0].members).toEqual([{ email: "bo@example.com", role: "owner" }]);
    expect(after.events[0].hosts).toEqual(hosts);
    await transfer.import({ events: [eventRow({ name: "Opening", hosts: [] })] });
    expect((await transfer.export()).events[0].hosts).toEqual([]);
  });

  test("precedes new speakers and segments of the same event", async () => {
    await transfer.import({
      speakers: ["Cy", 'Ada \\ "Countess"', "Abe"].map((name) => ({ event: "Opening", name })),
      segments: [{ event: "Opening", title: "Early", start_time: "2031-05-01T10:00:00Z", duration_minutes: 5 }],
    });
    const after = await transfer.export();
    expect(after.speakers.map((row) => row.name)).toEqual(["Zoë 🎤", 'Ada \\ "Countess"', "Cy", "Abe"]);
    expect(after.segments.map((row) => row.title)).toEqual(["Talk", "Early"]);
  });

  test("that is an event can move to another conference with everything that belongs to it", async () => {
    await transfer.import({
      conferences: [conferenceRow({ slug: "other", status: "draft" })],
      events: [eventRow({ id: sampleIds.opening, name: "Opening", conference: "other" })],
    });
    const [moved] = (await transfer.export()).events.filter((row) => row.id === sampleIds.opening);
    expect(moved).toMatchObject({ conference: "other", hosts: { length: 2 } });
    expect(
      await fresh.db.query(sql`select distinct listed from posters union select listed from hosted_posters`),
    ).toEqual([{ listed: false }]);
  });

  test("that is a registration loses previous_status when it is no longer declined", async () => {
    await transfer.import({
      registrations: [{ event: "Opening", name: "Hal", email: "hal@example.com", status: "pending" }],
    });
    expect((await transfer.export()).registrations[1]).not.toHaveProperty("previous_status");
  });
});

describe("a reference", () => {
  const segmentOf = (event: string, speakers: string[]) => ({
    event,
    title: `Talk at ${event}`,
    start_time: "2031-05-01T18:30:00Z",
    duration_minutes: 30,
    speakers,
  });

  test("from a segment resolves to a speaker of the same event", async () => {
    await transfer.import({
      conferences: [conferenceRow()],
      events: [eventRow({ name: "First" }), eventRow({ name: "Second" }), eventRow({ name: "Third" })],
      speakers: ["First", "Second"].map((event) => ({ event, name: "Ada" })),
      segments: [segmentOf("First", ["Ada"]), segmentOf("Second", ["Ada"])],
    });
    await transfer.import({
      speakers: [{ event: "Third", name: "Ada" }],
      segments: [segmentOf("Third", ["Ada"])],
    });
    const { events, speakers, segments } = await transfer.export();
    expect(segments).toHaveLength(3);
    for (const event of events) {
      const [speaker] = speakers.filter((row) => row.event === event.id);
      const [segment] = segments.filter((row) => row.event === event.id);
      expect(segment.speakers).toEqual([speaker.id]);
    }
  });

  const [first, second] = ["0a1b2c3d-0000-4000-8000-00000000000a", "0a1b2c3d-0000-4000-8000-00000000000b"];
  /** The second row of every list has the id of the first row as its name or slug. */
  const referenced = {
    organizations: [
      { id: first, name: "A", slug: "a" },
      { id: second, name: "B", slug: first },
    ],
    conferences: [conferenceRow({ id: first, slug: "a" }), conferenceRow({ id: second, slug: first })],
    events: [
      eventRow({ id: first, name: "A", conference: "a" }),
      eventRow({ id: second, name: first, conference: "a" }),
    ],
    speakers: [
      { id: first, event: second, name: "A" },
      { id: second, event: second, name: first },
    ],
  };
  const referring = {
    events: [eventRow({ name: "C", conference: first, hosts: [{ organization: first, role: "host" }] })],
    posters: [{ event: first.toUpperCase(), image_url: "https://images.example/1.png" }],
    segments: [segmentOf(second, [first])],
  };

  test.each([
    ["in the same document", [{ ...referenced, ...referring, events: [...referenced.events, ...referring.events] }]],
    ["to stored rows", [referenced, referring]],
  ])("%s prefers an id over an equal name or slug", async (_, documents) => {
    for (const document of documents) await transfer.import(document);
    const { events, posters, segments } = await transfer.export();
    expect(events.find((row) => row.name === "C")).toMatchObject({
      conference: "a",
      hosts: [{ organization: "a", role: "host" }],
    });
    expect(posters).toMatchObject([{ event: first }]);
    expect(segments).toMatchObject([{ event: second, speakers: [first] }]);
  });
});

describe("characters that are no longer stored", () => {
  test("are removed from an older export, which is imported and says where", async () => {
    await transfer.import(sampleDocument());
    await fresh.db.query(
      sql`update speakers set name = ${"Ada\u202ecalevoL"}, bio = ${"bell\u0007, \u2028soft\u00adhyphen"}`,
    );
    await fresh.db.query(sql`
      update registrations set answers = ${JSON.stringify({ "Diet\u200b": ["ve\u2066gan"], n: 1 })}, note = ${"\u001b[31mred"}`);
    await fresh.db.query(
      sql`update organizations set social_links = ${JSON.stringify({ "x\u200b": "https://x.example" })}`,
    );
    const old = await transfer.exportText();
    await transfer.clear();
    const outcome = await transfer.tryImport(old);
    expect(outcome).toMatchObject({ ok: true, cleaned: { count: 6 } });
    const notes = outcome.ok ? (outcome.cleaned?.rows ?? []) : [];
    expect(notes.map(({ path }) => path)).toEqual([
      ...["organizations[0]", "organizations[1]", "speakers[0]", "speakers[1]", "registrations[0]", "registrations[1]"],
    ]);
    expect(notes.at(2)?.message).toBe("removed U+0007, U+00AD, U+202E, which no text may have");
    const { speakers, registrations, organizations } = await transfer.export();
    expect(speakers[0]).toMatchObject({ name: "AdacalevoL", bio: "bell, \nsofthyphen" });
    expect(registrations[0]).toMatchObject({ answers: { Diet: ["vegan"], n: 1 }, note: "[31mred" });
    expect(organizations[0].social_links).toEqual({ x: "https://x.example" });
    const again = await transfer.tryImport(old);
    expect(again).toMatchObject({ ok: true, lists: { speakers: { added: 0, changed: 0, unchanged: 2 } } });
    expect(await transfer.tryImport(await transfer.exportText())).not.toHaveProperty("cleaned");
  });

  test("do not hide other problems", async () => {
    const document = { conferences: [conferenceRow({ name: "A\u202eB", timezone: "Nowhere/At_all" })] };
    const outcome = await transfer.tryImport(document);
    expect(outcome).toMatchObject({ ok: false, problemCount: 1, problems: [{ path: "conferences[0].timezone" }] });
  });
});

withPostgres("concurrent changes", () => {
  beforeEach(() => transfer.import(sampleDocument()));

  test("are not seen by an export that has started", async () => {
    const before = await transfer.exportText();
    let pending = true;
    const during = await transfer.exportText(async () => {
      if (pending) await transfer.clear();
      pending = false;
    });
    expect(during).toBe(before);
    expect((await transfer.export()).events).toEqual([]);
  });
});

test("docs/import-format.md is up to date: run npm run docs", async () => {
  const committed = await readFile(new URL("../../docs/import-format.md", import.meta.url), "utf8");
  expect(importFormatPage()).toBe(committed);
});
