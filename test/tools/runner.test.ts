import { randomUUID } from "node:crypto";
import pg from "pg";
import sql from "sql-template-tag";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { ServiceError } from "../../contract/errors.js";
import { type Database, sqlState } from "../../src/infra/database/db.js";
import { recordedChange } from "../../src/records/recorded-change.js";
import { inputSchemaOf, parseArguments } from "../../src/runner/commit-arguments.js";
import { isReplay } from "../../src/runner/commit-once.js";
import { defineEventMutation, defineMutation } from "../../src/runner/mutation.js";
import { runTool } from "../../src/runner/run.js";
import type { ToolResult } from "../../src/runner/tool.js";
import { createEventFixture, type EventFixture } from "../support/event-fixture.js";
import { withPostgres } from "../support/needs.js";
import { publicUrl } from "../support/service.js";
import { useDatabase } from "../support/setup.js";
import { createToolRunner, reason } from "../support/tool-runner.js";

const { db } = useDatabase(6);
let fixture: EventFixture;

beforeAll(async () => {
  fixture = await createEventFixture(db);
});

async function previewOf(tool: string, args: Record<string, unknown>, user = fixture) {
  const { commit_with } = await createToolRunner(db, user).run(tool, args);
  return { ...commit_with, reason };
}

describe("a preview", () => {
  it("runs in a read-only transaction", async () => {
    const writing = defineMutation({
      name: "write_in_read",
      title: "Write in read",
      group: "organization",
      description: "Declared for a test.",
      scope: "org:write",
      role: "owner",
      destructive: true,
      input: z.object({}),
      read: async ({ tx, caller }) => {
        await tx.query(sql`update organizations set name = 'written' where id = ${caller.organizationId}`);
        return {};
      },
      propose: (current) => current,
      store: async () => {},
    });
    const parsed = parseArguments(inputSchemaOf(writing), {});
    const call = runTool(
      { db, baseUrl: publicUrl, services: {} },
      {
        tool: writing,
        caller: fixture.caller,
        given: {},
        parsed,
      },
    );
    const readOnlyTransaction = "25006";
    expect(sqlState(await call.catch((error: unknown) => error))).toBe(readOnlyTransaction);
  });
});

describe("a commit", () => {
  it("fails with the error of the statement that failed, which decides whether it is tried again", async () => {
    let divisor = 1;
    const tool = defineEventMutation({
      name: "fail_in_read",
      title: "Fail in read",
      group: "event_management",
      description: "Declared for a test.",
      scope: "events:write",
      role: "admin",
      event: "host_or_co_host",
      destructive: true,
      input: z.object({}),
      read: async ({ tx }) => {
        await tx.query(sql`select 1 / ${divisor}::int`);
        return { done: false };
      },
      propose: () => ({ done: true }),
      store: async () => {},
    });
    const run = (args: object) => {
      const given = { ...args, event_id: fixture.eventId };
      const parsed = parseArguments(inputSchemaOf(tool), given);
      return runTool({ db, baseUrl: publicUrl, services: {} }, { tool, caller: fixture.caller, given, parsed });
    };
    const { commit_with } = await run({});
    divisor = 0;
    const failure: unknown = await run({ ...(commit_with as object), reason }).catch((error: unknown) => error);
    const divisionByZero = "22012";
    expect(sqlState(failure)).toBe(divisionByZero);
  });
});

describe("an idempotency key", () => {
  it("finds a first run that commits between the look for its record and the check of hosting", async () => {
    const user = await createEventFixture(db);
    const args = await previewOf("set_event_primary_host", { organization_id: user.cohostOrganizationId }, user);
    const first: ToolResult[] = [];
    // On a busy pool any time can pass between the two.
    const late: Database = {
      ...db,
      async query(statement, name) {
        if (name?.startsWith("get hosting"))
          first.push(await createToolRunner(db, user).run("set_event_primary_host", args));
        return db.query(statement, name);
      },
    };
    const second = await createToolRunner(late, user).run("set_event_primary_host", args);
    expect(second).toEqual(first[0]);
  });

  it("finds a first run that commits while the second one prepares, and makes it fail", async () => {
    let commitFirst = async () => {};
    const tool = defineMutation({
      name: "prepare_late",
      title: "Prepare late",
      group: "organization",
      description: "Declared for a test.",
      scope: "org:write",
      role: "owner",
      destructive: true,
      input: z.object({}),
      prepare: async () => {
        await commitFirst();
      },
      read: async () => ({ done: false }),
      propose: () => ({ done: true }),
      store: async () => {},
    });
    const run = (args: object) =>
      runTool(
        { db, baseUrl: publicUrl, services: {} },
        { tool, caller: fixture.caller, given: { ...args }, parsed: parseArguments(inputSchemaOf(tool), args) },
      );
    const commit = { ...((await run({})).commit_with as object), reason };
    let first: ToolResult = {};
    commitFirst = async () => {
      commitFirst = async () => {};
      first = await run(commit);
      throw new ServiceError("conflict", "There is nothing left to do");
    };
    const second = await run(commit);
    expect(first).toMatchObject({ dry_run: false });
    expect(isReplay(second)).toBe(true);
    expect(JSON.stringify(second)).toBe(JSON.stringify(first));
  });

  it("covers expected_version: the same request with another version is a conflict", async () => {
    const args = await previewOf("update_event_details", { venue: "Hall 7" });
    await createToolRunner(db, fixture).run("update_event_details", args);
    const changed = { ...args, expected_version: "0".repeat(32) };
    const refusal = await createToolRunner(db, fixture).refusal("update_event_details", changed);
    expect(refusal.code).toBe("idempotency_conflict");
  });

  it("is scoped to the organization: another one may use the same key", async () => {
    const other = await createEventFixture(db);
    const idempotency_key = randomUUID();
    const results = [];
    for (const one of [fixture, other]) {
      const args = await previewOf("update_event_details", { venue: "Hall 8" }, one);
      results.push(await createToolRunner(db, one).run("update_event_details", { ...args, idempotency_key }));
    }
    expect(results[0].record_id).not.toBe(results[1].record_id);
  });
});

describe("a recorded change", () => {
  const record = { tool: "runner_test", request: {} };

  /** A database whose first `times` transactions fail with the SQLSTATE `code`. */
  function failing(times: number, code: string): { db: Database; attempts: () => number } {
    let attempts = 0;
    const transaction: Database["transaction"] = (work, options) => {
      attempts += 1;
      if (attempts > times) return db.transaction(work, options);
      return Promise.reject(Object.assign(new pg.DatabaseError("injected", 0, "error"), { code }));
    };
    return { db: { ...db, transaction }, attempts: () => attempts };
  }

  it.each(["40P01", "40001"])("is retried after SQLSTATE %s", async (code) => {
    const faulty = failing(2, code);
    const change = async () => ({ result: "done", record });
    expect(await recordedChange(faulty.db, fixture.caller, change)).toMatchObject({ result: "done" });
    expect(faulty.attempts()).toBe(3);
  });

  it("fails after three attempts, and immediately after any other error", async () => {
    const change = async () => ({ result: null, record });
    const deadlocks = failing(3, "40P01");
    await expect(recordedChange(deadlocks.db, fixture.caller, change)).rejects.toMatchObject({
      code: "unavailable",
      headers: { "retry-after": "2" },
      cause: { code: "40P01" },
    });
    expect(deadlocks.attempts()).toBe(3);
    const violation = failing(1, "23505");
    await expect(recordedChange(violation.db, fixture.caller, change)).rejects.toThrow("injected");
    expect(violation.attempts()).toBe(1);
  });

  it("is rolled back if its record cannot be stored", async () => {
    const change = recordedChange(db, fixture.caller, async (tx) => {
      await tx.query(sql`update organizations set description = 'lost' where id = ${fixture.organizationId}`);
      return { result: null, record: { ...record, tool: "" } };
    });
    const checkViolation = "23514";
    expect(sqlState(await change.catch((error: unknown) => error))).toBe(checkViolation);
    const [row] = await db.query<{ description: string | null }>(
      sql`select description from organizations where id = ${fixture.organizationId}`,
    );
    expect(row?.description).toBeNull();
  });

  it("records the operator of the command line, who has no key", async () => {
    const operator = { via: { kind: "command_line" }, name: "ops" } as const;
    const { recordId } = await recordedChange(db, operator, async () => ({ result: null, record }));
    const [row] = await db.query(sql`
      select via, operator, user_id, api_key_id, organization_id from mutation_records where id = ${recordId}`);
    expect(row).toEqual({
      via: "command_line",
      operator: "ops",
      user_id: null,
      api_key_id: null,
      organization_id: null,
    });
  });
});

// The embedded database has one session: transactions cannot overlap there.
withPostgres("concurrent commits", () => {
  it("to one organization are serialized: one of two from the same state succeeds", async () => {
    const commits = await Promise.all(
      ["One", "Two"].map((name) => previewOf("update_organization_profile", { name: `${name} ${randomUUID()}` })),
    );
    // Without a lock on the organization's row both commits would pass the version comparison.
    const slow: Database = {
      ...db,
      transaction: (work, options) =>
        db.transaction(
          async (tx) =>
            work({
              ...tx,
              query: async (statement, name) => {
                const rows = await tx.query(statement, name);
                if (/from organizations o/.test(statement.text)) await new Promise((done) => setTimeout(done, 50));
                return rows as never;
              },
            }),
          options,
        ),
    };
    const outcomes = await Promise.allSettled(
      commits.map((args) => createToolRunner(slow, fixture).run("update_organization_profile", args)),
    );
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const lost = outcomes.find((outcome) => outcome.status === "rejected");
    expect(lost?.reason).toBeInstanceOf(ServiceError);
    expect(lost?.reason).toMatchObject({ code: "version_conflict" });
  });

  it("by another organization with the same idempotency key do not wait", async () => {
    const other = await createEventFixture(db);
    const idempotency_key = randomUUID();
    const blocked = await previewOf("update_event_details", { venue: "Hall 9" });
    const free = await previewOf("update_event_details", { venue: "Hall 9" }, other);
    let waiting: Promise<ToolResult> | undefined;
    await db.transaction(async (tx) => {
      await tx.query(sql`select from events where id = ${fixture.eventId} for update`);
      waiting = createToolRunner(db, fixture).run("update_event_details", { ...blocked, idempotency_key });
      await untilWaiting();
      const result = await createToolRunner(db, other).run("update_event_details", { ...free, idempotency_key });
      expect(result.dry_run).toBe(false);
    });
    expect(await waiting).toMatchObject({ dry_run: false, after: { venue: "Hall 9" } });
  });

  /** Waits until a commit holds its advisory lock and is blocked on the event's row. */
  async function untilWaiting(): Promise<void> {
    for (;;) {
      const [row] = await db.query<{ waiting: boolean }>(sql`
        select exists (
          select from pg_stat_activity where wait_event_type = 'Lock' and query like '%from events where id%'
            and datname = current_database()) as waiting`);
      if (row?.waiting) return;
      await new Promise((done) => setTimeout(done, 10));
    }
  }
});
