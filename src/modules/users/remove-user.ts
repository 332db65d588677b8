import sql from "sql-template-tag";
import { ServiceError } from "../../../contract/errors.js";
import type { Actor } from "../../access/caller.js";
import type { Database, Queryable } from "../../infra/database/db.js";
import { recordedChange } from "../../records/recorded-change.js";
import { listDoorLinksBy, type WorkingDoorLink } from "../door-links/store.js";
import { listOffersBy, type OfferOfEvent, recordOffer } from "../events/store.js";
import { invitationsEndingWith } from "./invitation-store.js";
import { deleteInvitationsOf, getUserByEmail, type User } from "./store.js";

/** A person with what is removed with them: organizations, ids of keys, addresses of open invitations, offers and door links by them. */
export type RemovedUser = User & {
  organizations: string[];
  keys: string[];
  invitations: string[];
  offers: OfferOfEvent[];
  door_links: WorkingDoorLink[];
};

/** How an organization gets another owner: in the console, or what the command line says instead. */
type OwnerAdvice = (slug: string) => string;

const inConsole: OwnerAdvice = () => "Invite one, or make a member an owner, on the page of the organization";

/** Removes a person with their memberships, keys, sessions and password. The only owner of an organization is refused. */
export async function removeUser(
  db: Database,
  actor: Actor,
  email: string,
  advice: OwnerAdvice = inConsole,
): Promise<RemovedUser> {
  const { result } = await recordedChange(db, actor, async (tx) => {
    const removed = await readRemoval(tx, await getUserByEmail(tx, email));
    await deleteUser(tx, actor, removed, advice);
    return { result: removed, record: { tool: "svc:users remove", request: { user_id: removed.id }, before: removed } };
  });
  return result;
}

export async function readRemoval(tx: Queryable, user: User): Promise<RemovedUser> {
  const [related] = await tx.query<Pick<RemovedUser, "organizations" | "keys">>(sql`
    select
      array(select o.slug from members m join organizations o on o.id = m.organization_id
        where m.user_id = ${user.id} order by 1) as organizations,
      array(select k.id::text from api_keys k where k.created_by = ${user.id} order by 1) as keys`);
  const [invitations, offers, door_links] = await Promise.all([
    invitationsEndingWith(tx, user.id, "account"),
    listOffersBy(tx, user.id),
    listDoorLinksBy(tx, user.id),
  ]);
  return { ...user, organizations: [], keys: [], ...related, invitations, offers, door_links };
}

export async function deleteUser(tx: Queryable, actor: Actor, user: RemovedUser, advice = inConsole): Promise<void> {
  // Before memberships, as in holdRight; these are locked so that two owners cannot be removed at the same time.
  await tx.query(sql`select from users where id = ${user.id} for update`);
  await requireOtherOwners(tx, user, advice, sql`for update of m`);
  await tx.query(sql`delete from users where id = ${user.id}`);
  await deleteInvitationsOf(tx, user.email);
  for (const offer of user.offers) await recordOffer(tx, actor, "withdrawn", offer);
}

/** Every organization of which the person is an owner has another one. */
export async function requireOtherOwners(tx: Queryable, user: User, advice = inConsole, lock = sql``): Promise<void> {
  const owners = await tx.query<{ slug: string; user_id: string }>(sql`
    select o.slug, m.user_id from members m join organizations o on o.id = m.organization_id
    where m.role = 'owner' and m.organization_id in (select organization_id from members where user_id = ${user.id})
    order by o.slug, m.user_id ${lock}`);
  const owned = owners.filter(({ user_id }) => user_id === user.id).map(({ slug }) => slug);
  const shared = new Set(owners.filter(({ user_id }) => user_id !== user.id).map(({ slug }) => slug));
  const alone = owned.filter((slug) => !shared.has(slug));
  const [first] = alone;
  if (first === undefined) return;
  const problem = `${user.email} is the only owner of ${alone.join(", ")}: add another owner first`;
  throw new ServiceError("conflict", `${problem}. ${advice(first)}`);
}
