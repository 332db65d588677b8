import { lazy, type ReactNode, Suspense, useState } from "react";
import { queryClient } from "../../api/query-client.ts";
import { organizationKey } from "../../api/query-keys.ts";
import { changeAtOnce, type Json } from "../../api/tools.ts";
import { useChange } from "../../change/use-change.tsx";
import { countOf } from "../../format/counts.ts";
import { showToast } from "../../ui/toast-queue.ts";
import { type BulkAction, type BulkPlan, bulkActions, planBulk, reasonOf, titleOf } from "./bulk-plan.ts";
import { batchSize } from "./bulk-run.ts";
import type { GuestCounts, GuestState } from "./guests-api.ts";

const BulkDialog = lazy(() => import("./bulk-dialog.tsx").then((module) => ({ default: module.BulkDialog })));

/** Checked in one by one: more than this is a mistake rather than arrivals. */
const maximumCheckIns = 500;

type Open = { plan: BulkPlan; allowOverCapacity: boolean; warnings: string[] };

/** Changes a selection: through the change dialog where one commit does it, otherwise in several with their progress. */
export function useBulk(
  organization: string,
  event: string,
  counts: GuestCounts | undefined,
  onDone: () => void,
): { start: (action: BulkAction, selected: GuestState[]) => void; dialog: ReactNode } {
  const change = useChange();
  const [open, setOpen] = useState<Open>();
  const start = (action: BulkAction, selected: GuestState[]) => {
    const plan = planBulk(action, selected);
    if (action === "check_in" && plan.ids.length > maximumCheckIns) {
      showToast(`Check in at most ${maximumCheckIns} guests at once. Select fewer.`, { tone: "danger" });
      return;
    }
    const warnings = warningsFor(plan, counts);
    const allowOverCapacity = warnings.length > 0;
    if (plan.ids.length > (action === "check_in" ? 1 : batchSize))
      return setOpen({ plan, allowOverCapacity, warnings });
    void change.open({
      ...callOf(plan.action, event, plan.ids, allowOverCapacity),
      ...{ title: titleOf(plan), reason: reasonOf(plan), warnings, onDone },
      confirmLabel: titleOf(plan),
      danger: bulkActions[action].danger ?? false,
      done: `${countOf(plan.ids.length, "guest")} ${bulkActions[action].done}`,
      describe: () => <Summary plan={plan} />,
      ...(action === "decline" ? { undo: callOf("restore", event, plan.ids, true) } : {}),
    });
  };
  const dialog = open && (
    <Suspense>
      <BulkDialog
        plan={open.plan}
        warnings={open.warnings}
        size={open.plan.action === "check_in" ? 1 : batchSize}
        commit={(ids, reason) => {
          const { tool, args } = callOf(open.plan.action, event, ids, open.allowOverCapacity);
          return changeAtOnce({ organization }, tool, args, reason);
        }}
        onClose={(changed) => {
          setOpen(undefined);
          if (!changed) return;
          void queryClient.invalidateQueries({ queryKey: organizationKey(organization) });
          onDone();
        }}
      />
    </Suspense>
  );
  return { start, dialog };
}

function Summary({ plan }: { plan: BulkPlan }) {
  return (
    <p>
      {countOf(plan.ids.length, "guest")} will be {bulkActions[plan.action].done}.
      {plan.skipped > 0 && ` ${countOf(plan.skipped, "other")} of the selection stay as they are.`}
    </p>
  );
}

function callOf(
  action: BulkAction,
  event: string,
  ids: string[],
  allowOverCapacity: boolean,
): { tool: string; args: Json } {
  if (action === "check_in") {
    return {
      tool: "set_event_registration_check_in",
      args: { event_id: event, registration_id: ids[0], checked_in: true },
    };
  }
  return {
    tool: "batch_update_event_registrations",
    args: { event_id: event, action, registration_ids: ids, allow_over_capacity: allowOverCapacity },
  };
}

function warningsFor({ action, ids }: BulkPlan, counts: GuestCounts | undefined): string[] {
  if (action !== "approve" || counts === undefined || counts.capacity === null) return [];
  const over = counts.approved + ids.length - counts.capacity;
  if (over <= 0) return [];
  return [
    `The event has room for ${countOf(counts.capacity, "guest")}, and ${counts.approved} are approved. This approves ${over} more than there is room for.`,
  ];
}
