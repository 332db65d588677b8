import type { ConferenceDetails } from "../../../../contract/console/admin.ts";
import { type Problems, required } from "../../drafts/use-draft.ts";
import { fromZonedInput } from "../../format/zoned-input.ts";

/** An event as the form has it: times as the clocks of the time zone show them. */
export type EventDraft = {
  conference_id: string | null;
  organization_id: string | null;
  name: string;
  timezone: string | null;
  start: string;
  end: string;
  venue: string;
  category: string;
  description: string;
};

export const newEvent = (conference?: Pick<ConferenceDetails, "id" | "timezone" | "start_date">): EventDraft => ({
  conference_id: conference?.id ?? null,
  organization_id: null,
  name: "",
  venue: "",
  description: "",
  timezone: conference?.timezone ?? null,
  category: "mainline",
  end: "",
  start: conference === undefined ? "" : `${conference.start_date}T18:00`,
});

export function eventProblems(draft: EventDraft): Problems<EventDraft> {
  return {
    conference_id: required(draft.conference_id, "a conference of the list"),
    organization_id: required(draft.organization_id, "an organization of the list"),
    name: required(draft.name, "a name"),
    timezone: required(draft.timezone, "a time zone of the list"),
    start: required(draft.start, "when it starts") ?? skipped(draft.start, draft.timezone),
    end:
      required(draft.end, "when it ends") ??
      skipped(draft.end, draft.timezone) ??
      (draft.end <= draft.start ? "It must end after it starts" : undefined),
  };
}

const skipped = (local: string, zone: string | null): string | undefined =>
  zone !== null && fromZonedInput(local, zone) === undefined
    ? "The clocks of the time zone skip this time: enter another"
    : undefined;

export function eventArgs({ start, end, venue, description, timezone, ...draft }: EventDraft): Record<string, unknown> {
  const zone = timezone ?? "UTC";
  return {
    ...draft,
    timezone,
    start_time: fromZonedInput(start, zone),
    end_time: fromZonedInput(end, zone),
    venue: venue === "" ? null : venue,
    description: description === "" ? null : description,
  };
}
