import type { ReactNode } from "react";
import type { Pages } from "../../api/paging.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { type CardColumn, CardTable } from "./card-table.tsx";
import styles from "./row-list.module.css";

type Props<Row> = {
  list: Pages<Row>;
  caption: string;
  columns: CardColumn<Row>[];
  empty: ReactNode;
  details?: (row: Row) => ReactNode;
};

/** A list of the service: loading, failed, empty, or its rows with a way to the next ones. */
export function RowList<Row extends { id: string }>({ list, caption, columns, empty, details }: Props<Row>) {
  const { items, error, isLoading } = list;
  if (items.length === 0 && error !== null) return <ErrorState error={error} onRetry={list.retry} />;
  if (items.length === 0 && !isLoading) return empty;
  return (
    <div className={styles.list} data-stale={list.isStale}>
      <CardTable
        caption={caption}
        columns={columns}
        rows={isLoading ? undefined : items}
        rowKey={({ id }) => id}
        {...(details === undefined ? {} : { details })}
      />
      {list.hasMore && (
        <div className={styles.more}>
          <Button isPending={list.isLoadingMore} onPress={list.showMore}>
            Show more
          </Button>
        </div>
      )}
    </div>
  );
}
