// biome-ignore-all lint/a11y/useSemanticElements: rows are positioned one by one, which the layout of a table element does not allow.
// biome-ignore-all lint/a11y/useFocusableInteractive: one row at a time is focusable, and cells are not.
import { useVirtualizer } from "@tanstack/react-virtual";
import { type CSSProperties, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { Checkbox } from "./checkbox.tsx";
import { classes } from "./classes.ts";
import styles from "./data-table.module.css";
import type { RowSelection } from "./row-selection.ts";
import { Skeleton } from "./skeleton.tsx";

export type DataColumn<Row> = {
  title: string;
  cell: (row: Row) => ReactNode;
  /** A track of the grid, such as "160px" or "minmax(200px, 2fr)". */
  width: string;
  align?: "end";
  wideOnly?: boolean;
};

export type DataTableProps<Row> = {
  label: string;
  columns: DataColumn<Row>[];
  rows: Row[];
  rowKey: (row: Row) => string;
  /** What a row is called, for its checkbox. */
  rowName: (row: Row) => string;
  rowHeight?: number;
  /** The number of rows that match, where it is known. */
  total?: number;
  hasMore?: boolean;
  isLoadingMore?: boolean;
  /** Called when the end comes near. */
  onMore?: () => void;
  selection?: RowSelection;
  onRowAction?: (row: Row) => void;
  empty?: ReactNode;
};

/**
 * A table of any length: only the rows on the screen are in the document, further pages are loaded on the way down. Arrow
 * keys, Home and End move between rows, Space selects, Enter opens.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { rows, columns, rowKey, rowHeight = 52, hasMore = false, isLoadingMore = false, onMore, selection } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState(0);
  const count = rows.length + (hasMore ? 1 : 0);
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    getItemKey: (index) => (rows[index] === undefined ? "more" : rowKey(rows[index])),
  });
  const items = virtualizer.getVirtualItems();
  const nearEnd = (items.at(-1)?.index ?? 0) >= rows.length - 10;
  useEffect(() => {
    if (nearEnd && hasMore && !isLoadingMore) onMore?.();
  }, [nearEnd, hasMore, isLoadingMore, onMore]);

  if (rows.length === 0 && !hasMore && props.empty !== undefined) return props.empty;
  const move = (index: number) => {
    const target = Math.max(0, Math.min(rows.length - 1, index));
    setActive(target);
    virtualizer.scrollToIndex(target);
    requestAnimationFrame(() => scroller.current?.querySelector<HTMLElement>(`[data-index="${target}"]`)?.focus());
  };
  return (
    <div
      className={styles.scroller}
      ref={scroller}
      role="grid"
      aria-label={props.label}
      aria-rowcount={(props.total ?? (hasMore ? -2 : rows.length)) + 1}
      aria-multiselectable={selection !== undefined}
      style={tracksOf(columns, selection !== undefined)}
    >
      <HeaderRow {...props} />
      <div role="rowgroup" className={styles.rows} style={{ height: virtualizer.getTotalSize() }}>
        {items.map(({ index, start, key }) => (
          <BodyRow
            key={key}
            {...props}
            index={index}
            start={start}
            height={rowHeight}
            isActive={index === Math.min(active, rows.length - 1)}
            onFocus={() => setActive(index)}
            move={move}
          />
        ))}
      </div>
    </div>
  );
}

/** Columns that narrow screens hide must not keep their tracks there. */
function tracksOf<Row>(columns: DataColumn<Row>[], selectable: boolean): CSSProperties {
  const join = (shown: DataColumn<Row>[]) =>
    [...(selectable ? ["44px"] : []), ...shown.map(({ width }) => width)].join(" ");
  const narrow = join(columns.filter(({ wideOnly }) => wideOnly !== true));
  return { "--tracks": join(columns), "--tracks-narrow": narrow } as CSSProperties;
}

function HeaderRow<Row>({ columns, rows, rowKey, selection }: DataTableProps<Row>) {
  const selected = selection === undefined ? 0 : rows.filter((row) => selection.has(rowKey(row))).length;
  return (
    <div role="rowgroup" className={styles.head}>
      <div role="row" aria-rowindex={1} className={styles.row}>
        {selection !== undefined && (
          <div role="columnheader" className={styles.cell}>
            <Checkbox
              aria-label="Select all loaded rows"
              isSelected={rows.length > 0 && selected === rows.length}
              isIndeterminate={selected > 0 && selected < rows.length}
              onChange={(isSelected) => selection.setAll(rows.map(rowKey), isSelected)}
            />
          </div>
        )}
        {columns.map((column) => (
          <div key={column.title} role="columnheader" className={cellClass(column)}>
            {column.title}
          </div>
        ))}
      </div>
    </div>
  );
}

type BodyRowProps<Row> = DataTableProps<Row> & {
  index: number;
  start: number;
  height: number;
  isActive: boolean;
  onFocus: () => void;
  move: (index: number) => void;
};

function BodyRow<Row>({ index, start, height, isActive, onFocus, move, ...props }: BodyRowProps<Row>) {
  const { rows, columns, rowKey, rowName, selection, onRowAction } = props;
  const row = rows[index];
  const position = { transform: `translateY(${start}px)`, height };
  if (row === undefined) {
    return (
      <div role="row" className={classes(styles.row, styles.positioned)} style={position}>
        <div role="gridcell" className={styles.cell} aria-colspan={columns.length}>
          <Skeleton width="40%" label="Loading more rows" />
        </div>
      </div>
    );
  }
  const key = rowKey(row);
  const isSelected = selection?.has(key) ?? false;
  return (
    <div
      role="row"
      tabIndex={isActive ? 0 : -1}
      data-index={index}
      aria-rowindex={index + 2}
      {...(selection === undefined ? {} : { "aria-selected": isSelected })}
      className={classes(styles.row, styles.positioned, onRowAction && styles.pressable, isSelected && styles.selected)}
      style={position}
      onFocus={onFocus}
      onKeyDown={(event) =>
        onRowKey(event, {
          index,
          last: rows.length - 1,
          move,
          toggle: () => selection?.toggle(key),
          open: () => onRowAction?.(row),
        })
      }
      onClick={(event) => !isControl(event.target) && onRowAction?.(row)}
    >
      {selection !== undefined && (
        <div role="gridcell" className={styles.cell}>
          <Checkbox
            aria-label={`Select ${rowName(row)}`}
            isSelected={isSelected}
            onChange={() => selection.toggle(key)}
            excludeFromTabOrder
          />
        </div>
      )}
      {columns.map((column, columnIndex) => (
        <div key={column.title} role={columnIndex === 0 ? "rowheader" : "gridcell"} className={cellClass(column)}>
          {column.cell(row)}
        </div>
      ))}
    </div>
  );
}

type RowKeys = { index: number; last: number; move: (index: number) => void; toggle: () => void; open: () => void };

function onRowKey(event: KeyboardEvent<HTMLElement>, { index, last, move, toggle, open }: RowKeys): void {
  // Keys that a control within the row gets are its own.
  if (event.target !== event.currentTarget) return;
  const actions: Record<string, () => void> = {
    ArrowDown: () => move(index + 1),
    ArrowUp: () => move(index - 1),
    PageDown: () => move(index + 10),
    PageUp: () => move(index - 10),
    Home: () => move(0),
    End: () => move(last),
    " ": toggle,
    Enter: open,
  };
  const action = actions[event.key];
  if (action === undefined) return;
  event.preventDefault();
  action();
}

const isControl = (target: EventTarget) =>
  target instanceof Element && target.closest("a, button, input, label") !== null;

const cellClass = <Row,>({ align, wideOnly }: DataColumn<Row>) =>
  classes(styles.cell, align === "end" && styles.end, wideOnly && styles.wideOnly);
