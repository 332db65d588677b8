/** Fewer rows take less than a tenth of a second. */
const announcedRows = 500;
/** From rows that change the order of posters to added ones, on a quiet machine (docs/decisions/import.md). */
const embeddedRowsPerSecond = { slowest: 3_500, usual: 10_000 };

/**
 * Says that requests to a service with an embedded database wait for a transaction of this command: the database has one
 * session, and nothing else runs during a transaction.
 */
export function announceWait(work: "Writing" | "Reading" | "Moving", rows: number, noun: "rows" | "records"): void {
  if (rows < announcedRows) return;
  const { slowest, usual } = embeddedRowsPerSecond;
  const [least, most] = [Math.ceil(rows / usual), Math.ceil(rows / slowest)];
  const seconds = least === most ? `${least}` : `${least} to ${most}`;
  process.stderr.write(
    `${work} ${rows} ${noun}; requests to the running service wait until this is done, about ${seconds} s, longer on a busy machine.\n`,
  );
}

/** Says that requests wait for the first events of a database on PostgreSQL, whose tables are locked meanwhile. */
export function announceLock(rows: number): void {
  process.stderr.write(
    `Writing ${rows} rows, with the first events; requests to a running service that read events wait until this is done.\n`,
  );
}
