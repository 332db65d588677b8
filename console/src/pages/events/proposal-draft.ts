import type { EventDetails } from "../../../../contract/console/event.ts";
import type { ProposalConference } from "../../../../contract/schema/proposals.ts";
import type { Json } from "../../api/tools.ts";
import { type Problems, required } from "../../drafts/use-draft.ts";
import { fromZonedInput, toZonedInput } from "../../format/zoned-input.ts";

/** A proposed event as the form has it: times as the clocks of the conference show them. */
export type ProposalDraft = {
  conference_id: string;
  name: string;
  start: string;
  end: string;
  category: EventDetails["category"];
  venue: string;
  description: string;
};

export const newProposal = (conference: ProposalConference | undefined): ProposalDraft => ({
  conference_id: conference?.id ?? "",
  name: "",
  start: conference === undefined ? "" : `${conference.start_date}T18:00`,
  end: conference === undefined ? "" : `${conference.start_date}T20:00`,
  category: "community",
  venue: "",
  description: "",
});

/** Each conference suggests its first day, until other times were entered. */
export function withConference(draft: ProposalDraft, conferences: ProposalConference[], id: string) {
  const suggestedBy = (wanted: string) => newProposal(conferences.find((each) => each.id === wanted));
  const before = suggestedBy(draft.conference_id);
  const isEntered = draft.start !== before.start || draft.end !== before.end;
  const { start, end } = isEntered ? draft : suggestedBy(id);
  return { conference_id: id, start, end };
}

const noTime = "Enter a day and a time that exist in this time zone";

export function proposalProblems(draft: ProposalDraft, zone: string): Problems<ProposalDraft> {
  const [start, end] = [draft.start, draft.end].map((local) => fromZonedInput(local, zone));
  return {
    conference_id: required(draft.conference_id, "a conference"),
    name: required(draft.name, "a name"),
    start: start === undefined ? noTime : undefined,
    end: end === undefined ? noTime : start !== undefined && end <= start ? "It must end after it starts" : undefined,
  };
}

export function proposalArgs(
  { conference_id, name, start, end, category, ...texts }: ProposalDraft,
  zone: string,
): Json {
  const given = Object.entries(texts).filter(([, text]) => text.trim() !== "");
  return {
    conference_id,
    name: name.trim(),
    start_time: fromZonedInput(start, zone),
    end_time: fromZonedInput(end, zone),
    timezone: zone,
    category,
    ...Object.fromEntries(given),
  };
}

/** The same clock time a week later. */
export function aWeekLater({ start_time, timezone }: Pick<EventDetails, "start_time" | "timezone">): string {
  const local = new Date(`${toZonedInput(start_time, timezone)}Z`);
  local.setUTCDate(local.getUTCDate() + 7);
  return local.toISOString().slice(0, 16);
}
