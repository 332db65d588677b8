import pg from "pg";
import { expect, it } from "vitest";
import { ServiceError } from "../../../contract/errors.js";
import { isObserved, isOutage, isReadOnly, orUnavailable, overloaded, sqlState } from "./database-errors.js";

function databaseError(code: string, severity = "ERROR"): pg.DatabaseError {
  return Object.assign(new pg.DatabaseError("why", 3, "error"), { code, severity });
}

it.each([
  ["08006", "the connection was lost", true],
  ["25P03", "the transaction was idle for too long", false],
  ["40001", "a concurrent change conflicts with the statement", false],
  ["40P01", "a concurrent change conflicts with the statement", false],
  ["53300", "it is out of resources", true],
  ["55P03", "another change holds a lock", false],
  ["57014", "the statement took too long", false],
  ["57P01", "it is shutting down or starting", true],
  ["58030", "it has a system error", true],
])("state %s: %s, outage: %s", (code, reason, outage) => {
  const error = orUnavailable(databaseError(code));
  expect(error).toMatchObject({ code: "unavailable", details: { retry_after_seconds: 2 } });
  expect((error as ServiceError).message).toContain(`not available: ${reason}. Try again in 2 s`);
  expect(sqlState(error)).toBe(code);
  expect(isOutage(error)).toBe(outage);
});

it("a read-only database is not an outage, but refuses changes", () => {
  const error = orUnavailable(databaseError("25006"));
  expect(error).toMatchObject({
    code: "unavailable",
    message: "The database is read-only at present, so that nothing can be changed. Try again in 2 s",
    headers: { "retry-after": "2" },
  });
  expect([isOutage(error), isReadOnly(error), isObserved(error)]).toEqual([false, true, true]);
});

it.each([
  ["a driver that lost its connection", new Error("Connection terminated unexpectedly")],
  ["a refused connection", Object.assign(new Error("connect"), { code: "ECONNREFUSED" })],
  ["a server that ends the connection", databaseError("28000", "FATAL")],
])("%s is an outage", (_what, error) => {
  expect(orUnavailable(error)).toBeInstanceOf(ServiceError);
  expect(isOutage(error)).toBe(true);
});

it("leaves other errors alone, and does not take too many requests for an outage", () => {
  const duplicate = databaseError("23505");
  expect(orUnavailable(duplicate)).toBe(duplicate);
  expect(isOutage(duplicate)).toBe(false);
  expect(isOutage(new Error("Connection"))).toBe(false);
  expect(isOutage(overloaded("too many"))).toBe(false);
});
