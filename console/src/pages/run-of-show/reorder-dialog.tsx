import { useState } from "react";
import { Button as AriaButton, GridList, GridListItem, useDragAndDrop } from "react-aria-components";
import { useChange } from "../../change/use-change.tsx";
import { formatDuration } from "../../format/times.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Icon } from "../../ui/icon.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { InlineNotice } from "../../ui/inline-notice.tsx";
import { useEvent } from "../event/event-page.ts";
import { moved, movedBeside, withCurrent } from "../event/order.ts";
import type { Placed, Plan } from "./layout.ts";
import { inNewOrder } from "./moving.ts";
import styles from "./reorder-dialog.module.css";
import { clockRange } from "./words.ts";

/** Puts the segments into another order, back to back, and shows the times that this gives. Loaded when it is opened. */
export default function ReorderDialog({ plan, onClose }: { plan: Plan; onClose: () => void }) {
  const event = useEvent();
  const change = useChange();
  const saved = plan.placed.map(({ id }) => id);
  const [wanted, setWanted] = useState(saved);
  const [said, setSaid] = useState("");
  const order = withCurrent(wanted, saved);
  const rows = inNewOrder(plan, order);
  const isChanged = rows.some(({ id, start }) => plan.byId.get(id)?.start !== start);
  const apply = (next: string[], id: string) => {
    setWanted(next);
    const segment = inNewOrder(plan, next).find((row) => row.id === id);
    if (segment !== undefined)
      setSaid(
        `${segment.title} is now ${next.indexOf(id) + 1} of ${next.length}, ${clockRange(segment, event.timezone)}`,
      );
  };
  const { dragAndDropHooks } = useDragAndDrop({
    getItems: (keys) => [...keys].map((key) => ({ "text/plain": plan.byId.get(String(key))?.title ?? "" })),
    onReorder: ({ keys, target }) => {
      const [id] = [...keys].map(String);
      if (id === undefined || target.dropPosition === "on") return;
      apply(movedBeside(order, id, String(target.key), target.dropPosition), id);
    },
  });
  const save = async () => {
    const result = await change.open({
      tool: "reorder_event_segments",
      args: { event_id: event.id, segment_ids: order },
      title: "Reorder the run of show",
      reason: `New order of the run of show of ${event.name}`.slice(0, 500),
      confirmLabel: "Save order",
      zone: event.timezone,
      done: "Order saved",
    });
    if (result !== undefined) onClose();
  };
  return (
    <Dialog
      isOpen
      locked={isChanged}
      size="large"
      title="Reorder the run of show"
      description="Drag by the handle or use the arrows. With the keyboard: press Enter on a handle, choose the place with the arrow keys, and press Enter again."
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button kind="primary" isDisabled={!isChanged} onPress={() => void save()}>
            Review order
          </Button>
        </>
      }
    >
      <InlineNotice>
        In a new order, segments follow each other without a pause from the first start on. Lengths stay. To keep gaps
        and overlaps, move single segments in the timeline instead.
      </InlineNotice>
      <GridList
        className={styles.list ?? ""}
        aria-label="Order of segments"
        items={rows}
        dependencies={[rows]}
        dragAndDropHooks={dragAndDropHooks}
      >
        {(segment) => (
          <OrderRow
            segment={segment}
            zone={event.timezone}
            isFirst={order[0] === segment.id}
            isLast={order.at(-1) === segment.id}
            onMove={(by) => apply(moved(order, segment.id, by), segment.id)}
          />
        )}
      </GridList>
      <span role="status" className="visually-hidden">
        {said}
      </span>
    </Dialog>
  );
}

type RowProps = { segment: Placed; zone: string; isFirst: boolean; isLast: boolean; onMove: (by: -1 | 1) => void };

function OrderRow({ segment, zone, isFirst, isLast, onMove }: RowProps) {
  const { id, title, start, end, isMoved } = segment;
  return (
    <GridListItem id={id} textValue={title} className={styles.row ?? ""}>
      <AriaButton slot="drag" className={styles.handle ?? ""} aria-label={`Drag ${title}`}>
        <Icon name="drag" />
      </AriaButton>
      <span className={styles.time} data-changed={isMoved}>
        {clockRange(segment, zone)}
      </span>
      <span className={styles.title} dir="auto">
        {title}
      </span>
      <span className={styles.length}>{formatDuration(end - start)}</span>
      <span className={styles.arrows}>
        <IconButton
          icon="arrow-up"
          size="small"
          label={`Move ${title} up`}
          isDisabled={isFirst}
          onPress={() => onMove(-1)}
        />
        <IconButton
          icon="arrow-down"
          size="small"
          label={`Move ${title} down`}
          isDisabled={isLast}
          onPress={() => onMove(1)}
        />
      </span>
    </GridListItem>
  );
}
