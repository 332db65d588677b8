import type { ReactNode } from "react";
import { Button } from "../../ui/button.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import type { RowQuery } from "./admin-api.ts";
import { type CardColumn, CardTable } from "./card-table.tsx";
import styles from "./row-list.module.css";

type Props<Row> = {
  list: RowQuery<Row>;
  caption: string;
  columns: CardColumn<Row>[];
  empty: ReactNode;
  details?: (row: Row) => ReactNode;
};

/** A list of the service: loading, failed, empty, or its rows with a way to the next ones. */
export function RowList<Row extends { id: string }>({ list, caption, columns, empty, details }: Props<Row>) {
  const { rows, error } = list;
  if (rows === undefined && error !== null) return <ErrorState error={error} onRetry={list.readAgain} />;
  if (rows?.length === 0) return empty;
  return (
    <div className={styles.list} data-stale={list.isStale}>
      <CardTable
        caption={caption}
        columns={columns}
        rows={rows}
        rowKey={({ id }) => id}
        {...(details === undefined ? {} : { details })}
      />
      {list.hasMore && (
        <div className={styles.more}>
          <Button isPending={list.isLoadingMore} onPress={list.readMore}>
            Show more
          </Button>
        </div>
      )}
    </div>
  );
}
