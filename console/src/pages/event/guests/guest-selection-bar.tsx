import type { GuestState } from "../../../../../contract/console/guests.ts";
import { formatCount } from "../../../format/counts.ts";
import { Button } from "../../../ui/button.tsx";
import { SelectionBar } from "../../../ui/selection-bar.tsx";
import { type BulkAction, bulkActionNames, bulkActions, planBulk } from "./bulk-plan.ts";

type Props = {
  selected: GuestState[];
  /** Undefined where everybody who matches is selected. */
  onSelectAll: (() => void) | undefined;
  isSelectingAll: boolean;
  canChange: boolean;
  onAction: (action: BulkAction) => void;
  onClear: () => void;
};

/** What can be done with the selected guests; each button says with how many of them. */
export function GuestSelectionBar({ selected, onSelectAll, isSelectingAll, canChange, onAction, onClear }: Props) {
  const possible = bulkActionNames
    .filter((action) => canChange || bulkActions[action].forMembers)
    .map((action) => ({ action, count: planBulk(action, selected).guests.length }))
    .filter(({ count }) => count > 0);
  return (
    <SelectionBar
      label="Selected guests"
      count={selected.length}
      nothing={possible.length === 0 ? "Nothing can be changed for these guests." : undefined}
      onClear={onClear}
      more={
        onSelectAll !== undefined && (
          <Button kind="quiet" size="small" isPending={isSelectingAll} onPress={onSelectAll}>
            Select all that match
          </Button>
        )
      }
    >
      {possible.map(({ action, count }, index) => (
        <Button
          key={action}
          size="small"
          kind={index === 0 && action === "approve" ? "primary" : "secondary"}
          onPress={() => onAction(action)}
        >
          {bulkActions[action].verb} {formatCount(count)}
        </Button>
      ))}
    </SelectionBar>
  );
}
