import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sql from "sql-template-tag";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { exportDocument } from "../../src/modules/transfer/export-document.js";
import { type ImportOutcome, importDocument } from "../../src/modules/transfer/import-document.js";
import { type FreshDatabase, openFreshDatabase } from "../support/fresh-database.js";
import { svc } from "../support/svc.js";
import { conference, document, event, ids } from "./import-document.js";

let fresh: FreshDatabase;

beforeAll(async () => {
  fresh = await openFreshDatabase();
});
afterAll(() => fresh.remove());
beforeEach(empty);

describe("a whole document", () => {
  test("comes back byte for byte from an empty database", async () => {
    await imported(document());
    const first = await exported();
    await empty();
    await imported(first);
    expect(await exported()).toBe(first);
    const parsed = JSON.parse(first);
    expect(parsed.speakers.map((row: { name: string }) => row.name)).toEqual(["Zoë 🎤", 'Ada \\ "Countess"']);
    expect(parsed.segments[0].speakers).toEqual([parsed.speakers[1].id, parsed.speakers[0].id]);
    expect(parsed.events[0].hosts).toEqual([
      { organization: "beta", role: "co_host" },
      { organization: "acme", role: "host" },
    ]);
    expect(parsed.events[0].start_time).toBe("2031-05-01T17:30:00.000Z");
    expect(parsed.posters[1].metadata).toEqual({ "10": [1, 2.5, null], a: { "": "𝕏\u2028" } });
    expect(parsed.registrations[0]).not.toHaveProperty("previous_status");
    expect(parsed.registrations[1].previous_status).toBe("waitlisted");
    expect(first.split("\n").filter((line) => line.startsWith("    {"))).toHaveLength(13);
  });

  test("changes nothing the second time", async () => {
    expect((await imported(document())).events).toEqual({ added: 2, changed: 0, unchanged: 0 });
    const before = await exported();
    const touched = await updatedAt();
    for (const again of [document(), before]) {
      for (const counts of Object.values(await imported(again))) {
        expect(counts).toMatchObject({ added: 0, changed: 0 });
      }
    }
    expect(await exported()).toBe(before);
    expect(await updatedAt()).toEqual(touched);
  });

  test("may have its lists in any order, refer to stored rows, and be partial", async () => {
    const { users, organizations, conferences, events, ...rest } = document();
    await imported({ conferences });
    await imported({ organizations, users });
    await imported({ ...rest, events });
    expect(JSON.parse(await exported()).segments).toHaveLength(1);
  });

  test("imported twice at the same time is imported once", async () => {
    const outcomes = await Promise.all([attempt(document()), attempt(document()), attempt(document())]);
    const added = outcomes.map((outcome) => (outcome.ok ? (outcome.lists.events?.added ?? 0) : Number.NaN));
    expect(added.sort()).toEqual([0, 0, 2]);
    expect(JSON.parse(await exported()).posters).toHaveLength(2);
  });

  test("may have thousands of rows", async () => {
    const events = Array.from({ length: 3000 }, (_, index) => event({ name: `Event ${index}` }));
    const posters = Array.from({ length: 6000 }, (_, index) => ({
      event: `Event ${index % 3000}`,
      image_url: `https://images.example/${index}.png`,
    }));
    const { organizations, users, conferences } = document();
    const counts = await imported({ posters, users, organizations, conferences, events });
    expect(counts.posters).toEqual({ added: 6000, changed: 0, unchanged: 0 });
    const before = await exported();
    await empty();
    await imported(before);
    expect(await exported()).toBe(before);
  });
});

describe("a row that is stored", () => {
  beforeEach(() => imported(document()));

  test("keeps the fields that the file leaves out", async () => {
    const { description: _, venue: __, capacity: ___, ...rest } = event({ name: "Opening" });
    expect((await imported({ events: [{ ...rest, hosts: undefined, status: "archived" }] })).events).toEqual({
      added: 0,
      changed: 1,
      unchanged: 0,
    });
    expect((await stored()).events[0]).toMatchObject({ status: "archived", venue: "Hall A", capacity: 80 });
    expect((await stored()).events[0].hosts).toHaveLength(2);
  });

  test("is found by its id under a new name, and by its e-mail in another case", async () => {
    await imported({ events: [event({ id: ids.opening, name: "Renamed" })] });
    await imported({ registrations: [{ event: "Renamed", name: "Gus", email: "GUS@example.com" }] });
    const after = await stored();
    expect(after.events.map((row) => row.name)).toContain("Renamed");
    expect(after.registrations).toHaveLength(2);
    expect(after.registrations[0]).toMatchObject({ email: "GUS@example.com", status: "approved" });
  });

  test("takes the whole set of members and hosts", async () => {
    const acme = { name: "Acme", slug: "acme", members: [{ email: "BO@example.com", role: "owner" }] };
    const hosts = [
      { organization: "beta", role: "host" },
      { organization: "acme", role: "co_host" },
    ];
    expect((await imported({ organizations: [acme] })).organizations).toMatchObject({ changed: 1 });
    expect((await imported({ events: [event({ name: "Opening", hosts })] })).events).toMatchObject({ changed: 1 });
    expect((await stored()).organizations[0].members).toEqual([{ email: "bo@example.com", role: "owner" }]);
    expect((await stored()).events[0].hosts).toEqual(hosts);
    await imported({ events: [event({ name: "Opening", hosts: [] })] });
    expect((await stored()).events[0].hosts).toEqual([]);
  });

  test("gets new speakers and segments after the ones it has", async () => {
    await imported({
      speakers: ["Cy", 'Ada \\ "Countess"', "Abe"].map((name) => ({ event: "Opening", name })),
      segments: [{ event: "Opening", title: "Early", start_time: "2031-05-01T10:00:00Z", duration_minutes: 5 }],
    });
    const after = await stored();
    expect(after.speakers.map((row) => row.name)).toEqual(["Zoë 🎤", 'Ada \\ "Countess"', "Cy", "Abe"]);
    expect(after.segments.map((row) => row.title)).toEqual(["Talk", "Early"]);
  });

  test("loses the state before its decline when it is no longer declined", async () => {
    await imported({ registrations: [{ event: "Opening", name: "Hal", email: "hal@example.com", status: "pending" }] });
    expect((await stored()).registrations[1]).not.toHaveProperty("previous_status");
  });
});

describe("what is wrong", () => {
  beforeEach(() => imported(document()));

  const poster = { event: "Opening", image_url: "https://images.example/new.png" };
  const guest = { event: "Opening", name: "New", email: "new@example.com" };
  const segment = { event: "Opening", title: "New", start_time: "2031-05-01T18:00:00Z", duration_minutes: 10 };
  const other = "99999999-9999-4999-8999-999999999999";

  test.each<[string, Record<string, unknown[]>, Record<string, string | RegExp>]>([
    [
      "a wrong field",
      { events: [event(), event({ start_time: "2031-05-01" })] },
      { "events[1].start_time": /ISO 8601/ },
    ],
    ["a missing field", { events: [event({ name: undefined })] }, { "events[0].name": "is required" }],
    [
      "an unknown field",
      { users: [{ email: "a@b.example", name: "A", nick: 1 }] },
      { "users[0].nick": /not a known field/ },
    ],
    ["not an object", { users: [null, 5] }, { "users[0]": "expects an object", "users[1]": "expects an object" }],
    ["an unknown value", { events: [event({ status: "live" })] }, { "events[0].status": /one of draft, approved/ }],
    [
      "a wrong link",
      { posters: [{ ...poster, posted_urls: { "my site": "x" } }] },
      { 'posters[0].posted_urls["my site"]': /URL/ },
    ],
    [
      "a number that is lost",
      { posters: [{ ...poster, metadata: { a: "1e999" } }] },
      { "posters[0].metadata": /1e308/ },
    ],
    ["a NUL", { users: [{ email: "a@b.example", name: "A\0" }] }, { "users[0].name": /NUL/ }],
    ["half a character", { events: [event({ venue: "\ud800" })] }, { "events[0].venue": /Unicode/ }],
    [
      "an unknown conference",
      { events: [event({ conference: "nope" })] },
      { "events[0].conference": /no conference has the id or slug "nope"/ },
    ],
    [
      "an unknown event",
      { posters: [{ ...poster, event: other }] },
      { "posters[0].event": /no event has the id or name/ },
    ],
    [
      "a name of two events",
      { events: [event({ id: other, name: "Opening" })], posters: [poster] },
      { "posters[0].event": /2 events have the name "Opening": use the id/ },
    ],
    [
      "an unknown organization",
      { events: [event({ hosts: [{ organization: "nope", role: "host" }] })] },
      { "events[0].hosts[0].organization": /no organization/ },
    ],
    [
      "an unknown member",
      { organizations: [{ name: "A", slug: "acme", members: [{ email: "x@y.example", role: "owner" }] }] },
      { "organizations[0].members[0].email": /no user has the email/ },
    ],
    [
      "an unknown speaker",
      { segments: [{ ...segment, speakers: ["Zoë 🎤", "Nobody"] }] },
      { "segments[0].speakers[1]": /no speaker in this event/ },
    ],
    [
      "a speaker named twice",
      { segments: [{ ...segment, speakers: ["Zoë 🎤", "Zoë 🎤"] }] },
      { "segments[0].speakers[1]": /same speaker as in speakers\[0\]/ },
    ],
    [
      "a name of two speakers",
      { speakers: [{ id: other, event: "Opening", name: "Zoë 🎤" }], segments: [{ ...segment, speakers: ["Zoë 🎤"] }] },
      { "segments[0].speakers[0]": /2 speakers in this event/ },
    ],
    [
      "the same host twice",
      {
        events: [
          event({
            hosts: [
              { organization: "acme", role: "host" },
              { organization: ids.acme, role: "co_host" },
            ],
          }),
        ],
      },
      { "events[0].hosts[1].organization": /same organization as in hosts\[0\]/ },
    ],
    [
      "no host",
      { events: [event({ hosts: [{ organization: "acme", role: "co_host" }] })] },
      { "events[0].hosts": /exactly one/ },
    ],
    [
      "an id given twice",
      {
        users: [
          { id: other, email: "a@b.example", name: "A" },
          { id: other, email: "c@d.example", name: "C" },
        ],
      },
      { "users[1].id": /also the id of users\[0\]/ },
    ],
    [
      "an e-mail given twice",
      {
        users: [
          { email: "a@b.example", name: "A" },
          { email: "A@b.example", name: "C" },
        ],
      },
      { "users[1].email": /same email as users\[0\]/ },
    ],
    [
      "a name given twice without ids",
      { events: [event(), event()] },
      { "events[1]": /same conference and name as events\[0\]: give each its id/ },
    ],
    [
      "one row by id and by name",
      { events: [event({ id: ids.opening, name: "Renamed" }), event({ name: "Opening" })] },
      { "events[1]": /names the same event as events\[0\]/ },
    ],
    [
      "an e-mail of another user",
      { users: [{ id: other, email: "ANN@example.com", name: "A" }] },
      { "users[0].email": /taken by the user/ },
    ],
    [
      "a slug of another organization",
      { organizations: [{ id: ids.acme, name: "A", slug: "beta" }] },
      { "organizations[0].slug": /taken by the organization/ },
    ],
    [
      "a registered e-mail",
      { registrations: [{ ...guest, id: other, email: "gus@example.com" }] },
      { "registrations[0].email": /taken by the registration/ },
    ],
    [
      "a ticketing id of another event",
      { events: [event({ ticketing_event_id: "evt-1" })] },
      { "events[0].ticketing_event_id": /taken by the event/ },
    ],
    [
      "a ticketing id given twice",
      { events: [event({ ticketing_event_id: "t" }), event({ name: "B", ticketing_event_id: "t" })] },
      { "events[1].ticketing_event_id": /same as in events\[0\]/ },
    ],
    [
      "an event that ends before it starts",
      { events: [event({ end_time: "2031-05-01T17:30:00Z" })] },
      { "events[0].end_time": /after start_time/ },
    ],
    [
      "a conference that ends before it starts",
      { conferences: [conference({ slug: "new", end_date: "2031-04-30" })] },
      { "conferences[0].end_date": /not before start_date/ },
    ],
    [
      "year 0",
      { conferences: [conference({ start_date: "0000-01-01" })] },
      { "conferences[0].start_date": /expects a date/ },
    ],
    [
      "a guest checked in too early",
      { registrations: [{ ...guest, checked_in_at: "2031-05-01T17:30:00Z" }] },
      { "registrations[0].checked_in_at": /unless status is approved/ },
    ],
    [
      "a checked-in guest declined",
      { registrations: [{ ...guest, email: "gus@example.com", status: "declined" }] },
      { "registrations[0].checked_in_at": /unless status is approved/ },
    ],
    [
      "a state before a decline that was none",
      { registrations: [{ ...guest, status: "approved", previous_status: "pending" }] },
      { "registrations[0].previous_status": /unless status is declined/ },
    ],
    [
      "a speaker that moves",
      { speakers: [{ id: ids.zoe, event: "Second", name: "Zoë" }] },
      { "speakers[0].event": /cannot move/ },
    ],
  ])("%s is reported with its place", async (_, given, problems) => {
    const before = await exported();
    const outcome = await attempt(
      JSON.stringify({ ...given, conferences: [...(given.conferences ?? []), conference({ slug: "extra" })] }).replace(
        '"1e999"',
        "1e999",
      ),
    );
    if (outcome.ok) throw new Error("it was imported");
    expect(Object.fromEntries(outcome.problems.map(({ path, message }) => [path, message]))).toEqual(
      Object.fromEntries(
        Object.entries(problems).map(([path, message]) => [
          path,
          typeof message === "string" ? message : expect.stringMatching(message),
        ]),
      ),
    );
    expect(outcome.problemCount).toBe(Object.keys(problems).length);
    expect(await exported()).toBe(before);
  });

  test("is reported all at once, and not again for rows that refer to a wrong one", async () => {
    const outcome = await attempt({
      users: [{ email: "x", name: "X" }],
      conferences: [conference({ slug: "bad", timezone: "Mars/Base" })],
      events: [event({ conference: "bad", name: "Fine" }), event({ name: "Wrong", capacity: -1 })],
      posters: [
        { ...poster, event: "Wrong" },
        { ...poster, event: "nope" },
      ],
    });
    expect(outcome.ok ? [] : outcome.problems.map(({ path }) => path)).toEqual([
      "users[0].email",
      "conferences[0].timezone",
      "events[1].capacity",
      "posters[1].event",
    ]);
  });

  test("a stored row without an id is refused when several match", async () => {
    await imported({ events: [event({ id: other, name: "Opening" })] });
    const outcome = await attempt({ events: [event({ name: "Opening" })] });
    expect(outcome).toMatchObject({
      problems: [{ path: "events[0]", message: expect.stringMatching(/^2 events have/) }],
    });
  });
});

describe("a file that cannot be read", () => {
  test.each([
    ["", /is empty/],
    ["[]", /line 1: expects an object of lists/],
    ['{"events": {}}', /"events" expects a list/],
    ['{"users": [], "events": null}', /"events" expects a list/],
    ['{"users": [\n{"email": "a@b.example",\n', /line 3: ends too early/],
    ['{"users": []', /ends too early/],
    ['{"people": []}', /"people" is not a known list: expects users, /],
    ['{"users": [], "users": []}', /"users" is given twice/],
    ['{"users": [\n{"email": x}]}', /line 2: users\[0\] is not valid JSON/],
    ['{"users": [{"a": [1}, 2]}]}', /users\[0\] is not valid JSON/],
    ['{"users": [1,]}', /expects an item/],
    ['{"users": [1 2]}', /expects , or \]/],
    ['{"users": []} x', /expects nothing after/],
    [`{"users": [${"[".repeat(200)}]}`, /nested more than 100 levels/],
    ["\ufeff{}", /byte order mark/],
    [Buffer.from('{"users": [{"name": "\xe9"}]}', "latin1"), /not valid UTF-8/],
  ])("%j", async (text, message) => {
    await expect(attempt(text)).rejects.toThrow(message);
  });

  test.each([1, 3, 7])("is the same file in pieces of %i bytes", async (size) => {
    const bytes = Buffer.from(JSON.stringify(document(), null, 1));
    const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
      bytes.subarray(index * size, (index + 1) * size),
    );
    const outcome = await importDocument(fresh.db, streamOf(pieces), { source: "test", checkOnly: false });
    expect(outcome).toMatchObject({ ok: true, lists: { segments: { added: 1 } } });
  });
});

describe("the command line", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "svc-test-"));
  });
  afterAll(() => rm(folder, { recursive: true }));

  test("imports a file, only checks it, and exports it again", async () => {
    const file = join(folder, "document.json");
    await writeFile(file, JSON.stringify(document()));
    const checked = await svc(["import", "--check", "--json", file], fresh.env);
    expect(JSON.parse(checked.stdout)).toMatchObject({ ok: true, checked_only: true, lists: { users: { added: 2 } } });
    expect(JSON.parse(await exported()).users).toEqual([]);

    expect(await svc(["import", file], fresh.env)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/events +2 +0 +0/),
    });
    const copy = join(folder, "copy.json");
    const written = await svc(["export", copy, "--json"], fresh.env);
    expect(JSON.parse(written.stdout)).toMatchObject({ file: copy, lists: { events: 2, posters: 2 } });
    const shown = await svc(["export"], fresh.env);
    expect(shown.stdout).toBe(await readFile(copy, "utf8"));
    expect((await readdir(folder)).sort()).toEqual(["copy.json", "document.json"]);
    const again = await svc(["import", "-", "--json"], fresh.env, shown.stdout);
    expect(JSON.parse(again.stdout)).toMatchObject({ ok: true, lists: { events: { unchanged: 2 } } });
  });

  test("prints a hundred problems and counts the rest", async () => {
    const users = Array.from({ length: 150 }, () => ({ email: "x", name: "X" }));
    const text = JSON.stringify({ users });
    const printed = await svc(["import", "-"], fresh.env, text);
    expect(printed).toMatchObject({ code: 1, stdout: "" });
    const lines = printed.stderr.trim().split("\n");
    expect(lines[0]).toBe("users[0].email: expects an e-mail address");
    expect(lines.slice(99)).toEqual([expect.stringMatching(/^users\[99\]/), "… and 50 more", "Nothing was imported."]);
    const json = await svc(["import", "-", "--json"], fresh.env, text);
    expect(json.code).toBe(1);
    expect(JSON.parse(json.stdout)).toMatchObject({ ok: false, error_count: 150, errors: { length: 150 } });
  });

  test("says in one line what keeps it from starting", async () => {
    const missing = join(folder, "missing.json");
    expect(await svc(["import", missing], fresh.env)).toEqual({
      code: 1,
      stdout: "",
      stderr: `svc: there is no file ${missing}\n`,
    });
    expect(await svc(["import", folder], fresh.env)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/is a folder/),
    });
    expect(await svc(["export", folder], fresh.env)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/is a folder/),
    });
    expect(await svc(["export", join(folder, "no", "x.json")], fresh.env)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^svc: cannot write .*\n$/),
    });
    expect(await svc(["import", "a", "b"], fresh.env)).toMatchObject({ code: 2 });
    expect(await svc(["export", "a", "b"], fresh.env)).toMatchObject({ code: 2 });
    for (const command of ["import", "export"]) {
      expect((await svc([command, "--help"])).stdout).toMatch(new RegExp(`Example:\n {2}\\$ svc ${command}`));
    }
  });
});

async function empty(): Promise<void> {
  await fresh.db.query(sql`truncate users, organizations, conferences cascade`);
}

async function* streamOf(pieces: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* pieces;
}

function attempt(given: string | Buffer | object): Promise<ImportOutcome> {
  const text = typeof given === "string" || Buffer.isBuffer(given) ? given : JSON.stringify(given);
  return importDocument(fresh.db, streamOf([Buffer.from(text as string)]), { source: "test", checkOnly: false });
}

async function imported(given: string | object) {
  const outcome = await attempt(given);
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.problems));
  return outcome.lists;
}

async function exported(): Promise<string> {
  const parts: string[] = [];
  await exportDocument(fresh.db, async (text) => {
    parts.push(text);
  });
  return parts.join("");
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into rows of every shape.
async function stored(): Promise<Record<string, any[]>> {
  return JSON.parse(await exported());
}

function updatedAt(): Promise<object[]> {
  return fresh.db.query(sql`
    select id, updated_at, xmin::text from events union all select id, updated_at, xmin::text from organizations
    order by id`);
}
