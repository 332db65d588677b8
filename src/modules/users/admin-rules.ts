import { ServiceError } from "../../../contract/errors.js";
import type { PlatformCaller } from "../../access/caller.js";
import type { Queryable } from "../../infra/database/db.js";
import { countOtherAdmins, type User } from "./store.js";

/** An administrator can neither end their own administration nor that of the last one. */
export async function requireAnotherAdmin(tx: Queryable, caller: PlatformCaller, person: User): Promise<void> {
  if (person.id === caller.userId) {
    throw new ServiceError("conflict", "You cannot do this to yourself: ask another platform administrator");
  }
  if ((await countOtherAdmins(tx, person.id)) > 0) return;
  throw new ServiceError("conflict", `${person.email} is the only platform administrator: add another one first`);
}
