import sql from "sql-template-tag";
import { ServiceError } from "../../../contract/errors.js";
import type { OrganizationCaller } from "../../access/caller.js";
import { fellowOrganizations } from "../../access/visibility.js";
import type { Queryable } from "../../infra/database/db.js";
import { inlined, queryNamed } from "../../infra/database/statement-names.js";
import { comparedText, similarRowsOf } from "../../infra/database/text-search.js";
import { uuidPattern } from "../../infra/ids.js";
import { nearNames } from "../../infra/near-names.js";
import type { NamedOrganization } from "../organizations/store.js";

/** How a tool's input names an organization: by one of the two. */
export type OrganizationReference = { organization_id?: string; slug?: string };

/**
 * The organization that a tool's input names. Id and slug reach any organization; a name reaches those that the caller's
 * may know, so that nobody can pass for another by its name. A uuid is never treated as a slug or name, so that neither can
 * pass for an id.
 */
export async function getOrganizationNamed(
  tx: Queryable,
  caller: OrganizationCaller,
  { organization_id: given, slug }: OrganizationReference,
): Promise<NamedOrganization> {
  const wanted = (given ?? slug ?? "").trim();
  if ((given === undefined) === (slug === undefined)) {
    throw new ServiceError(
      "invalid_input",
      "organization_id: send exactly one of organization_id (id, slug or exact name) and slug",
    );
  }
  const isId = given !== undefined && uuidPattern.test(wanted);
  const [found] = await queryNamed<NamedOrganization>(tx, "get organization named")`
    select id, name, slug from organizations where ${isId ? sql`id = ${wanted}` : sql`slug = ${wanted}`}`;
  if (found !== undefined) return found;
  if (isId) {
    throw new ServiceError("not_found", `No organization has the id ${wanted}: send its slug or exact name instead`);
  }
  const named = given === undefined ? [] : await findNamed(tx, caller, wanted);
  const [only, ...others] = named;
  if (only === undefined) throw unknownOrganization(wanted, await findSimilar(tx, caller, wanted));
  if (others.length > 0) throw ambiguous(named);
  return only;
}

const shownOrganizations = 5;
/** How many organizations suggestions are chosen from. */
const comparedOrganizations = 2_000;

const columns = sql`o.id, o.name, o.slug`;

/** The organizations with exactly this name that the caller's may know. */
function findNamed(tx: Queryable, caller: OrganizationCaller, name: string): Promise<NamedOrganization[]> {
  return queryNamed<NamedOrganization>(tx, "find organizations by name")`
    select ${columns} from ${fellowOrganizations(caller)} o where search_text(o.name) = search_text(${name})
    order by o.slug limit ${inlined(shownOrganizations)}`;
}

/** Those with a similar name or slug. */
async function findSimilar(tx: Queryable, caller: OrganizationCaller, name: string): Promise<NamedOrganization[]> {
  const text = sql`o.name || ' ' || o.slug`;
  const compared = sql`(
    select o.id, search_text(${text}) as search_text from ${fellowOrganizations(caller)} o
    limit ${inlined(comparedOrganizations)})`;
  const found = await queryNamed<{ organization: NamedOrganization; text: string; wanted: string }>(
    tx,
    "find similar organizations",
  )`
    select json_build_object('id', o.id, 'name', o.name, 'slug', o.slug) as organization,
      ${comparedText(text)} as text, ${comparedText(sql`${name}`)} as wanted
    from ${similarRowsOf(compared, name)} k, lateral (select * from organizations where id = k.id limit 1) o`;
  const near = nearNames(found[0]?.wanted ?? "", found, (row) => row.text, shownOrganizations);
  return near.map(({ organization }) => organization);
}

function unknownOrganization(wanted: string, suggestions: NamedOrganization[]): ServiceError {
  const advice =
    suggestions.length === 0
      ? "A name works for organizations that host events in your conferences; ask any other for its slug"
      : "See suggestions for similar ones, and send the slug of one of them";
  return new ServiceError("not_found", `No organization has the slug or name ${wanted}. ${advice}`, {
    details: { suggestions },
  });
}

function ambiguous(organizations: NamedOrganization[]): ServiceError {
  return new ServiceError(
    "conflict",
    "Several organizations have this name. Nothing was changed. Send the slug of one of suggestions instead",
    { details: { suggestions: organizations } },
  );
}
