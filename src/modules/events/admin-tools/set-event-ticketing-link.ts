import { z } from "zod";
import { changedFields } from "../../../../contract/changes.js";
import { ServiceError } from "../../../../contract/errors.js";
import { eventFields, ticketingEventId } from "../../../../contract/schema/events.js";
import { uuid } from "../../../../contract/schema/fields.js";
import { changesOf } from "../../../../contract/schema/noun.js";
import { definePlatformMutation } from "../../../runner/mutation.js";
import { getReferencedEvent } from "../event-reference.js";
import { requireUnlinked, saveTicketingLink } from "../ticketing-link.js";

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
