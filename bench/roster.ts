// How long does list_event_registrations take on a roster of 100,000, with and without a search?
// Usage: DATABASE_URL=postgres://… npm run bench:roster [-- --guests 100000]
// Makes a database of its own on that server and drops it at the end.
import { randomUUID } from "node:crypto";
import { parseArgs } from "node:util";
import sql from "sql-template-tag";
import type { OrganizationCaller } from "../src/access/caller.js";
import { type Database, openDatabase } from "../src/infra/database/db.js";
import { tools } from "../src/registry.js";
import { inputSchemaOf, parseArguments } from "../src/runner/commit-arguments.js";
import { runTool } from "../src/runner/run.js";
import { createDatabase, dropDatasets } from "./support/dataset.js";
import { noServices } from "./support/tool-services.js";

const { values } = parseArgs({ options: { guests: { type: "string", default: "100000" } } });
const rounds = 40;
const goalMs = 40;

const organizationId = randomUUID();
const eventId = randomUUID();
const caller: OrganizationCaller = {
  tier: "organization",
  via: { kind: "key", keyId: randomUUID(), keyName: "bench", expiresAt: null, lastUsedAt: null },
  userId: randomUUID(),
  organizationId,
  scopes: ["registrations:read"],
  role: "owner",
};

const calls: Record<string, Record<string, unknown>> = {
  "first page": {},
  "declined guests": { status: "declined" },
  "one word, found early": { query: "ferreira" },
  "one word, found last": { query: `guest${values.guests}.` },
  "one word, not found": { query: "nobody" },
  "two letters, not found": { query: "zz" },
  "two words": { query: "goncalo almeida" },
  "two words, not found": { query: "lovelace nobody" },
  "three words, two of them in every row": { query: "guest example nobody" },
  "not found, approved guests": { query: "nobody", status: "approved" },
  "not found, not checked in": { query: "nobody", checked_in: false },
};

try {
  const db = openDatabase({ connectionString: await createDatabase() }, { poolSize: 1, onIdleError: () => {} });
  try {
    await fill(db, Number(values.guests));
    report(await measure(db));
  } finally {
    await db.close();
  }
} finally {
  await dropDatasets();
}

async function measure(db: Database): Promise<Map<string, number[]>> {
  const tool = tools.find(({ name }) => name === "list_event_registrations");
  if (tool === undefined) throw new Error("list_event_registrations is not registered");
  const times = new Map<string, number[]>(Object.keys(calls).map((name) => [name, []]));
  // Interleaved, so that other load on the machine affects all calls alike.
  for (let round = 0; round < rounds; round++) {
    for (const [name, args] of Object.entries(calls)) {
      const startedAt = performance.now();
      const given = { event_id: eventId, ...args };
      const parsed = parseArguments(inputSchemaOf(tool), given);
      JSON.stringify(
        await runTool({ db, baseUrl: "http://127.0.0.1", services: noServices }, { tool, caller, given, parsed }),
      );
      times.get(name)?.push(performance.now() - startedAt);
    }
  }
  return times;
}

function report(times: Map<string, number[]>): void {
  const lines = [...times].map(([call, ms]) => {
    const sorted = ms.toSorted((a, b) => a - b);
    const median = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
    return { call, "best ms": sorted[0]?.toFixed(1), "median ms": median.toFixed(1), verdict: verdictOf(median) };
  });
  console.table(lines);
  if (lines.some(({ verdict }) => verdict !== "ok")) process.exitCode = 1;
}

function verdictOf(medianMs: number): string {
  return medianMs < goalMs ? "ok" : `above ${goalMs} ms`;
}

/** Two events: a roster that is not the measured one must not cost anything. */
async function fill(db: Database, guests: number): Promise<void> {
  await db.query(sql`insert into organizations (id, name, slug) values (${organizationId}, 'Bench', 'bench')`);
  await db.query(sql`
    insert into conferences (id, name, slug, short_name, description, city, start_date, end_date, timezone, status, category)
    values (${eventId}, 'Bench', 'bench', 'Bench', 'Bench', 'Lisbon', '2030-01-01', '2030-12-31', 'UTC', 'published', 'mainline')`);
  for (const id of [eventId, randomUUID()]) {
    await db.query(sql`
      insert into events (id, conference_id, name, start_time, end_time, timezone, status, category)
      values (${id}, ${eventId}, 'Bench', '2030-01-01T09:00:00Z', '2030-01-01T11:00:00Z', 'UTC', 'published', 'mainline')`);
    await db.query(
      sql`insert into event_hosts (event_id, organization_id, role) values (${id}, ${organizationId}, 'host')`,
    );
    await db.query(sql`
      insert into registrations (event_id, name, email, status, answers, registered_at)
      select ${id},
        (array['Gonçalo', 'Ada', 'Zoë', 'Łukasz', 'Søren', 'Дмитрий', 'Anne-Marie', 'Björn', 'José', 'Siobhán'])[1 + n % 10]
          || ' ' || (array['de Almeida', 'Lovelace', 'van Dyk', 'O’Brien', 'Kowalski', 'Nguyễn', 'Müller', 'García',
            'Smith', 'Ferreira', 'Okonkwo', 'Yılmaz', 'Ivanov'])[1 + n % 13] || ' ' || substr(md5(n::text), 1, 6),
        'guest' || n || '.' || substr(md5('e' || n), 1, 8) || '@'
          || (array['example.com', 'mail.example.org', 'students.university.example'])[1 + n % 3],
        (array['approved', 'approved', 'approved', 'pending', 'waitlisted', 'declined'])[1 + n / 7 % 6],
        jsonb_build_object('company', 'Company ' || n % 500, 'why', repeat('because ', n % 20)),
        timestamptz '2029-01-01T00:00:00Z' + n * interval '1 minute'
      from generate_series(1, ${guests}::integer) n`);
  }
  await db.query(sql`vacuum analyze`);
}
