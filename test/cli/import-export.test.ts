import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sql from "sql-template-tag";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type FreshDatabase, openFreshDatabase } from "../support/fresh-database.js";
import { withPostgres } from "../support/needs.js";
import { svc } from "../support/svc.js";
import { conference, document, event, ids } from "./import-document.js";
import { type Transfer, transferOn } from "./transfer.js";

let fresh: FreshDatabase;
let transfer: Transfer;

beforeAll(async () => {
  fresh = await openFreshDatabase();
  transfer = transferOn(fresh.db);
});
afterAll(() => fresh.remove());
beforeEach(() => transfer.empty());

describe("a whole document", () => {
  test("comes back byte for byte from an empty database", async () => {
    await transfer.imported(document());
    const first = await transfer.exported();
    await transfer.empty();
    await transfer.imported(first);
    expect(await transfer.exported()).toBe(first);
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
    expect(first.split("\n").filter((line) => line.startsWith("    {"))).toHaveLength(14);
  });

  test("changes nothing the second time", async () => {
    expect((await transfer.imported(document())).events).toEqual({ added: 2, changed: 0, unchanged: 0 });
    const before = await transfer.exported();
    const touched = await transfer.versions();
    for (const again of [document(), before]) {
      for (const counts of Object.values(await transfer.imported(again))) {
        expect(counts).toMatchObject({ added: 0, changed: 0 });
      }
    }
    expect(await transfer.exported()).toBe(before);
    expect(await transfer.versions()).toEqual(touched);
  });

  test("may have its lists in any order, refer to stored rows, and be partial", async () => {
    const { users, organizations, conferences, events, ...rest } = document();
    await transfer.imported({ conferences });
    await transfer.imported({ organizations, users });
    await transfer.imported({ ...rest, events });
    expect(JSON.parse(await transfer.exported()).segments).toHaveLength(1);
  });

  test("imported twice at the same time is imported once", async () => {
    const outcomes = await Promise.all([
      transfer.attempt(document()),
      transfer.attempt(document()),
      transfer.attempt(document()),
    ]);
    const added = outcomes.map((outcome) => (outcome.ok ? (outcome.lists.events?.added ?? 0) : Number.NaN));
    expect(added.sort()).toEqual([0, 0, 2]);
    expect(JSON.parse(await transfer.exported()).posters).toHaveLength(2);
  });

  test("may have thousands of rows", async () => {
    const events = Array.from({ length: 3000 }, (_, index) => event({ name: `Event ${index}` }));
    const posters = Array.from({ length: 6000 }, (_, index) => ({
      event: `Event ${index % 3000}`,
      image_url: `https://images.example/${index}.png`,
    }));
    const { organizations, users, conferences } = document();
    const counts = await transfer.imported({ posters, users, organizations, conferences, events });
    expect(counts.posters).toEqual({ added: 6000, changed: 0, unchanged: 0 });
    const before = await transfer.exported();
    await transfer.empty();
    await transfer.imported(before);
    expect(await transfer.exported()).toBe(before);
  });
});

describe("a row that is stored", () => {
  beforeEach(() => transfer.imported(document()));

  test("keeps the fields that the file leaves out", async () => {
    expect((await transfer.imported({ events: [event({ name: "Opening", status: "archived" })] })).events).toEqual({
      added: 0,
      changed: 1,
      unchanged: 0,
    });
    expect((await transfer.stored()).events[0]).toMatchObject({ status: "archived", venue: "Hall A", capacity: 80 });
    expect((await transfer.stored()).events[0].hosts).toHaveLength(2);
  });

  test("is found by its id under a new name, and by its e-mail in another case", async () => {
    await transfer.imported({ events: [event({ id: ids.opening, name: "Renamed" })] });
    await transfer.imported({ registrations: [{ event: "Renamed", name: "Gus", email: "GUS@example.com" }] });
    const after = await transfer.stored();
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
    expect((await transfer.imported({ organizations: [acme] })).organizations).toMatchObject({ changed: 1 });
    expect((await transfer.imported({ events: [event({ name: "Opening", hosts })] })).events).toMatchObject({
      changed: 1,
    });
    expect((await transfer.stored()).organizations[0].members).toEqual([{ email: "bo@example.com", role: "owner" }]);
    expect((await transfer.stored()).events[0].hosts).toEqual(hosts);
    await transfer.imported({ events: [event({ name: "Opening", hosts: [] })] });
    expect((await transfer.stored()).events[0].hosts).toEqual([]);
  });

  test("gets new speakers and segments after the ones it has", async () => {
    await transfer.imported({
      speakers: ["Cy", 'Ada \\ "Countess"', "Abe"].map((name) => ({ event: "Opening", name })),
      segments: [{ event: "Opening", title: "Early", start_time: "2031-05-01T10:00:00Z", duration_minutes: 5 }],
    });
    const after = await transfer.stored();
    expect(after.speakers.map((row) => row.name)).toEqual(["Zoë 🎤", 'Ada \\ "Countess"', "Cy", "Abe"]);
    expect(after.segments.map((row) => row.title)).toEqual(["Talk", "Early"]);
  });

  test("moves to another conference with all that belongs to it, when it is an event", async () => {
    await transfer.imported({
      conferences: [conference({ slug: "other", status: "draft" })],
      events: [event({ id: ids.opening, name: "Opening", conference: "other" })],
    });
    const [moved] = (await transfer.stored()).events.filter((row) => row.id === ids.opening);
    expect(moved).toMatchObject({ conference: "other", hosts: { length: 2 } });
    expect(
      await fresh.db.query(sql`select distinct listed from posters union select listed from hosted_posters`),
    ).toEqual([{ listed: false }]);
  });

  test("loses the state before its decline when it is no longer declined", async () => {
    await transfer.imported({
      registrations: [{ event: "Opening", name: "Hal", email: "hal@example.com", status: "pending" }],
    });
    expect((await transfer.stored()).registrations[1]).not.toHaveProperty("previous_status");
  });
});

withPostgres("a row that another transaction changes meanwhile", () => {
  test("is not overwritten", async () => {
    await transfer.imported(document());
    let importing: Promise<unknown> = Promise.resolve();
    await fresh.db.transaction(async (tx) => {
      await tx.query(sql`update events set venue = 'Hall B' where id = ${ids.opening}`);
      importing = expect(
        transfer.imported({ events: [event({ id: ids.opening, name: "Opening", capacity: 5 })] }),
      ).rejects.toThrow(/changed by others/);
      await expect.poll(waitingForRows, { timeout: 20_000 }).toBe(1);
    });
    await importing;
    expect((await transfer.stored()).events[0]).toMatchObject({ venue: "Hall B", capacity: 80 });
  });

  async function waitingForRows(): Promise<number> {
    const rows = await fresh.db.query(sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
    return rows.length;
  }
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
    expect(JSON.parse(await transfer.exported()).users).toEqual([]);

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
