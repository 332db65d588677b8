import type { ReactNode } from "react";
import { classes } from "../../ui/classes.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import styles from "./card-table.module.css";

export type CardColumn<Row> = {
  /** Also the key. */
  title: string;
  cell: (row: Row) => ReactNode;
  align?: "end";
  /** A skeleton of this width stands for a cell that loads. */
  width?: string;
  /** Short values, such as dates: the other columns give way. */
  isShort?: boolean;
  /** Buttons: without a title, and beside the heading on phones. */
  isActions?: boolean;
};

type Props<Row> = {
  caption: string;
  columns: CardColumn<Row>[];
  /** Undefined while they are loading. */
  rows: Row[] | undefined;
  rowKey: (row: Row) => string;
  /** Shown below a row, over all columns. */
  details?: (row: Row) => ReactNode;
};

const loadingRows = ["1", "2", "3", "4", "5", "6", "7", "8"];

/** A table whose rows become cards on phones: the first column is the heading, the others have their title beside them. */
export function CardTable<Row>({ caption, columns, rows, rowKey, details }: Props<Row>) {
  return (
    <table className={styles.table} aria-busy={rows === undefined}>
      <caption className="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.title} scope="col" className={classes(column.align === "end" && styles.end)}>
              <span className={column.isActions ? "visually-hidden" : ""}>{column.title}</span>
            </th>
          ))}
        </tr>
      </thead>
      {rows === undefined ? (
        <tbody>
          {loadingRows.map((key) => (
            <tr key={key} className={styles.loading}>
              {columns.map((column, index) => (
                <td key={column.title}>
                  <Skeleton width={column.width ?? "60%"} {...(key + index === "10" ? { label: "Loading" } : {})} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      ) : (
        rows.map((row) => <Body key={rowKey(row)} row={row} columns={columns} details={details?.(row)} />)
      )}
    </table>
  );
}

function Body<Row>({ row, columns, details }: { row: Row; columns: CardColumn<Row>[]; details: ReactNode }) {
  return (
    <tbody className={styles.body}>
      <tr>
        {columns.map((column, index) =>
          index === 0 ? (
            <th key={column.title} scope="row" className={styles.heading} dir="auto">
              {column.cell(row)}
            </th>
          ) : (
            <td
              key={column.title}
              className={classes(
                column.align === "end" && styles.end,
                column.isShort && styles.short,
                column.isActions && styles.actions,
              )}
            >
              {!column.isActions && (
                <span className={styles.title} aria-hidden>
                  {column.title}
                </span>
              )}
              <span dir="auto">{column.cell(row)}</span>
            </td>
          ),
        )}
      </tr>
      {details !== undefined && details !== null && details !== false && (
        <tr>
          <td colSpan={columns.length} className={styles.details}>
            {details}
          </td>
        </tr>
      )}
    </tbody>
  );
}
