import pg from "pg";
import { messageOf, ServiceError } from "../../../contract/errors.js";

/** The SQLSTATE of a database error, also of one behind `unavailable`; undefined for any other error. */
export function sqlState(error: unknown): string | undefined {
  const cause = error instanceof ServiceError ? error.cause : error;
  return cause instanceof pg.DatabaseError ? cause.code : undefined;
}

/** What the database has said, also behind `unavailable`. */
export function databaseMessage(error: unknown): string {
  return messageOf(error instanceof ServiceError ? (error.cause ?? error) : error);
}

/** A write was refused: the transaction, or the server since a failover, is read-only. */
const readOnlyTransaction = "25006";

/** The role may not do this. Since PostgreSQL 15, only the owner of a database may create tables in its schema `public`. */
export const insufficientPrivilege = "42501";

/** A table lacks a column that a statement names. */
export const undefinedColumn = "42703";

/** A statement has waited for a lock for as long as it may. */
export const lockNotAvailable = "55P03";

/** A statement has taken longer than it may, or was canceled by somebody. */
export const statementCanceled = "57014";

const concurrentChange = "a concurrent change conflicts with the statement";

/** What the states of a database that cannot serve a statement now mean; those of two characters are classes. */
const unavailableStates: Record<string, string> = {
  "08": "the connection was lost",
  "25P03": "the transaction was idle for too long",
  // A standby cancels reads that keep it from replaying what the primary has removed.
  "40001": concurrentChange,
  "40P01": concurrentChange,
  "53": "it is out of resources",
  [lockNotAvailable]: "another change holds a lock",
  [statementCanceled]: "the statement took too long",
  "57P": "it is shutting down or starting",
  "58": "it has a system error",
};

const retryAfterSeconds = 2;

/** The error of a caller who should try again. */
export function unavailable(reason: string, cause?: unknown): ServiceError {
  return unavailableError(`The database is not available: ${reason}. Try again in ${retryAfterSeconds} s`, cause);
}

/** The error of a caller for whom no connection is free. */
export function overloaded(problem: string): ServiceError {
  return unavailableError(
    `The database is too busy: ${problem}. Try again in ${retryAfterSeconds} s`,
    noFreeConnection,
  );
}

const noFreeConnection = new Error("all connections are in use");

/** Whether no connection was free: too many requests, whatever the state of the database. */
export function isOverload(error: unknown): boolean {
  return error instanceof ServiceError && error.cause === noFreeConnection;
}

/** The connection was lost during COMMIT. */
export function unconfirmed(cause: unknown): ServiceError {
  const text = "The database did not confirm the change: it may or may not have been stored";
  return unavailableError(`${text}. Try again in ${retryAfterSeconds} s`, cause);
}

function unavailableError(message: string, cause: unknown): ServiceError {
  return new ServiceError("unavailable", message, { retryAfterSeconds, cause });
}

/** The error of a caller who wants to change something while the server only serves reads. */
function readOnly(cause: unknown): ServiceError {
  const text = "The database is read-only at present, so that nothing can be changed";
  return unavailableError(`${text}. Try again in ${retryAfterSeconds} s`, cause);
}

/** The same error, or `unavailable` if the database is the cause and the statement may succeed later. */
export function orUnavailable(error: unknown): unknown {
  if (error instanceof ServiceError) return error;
  if (isConnectionError(error)) return unavailable("the connection was lost", error);
  const state = sqlState(error) ?? "";
  if (state === readOnlyTransaction) return readOnly(error);
  const reason =
    unavailableStates[state] ?? unavailableStates[state.slice(0, 3)] ?? unavailableStates[state.slice(0, 2)];
  return reason === undefined ? error : unavailable(reason, error);
}

/** A lock, a conflict, a slow statement and an idle transaction are the fault of single statements. */
const statesOfStatements = new Set([lockNotAvailable, "40001", "40P01", statementCanceled, "25P03"]);

/** Whether an error means that the database cannot be used, whatever the statement. */
export function isOutage(error: unknown): boolean {
  const known = orUnavailable(error);
  if (!(known instanceof ServiceError) || known.code !== "unavailable") return false;
  if (isOverload(known) || isReadOnly(known)) return false;
  return !statesOfStatements.has(sqlState(known) ?? "");
}

/** Whether a change was refused because the server only serves reads. */
export function isReadOnly(error: unknown): boolean {
  return sqlState(error) === readOnlyTransaction;
}

/** Whether the state of the database is the cause, which the observer of the database logs once. */
export function isObserved(error: unknown): boolean {
  return isOutage(error) || isReadOnly(error) || isOverload(error);
}

/** The server closes the connection with an error of this severity. */
const closingSeverities = new Set(["FATAL", "PANIC"]);

/** Whether the connection is lost; the driver reports that without a class or a code of its own. */
export function isConnectionError(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return closingSeverities.has(error.severity ?? "");
  if (!(error instanceof Error)) return false;
  return systemError.test((error as NodeJS.ErrnoException).code ?? "") || driverError.test(error.message);
}

const systemError = /^E(CONN|PIPE|TIMEDOUT|HOST|NET|NOTFOUND|AI_)/;
const driverError = /^(Connection terminated|Client has encountered a connection error|Client was closed)/;
