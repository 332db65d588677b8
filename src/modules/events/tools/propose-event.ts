import { randomUUID } from "node:crypto";
import { z } from "zod";
import { ServiceError } from "../../../../contract/errors.js";
import { type Proposal, proposedEvent } from "../../../../contract/schema/proposals.js";
import { refuseTooManyProposals } from "../../../access/proposals.js";
import { defineEventMutation, defineMutation } from "../../../runner/mutation.js";
import { exampleIds } from "../../../schema/examples.js";
import {
  type Draft,
  findDraft,
  findProposal,
  getProposalPlace,
  type ProposalPlace,
  saveProposal,
  saveReturn,
  timesOf,
} from "../proposal-store.js";
import { requireTimes } from "../rules.js";
import { detailsWarnings, noSurroundings } from "../warnings.js";

type ProposeState = ProposalPlace & { event: Draft | null };

/** What a draft has that was not given. */
const emptyDetails = {
  venue: null,
  venue_address: null,
  tier: null,
  description: null,
  capacity: null,
  luma_url: null,
  tile_image_url: null,
  status: "draft" as const,
};

export const proposeEvent = defineMutation({
  name: "propose_event",
  title: "Propose an event",
  group: "event_management",
  description:
    "Propose an event for a conference in which your organization already hosts one. It is a draft, on which the other tools work too, until the platform's administrators accept it or return it with a reason.",
  scope: "events:write",
  role: "admin",
  example: {
    conference_id: exampleIds.conference,
    name: "Maintainers' Breakfast",
    start_time: "2026-12-09T08:30:00+00:00",
    end_time: "2026-12-09T10:00:00+00:00",
  },
  addition: true,
  destructive: false,
  input: proposedEvent,
  async prepare({ db, caller }, { conference_id }) {
    const { timezone } = await getProposalPlace(db, caller, conference_id);
    return { id: randomUUID(), timezone };
  },
  async read({ tx, caller, baseUrl }, { conference_id }, { id }): Promise<ProposeState> {
    const { timezone: _, ...place } = await getProposalPlace(tx, caller, conference_id);
    const event = await findDraft(tx, id, baseUrl);
    if (event === null) await refuseTooManyProposals(tx, caller.organizationId);
    return { ...place, event };
  },
  propose(current, { conference_id: _, ...given }, { timezone }) {
    const event = requireTimes({ id: null, ...emptyDetails, timezone, category: "community" as const, ...given });
    return { ...current, event };
  },
  warnings: ({ proposed: { event }, input: { conference_id: _, ...given } }) =>
    detailsWarnings({ current: {}, proposed: timesOf(event), input: given }, noSurroundings),
  store: ({ tx, caller }, { proposed: { conference, event }, prepared: { id } }) =>
    saveProposal(tx, caller.organizationId, { id, conferenceId: conference.id, event }),
  madeEvent: ({ id }) => id,
});

type ResubmitState = { proposal: Proposal };

export const resubmitEventProposal = defineEventMutation({
  name: "resubmit_event_proposal",
  title: "Propose a returned event again",
  group: "event_management",
  description: "Ask again about a proposal that was returned, once it is changed.",
  scope: "events:write",
  role: "admin",
  example: { event_id: exampleIds.event },
  addition: true,
  event: "host",
  destructive: false,
  input: z.object({}),
  async read({ tx, event }): Promise<ResubmitState> {
    const proposal = await findProposal(tx, event.id);
    if (proposal === undefined) throw notProposed();
    return { proposal };
  },
  propose: ({ proposal }) => ({ proposal: { ...proposal, returned_at: null, return_reason: null } }),
  store: ({ tx, event }) => saveReturn(tx, event.id, null),
});

export function notProposed(): ServiceError {
  return new ServiceError(
    "conflict",
    "This event is not a proposal: it has already been accepted, or was never proposed",
  );
}
