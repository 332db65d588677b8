// biome-ignore-all lint/a11y/useSemanticElements: rows are positioned one by one, which the layout of a table element does not allow.
// biome-ignore-all lint/a11y/useFocusableInteractive: one row at a time is focusable, and cells are not.
import { defaultRangeExtractor, useWindowVirtualizer } from "@tanstack/react-virtual";
import {
  type CSSProperties,
  type KeyboardEvent,
  memo,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { formatCount } from "../format/counts.ts";
import { useIsPrinting } from "./around-print.ts";
import { Checkbox } from "./checkbox.tsx";
import { classes } from "./classes.ts";
import styles from "./data-table.module.css";
import type { RowSelection } from "./row-selection.ts";
import { Skeleton } from "./skeleton.tsx";
import { useTop } from "./use-top.ts";

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
 * A table of any length, which scrolls with the page: only the rows on the screen are in the document, further pages are
 * loaded on the way down. What is printed are all loaded rows. Arrow keys, Home and End move between rows, Space selects, Enter opens.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { rows, columns, rowKey, rowHeight = 52, hasMore = false, isLoadingMore = false, onMore, selection } = props;
  const table = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState(0);
  const current = Math.min(active, rows.length - 1);
  const scrollMargin = useTop(body);
  const virtualizer = useWindowVirtualizer({
    count: rows.length + (hasMore ? 1 : 0),
    estimateSize: () => rowHeight,
    overscan: 12,
    scrollMargin,
    // With another function all positions would be worked out again.
    getItemKey: useCallback((index) => (rows[index] === undefined ? "more" : rowKey(rows[index])), [rows, rowKey]),
    // The row that has or gets the focus is always there: otherwise scrolling would lose the place of the keyboard.
    rangeExtractor: (range) => {
      const shown = defaultRangeExtractor(range);
      return current < 0 || shown.includes(current) ? shown : [...shown, current].sort((a, b) => a - b);
    },
  });
  const nearEnd = (virtualizer.range?.endIndex ?? 0) >= rows.length - 20;
  useEffect(() => {
    if (nearEnd && hasMore && !isLoadingMore) onMore?.();
  }, [nearEnd, hasMore, isLoadingMore, onMore]);
  const actions = useRowActions(props, table, setActive);
  const isPrinting = useIsPrinting();

  if (rows.length === 0 && !hasMore && props.empty !== undefined) return props.empty;
  const shown = isPrinting
    ? rows.map((row, index) => ({ index, start: undefined, key: rowKey(row) }))
    : virtualizer.getVirtualItems().map(({ index, start, key }) => ({ index, start: start - scrollMargin, key }));
  return (
    <>
      <div
        className={styles.table}
        ref={table}
        role="grid"
        aria-label={props.label}
        aria-rowcount={(props.total ?? (hasMore ? -2 : rows.length)) + 1}
        aria-multiselectable={selection !== undefined}
        style={tracksOf(columns, selection !== undefined)}
      >
        <HeaderRow columns={columns} rows={rows} rowKey={rowKey} selection={selection} />
        <div
          role="rowgroup"
          ref={body}
          className={styles.rows}
          style={isPrinting ? {} : { height: virtualizer.getTotalSize() }}
        >
          {shown.map(({ index, start, key }) => (
            <BodyRow
              key={key}
              row={rows[index]}
              rowName={props.rowName}
              columns={columns}
              index={index}
              start={start}
              height={rowHeight}
              isActive={index === current}
              isSelected={selection?.has(String(key))}
              isPressable={props.onRowAction !== undefined}
              actions={actions}
            />
          ))}
        </div>
      </div>
      {isPrinting && hasMore && (
        <p>
          The first {formatCount(rows.length)}
          {props.total !== undefined && ` of ${formatCount(props.total)}`}. To print all, scroll to the end of the list
          first.
        </p>
      )}
    </>
  );
}

type RowActions = {
  focus: (index: number) => void;
  move: (index: number) => void;
  toggle: (index: number) => void;
  open: (index: number) => void;
  last: () => number;
};

/** The same functions all the time, so that scrolling draws only the rows that come into view. */
function useRowActions<Row>(
  props: DataTableProps<Row>,
  table: RefObject<HTMLElement | null>,
  setActive: (index: number) => void,
): RowActions {
  const latest = useRef(props);
  latest.current = props;
  return useMemo(() => {
    const rowAt = (index: number) => latest.current.rows[index];
    const last = () => latest.current.rows.length - 1;
    return {
      focus: setActive,
      move(index) {
        const target = Math.max(0, Math.min(last(), index));
        setActive(target);
        // The row is in the document from the next frame on, and the focus brings it into view.
        requestAnimationFrame(() => table.current?.querySelector<HTMLElement>(`[data-index="${target}"]`)?.focus());
      },
      toggle(index) {
        const row = rowAt(index);
        if (row !== undefined) latest.current.selection?.toggle(latest.current.rowKey(row));
      },
      open(index) {
        const row = rowAt(index);
        if (row !== undefined) latest.current.onRowAction?.(row);
      },
      last,
    };
  }, [table, setActive]);
}

/** Columns that narrow screens hide must not keep their tracks there. */
function tracksOf<Row>(columns: DataColumn<Row>[], selectable: boolean): CSSProperties {
  const join = (shown: DataColumn<Row>[]) =>
    [...(selectable ? ["44px"] : []), ...shown.map(({ width }) => width)].join(" ");
  const narrow = join(columns.filter(({ wideOnly }) => wideOnly !== true));
  return { "--tracks": join(columns), "--tracks-narrow": narrow } as CSSProperties;
}

type HeaderRowProps<Row> = Pick<DataTableProps<Row>, "columns" | "rows" | "rowKey"> & {
  selection: RowSelection | undefined;
};

const HeaderRow = memo(function HeaderRow<Row>({ columns, rows, rowKey, selection }: HeaderRowProps<Row>) {
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
}) as <Row>(props: HeaderRowProps<Row>) => ReactNode;

type BodyRowProps<Row> = Pick<DataTableProps<Row>, "columns" | "rowName"> & {
  /** Undefined in the place of those that are being loaded. */
  row: Row | undefined;
  index: number;
  /** Undefined on paper, where rows follow each other. */
  start: number | undefined;
  height: number;
  isActive: boolean;
  /** Undefined where rows cannot be selected. */
  isSelected: boolean | undefined;
  isPressable: boolean;
  actions: RowActions;
};

const BodyRow = memo(function BodyRow<Row>({ row, index, start, height, ...rest }: BodyRowProps<Row>) {
  const { columns, rowName, isActive, isSelected, isPressable, actions } = rest;
  const position = start === undefined ? {} : { transform: `translateY(${start}px)`, height };
  if (row === undefined) {
    return (
      <div role="row" className={classes(styles.row, styles.positioned)} style={position}>
        <div role="gridcell" className={styles.cell} aria-colspan={columns.length}>
          <Skeleton width="40%" label="Loading more rows" />
        </div>
      </div>
    );
  }
  return (
    <div
      role="row"
      tabIndex={isActive ? 0 : -1}
      data-index={index}
      aria-rowindex={index + 2}
      {...(isSelected === undefined ? {} : { "aria-selected": isSelected })}
      className={classes(styles.row, styles.positioned, isPressable && styles.pressable, isSelected && styles.selected)}
      style={position}
      onFocus={() => actions.focus(index)}
      onKeyDown={(event) => onRowKey(event, index, actions)}
      onClick={(event) => !isControl(event.target) && actions.open(index)}
    >
      {isSelected !== undefined && (
        <div role="gridcell" className={styles.cell}>
          <Checkbox
            aria-label={`Select ${rowName(row)}`}
            isSelected={isSelected}
            onChange={() => actions.toggle(index)}
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
}) as <Row>(props: BodyRowProps<Row>) => ReactNode;

function onRowKey(event: KeyboardEvent<HTMLElement>, index: number, { move, toggle, open, last }: RowActions): void {
  // Keys that a control within the row gets are its own.
  if (event.target !== event.currentTarget) return;
  const actions: Record<string, () => void> = {
    ArrowDown: () => move(index + 1),
    ArrowUp: () => move(index - 1),
    PageDown: () => move(index + 10),
    PageUp: () => move(index - 10),
    Home: () => move(0),
    End: () => move(last()),
    " ": () => toggle(index),
    Enter: () => open(index),
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
