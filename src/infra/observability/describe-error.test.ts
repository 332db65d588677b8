import pg from "pg";
import { expect, it } from "vitest";
import { describeError } from "./describe-error.js";

const key = `svc_mk_${"a".repeat(43)}`;
const ticketKey = "g-cb9197cf2a13347";

function databaseError(code: string, message: string): Error {
  const error = new pg.DatabaseError(message, 0, "error");
  return Object.assign(error, {
    code,
    detail: "Key (email)=(guest@example.com) already exists.",
    where: "secret-value",
    constraint: "registrations_email_key",
    table: "registrations",
  });
}

it("keeps what helps to find the cause", () => {
  const described = describeError(databaseError("23505", 'duplicate key violates "registrations_email_key"'));
  expect(described).toMatchObject({
    message: 'duplicate key violates "registrations_email_key"',
    code: "23505",
    constraint: "registrations_email_key",
    table: "registrations",
    stack: expect.stringMatching(/^ {4}at .*describe-error\.test\.ts/),
  });
});

it.each([
  ["the details of a database error", databaseError("23505", "duplicate key")],
  ["values in a database error", databaseError("22P02", 'invalid input syntax for type uuid: "secret-value"')],
  ["a time in a database error", databaseError("22007", 'invalid input syntax for type timestamp: "secret-value"')],
  ["a date that does not exist", databaseError("22008", 'date/time field value out of range: "secret-value"')],
  ["text that is not JSON", parseError('{"email": secret-value}')],
  ["keys and addresses", new Error(`cannot use ${key} or ${ticketKey} of guest@example.com`)],
  ["keys and addresses in a cause", new Error("failed", { cause: new Error(`${key} guest@example.com`) })],
  ["a thrown text", `${key} guest@example.com`],
])("leaves out %s", (_what, error) => {
  const text = JSON.stringify(describeError(error));
  expect(text).not.toMatch(/secret-value|svc_mk_a|g-cb9197|guest@example/);
});

function parseError(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    return error;
  }
}
