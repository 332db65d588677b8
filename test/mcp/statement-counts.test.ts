import { randomUUID } from "node:crypto";
import sql from "sql-template-tag";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Database } from "../../src/infra/database/db.js";
import { tools } from "../../src/registry.js";
import { type CountingRelay, startCountingRelay } from "../support/counting-relay.js";
import { addStaff, createEventFixture, type EventFixture, type StaffFixture } from "../support/event-fixture.js";
import { makerOn } from "../support/make.js";
import { withPostgres } from "../support/needs.js";
import type { Service } from "../support/service.js";
import { openServiceDatabase } from "../support/service-database.js";
import { exampleInputs } from "../support/tool-examples.js";
import { workerDatabase } from "../support/worker-database.js";
import { legacy, modern, modernHeaders, post } from "./messages.js";
import { startEndpoint } from "./start-endpoint.js";

/**
 * What requests cost on the wire to PostgreSQL, written out, so that a statement or a round trip more fails. Statements
 * include BEGIN and COMMIT. All begin with one look-up of the key, which concurrent requests share; instructions also read
 * the names of the person and the organization.
 */
type Counts = [statements: number, trips: number];

const methods: Record<string, Counts> = {
  ping: [1, 1],
  initialize: [2, 2],
  "tools/list": [1, 1],
  "prompts/list": [1, 1],
  "server/discover": [2, 2],
};

const reads: Record<string, Counts> = {
  get_organization_admin_snapshot: [3, 2],
  get_event_admin_snapshot: [3, 2],
  get_event_statistics: [6, 3],
  get_event_host_snapshot: [4, 2],
  list_event_registrations: [4, 2],
  get_event_registration_details: [4, 2],
  get_event_run_of_show: [5, 2],
  get_event_asset_workspace: [5, 2],
  list_changes: [2, 2],
};

/** `repeated` is the same commit again, which is answered from its record: before a transaction if the tool prepares its work. */
const changes: Record<string, { preview: Counts; commit: Counts; repeated: Counts }> = {
  update_organization_profile: { preview: [2, 2], commit: [11, 5], repeated: [8, 3] },
  update_event_details: { preview: [6, 3], commit: [15, 6], repeated: [12, 4] },
  add_event_cohost: { preview: [5, 3], commit: [17, 6], repeated: [11, 4] },
  add_event_speaker: { preview: [6, 3], commit: [18, 6], repeated: [3, 2] },
  approve_event_registration: { preview: [5, 3], commit: [15, 6], repeated: [11, 4] },
  batch_update_event_registrations: { preview: [5, 3], commit: [16, 6], repeated: [3, 2] },
  create_event_segment: { preview: [8, 4], commit: [21, 7], repeated: [3, 2] },
  set_event_poster_publication: { preview: [5, 3], commit: [14, 6], repeated: [11, 4] },
  revert_change: { preview: [4, 4], commit: [15, 9], repeated: [3, 3] },
};

withPostgres("on the wire", () => {
  let relay: CountingRelay;
  let db: Database;
  let service: Service;
  let fixture: EventFixture & StaffFixture;
  let key: string;

  beforeAll(async () => {
    const connection = workerDatabase.connection;
    if (!("connectionString" in connection)) throw new Error("expected a server");
    const url = new URL(connection.connectionString);
    relay = await startCountingRelay({ host: url.hostname, port: Number(url.port || 5432) });
    url.host = `127.0.0.1:${relay.port}`;
    // One connection for each purpose: what need not wait is sent together.
    db = openServiceDatabase({ connectionString: url.href }, { poolSize: 1 });
    service = await startEndpoint(tools, ["*"], db);
    const event = await createEventFixture(service.db);
    fixture = { ...event, ...(await addStaff(service.db, event)) };
    await service.db.query(sql`update events set capacity = 100 where id = ${event.eventId}`);
    key = await makerOn(service.db).organizationKey(event.organizationId, { scopes: [...event.caller.scopes] });
    await Promise.all([db.query(sql`select 1`), db.changes.query(sql`select 1`)]);
    // The connections are open and keep the plan of the key's look-up.
    for (let i = 0; i < 3; i += 1) await Promise.all([send(legacy("ping")), send(legacy("ping"))]);
  });
  afterAll(async () => {
    await service.close();
    await db.close();
    await relay.close();
  });

  const send = (body: Record<string, unknown>, headers = {}) => post(service, key, body, headers);
  const call = async (name: string, args: Record<string, unknown>) => {
    const { json } = await send(legacy("tools/call", { name, arguments: args }));
    expect(json.result, JSON.stringify(json)).toBeDefined();
    expect(json.result.isError, JSON.stringify(json)).toBeUndefined();
    return json.result.structuredContent;
  };
  const counted = async (work: () => Promise<unknown>): Promise<Counts> => {
    const { statements, trips } = await relay.count(work);
    return [statements, trips];
  };

  it.each(Object.entries(methods))("%s", async (method, expected) => {
    const isModern = method === "server/discover";
    const work = () => (isModern ? send(modern(method), modernHeaders(method)) : send(legacy(method)));
    expect(await counted(work)).toEqual(expected);
  });

  it("concurrent requests share the look-up of their key", async () => {
    const [statements] = await counted(() => Promise.all(Array.from({ length: 20 }, () => send(legacy("tools/list")))));
    expect(statements).toBeLessThan(20);
  });

  it("has a line for every tool that reads", () => {
    expect(Object.keys(reads).sort()).toEqual(
      tools
        .filter(({ kind }) => kind === "read")
        .map(({ name }) => name)
        .sort(),
    );
  });

  it.each(Object.entries(reads))("%s", async (name, expected) => {
    const args: Record<string, Record<string, unknown>> = {
      get_organization_admin_snapshot: {},
      list_changes: {},
      get_event_registration_details: {
        event_id: fixture.eventId,
        registration_id: fixture.registrationIds.approved,
      },
    };
    expect(await counted(() => call(name, args[name] ?? { event_id: fixture.eventId }))).toEqual(expected);
  });

  it.each(Object.entries(changes))("%s", async (name, expected) => {
    const args = exampleInputs[name]?.(fixture) ?? {};
    let commit: Record<string, unknown> = {};
    const preview = await counted(async () => {
      commit = (await call(name, args)).commit_with;
    });
    const reason = `counted ${randomUUID()}`;
    const committed = await counted(() => call(name, { ...commit, reason }));
    const repeated = await counted(() => call(name, { ...commit, reason }));
    expect({ preview, commit: committed, repeated }).toEqual(expected);
  });
});
