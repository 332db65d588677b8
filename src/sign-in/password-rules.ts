import { z } from "zod";
import { fieldError } from "../../contract/errors.js";
import { storable } from "../../contract/schema/fields.js";

export const minimumPasswordLength = 10;
export const maximumPasswordLength = 128;

/** What a sign-in accepts: longer input is refused before it costs a hash. */
export const givenPassword = z
  .string({ error: "expected a password" })
  .min(1, { error: "expected a password" })
  .max(maximumPasswordLength, { error: `expected at most ${maximumPasswordLength} characters` });

/** What a new password must be, as far as it can be said without knowing whose it is. */
export const newPassword = z
  .string({ error: "expected a password" })
  .min(minimumPasswordLength, { error: `expected at least ${minimumPasswordLength} characters` })
  .max(maximumPasswordLength, { error: `expected at most ${maximumPasswordLength} characters` })
  .refine(storable, { error: "expected valid Unicode without NUL characters" });

/** Passwords that guessers try first, of the allowed length, without digits at the end. */
const common = new Set([
  ...["password", "passwort", "passw0rd", "password!", "letmein", "welcome", "qwertyuiop", "qwerty", "iloveyou"],
  ...["administrator", "admin", "changeme", "correcthorsebatterystaple", "trustno", "football", "superman"],
]);

/** Refuses a password that is easy to guess for somebody who knows the person's e-mail address. */
export function checkNewPassword(password: string, email: string, field = "password"): void {
  const parsed = newPassword.safeParse(password);
  if (!parsed.success) throw fieldError(field, parsed.error.issues[0]?.message ?? "expected another password");
  const folded = password.normalize("NFKC").toLowerCase();
  const address = email.toLowerCase();
  const withoutEnd = folded.replace(/[\d!.?_-]+$/, "");
  if (folded.includes(address) || address.split("@")[0] === withoutEnd) {
    throw fieldError(field, "expected a password that is not the e-mail address");
  }
  if (new Set(folded).size < 4 || isSequence(folded) || common.has(folded) || common.has(withoutEnd)) {
    throw fieldError(field, "this password is easy to guess: choose another, such as several unrelated words");
  }
}

/** "1234567890", "abcdefghij" and the like, in either direction. */
function isSequence(text: string): boolean {
  const steps = [...text].map((character, index) => character.charCodeAt(0) - text.charCodeAt(index - 1)).slice(1);
  return (
    steps.filter((step) => step === 1).length >= text.length - 2 ||
    steps.filter((step) => step === -1).length >= text.length - 2
  );
}
