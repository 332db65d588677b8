import { fieldError } from "../../contract/errors.js";
import { newPassword } from "../../contract/schema/users.js";

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
