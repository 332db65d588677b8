import { randomUUID } from "node:crypto";
import sql, { raw } from "sql-template-tag";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { platformTools } from "../../src/registry.js";
import { type FreshDatabase, openFreshDatabase } from "../support/fresh-database.js";
import { createPlatformFixture, type PlatformFixture, platformExamples } from "./platform-examples.js";
import { type ConsoleService, startConsole } from "./support.js";

// Whole tables are compared, so these tests use a separate database.

let fresh: FreshDatabase;
let service: ConsoleService;
let cookie: string;
let administrator: string;

beforeAll(async () => {
  fresh = await openFreshDatabase();
  service = await startConsole({}, {}, fresh);
  const fixture = await createPlatformFixture(service.db);
  administrator = fixture.administratorId;
  cookie = await service.signIn(administrator);
});
afterAll(async () => {
  await service.close();
  await fresh.remove();
});

const run = (tool: string, body: object) => service.post(`admin/tools/${tool}`, cookie, body);

async function newCase(tool: string): Promise<{ fixture: PlatformFixture; input: Record<string, unknown> }> {
  const fixture = await createPlatformFixture(service.db);
  const example = platformExamples[tool];
  if (example === undefined) throw new Error(`no example of ${tool}`);
  return { fixture, input: example(fixture) };
}

it("every tool has an example", () => {
  expect(Object.keys(platformExamples).sort()).toEqual(platformTools.map(({ name }) => name).sort());
});

describe.each(platformTools.map(({ name }) => name))("%s", (name) => {
  it("previews by default and changes nothing", async () => {
    const { input } = await newCase(name);
    const before = await tableVersions();
    const { status, json } = await run(name, input);
    expect(status, JSON.stringify(json)).toBe(200);
    expect(json).toMatchObject({ dry_run: true, commit_with: { dry_run: false, confirm: true, ...input } });
    expect(json.changes).not.toEqual([]);
    expect(await tableVersions()).toEqual(before);
  });

  it("commits what the preview proposed, once, with a complete record", async () => {
    const { input } = await newCase(name);
    const preview = await run(name, input);
    const commit = { ...preview.json.commit_with, reason: "for the test" };
    const first = await run(name, commit);
    expect(first.status, JSON.stringify(first.json)).toBe(200);
    const [record] = await service.db.query<Record<string, unknown>>(
      sql`select * from mutation_records where id = ${first.json.record_id}`,
    );
    expect(record).toMatchObject({
      ...{ tool: name, via: "console", user_id: administrator, api_key_id: null, operator: null },
      ...{ reason: "for the test", before: preview.json.current, after: first.json.after },
      organization_id: input.organization_id ?? null,
      event_id: input.event_id ?? null,
    });
    const after = await tableVersions();
    const second = await run(name, commit);
    expect(second.json).toMatchObject({ record_id: first.json.record_id, replayed: true });
    expect(await tableVersions()).toEqual(after);
  });

  it("needs a preview of the same request", async () => {
    const { input } = await newCase(name);
    const commit = { ...input, dry_run: false, confirm: true, reason: "for the test", idempotency_key: randomUUID() };
    expect((await run(name, commit)).json.code).toBe("confirmation_required");
    const guessed = await run(name, { ...commit, expected_version: "0".repeat(32) });
    expect(guessed.json.code).toBe("version_conflict");
  });

  it("refuses fields that it does not have", async () => {
    const { input } = await newCase(name);
    expect((await run(name, { ...input, no_such_field: 1 })).status).toBe(400);
  });
});

/** The newest change of every table. */
async function tableVersions(): Promise<Record<string, unknown>> {
  const tables = await service.db.query<{ name: string }>(
    sql`select tablename as name from pg_tables where schemaname = 'public' order by 1`,
  );
  const versions: Record<string, unknown> = {};
  for (const { name } of tables) {
    const [row] = await service.db.query<object>(
      sql`select count(*)::int as rows, md5(coalesce(string_agg(t::text, ',' order by t::text), '')) as content from ${raw(name)} t`,
    );
    versions[name] = row;
  }
  return versions;
}
