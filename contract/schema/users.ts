import { z } from "zod";
import { maximumPasswordLength, minimumPasswordLength } from "../nouns.js";
import { email, line, storable, uuid } from "./fields.js";

export const userRow = z.strictObject({
  id: uuid.optional(),
  email,
  name: line(200),
  platform_admin: z.boolean().optional(),
});

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
