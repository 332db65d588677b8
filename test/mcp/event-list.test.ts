import sql, { raw } from "sql-template-tag";
import { beforeAll, describe, expect, it } from "vitest";
import { selectHostedRosters } from "../../src/modules/registrations/roster-store.js";
import { startService } from "../support/service.js";
import { useService } from "../support/setup.js";
import { callTool } from "./messages.js";

const { service, db, make } = useService(() => startService({ limits: { rest: 60, ticketing: 30, mcp: 10_000 } }));
let organization: string;
let key: string;
let hosted: string[];

const list = async (args: object, withKey = key) =>
  (await callTool(service, withKey, "list_event_registrations", { ...args })).result.structuredContent;

beforeAll(async () => {
  organization = await make.organization();
  key = await make.organizationKey(organization, { scopes: ["registrations:read"], role: "member" });
  const [conference, other] = [await make.conference(), await make.organization()];
  const start = (day: number) => `2030-05-0${day}T10:00:00Z`;
  hosted = [
    await make.event(conference, { hosts: [organization], start_time: start(3) }),
    await make.event(conference, { hosts: [other, organization], start_time: start(2) }),
    await make.event(conference, { hosts: [organization], start_time: start(1) }),
  ];
  await make.event(conference, { hosts: [other], start_time: start(4) });
  await make.event(conference, { hosts: [organization], start_time: start(5), status: "draft" });
  await db.query(sql`
    insert into registrations (event_id, name, email, status)
    select ${hosted[1]}, 'Guest ' || n, n || '@example.com', case when n <= 2 then 'pending' else 'approved' end
    from generate_series(1, 5) n`);
});

describe("list_event_registrations without event_id", () => {
  it("lists the hosted events with their counts, latest start first", async () => {
    const { events, pagination } = await list({});
    expect(events.map(({ id }: { id: string }) => id)).toEqual(hosted);
    const none = { pending: 0, approved: 0, waitlisted: 0, declined: 0, checked_in: 0, capacity: null };
    expect(events[1]).toEqual({
      id: hosted[1],
      name: "Test Event",
      start_time: "2030-05-02T11:00+01:00",
      timezone: "Europe/Lisbon",
      ...none,
      pending: 2,
      approved: 3,
    });
    expect(pagination).toEqual({ has_more: false, next_cursor: null, count: 3 });
  });

  it("is where a key that reads guests only is sent for the id of an event", async () => {
    const { error } = await list({ event_id: "the opening" });
    expect(error.message).toBe(
      "event_id: expected a uuid: use an id from get_organization_admin_snapshot, or list_event_registrations without event_id",
    );
  });

  it("has pages, whose cursors are only for this list", async () => {
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const { events, pagination } = await list({ limit: 1, ...(cursor === undefined ? {} : { cursor }) });
      found.push(...events.map(({ id }: { id: string }) => id));
      cursor = pagination.next_cursor ?? undefined;
      if (found.length === 1) {
        expect((await list({ event_id: hosted[1], cursor })).error.code).toBe("invalid_input");
      }
    } while (cursor !== undefined);
    expect(found).toEqual(hosted);
  });

  it.each([{ status: "pending" }, { checked_in: true }, { query: "ada" }])(
    "refuses a filter of guests: %j",
    async (filter) => {
      expect((await list(filter)).error).toMatchObject({
        code: "invalid_input",
        message: `event_id: is required with ${Object.keys(filter)[0]}; without both, the events are listed with their ids`,
      });
    },
  );

  it("is read in the order of an index", async () => {
    const position = ["2030-05-02T10:00:00.000Z", "00000000-0000-0000-0000-000000000000"];
    for (const after of [null, position]) {
      const plan = await db.transaction(async (tx) => {
        await tx.query(raw("set local enable_seqscan = off; set local enable_bitmapscan = off"));
        const rows = await tx.query<{ "QUERY PLAN": string }>(
          sql`explain ${selectHostedRosters(organization, after, 51)}`,
        );
        return rows.map((row) => row["QUERY PLAN"]).join("\n");
      });
      expect(plan).not.toMatch(/Seq Scan|Sort/);
      expect(plan).toMatch(/Index (Only )?Scan Backward using event_hosts_/);
    }
  });
});
