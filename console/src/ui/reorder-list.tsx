import { type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { Button as AriaButton, GridList, GridListItem, useDragAndDrop } from "react-aria-components";
import { formatCount } from "../format/counts.ts";
import { classes } from "./classes.ts";
import { Icon } from "./icon.tsx";
import { IconButton } from "./icon-button.tsx";
import { moved, movedBeside } from "./order.ts";
import styles from "./reorder-list.module.css";

type Props<Row> = {
  label: string;
  /** The element that says how rows are moved. */
  describedBy?: string;
  /** In the order that is shown. */
  rows: Row[];
  nameOf: (row: Row) => string;
  /** What stands between the handle and the arrows. */
  children: (row: Row, place: number) => ReactNode;
  onReorder: (order: string[]) => void;
  /** Said to screen readers after the new place of a row. */
  detailsOf?: (id: string, order: string[]) => string;
  tall?: boolean;
  /** On phones what has a later `order` stands on a line of its own. */
  wraps?: boolean;
};

type Move = { id: string; by: -1 | 1 };

/** Rows that people move by drag, by keyboard and by buttons. */
export function ReorderList<Row extends { id: string }>(props: Props<Row>) {
  const { label, describedBy, rows, nameOf, children, onReorder, detailsOf, tall = false, wraps = false } = props;
  const [announcement, announce] = useState("");
  const list = useRef<HTMLDivElement>(null);
  const order = rows.map(({ id }) => id);
  const keepFocus = useFocusAfterMove(list, order);
  const nameOfId = (id: string) => rows.filter((row) => row.id === id).map(nameOf)[0] ?? "";

  const apply = (next: string[], id: string) => {
    onReorder(next);
    announce(
      `${nameOfId(id)} is now ${formatCount(next.indexOf(id) + 1)} of ${formatCount(next.length)}${detailsOf?.(id, next) ?? ""}`,
    );
  };
  const step = (move: Move) => {
    apply(moved(order, move.id, move.by), move.id);
    keepFocus(move);
  };
  const { dragAndDropHooks } = useDragAndDrop({
    getItems: (keys) => [...keys].map((key) => ({ "text/plain": nameOfId(String(key)) })),
    onReorder: ({ keys, target }) => {
      const [id] = [...keys].map(String);
      if (id === undefined || target.dropPosition === "on") return;
      apply(movedBeside(order, id, String(target.key), target.dropPosition), id);
    },
  });
  const rowClass = classes(styles.row, tall && styles.tall, wraps && styles.wraps);
  return (
    <>
      <GridList
        ref={list}
        className={styles.list ?? ""}
        aria-label={label}
        {...(describedBy === undefined ? {} : { "aria-describedby": describedBy })}
        items={rows}
        dependencies={[rows]}
        dragAndDropHooks={dragAndDropHooks}
      >
        {(row) => (
          <GridListItem id={row.id} textValue={nameOf(row)} className={rowClass}>
            <AriaButton slot="drag" className={styles.handle ?? ""} aria-label={`Drag ${nameOf(row)}`}>
              <Icon name="drag" />
            </AriaButton>
            {children(row, order.indexOf(row.id))}
            <Arrows
              name={nameOf(row)}
              isFirst={order[0] === row.id}
              isLast={order.at(-1) === row.id}
              onMove={(by) => step({ id: row.id, by })}
            />
          </GridListItem>
        )}
      </GridList>
      <div role="status" className="visually-hidden">
        {announcement}
      </div>
    </>
  );
}

type ArrowsProps = { name: string; isFirst: boolean; isLast: boolean; onMove: (by: Move["by"]) => void };

function Arrows({ name, isFirst, isLast, onMove }: ArrowsProps) {
  return (
    <span className={styles.arrows}>
      <IconButton
        icon="arrow-up"
        size="small"
        label={`Move ${name} up`}
        isDisabled={isFirst}
        onPress={() => onMove(-1)}
      />
      <IconButton
        icon="arrow-down"
        size="small"
        label={`Move ${name} down`}
        isDisabled={isLast}
        onPress={() => onMove(1)}
      />
    </span>
  );
}

/** A row that moves in the page loses the focus: puts it back on the arrow, or on the other one at an end of the list. */
function useFocusAfterMove(list: RefObject<HTMLDivElement | null>, order: string[]) {
  const last = useRef<Move>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs after each new order.
  useEffect(() => {
    // The list draws its rows, and with them which arrows are disabled, after this component.
    const frame = requestAnimationFrame(() => {
      if (last.current === undefined) return;
      const { id, by } = last.current;
      last.current = undefined;
      const row = list.current?.querySelector(`[data-key="${id}"]`);
      const [up, down] = [...(row?.querySelectorAll<HTMLButtonElement>(`.${styles.arrows} button`) ?? [])];
      const [first, other] = by === -1 ? [up, down] : [down, up];
      (first?.disabled ? other : first)?.focus();
    });
    return () => cancelAnimationFrame(frame);
  }, [order.join()]);
  return (move: Move) => {
    last.current = move;
  };
}
