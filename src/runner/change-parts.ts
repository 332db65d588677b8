import { maximumParts, toolsInParts } from "../../contract/change-parts.js";
import { ServiceError } from "../../contract/errors.js";
import type { Queryable } from "../infra/database/db.js";
import { queryNamed } from "../infra/database/statement-names.js";
import { storedRequest } from "../records/recorded-change.js";
import { organizationOf, type ToolChange } from "./mutation.js";

/** How long after its first part a change may get another. */
const openHours = 24;

/**
 * Refuses a commit as a further part of an earlier one unless that is the first part of the same change: by the same person,
 * to the same event, with the same reason and arguments. Lists show only the first, so a part must not differ from it.
 */
export async function requireFirstPart<Services>(
  tx: Queryable,
  mutation: ToolChange<Services>,
  { reason, partOf }: { reason: string; partOf: string },
): Promise<void> {
  const { tool, caller, input } = mutation;
  const differing = toolsInParts[tool.name];
  const [first] =
    differing === undefined
      ? []
      : await queryNamed<{ parts: number }>(tx, "find first part")`
    select (select count(*)::int from mutation_records p where p.part_of = r.id) + 1 as parts from mutation_records r
    where r.id = ${partOf} and r.part_of is null and r.tool = ${tool.name} and r.via = 'console'
      and r.organization_id = ${organizationOf(mutation)} and r.user_id = ${caller.userId} and r.reason = ${reason}
      and r.request - ${["truncated", differing]}::text[] = ${storedRequest({ ...input, [differing]: undefined })}::jsonb
      and r.at > now() - ${openHours}::int * interval '1 hour'`;
  if (first === undefined) {
    throw new ServiceError(
      "invalid_input",
      `part_of: expected the record of the first part of this change: yours, of the last ${openHours} hours, with the same tool, reason and arguments. Nothing was changed. Commit without part_of`,
    );
  }
  if (first.parts < maximumParts) return;
  throw new ServiceError(
    "conflict",
    `A change has at most ${maximumParts} parts. Nothing was changed. Commit the rest as a change of its own, without part_of`,
  );
}
