import { errorTable, ServiceError } from "../../contract/errors.js";
import type { Queryable } from "../infra/database/db.js";
import { queryNamed } from "../infra/database/statement-names.js";
import type { OrganizationCaller } from "./caller.js";

export type CallerNames = { person: string; organization: string; slug: string };

/** The names of the person that a caller acts for and of the organization. */
export async function getCallerNames(
  db: Queryable,
  { userId, organizationId }: OrganizationCaller,
): Promise<CallerNames> {
  const [names] = await queryNamed<CallerNames>(db, "get caller names")`
    select u.name as person, o.name as organization, o.slug from users u, organizations o
    where u.id = ${userId} and o.id = ${organizationId}`;
  // One of them was removed since the caller was authenticated.
  if (names === undefined) throw new ServiceError("unauthorized", errorTable.unauthorized.text);
  return names;
}
