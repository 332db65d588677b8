import { z } from "zod";
import { fieldError } from "../../../../contract/errors.js";
import { recordVias } from "../../../../contract/nouns.js";
import { integer, line, timestamp, uuid } from "../../../../contract/schema/fields.js";
import { pageOf } from "../../../../contract/schema/page.js";
import type { OrganizationCaller } from "../../../access/caller.js";
import { getHosting, requireHosted } from "../../../access/hosting.js";
import { paginationOf } from "../../../infra/database/keyset-page.js";
import { briefChanges, completeChanges, fewNamedChanges, type ReadChanges } from "../../../records/bounded-changes.js";
import { actorOf, type ExportedRecord, getExportedRecord, readRecordPage } from "../../../records/record-page.js";
import { eventAdvice } from "../../../runner/known-ids.js";
import { defineRead, type ReadTool } from "../../../runner/tool.js";
import { exampleIds } from "../../../schema/examples.js";
import { originOf, type Revertible, reasonNotToRevert, ticketingOutcome } from "../rules.js";
import { getPersonId, getRecord } from "../store.js";

const [defaultLimit, maximumLimit] = [20, 50];

const declaration = {
  name: "list_changes",
  title: "List changes",
  group: "organization",
  description:
    "Who changed what, and why, newest first, with the values before and after. record_id: only that change, complete. revert_change undoes a revertible one.",
  scope: "org:read",
  role: "member",
  example: { event_id: exampleIds.event, limit: 10 },
  addition: true,
} as const;

const listedChange = z.object({
  id: uuid,
  at: timestamp,
  tool: z.string(),
  via: z.enum(recordVias),
  by: z.string().nullable(),
  email: z.string().optional(),
  key: z.string().optional(),
  app: z.string().optional(),
  event: z.object({ id: uuid, name: z.string().nullable(), timezone: z.string().nullable() }).optional(),
  reason: z.string().nullable(),
  changes: z.array(z.object({ path: z.string(), from: z.unknown(), to: z.unknown() })),
  more_changes: z.int().optional(),
  note: z.string().optional(),
  reverts: uuid.optional(),
  reverted_by: uuid.optional(),
  revertible: z.boolean(),
  not_revertible: z.string().optional(),
});

export function listChanges(revertible: Revertible): ReadTool {
  return defineRead({
    ...declaration,
    input: z.object({
      record_id: uuid.optional(),
      event_id: uuid.optional(),
      person: line(254).optional().meta({ description: "who made the change: id or e-mail address" }),
      tool: line(100).optional(),
      since: timestamp.optional(),
      until: timestamp.optional(),
      cursor: z.string().max(1000).optional().meta({ description: "next_cursor of the previous page" }),
      limit: integer(1, maximumLimit).default(defaultLimit),
    }),
    output: pageOf(listedChange),
    async read({ tx, caller }, { record_id: recordId, person, cursor, limit, event_id: event, ...filters }) {
      const show = shownTo(caller, revertible);
      const view = { of: "organization", organizationId: caller.organizationId } as const;
      if (recordId !== undefined) {
        const others = { event_id: event, person, cursor, ...filters };
        const extra = Object.entries(others).find(([, value]) => value !== undefined);
        if (extra !== undefined) throw fieldError("record_id", `send it without ${extra[0]}`);
        await getRecord(tx, caller, recordId);
        const record = await getExportedRecord(tx, { ...view, filters: {} }, recordId);
        return onePage([show(record, completeChanges(record))]);
      }
      const id = person === undefined ? undefined : await getPersonId(tx, caller, person);
      let bytes = 0;
      const page = await readRecordPage(
        tx,
        { ...view, filters: { ...filters, event, person: id } },
        { cursor, limit },
        (record) => {
          const few = fewNamedChanges(record);
          bytes += Buffer.byteLength(JSON.stringify(few.changes));
          return show(record, bytes <= detailedBytes ? few : briefChanges(few));
        },
      );
      // Own records may be about an event that the organization no longer hosts. Without any, the id is likely wrong.
      if (page.items.length === 0 && event !== undefined) {
        requireHosted(await getHosting(tx, caller, event), "host_or_co_host", eventAdvice);
      }
      return onePage(
        page.items.map((item) => JSON.parse(item)),
        page.nextCursor,
      );
    },
  });
}

/** How much of a page is differences of long texts; further ones are cut, so that the page fits into a result. */
const detailedBytes = 16_000;

type ShownChange = z.input<typeof listedChange>;

function onePage(items: ShownChange[], nextCursor: string | null = null) {
  return { items, pagination: paginationOf(nextCursor, items.length) };
}

function shownTo(caller: OrganizationCaller, revertible: Revertible) {
  const seesGuests = caller.scopes.includes("registrations:read");
  return (record: ExportedRecord, changes: ReadChanges) => {
    const isAboutGuests = originOf(record, revertible.tools())?.group === "registrations";
    const notRevertible = reasonNotToRevert(record, caller, revertible);
    return shown(record, seesGuests || !isAboutGuests ? changes : undefined, notRevertible);
  };
}

const guestsHidden = "What changed about guests is shown to keys with the scope registrations:read";

/** `changes` are undefined where the caller may not see them. */
function shown(
  record: ExportedRecord,
  changes: ReadChanges | undefined,
  notRevertible: string | undefined,
): ShownChange {
  const { user, api_key: key, app, event, reverts, reverted_by } = record;
  const note = changes === undefined ? guestsHidden : ticketingOutcome(record);
  return {
    id: record.id,
    at: record.at,
    tool: record.tool,
    via: record.via,
    by: actorOf(record),
    ...(user?.email ? { email: user.email } : {}),
    ...(key?.name ? { key: key.name } : {}),
    ...(app?.name ? { app: app.name } : {}),
    ...(event === null ? {} : { event }),
    reason: record.reason,
    changes: changes?.changes ?? [],
    ...(changes !== undefined && changes.more > 0 ? { more_changes: changes.more } : {}),
    ...(note === undefined ? {} : { note }),
    ...(reverts === null ? {} : { reverts: reverts.record_id }),
    ...(reverted_by === null ? {} : { reverted_by }),
    revertible: notRevertible === undefined,
    ...(notRevertible === undefined || reverted_by !== null ? {} : { not_revertible: notRevertible }),
  };
}
