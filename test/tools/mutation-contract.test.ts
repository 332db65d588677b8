import { randomUUID } from "node:crypto";
import sql, { raw } from "sql-template-tag";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Database, Queryable } from "../../src/platform/database/db.js";
import { consoleTools, type ToolServices, tools } from "../../src/registry.js";
import type { MutationTool } from "../../src/tools/mutation.js";
import type { ToolResult } from "../../src/tools/run.js";
import { addStaff, createEventFixture } from "../support/event-fixture.js";
import { type FreshDatabase, openFreshDatabase } from "../support/fresh-database.js";
import { testServices } from "../support/poster-generator.js";
import { publicUrl } from "../support/service.js";
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
  it("previews by default and changes nothing", async () => {
    const { run, input } = await createCase(tool);
    const before = await tableVersions();
    const preview = await run(input);
    expect(preview).toMatchObject({ dry_run: true, commit_with: { dry_run: false, confirm: true, ...input } });
    expect(preview.changes).not.toEqual([]);
    expect(await run({ ...input, confirm: true })).toMatchObject({ dry_run: true });
    expect(await tableVersions()).toEqual(before);
  });

  it("lists every missing commit argument", async () => {
    const { run, input } = await createCase(tool);
    const refusal = await refusalOf(run({ ...input, dry_run: false }));
    expect(refusal.code).toBe("confirmation_required");
    expect(refusal.details.missing).toEqual(["confirm", "reason", "idempotency_key", "expected_version"]);
    const { commit_with: complete } = (await run(input)) as { commit_with: Record<string, unknown> };
    for (const name of ["confirm", "idempotency_key", "expected_version"]) {
      const { [name]: _, ...rest } = complete;
      const incomplete = await refusalOf(run({ ...rest, reason }));
      expect(incomplete).toMatchObject({ code: "confirmation_required", details: { missing: [name] } });
    }
  });

  it("commits what the preview proposed, with a complete record", async () => {
    const { run, commit, input, fixture } = await createCase(tool);
    const preview = await run(input);
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

  it("reveals what it generates once, and records none of it", async () => {
    const reveals = revealedBy(tool);
    const { run, commit, input } = await createCase(tool);
    const preview = await run(input);
    const args = commit(preview);
    const first = await run(args);
    expect(Object.keys(first)).toEqual(expect.arrayContaining(["after", "dry_run", "record_id", ...reveals]));
    const [name] = reveals;
    if (name === undefined) return;
    expect(Object.keys(preview)).not.toContain(name);
    const secret = String(first[name]).slice(-40);
    expect(secret).toMatch(/^\w{40}$/);
    const texts = [await run(args), ...(await db.query(sql`select * from mutation_records where tool = ${tool.name}`))];
    expect(JSON.stringify(texts)).not.toContain(secret);
  });

  it("replays an identical request and refuses a changed one with the same idempotency key", async () => {
    const { run, commit, input } = await createCase(tool);
    const args = commit(await run(input));
    const first = await run(args);
    const after = await tableVersions();
    expect(await run(args)).toEqual({ ...withoutRevealed(tool, first), replayed: true });
    const changed = await refusalOf(run({ ...args, reason: "another reason" }));
    expect(changed.code).toBe("idempotency_conflict");
    if (repeatable.has(tool.name)) return;
    const stale = await refusalOf(run({ ...args, idempotency_key: randomUUID() }));
    expect(stale.code).toBe("version_conflict");
    expect(await tableVersions()).toEqual(after);
  });

  it("refuses a stale version with a complete new preview", async () => {
    const { run, commit, input } = await createCase(tool);
    const preview = await run(input);
    const before = await tableVersions();
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
    expect(await tableVersions()).toEqual(before);
  });

  it("leaves neither a change nor a record if any of its statements fails", async () => {
    const { run, commit, input } = await createCase(tool);
    const args = commit(await run(input));
    const before = await tableVersions();
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
      expect(await tableVersions()).toEqual(before);
    }
    expect(statements).toBeGreaterThan(4);
    expect(await tableVersions()).not.toEqual(before);
  });
});

/** Tools that do the same again after another preview or with another key: a second draft of a poster is no conflict. */
const repeatable = new Set(["generate_event_poster_draft"]);

const isOfConsole = (tool: MutationTool) => consoleTools.some(({ name }) => name === tool.name);

const revealedBy = (tool: MutationTool) => consoleToolPermissions.find(({ name }) => name === tool.name)?.reveals ?? [];

/** What a repeated commit returns: secrets are shown once. */
function withoutRevealed(tool: MutationTool, result: ToolResult): ToolResult {
  return Object.fromEntries(Object.entries(result).filter(([name]) => !revealedBy(tool).includes(name)));
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

/** Rows and latest row version of every table: every committed write changes them, even one that stores equal values. */
async function tableVersions(): Promise<Record<string, string | null>> {
  const tables = await db.query<{ name: string }>(
    sql`select tablename as name from pg_tables where schemaname = 'public' order by 1`,
  );
  const parts = tables.map(
    ({ name }) => `(select count(*) || ' ' || coalesce(max(xmin::text::bigint), 0) from "${name}") as "${name}"`,
  );
  const [row] = await db.query<Record<string, string | null>>(raw(`select ${parts.join(", ")}`));
  return row ?? {};
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
