import type { Database } from "../infra/database/db.js";
import { migrate, newerSchemaNotice } from "../infra/database/migrate.js";
import type { Log } from "../infra/observability/log.js";

/** Called with each step of a start that takes a while, before it is taken. */
export type OnStep = (step: string) => void;

/** Steps go to the person who reads along, or else to the log. */
export function reportSteps(given: OnStep | undefined, log: Log): OnStep {
  return given ?? ((step) => log.info(step));
}

export async function migrateAtStart(db: Database, log: Log, onStep: OnStep): Promise<void> {
  await migrate(db, {
    onPending: (names) => onStep(`preparing the schema: ${names.length} migrations`),
    onNewerSchema: (names) => log.warn({ migrations: names }, newerSchemaNotice(names)),
  });
}
