import { randomUUID } from "node:crypto";
import { z } from "zod";
import { changedFields } from "../../../contract/changes.js";
import { ServiceError } from "../../../contract/errors.js";
import { statuses } from "../../../contract/nouns.js";
import { eventChanges, eventFields, ticketingEventId } from "../../../contract/schema/events.js";
import { uuid } from "../../../contract/schema/fields.js";
import { changesOf, rowInputsOf } from "../../../contract/schema/noun.js";
import { returnReason } from "../../../contract/schema/proposals.js";
import { insertRow } from "../../infra/database/insert-row.js";
import { updateRow } from "../../infra/database/update-row.js";
import { definePlatformMutation } from "../../runner/mutation.js";
import { getConference } from "../conferences/store.js";
import { requireStoredImages, withImagePaths } from "../images/store.js";
import { getOrganization } from "../organizations/store.js";
import { getReferencedEvent, requireUnlinked, saveTicketingLink } from "./admin-store.js";
import { findHostOffer, listHosts, saveHosts } from "./host-store.js";
import { findProposal, saveReturn } from "./proposal-store.js";
import { changeDetails, type EventDetails, type OfferedChange, requireTimes, setHost } from "./rules.js";
import { findEventDetails, getEventDetails, recordForRecipient } from "./store.js";
import { notProposed } from "./tools/propose-event.js";
import { detailsWarnings, readSurroundings } from "./warnings.js";

const { status, tile_image_url: _, ...describing } = rowInputsOf(eventFields);

export const createEvent = definePlatformMutation({
  name: "create_event",
  title: "Create an event",
  description:
    "Add an event to a conference, with the organization that hosts it. It is a draft unless a status is given.",
  destructive: false,
  input: z.object({ conference_id: uuid, organization_id: uuid, ...describing, status: status.default("draft") }),
  // The id of the new event: by what it will be found after it was stored.
  prepare: async () => randomUUID(),
  async read({ tx, baseUrl }, { conference_id, organization_id }, id) {
    const conference = await getConference(tx, conference_id, baseUrl);
    const { name: host } = await getOrganization(tx, organization_id);
    const stored = await findEventDetails(tx, id, baseUrl);
    return { conference: conference.name, host, event: stored === undefined ? {} : { id, ...stored } };
  },
  propose(current, { conference_id: _, organization_id: __, ...event }) {
    return { ...current, event: requireTimes(event) };
  },
  async store({ tx }, { input: { conference_id, organization_id, ...event }, prepared: id }) {
    await insertRow(tx, "events", { id, conference_id, ...event });
    await saveHosts(tx, id, [{ ...(await getOrganization(tx, organization_id)), role: "host" }]);
  },
  madeEvent: (id) => id,
});

/** The status and the link to the ticketing platform have tools of their own. */
const { status: __, luma_url: ___, ...changes } = eventChanges.shape;

export const updateEvent = definePlatformMutation({
  name: "update_event",
  title: "Update an event",
  description: "Change what describes an event, in any status. Send only what changes; null clears a field.",
  destructive: true,
  input: z.object({ event_id: uuid, ...changes }),
  async read({ tx, baseUrl }, { event_id, ...changes }): Promise<EventDetails> {
    const details = await getEventDetails(tx, event_id, Object.keys(changes), baseUrl);
    await requireStoredImages(tx, baseUrl, ["tile_image_url"], details, changes);
    return details;
  },
  propose: (current, { event_id: _, ...changes }) => changeDetails(current, changes),
  related: ({ tx }, { event_id, ...changes }) => readSurroundings(tx, event_id, changes),
  warnings: (proposal, related) => detailsWarnings(proposal, related),
  async store({ tx, baseUrl }, { current, proposed, input: { event_id } }) {
    const stored = await withImagePaths(tx, baseUrl, ["tile_image_url"], changedFields(current, proposed));
    await updateRow(tx, "events", { id: event_id }, stored);
  },
});

export const setEventStatus = definePlatformMutation({
  name: "set_event_status",
  title: "Set an event's status",
  description:
    "Publish, approve, archive or hide an event with its posters. It is seen only while its conference is approved or published too.",
  destructive: false,
  input: z.object({ event_id: uuid, status: z.enum(statuses) }),
  /** Who accepts a proposal has seen whether another administrator returned it. */
  async read({ tx }, { event_id }) {
    const [{ id, name, status }, proposal] = await Promise.all([
      getReferencedEvent(tx, event_id),
      findProposal(tx, event_id),
    ]);
    return { id, name, status, ...(proposal !== undefined && { proposal }) };
  },
  propose: (current, { status }) => ({ ...current, status }),
  store: ({ tx }, { proposed: { id, status } }) => updateRow(tx, "events", { id }, { status }),
});

export const returnEventProposal = definePlatformMutation({
  name: "return_event_proposal",
  title: "Return a proposed event",
  description:
    "Give a proposed event back to its organizers, who read the message, change the event and propose it again. set_event_status accepts a proposal.",
  destructive: false,
  input: z.object({ event_id: uuid, message: returnReason }),
  async read({ tx }, { event_id }) {
    const [{ id, name }, proposal] = await Promise.all([getReferencedEvent(tx, event_id), findProposal(tx, event_id)]);
    if (proposal === undefined) throw notProposed();
    return { id, name, proposal };
  },
  propose(current, { message }) {
    const { proposal } = current;
    if (proposal.returned_at !== null && proposal.return_reason === message) return current;
    return { ...current, proposal: { ...proposal, returned_at: null, return_reason: message } };
  },
  store: ({ tx }, { current: { id }, input: { message } }) => saveReturn(tx, id, message),
});

export const setEventTicketingLink = definePlatformMutation({
  name: "set_event_ticketing_link",
  title: "Link an event to the ticketing platform",
  description:
    "Set which event of the ticketing platform this one is, and the address of its public page. null removes a link.",
  destructive: true,
  input: z.object({
    event_id: uuid,
    ...changesOf({ ticketing_event_id: ticketingEventId.nullable(), luma_url: eventFields.luma_url.input }),
  }),
  async read({ tx }, { event_id, ticketing_event_id: wanted }) {
    const { id, name, ticketing_event_id, luma_url } = await getReferencedEvent(tx, event_id);
    if (wanted !== undefined && wanted !== null) await requireUnlinked(tx, id, wanted);
    return { id, name, ticketing_event_id, luma_url };
  },
  propose(current, { event_id: _, ...link }) {
    if (Object.keys(link).length > 0) return { ...current, ...link };
    throw new ServiceError("invalid_input", "Send at least one of ticketing_event_id and luma_url");
  },
  store: ({ tx }, { current, proposed }) => saveTicketingLink(tx, current.id, changedFields(current, proposed)),
});

export const setEventHost = definePlatformMutation({
  name: "set_event_host",
  title: "Set an event's host",
  description:
    "Make an organization the host of an event, without asking it. The host until now becomes a co-host, and its offer of the event ends.",
  destructive: true,
  input: z.object({ event_id: uuid, organization_id: uuid }),
  async read({ tx }, { event_id, organization_id }): Promise<OfferedChange> {
    const { id } = await getReferencedEvent(tx, event_id);
    const organization = await getOrganization(tx, organization_id);
    return { organization, hosts: await listHosts(tx, id), offer: await findHostOffer(tx, id, null) };
  },
  propose: setHost,
  async store({ tx, caller }, { current, proposed, input: { event_id } }) {
    await saveHosts(tx, event_id, proposed.hosts);
    await recordForRecipient(tx, event_id, caller, current, proposed);
  },
});
