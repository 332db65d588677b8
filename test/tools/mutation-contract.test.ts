import { randomUUID } from "node:crypto";
import sql from "sql-template-tag";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Database, Queryable } from "../../src/platform/database/db.js";
import { consoleTools, type ToolServices, tools } from "../../src/registry.js";
import type { MutationTool } from "../../src/tools/mutation.js";
import type { ToolResult } from "../../src/tools/run.js";
import { addStaff, createEventFixture } from "../support/event-fixture.js";
import { type FreshDatabase, openFreshDatabase } from "../support/fresh-database.js";
import { testServices } from "../support/poster-generator.js";
import { publicUrl } from "../support/service.js";
import { tableVersions } from "../support/table-versions.js";
import { exampleInputs } from "../support/tool-examples.js";
import { consoleToolPermissions } from "../support/tool-permissions.js";
import { createToolRunner, reason, refusalOf } from "../support/tool-runner.js";

// What every mutation tool guarantees. Whole tables are compared, so these tests use a separate database.

let fresh: FreshDatabase;
let db: Database;
let services: ToolServices;

beforeAll(async () => {
  fresh = await openFreshDatabase();
  db = fresh.db;
  services = testServices(db, publicUrl);
});
afterAll(() => fresh.remove());

const mutations = [...tools, ...consoleTools].filter((tool): tool is MutationTool => tool.kind === "mutation");

it("every mutation tool has an example input", () => {
  expect(Object.keys(exampleInputs).sort()).toEqual(mutations.map((tool) => tool.name).sort());
});

describe.each(mutations.map((tool) => [tool.name, tool] as const))("%s", (_name, tool) => {
  it("previews by default, and commits what the preview proposed with a complete record", async () => {
    const { run, commit, input, fixture } = await createCase(tool);
    const before = await tableVersions(db);
    const preview = await run(input);
    expect(preview).toMatchObject({ dry_run: true, commit_with: { dry_run: false, confirm: true, ...input } });
    expect(preview.changes).not.toEqual([]);
    expect(await tableVersions(db)).toEqual(before);
    const args = commit(preview);
    const result = await run(args);
    expect(result.dry_run).toBe(false);
    expect(withoutGenerated(result.after, preview.proposed)).toEqual(preview.proposed);
    const [record] = await db.query<Record<string, unknown>>(
      sql`select * from mutation_records where id = ${result.record_id}`,
    );
    const { reason: _, idempotency_key, expected_version: __, dry_run: ___, confirm: ____, ...request } = args;
    expect(record).toMatchObject({ tool: tool.name, reason, idempotency_key, request });
    expect(record).toMatchObject({ before: preview.current, after: result.after });
    expect(record).toMatchObject({
      organization_id: fixture.organizationId,
      event_id: tool.event === undefined ? null : fixture.eventId,
      user_id: fixture.caller.userId,
      ...(isOfConsole(tool)
        ? { via: "console", api_key_id: null }
        : { via: "key", api_key_id: fixture.caller.via.keyId }),
    });
  });
});

const revealing = consoleToolPermissions.filter(({ reveals }) => reveals.length > 0);

it.each(revealing)("$name reveals what it generates once, and records none of it", async ({ name, reveals }) => {
  const { run, commit, input } = await createCase(toolNamed(name));
  const preview = await run(input);
  const args = commit(preview);
  const first = await run(args);
  expect(Object.keys(first)).toEqual(expect.arrayContaining(["after", "dry_run", "record_id", ...reveals]));
  const [secretName = ""] = reveals;
  expect(Object.keys(preview)).not.toContain(secretName);
  const secret = String(first[secretName]).slice(-40);
  expect(secret).toMatch(/^\w{40}$/);
  const repeated = await run(args);
  expect(repeated).toEqual({ ...without(first, reveals), replayed: true });
  const texts = [repeated, ...(await db.query(sql`select * from mutation_records where tool = ${name}`))];
  expect(JSON.stringify(texts)).not.toContain(secret);
});

/** The runner does the rest in the same way for every tool: three of them stand for all. */
const examples = ["update_event_details", "update_organization_profile", "create_api_key"];

describe.each(examples)("%s", (name) => {
  const tool = toolNamed(name);

  it("never commits a dry run", async () => {
    const { run, commit, input } = await createCase(tool);
    const preview = await run(input);
    const before = await tableVersions(db);
    expect(await run({ ...input, confirm: true })).toMatchObject({ dry_run: true });
    expect(await run({ ...commit(preview), dry_run: true })).toMatchObject({ dry_run: true });
    expect(await tableVersions(db)).toEqual(before);
  });

  it("lists every missing commit argument", async () => {
    const { run, input } = await createCase(tool);
    const refusal = await refusalOf(run({ ...input, dry_run: false }));
    expect(refusal.code).toBe("confirmation_required");
    expect(refusal.details.missing).toEqual(["confirm", "reason", "idempotency_key", "expected_version"]);
    const { commit_with: complete } = (await run(input)) as { commit_with: Record<string, unknown> };
    for (const missing of ["confirm", "reason", "idempotency_key", "expected_version"]) {
      const incomplete = await refusalOf(run(without({ ...complete, reason }, [missing])));
      expect(incomplete).toMatchObject({ code: "confirmation_required", details: { missing: [missing] } });
    }
    const unconfirmed = await refusalOf(run({ ...complete, reason, confirm: false }));
    expect(unconfirmed).toMatchObject({ code: "confirmation_required", details: { missing: ["confirm"] } });
  });

  it("replays an identical request and refuses a changed one with the same idempotency key", async () => {
    const { run, commit, input } = await createCase(tool);
    const args = commit(await run(input));
    const first = await run(args);
    const after = await tableVersions(db);
    expect(await run(args)).toEqual({ ...without(first, revealedBy(tool)), replayed: true });
    const changed = await refusalOf(run({ ...args, reason: "another reason" }));
    expect(changed.code).toBe("idempotency_conflict");
    const stale = await refusalOf(run({ ...args, idempotency_key: randomUUID() }));
    expect(stale.code).toBe("version_conflict");
    expect(await tableVersions(db)).toEqual(after);
  });

  it("refuses a stale version with a complete new preview", async () => {
    const { run, commit, input } = await createCase(tool);
    const preview = await run(input);
    const before = await tableVersions(db);
    const refusal = await refusalOf(run({ ...commit(preview), expected_version: "0".repeat(64) }));
    expect(refusal.code).toBe("version_conflict");
    const { expected_version } = preview.commit_with as Record<string, unknown>;
    const { dry_run: _, commit_with, ...shown } = preview;
    const idempotency_key = expect.not.stringContaining((commit_with as { idempotency_key: string }).idempotency_key);
    expect(refusal.details).toEqual({
      ...shown,
      commit_with: { ...(commit_with as object), idempotency_key },
      expected_version,
    });
    expect(await tableVersions(db)).toEqual(before);
  });

  it("leaves neither a change nor a record if any of its statements fails", async () => {
    const { run, commit, input } = await createCase(tool);
    const args = commit(await run(input));
    const before = await tableVersions(db);
    let statements = 0;
    for (let failAt = 1; ; failAt++) {
      const broken = failingDatabase(db, failAt);
      const outcome = await run(args, broken.db).then(
        () => "committed",
        (error: Error) => error.message,
      );
      statements = broken.statements();
      if (outcome === "committed") break;
      expect(outcome).toBe("injected failure");
      expect(await tableVersions(db)).toEqual(before);
    }
    expect(statements).toBeGreaterThan(4);
    expect(await tableVersions(db)).not.toEqual(before);
  });
});

it("accepts a reason and an idempotency key of one character", async () => {
  const { run, commit, input } = await createCase(toolNamed("update_event_details"));
  const args = { ...commit(await run(input)), reason: "ü", idempotency_key: "1" };
  expect(await run(args)).toMatchObject({ dry_run: false });
});

it.each(["", " ", "\u200b", "\u3164", "a\u0000", "x".repeat(129)])("refuses the idempotency key %j", async (given) => {
  const { run, commit, input } = await createCase(toolNamed("update_event_details"));
  const args = { ...commit(await run(input)), idempotency_key: given };
  expect(await refusalOf(run(args))).toMatchObject({
    code: "invalid_input",
    message: expect.stringMatching(/^idempotency_key: expected 1 to 128 characters/),
  });
});

it.each(["", "   ", "\t", "\u200b", "\u3164", "x".repeat(501)])("refuses the reason %j", async (given) => {
  const { run, commit, input } = await createCase(toolNamed("update_event_details"));
  const args = { ...commit(await run(input)), reason: given };
  expect(await refusalOf(run(args))).toMatchObject({
    code: "invalid_input",
    message: expect.stringMatching(/^reason: expected/),
  });
});

it("refuses a commit of one change with the version of another", async () => {
  const { run, commit, input } = await createCase(toolNamed("update_event_details"));
  const [shown, other] = [await run({ ...input, venue: "Hall 2" }), await run({ ...input, venue: "Hall 3" })];
  const { expected_version } = commit(shown);
  const before = await tableVersions(db);
  expect(await refusalOf(run({ ...commit(other), expected_version }))).toMatchObject({ code: "version_conflict" });
  expect(await tableVersions(db)).toEqual(before);
});

const isOfConsole = (tool: MutationTool) => consoleTools.some(({ name }) => name === tool.name);

const revealedBy = (tool: MutationTool) => consoleToolPermissions.find(({ name }) => name === tool.name)?.reveals ?? [];

const without = (given: ToolResult, names: string[]): ToolResult =>
  Object.fromEntries(Object.entries(given).filter(([name]) => !names.includes(name)));

function toolNamed(name: string): MutationTool {
  const tool = mutations.find((candidate) => candidate.name === name);
  if (tool === undefined) throw new Error(`unknown tool: ${name}`);
  return tool;
}

async function createCase(tool: MutationTool) {
  const fixture = await createEventFixture(db);
  const staff = await addStaff(db, fixture);
  const { caller, eventId } = fixture;
  const session = { kind: "session", sessionId: randomUUID() } as const;
  const user = isOfConsole(tool) ? { eventId, caller: { ...caller, via: session } } : fixture;
  return {
    fixture,
    input: exampleInputs[tool.name]?.({ ...fixture, ...staff }) ?? {},
    run: (args: Record<string, unknown>, database = db): Promise<ToolResult> =>
      createToolRunner(database, user, services).run(tool.name, args),
    commit: (preview: ToolResult): Record<string, unknown> => ({ ...(preview.commit_with as object), reason }),
  };
}

/** Sets ids, timestamps and beginnings of keys that the commit generates to null, as in the preview. */
function withoutGenerated(after: unknown, proposed: unknown): unknown {
  if (Array.isArray(after) && Array.isArray(proposed)) {
    return after.map((item, index) => withoutGenerated(item, proposed[index]));
  }
  if (typeof after === "object" && after !== null && typeof proposed === "object" && proposed !== null) {
    const wanted = proposed as Record<string, unknown>;
    return Object.fromEntries(
      Object.entries(after).map(([key, value]) => [
        key,
        wanted[key] === null && (key === "id" || key === "prefix" || key.endsWith("_at"))
          ? null
          : withoutGenerated(value, wanted[key]),
      ]),
    );
  }
  return after;
}

/** Fails at the given statement of the write transaction. */
function failingDatabase(inner: Database, failAt: number): { db: Database; statements: () => number } {
  let count = 0;
  const counted = (tx: Queryable): Queryable => ({
    query: (statement) => {
      count++;
      return count === failAt ? Promise.reject(new Error("injected failure")) : tx.query(statement);
    },
  });
  const transaction: Database["transaction"] = (work, options) =>
    inner.transaction(
      (tx) => work(options?.mode === undefined ? { ...counted(tx), last: counted({ query: tx.last }).query } : tx),
      options,
    );
  return { db: { ...inner, transaction }, statements: () => count };
}
