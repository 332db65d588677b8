import type { Sql } from "sql-template-tag";
import type { Queryable } from "../../src/infra/database/db.js";
import { tools } from "../../src/registry.js";
import { inputSchemaOf, parseArguments } from "../../src/runner/commit-arguments.js";
import { runTool } from "../../src/runner/run.js";
import type { GeneratorReply } from "../processes/generator.js";
import type { TransactionReference } from "../processes/transaction.js";
import { baseData } from "../support/base.js";
import { findOrganizationCaller, withDatabase } from "../support/caller.js";
import { replyOf } from "../support/child-reply.js";
import { benchKey } from "../support/dataset.js";
import { hostedEvents } from "../support/dataset-queries.js";
import { loadOn, type Side, sampleOf } from "../support/load.js";
import { callTool, mcpRequest } from "../support/mcp-call.js";
import { startProcess } from "../support/process.js";
import { cpuMicros } from "../support/process-usage.js";
import { planRequest } from "../support/request-plan.js";
import { compareSides, type RowGroup } from "../support/row.js";
import { startService } from "../support/service.js";
import { noServices } from "../support/tool-services.js";

const tool = "update_event_details";
/** Callers who commit at the same time, each to an event of their own. */
const callers = 16;
/** Of DATABASE_POOL_SIZE, which is 10, those for changes. */
const changeConnections = 4;
const reason = "Measure a commit";

/** What a tool call adds to the transaction that it needs. */
export const commitRows: RowGroup = [
  {
    id: "commit",
    name: `commit of ${tool}, MCP`,
    reference: "bare transaction, same statements",
    goal: { atLeast: 0.7 },
    async run(bench) {
      const { databaseUrl, keyCount } = await baseData(bench);
      const service = await startService(databaseUrl);
      const hosted = (await hostedEvents(databaseUrl, callers + changeConnections)).map(({ organization, event }) => ({
        key: benchKey(keyCount + organization),
        event,
      }));
      const commits = await Promise.all(hosted.slice(0, callers).map((host) => prepareCommits(service.url, host)));
      const call = {
        name: tool,
        arguments: {
          event_id: "{event}",
          capacity: "{#capacity}",
          dry_run: false,
          confirm: true,
          reason,
          idempotency_key: "{uuid}",
          expected_version: "{version}",
        },
      };
      const request = planRequest(
        mcpRequest("tools/call", call, {
          contains: '"record_id"',
          variants: commits.flat(),
          variantsPerConnection: 2,
        }),
      );
      return compareSides(
        bench,
        loadOn(service, callers, [request]),
        await bareTransactions(databaseUrl, hosted.slice(callers)),
      );
    },
  },
];

type Host = { key: string; event: string };

/** A commit names the state that it changes: two commits that undo each other can be repeated in turn. */
async function prepareCommits(url: string, { key, event }: Host): Promise<Record<string, string>[]> {
  const commits: Record<string, string>[] = [];
  // The first round only brings the event into the state from which the others start.
  for (const capacity of [201, 200, 201, 200]) {
    const preview = await callTool<{ commit_with: { expected_version: string } }>(url, key, tool, {
      event_id: event,
      capacity,
    });
    await callTool(url, key, tool, { ...preview.commit_with, reason });
    const version = preview.commit_with.expected_version;
    commits.push({ key, event, capacity: String(capacity), version });
  }
  return commits.slice(2);
}

async function bareTransactions(databaseUrl: string, hosts: Host[]): Promise<Side> {
  const [first] = hosts;
  if (first === undefined) throw new Error("there are too few organizations");
  const reference = await startProcess("transaction", {
    databaseUrl,
    ...(await captureTransaction(databaseUrl, first, hosts)),
  } satisfies TransactionReference);
  return {
    async measure(milliseconds) {
      const before = cpuMicros(reference.pid);
      reference.child.send({ milliseconds });
      const reply = await replyOf<GeneratorReply>(reference.child);
      if ("error" in reply) throw new Error(reply.error);
      return sampleOf(reply.load, before, cpuMicros(reference.pid));
    },
  };
}

/** The statements inside the transaction of one commit, with placeholders for what the next commits have of their own. */
async function captureTransaction(databaseUrl: string, captured: Host, hosts: Host[]) {
  return withDatabase(databaseUrl, async (db) => {
    const declared = tools.find(({ name }) => name === tool);
    if (declared === undefined) throw new Error(`${tool} is not registered`);
    const idsOf = async ({ key, event }: Host) => {
      const { via, organizationId } = await findOrganizationCaller(databaseUrl, key);
      return { event, organization: organizationId, keyId: via.keyId };
    };
    const statements: TransactionReference["statements"] = [];
    const recorder: typeof db = {
      ...db,
      transaction: (work, options) =>
        db.transaction((tx) => {
          // Begins anew with each transaction, so that those of the commit remain.
          statements.length = 0;
          return work(withRecords(tx, ({ text, values }, name) => statements.push({ name, text, values })));
        }, options),
    };
    const caller = await findOrganizationCaller(databaseUrl, captured.key);
    const run = (args: Record<string, unknown>) => {
      const given = { event_id: captured.event, capacity, ...args };
      const parsed = parseArguments(inputSchemaOf(declared), given);
      return runTool(
        { db: recorder, baseUrl: "http://127.0.0.1", services: noServices },
        { tool: declared, caller, given, parsed },
      );
    };
    const { commit_with: commit } = (await run({})) as { commit_with: { idempotency_key: string } };
    await run({ ...commit, reason });
    const ids = { ...(await idsOf(captured)), key: commit.idempotency_key, capacity: String(capacity) };
    return {
      statements: statements.map((statement) => ({
        ...statement,
        values: statement.values.map((value) => withPlaceholders(value, ids)),
      })),
      variants: await Promise.all(hosts.map(idsOf)),
    };
  });
}

/** The same transaction; whichever of its functions sends a statement, it is recorded. */
function withRecords<Tx extends Queryable>(tx: Tx, record: (statement: Sql, name: string | undefined) => void): Tx {
  const recorded = Object.entries(tx as Record<string, Queryable["query"]>).map(([method, send]) => [
    method,
    (statement: Sql, name?: string) => {
      record(statement, name);
      return send(statement, name);
    },
  ]);
  return Object.fromEntries(recorded) as Tx;
}

/** Unlike any other number in the statements. */
const capacity = 4_242_424;

function withPlaceholders(value: unknown, ids: Record<string, string>): unknown {
  if (typeof value !== "string" && typeof value !== "number") return value;
  let text = String(value);
  for (const [name, id] of Object.entries(ids)) text = text.replaceAll(id, `{${name}}`);
  return text === String(value) ? value : text;
}
