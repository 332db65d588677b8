import { z } from "zod";
import { maximumLine, maximumReturnReason } from "../nouns.js";
import { eventFields } from "./events.js";
import { date, line, text, timestamp, uuid } from "./fields.js";
import { changesOf, toolInputsOf } from "./noun.js";

/** How many drafts an organization can have waiting for the administrators of the platform, or returned by them. */
export const maximumProposals = 20;

/** Why a proposal is returned, for the organizers. */
export const returnReason = text(maximumReturnReason);

const { name, start_time, end_time, timezone, venue, category, capacity, description } = toolInputsOf(eventFields);

/** What propose_event accepts; the other details are set with update_event_details. */
export const proposedEvent = z.object({
  conference_id: uuid,
  name,
  start_time,
  end_time,
  ...changesOf({ timezone: timezone.meta({ description: "IANA name; default: the conference's" }) }),
  ...changesOf({ category: category.meta({ description: "default: community" }), venue, capacity, description }),
});

/** What duplicate_event accepts beside the event. */
export const duplicatedEvent = z.object({
  start_time: start_time.meta({ description: "of the copy; everything in it moves by as much" }),
  name: line(maximumLine).exactOptional().meta({ description: "default: the same" }),
  conference_id: uuid.exactOptional().meta({ description: "default: the same" }),
});

/** A proposal as its organization and administrators see it. */
export const proposal = z.object({
  proposed_at: timestamp,
  /** Null while it waits. */
  returned_at: timestamp.nullable(),
  return_reason: z.string().nullable(),
});

/** A proposal in a list. */
export const listedProposal = proposal.extend({
  event: z.object({ id: uuid, name: z.string(), start_time: timestamp, end_time: timestamp, timezone: z.string() }),
  conference: z.object({ id: uuid, name: z.string() }),
});

const proposalConference = z.object({
  id: uuid,
  name: z.string(),
  start_date: date,
  end_date: date,
  timezone: z.string(),
});

/** What an organization has proposed, and the conferences to come for which it may propose more. */
export const proposalList = z.object({
  proposals: z.array(listedProposal),
  conferences: z.array(proposalConference),
  maximum: z.int(),
});

export type ProposalConference = z.output<typeof proposalConference>;
export type ProposalList = z.output<typeof proposalList>;
export type Proposal = z.output<typeof proposal>;
export type ListedProposal = z.output<typeof listedProposal>;

/** Whom and what cancelling an event concerns, as the preview of cancel_event says it. */
export type AffectedByCancelling = {
  guests: Record<"pending" | "approved" | "waitlisted" | "declined" | "checked_in", number>;
  /** Of those who are approved, by registration; then of those who wait. */
  first_guests: string[];
  posted_links: { count: number; platforms: string[] };
};
