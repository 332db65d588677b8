import { z } from "zod";
import { fieldError } from "../../../../contract/errors.js";
import {
  type BatchState,
  canApprove,
  changedStates,
  isTransition,
  maximumBatch,
  proposeBatch,
  registrationActions,
  reportOf,
} from "../../../../contract/registrations.js";
import { atMost, flag, integer, line, text, uuidList } from "../../../../contract/schema/fields.js";
import {
  allowOverCapacity,
  nobodyIsNotified,
  registrationStatus,
  ticketingNote,
} from "../../../../contract/schema/registrations.js";
import { someOf } from "../../../../contract/shortened.js";
import { defineEventMutation } from "../../../runner/mutation.js";
import { requireOneOf } from "../../../runner/one-or-many.js";
import { exampleIds } from "../../../schema/examples.js";
import { type Selection, selectRegistrations } from "../roster-store.js";
import { readSeats, saveCheckIns, saveStates } from "../store.js";

const tooMany = `expected 1 to ${maximumBatch} e-mail addresses`;

const filter = z.strictObject({
  status: registrationStatus.exactOptional(),
  checked_in: flag.exactOptional().meta({ type: "boolean" }),
  query: line(200).exactOptional(),
  email_domain: line(253)
    .transform((domain) => domain.trim().toLowerCase().replace(/^@/, ""))
    .refine((domain) => /^[^\s@]+$/.test(domain), { error: "expected a mail domain, such as example.com" })
    .exactOptional()
    .meta({ type: "string" }),
  limit: integer(1, maximumBatch)
    .exactOptional()
    .meta({ description: "only the first N in order of registration, for example the free seats" }),
});

export const batchUpdateEventRegistrations = defineEventMutation({
  name: "batch_update_event_registrations",
  title: "Update many registrations at once",
  group: "registrations",
  description: `Apply one action to up to ${maximumBatch} guests, all or none. Select them by exactly one of registration_ids, emails and filter. ${nobodyIsNotified}`,
  scope: "registrations:write",
  role: "admin",
  example: { event_id: exampleIds.event, action: "approve", registration_ids: [exampleIds.pendingRegistration] },
  event: "host_or_co_host",
  destructive: true,
  input: z.object({
    action: z.enum(registrationActions),
    registration_ids: uuidList(maximumBatch, {
      required: true,
      advice: ": send the rest in another call",
    }).exactOptional(),
    emails: atMost(
      maximumBatch,
      `${tooMany}: send the rest in another call`,
      z
        .array(
          text(254)
            .transform((email) => email.trim())
            .meta({ type: "string" }),
        )
        .min(1, { error: tooMany })
        .max(maximumBatch),
    )
      .superRefine((emails, context) => {
        const repeated = repeatedIn(emails.map((email) => email.toLowerCase()));
        if (repeated.length > 0) context.addIssue(`expected each address once; repeated: ${someOf(repeated)}`);
      })
      .meta({ uniqueItems: true })
      .exactOptional(),
    filter: filter.exactOptional(),
    allow_over_capacity: allowOverCapacity,
  }),
  prepare: async (_, input) => selectionOf(input),
  async read({ tx, event }, input, selection, proposed): Promise<BatchState> {
    const unlimited = !canApprove(input.action) || input.allow_over_capacity;
    // The change may be what the filter looks at.
    const wanted = proposed === undefined ? selection : { ids: proposed.registrations.map(({ id }) => id) };
    const [registrations, seats] = await Promise.all([
      selectRegistrations(tx, event.id, wanted),
      readSeats(tx, event.id, { unlimited }),
    ]);
    return { registrations, ...seats };
  },
  propose: (current, input) => proposeBatch(current, input.action),
  // As for one registration: `propose` checks the seats.
  basis: ({ registrations }) => registrations,
  async store({ tx, event }, { current, proposed, input: { action } }) {
    const changed = changedStates(current, proposed);
    if (isTransition(action)) return saveStates(tx, event.id, changed);
    const ids = changed.map(({ id }) => id);
    return saveCheckIns(tx, event.id, ids, action === "check_in");
  },
  report: ({ current, proposed, input: { action } }, event) => ({
    ...reportOf(current, proposed, action),
    ...ticketingNote(event),
  }),
});

type Selecting = {
  registration_ids?: string[];
  emails?: string[];
  filter?: z.output<typeof filter>;
};

function selectionOf(input: Selecting): Selection {
  requireOneOf(input, ["registration_ids", "emails", "filter"]);
  const { registration_ids: ids, emails, filter: { limit, ...wanted } = {} } = input;
  if (ids !== undefined) return { ids };
  if (emails !== undefined) return { emails };
  if (Object.keys(wanted).length === 0) {
    throw fieldError("filter", "expected at least one of status, checked_in, query and email_domain");
  }
  const { status, checked_in: checkedIn, query, email_domain: emailDomain } = wanted;
  return { filter: { status, checkedIn, query: query?.trim(), emailDomain }, limit };
}

function repeatedIn(values: string[]): string[] {
  return [...new Set(values.filter((value, index) => values.indexOf(value) !== index))];
}
