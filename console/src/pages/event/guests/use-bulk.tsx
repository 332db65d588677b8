import { lazy, type ReactNode, Suspense, useState } from "react";
import type { GuestCounts, GuestState } from "../../../../../contract/console/guests.ts";
import { maximumBatch } from "../../../../../contract/registrations.ts";
import { queryClient } from "../../../api/query-client.ts";
import { organizationKey } from "../../../api/query-keys.ts";
import { changeAtOnce, type Json } from "../../../api/tools.ts";
import { useChange } from "../../../change/use-change.tsx";
import { countOf } from "../../../format/counts.ts";
import { showToast } from "../../../ui/toast-queue.ts";
import { type BulkAction, type BulkPlan, bulkActions, planBulk, reasonOf, titleOf } from "./bulk-plan.ts";

const BulkDialog = lazy(() => import("./bulk-dialog.tsx").then((module) => ({ default: module.BulkDialog })));

/** Members check in one by one: more than this is a mistake rather than arrivals. */
const maximumCheckIns = 500;

/** `canChange`: whether the person may also decide about guests, and so use the tool for batches. */
type Scope = { organization: string; event: string; canChange: boolean };

type Open = { plan: BulkPlan; allowOverCapacity: boolean; warnings: string[] };

/** Changes a selection: through the change dialog where one commit does it, otherwise in several with their progress. */
export function useBulk(
  { organization, event, canChange }: Scope,
  counts: GuestCounts | undefined,
  onDone: () => void,
): { start: (action: BulkAction, selected: GuestState[]) => void; dialog: ReactNode } {
  const change = useChange();
  const [open, setOpen] = useState<Open>();
  const size = canChange ? maximumBatch : 1;
  const callOf = ({ action, ids }: BulkPlan, allow_over_capacity: boolean): { tool: string; args: Json } =>
    canChange
      ? {
          tool: "batch_update_event_registrations",
          args: {
            event_id: event,
            action,
            registration_ids: ids,
            ...(action === "approve" && { allow_over_capacity }),
          },
        }
      : {
          tool: "set_event_registration_check_in",
          args: { event_id: event, registration_id: ids[0], checked_in: true },
        };
  const start = (action: BulkAction, selected: GuestState[]) => {
    const plan = planBulk(action, selected);
    if (!canChange && plan.ids.length > maximumCheckIns) {
      showToast(`Check in at most ${maximumCheckIns} guests at once. Select fewer.`, { tone: "danger" });
      return;
    }
    const warnings = warningsFor(plan, counts);
    const allowOverCapacity = warnings.length > 0;
    if (plan.ids.length > size) return setOpen({ plan, allowOverCapacity, warnings });
    void change.open({
      ...callOf(plan, allowOverCapacity),
      title: titleOf(plan),
      reason: reasonOf(plan),
      warnings,
      onDone,
      confirmLabel: titleOf(plan),
      danger: bulkActions[action].danger ?? false,
      done: `${countOf(plan.ids.length, "guest")} ${bulkActions[action].done}`,
      describe: () => <Summary plan={plan} />,
    });
  };
  const dialog = open && (
    <Suspense>
      <BulkDialog
        plan={open.plan}
        warnings={open.warnings}
        size={size}
        commit={(ids, reason) => {
          const { tool, args } = callOf({ ...open.plan, ids }, open.allowOverCapacity);
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

function warningsFor({ action, ids }: BulkPlan, counts: GuestCounts | undefined): string[] {
  if (action !== "approve" || counts === undefined || counts.capacity === null) return [];
  const over = counts.approved + ids.length - counts.capacity;
  if (over <= 0) return [];
  return [
    `The event has room for ${countOf(counts.capacity, "guest")}, and ${counts.approved} are approved. This approves ${over} more than there is room for.`,
  ];
}
