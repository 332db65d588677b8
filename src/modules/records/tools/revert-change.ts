import { z } from "zod";
import { fieldError, ServiceError } from "../../../../contract/errors.js";
import { reasonAgainst } from "../../../../contract/irreversible.js";
import { uuid } from "../../../../contract/schema/fields.js";
import { ticketingNote } from "../../../../contract/schema/registrations.js";
import type { OrganizationCaller } from "../../../access/caller.js";
import { changedSince, planRestore, type RestorePlan } from "../../../revert/revert-rules.js";
import { restoreStates } from "../../../revert/revert-states.js";
import { normalized, readStoredRows, requireRelatedRows, restoreRows } from "../../../revert/revert-store.js";
import { isEqual, mergeRowChanges, type RestoreContext, type RowChange } from "../../../revert/revertible-table.js";
import { defineLocatedMutation, type MutationTool, type Tool, type ToolState } from "../../../runner/mutation.js";
import type { EventTarget } from "../../../runner/tool.js";
import { exampleIds } from "../../../schema/examples.js";
import { renewRestoredImages, requireRestoredImages } from "../restored-images.js";
import { eventRoleOf, missingPermission, noSuchTool, type Revertible, reasonWithoutRows } from "../rules.js";
import { getRecord, type RevertibleRecord } from "../store.js";

/** What reverting needs besides the database. */
export type RevertServices = { imageQuotaBytes: number; isDeployed(tool: string): boolean };

const declaration = {
  name: "revert_change",
  title: "Revert a change",
  group: "organization",
  description:
    "Undo a change by restoring exactly what it replaced; refused if the same fields have changed since. record_id comes from a commit or list_changes.",
  scope: ["org:write", "events:write", "registrations:write"],
  role: "member",
  example: { record_id: exampleIds.record },
  addition: true,
  destructive: true,
  input: z.object({
    record_id: uuid,
    event_id: uuid.exactOptional(),
  }),
} as const;

/** `restored` is what the state becomes, as the last `read` found it. */
type Prepared = {
  record: RevertibleRecord;
  changes: RowChange[];
  imageQuotaBytes: number;
  restored: ToolState;
};

export function revertChange({ tools, tables }: Revertible): MutationTool<RevertServices> {
  const changesOf = ({ row_changes: kept }: RevertibleRecord) =>
    mergeRowChanges(kept ?? [], tables).map((change) => ({
      ...change,
      before: change.before && normalized(change.table, change.before),
      after: change.after && normalized(change.table, change.after),
    }));
  const isAboutGuests = (origin: string) => tools().find(({ name }) => name === origin)?.group === "registrations";
  return defineLocatedMutation({
    ...declaration,

    async locate({ db, caller, services }, { record_id, event_id }): Promise<EventTarget | undefined> {
      const record = await getRecord(db, caller, record_id);
      if (event_id !== undefined && event_id !== record.event_id) {
        throw fieldError("event_id", `the change is about ${record.event_id ?? "no event"}; omit it`);
      }
      const against = reasonAgainst(record.origin);
      if (against !== undefined) throw cannotRevert(record, against);
      const tool = tools().find(({ name }) => name === record.origin);
      if (tool === undefined) throw cannotRevert(record, noSuchTool);
      requirePermission(tool, caller, services);
      if (record.row_changes === null) throw cannotRevert(record, reasonWithoutRows(record));
      if (record.event_id === null) return undefined;
      const written = changesOf(record).map(({ table }) => table);
      return { id: record.event_id, role: eventRoleOf(tool, written) };
    },

    async prepare({ db, caller, services }, { record_id }): Promise<Prepared> {
      const record = await getRecord(db, caller, record_id);
      const { imageQuotaBytes } = services;
      return { record, changes: changesOf(record), imageQuotaBytes, restored: {} };
    },

    async read({ tx, event, baseUrl }, _input, prepared): Promise<ToolState> {
      const { changes, imageQuotaBytes } = prepared;
      const stored = await readStoredRows(tx, changes, event?.id);
      const plan = planRestore(changes, stored);
      if (plan.obstacles.length > 0 && prepared.record.reverted_by !== null) throw alreadyReverted(prepared.record);
      await requirePossible({ tx, eventId: event?.id, imageQuotaBytes }, plan);
      const { current, restored } = await restoreStates(tx, changes, stored, plan, baseUrl);
      prepared.restored = restored;
      return current;
    },

    propose(current, _input, { record, restored }) {
      if (isEqual(current, restored)) throw alreadyReverted(record);
      return restored;
    },

    async store({ tx, event }, { prepared: { changes } }) {
      const plan = planRestore(changes, await readStoredRows(tx, changes, event?.id, { lock: true }));
      if (plan.obstacles.length > 0) throw changedSince(plan.obstacles);
      await renewRestoredImages(tx, plan);
      await restoreRows(tx, plan, tables, event?.id);
    },

    report: ({ prepared: { record } }, event) => ({
      reverts: { record_id: record.id, tool: record.tool, at: record.at, origin: record.origin },
      ...(isAboutGuests(record.origin) ? ticketingNote(event) : {}),
    }),
  });
}

/** What the tool itself requires; hosting is checked by the runner. */
function requirePermission(tool: Tool, caller: OrganizationCaller, { isDeployed }: RevertServices): void {
  const needs = (what: string) =>
    new ServiceError("forbidden", `Reverting ${tool.name} requires ${what}, as ${tool.name} itself`);
  const missing = missingPermission(tool, caller);
  if (missing !== undefined) throw needs(missing);
  // People in the console have every tool.
  if (caller.via.kind !== "session" && !isDeployed(tool.name)) throw needs("a deployment that allows it");
}

async function requirePossible(context: RestoreContext, plan: RestorePlan): Promise<void> {
  if (plan.obstacles.length > 0) throw changedSince(plan.obstacles);
  await requireRelatedRows(context.tx, plan);
  await requireRestoredImages(context.tx, plan);
  for (const table of new Set(plan.steps.map(({ change }) => change.table))) {
    await table.check?.(
      context,
      plan.steps.filter(({ change }) => change.table === table),
    );
  }
}

function alreadyReverted(record: RevertibleRecord): ServiceError {
  return cannotRevert(
    record,
    record.reverted_by === null
      ? "everything that it replaced is back already"
      : `record ${record.reverted_by} has reverted it already; revert that record to make the change again`,
  );
}

function cannotRevert({ id, tool }: RevertibleRecord, why: string): ServiceError {
  return new ServiceError("conflict", `Cannot revert record ${id} (${tool}): ${why}. Nothing was reverted`);
}
