import { fieldError } from "../../contract/errors.js";
import { storable } from "../../contract/schema/fields.js";
import { parseJson } from "../infra/parse-json.js";

/** A list of 500 guests with ten fields each. */
const maximumValues = 5_000;

/**
 * Parses JSON that every parser reads alike. Numbers that would change when serialized again and text that not every
 * parser accepts are refused: the platform could read something other than what was checked here.
 */
export function parseStrictJson(bytes: Uint8Array): unknown {
  return parseJson(bytes, { maximumValues, onString: checkString, onNumber: checkNumber });
}

function checkString(text: string): void {
  if (!storable(text)) throw fieldError("body", "expected valid Unicode without NUL characters");
}

function checkNumber(text: string): void {
  const value = Number(text);
  const exact = /[.eE]/.test(text) ? Number.isFinite(value) : Number.isSafeInteger(value);
  if (!exact) throw fieldError("body", `expected numbers that fit a 64-bit float, got ${text.slice(0, 40)}`);
}
