import { countOf } from "../../../format/counts.ts";
import { Button } from "../../../ui/button.tsx";
import styles from "./moves-bar.module.css";

type Props = { count: number; canUndo: boolean; onUndo: () => void; onDiscard: () => void; onSave: () => void };

/** At the lower edge of the window, as long as something is not saved. */
export function MovesBar({ count, canUndo, onUndo, onDiscard, onSave }: Props) {
  return (
    <section className={styles.bar} aria-label="Changes that are not saved">
      <span className="medium">{countOf(count, "segment")} changed, not saved yet</span>
      <span className="flex wrap gap-2">
        <Button kind="quiet" onPress={onDiscard}>
          Discard
        </Button>
        {canUndo && (
          <Button icon="undo" onPress={onUndo}>
            Undo
          </Button>
        )}
        <Button kind="primary" onPress={onSave}>
          Save
        </Button>
      </span>
    </section>
  );
}
