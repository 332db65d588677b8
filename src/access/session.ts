import sql from "sql-template-tag";
import { ServiceError } from "../../contract/errors.js";
import { type Role, roleAtLeast } from "../../contract/roles.js";
import { storable } from "../../contract/schema/fields.js";
import { scopes } from "../../contract/scopes.js";
import type { Queryable } from "../infra/database/db.js";
import type { OrganizationCaller, PlatformCaller } from "./caller.js";

/** Someone who is signed in to the console. */
export type Person = { sessionId: string; userId: string; name: string; email: string; platformAdmin: boolean };

export type Organization = { id: string; slug: string; name: string };

export type Membership = { caller: OrganizationCaller; organization: Organization };

/**
 * A person as a member of an organization, which is named by id or slug. The role is read for every request. A stranger
 * does not learn whether the organization exists.
 */
export async function requireMembership(
  db: Queryable,
  person: Person,
  reference: string,
  role: Role,
): Promise<Membership> {
  const row = storable(reference) ? await findMembership(db, person.userId, reference) : undefined;
  if (row === undefined) throw new ServiceError("not_found", "Organization not found, or you are not a member of it");
  if (!roleAtLeast(row.role, role)) throw lacksRole(role, row.role);
  const caller: OrganizationCaller = {
    via: { kind: "session", sessionId: person.sessionId },
    tier: "organization",
    organizationId: row.id,
    userId: person.userId,
    scopes: [...scopes],
    role: row.role,
  };
  return { caller, organization: { id: row.id, slug: row.slug, name: row.name } };
}

async function findMembership(db: Queryable, userId: string, reference: string) {
  const [row] = await db.query<Organization & { role: Role }>(
    sql`
      select o.id, o.slug, o.name, m.role from organizations o
      join members m on m.organization_id = o.id and m.user_id = ${userId}
      where o.slug = ${reference} or o.id::text = ${reference} limit 1`,
    "find membership",
  );
  return row;
}

export function requirePlatformAdmin(person: Person): PlatformCaller {
  if (!person.platformAdmin) {
    throw new ServiceError("forbidden", "Only platform administrators may do this");
  }
  return {
    via: { kind: "session", sessionId: person.sessionId },
    tier: "super-admin",
    userId: person.userId,
  };
}

/** The refusal that names the role which is missing. */
export function lacksRole(required: Role, actual: Role): ServiceError {
  return new ServiceError(
    "forbidden",
    `This requires the role ${required}; you have the role ${actual}. Ask an owner of the organization`,
  );
}
