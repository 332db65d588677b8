import type { OrganizationCaller } from "../../access/caller.js";
import { type Role, roleAtLeast } from "../../access/roles.js";
import type { Queryable } from "../../platform/database/db.js";
import type { Warning } from "../../tools/warnings.js";
import { listOffersBy, type OfferOfEvent, recordOffer } from "../events/store.js";
import { invitationsEndingWith } from "./invitation-store.js";

/** What depends on a member's role: open invitations by the person, by address, and open offers of events. */
export type OpenOfMember = { invitations: string[]; offers: OfferOfEvent[] };

export async function readOpenOfMember(tx: Queryable, organizationId: string, userId: string): Promise<OpenOfMember> {
  const [invitations, offers] = await Promise.all([
    invitationsEndingWith(tx, userId, { ownerOf: organizationId }),
    listOffersBy(tx, organizationId, userId),
  ]);
  return { invitations, offers };
}

/** What is left of it with another role, or none. The database ends the rest with the role. */
export function leftOfMember({ invitations, offers }: OpenOfMember, role: Role | null): OpenOfMember {
  return {
    invitations: role === "owner" ? invitations : [],
    offers: role !== null && roleAtLeast(role, "admin") ? offers : [],
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
  if (left.offers.length < current.offers.length) {
    const named = current.offers.map(({ event, to }) => `${event.name} to ${to.name}`).join(", ");
    const message = `Offers of events by this person are withdrawn: ${named}. Offer them again if they should stand`;
    warnings.push({ code: "offers_withdrawn", message, path: "offers" });
  }
  return warnings;
}

export function invitationsWithdrawn(addresses: string[], path = "invitations"): Warning {
  const message = `Open invitations by this person are withdrawn: ${addresses.join(", ")}. Invite these people again if they should still come`;
  return { code: "invitations_withdrawn", message, path };
}
