import { useSave } from "../../../change/use-save.ts";
import { DraftNotice } from "../../../drafts/draft-notice.tsx";
import { useDraft } from "../../../drafts/use-draft.ts";
import { formatDuration } from "../../../format/times.ts";
import { Button } from "../../../ui/button.tsx";
import { Checkbox } from "../../../ui/checkbox.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { InlineNotice } from "../../../ui/inline-notice.tsx";
import { withCurrent } from "../../../ui/order.ts";
import { ReorderList } from "../../../ui/reorder-list.tsx";
import { useEvent } from "../event-page.ts";
import type { Placed, Plan } from "./layout.ts";
import { placedInNewOrder } from "./moving.ts";
import styles from "./reorder-dialog.module.css";
import { clockRange } from "./words.ts";

const labels = { order: "Order of segments", keepsPauses: "Keep pauses where they are" };

/** Puts the segments into another order, with or without pauses, and shows the times that this gives. Loaded when it is opened. */
export default function ReorderDialog({ plan, onClose }: { plan: Plan; onClose: () => void }) {
  const event = useEvent();
  const saved = plan.placed.map(({ id }) => id);
  const draft = useDraft({
    form: `segment-order ${event.id}`,
    source: saved,
    read: (order) => ({ order, keepsPauses: false }),
    labels,
  });
  const save = useSave(draft, onClose);
  const order = withCurrent(draft.values.order, saved);
  const { keepsPauses } = draft.values;
  const rows = placedInNewOrder(plan, order, keepsPauses);
  const isChanged = rows.some(({ id, start }) => plan.byId.get(id)?.start !== start);
  const newTime = (id: string, next: string[]) => {
    const segment = placedInNewOrder(plan, next, keepsPauses).find((row) => row.id === id);
    return segment === undefined ? "" : `, ${clockRange(segment, event.timezone)}`;
  };
  const saveOrder = () =>
    save({
      tool: "reorder_event_segments",
      args: { event_id: event.id, segment_ids: order, keep_gaps: keepsPauses },
      title: "Reorder the run of show",
      reason: `Reordered the run of show of ${event.name}`,
      confirmLabel: "Save order",
      zone: event.timezone,
      done: "Order saved",
    });
  return (
    <Dialog
      isOpen
      size="large"
      title="Reorder the run of show"
      description="Drag by the handle or use the arrows. With the keyboard: press Enter on a handle, choose the place with the arrow keys, and press Enter again."
      onClose={draft.closing(onClose)}
      footer={
        <>
          <Button onPress={draft.closing(onClose)}>Cancel</Button>
          <Button kind="primary" isDisabled={!isChanged} onPress={saveOrder}>
            Save order
          </Button>
        </>
      }
    >
      <DraftNotice draft={draft} />
      <InlineNotice>
        In a new order, segments follow each other from the first start on. Lengths stay. To keep overlaps, move single
        segments in the timeline instead.
      </InlineNotice>
      <Checkbox isSelected={keepsPauses} onChange={(keeps) => draft.set({ keepsPauses: keeps })}>
        {labels.keepsPauses}
      </Checkbox>
      <ReorderList
        label={labels.order}
        rows={rows}
        nameOf={({ title }) => title}
        onReorder={(wanted) => draft.set({ order: wanted })}
        detailsOf={newTime}
        wraps
      >
        {(segment) => <OrderRow segment={segment} zone={event.timezone} />}
      </ReorderList>
    </Dialog>
  );
}

function OrderRow({ segment, zone }: { segment: Placed; zone: string }) {
  const { title, start, end, isMoved } = segment;
  return (
    <>
      <span className={styles.time} data-changed={isMoved}>
        {clockRange(segment, zone)}
      </span>
      <span className={styles.title} dir="auto">
        {title}
      </span>
      <span className={styles.length}>{formatDuration(end - start)}</span>
    </>
  );
}
