import type { GuestState } from "../../../../../contract/console/guests.ts";
import { formatCount } from "../../../format/counts.ts";
import { Button } from "../../../ui/button.tsx";
import { IconButton } from "../../../ui/icon-button.tsx";
import { type BulkAction, bulkActionNames, bulkActions, planBulk } from "./bulk-plan.ts";
import styles from "./selection-bar.module.css";

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
export function SelectionBar({ selected, onSelectAll, isSelectingAll, canChange, onAction, onClear }: Props) {
  const possible = bulkActionNames
    .filter((action) => canChange || bulkActions[action].forMembers)
    .map((action) => ({ action, count: planBulk(action, selected).guests.length }))
    .filter(({ count }) => count > 0);
  return (
    <section className={styles.bar} aria-label="Selected guests">
      <div className="flex wrap centered gap-2">
        <strong role="status">{formatCount(selected.length)} selected</strong>
        {onSelectAll !== undefined && (
          <Button kind="quiet" size="small" isPending={isSelectingAll} onPress={onSelectAll}>
            Select all that match
          </Button>
        )}
        <IconButton icon="close" label="Clear the selection" size="small" onPress={onClear} />
      </div>
      <div className={styles.actions}>
        {possible.length === 0 && <span className={styles.nothing}>Nothing can be changed for these guests.</span>}
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
      </div>
    </section>
  );
}
