import sql, { raw } from "sql-template-tag";
import { type Role, roleAtLeast } from "../../../contract/roles.js";
import type { Warning } from "../../../contract/warnings.js";
import type { Actor, OrganizationCaller } from "../../access/caller.js";
import type { Queryable } from "../../infra/database/db.js";
import { listDoorLinksBy, type WorkingDoorLink } from "../door-links/store.js";
import { listOffersBy, type OfferOfEvent, recordOffer } from "../events/store.js";
import { invitationsEndingWith } from "./invitation-store.js";

/** What depends on a member's role: open invitations by the person, by address, open offers of events and door links. */
export type OpenOfMember = { invitations: string[]; offers: OfferOfEvent[]; door_links: WorkingDoorLink[] };

export async function readOpenOfMember(tx: Queryable, organizationId: string, userId: string): Promise<OpenOfMember> {
  const [invitations, offers, door_links] = await Promise.all([
    invitationsEndingWith(tx, userId, { ownerOf: organizationId }),
    listOffersBy(tx, userId, organizationId),
    listDoorLinksBy(tx, userId, organizationId),
  ]);
  return { invitations, offers, door_links };
}

/** What is left of it with another role, or none. The database ends the rest with the role. */
export function leftOfMember({ invitations, offers, door_links }: OpenOfMember, role: Role | null): OpenOfMember {
  const managesEvents = role !== null && roleAtLeast(role, "admin");
  return {
    invitations: role === "owner" ? invitations : [],
    offers: managesEvents ? offers : [],
    door_links: managesEvents ? door_links : [],
  };
}

/** Tells the organizations whose offers end. */
export async function recordEndedOffers(
  tx: Queryable,
  caller: OrganizationCaller,
  current: OpenOfMember,
  left: OpenOfMember,
): Promise<void> {
  if (left.offers.length > 0) return;
  for (const offer of current.offers) await recordOffer(tx, caller, "withdrawn", offer);
}

export function endingWarnings(current: OpenOfMember, left: OpenOfMember): Warning[] {
  const warnings: Warning[] = [];
  if (left.invitations.length < current.invitations.length) warnings.push(invitationsWithdrawn(current.invitations));
  if (left.offers.length < current.offers.length) warnings.push(offersWithdrawn(current.offers));
  if (left.door_links.length < current.door_links.length) warnings.push(doorLinksEnd(current.door_links));
  return warnings;
}

export function invitationsWithdrawn(addresses: string[], path = "invitations"): Warning {
  const message = `Open invitations by this person are withdrawn: ${addresses.join(", ")}. Invite these people again if they should still come`;
  return { code: "invitations_withdrawn", message, path };
}

export function offersWithdrawn(offers: OfferOfEvent[], path = "offers"): Warning {
  const named = offers.map(({ event, to }) => `${event.name} to ${to.name}`).join(", ");
  const message = `Offers of events by this person are withdrawn: ${named}. Offer them again if they should stand`;
  return { code: "offers_withdrawn", message, path };
}

const namedLinks = 5;

export function doorLinksEnd(links: WorkingDoorLink[], path = "door_links"): Warning {
  const named = links.slice(0, namedLinks).map(({ name, event }) => `${name} (${event.name})`);
  const more = links.length > namedLinks ? `, and ${links.length - namedLinks} more` : "";
  const end =
    links.length === 1
      ? "1 door link by this person ends, and volunteers who have opened it"
      : `${links.length} door links by this person end, and volunteers who have opened them`;
  const message = `${end} are signed out: ${named.join(", ")}${more}. Make new ones for doors that should stay open`;
  return { code: "door_links_end", message, path };
}

/** What a person has made that depends on their rights, before a time or ever, ends now: numbers of each. */
export async function endInvitationsAndOffers(
  tx: Queryable,
  actor: Actor,
  userId: string,
  before: string | null,
): Promise<{ invitations_withdrawn: number; offers_withdrawn: number }> {
  const isEarlier = (time: string) => sql`(${before}::timestamptz is null or ${raw(time)} < ${before}::timestamptz)`;
  const offers = await listOffersBy(tx, userId);
  const invitations = await tx.query(sql`
    update invitations set withdrawn_at = now()
    where inviter_id = ${userId} and accepted_at is null and withdrawn_at is null and ${isEarlier("created_at")}
    returning id`);
  const deleted = await tx.query<{ event_id: string }>(sql`
    delete from host_offers where offered_by = ${userId} and ${isEarlier("offered_at")} returning event_id`);
  const ended = new Set(deleted.map(({ event_id }) => event_id));
  for (const offer of offers) if (ended.has(offer.event.id)) await recordOffer(tx, actor, "withdrawn", offer);
  return { invitations_withdrawn: invitations.length, offers_withdrawn: deleted.length };
}
