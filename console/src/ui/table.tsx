import type { ReactNode } from "react";
import { classes } from "./classes.ts";
import styles from "./table.module.css";

export type Column<Row> = {
  /** Also the key. */
  title: string;
  cell: (row: Row) => ReactNode;
  align?: "end";
  hideTitle?: boolean;
  /** In the upper corner of a card: for the one small button of a row. */
  corner?: boolean;
};

type Props<Row> = {
  caption: string;
  columns: Column<Row>[];
  rows: Row[];
  rowKey: (row: Row) => string;
  /** On phones every row is a card, with the title of each column beside its value. */
  cards?: boolean;
};

/** A plain table for up to a few hundred rows; DataTable is for more. */
export function Table<Row>({ caption, columns, rows, rowKey, cards = false }: Props<Row>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section className={styles.scroll} aria-label={caption} tabIndex={0}>
      <table className={classes(styles.table, cards && styles.cards)}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.title} scope="col" className={cellClass(column)}>
                <span className={column.hideTitle ? "visually-hidden" : ""}>{column.title}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)}>
              {columns.map((column, index) =>
                index === 0 ? (
                  <th key={column.title} scope="row" className={cellClass(column)}>
                    {column.cell(row)}
                  </th>
                ) : (
                  <td
                    key={column.title}
                    className={cellClass(column)}
                    {...(column.hideTitle ? {} : { "data-title": column.title })}
                  >
                    {column.cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const cellClass = <Row,>({ align, corner }: Column<Row>) =>
  classes(align === "end" && styles.end, corner && styles.corner);
