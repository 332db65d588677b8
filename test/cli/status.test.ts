import sql from "sql-template-tag";
import stringWidth from "string-width";
import { describe, expect, it } from "vitest";
import { useService } from "../support/setup.js";
import { workerDatabase } from "../support/worker-database.js";
import { parse } from "./parse.js";
import { expectRefusal } from "./refusal.js";
import { runCommand } from "./run-command.js";

const { service, db, make } = useService();

const run = (...args: string[]) => runCommand(args, workerDatabase.env);

const recordsOf = (tool: string, id: string) =>
  db.query<{ before: string; after: string }>(sql`
    select before->>'status' as before, after->>'status' as after from mutation_records
    where tool = ${tool} and after->>'id' = ${id} order by at`);

describe("svc conferences", () => {
  it("set-status hides and shows a conference with the next request, with one record per change", async () => {
    const id = await make.conference();
    await make.event(id);
    const key = await make.superAdminKey();
    const [row] = await db.query<{ slug: string }>(sql`select slug from conferences where id = ${id}`);
    const slug = row?.slug ?? "";
    const status = async () => (await service.call(`/api/svc/conferences/${id}/events`, { key })).status;
    expect(await status()).toBe(200);
    const archived = await run("conferences", "set-status", slug, "--status", "archived");
    expect(archived).toMatchObject({ code: 0, stderr: "", stdout: `Test Conference (${slug}) is archived.\n` });
    expect(await status()).toBe(404);
    await run("conferences", "set-status", id, "--status", "archived");
    const shown = await run("conferences", "set-status", id, "--status", "approved", "--json");
    expect(JSON.parse(shown.stdout)).toEqual({ id, name: "Test Conference", slug, status: "approved" });
    expect(await status()).toBe(200);
    expect(await recordsOf("svc:conferences set-status", id)).toEqual([
      { before: "published", after: "archived" },
      { before: "archived", after: "approved" },
    ]);
  });

  it("list shows conferences in any status, with the number of events", async () => {
    const id = await make.conference({ status: "draft" });
    await make.event(id);
    const listed: { id: string }[] = JSON.parse((await run("conferences", "list", "--json")).stdout);
    expect(listed.find((row) => row.id === id)).toMatchObject({ status: "draft", events: 1, start_date: "2031-05-01" });
    await db.query(sql`update conferences set name = ${"x".repeat(200)} where id = ${id}`);
    const table = (await run("conferences", "list")).stdout;
    expect(table).toMatch(/^SLUG +NAME +STARTS +STATUS +EVENTS\n/);
    for (const row of table.split("\n")) expect(stringWidth(row), row).toBeLessThanOrEqual(100);
  });

  it("set-status takes a part of the slug or name that no other conference has", async () => {
    const [one, other] = [await make.conference(), await make.conference()];
    await db.query(sql`update conferences set name = 'Harbour Days', slug = 'harbour-lisbon' where id = ${one}`);
    await db.query(sql`update conferences set name = 'Harbour Nights', slug = 'harbour-porto' where id = ${other}`);
    for (const part of ["bour-lisbon", "HARBOUR DAYS"]) {
      const { stdout } = await run("conferences", "set-status", part, "--status", "draft");
      expect(stdout).toBe("Harbour Days (harbour-lisbon) is draft.\n");
    }
    const several = await run("conferences", "set-status", "harbour", "--status", "draft");
    expectRefusal(
      several,
      1,
      /several conferences match harbour; use a slug: harbour-(lisbon|porto), harbour-(lisbon|porto)/,
    );
    await db.query(sql`update conferences set slug = 'harbour' where id = ${other}`);
    const exact = await run("conferences", "set-status", "harbour", "--status", "draft");
    expect(exact.stdout).toBe("Harbour Nights (harbour) is draft.\n");
  });

  it("refuses an unknown conference and an unknown status", async () => {
    expectRefusal(await run("conferences", "set-status", "nowhere", "--status", "draft"), 1, /no conference has/);
    const wrong = await parse(["conferences", "set-status", "nowhere", "--status", "live"]);
    expectRefusal(wrong, 2, /Allowed choices are draft, approved, published, archived/);
    expectRefusal(await parse(["conferences", "set-status", "nowhere"]), 2, /--status/);
  });
});

describe("svc events set-status", () => {
  it("hides and shows an event, by id or unique name", async () => {
    const id = await make.event(await make.conference());
    await db.query(sql`update events set name = ${`Only ${id}`} where id = ${id}`);
    const key = await make.superAdminKey();
    const poster = await make.poster(id);
    const status = async () => (await service.call(`/api/svc/posters/${poster}`, { key })).status;
    expect((await run("events", "set-status", `Only ${id}`, "--status", "draft")).stdout).toMatch(/ is draft\.\n$/);
    expect(await status()).toBe(404);
    const shown = JSON.parse((await run("events", "set-status", id, "--status", "published", "--json")).stdout);
    expect(shown).toMatchObject({ id, status: "published" });
    expect(await status()).toBe(200);
    expect(await recordsOf("svc:events set-status", id)).toHaveLength(2);
    expectRefusal(await run("events", "set-status", "Nothing", "--status", "draft"), 1, /no event has the id or name/);
  });
});
