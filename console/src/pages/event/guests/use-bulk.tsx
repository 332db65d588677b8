import { Fragment } from "react";
import type { GuestCounts, GuestState } from "../../../../../contract/console/guests.ts";
import { maximumBatch } from "../../../../../contract/registrations.ts";
import type { Json } from "../../../api/tools.ts";
import { useChange, useJob } from "../../../change/use-change.tsx";
import { countOf, formatCount } from "../../../format/counts.ts";
import { showToast } from "../../../ui/toast-queue.ts";
import {
  type BulkAction,
  type BulkPlan,
  bulkActions,
  namesOf,
  planBulk,
  reasonOf,
  skippedWords,
  statesOf,
  titleOf,
} from "./bulk-plan.ts";

/** Members check in one by one: more than this is a mistake rather than arrivals. */
const maximumCheckIns = 500;

/** `canChange`: whether the person may also decide about guests, and so use the tool for batches. */
type Scope = { organization: string; event: string; canChange: boolean };

/** Changes a selection: through the change dialog where one commit does it, otherwise in parts with their progress. */
export function useBulk(
  { organization, event, canChange }: Scope,
  counts: GuestCounts | undefined,
  onDone: () => void,
): (action: BulkAction, selected: GuestState[]) => void {
  const change = useChange();
  const startJob = useJob();
  const size = canChange ? maximumBatch : 1;
  return (action, selected) => {
    const plan = planBulk(action, selected);
    const { guests } = plan;
    if (!canChange && guests.length > maximumCheckIns) {
      showToast(`Check in at most ${maximumCheckIns} guests at once. Select fewer.`, { tone: "danger" });
      return;
    }
    const warnings = warningsFor(plan, counts);
    const allowed = action === "approve" ? { allow_over_capacity: warnings.length > 0 } : {};
    const argsOf = (ids: string[]): Json =>
      canChange
        ? { event_id: event, action, registration_ids: ids, ...allowed }
        : { event_id: event, registration_id: ids[0], checked_in: true };
    const { done, danger = false } = bulkActions[action];
    const common = {
      tool: canChange ? "batch_update_event_registrations" : "set_event_registration_check_in",
      title: titleOf(plan),
      confirmLabel: titleOf(plan),
      reason: reasonOf(plan),
      warnings,
      danger,
      onDone,
    };
    if (guests.length <= size) {
      void change.open({
        ...common,
        confirms: true,
        args: argsOf(guests.map(({ id }) => id)),
        done: `${countOf(guests.length, "guest")} ${done}`,
        describe: () => <BulkSummary plan={plan} />,
      });
      return;
    }
    startJob({
      ...common,
      organization,
      items: guests.map(({ id }) => ({ id, count: 1 })),
      size,
      argsOf,
      doneWord: done,
      done: (count) => `${countOf(count, "guest")} ${done}`,
      leftOut: (count) =>
        `${countOf(count, "guest")} left out: somebody changed them meanwhile, and this is no longer possible for them.`,
      describe: <BulkSummary plan={plan} />,
    });
  };
}

/** Whom the change is about, so that nobody is changed unseen. */
function BulkSummary({ plan }: { plan: BulkPlan }) {
  const { names, more } = namesOf(plan);
  const guests = plan.guests.length;
  return (
    <div className="column gap-2">
      <p>
        {countOf(guests, "guest")} will be {bulkActions[plan.action].done}.
      </p>
      <p className="medium breaks">
        {names.map((name, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two guests can have one name.
          <Fragment key={index}>
            {index > 0 && (more === "" && index === names.length - 1 ? " and " : ", ")}
            <bdi>{name}</bdi>
          </Fragment>
        ))}
        {more}
      </p>
      <p className="muted">
        {guests === 1 ? "State now" : "States now"}: {statesOf(plan)}.
        {plan.skipped > 0 && ` ${skippedWords(plan.skipped)}`}
      </p>
    </div>
  );
}

function warningsFor({ action, guests }: BulkPlan, counts: GuestCounts | undefined): string[] {
  if (action !== "approve" || counts === undefined || counts.capacity === null) return [];
  const over = counts.approved + guests.length - counts.capacity;
  if (over <= 0) return [];
  return [
    `The event has room for ${countOf(counts.capacity, "guest")}, and ${formatCount(counts.approved)} are approved. This approves ${formatCount(over)} more than there is room for.`,
  ];
}
