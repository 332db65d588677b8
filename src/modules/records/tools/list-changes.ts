import { z } from "zod";
import { getHosting, requireHosted } from "../../../access/hosting.js";
import { exampleIds } from "../../../schema/examples.js";
import { integer, line, timestamp, uuid } from "../../../schema/fields.js";
import { pageOf } from "../../../schema/page.js";
import { shortChanges } from "../../../tools/bounded-changes.js";
import { eventAdvice } from "../../../tools/known-ids.js";
import type { Tool } from "../../../tools/mutation.js";
import { type ListedRecord, readRecordPage, recordVia } from "../../../tools/record-page.js";
import { defineRead, type ReadTool } from "../../../tools/tool.js";
import { mayRevert, originOf } from "../rules.js";
import { getPersonId } from "../store.js";

const [defaultLimit, maximumLimit] = [20, 50];

const declaration = {
  name: "list_changes",
  title: "List changes",
  group: "organization",
  description:
    "What was changed in the organization and its events, newest first: who, how, why, from → to. revert_change can undo what is revertible.",
  scope: "org:read",
  role: "member",
  example: { event_id: exampleIds.event, limit: 10 },
  addition: true,
} as const;

const listedChange = z.object({
  id: uuid,
  at: timestamp,
  tool: z.string(),
  via: recordVia,
  by: z.string().nullable(),
  email: z.string().optional(),
  key: z.string().optional(),
  event: z.object({ id: uuid, name: z.string().nullable() }).optional(),
  reason: z.string().nullable(),
  changes: z.array(z.object({ path: z.string(), from: z.unknown(), to: z.unknown() })),
  more_changes: z.int().optional(),
  note: z.string().optional(),
  reverts: uuid.optional(),
  reverted_by: uuid.optional(),
  revertible: z.boolean(),
});

export function listChanges(tools: () => Tool[]): ReadTool {
  return defineRead({
    ...declaration,
    input: z.object({
      event_id: uuid.optional(),
      person: line(254).optional().meta({ description: "id or e-mail address" }),
      tool: line(100).optional(),
      since: timestamp.optional(),
      until: timestamp.optional(),
      cursor: z.string().max(1000).optional().meta({ description: "next_cursor of a page" }),
      limit: integer(1, maximumLimit).default(defaultLimit),
    }),
    output: pageOf(listedChange),
    async read({ tx, caller }, { event_id: event, person, tool, since, until, cursor, limit }) {
      const id = person === undefined ? undefined : await getPersonId(tx, caller, person);
      const filters = { event, person: id, tool, since, until };
      const view = { of: "organization", organizationId: caller.organizationId, filters } as const;
      const seesGuests = caller.scopes.includes("registrations:read");
      const page = await readRecordPage(tx, view, { cursor, limit }, (record) => {
        const isAboutGuests = originOf(record, tools())?.group === "registrations";
        return shown(record, seesGuests || !isAboutGuests, mayRevert(record, caller, tools()));
      });
      // Own records may be about an event that the organization no longer hosts. Without any, the id is likely wrong.
      if (page.items.length === 0 && event !== undefined) {
        requireHosted(await getHosting(tx, caller, event), "host_or_co_host", eventAdvice);
      }
      const items: z.input<typeof listedChange>[] = page.items.map((item) => JSON.parse(item));
      return {
        items,
        pagination: { has_more: page.nextCursor !== null, next_cursor: page.nextCursor, count: items.length },
      };
    },
  });
}

function shown(record: ListedRecord, seesChanges: boolean, revertible: boolean): z.input<typeof listedChange> {
  const { own, user, operator, organization, api_key: key, event, reverts, reverted_by } = record;
  const { changes, more } = shortChanges(record);
  return {
    id: record.id,
    at: record.at,
    tool: record.tool,
    via: record.via,
    by: (own ? (operator ?? user?.name) : organization?.name) ?? null,
    ...(user?.email ? { email: user.email } : {}),
    ...(key?.name ? { key: key.name } : {}),
    ...(event === null ? {} : { event }),
    reason: record.reason,
    changes: seesChanges ? changes : [],
    ...(seesChanges && more > 0 ? { more_changes: more } : {}),
    ...(seesChanges ? {} : { note: "What changed about guests is shown to keys with the scope registrations:read" }),
    ...(reverts === null ? {} : { reverts: reverts.record_id }),
    ...(reverted_by === null ? {} : { reverted_by }),
    revertible,
  };
}
