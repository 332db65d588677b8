import { randomUUID } from "node:crypto";
import sql from "sql-template-tag";
import { beforeAll, describe, expect, it } from "vitest";
import { platformTools } from "../../src/registry.js";
import { useFreshDatabase } from "../support/fresh-database.js";
import { useService } from "../support/setup.js";
import { tableVersions } from "../support/table-versions.js";
import { changesOf } from "../support/tool-runner.js";
import { createPlatformFixture, type PlatformFixture, platformExamples } from "./platform-examples.js";
import { startConsole } from "./support.js";

// Whole tables are compared, so these tests use a separate database.

const fresh = useFreshDatabase();
const { service } = useService(() => startConsole({}, {}, fresh));
let cookie: string;
let administrator: string;

beforeAll(async () => {
  const fixture = await createPlatformFixture(service.db);
  administrator = fixture.administratorId;
  cookie = await service.signIn(administrator);
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

it.each(platformTools.map(({ name }) => name))(
  "%s previews by default, and commits what the preview proposed, once, with a complete record",
  async (name) => {
    const { input } = await newCase(name);
    const preview = await run(name, input);
    expect(preview.status, preview.text).toBe(200);
    expect(preview.json).toMatchObject({ dry_run: true, commit_with: { dry_run: false, confirm: true, ...input } });
    expect(changesOf(preview.json)).not.toEqual([]);
    const commit = { ...preview.json.commit_with, reason: "for the test" };
    const first = await run(name, commit);
    expect(first.status, first.text).toBe(200);
    const [record] = await service.db.query<Record<string, unknown>>(
      sql`select * from mutation_records where id = ${first.json.record_id}`,
    );
    expect(record).toMatchObject({
      tool: name,
      via: "console",
      user_id: administrator,
      api_key_id: null,
      operator: null,
      reason: "for the test",
      before: preview.json.current,
      after: first.json.after,
      organization_id: input.organization_id ?? null,
      event_id: input.event_id ?? first.json.after.event?.id ?? null,
    });
    expect((await run(name, commit)).json).toMatchObject({ record_id: first.json.record_id });
  },
);

/** The runner does the rest in the same way for every tool: three of them stand for all. */
describe.each(["create_conference", "set_event_host", "remove_person"])("%s", (name) => {
  it("changes nothing without a preview of the same request, or when it is repeated", async () => {
    const { input } = await newCase(name);
    const before = await tableVersions(service.db);
    const preview = await run(name, input);
    const commit = { ...input, dry_run: false, confirm: true, reason: "for the test", idempotency_key: randomUUID() };
    expect((await run(name, commit)).json.code).toBe("confirmation_required");
    const guessed = await run(name, { ...commit, expected_version: "0".repeat(32) });
    expect(guessed.json.code).toBe("version_conflict");
    expect((await run(name, { ...input, no_such_field: 1 })).status).toBe(400);
    expect(await tableVersions(service.db)).toEqual(before);
    const previewed = { ...preview.json.commit_with, reason: "for the test" };
    expect((await run(name, previewed)).status).toBe(200);
    const after = await tableVersions(service.db);
    await run(name, previewed);
    expect(await tableVersions(service.db)).toEqual(after);
  });
});
