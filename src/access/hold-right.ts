import sql, { type Sql } from "sql-template-tag";
import { ServiceError } from "../../contract/errors.js";
import type { Queryable } from "../infra/database/db.js";

/**
 * Locks the rows that a person's right depends on, so that it cannot end before this commit, and checks the right again: whatever
 * ends it also ends what was made with it, and would miss what is being made now. The person is locked before the membership, as
 * where people are removed.
 */
export async function holdRight(
  tx: Queryable,
  right: { userId: string; organizationId: string | null; isHeld: Sql },
): Promise<void> {
  const { userId, organizationId, isHeld } = right;
  await tx.query(sql`select from users where id = ${userId} for share`);
  await tx.query(sql`select from members where organization_id = ${organizationId} and user_id = ${userId} for share`);
  const [row] = await tx.query<{ held: boolean }>(sql`select ${isHeld} as held`);
  if (!row?.held)
    throw new ServiceError("forbidden", "You no longer have the role that this needs. Nothing was changed");
}
