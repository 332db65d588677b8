import { randomUUID } from "node:crypto";
import sql, { raw } from "sql-template-tag";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Database, Queryable } from "../src/platform/db.js";
import { ServiceError } from "../src/platform/errors.js";
import type { ToolServices } from "../src/registry.js";
import { tools } from "../src/registry.js";
import { inputSchemaOf, parseArguments } from "../src/tools/commit-arguments.js";
import type { MutationTool } from "../src/tools/mutation.js";
import { runTool, type ToolResult } from "../src/tools/run.js";
import { makeEventWorld } from "./support/event-world.js";
import { type FreshDatabase, openFreshDatabase } from "./support/fresh-database.js";
import { testServices } from "./support/poster-generator.js";
import { publicUrl } from "./support/service.js";
import { exampleInputs } from "./support/tool-examples.js";

// What every change promises, for every tool that changes something. Whole tables are compared, so these tests have a
// database of their own.

let fresh: FreshDatabase;
let db: Database;
let services: ToolServices;

beforeAll(async () => {
  fresh = await openFreshDatabase();
  db = fresh.db;
  services = testServices(db, publicUrl);
});
afterAll(() => fresh.remove());

const mutations = tools.filter((tool): tool is MutationTool => tool.kind === "mutation");

it("has one example input for each changing tool", () => {
  expect(Object.keys(exampleInputs).sort()).toEqual(mutations.map((tool) => tool.name).sort());
});

describe.each(mutations.map((tool) => [tool.name, tool] as const))("%s", (_name, tool) => {
  it("previews by default and changes nothing", async () => {
    const { run, input } = await makeCase(tool);
    const before = await everything();
    const preview = await run(input);
    expect(preview).toMatchObject({ dry_run: true, commit_with: { dry_run: false, confirm: true, ...input } });
    expect(preview.changes).not.toEqual([]);
    expect(await run({ ...input, confirm: true })).toMatchObject({ dry_run: true });
    expect(await everything()).toEqual(before);
  });

  it("names all that a commit lacks", async () => {
    const { run, input } = await makeCase(tool);
    const refusal = await refused(run({ ...input, dry_run: false }));
    expect(refusal.code).toBe("confirmation_required");
    expect(refusal.details.missing).toEqual(["confirm", "reason", "idempotency_key", "expected_version"]);
    const { commit_with: complete } = (await run(input)) as { commit_with: Record<string, unknown> };
    for (const name of ["confirm", "idempotency_key", "expected_version"]) {
      const { [name]: _left, ...rest } = complete;
      const one = await refused(run({ ...rest, reason: "for the test" }));
      expect(one).toMatchObject({ code: "confirmation_required", details: { missing: [name] } });
    }
  });

  it("commits what the preview proposed, once, with a complete record", async () => {
    const { run, commit, input, world } = await makeCase(tool);
    const preview = await run(input);
    const args = commit(preview);
    const result = await run(args);
    expect(result.dry_run).toBe(false);
    expect(withoutGenerated(result.after, preview.proposed)).toEqual(preview.proposed);
    const [record] = await db.query<Record<string, unknown>>(
      sql`select * from mutation_records where id = ${result.record_id}`,
    );
    const { reason, idempotency_key, expected_version: _, dry_run: __, confirm: ___, ...request } = args;
    expect(record).toMatchObject({ tool: tool.name, reason, idempotency_key, request });
    expect(record).toMatchObject({ before: preview.current, after: result.after });
    expect(record).toMatchObject({
      organization_id: world.organizationId,
      event_id: tool.event === undefined ? null : world.eventId,
      user_id: world.caller.userId,
      api_key_id: world.caller.via.keyId,
    });
  });

  it("replays the same request, also from another process, and refuses a changed one", async () => {
    const { run, commit, input } = await makeCase(tool);
    const args = commit(await run(input));
    const first = await run(args);
    const after = await everything();
    expect(await run(args)).toEqual({ ...first, replayed: true });
    const changed = await refused(run({ ...args, reason: "another reason" }));
    expect(changed.code).toBe("idempotency_conflict");
    const stale = await refused(run({ ...args, idempotency_key: randomUUID() }));
    expect(stale.code).toBe(codeOfStaleCommit[tool.name] ?? "version_conflict");
    expect(await everything()).toEqual(after);
  });

  it("refuses a stale version with the current state", async () => {
    const { run, commit, input } = await makeCase(tool);
    const preview = await run(input);
    const before = await everything();
    const refusal = await refused(run({ ...commit(preview), expected_version: "0".repeat(64) }));
    expect(refusal.code).toBe("version_conflict");
    const { expected_version } = preview.commit_with as Record<string, unknown>;
    expect(refusal.details).toEqual({ current: preview.current, expected_version });
    expect(await everything()).toEqual(before);
  });

  it("leaves neither change nor record when it is cut off between any two statements", async () => {
    const { run, commit, input } = await makeCase(tool);
    const args = commit(await run(input));
    const before = await everything();
    let statements = 0;
    for (let failAt = 1; ; failAt++) {
      const broken = failingDatabase(db, failAt);
      const outcome = await run(args, broken.db).then(
        () => "committed",
        (error: Error) => error.message,
      );
      statements = broken.statements();
      if (outcome === "committed") break;
      expect(outcome).toBe("cut off");
      expect(await everything()).toEqual(before);
    }
    expect(statements).toBeGreaterThan(4);
    expect(await everything()).not.toEqual(before);
  });
});

/** Tools whose own change takes away what a second commit needs, before versions are compared. */
const codeOfStaleCommit: Record<string, string> = {
  set_event_primary_host: "forbidden",
};

async function makeCase(tool: MutationTool) {
  const world = await makeEventWorld(db);
  const input = exampleInputs[tool.name]?.(world) ?? {};
  const schema = inputSchemaOf(tool);
  return {
    world,
    input,
    run: async (args: Record<string, unknown>, database: Database = db): Promise<ToolResult> =>
      JSON.parse(
        JSON.stringify(
          await runTool(
            { db: database, baseUrl: publicUrl, services },
            { tool, caller: world.caller, parsed: parseArguments(schema, args) },
          ),
        ),
      ),
    commit: (preview: ToolResult): Record<string, unknown> => ({
      ...(preview.commit_with as Record<string, unknown>),
      reason: "for the contract test",
    }),
  };
}

async function refused(running: Promise<unknown>): Promise<ServiceError> {
  const outcome = await running.catch((error: unknown) => error);
  if (outcome instanceof ServiceError) return outcome;
  throw new Error(`expected a refusal, got ${JSON.stringify(outcome)}`);
}

/** A fingerprint of every table. */
async function everything(): Promise<Record<string, string | null>> {
  const tables = await db.query<{ name: string }>(
    sql`select tablename as name from pg_tables where schemaname = 'public' order by 1`,
  );
  const parts = tables.map(
    ({ name }) => `(select md5(string_agg(t::text, ';' order by t::text)) from "${name}" t) as "${name}"`,
  );
  const [row] = await db.query<Record<string, string | null>>(raw(`select ${parts.join(", ")}`));
  return row ?? {};
}

/** Replaces ids and timestamps that only the commit can generate by null, as the preview shows them. */
function withoutGenerated(after: unknown, proposed: unknown): unknown {
  if (Array.isArray(after) && Array.isArray(proposed)) {
    return after.map((item, index) => withoutGenerated(item, proposed[index]));
  }
  if (typeof after === "object" && after !== null && typeof proposed === "object" && proposed !== null) {
    const wanted = proposed as Record<string, unknown>;
    return Object.fromEntries(
      Object.entries(after).map(([key, value]) => [
        key,
        wanted[key] === null && (key === "id" || key.endsWith("_at")) ? null : withoutGenerated(value, wanted[key]),
      ]),
    );
  }
  return after;
}

/** Fails at the given statement of the transaction that writes. */
function failingDatabase(inner: Database, failAt: number): { db: Database; statements: () => number } {
  let count = 0;
  const counted = (tx: Queryable): Queryable => ({
    query: (statement) => {
      count++;
      return count === failAt ? Promise.reject(new Error("cut off")) : tx.query(statement);
    },
  });
  const transaction: Database["transaction"] = (work, options) =>
    inner.transaction((tx) => work(options?.mode === undefined ? counted(tx) : tx), options);
  return { db: { ...inner, transaction }, statements: () => count };
}
