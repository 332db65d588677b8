import { z } from "zod";
import { keyStates, maximumKeyName, organizationKeyDays } from "../nouns.js";
import { scopes } from "../scopes.js";
import { integer, line } from "./fields.js";

export const keyState = z.enum(keyStates);

export const keyName = line(maximumKeyName);

/** In the declared order and each once, so that equal keys look equal. */
export const keyScopes = z
  .array(z.enum(scopes), { error: "expected a list of scopes" })
  .min(1, { error: "expected at least one scope" })
  .max(scopes.length, { error: `expected at most ${scopes.length} scopes` })
  .transform((given) => scopes.filter((scope) => given.includes(scope)));

export const keyDays = integer(1, organizationKeyDays);

/** How long a key may keep working after it was replaced. */
export const keptHours = integer(0, 72);
