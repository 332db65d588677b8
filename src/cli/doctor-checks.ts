import { connectionChecks } from "./doctor-connections.js";
import { dataChecks } from "./doctor-data.js";
import { databaseChecks } from "./doctor-database.js";
import type { ConfigCheck, DatabaseCheck } from "./doctor-findings.js";

/**
 * Everything that is examined besides the variables, in the order of the output: what needs nothing but them, what needs the
 * database, and what needs the schema of this version in it.
 */
export const checks: { config: ConfigCheck[]; database: DatabaseCheck[]; schema: DatabaseCheck[] } = {
  config: connectionChecks,
  database: databaseChecks,
  schema: dataChecks,
};
