import { randomUUID } from "node:crypto";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/client/validators/ajv";
import sql from "sql-template-tag";
import { beforeAll, describe, expect, it } from "vitest";
import type { Database, Queryable } from "../../src/infra/database/db.js";
import { toolResult } from "../../src/mcp/results.js";
import { prepareTools } from "../../src/mcp/tool-list.js";
import { consoleTools, type ToolServices, tools } from "../../src/registry.js";
import type { MutationTool } from "../../src/runner/mutation.js";
import type { ToolResult } from "../../src/runner/tool.js";
import { createEventFixture } from "../support/event-fixture.js";
import { useFreshDatabase } from "../support/fresh-database.js";
import { testServices } from "../support/poster-generator.js";
import { readResultText } from "../support/read-result-text.js";
import { publicUrl } from "../support/service.js";
import { tableVersions } from "../support/table-versions.js";
import { exampleInput, exampleInputs } from "../support/tool-examples.js";
import { consoleToolPermissions } from "../support/tool-permissions.js";
import { createToolRunner, reason, refusalOf } from "../support/tool-runner.js";

// What every mutation tool guarantees. Whole tables are compared, so these tests use a separate database.

const fresh = useFreshDatabase();
let db: Database;
let services: ToolServices;

beforeAll(async () => {
  db = fresh.db;
  services = testServices(db, publicUrl);
});

const mutations = [...tools, ...consoleTools].filter((tool): tool is MutationTool => tool.kind === "mutation");

it("every mutation tool has an example input", () => {
  expect(Object.keys(exampleInputs).sort()).toEqual(mutations.map((tool) => tool.name).sort());
});

describe.each(mutations.map((tool) => [tool.name, tool] as const))("%s", (_name, tool) => {
  it("previews by default, and commits what the preview proposed with a complete record", async () => {
    const { run, commit, input, fixture } = await createCase(tool);
    const before = await tableVersions(db);
    const preview = await run(input);
    const { event_id: eventId } = input as { event_id?: string };
    const event = eventId === undefined ? undefined : { id: eventId, name: "Test Event", timezone: "Europe/Lisbon" };
    const expected_version = (preview.commit_with as { expected_version: string }).expected_version;
    expect(preview).toMatchObject({ dry_run: true, expected_version, warnings: expect.any(Array) });
    expect(preview.commit_with).toMatchObject({ dry_run: false, confirm: true, ...input });
    expect(preview.event).toEqual(event);
    expect(preview.current).not.toEqual(preview.proposed);
    expect(shapesThatDiffer(preview.current, preview.proposed)).toEqual([]);
    expect(namelessIds(preview)).toEqual([]);
    expect(await tableVersions(db)).toEqual(before);
    const args = commit(preview);
    const result = await run(args);
    expect(result).toMatchObject({ dry_run: false, before: preview.current, record_id: expect.any(String) });
    expect(result.event).toEqual(event);
    expect(withoutGenerated(result.after, preview.proposed)).toEqual(preview.proposed);
    expect(JSON.stringify(await run(args))).toBe(JSON.stringify(without(result, revealedBy(tool))));
    if (!isOfConsole(tool)) for (const report of [preview, result]) expectReadable(tool, report);
    const [record] = await db.query<Record<string, unknown>>(
      sql`select * from mutation_records where id = ${result.record_id}`,
    );
    const { event: madeEvent } = result.after as { event?: { id?: string } };
    const { reason: _, idempotency_key, expected_version: __, dry_run: ___, confirm: ____, ...request } = args;
    expect(record).toMatchObject({ tool: tool.name, reason, idempotency_key, request });
    expect(record).toMatchObject({ before: preview.current, after: result.after });
    expect(record).toMatchObject({
      organization_id: fixture.organizationId,
      event_id: eventId ?? madeEvent?.id ?? null,
      user_id: fixture.caller.userId,
      ...(isOfConsole(tool)
        ? { via: "console", api_key_id: null }
        : { via: "key", api_key_id: fixture.caller.via.keyId }),
    });
  });
});

const prepared = prepareTools(tools, ["*"]).tools;

/** MCP returns it as the output schema says, and a client that reads only the text has what it needs to commit. */
function expectReadable({ name }: MutationTool, report: ToolResult): void {
  const { outputSchema } = JSON.parse(prepared.find(({ tool }) => tool.name === name)?.wire ?? "{}");
  const { structuredContent, content } = JSON.parse(`{${toolResult(report)}}`);
  expect(new AjvJsonSchemaValidator().getValidator(outputSchema)(structuredContent)).toMatchObject({ valid: true });
  const { dry_run, commit_with, event, record_id, warnings } = structuredContent;
  expect(readResultText(content[0].text)).toMatchObject(
    Object.fromEntries(
      Object.entries({ dry_run, commit_with, event, record_id, warnings }).filter(([, value]) => value !== undefined),
    ),
  );
}

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
  expect(repeated).toEqual(without(first, reveals));
  const texts = [repeated, ...(await db.query(sql`select * from mutation_records where tool = ${name}`))];
  expect(JSON.stringify(texts)).not.toContain(secret);
});

/** The runner does the rest in the same way for every tool: three of them stand for all. */
const examples = ["update_event_details", "update_organization_profile", "create_api_key"];

describe.each(examples)("%s", (name) => {
  const tool = toolNamed(name);

  it("commits nothing in a dry run, without every commit argument, or with a stale version", async () => {
    const { run, commit, input } = await createCase(tool);
    const preview = await run(input);
    const before = await tableVersions(db);
    expect(await run({ ...input, confirm: true })).toMatchObject({ dry_run: true });
    const complete = commit(preview);
    expect(await run({ ...complete, dry_run: true })).toMatchObject({ dry_run: true });
    const all = ["confirm", "reason", "idempotency_key", "expected_version"];
    for (const [args, missing] of [
      [{ ...input, dry_run: false }, all],
      ...all.map((name) => [without(complete, [name]), [name]] as const),
      [{ ...complete, confirm: false }, ["confirm"]],
    ] as const) {
      const incomplete = await refusalOf(run(args));
      expect(incomplete).toMatchObject({ code: "confirmation_required", details: { missing } });
    }
    const stale = await refusalOf(run({ ...complete, expected_version: "0".repeat(64) }));
    expect(stale.code).toBe("version_conflict");
    expect(withoutMoment(stale.details)).toEqual(withoutMoment(preview));
    expect(await tableVersions(db)).toEqual(before);
    expect(await run(commit(stale.details))).toMatchObject({ dry_run: false });
  });

  it("replays an identical request and refuses a changed one with the same idempotency key", async () => {
    const { run, commit, input } = await createCase(tool);
    const args = commit(await run(input));
    const first = await run(args);
    const after = await tableVersions(db);
    expect(await run(args)).toEqual(without(first, revealedBy(tool)));
    const changed = await refusalOf(run({ ...args, reason: "another reason" }));
    expect(changed.code).toBe("idempotency_conflict");
    expect(changed.message).toContain(`already committed record ${first.record_id} (${tool.name}: `);
    const stale = await refusalOf(run({ ...args, idempotency_key: randomUUID() }));
    expect(stale.code).toBe("version_conflict");
    expect(await tableVersions(db)).toEqual(after);
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

it("accepts reasons and idempotency keys of one character, and refuses blank and long ones", async () => {
  const { run, commit, input } = await createCase(toolNamed("update_event_details"));
  const args = commit(await run(input));
  for (const idempotency_key of ["", " ", "\u200b", "\u3164", "a\u0000", "x".repeat(129)]) {
    expect(await refusalOf(run({ ...args, idempotency_key })), JSON.stringify(idempotency_key)).toMatchObject({
      code: "invalid_input",
      message: expect.stringMatching(/^idempotency_key: expected 1 to 128 characters/),
    });
  }
  for (const given of ["", "   ", "\t", "\u200b", "\u3164", "x".repeat(501)]) {
    expect(await refusalOf(run({ ...args, reason: given })), JSON.stringify(given)).toMatchObject({
      code: "invalid_input",
      message: expect.stringMatching(/^reason: expected/),
    });
  }
  expect(await run({ ...args, reason: "ü", idempotency_key: "1" })).toMatchObject({ dry_run: false });
});

it("commits with the reason that the preview was given", async () => {
  const { run, input } = await createCase(toolNamed("update_event_details"));
  const { commit_with } = await run({ ...input, reason: "given at once" });
  expect(commit_with).toMatchObject({ reason: "given at once" });
  const { record_id } = await run(commit_with as Record<string, unknown>);
  const [record] = await db.query(sql`select reason from mutation_records where id = ${record_id}`);
  expect(record).toEqual({ reason: "given at once" });
});

describe("a commit whose arguments are not those of its preview", () => {
  it("is named when it is missing, differs or is new, and the key when it was used", async () => {
    const { run, commit, input } = await createCase(toolNamed("update_event_details"));
    const args = commit(await run(input));
    const before = await tableVersions(db);
    for (const [given, problem] of [
      [without(args, ["venue"]), "venue is missing."],
      [{ ...args, venue: "Hall 3" }, "venue differs."],
      [{ ...args, description: "New" }, "description is new."],
      [{ ...without(args, ["venue", "capacity"]), name: "New" }, "venue, capacity are missing; name is new."],
    ] as const) {
      expect(await refusalOf(run(given))).toMatchObject({
        code: "incomplete_commit",
        message: `The arguments are not those of the preview: ${problem} Nothing was changed. Send the arguments of commit_with unchanged, or preview again`,
      });
    }
    expect(await tableVersions(db)).toEqual(before);
    await run(args);
    expect(await refusalOf(run({ ...args, venue: "Hall 3" }))).toMatchObject({ code: "idempotency_conflict" });
  });

  it.each([
    ["a field that has a default", "add_event_speaker", "links"],
    ["a field without which it is not valid", "add_event_speaker", "name"],
    ["the row that it is about", "approve_event_registration", "registration_id"],
    ["the state", "set_event_poster_publication", "published"],
  ])("says that %s is missing", async (_what, name, missing) => {
    const { run, commit, input } = await createCase(toolNamed(name));
    expect(await refusalOf(run(without(commit(await run(input)), [missing])))).toMatchObject({
      code: "incomplete_commit",
      message: expect.stringContaining(`those of the preview: ${missing} is missing. Nothing`),
    });
  });

  it("is named before what is wrong without it", async () => {
    const { run, commit } = await createCase(toolNamed("add_event_guest"));
    const args = commit(await run({ guests: [{ name: "Grace Hopper", email: "grace@example.com" }] }));
    expect(await refusalOf(run(without(args, ["guests"])))).toMatchObject({
      code: "incomplete_commit",
      message: expect.stringContaining("guests is missing"),
    });
  });

  it("is named together with the commit arguments that are missing too", async () => {
    const { run, commit, input } = await createCase(toolNamed("add_event_speaker"));
    const args = commit(await run({ ...input, bio: "Writes programs" }));
    for (const missing of ["name", "bio"]) {
      expect(await refusalOf(run(without(args, ["reason", missing])))).toMatchObject({
        code: "confirmation_required",
        message: expect.stringContaining(`To commit, also send reason, ${missing}. `),
        details: { missing: ["reason", missing] },
      });
    }
  });

  it("hides neither a secret among the arguments nor what is invalid with the version of another tool", async () => {
    const { run, commit, input } = await createCase(toolNamed("add_event_speaker"));
    const args = commit(await run(input));
    const secret = { ...without(args, ["name"]), bio: `svc_mk_${"a".repeat(43)}` };
    expect((await refusalOf(run(secret))).message).toMatch(/^bio: contains an API key/);
    const other = await createCase(toolNamed("update_event_details"));
    const { expected_version } = commit(await other.run(other.input));
    expect((await refusalOf(run({ ...args, expected_version, name: 7 }))).message).toMatch(/^name: expected/);
  });
});

describe("a version conflict", () => {
  it("says who changed what since the preview, and carries a new preview that can be committed", async () => {
    const { run, commit, input, fixture } = await createCase(toolNamed("update_event_details"));
    const stale = commit(await run(input));
    const meanwhile = await run(commit(await run({ ...input, venue: "Q2" })));
    const refusal = await refusalOf(run(stale));
    expect(refusal.message).toMatch(
      new RegExp(
        `^Test Person set venue to “Q2”, set capacity to 250 at \\d\\d:\\d\\d \\(record ${meanwhile.record_id}\\)\\. Nothing was changed\\. This is a new preview: `,
      ),
    );
    expect(refusal.details).toMatchObject({
      dry_run: true,
      event: { id: fixture.eventId },
      current: { venue: "Q2" },
      proposed: { venue: "Hall 2" },
      changed_since: [{ record_id: meanwhile.record_id, by: "Test Person", tool: "update_event_details" }],
    });
    expect(await run(commit(refusal.details))).toMatchObject({ after: { venue: "Hall 2" } });
  });

  it("names only changes of what it is about", async () => {
    const { run, commit, input, fixture } = await createCase(toolNamed("update_event_details"));
    const stale = commit(await run(input));
    const { commit: commitOther } = createToolRunner(db, fixture, services);
    await commitOther("add_event_guest", { name: "Grace Hopper", email: "grace@example.com" });
    await commitOther("update_event_details", { description: "New" });
    await db.query(sql`update events set venue = 'Q2' where id = ${fixture.eventId}`);
    const refusal = await refusalOf(run(stale));
    expect(refusal.message).toMatch(/^The state has changed since the preview\. Nothing was changed\./);
    expect(refusal.details).not.toHaveProperty("changed_since");
  });

  it("names changes of the same rows by other tools", async () => {
    const { run, commit, fixture } = await createCase(toolNamed("approve_event_registration"));
    const stale = commit(await run({ registration_id: fixture.registrationIds.pending }));
    const { commit: commitOther } = createToolRunner(db, fixture, services);
    const emails = ["pending@example.com", "waitlisted@example.com"];
    await commitOther("batch_update_event_registrations", { action: "decline", emails });
    const { message } = await refusalOf(run(stale));
    expect(message).not.toContain("Guest waitlisted");
    expect(message).toMatch(
      /^Test Person set registrations\[Guest pending\]\.status to “declined”, .* at \d\d:\d\d \(record [\w-]+\)\. Nothing was changed\. The request is not possible now: /,
    );
  });
});

/** A preview of the same change at another time differs in its key; a commit has a reason. */
function withoutMoment({ commit_with, ...preview }: ToolResult): ToolResult {
  return { ...preview, commit_with: without(commit_with as ToolResult, ["idempotency_key", "reason"]) };
}

/** The paths at which both states have an object, or rows with the same id, with other fields. */
function shapesThatDiffer(one: unknown, other: unknown, path = ""): string[] {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.flatMap((row) => {
      const same = other.find((each) => row?.id !== undefined && each?.id === row.id);
      return same === undefined ? [] : shapesThatDiffer(row, same, `${path}[${row.id}]`);
    });
  }
  // Metadata of posters is whatever somebody has written.
  const isComparable = [one, other].every((each) => typeof each === "object" && each !== null && !Array.isArray(each));
  if (!isComparable || path.endsWith(".metadata")) return [];
  const [a, b] = [one as ToolResult, other as ToolResult];
  if (Object.keys(a).sort().join() !== Object.keys(b).sort().join()) return [path];
  return Object.keys(a).flatMap((name) => shapesThatDiffer(a[name], b[name], `${path}.${name}`));
}

/** The paths of rows in the states that are known by an id alone. */
function namelessIds({ current, proposed }: ToolResult): string[] {
  const found: string[] = [];
  const visit = (value: unknown, path: string) => {
    if (typeof value !== "object" || value === null) return;
    const { id, name, title, email, prefix } = value as Record<string, unknown>;
    if (typeof id === "string" && [name, title, email, prefix].every((label) => typeof label !== "string"))
      found.push(path);
    for (const [key, inner] of Object.entries(value)) {
      const isId = /_ids?$/.test(key) && inner !== null && !(key === "user_id" && email !== undefined);
      if (isId || (key === "created_by" && !("created_by_email" in value))) found.push(`${path}.${key}`);
      visit(inner, `${path}.${key}`);
    }
  };
  visit(current, "current");
  visit(proposed, "proposed");
  return found;
}

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
  const { caller, eventId } = fixture;
  const session = { kind: "session", sessionId: randomUUID() } as const;
  const user = isOfConsole(tool) ? { eventId, caller: { ...caller, via: session } } : fixture;
  return {
    fixture,
    input: await exampleInput(db, fixture, tool.name),
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
