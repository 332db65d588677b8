import sql from "sql-template-tag";
import { ServiceError } from "../../../contract/errors.js";
import { hostsOf } from "../../access/hosting.js";
import { requireRoomToRestore } from "../../access/proposals.js";
import type { RevertibleTable, Row } from "../../revert/revertible-table.js";
import { maximumHosts } from "./rules.js";

export const revertibleEvents: RevertibleTable = {
  name: "events",
  noun: "event",
  nouns: "events",
  key: ["id"],
  // The console shows times in the zone of the event.
  label: ["name", "timezone"],
  whole: ["name"],
  columns: {
    start_time: "timestamp",
    end_time: "timestamp",
    created_at: "timestamp",
    cancelled_at: "timestamp",
    tile_image_url: "image",
  },
  instead: { change: "update_event_details", add: "the console", remove: "the console" },
  async check({ tx }, rows) {
    for (const { now, earlier } of rows) {
      if (earlier?.status === "draft" && now?.status !== "draft") await requireRoomToRestore(tx, String(earlier.id));
      const [start, end] = [String(earlier?.start_time), String(earlier?.end_time)];
      if (end > start) continue;
      throw new ServiceError(
        "conflict",
        `Cannot revert, because the other time was changed since: the event would start at ${start} and end at ${end}. Nothing was reverted. Use update_event_details with both times`,
      );
    }
  },
};

export const revertibleHosts: RevertibleTable = {
  name: "event_hosts",
  noun: "host",
  nouns: "hosts",
  key: ["event_id", "organization_id"],
  label: [],
  whole: ["role"],
  order: { column: "position", isShown: false },
  eventRole: "host",
  parents: [{ column: "organization_id", table: "organizations", noun: "the organization" }],
  instead: { change: "set_event_primary_host", add: "add_event_cohost", remove: "remove_event_cohost" },
  async findLabels(tx, rows) {
    const organizations = await tx.query<{ id: string; name: string }>(sql`
      select id, name from organizations where id = any (${rows.map((row) => String(row.organization_id))}::uuid[])`);
    const names = new Map(organizations.map(({ id, name }) => [id, name]));
    return new Map(rows.map((row) => [keyOfHost(row), { organization: names.get(String(row.organization_id)) }]));
  },
  async check({ tx, eventId }, rows) {
    const added = rows.filter(({ now }) => now === null).length - rows.filter(({ earlier }) => earlier === null).length;
    if (added <= 0) return;
    const [row] = await tx.query<{ count: number }>(
      sql`select count(*)::int as count from ${hostsOf(sql`${eventId}`)} h`,
    );
    if ((row?.count ?? 0) + added <= maximumHosts) return;
    throw new ServiceError("conflict", `An event has at most ${maximumHosts} hosts: remove a co-host first`);
  },
};

function keyOfHost(row: Row): string {
  return `${row.event_id} ${row.organization_id}`;
}
